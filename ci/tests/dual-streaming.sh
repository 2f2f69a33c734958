#!/bin/bash
# The chips with ray streams find the hits of plain traversal, byte for byte, with every
# option; results do not depend on the host; main memory counts by client what the units
# of streams have moved; a scene with treelets lies at a multiple of 8 KiB, and one whose
# treelets the scene buffer cannot hold is refused.
set -euo pipefail

make -s sim sample-streams >/dev/null
bin=$PWD/build/bin program=$PWD/build/samples/rv64/streams
mkdir -p build/tests
work=$(mktemp -d build/tests/dual-streaming.XXXXXX)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAIL: $*"
    exit 1
}

"$bin/corbel-scene" generate arcade a.scene --triangles 10000 --nodes cwbvh6t \
    --treelets 4096 >log
"$bin/corbel-rays" a.scene a.rays --kind secondary --size 16x12 >log
"$bin/corbel-scene" trace a.scene a.rays --hits plain.hits >log

# run MODE OPTIONS...: a small chip, its hits are the plain ones
run() {
    local chip=dual-streaming mode=$1
    [[ $mode = software ]] || chip+=-rt
    shift
    "$bin/sim-run" -a "$chip" -s chip.tms=2 -s chip.tps=4 -o out "$@" "$program" a.scene \
        a.rays --mode "$mode" --hits found.hits >log 2>&1 || fail "$chip $*: $(cat log)"
    cmp found.hits plain.hits || fail "$chip $*: not the hits of plain traversal"
}

# counted: main memory has carried what the units say
counted() {
    python3 - "$@" <<'END' || fail "$*: bytes by client"
import json, sys
groups = json.load(open("out/stats.json"))["groups"]
dram, streams, hits, scene = (groups.get(g, {}).get("counters", {}) for g in
                              ("dram", "streamscheduler", "hitupdater", "scenebuffer"))
assert streams["bytes_read"] > 0 and streams["read"] == streams["written"]
assert dram["rays_read"] == streams["bytes_read"]
assert dram["rays_written"] == streams["bytes_written"]
assert dram["hits_read"] == 2 * hits["bytes_read"]
assert dram["hits_written"] == 2 * hits["bytes_written"]
assert dram["kernel_read"] > 0 and dram["kernel_written"] > 0
if scene:
    assert scene["bytes_in"] == 4096 * scene["fills"] <= dram["scene_read"]
    assert scene["fills"] == scene["retired"] and scene["refused"] == 0
    assert scene["bytes_out"] > 0
else:
    assert dram["scene_read"] > 0
END
}

for mode in software rt; do
    run $mode
    counted $mode
    run $mode -s chip.scene_buffer=4096 # one slot
    counted $mode, one slot
    run $mode -s chip.order=dfs -s chip.weight=average -s chip.bucket=512 -s chip.records=8
    run $mode -s chip.rays=chip -s chip.hits=chip -s chip.dram=gddr6
    run $mode -s chip.scene_buffer=64k --check-memory
    run $mode -s chip.scene_buffer=64k -j 1
    tail -n 1 log >one
    for how in "-j 2" --reverse-units --no-skip "--epoch 1"; do
        run $mode -s chip.scene_buffer=64k $how
        tail -n 1 log | cmp - one || fail "$mode $how: other results"
    done
done
run rt -s chip.early=1

address=$(sed -n 's/.*scene a.scene: .* at 0x//p' out/log.txt)
((0x$address % 8192 == 0)) || fail "the scene lies at 0x$address"

status=0
"$bin/sim-run" -a dual-streaming -s chip.scene_buffer=4095 "$program" a.scene a.rays \
    >log 2>&1 || status=$?
((status == 201)) && grep -q "treelets of 4096 bytes" log ||
    fail "treelets too large: status $status, $(cat log)"
