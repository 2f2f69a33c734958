#!/bin/bash
# Statistics that scripts can rely on: of the run, of intervals and of windows, of groups and
# of units, with legs of requests, all sum up on chips of several kinds, however they are
# computed; tables can be read while they grow; memory does not grow with the number of
# intervals.
# ci: area report observe
# ci: needs bin/sim-run-stalls bin/sim-report bin/corbel-scene bin/corbel-rays samples/rv64/primary samples/rv64/hello
# ci: needs sample-streams
. ci/tests/head

S=$B/samples/rv64
checks=ci/tests/statistics

"$B/bin/corbel-scene" generate cornell "$dir/c.scene" >/dev/null
"$B/bin/corbel-scene" generate arcade "$dir/t.scene" --triangles 10000 --nodes cwbvh6t \
    --treelets 4096 >/dev/null
"$B/bin/corbel-rays" "$dir/t.scene" "$dir/t.rays" --kind secondary --size 12 >/dev/null

# run NAME ARGUMENT...: files to NAME.out
run() {
    local name=$1
    shift
    "$sim" --quiet -o "$dir/$name.out" "$@" >/dev/null 2>"$dir/log" ||
        fail "$name: $(cat "$dir/log")"
    $checks/means.py "$dir/$name.out" >/dev/null || fail "$name: means"
}
# all NAME ARGUMENT...: sums, and the same files however they are computed
all() {
    local name=$1 how file
    shift
    set -- --interval 700 --interval-level unit --stats-range :3000 --stats-range 3000:9999 \
        --stats-range 9999: "$@"
    run "$name" "$@"
    $checks/sums.py "$dir/$name.out" || fail "$name: sums"
    for how in "-j 2 --no-skip" "-j 1 --epoch 1" "-j 2 --schedule fixed --reverse-units"; do
        # shellcheck disable=SC2086 # words of their own
        run again $how "$@"
        for file in stats.json stats.txt intervals.csv unit-intervals.csv; do
            cmp "$dir/$name.out/$file" "$dir/again.out/$file" || fail "$name: $how: $file"
        done
    done
    # and what was counted in windows changes no result
    run plain "${@:11}"
    cmp <(grep results_hash "$dir/$name.out/manifest.json") \
        <(grep results_hash "$dir/plain.out/manifest.json") || fail "$name: other results"
}
primary=("$S/primary" "$dir/c.scene" --size 12 --out "$dir/image.ppm")
all rtx2080 --stalls -a rtx2080 -s chip.tms=2 "${primary[@]}"
all paged -a rtx2080 -s chip.tms=2 -s chip.uvm=on --managed scene \
    "${primary[@]}"
all streams -a dual-streaming-rt -s chip.tms=2 -s chip.tps=2 -s chip.scene_buffer=1048576 \
    "$S/streams" "$dir/t.scene" "$dir/t.rays" --mode rt --hits "$dir/hits"
run strata -a strata-rt -s chip.tms=2 -s chip.tps=4 "$S/streams" "$dir/t.scene" "$dir/t.rays" \
    --mode rt --machine strata

# ---- windows that the run does not reach, and that are no windows
run short -a tiny --stats-range 100: --stats-range 90M:95M --stats-range 200:90M "$S/hello"
python3 - "$dir/short.out/stats.json" <<'END' || fail "windows of a short run"
import json, sys
stats = json.load(open(sys.argv[1]))
ends = [w["end"] for w in stats["windows"]]
sys.exit(ends != [stats["cycles"]] * 2)
END
"$sim" -a tiny -o "$dir/short.out" --stats-range 90M:95M "$S/hello" 2>"$dir/log" >/dev/null
grep -q 'range from cycle [0-9]* on has not begun' "$dir/log" || fail "no note"
refused() { # TEXT OPTION...
    local status=0
    "$sim" "${@:2}" "$S/hello" >/dev/null 2>"$dir/log" || status=$?
    [ $status = 200 ] && [ "$(wc -l <"$dir/log")" = 1 ] && grep -qF -- "$1" "$dir/log" ||
        fail "${*:2}: $status, $(cat "$dir/log")"
}
refused 'expected FROM:TO' -o "$dir/x" --stats-range 5
refused 'FROM has to be less than TO' -o "$dir/x" --stats-range 9:9
refused 'expected a number' -o "$dir/x" --stats-range x:9
refused '--stats-range: needs --outdir' --stats-range 1:2
refused '--stats-range: needs --outdir and a timed run' -o "$dir/x" --functional --stats-range 1:2
refused 'expected group or unit' -o "$dir/x" --interval 9 --interval-level chip
refused '--interval-level: only with --interval' -o "$dir/x" --interval-level unit

# ---- read while they grow; many intervals
many=(-a tiny "$S/primary" "$dir/c.scene" --size 112 --out "$dir/image.ppm")
run cycles "${many[@]}"
cycles=$(sed -n 's/^\t"cycles":\t\([0-9]*\),/\1/p' "$dir/cycles.out/stats.json")
# watched N: some more intervals, of a multiple of E; prints KiB of memory
watched() {
    local states memory
    rm -rf "$dir/many.out"
    read -r states memory < <($checks/watch.py "$dir/many.out" "$sim" --quiet -o "$dir/many.out" \
        --interval $((cycles / $1 / 4 * 4)) --interval-level unit "${many[@]}" 2>"$dir/log")
    [ "${memory:-}" ] && [ "$states" -gt 20 ] || fail "$1 intervals: $(cat "$dir/log")"
    [ "$(cut -d, -f1 "$dir/many.out/intervals.csv" | uniq | wc -l)" -ge "$1" ] ||
        fail "$1: there are fewer intervals"
    echo "$memory"
}
few=$(watched 1000) || exit 1
"$B/bin/sim-report" "$dir/many.out" -o "$dir/few.html"
more=$(watched 100000) || exit 1
[ "$more" -le $((few + 1024)) ] || fail "memory grows: $few KiB, then $more KiB"
"$B/bin/sim-report" "$dir/many.out" -o "$dir/more.html"
# 2048 points at most, each with the least and the most
size() { wc -c <"$dir/$1.html"; }
[ "$(size more)" -le $((6 * $(size few))) ] || fail "the page: $(size few), then $(size more) bytes"
echo "statistics: of 3 chips sum up; 100,000 intervals took $more KiB, 1000 took $few," \
    "pages are of $(size more) and $(size few) bytes"
