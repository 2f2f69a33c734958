#!/bin/bash
# The chips whose rays move find the hits of plain traversal, byte for byte, with every
# option and however small the ray store is; results do not depend on the host; each ray
# is in one place at a time, as the ray store's counts say; more rays than it holds,
# scenes in which rays cannot move, and programs for another kind of chip are refused.
# ci: area streams
# ci: needs sim sample-streams
. ci/tests/head

program=$root/$B/samples/rv64/streams
cd "$dir"

# rays KIND: of a.scene, and their hits
rays() {
    "$bin/corbel-rays" a.scene a.rays --kind "$1" --size 24x16 >log
    "$bin/corbel-scene" trace a.scene a.rays --hits plain.hits >log
}

# scene NODES BYTES: a.scene, and primary rays for it
scene() {
    "$bin/corbel-scene" generate arcade a.scene --triangles 10000 --nodes "$1" \
        --treelets "$2" >log
    rays primary
}

# sim MODE BYTES OPTIONS...: a small chip whose ray store has BYTES; chip: which
sim() {
    local chip=${chip:-} mode=$1 bytes=$2
    [[ $chip ]] || { chip=strata && [[ $mode = software ]] || chip=strata-rt; }
    shift 2
    "$bin/sim-run" -a "$chip" -s chip.tms=3 -s chip.tps=4 -s chip.buffer="$bytes" -o out \
        "$@" "$program" a.scene a.rays --machine strata --mode "$mode" \
        --buffer "${program_bytes:-$bytes}" --hits found.hits >log 2>&1
}

# run MODE BYTES OPTIONS...: its hits are the plain ones
run() {
    sim "$@" || fail "$*: $(cat log)"
    cmp found.hits plain.hits || fail "$*: not the hits of plain traversal"
    "$root/ci/tests/streams/counts.py" out/stats.json a.scene a.rays live=$(($2 / 64)) ||
        fail "$*: counts"
    python3 - $(($2 / 64)) <<'END' || fail "$*: nothing moves"
import json, sys
store = json.load(open("out/stats.json"))["groups"]["raystore"]["counters"]
assert store["crossings"] > 0 and store["held_max"] >= min(int(sys.argv[1]), 2)
END
}

scene bvh5 4096
for mode in software rt; do
    run $mode 65536
    run $mode 64 # one ray at a time
    run $mode 640 -s chip.treelets=batch -s chip.order=fifo
    run $mode 6400 -s chip.treelets=idle_first -s chip.order=lifo -s chip.dram=gddr6
    run $mode 6400 --check-memory
    run $mode 6400 -j 1
    tail -n 1 log >one
    for how in "-j 2" "-j 3 --schedule fixed" "-j 7 --schedule dynamic" --reverse-units \
        "-j 2 --no-skip" "--epoch 1"; do
        # shellcheck disable=SC2086 # words of their own
        run $mode 6400 $how
        tail -n 1 log | cmp - one || fail "$mode $how: other results"
    done
done
rays tertiary # some of them dead
for mode in software rt; do
    run $mode 6400
    run $mode 64
done
rays primary
for traversal in parents climbs; do
    run rt 65536 -s chip.traversal=$traversal
    run rt 640 -s chip.traversal=$traversal -s chip.treelets=idle_first -s chip.max_rays=8
done
sim rt 6400 --functional || fail "functional: $(cat log)"
cmp found.hits plain.hits

# refused STATUS TEXT SIM...: one line
refused() {
    local status=0
    sim "${@:3}" || status=$?
    ((status == $1)) && grep -q "$2" log || fail "${*:3}: status $status, $(cat log)"
}
program_bytes=65536 refused 202 'which raystore refuses' rt 640
chip=strata-rt refused 202 'illegal instruction .*trav.lwr' software 6400
chip=strata refused 203 'neither RT cores nor harts (trav.lwr) ask for rays' rt 6400
scene cwbvh6t 8192
run rt 6400
refused 201 'without references to their parents' rt 6400 -s chip.traversal=parents
refused 1 'without references to their parents' software 6400
