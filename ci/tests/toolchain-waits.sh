#!/bin/bash
# Harts that wait on a word are woken: std::latch, std::barrier, semaphores and
# wait and notify of std::atomic, on 1 to 1024 harts of three chips, executed and
# timed. The program prints the same natively and on the three targets.
# ci: area toolchain
# ci: needs toolchain bin/sim-run lib/libcorbel-native.a
. ci/tests/head

src=ci/tests/toolchain-waits

g++ -std=c++20 -O2 -Wall -ffp-contract=off -Iruntime/include "$src/waits.cpp" \
    build/lib/libcorbel-native.a -pthread -lm -o "$dir/native"
CORBEL_THREADS=8 timeout 60 "$dir/native" >"$dir/native.out" || fail "natively: $(cat "$dir/native.out")"

# same OPTION...: prints what it prints natively, before the limit
same() {
    build/bin/sim-run --quiet -j 1 -s tp.scratch=4096 --max-cycles 100000000 "$@" "$dir/waits" \
        >"$dir/out" 2>"$dir/err" || fail "$abi, $*: status $?: $(cat "$dir/out" "$dir/err")"
    diff "$dir/native.out" "$dir/out" >&2 || fail "$abi, $*: other output than natively"
}
for target in rv64imafc/lp64f rv64imafdc/lp64d rv32imafc/ilp32f; do
    abi=${target#*/}
    build/bin/corbel-g++ -std=c++20 "-march=${target%/*}" "-mabi=$abi" -O2 -Wall "$src/waits.cpp" -o "$dir/waits"
    for harts in 1 2 4; do
        same -a tiny --harts $harts
    done
    same -a tiny
    same -a rtx2080 -s chip.tms=4 -s chip.tps=4 -s chip.harts=4 --harts 4
    same -a rtx2080 -s chip.tms=4 -s chip.tps=4
    # On a chip whose L1s keep what is written for themselves.
    same -a tiny -s chip.tms=4 -s chip.tps=1 -s l1.write=back
    same -a rtx2080 -s chip.tms=1 --functional
    [ "$abi" = lp64f ] || continue
    for harts in 16 64; do
        same -a rtx2080 -s chip.tms=2 --harts $harts
    done
    same -a rtx2080 -s chip.tms=1
    same -a trax
done
echo "toolchain-waits: ok"
