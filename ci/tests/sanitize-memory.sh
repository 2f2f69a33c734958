#!/bin/bash
# AddressSanitizer and UBSan: all unit tests, corbel-scene, the samples natively,
# and sim-run: small frames on each chip, refusals, faults, system calls and
# hostile scenes. What fails is listed at the end: the rest is tested all the same.
# ci: area sanitize
# ci: long
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays samples
. ci/tests/head
asan=$(ci/variant asan unit-tests bin/sim-run bin/corbel-scene bin/corbel-rays \
    samples-native)
export UBSAN_OPTIONS=print_stacktrace=1

# passes NAME COMMAND...: the command ends with 0, or with 77 if there is nothing
# that it could test; a sanitizer would make it fail
passes() {
    local from=$SECONDS status=0
    "${@:2}" >"$dir/log" 2>&1 || status=$?
    if [ $status = 0 ] || [ $status = 77 ]; then
        echo "ok: $1, $((SECONDS - from)) s"
    else
        tail -n 60 "$dir/log"
        complain "$1: ${*:2}"
    fi
}

# The sanitizer multiplies the time of random tests by up to 15.
export TEST_RUNS=20
for program in $(make -s B="$asan" print-unit-tests); do
    passes "unit test ${program#"$asan"/tests/}" "$program"
done

scene=$dir/arcade.scene
"$B/bin/corbel-scene" generate arcade "$dir/expected.scene" --triangles 20000 >/dev/null
passes corbel-scene "$asan/bin/corbel-scene" generate arcade "$scene" --triangles 20000
passes "the scene" cmp "$scene" "$dir/expected.scene"

# frame SIM-RUN-OPTIONS -- SAMPLE OPTIONS
frame() {
    local options=()
    while [ "$1" != -- ]; do options+=("$1") && shift; done
    rm -f "$dir/image.png" "$dir/native.png"
    passes "${options[*]} $2" "$asan/bin/sim-run" "${options[@]}" "$B/samples/$2" \
        "$scene" --size 16 --out "$dir/image.png" "${@:3}"
    CORBEL_THREADS=3 passes "native $2" "$asan/samples/native/${2#*/}" "$scene" \
        --size 16 --out "$dir/native.png" "${@:3}"
    passes "the image of $2" cmp "$dir/image.png" "$dir/native.png"
}
frame -a tiny -s chip.tms=3 -j 2 -o "$dir/out" --interval 2000 -- rv64/primary
frame -a tiny --epoch 1 --no-skip -j 3 --schedule dynamic -- rv32/ao --spp 1
frame -a trax -s chip.tms=2 -j 2 -- rv64/primary --traversal software
frame -a rtx2080 -j 2 -- rv64/path --spp 1
frame --functional -a rtx2080 -- rv32/path --spp 1 --traversal isect

for name in bad-input faults calls outputs scenes; do
    SIM=$asan/bin/sim-run passes "simrun-$name.sh" "ci/tests/simrun-$name.sh"
done
HOSTILE_RUNS=1 HOSTILE_BUILD=$asan passes scene-hostile.sh ci/tests/scene-hostile.sh

