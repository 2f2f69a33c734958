#!/bin/bash
# Leaf formats: whatever the triangles lie in, replay finds the same hits, bit
# by bit, natively and on target, by the RT core, by the intersection
# instructions and in software; corbel-scene checks each scene.
# ci: area rays scene
# ci: needs sim sample-replay corbel-rays corbel-scene
. ci/tests/head

samples=$root/$B/samples
cd "$dir"

# same COMMAND...: its hits are the first ones
same() {
    "$@" "$scene" s.rays --mode "$mode" --hits t.hits >stdout 2>stderr ||
        fail "$* $scene --mode $mode: $(cat stderr)"
    [ -e first.hits ] || cp t.hits first.hits
    cmp t.hits first.hits || fail "$* $scene --mode $mode: other hits"
    runs=$((runs + 1))
}

# The formats that corbel-scene names, since a new one belongs here too.
leaves=$("$bin/corbel-scene" --help | grep -A1 'triangle format' | tail -1)
[ "$(wc -w <<<"$leaves")" -ge 4 ] || fail "no leaf formats in the help: $leaves"
generate() { # SCENE NODES LEAVES
    "$bin/corbel-scene" generate arcade "$1" --triangles 10000 --quality low \
        --nodes "$2" --leaves "$3" >stdout 2>stderr
}

runs=0
for format in $leaves; do
    for nodes in cwbvh6 cwbvh8 bvh2; do
        scene=$format-$nodes.scene
        generate "$scene" $nodes "$format" || fail "$scene: $(cat stderr)"
        "$bin/corbel-scene" check "$scene" >stdout || fail "$scene is not good"
        [ -e s.rays ] || "$bin/corbel-rays" "$scene" s.rays --kind secondary --size 12x8 >stdout
        for mode in rt isect software; do
            same "$samples/native/replay"
            same "$bin/sim-run" --quiet -a tiny "$samples/rv64/replay"
        done
    done
    for mode in rt isect software; do
        same "$bin/sim-run" --quiet -a tiny "$samples/rv32/replay"
        same "$bin/sim-run" --quiet --functional "$samples/rv64/replay"
    done
done
[ "$(tr -d '\377' <first.hits | wc -c)" -gt 500 ] || fail "hardly a ray hits"

# Nodes that refer to leaves of one grain: not for packed, whose triangles may
# take more (scene-convert has that).
mode=rt
for format in $leaves; do
    [ "$format" != packed ] || continue
    scene=$format-cwbvh7.scene
    generate "$scene" cwbvh7 "$format" || fail "$scene: $(cat stderr)"
    same "$bin/sim-run" --quiet -a tiny "$samples/rv64/replay"
done
# What corbel-scene counts for the rays, and reads: 64 bytes a node, 64 a triangle.
scene=plain-cwbvh6.scene
"$samples/native/replay" $scene s.rays --counts s.counts >stdout
"$bin/corbel-scene" trace $scene s.rays >stdout || fail "trace"
python3 - <<'PY' || fail "trace: $(cat stdout)"
import re, struct
counts = list(struct.iter_unpack("<4I", open("s.counts", "rb").read()))
nodes, leaves, triangles, _ = (sum(c) / len(counts) for c in zip(*counts))
printed = open("stdout").read()
assert f"{nodes:.2f} nodes, {leaves:.2f} leaves, {triangles:.2f} triangles" in printed
bytes, sectors = map(float, re.search(r"read per ray: (\S+) bytes in (\S+) sec", printed).groups())
assert abs(bytes - 64 * (nodes + triangles)) < 0.1 and abs(sectors - bytes / 32) < 0.01
PY
for bad in "3 s.counts" "2 s.rays --fov 9" "3 none.rays"; do
    status=0
    # shellcheck disable=SC2086
    "$bin/corbel-scene" trace $scene ${bad#* } >stdout 2>stderr || status=$?
    [ "$status $(wc -l <stderr)" = "${bad%% *} 1" ] || fail "trace $bad: $status, $(cat stderr)"
done
echo "rays-formats: $runs runs found the same hits"
