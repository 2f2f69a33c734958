#!/bin/bash
# sim-report --energy: energy is counts times picojoules and power times time, all views sum to
# the same for any -j, sizes between rows lie on a line in logarithms, and a bad table is one line
# that names file, line and what was expected, status 2.
# ci: area report
# ci: needs report bin/sim-run-stalls bin/corbel-scene sample-primary sample-mandelbrot
. ci/tests/head

samples=$root/$B/samples/rv64 tables=$root/$B/share/corbel/energy checks=$PWD/ci/tests/energy
cd "$dir"
"$bin/corbel-scene" generate cornell a.scene >log
for j in 1 2; do
    "$sim" --quiet -j $j -a rtx2080 -s chip.tms=2 --interval 500 --profile --cost-images 12x12 \
        --stats-range :96000 -o run$j "$samples/primary" a.scene --size 12 --out a.png >log 2>&1 ||
        fail "sim-run -j $j"
done
cp "$checks/table.csv" t.csv
energy() { "$bin/sim-report" --energy "$@" || fail "sim-report --energy $*"; }
energy t.csv run1 -o 1.json
energy t.csv run2 -o 2.json
cmp 1.json 2.json || fail "another energy with -j 2"
energy t.csv run1 --spread -o spread.json
"$checks/sums.py" run1 1.json spread.json || fail "sums"
energy t.csv run1 -o 1.html
grep -qF '"energy":{"format":1' 1.html || fail "no energy in the page"
[ "$(energy t.csv run1 -o text && wc -l <text)" -gt 30 ] || fail "the text"
for table in "$tables"/*.csv; do
    case $table in *-l1.csv | */horowitz-*) continue ;; esac # sizes that this chip has not
    energy "$table" run1 -o shipped.txt
done
"$sim" --quiet -a trax -s chip.tms=1 -o trax "$samples/mandelbrot" --size 8 --out a.ppm \
    >log 2>&1 || fail "sim-run -a trax"
energy "$tables/lineage-65nm-l1.csv,$tables/horowitz-45nm.csv" trax -o trax.json 2>log ||
    fail "tables by sizes"
# 8 banks lie in the middle of 4 and 16 in a logarithm: the root of 165 times 283.
grep -q '"pj":.*216.0902' trax.json || fail "an L1 of 8 banks"

# ---- bad tables: what the message says behind the file's name
head='unit,event,size,when,times,pj,mw,mm2,node,voltage,source,trust'
bad() { # MESSAGE ROW...
    printf '%s\n' "$head" "${@:2}" >bad.csv
    misused "sim-report: bad.csv: $1" "$bin/sim-report" --energy bad.csv run1
}
ok='l1,reads,,,,1,,,7 nm,,mine,H'
bad "line 3: expected 12 cells, found 2" "$ok" 'l1,writes'
bad "line 2: pj: expected a number of at least 0, found '-1'" 'l1,reads,,,,-1,,,7 nm,,mine,H'
bad "line 2: mw: expected a number of at least 0, found 'much'" 'l1,,,,,,much,,7 nm,,mine,H'
bad "line 2: unit is empty: expected a group or a kind of units" ',reads,,,,1,,,7 nm,,mine,H'
bad "line 2: source is empty: expected where the numbers come from" 'l1,reads,,,,1,,,7 nm,,,H'
bad "line 2: node is empty: expected a process, or 'not stated'" 'l1,reads,,,,1,,,,,mine,H'
bad "line 2: expected trust H, M or L, found 'X'" 'l1,reads,,,,1,,,7 nm,,mine,X'
bad "line 2: expected a number of pj, mw or mm2, found ''" 'l1,reads,,,,,,,7 nm,,mine,H'
bad "line 2: expected pj for an event, and an event for pj, found ''" 'l1,,,,,1,,,7 nm,,mine,H'
bad "line 2: expected a size as PARAMETER=NUMBER above 0, found 'big'" \
    'l1,reads,big,,,1,,,7 nm,,mine,H'
bad "line 2: expected an event of 'l1' in run1/stats.json, found 'reeds'" \
    'l1,reeds,,,,1,,,7 nm,,mine,H'
bad "line 3: expected one row for an event of a unit of a size; line 2 of bad.csv is one, too" \
    "$ok" "$ok"
bad "line 2: expected rows on both sides of size=65536, which l1 has: nothing is said of sizes beyond" \
    'l1,reads,size=1024,,,1,,,7 nm,,mine,H' 'l1,reads,size=2048,,,1,,,7 nm,,mine,H'
bad "line 2: expected a parameter of the unit as size, found 'depth=1'" \
    'l1,reads,depth=1,,,1,,,7 nm,,mine,H'
bad "line 2: expected a parameter of the unit in times, found 'depth'" \
    'l1,,,,depth,,1,,7 nm,,mine,H'
bad "line 2: expected a parameter of the unit in when, found 'depth=1'" \
    'l1,reads,,depth=1,,1,,,7 nm,,mine,H'
head='unit,event,pj,price'
bad "line 1: expected a column of unit, event, size, when, times, by, pj, mw, mm2, node, voltage, source, trust, each once, found 'price'"
head='unit,event,pj,mw'
bad "line 1: expected a column 'mm2'"
misused "sim-report: none.csv: No such file or directory" "$bin/sim-report" --energy none.csv run1
misused "sim-report: --spread: expected --energy TABLE, too" "$bin/sim-report" --spread run1
misused "sim-report: --energy: expected one directory, or -o PAGE.html, not 2 directories" \
    "$bin/sim-report" --energy t.csv run1 run2
"$bin/sim-report" --energy t.csv run1 -o t.csv 2>log && fail "it writes over a table"
cmp -s t.csv "$checks/table.csv" || fail "a table was changed"

# ---- the page, drawn: bars of units sum to the whole
browser=$(command -v chromium || true)
if [ -n "$browser" ]; then
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/chromium" \
        --virtual-time-budget=10000 --enable-logging=stderr --dump-dom "file://$PWD/1.html" \
        >dom 2>err || fail "chromium: $(cat err)"
    ! grep CONSOLE err || fail "the lines above are on the console"
    python3 - <<'END' || fail "the page"
import json, re
dom = open("dom").read()
drawn = [float(value) for value in re.findall(r'data-energy="[^"]*" data-value="([^"]*)"', dom)]
whole = json.load(open("1.json"))["energy"]["joules"]
assert "data-errors" not in dom and abs(sum(drawn) - whole) < 1e-9 * whole, (drawn, whole)
assert all(f"<h3>{title}</h3>" in dom for title in (
    "Power over time", "What needs it", "How sure it is", "Energy of pixels"))
END
fi
echo "energy: views sum up, with -j 1 and 2; bad tables are told"
