#!/bin/bash
# ThreadSanitizer: small frames on several host threads, native and simulated.
set -euo pipefail

B=${B:-build}
tsan=$(ci/tests/variant tsan bin/sim-run samples-native)
make --no-print-directory samples "$B/bin/corbel-scene" >/dev/null
mkdir -p "$B/tests"
work=$(mktemp -d "$B/tests/sanitize-threads.XXXXXX")
trap 'rm -rf "$work"' EXIT
export TSAN_OPTIONS=second_deadlock_stack=1
"$B/bin/corbel-scene" generate arcade "$work/scene" --triangles 20000 >"$work/log" 2>&1

# silent COMMAND...: ends with 0; a data race would make it fail
silent() {
    "$@" --out "$work/image.ppm" >"$work/log" 2>&1 ||
        { head -n 60 "$work/log"; echo "FAIL: $*"; exit 1; }
    cmp "$work/image.ppm" "$work/expected.ppm"
}

primary=("$B/samples/rv64/primary" "$work/scene" --size 16)
"$B/samples/native/primary" "${primary[@]:1}" --out "$work/expected.ppm"
CORBEL_THREADS=4 silent "$tsan/samples/native/primary" "${primary[@]:1}"
for options in "-a tiny -s chip.tms=4 -j 3" \
    "-a tiny -s chip.tms=4 -j 3 --schedule fixed" \
    "-a tiny -s chip.tms=4 -j 3 --schedule dynamic --epoch 1 --no-skip" \
    "-a rtx2080 -j 3 --interval 1000 -o $work/out" \
    "-a rtx2080 -j 3 --schedule dynamic"; do
    # shellcheck disable=SC2086
    silent "$tsan/bin/sim-run" $options "${primary[@]}"
    echo "no race: $options"
done
