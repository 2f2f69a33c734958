/*
 * RISC-V as the simulator executes it: decoded instructions, architectural
 * hart state, execution. Knows no timing: memory accesses and everything that
 * leaves the core are handed back to the caller as an effect.
 *
 * An instruction is decoded once (isa_decode) and then executed any number of
 * times (isa_execute). Loads, stores and atomics are done in two halves: the
 * address half by isa_execute, which describes the access, and, once the
 * memory has answered, isa_load_done, which writes the register.
 */
#ifndef SIM_ISA_H
#define SIM_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Classes of instructions for timing: X(name, meaning). Each custom
 * instruction of xtrav.def is a class of its own, named by its id. CORE: their
 * results, if any, are there without memory. OTHER have no results.
 */
#define ISA_CORE_CLASSES(X)                                                    \
    X(alu, "integer arithmetic, logic, shifts, lui, auipc, csr access")        \
    X(branch, "conditional branches")                                          \
    X(jump, "jal, jalr")                                                       \
    X(imul, "integer multiplication")                                          \
    X(idiv, "integer division and remainder")                                  \
    X(fadd, "floating-point addition and subtraction")                         \
    X(fmul, "floating-point multiplication")                                   \
    X(fma, "fused multiply-add")                                               \
    X(fdiv, "floating-point division")                                         \
    X(fsqrt, "floating-point square root")                                     \
    X(fcmp, "floating-point comparison, minimum, maximum, classification")     \
    X(fcvt, "conversion between number formats")                               \
    X(fmove, "sign injection and moves between register files")
#define ISA_MEMORY_CLASSES(X)                                                  \
    X(load, "loads")                                                           \
    X(store, "stores, cache-block management")                                 \
    X(amo, "atomic memory operations, lr, sc")
#define ISA_OTHER_CLASSES(X)                                                   \
    X(fence, "fence, fence.i")                                                 \
    X(system, "ecall, ebreak, mret, wfi")
#define ISA_CLASSES(X)                                                         \
    ISA_CORE_CLASSES(X) ISA_MEMORY_CLASSES(X) ISA_OTHER_CLASSES(X)

enum isa_class {
#define X(name, meaning) ISA_CLASS_##name,
    ISA_CLASSES(X)
#undef X
#define XTRAV(id, ...) ISA_CLASS_##id,
#include "sdk/isa/xtrav.def"
#undef XTRAV
        ISA_CLASS_COUNT
};

/*
 * Extensions of the base integer set: X(name, needs, meaning). name is in the
 * field's own spelling but for case; needs is another one that must be there
 * too, or i. In the order of ISA strings.
 */
#define ISA_EXTENSIONS(X)                                                      \
    X(m, i, "integer multiplication and division")                             \
    X(a, i, "atomic memory operations, lr, sc")                                \
    X(f, zicsr, "single-precision floating point")                             \
    X(d, f, "double-precision floating point")                                 \
    X(c, i, "compressed instructions")                                         \
    X(zicbom, i, "cache-block management: cbo.clean, cbo.flush, cbo.inval")    \
    X(zicntr, zicsr, "counters: rdcycle, rdtime, rdinstret")                   \
    X(zicsr, i, "control and status registers")                                \
    X(zifencei, i, "fence.i")                                                  \
    X(zba, i, "bit manipulation: address generation")                          \
    X(zbb, i, "bit manipulation: basic operations")                            \
    X(xtrav, i, "ray traversal (docs/reference/instructions.md)")

enum isa_extension {
#define X(name, needs, meaning) ISA_EXT_##name,
    ISA_EXTENSIONS(X)
#undef X
        ISA_EXT_COUNT,
    ISA_EXT_i = ISA_EXT_COUNT /* always there */
};

/* What harts execute. */
struct isa_profile {
    uint32_t extensions; /* bit n: enum isa_extension n */
    uint8_t xlen;        /* 32 or 64 */
};

/* In isa_insn.reads, where x0 never is: a debugger wants to be told of it
 * (sim/units/common/stop_log.h). */
#define ISA_MARK 1ull

#define ISA_ALL_EXTENSIONS ((1u << ISA_EXT_COUNT) - 1)

static inline bool isa_has(uint32_t extensions, enum isa_extension extension)
{
    return extensions >> extension & 1;
}

/*
 * Reads an ISA string: rv32 or rv64, i or g, letters, then extensions of
 * several letters, each after a '_'; case, order and repetition do not matter,
 * version numbers (2p1) are skipped. What an extension needs comes with it: d
 * stands for f and zicsr too. g stands for imafd_zicsr_zifencei. False: problem
 * says what is wrong. (Manual, volume I, chapter "ISA extension naming".)
 */
bool isa_profile_parse(const char *text, struct isa_profile *profile,
                       char *problem, size_t size);

