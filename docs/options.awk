# docs/reference/options.md from `sim-run --list-options`: a table for each group. Names of
# pages become links to where they are; PAGES, which the caller sets, lists these.
BEGIN {
    FS = "\t"
    n = split(PAGES, list, " ")
    for (i = 1; i <= n; i++) {
        name = list[i]
        sub(/.*\//, "", name)
        at[name] = list[i]
        sub(/^docs\/reference\//, "", at[name])
        sub(/^docs\//, "../", at[name])
    }
    print "# Options of sim-run\n"
    print "    sim-run [options] program.elf [program arguments]\n"
    print "Made by `make docs` from `sim-run --list-options`; change them in the rows of `sim/host/`."
    print "Options that are *kept* are in a checkpoint, and `--resume` has them again."
}
$1 != group {
    group = $1
    printf "\n## %s\n\n| option | meaning | |\n|---|---|---|\n", group
}
{
    name = "--" $3 ($4 == "" ? "" : " " $4)
    gsub(/\|/, "\\|", name)
    sub(/^ */, "", $7)
    printf "| %s`%s` | %s | %s |\n", $2 == "" ? "" : "`-" $2 "`, ", name, \
        linked($6 ($7 == "" ? "" : ". " $7)), $5
}

function linked(text,   name, done) {
    gsub(/\|/, "\\|", text)
    while (match(text, /[a-z-]+\.md/)) {
        name = substr(text, RSTART, RLENGTH)
        if (!(name in at)) {
            print "no page " name > "/dev/stderr"
            exit 1
        }
        done = done substr(text, 1, RSTART - 1) "[" name "](" at[name] ")"
        text = substr(text, RSTART + RLENGTH)
    }
    return done text
}
