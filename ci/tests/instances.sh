#!/bin/bash
# Scenes of instances: generated, described, checked and refused where one tree is
# needed; walked natively and on both targets, in software, by the instructions for
# boxes and triangles and by trav.traceray, with the same hits in every format.
# ci: area scene hits
# ci: needs runtime bin/sim-run bin/corbel-scene bin/corbel-rays lib/libcorbel-native.a
. ci/tests/head

tools riscv64-unknown-elf-gcc
src=ci/tests/instances/walk.c
flags=(-std=gnu17 -O2 -Wall -ffp-contract=off)
gcc "${flags[@]}" -Iruntime/include $src "$B/lib/libcorbel-native.a" -pthread -lm -o "$dir/native"
for target in rv64imafc/lp64f rv32imafc/ilp32f; do
    "$bin/corbel-gcc" -march=${target%/*} -mabi=${target#*/} "${flags[@]}" $src -o "$dir/${target%%im*}"
done
cd "$dir"
scene=$bin/corbel-scene

says_only 'a.scene: 2970 triangles, 60 instances, cwbvh6, plain' "$scene" generate forest a.scene --instances 60
"$scene" info a.scene --json >info
python3 - <<'END' || fail "info --json"
import json
info = json.load(open("info"))
assert info["version"] == 3 and info["trees"] == 6 and info["instances"] == 60
assert info["first_tree"] == "instances" and info["non_opaque"] == 2464
END
"$scene" check a.scene >log || fail "check"
"$scene" generate forest b.scene --instances 60 >log && cmp a.scene b.scene || fail "another forest"
# Of a million instances, what traversal reads of the upper level is below 100 MB.
"$scene" generate forest c.scene --instances 20000 >log
"$scene" info c.scene --json >info
python3 -c 'import json; assert json.load(open("info"))["upper_bytes"] < 2e6' || fail "too many bytes"

refused() { # MESSAGE COMMAND...
    local status=0
    "${@:2}" >log 2>err || status=$?
    [ $status = 3 ] && grep -q "$1" err && [ "$(wc -l <err)" = 1 ] || fail "status $status: ${*:2}"
}
refused 'has instances or geometries; trace needs' "$scene" trace a.scene
refused 'has instances or geometries; encoding' "$scene" convert a.scene b.scene
refused 'has instances or geometries; encoding' "$scene" export-rtp a.scene b.tri
refused 'has instances or geometries; corbel-rays needs' "$bin/corbel-rays" --kind primary a.scene b.rays

./native a.scene >expected
grep -q '^same ' expected || fail "walks differ natively"
read -r hits _ asked _ plain _ <expected
[ "$hits" -gt 300 ] && [ "$asked" -gt 300 ] && [ "$plain" -gt "$hits" ] || fail "too few hits"
for formats in 'bvh2 packed' 'bvh8 indexed' 'cwbvh8 block128'; do
    "$scene" generate forest b.scene --instances 60 --nodes "${formats% *}" --leaves "${formats#* }" >log
    ./native b.scene >found
    # Which candidates the program is asked about depends on the tree.
    sed 's/[0-9]* asked/asked/' expected | diff - <(sed 's/[0-9]* asked/asked/' found) >log || fail "$formats"
done
for target in rv64 rv32; do
    "$sim" -a tiny --functional -o run --fs . "$target" a.scene >found 2>err || fail "$target: status $?"
    grep -v '^results hash' found | diff expected - >log || fail "$target"
done
status=0
"$sim" -a tiny -o run --fs . rv64 a.scene >found 2>err || status=$?
[ $status = 201 ] && grep -q 'a.scene has instances or geometries' err || fail "timed: status $status"
echo "instances: all passed"
