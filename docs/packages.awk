# The table of packages of docs/reference/dependencies.md, from the list in ci/setup: the
# page comes out with it between its marks.
FNR == NR {
    if (/^packages='/)
        inside = 1
    else if (/^'/)
        inside = 0
    else if (inside) {
        line = $0
        sub(/^[^ ]+ +[^ ]+ +/, "", line)
        rows = rows "| " $1 " | " $2 " | " line " |\n"
    }
    next
}
/^<!-- packages -->/ {
    printf "%s\n| package | list | what for |\n|---|---|---|\n%s", $0, rows
    generated = 1
    next
}
/^<!-- end -->/ { generated = 0 }
!generated
