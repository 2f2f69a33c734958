/*
 * Writes a random program in assembly, for comparing executors: it loads all
 * registers and a data area with awkward values, runs straight-line code that
 * contains any row of rv.def and rvc.def with random operands, and at the end
 * writes the registers, fcsr and the data area to file descriptor 1.
 *
 *   isa-random-program SEED XLEN COUNT >program.s
 *
 * x31 points to the middle of the data area throughout and is neither changed
 * nor written out. Instructions are emitted as numbers, so that no assembler
 * stands between the table and the program; only jumps and branches, which
 * skip the instruction after them, are left to the assembler.
 */
#include "sim/isa/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA = 31, DATA_WORDS = 512 };

struct generator {
    uint64_t state;
    unsigned xlen;
};

/* splitmix64 */
static uint64_t next(struct generator *g)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static unsigned below(struct generator *g, unsigned n)
{
    return (unsigned)(next(g) % n);
}

static uint64_t integer_value(struct generator *g)
{
    static const uint64_t awkward[] = {
        0,          1,          UINT64_MAX, INT64_MAX,  1ull << 63, INT32_MAX,
        1ull << 31, UINT32_MAX, 1ull << 32, 0x80,       0x7fff,     -1ull << 31,
        63,         64,         0x5555,     0xff00ff00,
    };
    unsigned kind = below(g, 4);
    if (kind < 2)
        return awkward[below(g, sizeof awkward / sizeof *awkward)];
    return kind == 2 ? next(g) >> below(g, 64) : next(g);
}

static uint64_t single_value(struct generator *g)
{
    static const uint32_t awkward[] = {
        0x00000000, 0x3f800000, 0x40000000, 0x7f800000, 0x7fc00000, 0x7f800001,
        0x7fffffff, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x7f7fffff,
        0x4f000000, 0x4effffff, 0x4f800000, 0x5f000000, 0x5f800000, 0x3f000000,
        0x3fc00000, 0x4b000000, 0x4b7fffff, 0x33800000, 0x34000000, 0x1f800000,
        0x20000000, 0x00000003, 0x3effffff, 0x3f7fffff, 0x40490fdb, 0x3eaaaaab,
    };
    uint64_t value = (uint32_t)next(g);
    if (below(g, 4))
        value = awkward[below(g, sizeof awkward / sizeof *awkward)];
    else if (below(g, 2))
        value = 0x3f000000 + (value & 0x01ffffff); /* near 1 */
    value ^= below(g, 2) ? 0x80000000 : 0;
    return 0xffffffff00000000 | value;
}

static uint64_t double_value(struct generator *g)
{
    static const uint64_t awkward[] = {
        0x0000000000000000, 0x3ff0000000000000, 0x7ff0000000000000,
        0x7ff8000000000000, 0x7ff0000000000001, 0x0000000000000001,
        0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001,
        0x7fefffffffffffff, 0x41e0000000000000, 0x41dfffffffc00000,
        0x43e0000000000000, 0x43efffffffffffff, 0x43f0000000000000,
        0x3fe0000000000000, 0x3ff8000000000000, 0x47efffffe0000000,
        0x47effffff0000000, 0x380fffffffffffff, 0x3690000000000000,
        0x36a0000000000000, 0x3ff0000010000000, 0x3ff0000030000000,
        0x1ff0000000000000, 0x3cb0000000000000, 0x3fd5555555555555,
    };
    uint64_t value = next(g);
    if (below(g, 4))
        value = awkward[below(g, sizeof awkward / sizeof *awkward)];
    else if (below(g, 2))
        value = 0x3fe0000000000000 + (value & 0x003fffffffffffff);
    return value ^ (below(g, 2) ? 1ull << 63 : 0);
}

static uint64_t float_value(struct generator *g)
{
    return below(g, 2) ? single_value(g) : double_value(g);
}

static uint64_t any_value(struct generator *g)
{
    return below(g, 3) ? float_value(g) : integer_value(g);
}

static void emit(uint32_t word)
{
    printf((word & 3) == 3 ? "\t.4byte 0x%08" PRIx32 "\n"
                           : "\t.2byte 0x%04" PRIx32 "\n",
           word);
}

