#!/bin/bash
# System calls, HTIF, traps, exit statuses, and that a program reaches only the
# files it was given; with and without timing, on RV64 and RV32.
# ci: area host
. ci/tests/guest

mkdir -p "$dir/files/sub"
echo inside > "$dir/files/in.txt"
echo deeper > "$dir/files/sub/deep.txt"
echo secret > "$dir/secret.txt"
ln -s ../secret.txt "$dir/files/link"
ln -s in.txt "$dir/files/fine"
ln -s "$dir" "$dir/files/up"

# ---- files
program files << 'END'
static void try(const char *path)
{
    char text[64];
    long fd = call(56, -100, (long)path, 0, 0);
    if (fd < 0) {
        say_number(path, fd);
        return;
    }
    long n = call(63, fd, (long)text, 64, 0);
    call(64, 1, (long)text, n, 0);
    say_number("close", call(57, fd, 0, 0, 0));
}
int run(struct corbel_boot *boot)
{
    try("in.txt");
    try("sub/../sub/deep.txt");
    try("fine");
    try("link");
    try("up/secret.txt");
    try("../secret.txt");
    try("sub/../../secret.txt");
    try("/etc/passwd");
    try("/proc/self/maps");
    try("none.txt");
    say_number("", call(56, -100, 0x10, 0, 0));
    try(argument(boot, 1));
    say_number("argument for writing",
               call(56, -100, (long)argument(boot, 1), 01, 0));
    say_number("create outside", call(56, -100, (long)"../new", 0101, 0666));
    say_number("unlink outside", call(35, -100, (long)"../secret.txt", 0, 0));
    long fd = call(56, -100, (long)"new.txt", 0101 | 01000, 0666);
    say_number("create", fd);
    say_number("write", call(64, fd, (long)"hello\n", 6, 0));
    say_number("seek", call(62, fd, 1, 0, 0));
    say_number("write", call(64, fd, (long)"E", 1, 0));
    uint32_t st[32];
    say_number("stat", call(80, fd, (long)st, 0, 0));
    say_number("size", st[12]);
    call(57, fd, 0, 0, 0);
    try("new.txt");
    say_number("unlink", call(35, -100, (long)"new.txt", 0, 0));
    try("new.txt");
    say_number("bad buffer", call(64, 1, 0x20, 1, 0));
    say_number("into code", call(63, 0, (long)&run, 1, 0));
    say_number("bad file", call(64, 77, (long)st, 1, 0));
    say_number("bad call", call(500, 0, 0, 0, 0));
    say_number("frame", call(CORBEL_SYS_FRAME, (long)&run, 64, 0, 0));
    say_number("no frame", call(CORBEL_SYS_FRAME, 0, 0, 0, 0));
    say_number("bad frame", call(CORBEL_SYS_FRAME, -64, 64, 0, 0));
    return 0;
}
END
cat > "$dir/expected" << 'END'
inside
close 0
deeper
close 0
inside
close 0
link -13
up/secret.txt -13
../secret.txt -13
sub/../../secret.txt -13
/etc/passwd -13
/proc/self/maps -13
none.txt -2
END
printf ' -14\nsecret\nclose 0\n' >> "$dir/expected"
cat >> "$dir/expected" << 'END'
argument for writing -13
create outside -13
unlink outside -13
create 3
write 6
seek 1
write 1
stat 0
size 6
hEllo
close 0
unlink 0
new.txt -2
bad buffer -14
into code -14
bad file -9
bad call -38
frame 0
no frame 0
bad frame -14
END
runs files 0 "$dir/secret.txt"
[ "$(cat "$dir/secret.txt")" = secret ] || complain "a file outside was changed"
[ ! -e "$dir/new" ] || complain "a file outside was made"

# An argument names a file of where sim-run runs, wherever --fs is; what is
# below --fs comes first.
program given << 'END'
int run(struct corbel_boot *boot)
{
    char text[64];
    for (int i = 1; i < boot->argc; i++) {
        long fd = call(56, -100, (long)argument(boot, i), 0, 0);
        if (fd < 0)
            say_number(argument(boot, i), fd);
        else
            call(64, 1, (long)text, call(63, fd, (long)text, 64, 0), 0);
    }
    say_number("for writing",
               call(56, -100, (long)argument(boot, 2), 02, 0));
    return 0;
}
END
printf 'deeper\ninside\nnot-there -2\nfor writing -13\n' > "$dir/expected"
extra=(--fs sub)
runs given 0 deep.txt ../files/in.txt not-there
echo other > "$dir/files/deep.txt"
extra=(--fs "$dir/files/sub")
runs given 0 deep.txt ../files/in.txt not-there
rm "$dir/files/sub/deep.txt"
printf 'other\ninside\nnot-there -2\nfor writing -13\n' > "$dir/expected"
runs given 0 deep.txt ../files/in.txt not-there
extra=()

