#!/bin/bash
# A frame with everything on, 256 x 256 pixels of docs/guides/reports.md's 1024 x 1024: sim-run stays
# within its memory, sim-report's page within its size, and Chromium, if it is there, draws it
# in less than two seconds. Times are those of processors, which other work does not change.
# ci: area report
# ci: needs bin/sim-run-stalls bin/corbel-scene report sample-primary
. ci/tests/head

samples=$root/$B/samples/rv64 checks=$PWD/ci/tests/sim-report
cd "$dir"

# measured COMMAND...: KiB of memory and milliseconds of processors; its output to out
measured() {
    python3 -c 'import resource, subprocess, sys
with open("out", "w") as out, open("err", "w") as err:
    subprocess.run(sys.argv[1:], stdout=out, stderr=err, check=True)
r = resource.getrusage(resource.RUSAGE_CHILDREN)
print(r.ru_maxrss, round(1000 * (r.ru_utime + r.ru_stime)))' "$@"
}
# within LIMIT VALUE WHAT
within() {
    [ "$2" -le "$1" ] || fail "$3: $2, expected at most $1"
}

"$bin/corbel-scene" generate arcade a.scene --triangles 20000 >log
read -r memory _ < <(measured "$bin/sim-run" --quiet -j 1 -a rtx2080 -s chip.tms=4 --stalls --profile \
    --link-stats --cost-images 256x256,8x4,up --interval 500 --interval-level unit \
    --stats-range :200000 --trace harts --trace pipeline --trace rays --trace requests -o run \
    "$samples/primary" a.scene --size 256 --out a.ppm)
within $((2 << 20)) "${memory:-0}" "KiB of sim-run"
intervals=$(cut -d, -f1 run/unit-intervals.csv | uniq | wc -l)
[ "$intervals" -gt 4096 ] || fail "$intervals intervals"

read -r memory _ < <(measured "$bin/sim-report" run -o page.html)
within $((128 << 10)) "${memory:-0}" "KiB of sim-report"
within $((12 << 20)) "$(wc -c <page.html)" "bytes of the page"
units=$(grep -o '"unit_intervals":.*' page.html | wc -c)
within $((2 << 20)) "$units" "bytes of the map of units"
"$checks/page.py" page.html run || fail "the page is not what the files say"

browser=$(command -v chromium || true)
[ "$browser" ] || { echo "sim-report-large: not drawn: there is no chromium"; exit 0; }
drawn() { # FILE: milliseconds of all of the browser's processes
    measured timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --user-data-dir="$PWD/chromium" --window-size=1280,900 --dump-dom "file://$PWD/$1"
}
echo '<title>empty</title>' >empty.html
drawn empty.html >log # it makes its directory
read -r _ empty < <(drawn empty.html)
read -r _ full < <(drawn page.html)
grep -q 'data-drawn="[1-9]' out && ! grep -q data-errors out || fail "the page is not drawn"
within 2000 $((full - empty)) "milliseconds of the page"
echo "sim-report-large: $(wc -c <page.html) bytes are drawn in $((full - empty)) ms"