/* rd = x31 + offset, |offset| < 2048 */
static void emit_pointer(unsigned rd, int offset)
{
    printf("\taddi x%u, x%u, %d\n", rd, DATA, offset);
}

static int data_offset(struct generator *g)
{
    int offset = (int)below(g, 4080) - 2040;
    return below(g, 4) ? offset & ~7 : offset;
}

static uint32_t with_register(uint32_t word, unsigned position, unsigned reg)
{
    return (word & ~(31u << position)) | reg << position;
}

static void emit_access(struct generator *g, const struct isa_row *row,
                        uint32_t word)
{
    uint32_t offset = (uint32_t)data_offset(g);
    word = with_register(word, 15, DATA);
    if (row->cls == ISA_CLASS_load)
        word = (word & 0xfffff) | offset << 20;
    else
        word =
            (word & 0x1fff07f) | (offset >> 5 & 127) << 25 | (offset & 31) << 7;
    emit(word);
}

/* An sc succeeds after the lr before it, and fails once used up. */
static void emit_atomic(struct generator *g, uint32_t word)
{
    const uint32_t LR_W = 0x1000202f, SC_W = 0x1800202f, FUNCTIONS = 0xf800007f;
    unsigned pointer = 30;
    uint32_t lr = (word & 0x7000) | (LR_W & ~0x7000) | pointer << 15 | 5 << 7;
    emit_pointer(pointer, data_offset(g) & ~7);
    word = with_register(word, 15, pointer);
    if ((word >> 7 & 31) == pointer) /* lr must leave it to the sc after it */
        word = with_register(word, 7, 5);
    if ((word & FUNCTIONS) == (SC_W & FUNCTIONS) && below(g, 3))
        emit(lr);
    emit(word);
    if ((word & FUNCTIONS) == (LR_W & FUNCTIONS))
        emit(with_register((word & 0x7000) | (SC_W & ~0x7000), 15, pointer));
}

static void emit_csr(struct generator *g, uint32_t word)
{
    enum { FFLAGS = 1, FRM = 2, FCSR = 3 };
    unsigned csr = FFLAGS + below(g, 3);
    if (csr != FFLAGS) /* legal rounding modes only */
        word = csr == FRM ? 0x00205073u | below(g, 5) << 15 | (word & 0xf80)
                          : 0x00302073u | (word & 0xf80);
    emit((word & 0xfffff) | csr << 20);
}

static bool is_used(const struct isa_row *row, unsigned xlen)
{
    bool control = row->cls == ISA_CLASS_branch || row->cls == ISA_CLASS_jump ||
                   row->cls == ISA_CLASS_system || row->cls == ISA_CLASS_fence;
    /* qemu 7.2 looks at the upper half of ctzw's operand. */
    return row->match > 1 && row != &isa_rows[OP_ctzw] &&
           row->shape == SHAPE_base && !control &&
           (!row->xlen || row->xlen == xlen);
}

static void emit_base(struct generator *g)
{
    const struct isa_row *row;
    do
        row = &isa_rows[below(g, OP_ROWS)];
    while (!is_used(row, g->xlen));
    uint32_t word = ((uint32_t)next(g) & ~row->mask) | row->match;
    if ((word >> 7 & 31) == DATA)
        word ^= 1 << 7;
    if (strchr(row->operands, 'm')) {
        static const uint32_t modes[] = {7, 7, 7, 0, 1, 2, 3, 4};
        word = (word & ~0x7000u) | modes[below(g, 8)] << 12;
    }
    if (g->xlen == 32 && strchr(row->operands, '>'))
        word &= ~(1u << 25);
    if (row->cls == ISA_CLASS_load || row->cls == ISA_CLASS_store)
        emit_access(g, row, word);
    else if (row->cls == ISA_CLASS_amo)
        emit_atomic(g, word);
    else if (strchr(row->operands, 'E'))
        emit_csr(g, word);
    else
        emit(word);
}

