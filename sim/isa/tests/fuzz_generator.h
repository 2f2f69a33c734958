/*
 * Inside the generator of random programs: its state, and what its files offer
 * each other.
 *   fuzz_emit.c        items and words, random choices, pieces of items
 *   fuzz_arithmetic.c  arithmetic, compressed instructions, CSRs, patches
 *   fuzz_memory.c      loads, stores, atomics
 *   fuzz_blocks.c      jumps, loops, blocks of items
 *   fuzz_generate.c    functions and the program
 */
#ifndef SIM_ISA_TESTS_FUZZ_GENERATOR_H
#define SIM_ISA_TESTS_FUZZ_GENERATOR_H

#include "sim/isa/rows.h"
#include "sim/isa/tests/fuzz.h"

/* Registers by their ABI names, the dynamic rounding mode, and limits that keep
 * a program's run short. */
enum {
    RA = 1,
    SP = 2,
    A0 = 10,
    A7 = 17,
    DYNAMIC = 7,
    GRANULE = 64,
    SPILL = DATA_SAVED + 8 * FUNCTIONS, /* doubles on their way to x, RV32 */
    MOST_REPEATS = 40,                  /* of a place in nested loops */
    MOST_CALL_COST = 3000,              /* instructions, with repeats */
    PENDING = 16,
};

enum { CSR_FFLAGS = 1, CSR_FRM = 2, CSR_FCSR = 3, CSR_CYCLE = 0xc00 };

/* What is done with a row: each kind has a function that generates it. */
enum kind { INTEGER, FLOAT, LOAD, STORE, ATOMIC, CSR, FENCE, BRANCH, KINDS };

/* Rows of one kind, from which one is picked at random. */
struct row_list {
    uint16_t rows[OP_ROWS];
    unsigned count;
};

/* What a caller has to know of a function. */
struct function {
    uint32_t clobbers; /* x registers, the link register too */
    unsigned link;
    uint64_t cost; /* instructions executed, at most */
    int32_t begin; /* item */
};

/* The state of generating one program, up to the place where it is. */
struct generator {
    struct random random;
    struct program *program;
    struct isa_profile profile;
    struct row_list lists[KINDS];
    struct function functions[FUNCTIONS];
    unsigned function_count; /* generated so far */
    uint32_t writable;       /* x registers that may be written here, and x0 */
    unsigned data, check;    /* data pointer, checksum */
    unsigned repeats;        /* of the current place, at most */
    uint64_t cost;           /* instructions executed so far, at most */
    uint32_t called; /* clobbers of functions called and words patched so far */
    unsigned depth;  /* of loops */
    int left;        /* main instructions still to be generated */
    unsigned hot;    /* offset of data that is accessed often */
};

/* Compressed jumps, without their offsets and registers. */
enum { C_J = 0xa001, C_JAL = 0x2001, C_JR = 0x8002, C_JALR = 0x9002 };

/* ---- fuzz_emit.c ---- */

/* What was begun or emitted last, and the number of the item that comes next.
 */
struct item *last_item(struct generator *g);
struct slot *last_slot(struct generator *g);
uint32_t next_item(const struct generator *g);

/* What is emitted from now on belongs to a new item. Returns its number. */
uint32_t begin_item(struct generator *g);

/* Likewise, an item of which no single word can be left out. */
void begin_whole_item(struct generator *g);

/* Adds a word to the last item. It is executed at most as often as this place
 * is. */
void emit(struct generator *g, uint32_t word);

/* A word whose offset is filled in when the program is written. */
void emit_linked(struct generator *g, uint32_t word, enum link link,
                 enum target target, uint32_t number);

/* As random_bits, random_below and random_once_in. */
uint64_t bits(struct generator *g);
unsigned below(struct generator *g, unsigned n);
bool once_in(struct generator *g, unsigned n);

/* A register that may be written, not x0 and not one of avoid. */
unsigned temporary(struct generator *g, uint32_t avoid);

/* A register to write, now and then x0, whose result is lost. */
unsigned destination(struct generator *g);

