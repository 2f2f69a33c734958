#!/bin/bash
# What a program may not do ends the run with one line that names hart, pc,
# symbol and source line; with and without timing, on RV64 and RV32.
# ci: area host
# ci: quick
# ci: needs bin/sim-run
. ci/tests/head

tools riscv64-unknown-elf-gcc

# The hart with the number WHO runs culprit(), on its kernel stack; the others
# park. MAIN_STACK: on the stack for main().
cat > "$dir/start.S" << 'END'
    .globl _start
_start:
    li t0, WHO
    bne a0, t0, park
#ifdef MAIN_STACK
#if __riscv_xlen == 64
    ld sp, 48(a1)
#else
    lw sp, 48(a1)
#endif
#endif
    call culprit
    li a7, 93
    li a0, 0
    ecall
park:
    li a7, 0x1001
    ecall
END
cat > "$dir/culprit.c" << 'END'
#ifndef FRAME
#define FRAME 64
#endif
static int deeper(volatile int *from, int n)
{
    volatile int frame[FRAME];
    frame[n % FRAME] = n;
    return frame[0] + deeper(frame, n + 1) + *from;
}
static void wild_store(void)
{
    *(volatile int *)0x40 = 1;
}
#ifndef WILD
#define WILD 0xff800000ul
#endif
static int wild_load(void)
{
    return *(volatile int *)WILD + 1;
}
void culprit(void);
/* Over the end of memory: the part at fault is the one beyond it. */
static void load_over_end(void)
{
    __asm__ volatile("lw a0, -2(%0)" : : "r"(0xff000000ul) : "a0");
}
static void store_over_end(void)
{
    __asm__ volatile("sw a0, -2(%0)" : : "r"(0xff000000ul));
}
static int below_the_scratch_window(void)
{
    return *(volatile int *)-8192l;
}
static void store_to_code(void)
{
    *(volatile int *)(unsigned long)&culprit = 1;
}
static void wild_jump(void)
{
    ((void (*)(void))0x500000)();
}
static void misaligned_jump(void)
{
    /* jalr clears bit 0: lands in the middle of an instruction of 4 bytes
       whose upper half is 0, which is no instruction */
    __asm__ volatile(".option norvc\nla t0, 1f + 3\njr t0\n.balign 4\n"
                     "1: lui x1, 0\n.option rvc");
}
static void misaligned_atomic(void)
{
    __asm__ volatile("amoadd.w a0, a1, (%0)" : : "r"(0x100002) : "a0");
}
static void no_instruction(void)
{
    __asm__ volatile(".word 0xffffffff");
}
static void breakpoint(void)
{
    __asm__ volatile("ebreak");
}
static void no_scene(void)
{
    __asm__ volatile(".insn i CUSTOM_0, 5, f17, f0, 0");
}
void culprit(void)
{
    CULPRIT;
}
END

build() {
    local out=$1 flags=$2
    shift 2
    riscv64-unknown-elf-gcc $flags -mcmodel=medany -g -O1 -fno-inline \
        -fno-optimize-sibling-calls -w -nostdlib -static -Wl,-Ttext=0x10000 -Wl,--no-relax \
        -Wl,--no-warn-rwx-segments "$@" -o "$out" "$dir/start.S" \
        "$dir/culprit.c"
}

# faults HART CALL PATTERN [COMPILER FLAGS]
faults() {
    local hart=$1 call=$2 pattern=$3 width mode got
    shift 3
    for width in "64 -march=rv64imafc -mabi=lp64f" \
        "32 -march=rv32imafc -mabi=ilp32f"; do
        build "$dir/program" "${width#* }" -DWHO="$hart" -DCULPRIT="$call" "$@"
        for mode in --functional ""; do
            got=0
            "$sim" $mode --quiet --max-cycles 1M "$dir/program" \
                > "$dir/out" 2> "$dir/err" || got=$?
            if [ $got -ne 202 ] || [ "$(wc -l < "$dir/err")" -ne 2 ] ||
                ! grep -qE -e "fault: hart $hart, .*$pattern" "$dir/err"; then
                echo "FAIL: $call, rv${width%% *} $mode: status $got," \
                    "expected 202 and: $pattern"
                sed 's/^/  /' "$dir/err"
                failures=$((failures + 1))
            fi
        done
    done
}

# at FUNCTION: what a pc in it looks like
at() {
    echo "pc 0x[0-9a-f]+ <$1(\+0x[0-9a-f]+)?> \(.*culprit.c:[0-9]+\): "
}

faults 3 'deeper((int *)0x100000, 0)' \
    "$(at deeper)stack overflow at 0x[0-9a-f]+: its kernel stack has 4096 bytes, -s tp.scratch=BYTES gives it more"
faults 0 'deeper((int *)0x100000, 0)' \
    "$(at deeper)stack overflow at 0x[0-9a-f]+: its stack has 16777216 bytes" \
    -DMAIN_STACK -DFRAME=16384
faults 5 'wild_store()' "$(at wild_store)store at 0x40, which is outside"
faults 1 'wild_load()' "$(at wild_load)load at 0xff800000, which is outside"
for stack in -DKERNEL_STACK -DMAIN_STACK; do
    faults 0 'wild_store()' "$(at wild_store)store at 0x40, which is outside" $stack
    for access in load store; do
        faults 0 "${access}_over_end()" \
            "$(at ${access}_over_end)$access at 0xff000000, which is outside" $stack
    done
done
faults 0 'wild_load()' "$(at wild_load)load at 0xfff80000, which is outside" \
    -DMAIN_STACK -DWILD=0xfff80000ul
faults 0 'below_the_scratch_window()' \
    "$(at below_the_scratch_window)load at 0xf*ffffe000, which is outside" -DMAIN_STACK
faults 0 'store_to_code()' "$(at store_to_code)store at 0x1[0-9a-f]+, .*read-only"
faults 2 'wild_jump()' "pc 0x500000: jump to 0x500000, which is no code; ra 0x[0-9a-f]+ <wild_jump"
faults 2 'misaligned_jump()' "$(at misaligned_jump)illegal instruction 0x0000"
faults 0 'misaligned_atomic()' "$(at misaligned_atomic)misaligned atomic access at 0x100002"
faults 7 'no_instruction()' "$(at no_instruction)illegal instruction 0xffffffff"
faults 0 'breakpoint()' "$(at breakpoint)ebreak"
faults 0 'no_scene()' "$(at no_scene)illegal instruction .*no scene has been opened"

# The line that counts stands first, and little follows: no figures, no verdict; with --quiet
# the hash alone.
"$sim" -a rtx2080 -s chip.tms=2 "$dir/program" 2>"$dir/err" >/dev/null || true
if [ "$(cut -d' ' -f1-2 "$dir/err" | tr '\n' '|')" != 'sim-run: fault:|cycles |instructions |results hash:|' ]; then
    echo "FAIL: a fault is told with more than it is:"
    sed 's/^/  /' "$dir/err"
    failures=$((failures + 1))
fi
"$sim" --quiet "$dir/program" 2>"$dir/err" >/dev/null || true
[ "$(cut -d' ' -f1-2 "$dir/err" | tr '\n' '|')" = 'sim-run: fault:|results hash:|' ] ||
    { echo "FAIL: --quiet: $(cat "$dir/err")"; failures=$((failures + 1)); }

[ $failures -eq 0 ] && echo "all faults were named"
