#!/bin/bash
# ci: long
# The rules for units (sim/core/checked.h) are kept: a build that checks them
# runs the unit tests of the engine and the units, and small programs, whose
# results are those of the usual build.
set -euo pipefail

B=${B:-build}
make --no-print-directory "$B/bin/sim-run" "$B/bin/corbel-scene" \
    "$B/samples/rv64/primary" "$B/samples/rv64/mandelbrot" >/dev/null
tests=()
for test in $(make -s print-unit-tests); do
    case $test in
    */explore_test | */traffic_test) ;; # minutes long
    "$B"/tests/core/* | "$B"/tests/units/*) tests+=("${test#"$B"/}") ;;
    esac
done
[ ${#tests[@]} -gt 9 ] || { echo "FAIL: no unit tests of the engine and the units"; exit 1; }
ci/tests/variant checked bin/sim-run "${tests[@]}" >/dev/null
dir=$(mktemp -d "$B/tests/checked.XXXXXX")
trap 'rm -rf "$dir"' EXIT
failures=0 runs=0
export TEST_RUNS=20 # percent: the rules are checked at each access

for test in "${tests[@]}"; do
    runs=$((runs + 1))
    "$B/checked/$test" >"$dir/log" 2>&1 || [ $? = 77 ] || {
        echo "FAIL: $test"
        grep -vE '^\[ *(RUN|OK|=+|-+)' "$dir/log" | tail -n 5
        failures=$((failures + 1))
    }
done

# result SIM OPTION... PROGRAM...: the last line of a run
result() { "$@" --out "$dir/image.ppm" 2>&1 >/dev/null | tail -n 1 || true; }
same() {
    local usual checked
    runs=$((runs + 1))
    usual=$(result "$B/bin/sim-run" --quiet "$@")
    checked=$(result "$B/checked/bin/sim-run" --quiet "$@")
    [[ $usual == "results hash: "* && $checked == "$usual" ]] && return
    echo "FAIL: $*: $checked, expected $usual"
    failures=$((failures + 1))
}
"$B/bin/corbel-scene" generate cornell "$dir/cornell.scene" >/dev/null 2>&1
samples=$B/samples/rv64
same -a tiny "$samples/mandelbrot" --size 6
for chip in tiny rtx2080 rtx2080-arches; do
    same -a $chip -s chip.tms=2 "$samples/primary" "$dir/cornell.scene" --size 8
done
same -a trax -s chip.tms=2 "$samples/primary" "$dir/cornell.scene" --size 8 \
    --traversal software
same -a rtx2080-arches -s chip.tms=2 -j 2 "$samples/primary" "$dir/cornell.scene" --size 8
same -a tiny -s l1.write=back -s l1.reply_width=32 "$samples/primary" \
    "$dir/cornell.scene" --size 8
[ $failures = 0 ] || exit 1
echo "checked: $runs tests and programs keep the rules"
