#!/bin/bash
# What harts share and what each has of its own: thread-local variables and the
# C library's state, C++ objects shared by all harts, failed assertions, and
# std::thread, which is refused. The programs print the same natively and on
# the three targets, executed and timed.
# ci: area toolchain
# ci: needs toolchain bin/sim-run lib/libcorbel-native.a
. ci/tests/head

src=ci/tests/toolchain-threads

# same PROGRAM OPTION...: prints on the chip what it prints natively
same() {
    local program=$1
    shift
    build/bin/sim-run --quiet -j 1 "$@" --fs "$dir" "$dir/$program" >"$dir/said" 2>"$dir/err" ||
        fail "$program on $abi, $*: status $?: $(cat "$dir/said" "$dir/err")"
    diff "$dir/$program.native" "$dir/said" >&2 || fail "$program on $abi, $*: other output than natively"
}

native=(-O2 -Wall -ffp-contract=off -Iruntime/include)
library=(build/lib/libcorbel-native.a -pthread -lm)
gcc "${native[@]}" "$src"/{state,elsewhere}.c "${library[@]}" -o "$dir/native"
CORBEL_THREADS=8 "$dir/native" >"$dir/state.native" || fail "state natively: $(cat "$dir/state.native")"
g++ "${native[@]}" "$src/shared.cpp" "${library[@]}" -o "$dir/native"
CORBEL_THREADS=8 "$dir/native" >"$dir/shared.native" || fail "shared natively: $(cat "$dir/shared.native")"
gcc "${native[@]}" "$src/placed.c" "${library[@]}" -o "$dir/native"
echo 'A file.' >"$dir/placed.txt"
(cd "$dir" && CORBEL_THREADS=8 ./native >placed.native) || fail "placed natively: $(cat "$dir/placed.native")"

stack=(-s tp.scratch=32768)
for target in rv64imafc/lp64f rv64imafdc/lp64d rv32imafc/ilp32f; do
    abi=${target#*/}
    flags=(-march="${target%/*}" -mabi="$abi" -O2 -Wall)
    build/bin/corbel-gcc "${flags[@]}" "$src"/{state,elsewhere}.c -o "$dir/state"
    build/bin/corbel-g++ "${flags[@]}" "$src/shared.cpp" -o "$dir/shared"
    build/bin/corbel-gcc "${flags[@]}" "$src/placed.c" -o "$dir/placed"
    for mode in "--functional" "" "-s chip.tms=4 -s chip.tps=1"; do
        # shellcheck disable=SC2086
        same state -a tiny "${stack[@]}" $mode
        # shellcheck disable=SC2086
        same shared -a tiny "${stack[@]}" $mode
        # shellcheck disable=SC2086
        same placed -a tiny "${stack[@]}" $mode
    done
    # On a chip whose L1s keep what is written for themselves.
    same shared -a tiny "${stack[@]}" -s chip.tms=4 -s chip.tps=1 -s l1.write=back
done

# A thousand harts at one lock get on.
build/bin/corbel-g++ -O2 "$src/crowd.cpp" -o "$dir/crowd"
build/bin/sim-run --quiet -a rtx2080 -s chip.tms=1 "${stack[@]}" "$dir/crowd" >"$dir/said" 2>&1 ||
    fail "crowd: $(cat "$dir/said")"

# A failed assertion: one line, whichever thread failed, and abort()'s status 134, which
# sim-run turns into 125.
build/bin/corbel-gcc -O2 "$src/assert.c" -o "$dir/assert"
asserts() { # PATTERN ARGUMENTS...
    local pattern=$1 status=0
    shift
    build/bin/sim-run --quiet -a rtx2080 -s chip.tms=1 "$dir/assert" "$@" >"$dir/said" 2>"$dir/err" || status=$?
    [ $status = 125 ] || fail "assert: status $status, expected 125: $(cat "$dir/said" "$dir/err")"
    [ "$(grep -c 'assertion failed' "$dir/err")" = 1 ] && grep -Eq "$pattern" "$dir/err" ||
        fail "assert: $(cat "$dir/err"), expected one line $pattern"
}
asserts 'assert\.c:[0-9]+: hart [0-9]+: kernel: assertion failed: corbel_harts\(\) == 0$'
asserts 'assert\.c:[0-9]+: hart 0: main: assertion failed: argc == 1$' argument

# Blocks of 47104 harts that memory has no room for.
status=0
build/bin/sim-run --quiet -a rtx2080 --functional --memory 32M "$dir/assert" >"$dir/said" 2>&1 || status=$?
[ $status = 125 ] && grep -q '^thread-local variables of all harts exceed the heap (--memory)$' "$dir/said" ||
    fail "too little memory: status $status, $(cat "$dir/said")"

for case in 1 2 3; do
    ! build/bin/corbel-g++ -std=c++20 -DCASE=$case "$src/refused.cpp" -o "$dir/x" >"$dir/said" 2>&1 ||
        fail "refused.cpp, case $case: compiles"
    grep -q 'std::thread, std::jthread and std::async do not exist on the target' "$dir/said" ||
        fail "refused.cpp, case $case: says $(cat "$dir/said")"
done
build/bin/corbel-g++ -std=c++20 -DCASE=0 "$src/refused.cpp" -o "$dir/x" || fail "the headers alone are refused"
echo "toolchain-threads: ok"
