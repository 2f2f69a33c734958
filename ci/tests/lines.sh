#!/bin/bash
# ci/speed/lines tells what cores and caches touch in an epoch, by accesses of any
# width: no line has more than 64 bytes, none is missed that is not touched, and
# pages count. Hints find lines there or fetch them, and most of those are then used.
# Bad input is refused.
# ci: area speed
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays samples/rv64/replay
. ci/tests/head

status=0
table=$(ci/speed/lines --cycles 2944:3264 --most 99) || status=$?
[ $status = 0 ] || { echo "$table"; exit $status; }

awk -F ' *[|] *' '
    /^Tiles of/ { tiles = $0 }
    NF < 6 || $3 !~ /^[0-9]/ { next }
    { gsub(",", "") }
    $4 > $3 || $6 < 1 || $6 > 64 { print "impossible: " $0; bad = 1 }
    { pages += $5 }
    tiles ~ /of tp/ && ($2 == "tp" || $2 ~ /r->slots$/) { cores++ }
    # The latter are read by 8, 4 and 2 bytes only.
    $2 ~ /->(tags|used|misses[.]fetches)$/ { widths++ }
    END {
        if (cores != 2 || widths != 6)
            print "rows of cores: " cores ", not 2; of widths: " widths ", not 6"
        if (!pages)
            print "no page that was not known"
        exit bad || cores != 2 || widths != 6 || !pages
    }' <<<"$table" || { echo "$table"; exit 1; }

# A hint is for a line that is there or fetches it, which is touched or lost.
status=0
table=$(ci/speed/lines --cycles 2944:3264 --hints --most 999) || status=$?
[ $status = 0 ] || { echo "$table"; exit $status; }

awk -F ' *[|] *' '
    /^Tiles of/ { hints = 0 }
    /hints of/ { hints = 1; next }
    !hints || NF < 6 || $3 !~ /^[0-9]/ { next }
    { gsub(",", "") }
    $4 + $5 > $3 + 0.2 || $3 > $4 + $5 + 0.2 || $6 > $5 {
        print "impossible: " $0; bad = 1
    }
    $2 == "all" { used = $4 > 0 && $6 > 0 && $6 < $5 / 2; next }
    { rows++ }
    $2 ~ /cache_expect|cache_prepare/ { known = 1 }
    END {
        if (!used || !known || rows < 20)
            print "hints: " rows " rows, used: " used ", of caches: " known
        exit bad || !used || !known || rows < 20
    }' <<<"$table" || { echo "$table"; exit 1; }

refused() {
    local status=0
    ci/speed/lines "${@:2}" >/dev/null 2>&1 || status=$?
    [ $status = "$1" ] || { echo "${*:2}: status $status, not $1"; exit 1; }
}
refused 2 --cycles 5:3
refused 2 a.scene
refused 1 --chip none
