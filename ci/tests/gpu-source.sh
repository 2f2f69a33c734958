#!/bin/bash
# samples/gpu at the sizes of their source: digests and groups of each kernel are those stored in
# ci/tests/groups/source.json, of which the table of docs/studies/gpu-groups.md is made; a digest
# that differs is told. Those that take longer natively are left to `ci/gpu-groups --check`.
# ci: area samples docs
# ci: needs samples/native/gpu
. ci/tests/head

ci/gpu-groups >"$dir/table"
sed -n '/^<!-- groups -->$/,/^<!-- end -->$/p' docs/studies/gpu-groups.md | sed '1d;$d' |
    diff - "$dir/table" || fail "docs/studies/gpu-groups.md is not what ci/gpu-groups prints"
# All benchmarks are in it, and each that was derived has as many groups within a thousandth.
"$B/samples/native/gpu" --help | sed -n 's/^  \([a-z][a-z0-9_]*\) .*/\1/p' | sort >"$dir/names"
sed -n 's/^| \([a-z0-9_]*\) |.*/\1/p' "$dir/table" | grep -v '^benchmark$' | sort -u |
    diff "$dir/names" - || fail "other benchmarks"
awk -F ' *[|] *' 'NR > 2 && $9 != "" && $9 != "yes" && $9 + 0 > 0.1 { print; bad = 1 }
    END { exit bad }' "$dir/table" || fail "other groups"
ci/gpu-groups --check 0.6 || fail "see above"

mkdir "$dir/ci" "$dir/ci/tests" "$dir/ci/tests/groups"
cp ci/gpu-groups "$dir/ci"
sed '/"nn"/s/"digest": "./"digest": "-/' ci/tests/groups/source.json >"$dir/ci/tests/groups/source.json"
status=0
B=$PWD/$B "$dir/ci/gpu-groups" --check 0.01 >"$dir/out" || status=$?
[ $status = 1 ] && grep -q '^nn: digest .*, expected -' "$dir/out" || fail "a wrong digest: status $status"
echo pass