# ---- the environment, behind the arguments
program environment << 'END'
int run(struct corbel_boot *boot)
{
    int none = boot->argv == (unsigned long)&boot->envp;
    say_number("environment", !none);
    if (none)
        return 1;
    unsigned long *env = (unsigned long *)(unsigned long)boot->envp;
    for (; *env; env++) {
        say((const char *)*env);
        say("\n");
    }
    say(argument(boot, 1));
    return argument(boot, 2) ? 9 : 0;
}
END
printf 'environment 0\n' > "$dir/expected"
runs environment 1 last
printf 'environment 1\nA=3\nB=\nLONG=a = b\nlast' > "$dir/expected"
extra=(--env A=1 --env B= --env "LONG=a = b" --env A=3)
runs environment 0 last
for wrong in A =1 ""; do
    "$sim" --env "$wrong" "$dir/environment-64" > "$dir/out" 2>&1 &&
        complain "--env '$wrong' was taken"
    grep -q "^sim-run: --env .*: expected NAME=VALUE" "$dir/out" ||
        complain "--env '$wrong': $(cat "$dir/out")"
done
extra=()

# ---- what a program repeats for ever is told a limited number of times
program repeats << 'END'
int run(struct corbel_boot *boot)
{
    for (int i = 0; i < 300; i++) {
        call(56, -100, (long)"/etc/passwd", 0, 0);
        call(500 + i % 3, 0, 0, 0, 0);
        call(CORBEL_SYS_ROI + 1000 + i, 0, 0, 0, 0);
        call(700 + i, 0, 0, 0, 0);
    }
    return 0;
}
END
"$sim" --functional "$dir/repeats-64" 2> "$dir/err"
[ "$(grep -c 'no system call 501;' "$dir/err")" = 1 ] ||
    complain "an unknown call is not noted once"
[ "$(grep -c '^sim-run: note' "$dir/err")" = 101 ] ||
    complain "$(grep -c '^sim-run: note' "$dir/err") notes"
grep -q '^sim-run: note: [0-9]* further notes$' "$dir/err" ||
    complain "left-out notes are not counted"

# ---- memory and time
program memory << 'END'
int run(struct corbel_boot *boot)
{
    long start = call(214, 0, 0, 0, 0);
    say_number("start", start == (long)boot->heap_start);
    say_number("grown", call(214, start + 100000, 0, 0, 0) - start);
    *(volatile char *)(start + 99999) = 1;
    say_number("too much",
               call(214, (long)boot->heap_end + 4096, 0, 0, 0) - start);
    say_number("below", call(214, 0x2000, 0, 0, 0) - start);
    int64_t now[2] = {-1, -1};
    say_number("time", call(169, (long)now, 0, 0, 0));
    say_number("seconds", now[0]);
    say_number("magic", boot->magic == CORBEL_BOOT_MAGIC);
    say_number("arguments", boot->argc);
    say(argument(boot, 1));
    say(argument(boot, 2));
    return argument(boot, 3) ? 9 : 7;
}
END
cat > "$dir/expected" << 'END'
start 1
grown 100000
too much 100000
below 100000
time 0
seconds 0
magic 1
arguments 3
--quiet two
END
truncate -s -1 "$dir/expected"
runs memory 7 --quiet " two"

# ---- exit statuses
program status << 'END'
int run(struct corbel_boot *boot)
{
    int status = 0;
    for (const char *p = argument(boot, 1); *p; p++)
        status = 10 * status + *p - '0';
    return status;
}
END
: > "$dir/expected"
for status in 0 1 125; do
    runs status $status $status
done
runs status 125 126
runs status 125 255
runs status 0 256

# ---- HTIF
program htif << 'END'
volatile uint64_t tohost __attribute__((aligned(64)));
volatile uint64_t fromhost __attribute__((aligned(64)));
int run(struct corbel_boot *boot)
{
    static volatile uint64_t message[8] __attribute__((aligned(64)));
    message[0] = 64;
    message[1] = 1;
    message[2] = (unsigned long)"by HTIF\n";
    message[3] = 8;
    __asm__ volatile("fence");
    tohost = (unsigned long)message;
    while (!fromhost)
        ;
    fromhost = 0;
    __asm__ volatile("fence");
    say_number("written", message[0]);
    tohost = 5 << 1 | 1;
    for (;;)
        ;
}
END
printf 'by HTIF\nwritten 8\n' > "$dir/expected"
runs htif 5