/* False, and the problem: an extension lacks another that it needs. */
bool isa_profile_check(const struct isa_profile *profile, char *problem,
                       size_t size);

/* "rv64imafdc_zicntr_zicsr_..."; returns its length. */
int isa_profile_text(const struct isa_profile *profile, char *text,
                     size_t size);

/* "m", "zicsr", ... */
const char *isa_extension_name(enum isa_extension extension);

/* One decoded instruction; op indexes tables private to sim/isa. */
struct isa_insn {
    uint64_t reads;  /* registers read: bit n = x<n> (never x0), 32 + n = f<n>;
                        bit 0: ISA_MARK */
    uint64_t writes; /* registers written */
    uint32_t raw;    /* the instruction word; compressed: low 16 bits */
    int32_t imm;
    uint16_t op;
    uint8_t cls; /* enum isa_class */

    uint8_t len; /* 2 or 4 bytes */
    uint8_t rd, rs1, rs2, rs3;
};
_Static_assert(sizeof(struct isa_insn) == 32, "two to a cache line");

/* Regions of physical memory protection, all of them always off. */
enum { ISA_PMP_REGIONS = 16 };

/*
 * Architectural state of a hart, set up by isa_hart_reset. sim/isa alone
 * interprets the csr part. Without the D extension f registers are NaN-boxed
 * all the same.
 */
struct isa_hart {
    uint64_t x[32]; /* rv32: sign-extended to 64 bits */
    uint64_t f[32]; /* NaN-boxed */
    uint64_t pc;
    uint64_t instret;
    uint64_t cycle; /* what rdtime reads: kept by the caller */
    uint32_t id;
    uint8_t xlen; /* 32 or 64 */
    uint8_t frm;
    uint8_t fflags;
    uint8_t misaligned;  /* bits of an address that no jump may go to */
    uint32_t extensions; /* of its profile */
    /* machine-mode CSRs */
    uint64_t mstatus, mtvec, mepc, mcause, mtval, mscratch, mie;
    uint64_t cycle_offset, instret_offset; /* by writes to the counters */
    uint64_t pmpaddr[ISA_PMP_REGIONS];
};

enum isa_outcome {
    ISA_DONE,    /* executed, pc advanced */
    ISA_ACCESS,  /* memory access described in the effect, pc advanced; may be
                    misaligned, except atomics, which fault here */
    ISA_UNIT,    /* custom instruction that a unit serves (served.h); pc
                    advanced */
    ISA_FENCE,   /* fence, pc advanced */
    ISA_ECALL,   /* pc still at the ecall */
    ISA_EBREAK,  /* pc still at the ebreak */
    ISA_FAULT,   /* exception: cause and tval in the effect, pc unchanged */
    ISA_FENCE_I, /* fence.i, pc advanced */
    ISA_BLOCK,   /* cache-block operation: address as in rs1, access is an enum
                    isa_block; pc advanced */
    ISA_HINT,    /* add x0,x0,rs2: a hint to the core, by insn.rs2 an enum
                    isa_hint or none; pc advanced */
};

/* What Zicbom does with the block that holds an address. */
enum isa_block { ISA_BLOCK_INVAL, ISA_BLOCK_CLEAN, ISA_BLOCK_FLUSH };

/* Bytes of a block, as in the RVA22 profiles (Zic64b). */
#define ISA_BLOCK_BYTES 64u

/*
 * Zihintntl: the accesses of the next instruction have no locality in the
 * innermost private cache, all private ones, the innermost shared one, any.
 */
enum isa_hint { ISA_NTL_P1 = 2, ISA_NTL_PALL, ISA_NTL_S1, ISA_NTL_ALL };

enum isa_access {
    ISA_LOAD,
    ISA_STORE,
    ISA_LR,
    ISA_SC,
    ISA_AMOSWAP,
    ISA_AMOADD,
    ISA_AMOXOR,
    ISA_AMOAND,
    ISA_AMOOR,
    ISA_AMOMIN,
    ISA_AMOMAX,
    ISA_AMOMINU,
    ISA_AMOMAXU,
};

/* Exception numbers (mcause) that this code and its callers raise. */
enum isa_cause {
    ISA_CAUSE_FETCH_MISALIGNED = 0,
    ISA_CAUSE_FETCH_FAULT = 1,
    ISA_CAUSE_ILLEGAL = 2,
    ISA_CAUSE_BREAKPOINT = 3,
    ISA_CAUSE_LOAD_MISALIGNED = 4,
    ISA_CAUSE_LOAD_FAULT = 5,
    ISA_CAUSE_STORE_MISALIGNED = 6,
    ISA_CAUSE_STORE_FAULT = 7,
    ISA_CAUSE_ECALL_M = 11,
};

