#!/bin/bash
# --link-stats: what links carry agrees with what units count, is the same
# however the run is computed, and changes no result.
set -euo pipefail

B=${B:-build}
sim=${SIM:-$B/bin/sim-run}
command -v jq >/dev/null || { echo "skip: no jq"; exit 77; }
[ -e "$B/toolchain/READY" ] || { echo "skip: no toolchain"; exit 77; }
make -s "$B/bin/sim-run" "$B/samples/rv64/mandelbrot"
mkdir -p "$B/tests"
dir=$(mktemp -d "$B/tests/link-stats.XXXXXX")
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}
# run NAME OPTION...: the results hash to NAME, files to NAME.out
run() {
    local name=$1
    shift
    "$sim" --quiet -a tiny -s chip.tms=2 -o "$dir/$name.out" "$@" \
        "$B/samples/rv64/mandelbrot" --size 8 --out "$dir/image.ppm" \
        >/dev/null 2>"$dir/$name" || fail "$name: $(cat "$dir/$name")"
}
run plain
run watched --link-stats
run otherwise --link-stats -j 2 --epoch 1 --no-skip --reverse-units
cmp "$dir/plain" "$dir/watched" || fail "results change"
for name in watched otherwise; do
    jq -S .links "$dir/$name.out/stats.json" >"$dir/$name.links"
done
cmp "$dir/watched.links" "$dir/otherwise.links" || fail "links differ"
jq -e '.links == null' "$dir/plain.out/stats.json" >/dev/null || fail "unasked"

# ask FILTER: is it true of the watched run?
ask() {
    jq -e "$1" "$dir/watched.out/stats.json" >/dev/null || fail "not true: $1"
}
ask '([.links[] | select(.to | test("[.]sfu_int")) | .messages] | add)
     == .groups.sfu_int.counters.operations'
ask '([.links[] | select(.from | test("[.]sfu_int")) | .messages] | add)
     == .groups.sfu_int.counters.operations'
ask '.cycles as $cycles | all(.links[];
     .full <= $cycles and .occupied <= .room * $cycles and
     .occupied >= (if .room > 0 then .messages - .room else 0 end))'
ask 'any(.links[]; .full > 0) and any(.links[]; .room == 0)'

status=0
"$sim" --quiet --link-stats -a tiny "$B/samples/rv64/mandelbrot" \
    >/dev/null 2>"$dir/err" || status=$?
[ $status = 200 ] && grep -q '^sim-run: --link-stats: needs' "$dir/err" ||
    fail "without --outdir: status $status"
