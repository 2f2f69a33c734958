#!/bin/bash
# The results hash depends neither on how many host threads run, nor on epochs,
# skipping, schedule or order of units, nor on where the host puts memory.
set -euo pipefail

sim=$PWD/${SIM:-build/bin/sim-run}
scene=$PWD/build/bin/corbel-scene
samples=$PWD/build/samples/rv64
for file in "$sim" "$scene" "$samples/hello" "$samples/primary"; do
    [ -x "$file" ] || { echo "skip: $file is not built"; exit 77; }
done
mkdir -p build/tests
dir=$(mktemp -d build/tests/simrun-invariance.XXXXXX)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failures=0

# variant LAUNCHER CHIP OPTIONS: the hash of the run with these options
variant() {
    local launcher=$1 chip=$2
    shift 2
    $launcher "$sim" -a "$chip" --quiet "$@" "${program[@]}" 2>&1 > stdout |
        tail -n 1
}

same() {
    local got
    got=$(variant "$@")
    if [ "$got" != "$expected" ]; then
        echo "FAIL: ${program[0]##*/} with $*: $got, not $expected"
        failures=$((failures + 1))
    fi
}

# invariant CHIP: all ways to run $program
invariant() {
    local chip=$1 threads
    expected=$(variant "" "$chip" -j 1)
    [[ $expected == "results hash: "* ]] ||
        { echo "FAIL: $chip: $expected"; exit 1; }
    for threads in 1 2 3 7; do
        same "" "$chip" -j $threads
        same "" "$chip" -j $threads --epoch 1
    done
    same "" "$chip" -j 2 --no-skip
    same "" "$chip" -j 2 --no-skip --epoch 1 --reverse-units
    same "" "$chip" -j 2 --reverse-units
    same "" "$chip" -j 2 --schedule dynamic
    same "" "$chip" -j 2 --interval 1000 -o out
    same "setarch -R" "$chip" -j 2
}

"$scene" generate cornell cornell.scene > /dev/null 2>&1 ||
    { echo "skip: corbel-scene cannot generate a scene"; exit 77; }
program=("$samples/primary" cornell.scene --size 16 --out image.png)
invariant tiny
program=("$samples/hello")
invariant rtx2080
other=$(variant "" tiny -s l1.ways=2)
[ "$other" != "$expected" ] || { echo "FAIL: the hash never changes"; exit 1; }

[ $failures -eq 0 ] && echo "results do not depend on how they are computed"
exit $((failures > 0))
