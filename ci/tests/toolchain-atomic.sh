#!/bin/bash
# Atomics of one, two and eight bytes by all harts, each operation, give on every
# target what they give natively, and structures of 1 to 100 bytes are never seen
# in part. A launch within a kernel is refused, on each hart and natively.
# ci: area toolchain
# ci: needs runtime bin/sim-run lib/libcorbel-native.a
. ci/tests/head

cat >"$dir/atomic.c" <<'END'
#include <corbel/corbel.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* Neighbours in a word, to see that they are left alone. */
#define OBJECTS(type, name)                                             \
    static struct {                                                     \
        type before;                                                    \
        _Atomic type add, sub, and, or, xor, exchange, compare;         \
        type after;                                                     \
        _Atomic type sum;                                               \
    } name = {1, 0, 0, (type)~(type)0, 0, 0, 0, 0, 2, 0};
OBJECTS(uint8_t, one)
OBJECTS(uint16_t, two)
OBJECTS(uint64_t, eight)

#define ALL(type, name)                                                 \
    do {                                                                \
        type bit = (type)((type)1 << hart % (8 * sizeof(type)));        \
        atomic_fetch_add(&name.add, 3);                                 \
        atomic_fetch_sub(&name.sub, 5);                                 \
        atomic_fetch_and(&name.and, (type)~bit);                        \
        atomic_fetch_or(&name.or, bit);                                 \
        atomic_fetch_xor(&name.xor, bit);                               \
        /* what goes in comes out once, but for the last one */         \
        atomic_fetch_add(&name.sum, (type)(hart + 1));                  \
        type was = atomic_exchange(&name.exchange, (type)(hart + 1));   \
        atomic_fetch_sub(&name.sum, was);                               \
        was = atomic_load(&name.compare);                               \
        while (!atomic_compare_exchange_weak(&name.compare, &was,       \
                                             (type)(was * 3 + 1)))      \
            ;                                                           \
    } while (0)

static void kernel(void *unused)
{
    unsigned hart = corbel_hart();
    for (int i = 0; i < 5; i++) {
        ALL(uint8_t, one);
        ALL(uint16_t, two);
        ALL(uint64_t, eight);
    }
}

#define SHOW(name)                                                      \
    printf("%llu %llu %llu %llu %llu %llu, %llu %llu, left %llu\n",     \
           (unsigned long long)name.add, (unsigned long long)name.sub,  \
           (unsigned long long)name.and, (unsigned long long)name.or,   \
           (unsigned long long)name.xor,                                \
           (unsigned long long)name.compare,                            \
           (unsigned long long)name.before,                             \
           (unsigned long long)name.after,                              \
           (unsigned long long)(name.sum - name.exchange))

static long culprit;

static void launches(void *unused)
{
    if (corbel_hart() == culprit)
        corbel_launch(kernel, 0);
}

int main(int argc, char **argv)
{
    corbel_launch(kernel, 0);
    SHOW(one);
    SHOW(two);
    SHOW(eight);
    fflush(stdout);
    culprit = argc > 1 ? atoi(argv[1]) : -1;
    corbel_launch(launches, 0);
    corbel_launch(kernel, 0); /* one after the other is fine */
    return 0;
}
END

gcc -O1 -ffp-contract=off -Iruntime/include "$dir/atomic.c" \
    "$B/lib/libcorbel-native.a" -pthread -lm -o "$dir/native"
CORBEL_THREADS=8 "$dir/native" >"$dir/expected"
grep -q '^120 ' "$dir/expected" || { cat "$dir/expected"; fail "natively"; }

status=0
CORBEL_THREADS=8 "$dir/native" 5 >"$dir/out" 2>"$dir/err" || status=$?
[ $status = 1 ] && grep -q 'corbel_launch: called from within a kernel' "$dir/err" ||
    fail "a launch within a kernel natively: status $status"

for flags in "-march=rv64imafc -mabi=lp64f" "-march=rv32imafc -mabi=ilp32f" \
    "-march=rv64imafdc -mabi=lp64d"; do
    # shellcheck disable=SC2086
    "$B/bin/corbel-gcc" $flags -O1 "$dir/atomic.c" -o "$dir/target"
    for mode in "-a tiny --harts 8" "--functional -a tiny --harts 8"; do
        # shellcheck disable=SC2086
        "$B/bin/sim-run" $mode --quiet "$dir/target" >"$dir/out" 2>"$dir/err" ||
            fail "$flags $mode"
        diff "$dir/expected" "$dir/out" || fail "$flags $mode"
        for hart in 0 5; do
            status=0
            # shellcheck disable=SC2086
            "$B/bin/sim-run" $mode --quiet "$dir/target" $hart \
                >"$dir/out" 2>"$dir/err" || status=$?
            [ $status = 202 ] && grep -q "fault: hart $hart, .*corbel_launch called from within a kernel" "$dir/err" ||
                fail "launch by hart $hart: $flags $mode: status $status"
        done
    done
    # shellcheck disable=SC2086
    "$B/bin/corbel-g++" $flags -std=c++20 -O2 -Wall ci/tests/toolchain-atomic/structs.cpp \
        -o "$dir/target" -latomic
    for mode in "-a tiny" "-a tiny -s chip.tms=4 -s chip.tps=1 -s l1.write=back" "--functional -a tiny"; do
        # shellcheck disable=SC2086
        "$B/bin/sim-run" $mode -s tp.scratch=4096 --quiet "$dir/target" >"$dir/out" 2>"$dir/err" ||
            { cat "$dir/out" "$dir/err"; fail "structures: $flags $mode"; }
    done
done
echo "atomics of all sizes are what they are natively; launches do not nest"
