#!/bin/bash
# Managed memory of a program: what is allocated, asked for and refused is the
# same natively and on the targets, executed and timed; sim-run places files as
# managed memory if it or the chip is told to, and refuses what is no kind of file.
# ci: area host
# ci: needs runtime bin/sim-run bin/corbel-scene lib/libcorbel-native.a sample-primary
. ci/tests/head

src=ci/tests/managed

native=(-O1 -g -Wall -ffp-contract=off -Iruntime/include)
library=("$B/lib/libcorbel-native.a" -pthread -lm)
"$B/bin/corbel-scene" generate cornell "$dir/cornell.scene" >/dev/null
cat >"$dir/expected" <<'END'
allocation 0: EINVAL
allocation 1: ENOMEM
allocation 2: ENOMEM
allocation 3: ENOMEM
aligned: 0 0
prefetch 0: done
prefetch 1: done
prefetch 2: EINVAL
prefetch 3: EINVAL
prefetch 4: EINVAL
prefetch 5: EINVAL
prefetch 6: EINVAL
prefetch 7: EINVAL
after the kernel: done
0 words are wrong, sync in the kernel refused
END
gcc "${native[@]}" "$src/calls.c" "${library[@]}" -o "$dir/calls"
for threads in 1 5; do
    CORBEL_THREADS=$threads "$dir/calls" >"$dir/said" || fail "natively: status $?"
    diff "$dir/expected" "$dir/said" || fail "natively"
done

# Where pages move the statistics say so.
{ cat "$dir/expected"; echo "statistics are not 0"; } >"$dir/expected-paged"
noted() { # COUNT TEXT: lines in $dir/err
    [ "$(grep -c "note: $2\$" "$dir/err")" = "$1" ] || fail "$target, not $1 notes: $(cat "$dir/err")"
}
# runs OPTION...: on the chip as natively, or as $expected says; the notes in $dir/err
runs() {
    "$sim" "$@" "$dir/calls.elf" >"$dir/said" 2>"$dir/err" ||
        fail "$target, $*: status $?: $(cat "$dir/said" "$dir/err")"
    diff "${expected:-$dir/expected}" "$dir/said" || fail "$target, $*"
    noted 3 'managed memory: [0-9]* MiB do not fit in memory, see --memory'
    noted 6 'prefetch of managed memory: [0-9]* bytes at 0x[0-9a-f]*, expected a part of one allocation or managed file'
}
# places ANSWER OPTION...: a prefetch of a scene
places() {
    "$sim" --quiet "${@:2}" "$dir/calls.elf" "$dir/cornell.scene" >"$dir/said" 2>"$dir/err" ||
        fail "scene, $target, ${*:2}: $(cat "$dir/said" "$dir/err")"
    [ "$(tail -n 1 "$dir/said")" = "scene at a root: $1" ] ||
        fail "scene, $target, ${*:2}: $(tail -n 1 "$dir/said"), expected $1"
}
for target in rv64imafc/lp64f rv64imafdc/lp64d rv32imafc/ilp32f; do
    build/bin/corbel-gcc -march="${target%/*}" -mabi="${target#*/}" -O2 -Wall \
        "$src/calls.c" -o "$dir/calls.elf"
    runs --functional
    runs --functional --harts 3
    runs -a tiny -s tp.scratch=4096
    expected=$dir/expected-paged runs -a tiny -s tp.scratch=4096 -s chip.uvm=on
    for mode in --functional "-a tiny -s tp.scratch=4096" "-a uvm-v100 -s chip.tms=1"; do
        # shellcheck disable=SC2086
        places "no, prefetch EINVAL" $mode
        # shellcheck disable=SC2086
        places "no, prefetch EINVAL" $mode --managed file,rays
        # shellcheck disable=SC2086
        places "yes, prefetch done" $mode --managed rays,scene
    done
done
# A chip that moves pages says it itself.
for chip in "tiny -s tp.scratch=4096" "rtx2080 -s chip.tms=1" "uvm-v100 -s chip.tms=1"; do
    # shellcheck disable=SC2086
    places "no, prefetch EINVAL" -a $chip -s chip.uvm=on -s chip.managed=rays
    for option in "chip.managed=scene" "chip.managed=all" "chip.managed=file --managed scene" \
        "gmmu.managed_files=rays,scene" "chip.managed=scene --functional"; do
        # shellcheck disable=SC2086
        places "yes, prefetch done" -a $chip -s chip.uvm=on -s $option
    done
done
# What is managed is in the log, with the size of the file.
"$sim" --quiet --functional --managed scene -o "$dir/log" "$dir/calls.elf" \
    "$dir/cornell.scene" >/dev/null 2>&1
grep -q "managed: $(stat -c %s "$dir/cornell.scene") bytes at 0x" "$dir/log/log.txt" ||
    fail "the log does not have the scene: $(cat "$dir/log/log.txt")"

# The picture of a managed scene is the picture of the scene.
picture=(--size 24 --out)
"$B/samples/native/primary" "$dir/cornell.scene" "${picture[@]}" "$dir/native.ppm"
for target in rv64 rv32; do
    for mode in --functional "-a tiny" "-a tiny -s chip.uvm=on"; do
        # shellcheck disable=SC2086
        "$sim" --quiet $mode --managed scene "$B/samples/$target/primary" \
            "$dir/cornell.scene" "${picture[@]}" "$dir/managed.ppm" 2>"$dir/err" ||
            fail "primary, $target, $mode: $(cat "$dir/err")"
        cmp "$dir/native.ppm" "$dir/managed.ppm" || fail "primary, $target, $mode"
    done
done

for word in scenes "" scene, ,rays "scene rays" sc; do
    status=0
    "$sim" --managed "$word" "$dir/calls.elf" >"$dir/said" 2>"$dir/err" || status=$?
    [ $status = 200 ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
        grep -qF -- "--managed $word: expected scene, rays or file, or several with commas" "$dir/err" ||
        fail "--managed '$word': status $status, $(cat "$dir/err")"
done
# refused LINE OPTION...: by the chip
refused() {
    status=0
    "$sim" -a tiny "${@:2}" "$dir/calls.elf" >"$dir/said" 2>"$dir/err" || status=$?
    [ $status -ge 200 ] && [ "$(cat "$dir/err")" = "sim-run: $1" ] ||
        fail "${*:2}: status $status, $(cat "$dir/err")"
}
refused "chip.managed=rays: expected chip.uvm=on" -s chip.managed=rays
refused "gmmu, managed files ray: expected scene, rays or file, or several with commas between them" \
    -s chip.uvm=on -s gmmu.managed_files=ray
echo "managed: ok"