/* What an instruction wants from outside the core. */
struct isa_effect {
    uint64_t address; /* ISA_ACCESS, ISA_BLOCK */
    uint64_t value;   /* stores and atomics: operand, low size bytes */
    uint64_t tval;    /* ISA_FAULT */
    uint32_t cause;   /* ISA_FAULT: mcause number of the privileged manual */
    uint8_t access;   /* enum isa_access, enum isa_block */
    uint8_t size;     /* bytes: 1, 2, 4, 8 */
};

/* The state at reset of a hart with these extensions. */
void isa_hart_reset(struct isa_hart *hart, const struct isa_profile *profile,
                    uint32_t id, uint64_t pc);

/*
 * Decodes the instruction at the low end of word (a compressed one uses 16
 * bits). False: no instruction that the profile has; out is then one that
 * faults with an illegal-instruction exception, len 2 or 4.
 */
bool isa_decode(uint32_t word, const struct isa_profile *profile,
                struct isa_insn *out);

/*
 * The extension that a word refused by the profile would need; ISA_EXT_i: no
 * extension makes it an instruction.
 */
enum isa_extension isa_missing(uint32_t word,
                               const struct isa_profile *profile);

/*
 * How many registers an instruction's operands read and write, as it is written
 * down: x0 is one like others, and one that is named twice is read twice.
 * Instructions are counted by their class and their operands' reads, of which
 * ISA_READS there are ways; these two determine all of it.
 */
struct isa_operands {
    uint8_t reads, writes;
};
enum { ISA_READS = 4 };
extern const uint8_t isa_reads_of[]; /* by isa_insn.op: below ISA_READS */
struct isa_operands isa_operands(unsigned cls, unsigned reads);

/* Registers that an instruction writes, by its op and rd alone. */
uint64_t isa_writes(unsigned op, unsigned rd);

/* Executes; see enum isa_outcome. effect is written only where it says so. */
enum isa_outcome isa_execute(struct isa_hart *hart, const struct isa_insn *insn,
                             struct isa_effect *effect);

/*
 * Undoes an instruction whose ISA_ACCESS or ISA_BLOCK the memory refused: pc is
 * at it again, as for ISA_FAULT.
 */
void isa_access_failed(struct isa_hart *hart, const struct isa_insn *insn);

/*
 * For a debugger: a CSR as the hart would read it, with its name, or as it
 * would write it. False: it would be an illegal instruction.
 */
bool isa_csr_read(const struct isa_hart *hart, unsigned number, char *name,
                  size_t size, uint64_t *value);
bool isa_csr_write(struct isa_hart *hart, unsigned number, uint64_t value);

/*
 * Enters the program's trap handler for an exception at hart->pc. False, and
 * nothing changed: it has installed none (mtvec is 0).
 */
bool isa_trap(struct isa_hart *hart, uint64_t cause, uint64_t tval);

/* By isa_insn.op: how the value of a load or atomic becomes that of rd. 4
 * bytes: found by a shift. */
struct isa_load_form {
    uint8_t shift;        /* bits above it */
    bool zeroes;          /* come there, else its sign */
    bool floating, boxed; /* to an f register, NaN-boxed */
};
extern const struct isa_load_form isa_load_forms[];

/*
 * Second half of ISA_ACCESS for loads and atomics, by op and rd of the
 * instruction: writes rd from the low size bytes of value (atomics: the old
 * memory value; sc: 0 success, 1 failure), extended or NaN-boxed as the
 * instruction says.
 */
static inline void isa_loaded(struct isa_hart *hart, unsigned op, unsigned rd,
                              uint64_t value)
{
    const struct isa_load_form *form = &isa_load_forms[op];
    uint64_t *registers = form->floating ? hart->f : hart->x;
    uint64_t high = value << form->shift;
    uint64_t sign_extended = (uint64_t)((int64_t)high >> form->shift);
    uint64_t low = form->zeroes ? high >> form->shift : sign_extended;
    uint64_t boxed = low | -(uint64_t)form->boxed << 32;
    registers[rd] = rd || form->floating ? boxed : 0;
}

static inline void isa_load_done(struct isa_hart *hart,
                                 const struct isa_insn *insn, uint64_t value)
{
    isa_loaded(hart, insn->op, insn->rd, value);
}

/*
 * New memory value of an atomic: old and operand are size (4 or 8) bytes.
 * Not for ISA_LR and ISA_SC.
 */
uint64_t isa_amo(enum isa_access access, unsigned size, uint64_t old,
                 uint64_t operand);

/*
 * Text of an instruction as objdump prints it, whatever extension it
 * belongs to, e.g. "addi a0,a0,1". Returns its length.
 */
int isa_disassemble(uint32_t word, unsigned xlen, uint64_t pc, char *text,
                    size_t size);

/* "alu", "load", "traceray", ... */
const char *isa_class_name(enum isa_class cls);

#endif
