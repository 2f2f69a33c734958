#!/bin/bash
# --stalls: all cycles of all requests to memory are in legs, on chips of every kind,
# for the chip, its groups, units, regions and intervals; no result changes, and what is
# counted does not depend on how it is computed.
# ci: area observe
# ci: needs bin/sim-run-stalls bin/sim-report bin/corbel-scene bin/corbel-rays samples/rv64/primary
# ci: needs samples/rv64/mandelbrot sample-streams
. ci/tests/head

S=$B/samples/rv64

# ---- legs computed by hand
variant=$(ci/variant stalls tests/units/common/trip_legs_test)
"$variant/tests/units/common/trip_legs_test" >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"

"$B/bin/corbel-scene" generate cornell "$dir/c.scene" >/dev/null
"$B/bin/corbel-scene" generate cornell "$dir/7.scene" --nodes cwbvh7 --leaves block128 \
    --leaf 3 >/dev/null
"$B/bin/corbel-scene" generate arcade "$dir/t.scene" --triangles 10000 --nodes cwbvh6t \
    --treelets 4096 >/dev/null
"$B/bin/corbel-rays" "$dir/t.scene" "$dir/t.rays" --kind secondary --size 16 >/dev/null

# run NAME ARGUMENT...: the results hash to NAME, files to NAME.out
run() {
    local name=$1
    shift
    "$sim" --quiet -o "$dir/$name.out" "$@" >/dev/null 2>"$dir/$name" ||
        fail "$name: $(cat "$dir/$name")"
}
# both NAME SERVED ARGUMENT...: with --stalls and without, and the sums of the one with;
# SERVED: words for sums.py
both() {
    local name=$1 served=$2
    shift 2
    run plain "$@"
    run "$name" --stalls --interval 5000 "$@"
    cmp "$dir/plain" "$dir/$name" || fail "$name: results change"
    ci/tests/stalls/sums.py "$dir/$name.out" $served || fail "$name: sums"
    "$B/bin/sim-report" "$dir/$name.out" -o "$dir/page.html" || fail "$name: report"
}
primary=("$S/primary" "$dir/c.scene" --size 16 --out "$dir/image.ppm")
all="load.first load.second load.memory"
both rtx2080 "$all store.second read.first read.memory" -a rtx2080 -s chip.tms=3 --link-stats \
    "${primary[@]}"
grep -q '"second_bank":.*"l2 pipeline"' "$dir/rtx2080.out/stats.json" ||
    fail "legs are not called by the chip's groups"
both rtx4090 "$all read.memory" -a rtx4090 -s chip.tms=2 "${primary[@]}"
both trax "$all" -a trax -s chip.tms=2 "${primary[@]}" --traversal software
both arches "$all read.memory" -a rtx2080-arches -s chip.tms=2 "${primary[@]/c.scene/7.scene}"
both fetches "$all fetch.first fetch.memory" -a tiny -s chip.icache=1 "${primary[@]}"
both width "$all ahead.memory" -a tiny -s l1.write=back -s l1.reply_width=32 -s l1.sector=128 \
    -s l1.prefetch=next -s rtcore.prefetch=2 "${primary[@]}"
both atomics "$all" -a tiny -s chip.tms=2 -s l1.atomics=here "$S/mandelbrot" --size 8 \
    --out "$dir/image.ppm"
both bypass "load.memory store.second" -a tiny -s tp.load_bypass=3 -s tp.store_bypass=3 \
    -s l1.mshrs=1 "${primary[@]}"
both paging "$all load/translation read/translation" -a rtx2080 -s chip.tms=2 \
    -s chip.uvm=on -s gmmu.managed_bytes=4G "${primary[@]}"
for mode in software rt; do
    chip=dual-streaming served="load.buffer sector.memory record.memory bucket.memory"
    [ $mode = software ] || chip+=-rt served=${served/load/read}
    both $mode "$all $served" -a $chip -s chip.tms=2 -s chip.tps=4 -s chip.scene_buffer=1048576 \
        "$S/streams" "$dir/t.scene" \
        "$dir/t.rays" --mode $mode --hits "$dir/hits"
done

# ---- however it is computed
run otherwise --stalls --link-stats --interval 5000 -j 2 --epoch 1 --no-skip --reverse-units -a rtx2080 \
    -s chip.tms=3 "${primary[@]}"
for file in stats.json intervals.csv links.csv; do
    cmp "$dir/rtx2080.out/$file" "$dir/otherwise.out/$file" || fail "$file differs"
done

# ---- what cannot be
status=0
"$sim" --stalls --functional "${primary[@]}" 2>"$dir/log" || status=$?
[ $status = 200 ] && grep -q 'stalls: not with --functional' "$dir/log" ||
    fail "--functional: $status, $(cat "$dir/log")"
mkdir "$dir/bin"
cp "$B/bin/sim-run" "$dir/bin"
status=0
"$dir/bin/sim-run" --stalls "${primary[@]}" 2>"$dir/log" || status=$?
[ $status = 205 ] && [ "$(wc -l <"$dir/log")" = 1 ] &&
    grep -q 'stalls: cannot run .*/sim-run-stalls: No such file' "$dir/log" ||
    fail "alone: $status, $(cat "$dir/log")"
echo "stalls: legs of 11 runs sum to their cycles"
