#!/bin/bash
# The documents of sim-run say what it does: options.md is made from its options, and the
# example of a chip runs.
# ci: area host docs
# ci: needs bin/sim-run samples/rv64/hello
. ci/tests/head

"$sim" --help all > "$dir/help"
"$sim" --help > "$dir/short"
! grep -q -- --reverse-units "$dir/short" && grep -q -- --reverse-units "$dir/help" ||
    fail "--help has --reverse-units, or --help all lacks it"
awk 'length > 100 { exit 1 }' "$dir/help" || fail "--help has long lines"
for group in Run Chip Observe Checkpoint Host; do
    grep -q "^$group.*:\$" "$dir/help" || fail "--help has no group $group"
done
grep -oE '\-\-[a-z-]+' "$dir/help" | sort -u | while read -r option; do
    grep -qe "$option" docs/reference/options.md ||
        fail "docs/reference/options.md lacks $option"
done
"$sim" --list-options | awk -v PAGES="$(echo docs/*/*.md)" -f docs/options.awk |
    diff -u docs/reference/options.md - >&2 ||
    { echo "FAIL: docs/reference/options.md is out of date: make docs"; exit 1; }
sed -n '/^```lua/,/^```/p' docs/guides/architecture-files.md | sed '/^```/d' \
    > "$dir/chip.lua"
"$sim" -a "$dir/chip.lua" --describe | grep -q '^tp: 1 x tp' ||
    fail "the example of a chip does not build"
for group in l1 l2; do
    "$sim" -a "$dir/chip.lua" --describe | grep -q "^$group: 1 x cache" ||
        fail "the example has no caches called $group"
done
for program in build/samples/rv64/hello build/samples/rv32/hello; do
    [ -x $program ] || continue
    "$sim" -a "$dir/chip.lua" --quiet $program 2> /dev/null |
        grep -q 'Hello from 2 harts' ||
        fail "$program does not run on the example"
done
echo "the documents agree with sim-run"
