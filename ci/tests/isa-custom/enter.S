/*
 * void registers_enter(struct registers *r, const void *code)
 *
 * Loads all registers from *r and goes to code by mret, so that no register is
 * needed for the address. The code ends by copying x0 to mtval, swapping sp
 * with mscratch, which holds r, and jumping to registers_leave; an illegal
 * instruction arrives there by mtvec. All registers are then stored to *r.
 */
#if __riscv_xlen == 64
#define SAVE sd
#define LOAD ld
#define XBYTES 8
#else
#define SAVE sw
#define LOAD lw
#define XBYTES 4
#endif
#define X(n) (8 * n)
#define F(n) (256 + 8 * n)
#define FCSR 512
#define CAUSE 520
#define OWN 528
#define FRAME 288 /* 12 doubles, 15 integers */
#define F_SAVED(n) (8 * n)
#define X_SAVED(n) (96 + XBYTES * n)

    .option arch, +d, +zicsr
    .text
    .altmacro

    .macro floats instruction
    .set n, 0
    .rept 32
    one_float \instruction, %n
    .set n, n + 1
    .endr
    .endm
    .macro one_float instruction, number
    \instruction f\number, F(\number)(sp)
    .endm

    /* From x3 on: x0 is none, x2 is sp, and x1 is used in between. */
    .macro integers instruction
    .set n, 3
    .rept 29
    one_integer \instruction, %n
    .set n, n + 1
    .endr
    .endm
    .macro one_integer instruction, number
    \instruction x\number, X(\number)(sp)
    .endm

    /* What a function must keep, and gp and tp. */
    .macro kept integer, float
    .set n, 0
    .irp name, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, gp, tp, ra
    kept_integer \integer, \name, %n
    .set n, n + 1
    .endr
    .set n, 0
    .irp name, fs0, fs1, fs2, fs3, fs4, fs5, fs6, fs7, fs8, fs9, fs10, fs11
    kept_float \float, \name, %n
    .set n, n + 1
    .endr
    .endm
    .macro kept_integer instruction, name, number
    \instruction \name, X_SAVED(\number)(sp)
    .endm
    .macro kept_float instruction, name, number
    \instruction \name, F_SAVED(\number)(sp)
    .endm

    .globl registers_enter
    .type registers_enter, @function
registers_enter:
    addi sp, sp, -FRAME
    kept SAVE, fsd
    SAVE sp, OWN(a0)
    lla t0, registers_trap
    csrw mtvec, t0
    csrw mcause, zero
    csrw mtval, a0
    csrw mepc, a1
    li t0, 3 << 11 /* MPP: machine */
    csrs mstatus, t0
    csrw mscratch, a0
    mv sp, a0
    LOAD t0, FCSR(sp)
    fscsr t0
    floats fld
    integers LOAD
    LOAD x1, X(1)(sp)
    LOAD x2, X(2)(sp)
    mret
    .size registers_enter, . - registers_enter

    .balign 4
registers_trap:
    csrrw sp, mscratch, sp
    .globl registers_leave
registers_leave:
    SAVE x1, X(1)(sp)
    integers SAVE
    csrr x1, mscratch
    SAVE x1, X(2)(sp)
    floats fsd
    frcsr t0
    SAVE t0, FCSR(sp)
    fscsr zero
    csrr t0, mcause
    SAVE t0, CAUSE(sp)
    bnez t0, 1f /* mtval is the illegal word */
    csrr t0, mtval
    SAVE t0, X(0)(sp)
1:
    csrw mtvec, zero
    LOAD sp, OWN(sp)
    kept LOAD, fld
    addi sp, sp, FRAME
    ret

    .section .note.GNU-stack, "", @progbits
