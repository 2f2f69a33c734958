#!/bin/bash
# The results of a run depend on nothing but the program, its input and the
# chip: the same hash for any number of host threads, E, skipping or not, order
# of units, place in memory, compiler of the simulator, hints to the host. One row
# a variant. Dynamic schedules with E of 1 are tried on other chips by
# random-chips.sh: seven threads that meet after each cycle take minutes.
# ci: area determinism
# ci: long
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays samples/rv64/primary samples/rv64/replay
# ci: needs samples/rv32/path samples/rv64/microbench
. ci/tests/head

tool=$root/$B/bin/corbel-scene
samples=$root/$B/samples
cd "$dir"
runs=0

# Which cases; what runs it, %: sim-run; options. A is $program on $chip.
variants='
all    | %                         | -j 1
all    | %                         | -j 2
all    | %                         | -j 3
all    | %                         | -j 7
all    | %                         | -j 3 --schedule fixed
all    | %                         | -j 7 --schedule fixed
all    | %                         | -j 1 --epoch 1
all    | %                         | -j 3 --epoch 1
all    | %                         | -j 2 --epoch 3
all    | %                         | -j 1 --reverse-units
all    | %                         | -j 2 --reverse-units --schedule dynamic
all    | %                         | -j 2 --schedule fixed --host-profile profile
all    | %                         | -j 7 --schedule dynamic
all    | setarch -R %              | -j 2
all    | setarch -R %              | -j 1
all    | taskset -c 0 %            | -j 2 --schedule fixed
all    | env MALLOC_PERTURB_=165 % | -j 2
all    | %                         | -j 2 --interval 1000 -o out
all    | clang                     | -j 2
all    | release-gcc               | -j 2
all    | O0-hintless               | -j 2
few    | %                         | -j 1 --no-skip
few    | %                         | -j 3 --no-skip --schedule fixed
few    | %                         | -j 1 --no-skip --epoch 1
few    | %                         | -j 2 --no-skip --epoch 1 --reverse-units
few    | %                         | -j 2 --no-skip --schedule dynamic
slow   | %                         | -j 2 --no-skip --reverse-units
'

# hash_of LAUNCHER OPTION...: the last line of the run of $program, and its
# status if that is not 0
hash_of() {
    local launcher=$1
    shift
    case $launcher in
    *%) launcher=${launcher/%%/$sim} ;;
    *) launcher=$root/$B/$launcher/bin/sim-run ;;
    esac
    rm -f image.ppm
    # shellcheck disable=SC2086 # a launcher is several words
    $launcher "${chip[@]}" --quiet "$@" "${program[@]}" 2>&1 >stdout |
        tail -n 1 || echo "status ${PIPESTATUS[0]}"
}

makes_image() { [[ " ${program[*]} " == *" image.ppm "* ]]; }

same_image() { ! makes_image || cmp -s image.ppm expected.ppm; }

# same LAUNCHER OPTION...: hash and image, if there is one, are the expected ones
same() {
    local got
    got=$(hash_of "$@")
    runs=$((runs + 1))
    [ "$got" = "$expected" ] && same_image && return
    echo "FAIL: ${chip[*]} ${program[*]##*/}: $*: $got, expected $expected"
    failures=$((failures + 1))
}

# Accounts are closed at each border, in whatever stride the clock goes there.
same_intervals() {
    hash_of % -j 1 --interval 100 -o skipping >/dev/null
    hash_of % -j 1 --interval 100 --no-skip -o stepping >/dev/null
    runs=$((runs + 2))
    cmp skipping/intervals.csv stepping/intervals.csv && return
    echo "FAIL: ${chip[*]} ${program[*]##*/}: intervals differ without skipping"
    failures=$((failures + 1))
}

