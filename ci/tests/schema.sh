#!/bin/bash
# The JSON Schemas that are installed hold of runs on chips of all sorts, with and without
# what can be observed, and say all that is in their files; what lacks a member, or has it of
# another type, is not valid.
# ci: area report
# ci: needs bin/sim-run bin/sim-run-stalls bin/corbel-scene bin/corbel-rays schemas
# ci: needs samples/rv64/primary samples/rv64/hello sample-uvm sample-streams samples-rtp
. ci/tests/head

S=$B/samples/rv64
python3 -c 'import jsonschema' 2>/dev/null || skip "no python3-jsonschema"

run() { # NAME ARGUMENT...
    "$sim" --quiet -o "$dir/$1" "${@:2}" >/dev/null 2>"$dir/log" ||
        fail "$1: $(cat "$dir/log")"
}
"$B/bin/corbel-scene" generate cornell "$dir/c.scene" >/dev/null
"$B/bin/corbel-scene" generate arcade "$dir/t.scene" --triangles 10000 --nodes cwbvh6t \
    --treelets 4096 >/dev/null
"$B/bin/corbel-rays" "$dir/t.scene" "$dir/t.rays" --kind secondary --size 8 >/dev/null
primary=("$S/primary" "$dir/c.scene" --size 8 --out "$dir/image.png")

run rtx2080 -a rtx2080 -s chip.tms=2 --stalls --profile --cost-images 8x8 --link-stats \
    --stats-range roi --stats-range launch:1 --stats-range 100:900 "${primary[@]}"
run plain -a rtx2080 -s chip.tms=2 "${primary[@]}"
run tiny -a tiny --profile "$S/hello"
run core -a core "$S/hello"
run uvm -a uvm-v100 -s chip.tms=2 "$S/uvm" hotspot
run streams -a dual-streaming-rt -s chip.tms=2 -s chip.tps=2 \
    "$S/streams" "$dir/t.scene" "$dir/t.rays" --mode rt --hits "$dir/hits"
run strata -a strata-rt -s chip.tms=2 -s chip.tps=4 "$S/streams" "$dir/t.scene" "$dir/t.rays" \
    --mode rt --machine strata
run rtp -a rtp-4x4 "$B/samples/rtp/normals" --pixels 64
ci/tests/schema/validate.py "$B/share/corbel/schema" "$dir"/*/
