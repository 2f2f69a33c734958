# The legs of docs/guides/observing.md, from `sim-run-stalls --list-units` (the first file):
# the page (the second) comes out with them between its marks. What the second and third
# cache have is as of the first.
FNR == NR {
    if (sub(/^ +read_memory_/, "") && $2 == "request-cycles:" && !/^(second_|third_|cycles )/) {
        name = $1
        sub(/^[^:]*: /, "")
        rows = rows "| `" name "` | " $0 " |\n"
    }
    next
}
/^<!-- legs -->$/ {
    printf "%s\n| leg | cycles |\n|---|---|\n%s", $0, rows
    generated = 1
    next
}
/^<!-- end -->$/ { generated = 0 }
!generated
