#!/bin/bash
# The study of intersection cores, docs/studies/rtp-study.md: a small one of the same programs
# and scenes. No time is below its bound, more cores are faster, overlapped tests are
# faster where the intersection cores are the bound, and a chip that is faster than
# it can be is found.
# ci: area rtp studies
# ci: needs bin/sim-run bin/corbel-scene sdk-commands samples-rtp
. ci/tests/head

ci/rtp/study --quick --out "$dir" >"$dir/table"
[ -s "$dir/rtp-study.svg" ] || fail "no plot"
# Cells: ICs, then time, bound, overlapped of each scene.
awk -F ' *[|] *' '
    $2 ~ /^[0-9]+$/ {
        for (i = 3; i <= 9; i += 3) {
            if ($2 > 1 && $i >= before[i]) { print "not faster: " $0; exit 1 }
            if ($(i + 1) ~ /IC/ && $(i + 2) + 0 > 0.5 * $i) { print "no gain: " $0; exit 1 }
            before[i] = $i
        }
        rows++
    }
    END { exit rows != 3 }' "$dir/table" || fail "not as the page says"
[ "$(sed -n 's/^| 1 |.* \([0-9.]*\) IC |.*/\1/p' "$dir/table")" ] || fail "bound of 1 core"
grep -q '^| 24 | [0-9.]* | [0-9.]* RT ' "$dir/table" || fail "24 cores and 16 triangles: RT cores"

# A simulator that claims fewer cycles than its buckets have is found.
cat >"$dir/sim" <<'SH'
#!/bin/bash
"$REAL" "$@" && sed -i 's/"cycles":\t[0-9][0-9]*/"cycles":\t1000/' "${@: -4:1}/stats.json"
SH
chmod +x "$dir/sim"
if REAL=$(realpath "$B/bin/sim-run") SIM=$dir/sim ci/rtp/study --quick --out "$dir" \
    >"$dir/table" 2>&1; then
    fail "a time below its bound is accepted"
fi
grep -q '1000 cycles, less than the bound' "$dir/table" || fail "another message"
echo "rtp-study: bounds hold"
