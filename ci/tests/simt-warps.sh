#!/bin/bash
# The study of warps runs on a small chip: all ways of the RT core write the same image, its
# tables have a row for each kernel, and a ray that waits for its warp waits for some cycles.
# ci: area simt studies
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/path samples/rv64/ao
. ci/tests/head

ci/simt/warps --quick >"$dir/tables" 2>"$dir/err" || fail "ci/simt/warps"
[ "$(grep -cE '^\| `(path|ao)` \| cornell \| [0-9.]+ \| [0-9.]+ \([0-9.]+ x\) \| [0-9.]+ \|$' "$dir/tables")" = 2 ] ||
    fail "the chips"
[ "$(grep -cE '^\| `(path|ao)` \| cornell \|.* \| [0-9]+, [1-9][0-9]* cycles \|$' "$dir/tables")" = 2 ] ||
    fail "the ways of the RT core"
[ "$(grep -cE '^\| [0-9]+ % \| [0-9.]+ \| [a-z].*:[0-9]+ \| `' "$dir/tables")" = 8 ] || fail "the lines"
status=0
CORBEL_SHARED=$dir ci/simt/warps >"$dir/out" 2>"$dir/err" || status=$?
[ $status = 77 ] || fail "without scenes: status $status"
echo "the study of warps runs"