/* Any legal compressed instruction except jumps, branches, and ebreak. */
static void emit_compressed(struct generator *g)
{
    struct isa_insn insn;
    struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)g->xlen};
    do {
        isa_decode((uint32_t)next(g) & 0xffff, &profile, &insn);
    } while (insn.len != 2 || !insn.writes == (insn.cls != ISA_CLASS_store) ||
             insn.cls == ISA_CLASS_system || insn.cls == ISA_CLASS_branch ||
             insn.cls == ISA_CLASS_jump || insn.writes >> DATA & 1);
    if (insn.cls == ISA_CLASS_load || insn.cls == ISA_CLASS_store)
        emit_pointer(insn.rs1, data_offset(g) & ~7 & 1023);
    emit(insn.raw);
}

static void emit_any(struct generator *g)
{
    if (below(g, 4))
        emit_base(g);
    else
        emit_compressed(g);
}

static void emit_jump(struct generator *g)
{
    static const char *const branches[] = {"beq", "bne",  "blt",
                                           "bge", "bltu", "bgeu"};
    unsigned a = below(g, 31), b = below(g, 3) ? below(g, 31) : 0;
    switch (below(g, 8)) {
    case 0:
        printf("\tj 1f\n");
        break;
    case 1:
        printf("\tjal x%u, 1f\n", a);
        break;
    case 2:
        printf("\tla x30, 1f\n\tjalr x%u, 0(x30)\n", below(g, 2));
        break;
    default:
        printf("\t%s x%u, x%u, 1f\n", branches[below(g, 6)], a, b);
    }
    emit_any(g);
    printf("1:\n");
}

static void emit_code(struct generator *g, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (below(g, 12) == 0)
            emit_jump(g);
        else
            emit_any(g);
    }
}

static void emit_prologue(const struct generator *g)
{
    const char *load = g->xlen == 64 ? "ld" : "lw";
    /* No relaxation: it would take gp for the data pointer. */
    printf("\t.option norelax\n\t.globl _start\n_start:\n\tla x31, initial\n");
    for (int i = 0; i < 32; i++)
        printf("\tfld f%d, %d(x31)\n", i, 8 * i);
    for (int i = 1; i < 31; i++)
        printf("\t%s x%d, %d(x31)\n", load, i, 256 + 8 * i);
    printf("\tla x31, data + %d\n", 8 * DATA_WORDS / 2);
}

static void emit_epilogue(const struct generator *g)
{
    const char *store = g->xlen == 64 ? "sd" : "sw";
    printf("\tla x31, dump\n");
    for (int i = 0; i < 32; i++)
        printf("\tfsd f%d, %d(x31)\n", i, 8 * i);
    for (int i = 1; i < 31; i++)
        printf("\t%s x%d, %d(x31)\n", store, i, 256 + 8 * i);
    printf("\tfrcsr x5\n\tsw x5, 256(x31)\n"
           "\tli a0, 1\n\tmv a1, x31\n\tli a2, %d\n\tli a7, 64\n\tecall\n"
           "\tli a0, 0\n\tli a7, 93\n\tecall\n",
           512 + 8 * DATA_WORDS);
}

static void emit_data(struct generator *g)
{
    printf("\t.data\n\t.balign 8\ninitial:\n");
    for (int i = 0; i < 32; i++)
        printf("\t.8byte 0x%016" PRIx64 "\n", float_value(g));
    for (int i = 0; i < 32; i++)
        printf("\t.8byte 0x%016" PRIx64 "\n", integer_value(g));
    printf("dump:\n\t.zero 512\ndata:\n");
    for (int i = 0; i < DATA_WORDS; i++)
        printf("\t.8byte 0x%016" PRIx64 "\n", any_value(g));
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s SEED XLEN COUNT >program.s\n", argv[0]);
        return 2;
    }
    struct generator g = {strtoull(argv[1], NULL, 0),
                          (unsigned)strtoul(argv[2], NULL, 0)};
    emit_prologue(&g);
    emit_code(&g, (unsigned)strtoul(argv[3], NULL, 0));
    emit_epilogue(&g);
    emit_data(&g);
    return 0;
}
