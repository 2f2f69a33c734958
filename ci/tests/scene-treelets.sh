#!/bin/bash
# A tree that is cut into treelets gives the hits of the tree in one piece, byte
# by byte, for every size: natively, and by an RT core that knows no treelets.
# Sizes and formats that cannot be are refused in one line.
# ci: area scene hits
# ci: long
# ci: needs bin/corbel-scene bin/corbel-rays bin/sim-run sample-replay
. ci/tests/head

tool=$bin/corbel-scene
replay=$root/$B/samples/rv64/replay
scenes=$shared/scenes
[ ! -d "$scenes" ] || scenes=$(realpath "$scenes")
cd "$dir"

# expect STATUS 'PATTERN' ARGUMENTS: one line on stderr, nothing written
expect() {
    local status=$1 pattern=$2 got=0
    shift 2
    "$tool" "$@" >stdout 2>stderr || got=$?
    [ $got -eq "$status" ] || fail "$*: exit status $got, expected $status"
    [ "$(wc -l <stderr)" -eq 1 ] || fail "$*: $(cat stderr)"
    grep -q -- "$pattern" stderr || fail "$*: '$(cat stderr)' lacks '$pattern'"
    [ ! -e out.scene ] || fail "$*: wrote out.scene"
}

# field NAME: of cut.scene
field() { "$tool" info cut.scene --json | grep -o "\"$1\": [^,}]*" | sed 's/.*: //'; }

# cut NODES BYTES OPTIONS: plain.scene as cut.scene, which is good
compared=0
cut() {
    "$tool" convert plain.scene cut.scene --nodes "$1" --treelets "$2" "${@:3}" >stdout 2>stderr ||
        fail "$*: $(cat stderr)"
    "$tool" check cut.scene >stdout || fail "$*: $(cat stdout)"
    [ "$(field treelet_bytes)" = "$2" ] || fail "$*: treelet_bytes"
    "$tool" info cut.scene | grep -Eq "^treelets +[0-9]+ of $2 bytes, [0-9.]+ % full, depth [0-9]+" ||
        fail "$*: info"
}

# same_hits WHAT: of cut.scene as of plain.scene
same_hits() {
    "$tool" trace cut.scene a.rays --hits cut.hits >stdout
    cmp plain.hits cut.hits || fail "$1: other hits"
    compared=$((compared + 1))
}

# natively NAME SIZE CAMERA..: plain.scene in several sizes and formats
natively() {
    local name=$1 bytes nodes count last
    "$bin/corbel-rays" plain.scene a.rays --kind secondary --size "$2" "${@:3}" >stdout
    "$tool" trace plain.scene a.rays --hits plain.hits >stdout
    [ "$(tr -d '\377' <plain.hits | wc -c)" -gt 5000 ] || fail "$name: hardly a ray hits"
    last=4294967295
    for bytes in 1536 8192 65536 1048576 16777216; do
        cut cwbvh6t $bytes --quality low
        same_hits "$name, $bytes bytes"
        count=$(field treelets)
        [ "$count" -le $last ] || fail "$name: $bytes bytes: $count treelets, $last smaller ones"
        last=$count
    done
    for nodes in bvh2 bvh5 bvh8 cwbvh5t; do
        cut $nodes 16384 --quality low --leaves packed
        same_hits "$name, $nodes"
    done
}

# An RT core, and kernels in software, read the treelets that plain.hits is of.
simulate() {
    local chip mode
    for chip in "rtx2080 -s chip.tms=2 -s rtcore.nodes=any -s rtcore.triangles=any" tiny; do
        for mode in rt software; do
            # shellcheck disable=SC2086
            "$bin/sim-run" --quiet -a $chip "$replay" cut.scene a.rays --mode $mode \
                --hits sim.hits >stdout 2>&1 || fail "$chip, $mode: $(cat stdout)"
            cmp plain.hits sim.hits || fail "$chip, $mode: other hits"
            compared=$((compared + 1))
        done
    done
}

"$tool" generate arcade plain.scene --triangles 20000 >stdout
natively arcade 48
"$bin/corbel-rays" plain.scene a.rays --kind secondary --size 12 >stdout
"$tool" trace plain.scene a.rays --hits plain.hits >stdout
for nodes in cwbvh6t cwbvh5t bvh3; do
    cut $nodes 8192
    [ "$(field treelets)" -gt 50 ] || fail "$nodes: few treelets"
    simulate
done

# the same bytes again, from a scene that is cut already, for any threads
cut cwbvh6t 8192
cp cut.scene first.scene
"$tool" convert first.scene again.scene --treelets 8192 >stdout
cmp first.scene again.scene || fail "cut anew: other bytes"
taskset -c 0 "$tool" convert plain.scene again.scene --treelets 8192 >stdout
cmp first.scene again.scene || fail "one thread: other bytes"
"$tool" convert first.scene again.scene >stdout
cmp plain.scene again.scene || fail "in one piece again: other bytes"

# scenes of one triangle and of none that can be hit
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >one.obj
printf 'v 0 0 0\nf 1 1 1\n' >none.obj
for mesh in one none; do
    "$tool" convert $mesh.obj cut.scene --treelets 512 >stdout 2>stderr
    "$tool" check cut.scene >stdout
    [ "$(field nodes)" = 1 ] && [ "$(field treelets)" = 1 ] || fail "$mesh: no root"
    "$tool" trace cut.scene --size 8 --eye 0,0,5 --look 0,0,0 >stdout
done

expect 2 "'100', expected a number from 512 to 16777216" convert plain.scene out.scene --treelets 100
expect 2 "'16777217', expected a number" convert plain.scene out.scene --treelets 16777217
expect 2 "'1000', expected a multiple of 64" convert plain.scene out.scene --treelets 1000
expect 2 "'x', expected a number" generate arcade out.scene --treelets x
expect 2 "cwbvh7 cannot refer to other treelets; those of cwbvh6t can" \
    convert plain.scene out.scene --treelets 8192 --nodes cwbvh7
expect 2 "512 bytes are too few for a node of 64 bytes with [0-9]* bytes of leaves; give at least" \
    convert plain.scene out.scene --treelets 512 --leaf 4
least=$(sed 's/.*give at least \([0-9]*\).*/\1/' stderr)
expect 2 "$((least - 64)) bytes are too few" \
    convert plain.scene out.scene --treelets $((least - 64)) --leaf 4
cut cwbvh6t "$least" --leaf 4

if [ -e "$scenes/crytek-sponza.ply.xz" ]; then
    "$tool" convert "$scenes/bunny.ply.xz" plain.scene --quality low >stdout
    natively bunny 48
    "$tool" convert "$scenes/crytek-sponza.ply.xz" plain.scene --quality low >stdout
    natively sponza 48 --eye=-900.6,150.8,120.74 --look 79.7,14.0,-17.4 --fov 90
else
    echo "only generated scenes: none in $scenes (set CORBEL_SHARED)"
fi
echo "scene-treelets: $compared files of hits are equal"
