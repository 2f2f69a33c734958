#!/bin/bash
# The rules for units (sim/core/checked.h) are kept: a build that checks them
# runs the unit tests of the engine and the units, and small programs, whose
# results are those of the usual build. Each kind of unit is saved in one of them, and
# none of what is saved has forgotten anything (sim/core/covered.h).
# ci: area determinism checkpoints
# ci: long
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays samples/rv64/primary
# ci: needs samples/rv64/mandelbrot samples/rv64/streams samples-rtp sample-uvm
. ci/tests/head

tests=()
for test in $(make -s print-unit-tests); do
    case $test in
    */explore_test | */traffic_test) ;; # minutes long
    "$B"/tests/core/* | "$B"/tests/units/*) tests+=("${test#"$B"/}") ;;
    esac
done
[ ${#tests[@]} -gt 9 ] || fail "no unit tests of the engine and the units"
ci/variant checked bin/sim-run "${tests[@]}" >/dev/null
runs=0
export TEST_RUNS=20 # percent: the rules are checked at each access

for test in "${tests[@]}"; do
    runs=$((runs + 1))
    "$B/checked/$test" >"$dir/log" 2>&1 || [ $? = 77 ] || {
        echo "FAIL: $test"
        grep -vE '^\[ *(RUN|OK|=+|-+)' "$dir/log" | tail -n 5
        failures=$((failures + 1))
    }
done

# result SIM OPTION... PROGRAM...: the lines of a run about its end: one, if all is well
result() { "$@" 2>&1 >/dev/null | grep -E '^(sim-run:|results hash:)' || true; }
same() {
    local usual checked
    runs=$((runs + 1))
    usual=$(result "$B/bin/sim-run" --quiet "$@")
    checked=$(result "$B/checked/bin/sim-run" --quiet --checkpoint "$dir/run.ck" \
        --checkpoint-every "${every:-29989}" "$@")
    "$B/bin/sim-run" --describe "$@" | sed -n 's/^[^ ].*: [0-9]* x \([a-z_]*\) (.*/\1/p' >>"$dir/kinds"
    [[ $usual == "results hash: "* && $checked == "$usual" ]] && return
    echo "FAIL: $*: $checked, expected $usual"
    failures=$((failures + 1))
}
"$B/bin/corbel-scene" generate cornell "$dir/cornell.scene" >/dev/null 2>&1
samples=$B/samples/rv64
frame=(--size 8 --out "$dir/image.ppm")
same -a tiny "$samples/mandelbrot" --size 6 --out "$dir/image.ppm"
every=499 same -a tiny "$samples/primary" "$dir/cornell.scene" "${frame[@]}" # files, too
for chip in tiny rtx2080 tiny-simt rtx2080-simt; do
    same -a $chip -s chip.tms=2 "$samples/primary" "$dir/cornell.scene" "${frame[@]}"
done
same -a tiny-simt -s chip.icache=1 -s tp.fetch_ahead=1 -s tp.register_banks=2 \
    -s tp.operand_collectors=2 -s tp.result_slots=1 "$samples/primary" "$dir/cornell.scene" \
    "${frame[@]}"
warps=(-s rtcore.places=warps -s rtcore.answers=warps -s rtcore.schedule=same_warp)
same -a tiny-simt "${warps[@]}" -s rtcore.stack=1 -s rtcore.stack_traffic=on "$samples/primary" \
    "$dir/cornell.scene" "${frame[@]}"
same -a tiny-simt -s chip.tms=2 -s chip.warp=32 -s tp.reconvergence=ipdom "$samples/primary" \
    "$dir/cornell.scene" "${frame[@]}" # a stack of paths
"$B/bin/corbel-scene" generate cornell "$dir/arches.scene" --nodes cwbvh7 --leaves block128 \
    >/dev/null 2>&1
same -a rtx2080-arches -s chip.tms=2 "$samples/primary" "$dir/arches.scene" "${frame[@]}"
same -a trax -s chip.tms=2 "$samples/primary" "$dir/cornell.scene" "${frame[@]}" \
    --traversal software
same -a rtx2080-arches -s chip.tms=2 -j 2 "$samples/primary" "$dir/arches.scene" "${frame[@]}"
# On a host whose processors have a last cache each, threads have places (places.sh).
HWLOC_SYNTHETIC="l3:2 core:1 pu:1" HWLOC_THISSYSTEM=1 same -a rtx2080 -s chip.tms=2 -j 2 \
    "$samples/primary" "$dir/cornell.scene" "${frame[@]}"
same -a tiny -s l1.write=back -s l1.reply_width=32 "$samples/primary" \
    "$dir/cornell.scene" "${frame[@]}"
"$B/bin/corbel-scene" generate arcade "$dir/treelets.scene" --triangles 10000 --nodes cwbvh5t \
    --treelets 8192 >/dev/null 2>&1
"$B/bin/corbel-rays" "$dir/treelets.scene" "$dir/rays" --kind secondary --size 12 >/dev/null 2>&1
same -a dual-streaming-rt -s chip.tms=2 -s chip.scene_buffer=65536 "$samples/streams" "$dir/treelets.scene" "$dir/rays" --mode rt
same -a strata -s chip.tms=2 "$samples/streams" "$dir/treelets.scene" "$dir/rays" --machine strata
same -a tiny -s chip.clock=1481 -s chip.uvm=on -s gmmu.gddr_size=2M "$samples/uvm" P2
for chip in uvm-v100 gtx1080ti; do # launches take time
    same -a $chip -s chip.tms=2 "$samples/uvm" hotspot --size 64,2,2
done
same -a rtp-4x4 "$B/samples/rtp/mirror" --pixels 256 --width 16
same -a rtx2080 -s chip.tms=2 -s chip.uvm=on -s gmmu.managed_bytes=4G -s gmmu.gddr_size=2M \
    -s gmmu.percentage_of_free_page_buffer=90 -s gmmu.eviction_policy=tbn "$samples/primary" \
    "$dir/cornell.scene" "${frame[@]}" # pages come and leave
for chip in tiny tiny-simt; do
    same -a $chip -o "$dir/run" --interval 7000 --max-stall 50000 --link-stats --profile --trace 'harts:*,9000:70000' \
        --trace 'pipeline:*,9000:70000' "$samples/primary" "$dir/cornell.scene" "${frame[@]}"
done
same -a rtx2080 -s chip.tms=2 -s chip.uvm=on -s chip.charge_dram=on --transfers -o "$dir/run" \
    --managed scene "$samples/primary" "$dir/cornell.scene" "${frame[@]}"
same -a core "$samples/mandelbrot" --size 6 --out "$dir/image.ppm"
runs=$((runs + 1)) # and where a host executes harts while the chip stands
SIM=$B/checked/bin/sim-run ci/tests/timing-roi.sh >"$dir/log" 2>&1 || {
    echo "FAIL: timing-roi: $(tail -n 1 "$dir/log")"
    failures=$((failures + 1))
}
for kind in $("$B/bin/sim-run" --list-units | sed -n 's/^\([a-z_]*\): .*/\1/p'); do
    grep -qx "$kind" "$dir/kinds" && continue
    echo "FAIL: no run has a unit of kind $kind"
    failures=$((failures + 1))
done
[ $failures = 0 ] || exit 1
echo "checked: $runs tests and programs keep the rules"