/* May all x registers of the mask be written here? */
bool may_write(const struct generator *g, uint32_t mask);

uint32_t bit(unsigned n);

/* Words by the manual's formats, from the row's fixed bits and the operands. */
uint32_t r_type(enum isa_op op, unsigned rd, unsigned rs1, unsigned rs2);
uint32_t i_type(enum isa_op op, unsigned rd, unsigned rs1, int imm);
uint32_t s_type(enum isa_op op, unsigned rs2, unsigned rs1, int imm);
uint32_t u_type(enum isa_op op, unsigned rd, uint32_t value);

/* The word with a register at a bit position: 7 rd, 15 rs1, 20 rs2, 27 rs3. */
uint32_t with_field(uint32_t word, unsigned position, unsigned reg);

/* The register at a bit position of the word. */
unsigned field(uint32_t word, unsigned position);

/* Loads and stores of a whole integer register. */
enum isa_op load_op(const struct generator *g);
enum isa_op store_op(const struct generator *g);

/* Bytes that a load or store accesses: bits 13 and 12 of all of them. */
unsigned access_size(uint32_t word);

/* A random row of a kind. */
const struct isa_row *any_row(struct generator *g, enum kind kind);

/* The row with random fields and a destination that may be written. */
uint32_t random_word(struct generator *g, const struct isa_row *row);

/* x[reg] = value, an address of the data area */
void emit_address(struct generator *g, unsigned reg, uint32_t value);

/* Likewise but for the low 12 bits, which are returned. */
int emit_address_high(struct generator *g, unsigned reg, uint32_t value);

/* x[reg] = value, from memory behind the code: addressed relative to the pc. */
void emit_literal(struct generator *g, unsigned reg, uint64_t value);

/* Likewise f[reg] = value, an f register of 64 bits. */
void emit_float_literal(struct generator *g, unsigned reg, uint64_t value);

/* An item that gives an integer register another value. */
void refresh(struct generator *g, unsigned reg);

/*
 * Likewise a floating-point register; flw of a double's half gives any single.
 */
void refresh_float(struct generator *g, unsigned reg);

/* An integer source: any register, or one with a value of its own. */
unsigned source(struct generator *g);

/* Mixes a register into the checksum, which is rotated now and then, so that
 * equal results do not cancel each other. */
void emit_fold(struct generator *g, unsigned reg);

/* Now and then items that fold a result into the checksum. */
void observe(struct generator *g, unsigned reg);

/* What the last word wrote. */
void observe_word(struct generator *g, uint32_t word);

/* ---- fuzz_arithmetic.c ---- */

/*
 * One integer instruction on sources of its choice, perhaps one register twice.
 */
void generate_integer(struct generator *g);

/* One floating-point instruction, mostly with its flags cleared before it and
 * read after it. */
void generate_float(struct generator *g);

/* A random compressed instruction that may stand here. */
void generate_compressed(struct generator *g);

/* An access to one of the CSRs that all executors have. */
void generate_csr(struct generator *g);

void generate_fence(struct generator *g);

/* Writes some data, so that it can be compared as it is here. */
void generate_write(struct generator *g);

/* An integer instruction of one source, with random fields. */
uint32_t random_plain_word(struct generator *g);

/* Changes an instruction before it is executed, or after, for the next time
 * that a loop comes by. fence.i makes the change visible. */
void generate_patch(struct generator *g);

/* ---- fuzz_memory.c ---- */

/*
 * Offset of an access in the data area: aligned, misaligned, across a boundary
 * of words, sectors, lines, pages; half of them close together.
 */
unsigned random_offset(struct generator *g, unsigned size, bool store);

/* A load, or a store with loads of what it has written. */
void generate_memory(struct generator *g);

/* An atomic, or a sequence with lr and sc. */
void generate_atomic(struct generator *g);

/* ---- fuzz_blocks.c ---- */

/* Generates `size` items, with what they contain. */
void generate_block(struct generator *g, unsigned size);

#endif
