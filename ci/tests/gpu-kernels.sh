#!/bin/bash
# The benchmarks of samples/gpu: the same digest natively, executed and timed, on both
# targets and for any number of harts, down to one; each is what its serial version
# computes, and a changed input is noticed; groups are as many as the original's.
# ci: area samples
# ci: needs bin/sim-run sample-gpu
. ci/tests/head

native=$B/samples/native/gpu

run() { "$sim" --quiet "$@"; }

mapfile -t benchmarks < <("$native" --help | sed -n 's/^  \([a-z][a-z0-9_]*\) .*/\1/p')
[ "${#benchmarks[@]}" = "$(grep -c '^    X(' samples/gpu/gpu.h)" ] || fail "--help: ${benchmarks[*]}"

for name in "${benchmarks[@]}"; do
    echo "== $name"
    said=$(CORBEL_THREADS=1 "$native" "$name" --check) || fail "$name: status $?"
    CORBEL_THREADS=3 says_only "$said" "$native" "$name" --check
    status=0
    CORBEL_THREADS=2 "$native" "$name" --check --spoil >"$dir/out" 2>"$dir/err" || status=$?
    [ $status = 1 ] && grep -qE "^gpu: $name: [a-z ]+ [0-9]+ is 0x[0-9a-f]{8}, expected 0x[0-9a-f]{8}$" "$dir/err" ||
        fail "$name, spoilt: status $status, $(cat "$dir/err")"
    [ "$(cat "$dir/out")" != "$said" ] || fail "$name, spoilt: the same digest"
    says_only "$said" run --functional -a tiny "$B/samples/rv64/gpu" "$name" --check
    says_only "$said" run --functional --harts 1 "$B/samples/rv32/gpu" "$name" --check
    says_only "$said" run -a rtx2080 -s chip.tms=1 -s chip.tps=16 "$B/samples/rv64/gpu" "$name"
done
# Members that take turns, timed; a thread for each member.
says_only "$("$native" lud)" run -a tiny "$B/samples/rv64/gpu" lud
CORBEL_THREADS=256 says_only "$("$native" lud)" "$native" lud

echo "== groups"
# launches NAME SIZE TEXT: "kernel launches least most members" of each kernel
launches() {
    local said
    said=$("$native" "$1" --size "$2" --launches | tail -n +2 |
        sed 's/: / /; s/ launches, / /; s/ to / /; s/ groups of / /' | tr '\n' ',')
    [ "$said" = "$3," ] || fail "$1 $2: $said, expected $3"
}
launches gaussian 64 "fan1 63 1 1 512,fan2 63 256 256 16"
launches hotspot source "step 1 1849 1849 256"
launches lud source "diagonal 16 1 1 16,perimeter 15 1 15 32,internal 15 1 225 256"
launches nn source "distance 1 168 168 256"
launches nw 128 "growing 8 1 8 16,shrinking 7 1 7 16"
launches pathfinder source "rows 5 463 463 256"
launches srad 502,458,1 "prepare 1 450 450 512,reduce 2 1 450 512,edges 1 450 450 512,smooth 1 450 450 512"
launches fdtd2d 2048,1 "ey 1 16384 16384 256,ex 1 16384 16384 256,hz 1 16384 16384 256"
launches lavamd 3 "force 1 27 27 128"
launches myocyte 2,1 "steps 1 2 2 32"
launches hybridsort 5000 "count 1 20 20 256,move 1 20 20 256,four 1 7 7 256,merge 2 7 7 256"
launches cut_1 2560,16,8 "product 1 20 20 256"

echo "== bad usage"
refused() { misused "gpu: $1" "$native" "${@:2}"; }
refused 'no name: expected that of a benchmark, see --help'
refused 'nope: expected a benchmark, see --help' nope
refused 'lud: expected one name, see --help' nn lud
refused '--chek: expected an option, see --help' nn --chek
refused '--size: expected a value behind it, see --help' nn --size
for size in "" 3,4 x report; do
    refused "--size $size: expected small, source or rows, each from 1 to 16384" lud --size "$size"
done
refused '--size 17: expected a multiple of 16' lud --size 17
refused '--size 5,1,1: expected 2 rows and more' pathfinder --size 5,1,1

echo "pass"
