#!/bin/bash
# The chips with ray streams find the hits of plain traversal, byte for byte, with every
# option; results do not depend on the host; main memory counts by client what the units
# of streams have moved, and options change what they say; a scene with treelets lies at a
# multiple of 8 KiB; what a chip cannot be, or cannot trace, is refused in one line.
# ci: area streams
# ci: needs sim sample-streams
. ci/tests/head

program=$root/$B/samples/rv64/streams
cd "$dir"

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
    counted "$@" || fail "$chip $*: counts"
}

# counted OPTIONS...: every bucket and record is moved once each way, of the size and to
# the place that the options say; main memory has carried what the units say
counted() {
    local option facts=()
    for option; do
        [[ $option =~ ^chip\.(bucket|rays|hits)= ]] && facts+=("${option#chip.}")
    done
    "$root/ci/tests/streams/counts.py" out/stats.json a.scene a.rays "${facts[@]}" || return 1
    python3 - "$@" <<'END'
import json, sys
options = dict(o.removeprefix("chip.").split("=") for o in sys.argv[1:] if "=" in o)
groups = json.load(open("out/stats.json"))["groups"]
dram, streams, hits, cores = (groups.get(g, {}).get("counters", {})
                              for g in ("dram", "streamscheduler", "hitupdater", "rtcore"))
assert streams["live"] > streams["roots"] and hits["stores"] > 0 and hits["misses"] > 0
assert hits["evicted"] + hits["flushed"] > 0 and ("scenebuffer" in groups) == (
    "scene_buffer" in options)
assert hits["evicted"] > 0 or "records" not in options
assert dram["kernel_written"] > 0 and dram["frame_written"] > 0 and dram["scene_read"] > 0
assert not cores or (cores["records"] > 0) == (options.get("early") == "1")
END
}

for mode in software rt; do
    run $mode
    run $mode -s chip.tms=1
    run $mode -s chip.scene_buffer=4096 # one slot
    for weight in total average none; do
        run $mode -s chip.order=dfs -s chip.weight=$weight -s chip.bucket=512 \
            -s chip.records=8
    done
    run $mode -s chip.rays=chip
    run $mode -s chip.hits=chip
    run $mode -s chip.rays=chip -s chip.hits=chip -s chip.dram=gddr6
    run $mode -s chip.scene_buffer=65536 --check-memory
    run $mode -s chip.scene_buffer=65536 -j 1
    tail -n 1 log >one
    for how in "-j 2" "-j 3 --schedule fixed" "-j 7 --schedule dynamic" --reverse-units \
        "-j 2 --no-skip" "--epoch 1"; do
        # shellcheck disable=SC2086 # words of their own
        run $mode -s chip.scene_buffer=65536 $how
        tail -n 1 log | cmp - one || fail "$mode $how: other results"
    done
done
run rt -s chip.early=1

# no figure of an interval shrinks: RT cores are not idle and busy in one cycle
run rt --interval 200
awk -F, 'NR > 1 && $4 >= 2 ^ 63 { print "FAIL: intervals.csv: " $0; bad = 1 }
    END { exit bad }' out/intervals.csv

address=$(sed -n 's/.*scene a.scene: .* at 0x//p' out/log.txt)
((0x$address % 8192 == 0)) || fail "the scene lies at 0x$address"

# refused STATUS TEXT SCENE OPTION...: in one line
refused() {
    local status=0
    "$bin/sim-run" --quiet -a dual-streaming "${@:4}" "$program" "$3" a.rays >log 2>&1 ||
        status=$?
    ((status == $1)) && [[ $(grep -cE '^(sim-run|streams): ' log) = 1 ]] &&
        grep -q "$2" log || fail "${*:3}: status $status, $(cat log)"
}
"$bin/corbel-scene" convert a.scene whole.scene --nodes bvh6 >log
refused 1 'has no treelets' whole.scene
refused 201 'treelets of 4096 bytes' a.scene -s chip.scene_buffer=4095
refused 201 'power of two' a.scene -s chip.bucket=1000
while read -r setting expected; do
    refused 200 "$expected" a.scene -s "chip.$setting"
done <<'END'
records=0 outside 8..1048576
records=1048577 outside 8..1048576
tms=0 outside 1..128
tms=129 outside 1..128
tps=129 outside 1..128
bucket=64 outside 128..8192
bucket=16384 outside 128..8192
scene_buffer=-1 outside 0..1073741824
order=x none of bfs|dfs
weight=x none of total|average|none
rays=x none of dram|chip
hits=x none of dram|chip
early=1 no option 'early'
END
