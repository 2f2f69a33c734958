/*
 * The small ray-tracing processor as its programs see it: registers, flags,
 * instructions, and the rules that a user may change by options. Everything
 * here is without timing; sim/units/rtp/rtp_core.c has that.
 */
#ifndef SIM_RTP_H
#define SIM_RTP_H

#include <stdbool.h>
#include <stdint.h>

#define RTP_SCALARS 32
#define RTP_VECTORS 16
#define RTP_THREADS 32        /* of a patch */
#define RTP_LOCAL_BYTES 65536 /* of a thread's own memory */
#define RTP_RESULT 0xfff0u    /* offset of a thread's result, 16 bytes */

/* The memories of sdk/isa/rtp.def: RTP_program_origin, RTP_program_bytes and so
 * on. */
enum rtp_memory {
#define RTP_MEMORY(id, section, origin, size, unit, meaning)                   \
    RTP_##id##_origin = origin, RTP_##id##_bytes = size,
#include "sdk/isa/rtp.def"
};
#define RTP_CODE_WORDS (RTP_program_bytes / 4u) /* the PC wraps there */
#define RTP_CONSTANTS ((uint32_t)RTP_constants_origin)
#define RTP_CONSTANTS_MAX (RTP_constants_bytes / 4u) /* words */

/* RTP_TRIANGLES_MAX, RTP_TRIANGLES_ROOM, RTP_VERTICES_MAX */
enum rtp_limit {
#define RTP_LIMIT(id, value, meaning) RTP_##id = value,
#include "sdk/isa/rtp.def"
};

/* Registers with a meaning to the hardware. */
enum { RTP_PIXEL = 1, RTP_STACK = 29, RTP_LINK = 30, RTP_OWN = 31 };
enum { RTP_ORIGIN = 14, RTP_DIRECTION = 15 }; /* vectors: of a ray, of a hit */

/* The flags {not zero, sign} after a comparison. */
enum { RTP_ZERO = 0, RTP_POSITIVE = 2, RTP_NEGATIVE = 3 };

enum rtp_class {
    RTP_UNUSED, /* no instruction has this opcode */
    RTP_ARITH,
    RTP_REDUCE,
    RTP_COMPARE,
    RTP_LOAD,
    RTP_STORE,
    RTP_BRANCH,
    RTP_JUMP,
    RTP_RETURN,
    RTP_TRACE,
    RTP_FIN,
};

/* Opcodes by name, bits 31:26 of a word. */
enum rtp_opcode {
#define RTP(id, opcode, operands, class, ex, mem, meaning) RTP_OP_##id = opcode,
#include "sdk/isa/rtp.def"
};

/* A set of registers: bits 0..31 scalars, bits 32..47 vectors. */
typedef uint64_t rtp_set;
#define RTP_SCALAR_BIT(n) ((rtp_set)1 << (n))
#define RTP_VECTOR_BIT(n) ((rtp_set)1 << (32 + (n)))

/* A decoded word. */
struct rtp_insn {
    rtp_set reads, writes; /* without R0, RV0 and R31 */
    int32_t imm;           /* extended as the instruction asks */
    uint8_t opcode, class; /* enum rtp_opcode, enum rtp_class */
    uint8_t d, a, b;       /* fields, 5 bits each */
    uint8_t ex, mem;       /* cycles in these stages; loads: of constants */
};

/* Registers of a core. They belong to the core: a new thread finds what the
 * last one left, but for those that the hardware writes. */
struct rtp_state {
    uint32_t s[RTP_SCALARS];
    uint32_t v[RTP_VECTORS][4]; /* lane 0 first */
    uint32_t pc;
    uint8_t flags;
    /* With the quirk r31_write: R31's last value, which is read instead of the
     * address while it is seen; written: by the instruction just executed. */
    uint32_t own;
    bool own_seen, own_written;
};

/* Defects of the original hardware that can be switched on (quirks.c). */
enum rtp_quirk {
#define RTP_QUIRK(id, meaning) RTP_QUIRK_##id,
#include "sim/rtp/quirks.def"
#undef RTP_QUIRK
    RTP_QUIRKS,
};

/* What options change of the meaning of a program. */
struct rtp_rules {
    uint32_t const_words; /* of the constant memory: a power of 2 */
    uint32_t quirks;      /* a bit for each enum rtp_quirk */
    bool rtl_map;         /* the memory map of the original hardware */
    bool ftz;             /* floats: subnormals are zeros */
    bool two_sided;       /* triangles are hit from both sides */
};

static inline bool rtp_has_quirk(const struct rtp_rules *r, enum rtp_quirk q)
{
    return r->quirks >> q & 1;
}

/* ret waits until its register has been written, and R0 never is. */
static inline bool rtp_is_stuck(const struct rtp_insn *insn)
{
    return insn->class == RTP_RETURN && !insn->a;
}

/* The address at which a thread's stack begins: that of its local memory. */
static inline uint32_t rtp_stack(uint32_t thread)
{
    return 0x80000000u | thread << 16;
}

#endif
