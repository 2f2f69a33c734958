#!/bin/bash
# ci/bench-memory runs, writes its tables and plots, and says what is wrong with
# a simulator that fails. Figures are not judged here.
# ci: area studies memory
# ci: needs memory-check
. ci/tests/head

out=$dir/out
ci/bench-memory --quick --only conflicts --variant GDDR6 --out "$out" \
    >"$dir/log" 2>&1 || fail "status $?"
grep -q '^| GDDR6 | L1, 1 of 4 banks | 64 | ' "$dir/log" || fail "no table"
# A bank takes one request a cycle.
python3 - "$out/conflicts.csv" <<'PY' || fail conflicts.csv
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
rate = {r["case"]: int(r["accesses"]) / int(r["cycles"]) for r in rows}
assert len(rows) == 8 and 0.9 < rate["L1, 1 of 4 banks"] <= 1, rate
PY

if command -v gnuplot >/dev/null; then
    # Plots of made-up results.
    head=variant,case,pattern,bytes,stride,harts,accesses,cycles,cycles_per_access,bytes_per_cycle
    for name in latency stride stream atomic; do
        echo $head >"$out/$name.csv"
        for x in 8 64 4096; do
            echo "GDDR6,case $x,any,$x,$x,$x,100,200,2.000,$x.5" >>"$out/$name.csv"
            echo "HBM2,case $x,any,$x,$x,$x,100,200,3.000,$x.5" >>"$out/$name.csv"
        done
    done
    ci/bench-memory --plot-only --out "$out" >"$dir/log" 2>&1 || fail "status $?"
    for name in latency stride stream atomic; do
        [ "$(head -c 4 "$out/$name.png" | tail -c 3)" = PNG ] || fail "$name.png"
        grep -q '</svg>' "$out/$name.svg" || fail "$name.svg"
    done
else
    echo "no gnuplot here: no plots"
fi

echo "== a simulator that fails"
printf '#!/bin/sh\n[ "$3" = --describe ] || [ "$5" = --describe ] || { echo broken >&2; exit 3; }\nexec %s "$@"\n' \
    "$(realpath "$B/bin/sim-run")" >"$dir/sim"
chmod +x "$dir/sim"
status=0
SIM=$dir/sim ci/bench-memory --quick --only conflicts --variant GDDR6 \
    --out "$dir/none" >"$dir/log" 2>&1 || status=$?
[ $status = 1 ] && tail -n 1 "$dir/log" | grep -q 'status 3: broken' || fail "status $status"
[ ! -e "$dir/none/conflicts.csv" ] || fail "left a table"
status=0
ci/bench-memory --jobs 0 >"$dir/log" 2>&1 || status=$?
[ $status = 2 ] || fail "--jobs 0: status $status"

echo pass