# ---- a program with a trap handler gets its traps
program traps << 'END'
__attribute__((naked, aligned(4))) static void handler(void)
{
    __asm__ volatile("csrr s0, mcause\ncsrr s1, mepc\naddi s1, s1, 4\n"
                     "csrw mepc, s1\nmret");
}
int run(struct corbel_boot *boot)
{
    long cause[3];
    __asm__ volatile("csrw mtvec, %3\n"
                     "li a7, 64\necall\nmv %0, s0\n"
                     ".word 0xffffffff\nmv %1, s0\n"
                     ".option norvc\nlw a0, 16(x0)\nmv %2, s0\n.option rvc\n"
                     "csrw mtvec, x0"
                     : "=&r"(cause[0]), "=&r"(cause[1]), "=&r"(cause[2])
                     : "r"(handler)
                     : "s0", "s1", "a0", "a7");
    for (int i = 0; i < 3; i++)
        say_number("cause", cause[i]);
    return 0;
}
END
printf 'cause 11\ncause 2\ncause 5\n' > "$dir/expected"
runs traps 0

# ---- launch and join; a hart that waits for nothing is a deadlock; limits
program launch << 'END'
static volatile int count;
__attribute__((naked)) static void kernel(void)
{
    __asm__ volatile("li t1, 1\namoadd.w x0, t1, (a1)\nfence\n"
                     "li a7, 0x1001\necall\njr a0");
}
int run(struct corbel_boot *boot)
{
    for (int i = 0; i < 3; i++) {
        call(CORBEL_SYS_LAUNCH, (long)kernel, (long)&count, 0, 0);
        call(CORBEL_SYS_JOIN, 0, 0, 0, 0);
    }
    __asm__ volatile("fence");
    say_number("ran", count);
    return 0;
}
END
echo 'ran 21' > "$dir/expected"
runs launch 0

program hang << 'END'
static void wait_for_ever(void)
{
    call(CORBEL_SYS_PARK, 0, 0, 0, 0);
}
int run(struct corbel_boot *boot)
{
    wait_for_ever();
    return 0;
}
END
: > "$dir/expected"
runs hang 203
grep -q 'deadlock at cycle' "$dir/err" || complain "no deadlock reported"
grep -qE '(hart|harts) .*parked.* at 0x[0-9a-f]+ <.*hang.c|guest.h:[0-9]+' \
    "$dir/err" || complain "the deadlock's place is not named"

# Two cores of a chip with short epochs; the one's next index goes to the other,
# so that it waits for ever once it has executed what does not need the index.
# A core works that out ahead: the deadlock is not before it has happened.
cat > "$dir/crossed.lua" << 'END'
local here, there = tile("core"), tile("mem")
local function pair(a, request, b, input, reply, answer, latency, to)
  link{from = a, out = request, to = b, inp = input, latency = latency, depth = 8}
  link{from = b, out = reply, to = to or a, inp = answer, latency = latency}
end
local core, other =
  unit{tile = here, kind = "tp", name = "tp0", harts = 1, turn = 500},
  unit{tile = here, kind = "tp", name = "tp1", harts = 1, turn = 500}
local l1 = unit{tile = here, kind = "cache", name = "l1", latency = 1}
local l2 = unit{tile = there, kind = "cache", name = "l2", owner = "owner",
                latency = 1}
local dram = unit{tile = there, kind = "memory", name = "dram"}
local scheduler = unit{tile = here, kind = "scheduler", name = "scheduler"}
local counter = unit{tile = here, kind = "workcounter", name = "counter"}
pair(core, "mem", l1, "cpu", "reply", "data", 1)
pair(other, "mem", l1, "cpu", "reply", "data", 1)
pair(l1, "mem", l2, "cpu", "reply", "fill", 4)
pair(l2, "mem", dram, "cpu", "reply", "fill", 1)
pair(core, "next", scheduler, "next", "index", "index", 1, other)
pair(other, "next", scheduler, "next", "index", "index", 1, core)
pair(scheduler, "ask", counter, "ask", "block", "block", 1)
END
for ahead in 5:16 14:16 15:24 21:24; do
    cat > "$dir/crossed.S" << END
    .globl _start
_start:
    bnez a0, park
    .insn i 0x0b, 0, t0, x0, 0 # trav.fchthrd t0
    .rept ${ahead%:*}
    addi t1, t1, 1
    .endr
    add t0, t0, t1
park:
    li a7, 0x1001
    ecall
END
    riscv64-unknown-elf-gcc -nostdlib -march=rv64imafc -mabi=lp64f \
        -Wl,-Ttext=0x100000 "$dir/crossed.S" -o "$dir/crossed"
    for options in "" "--no-skip --epoch 1"; do
        # shellcheck disable=SC2086
        "$sim" -a "$dir/crossed.lua" -o "$dir/of-crossed" $options "$dir/crossed" \
            > "$dir/log" 2>&1 && complain "no deadlock of crossed indices"
        grep -q "deadlock at cycle ${ahead#*:}[^0-9]" "$dir/log" ||
            complain "crossed, ${ahead%:*} ahead, $options: $(grep deadlock "$dir/log")"
    done
done

program spin << 'END'
int run(struct corbel_boot *boot)
{
    for (volatile int i = 0;; i++)
        ;
}
END
runs spin 204
grep -q 'limit of' "$dir/err" || complain "no limit reported"

[ $failures -eq 0 ] && echo "all calls behave"