# case_of "all few": the rows of these kinds, for $chip and $program
case_of() {
    local kind launcher options start=$SECONDS
    expected=$(hash_of %)
    [[ $expected == "results hash: "* ]] ||
        fail "${chip[*]}: $expected"
    ! makes_image || mv image.ppm expected.ppm
    while IFS='|' read -r kind launcher options; do
        [[ $kind && " $1 " == *" ${kind// /} "* ]] || continue
        read -r launcher <<<"$launcher"
        [[ $launcher == *%* || " $builds " == *" $launcher "* ]] || continue
        # shellcheck disable=SC2086
        same "$launcher" $options
    done <<<"$variants"
    [[ " $1 " != *" few "* ]] || same_intervals
    echo "$expected  ${chip[*]}  ${program[*]##*/}  ($((SECONDS - start)) s)"
}

builds=
for build in clang release-gcc O0-hintless; do
    (cd "$root" && ci/variant $build bin/sim-run >/dev/null) &&
        builds+=" $build" || [ $? = 77 ]
done
"$tool" generate cornell cornell.scene >/dev/null 2>&1
"$tool" generate arcade arcade.scene --triangles 20000 >/dev/null 2>&1

primary=("$samples/rv64/primary")
out=(--out image.ppm)
chip=(-a tiny)
program=("${primary[@]}" arcade.scene --size 24 "${out[@]}")
case_of "all few"
# Code comes while cycles are worked out ahead, and registers are waited for.
"${tool%-scene}-rays" arcade.scene arcade.rays --kind secondary --size 12 >/dev/null
chip=(-a tiny -s chip.tms=3 -s chip.icache=1)
program=("$samples/rv64/replay" arcade.scene arcade.rays --colours --mode isect)
case_of "all few"
# Write-backs, little room everywhere, a DRAM clock that fits no other.
chip=(-a tiny -s chip.tms=5 -s l1.mshrs=2 -s l2.mshrs=1 -s l2.size=4k
    -s dram.device=lpddr5-6400 -s dram.clock=812347 -s dram.refresh=bank
    -s dram.row_policy=timeout -s dram.timeout=60 -s dram.read_queue=3
    -s dram.write_queue=3)
program=("$samples/rv32/path" arcade.scene --size 8 --spp 1 "${out[@]}")
case_of "all few"
# One core, whose harts wait for its ports most of the time.
cp "$root"/sim/arch/*.lua .
cat >ports.lua <<'END'
include "gpu.lua"
gpu{clock = 1000, tms = 1, tps = 1, block = 32, hop = 4, partitions = 1,
    slices = 1, stripe = 4096, tp = {harts = 8, fetch_buffer = 2},
    icache = {line = 64, ways = 2, size = 1024, latency = 1, mshrs = 1, targets = 1,
              misses = 4, prefetch = "block", pass = 4, mem_width = 16,
              reply_width = 64},
    l1 = {ways = 1, size = 1024, targets = 1}, l2 = {ways = 8, size = 2048},
    dram = {kind = "memory"}}
END
chip=(-a ports.lua)
program=("$samples/rv64/microbench" copy --bytes 64k --count 5k)
case_of "few"
chip=(-a trax -s chip.tms=3 -s chip.tps=16)
program=("${primary[@]}" cornell.scene --size 16 --traversal isect "${out[@]}")
case_of "all few"
chip=(-a rtx2080 -s chip.tms=3 -s chip.dram=hbm2)
program=("${primary[@]}" cornell.scene --size 8 "${out[@]}")
case_of "few"
chip=(-a rtx2080)
program=("${primary[@]}" arcade.scene --size 32 "${out[@]}")
case_of "all"
program=("${primary[@]}" cornell.scene --size 8 "${out[@]}")
case_of "slow"

# A hash that never changes would pass all that.
chip=(-a rtx2080 -s l1.latency=21)
[ "$(hash_of %)" != "$expected" ] || fail "the hash never changes"

[ $failures -eq 0 ] && echo "$runs runs: results do not depend on how they are computed"
