/*
 * The words in which rv.def says what an instruction does. A file that includes
 * this defines XLEN, and has hart and insn in scope where a row is expanded,
 * and rm (BEGIN_ROW); JUMP, LEAVE, STOP and ILLEGAL belong to the executor.
 */
#ifndef SIM_ISA_MEANING_H
#define SIM_ISA_MEANING_H

#include "sim/isa/csr.h"
#include "sim/isa/fp.h"
#include "sim/isa/isa.h"

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

#define HART (hart)
#define FLAGS (&hart->fflags)
#define PC (hart->pc)
#define LEN (insn->len)
#define IMM ((uint64_t)(int64_t)insn->imm)
#define RS1 (insn->rs1)
#define X1 (hart->x[insn->rs1])
#define X2 (hart->x[insn->rs2])
#define F1 (hart->f[insn->rs1])
#define F2 (hart->f[insn->rs2])
#define F3 (hart->f[insn->rs3])
#define S1 unbox(F1)
#define S2 unbox(F2)
#define S3 unbox(F3)

/* Low 32 bits, sign-extended. */
#define WORD(v) ((uint64_t)(int64_t)(int32_t)(v))
/* Registers of RV32 are kept sign-extended. */
#define SIGNED(v) (XLEN == 32 ? WORD(v) : (uint64_t)(v))
#define UNSIGNED(v) (XLEN == 32 ? (uint64_t)(uint32_t)(v) : (uint64_t)(v))

#define RD(v) (hart->x[insn->rd] = SIGNED(v), hart->x[0] = 0)
#define FD(v) (hart->f[insn->rd] = (v))
#define FS(v) (hart->f[insn->rd] = box(v))

/* What a row begins with: its extension is there, and rm is how it rounds. */
#define BEGIN_ROW(operands, has)                                               \
    unsigned rm =                                                              \
        __builtin_strchr(operands, 'm') ? rounding_mode(hart, insn) : 0;       \
    if (!(has) || rm > FP_RMM)                                                 \
    ILLEGAL

#define BRANCH(condition)                                                      \
    if (condition)                                                             \
    JUMP(PC + IMM)

#define CSR(op, operand, writes)                                               \
    uint64_t old;                                                              \
    if (!isa_csr(hart, (unsigned)insn->imm, op, operand, writes, &old))        \
        ILLEGAL;                                                               \
    RD(old)

/* A double register holds a single if the upper half is all ones. */
static inline uint64_t box(uint32_t single)
{
    return 0xffffffff00000000u | single;
}

static inline uint32_t unbox(uint64_t value)
{
    return value >> 32 == 0xffffffff ? (uint32_t)value : F32_NAN;
}

static inline uint64_t divide(int64_t a, int64_t b)
{
    if (b == 0)
        return UINT64_MAX;
    return b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
}

static inline uint64_t remainder_of(int64_t a, int64_t b)
{
    if (b == 0)
        return (uint64_t)a;
    return b == -1 ? 0 : (uint64_t)(a % b);
}

static inline uint64_t rotate_right(uint64_t v, uint64_t by, unsigned width)
{
    by %= width;
    return by ? v >> by | v << (width - by) : v;
}

/* Each byte that is not 0 becomes 0xff. */
static inline uint64_t or_combine(uint64_t v)
{
    for (int shift = 1; shift < 8; shift *= 2) {
        uint64_t low = 0x0101010101010101u * ((1u << (8 - shift)) - 1);
        v |= (v & low) << shift | (v >> shift & low);
    }
    return v;
}

/* Static or dynamic rounding mode; above FP_RMM: reserved. */
static inline unsigned rounding_mode(const struct isa_hart *hart,
                                     const struct isa_insn *insn)
{
    enum { DYNAMIC = 7 };
    return insn->imm == DYNAMIC ? hart->frm : (unsigned)insn->imm;
}

/*
 * Whether the hart may execute the row now, by the extension column: what the
 * profile lacks was refused by the decoder; floating point may be off.
 */
#define HAS_I true
#define HAS_I64 true
#define HAS_M true
#define HAS_M64 true
#define HAS_A true
#define HAS_A64 true
#define HAS_Zicbom true
#define HAS_Zicsr true
#define HAS_Zifencei true
#define HAS_Zba true
#define HAS_Zba64 true
#define HAS_Zbb true
#define HAS_Zbb64 true
#define HAS_Zbb32 true
#define HAS_F isa_fp_enabled(hart)
#define HAS_F64 HAS_F
#define HAS_D HAS_F
#define HAS_D64 HAS_F

#endif
