#!/bin/bash
# Clocks and sleeping: simulated time, at no cost of the host's; harts wake in
# the order of their times, in the same cycle however the run is executed.
# ci: area host
. ci/tests/guest

mkdir "$dir/files"

program clocks << 'END'
static long sleep_for(int64_t seconds, int64_t ns)
{
    int64_t time[2] = {seconds, ns};
    return call(101, (long)time, 0, 0, 0);
}
static int64_t now(void)
{
    int64_t time[2];
    call(113, 1, (long)time, 0, 0);
    return time[0] * 1000000000 + time[1];
}
static int near(int64_t from, int64_t ns)
{
    int64_t passed = now() - from;
    return passed >= ns && passed < ns + 100000;
}
int run(struct corbel_boot *boot)
{
    int64_t time[2] = {-1, -1}, start = now();
    for (long clock = -1; clock < 9; clock += 3)
        say_number("clock", call(113, clock, (long)time, 0, 0));
    say_number("clock_gettime64", call(403, 0, (long)time, 0, 0));
    say_number("seconds", time[0]);
    say_number("bad address", call(113, 0, 0x10, 0, 0));
    say_number("sleep", sleep_for(0, 0));
    start = now();
    say_number("sleep", sleep_for(1, 500000000));
    say_number("as long", near(start, 1500000000));
    say_number("bad time", sleep_for(0, 1000000000));
    say_number("bad time", sleep_for(-1, 0));
    say_number("bad time", sleep_for(0, -1));
    say_number("bad address", call(101, 0x10, 0, 0, 0));
    time[0] = 4, time[1] = 0;
    say_number("until", call(115, 1, 1, (long)time, 0));
    say_number("as long", near(0, 4000000000));
    say_number("past", call(407, 0, 1, (long)time, 0));
    say_number("bad clock", call(115, 99, 0, (long)time, 0));
    return 0;
}
END
cat > "$dir/expected" << 'END'
clock -22
clock 0
clock 0
clock -22
clock_gettime64 0
seconds 0
bad address -14
sleep 0
sleep 0
as long 1
bad time -22
bad time -22
bad time -22
bad address -14
until 0
as long 1
past 0
bad clock -22
END
extra=(--max-cycles 10G)
runs clocks 0

# Each hart sleeps less than the one before; two sleep equally long.
program harts << 'END'
static volatile int turn;
static volatile unsigned char order[8];
__attribute__((naked)) static void kernel(void)
{
    __asm__ volatile("mv s0, a0\nmv s1, a1\ncall nap\n"
                     "li a7, 0x1001\necall\njr a0");
}
__attribute__((used)) static void nap(void)
{
    long hart;
    __asm__ volatile("csrr %0, mhartid" : "=r"(hart));
    long ms = hart == 7 ? 3 : 9 - hart;
    int64_t time[2] = {0, ms * 1000000};
    call(101, (long)time, 0, 0, 0);
    order[__atomic_fetch_add(&turn, 1, __ATOMIC_SEQ_CST)] = ms;
}
int run(struct corbel_boot *boot)
{
    call(CORBEL_SYS_LAUNCH, (long)kernel, 0, 0, 0);
    call(CORBEL_SYS_JOIN, 0, 0, 0, 0);
    for (int i = 0; i < 7; i++)
        say_number("ms", order[i]);
    return 0;
}
END
printf 'ms %d\n' 3 3 4 5 6 7 8 > "$dir/expected"
runs harts 0
hash=
for options in "" "--epoch 1" "-j 2" "--reverse-units"; do
    # shellcheck disable=SC2086
    "$sim" $options "$dir/harts-64" > "$dir/out" 2> "$dir/err"
    cmp -s "$dir/expected" "$dir/out" || complain "other order with $options"
    now=$(tail -n 1 "$dir/err")
    [ "${hash:=$now}" = "$now" ] || complain "$options: $now, without $hash"
done

# A limit ends a sleep, and is told.
program long << 'END'
int run(struct corbel_boot *boot)
{
    int64_t time[2] = {INT64_MAX, 999999999};
    return call(101, (long)time, 0, 0, 0);
}
END
: > "$dir/expected"
extra=(--max-cycles 5000000)
runs long 204
grep -q 'limit of 5000000' "$dir/err" || complain "no limit reported"

[ $failures -eq 0 ] && echo "time passes as it should"
