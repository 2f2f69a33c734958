# docs/reference/units.md from `sim-run --list-units`: a section for each kind of unit,
# a table for each of its lists. Knows the layout of that text, no kind.
BEGIN {
    print "# Units\n"
    print "What chips can be made of (guides/architecture-files.md). Made by `make docs` from"
    print "`sim-run --list-units`; change it in the tables of `sim/units/`."
    head["ports"] = "| port | | links | meaning |\n|---|---|---|---|"
    head["parameters"] = "| parameter | default, range | meaning |\n|---|---|---|"
    head["counters"] = "| counter | of | meaning |\n|---|---|---|"
    head["histograms"] = "| histogram | of | meaning |\n|---|---|---|"
    head["buckets"] = "| bucket | of | meaning |\n|---|---|---|"
}
/^[a-z]/ {
    shown = ""
    name = $1
    sub(/:$/, "", name)
    sub(/^[^:]*: /, "")
    printf "\n## %s\n\n%s.\n", name, $0
    next
}
/^  [a-z]/ {
    list = $1
    sub(/,$/, "", list)
    next
}
/^    / {
    name = $1
    colon = index($0, ": ")
    meaning = substr($0, colon + 2)
    facts = substr($0, 1, colon - 1)
    sub(/^ *[^ ]+ */, "", facts)
    if (list == "ports") {
        links = facts
        sub(/^.*up to /, "", links)
        sub(/ links$/, "", links)
        facts = $2 " | " links
    }
    if (list == "parameters")
        gsub(/\|/, ", ", facts)
    gsub(/\|/, "\\|", meaning)
    if (list != shown)
        printf "\n%s\n", head[list]
    shown = list
    printf "| `%s` | %s | %s |\n", name, facts, meaning
}
