#!/bin/bash
# ThreadSanitizer: small frames on several host threads, native and simulated.
# What fails is listed at the end: the rest is tested all the same.
# ci: area sanitize
# ci: needs samples bin/corbel-scene bin/corbel-rays bin/sim-run
. ci/tests/head

tsan=$(ci/variant tsan bin/sim-run samples-native)
export TSAN_OPTIONS=second_deadlock_stack=1
"$B/bin/corbel-scene" generate arcade "$dir/scene" --triangles 20000 >"$dir/log" 2>&1

# passes NAME COMMAND...: the command ends with 0, which a data race would change,
# and leaves the right image; out: the program's option for it
passes() {
    rm -f "$dir/image.ppm"
    if "${@:2}" "$out" "$dir/image.ppm" >"$dir/log" 2>&1 &&
        cmp "$dir/image.ppm" "$dir/expected.ppm"; then
        echo "no race: $1"
    else
        head -n 60 "$dir/log"
        complain "$1: ${*:2}"
    fi
}

out=--out
primary=("$B/samples/rv64/primary" "$dir/scene" --size 16)
"$B/samples/native/primary" "${primary[@]:1}" --out "$dir/expected.ppm"
CORBEL_THREADS=4 passes native "$tsan/samples/native/primary" "${primary[@]:1}"
for options in "-a tiny -s chip.tms=4 -j 3" \
    "-a tiny -s chip.tms=4 -j 3 --schedule fixed" \
    "-a tiny -s chip.tms=4 -j 3 --schedule dynamic --epoch 1 --no-skip" \
    "-a rtx2080 -j 3 --interval 1000 -o $dir/out" \
    "-a rtx2080 -j 3 --schedule dynamic"; do
    # shellcheck disable=SC2086
    passes "$options" "$tsan/bin/sim-run" $options "${primary[@]}"
done

# Ray streams, and rays that move.
out=--image
"$B/bin/corbel-scene" generate arcade "$dir/treelets" --triangles 10000 --nodes bvh6 \
    --treelets 4096 >"$dir/log" 2>&1
"$B/bin/corbel-rays" "$dir/treelets" "$dir/rays" --kind secondary --size 16 >"$dir/log"
streams=("$B/samples/rv64/streams" "$dir/treelets" "$dir/rays" --colours)
"$B/samples/native/streams" "${streams[@]:1}" $out "$dir/expected.ppm" >"$dir/log"
for machine in dual strata; do
    for mode in rt software; do
        CORBEL_THREADS=4 passes "native $machine $mode" "$tsan/samples/native/streams" \
            "${streams[@]:1}" --machine $machine --mode $mode
    done
done
for options in "dual-streaming-rt -s chip.scene_buffer=16384|dual" "strata-rt|strata"; do
    # shellcheck disable=SC2086
    passes "${options%|*}" "$tsan/bin/sim-run" -j 3 --schedule dynamic -s chip.tms=4 \
        -s chip.tps=4 -a ${options%|*} "${streams[@]}" --machine "${options#*|}" --mode rt
done
