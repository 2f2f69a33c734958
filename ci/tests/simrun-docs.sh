#!/bin/bash
# The documents of sim-run say what it does: options.md is made from its options, every
# exit status is there, and the example of a chip runs.
set -euo pipefail

sim=${SIM:-build/bin/sim-run}
[ -x "$sim" ] || { echo "skip: $sim is not built"; exit 77; }
mkdir -p build/tests
dir=$(mktemp -d build/tests/simrun-docs.XXXXXX)
trap 'rm -rf "$dir"' EXIT

"$sim" --help all > "$dir/help"
"$sim" --help > "$dir/short"
! grep -q -- --reverse-units "$dir/short" && grep -q -- --reverse-units "$dir/help" ||
    { echo "FAIL: --help has --reverse-units, or --help all lacks it"; exit 1; }
awk 'length > 100 { exit 1 }' "$dir/help" || { echo "FAIL: --help has long lines"; exit 1; }
for group in Run Chip Observe Checkpoint Host; do
    grep -q "^$group.*:\$" "$dir/help" || { echo "FAIL: --help has no group $group"; exit 1; }
done
grep -oE '\-\-[a-z-]+' "$dir/help" | sort -u | while read -r option; do
    grep -qe "$option" docs/reference/options.md ||
        { echo "FAIL: docs/reference/options.md lacks $option"; exit 1; }
done
"$sim" --list-options | awk -v PAGES="$(echo docs/*/*.md)" -f docs/options.awk |
    diff -u docs/reference/options.md - >&2 ||
    { echo "FAIL: docs/reference/options.md is out of date: make docs"; exit 1; }
grep -oE '= [0-9]+' sim/host/run/exit_status.h | tail -n +2 | while read -r _ status; do
    grep -q "^| $status |" docs/reference/sim-run.md ||
        { echo "FAIL: docs/reference/sim-run.md lacks status $status"; exit 1; }
done

sed -n '/^```lua/,/^```/p' docs/guides/architecture-files.md | sed '/^```/d' \
    > "$dir/chip.lua"
"$sim" -a "$dir/chip.lua" --describe | grep -q '^tp: 1 x tp' ||
    { echo "FAIL: the example of a chip does not build"; exit 1; }
for group in l1 l2; do
    "$sim" -a "$dir/chip.lua" --describe | grep -q "^$group: 1 x cache" ||
        { echo "FAIL: the example has no caches called $group"; exit 1; }
done
for program in build/samples/rv64/hello build/samples/rv32/hello; do
    [ -x $program ] || continue
    "$sim" -a "$dir/chip.lua" --quiet $program 2> /dev/null |
        grep -q 'Hello from 2 harts' ||
        { echo "FAIL: $program does not run on the example"; exit 1; }
done
echo "the documents agree with sim-run"
