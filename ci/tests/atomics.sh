#!/bin/bash
# Loops of lr and sc succeed in the end, on every chip, with all of its harts (the two
# largest: 16,384, as the host's time grows faster than the number of those that wait):
# one word, a word each, comparisons, the heap's lock; with memory checked, and
# the same whatever the threads and epochs. Those that leave cost the others little.
# ci: area memory
# ci: needs toolchain bin/sim-run
. ci/tests/head

# shared EXPECTED ARGUMENTS...: sim-run says so; $dir/err has its summary
shared() {
    local expected=$1 status=0
    shift
    timeout 600 "$sim" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    [ $status = 0 ] && [ "$(cat "$dir/out")" = "$expected" ] ||
        fail "$*: status $status, '$(cat "$dir/out")', expected '$expected'; $(tail -n 3 "$dir/err")"
}
hash() {
    grep 'results hash' "$dir/err"
}

for target in rv64imafc/lp64f rv64imafdc/lp64d rv32imafc/ilp32f; do
    "$B/bin/corbel-gcc" "-march=${target%/*}" "-mabi=${target#*/}" -O2 -Wall \
        ci/tests/atomics/share.c -o "$dir/share.${target#*/}"
done
share=$dir/share.lp64f

# Each way with all harts of the largest chip.
shared 'reserve: 47104 of 47104' -a rtx2080 -j 1 "$share" reserve
shared 'own: 47104 of 47104' -a rtx2080 -j 1 "$share" own
shared 'malloc: 512 of 512' -a rtx2080 -j 1 "$share" malloc 512
shared 'compare: 94208 of 94208' -a rtx2080 -j 1 "$share" compare

# The others, and what decides where and for how long.
for chip in tiny trax rtx2060 'rtx3070 --harts 16384' 'rtx4090 --harts 16384'; do
    read -ra which <<<"$chip"
    harts=$("$sim" -a "${which[@]}" -j 1 "$share" own 2>/dev/null | sed 's/.* //')
    [ "$harts" -ge 8 ] || fail "$chip: $harts harts"
    shared "reserve: $harts of $harts" -a "${which[@]}" -j 1 "$share" reserve
    shared 'malloc: 256 of 256' -a "${which[@]}" -j 1 "$share" malloc 256
done
shared 'swap: 512 of 512' -a rtx2080 --harts 256 -j 1 "$share" swap 2
for settings in '-s l2.hold=0' '-s l2.hold=20' '-s l2.hold=65536' '-s l1.pass=1' \
    '-s l1.write=back' '--functional'; do
    # shellcheck disable=SC2086
    shared 'compare: 3840 of 3840' -a rtx2060 --harts 640 -j 1 $settings "$share" compare 3
done

# Of the three targets; the memory check agrees; the host changes nothing.
for abi in lp64f lp64d ilp32f; do
    for mode in '' --functional --check-memory; do
        # shellcheck disable=SC2086
        shared 'compare: 80 of 80' -a tiny -j 1 $mode "$dir/share.$abi" compare 5
        # shellcheck disable=SC2086
        shared 'malloc: 64 of 64' -a tiny -j 1 $mode "$dir/share.$abi" malloc 64
    done
done
shared 'compare: 768 of 768' -a rtx2060 --harts 128 -j 1 --check-memory "$share" compare 3
shared 'compare: 768 of 768' -a rtx2060 --harts 128 -j 1 "$share" compare 3
first=$(hash)
for options in '-j 2' '-j 3 --epoch 1' '-j 1 --no-skip' '-j 2 --reverse-units'; do
    # shellcheck disable=SC2086
    shared 'compare: 768 of 768' -a rtx2060 --harts 128 $options "$share" compare 3
    [ "$(hash)" = "$first" ] || fail "$options: $(hash), expected $first"
done

# Loops that leave when a comparison fails, as most harts of a maximum do, and others
# that stand in public code: turns cost at most as much again as having none, and many
# times less where each hart has to succeed.
SIM=$sim ci/tests/atomics/turns rtx2080,chip.tms=1 {max,min,fmax}:2048:6 {zbuffer,hash}:2048 \
    bounds:512 push:512 {add,lock,try,stack}:256 >"$dir/table" ||
    fail "turns: $(cat "$dir/table")"
SIM=$sim ci/tests/atomics/turns rtx4090,chip.tms=2 {fmax,min,hash}:4096 >"$dir/table" ||
    fail "turns: $(cat "$dir/table")"
"$B/bin/corbel-gcc" -O2 -Wall ci/tests/atomics/patterns.c -o "$dir/patterns"
shared 'max: 4096 of 4096' -a rtx2080 -s chip.tms=2 -j 1 --timing roi "$dir/patterns" max 4096
first=$(hash)
for options in '-j 2' '-j 3 --epoch 1' '-j 1 --no-skip' '-j 2 --reverse-units'; do
    # shellcheck disable=SC2086
    shared 'max: 4096 of 4096' -a rtx2080 -s chip.tms=2 --timing roi $options "$dir/patterns" max 4096
    [ "$(hash)" = "$first" ] || fail "max, $options: $(hash), expected $first"
done
