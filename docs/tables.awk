# Tables of pages that lists in the sources have: a page comes out with them between its
# marks <!-- NAME --> and <!-- end -->. docs/module.mk renews the pages, ci/tests/tree.sh
# compares them.
BEGIN {
    add("packages", "ci/setup", "^[a-z][-a-z0-9.]+ +(build|test|lint|release|sweep) ", "package | list | what for")
    add("chips", "ci/tests/chips.sh", "^[a-z0-9-]+( +[0-9.]+){11}$", "chip | TMs x TPs x harts | MHz " \
        "| L1, KiB | L2, KiB | GB/s | load to use: L1, L2 | rays of an RT core")
    add("quirks", "sim/rtp/quirks.def", "^RTP_QUIRK", "quirk | what it does")
    add("rtp-events", "sim/units/rtp/rtp_events.def", "^RTP_EVENT", "event | what happens")
    add("statuses", "sim/host/run/exit_status.h", "^ +X[(][A-Z]+, [0-9]+,", "status | meaning")
    add("sweep-statuses", "sdk/sweep/wrong.py", "^    [0-9]+: \"", "status | meaning")
    add("transfers", "sim/core/paging_role.h", "^ +X[(][A-Z_]+, \"", "kind | what happens")
}

function add(name, file, row, head) {
    source[name] = file
    rows[name] = row
    heads[name] = head
}

# A row of a list: words of a line; or a name, as text or else as the first argument, and
# the meaning, the last text.
function cells(name, line,   part, n) {
    if (name == "packages") {
        split(line, part)
        sub(/^[^ ]+ +[^ ]+ +/, "", line)
        return "| " part[1] " | " part[2] " | " line " |"
    }
    if (name == "chips") {
        split(line, part)
        return sprintf("| %s | %d x %d x %d | %d | %d | %d | %g | %d, %d | %s |", part[1], part[2],
            part[3], part[4], part[5], part[6], part[7], part[8], part[9], part[10],
            part[11] ? part[12] : "none")
    }
    n = split(line, part, "\"")
    if (name ~ /statuses$/ && match(line, /[0-9]+/))
        return "| " substr(line, RSTART, RLENGTH) " | " part[2] " |"
    if (n >= 5)
        return "| `" part[2] "` | " part[4] " |"
    sub(/^[^(]*[(]/, "", line)
    sub(/,.*/, "", line)
    return "| `" line "` | " part[2] " |"
}

function table(name,   line, head) {
    head = heads[name]
    print "| " head " |"
    gsub(/[^|]+/, "---", head)
    print "|" head "|"
    while ((getline line <source[name]) > 0)
        if (line ~ rows[name])
            print cells(name, line)
    close(source[name])
}

/^<!-- [a-z-]+ -->$/ && $2 in source {
    print
    table($2)
    generated = 1
    next
}
/^<!-- end -->$/ { generated = 0 }
!generated
