/*
 * Random programs that compare executors: what a program is, and the steps
 * that make, write, run, compare and shrink one.
 *
 * A program is a list of items, an item a few instruction words (slots) that
 * belong together. Words refer to items, literals and data by number; only
 * writing the program turns that into offsets. So any item or word can be
 * left out, and any value be zero, at any time: each has a flag `kept`, and
 * shrinking a program is clearing flags.
 *
 * A program begins with every register loaded from the data area, and ends
 * with every register stored there and the whole area written to file
 * descriptor 1.
 *
 * A program with lanes has a data area for each of them, and does all of this
 * as often (fuzz_lanes.c): harts take the areas one by one, and whichever ends
 * the last one writes them all.
 */
#ifndef SIM_ISA_TESTS_FUZZ_H
#define SIM_ISA_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- random numbers and awkward values (fuzz_values.c) ---- */

/* A generator of random numbers: a program is made of its seed alone, on any
 * host. */
struct random {
    uint64_t state;
};

uint64_t random_bits(struct random *r);
/* 0 .. n - 1 */
unsigned random_below(struct random *r, unsigned n);
/* True once in n times. */
bool random_once_in(struct random *r, unsigned n);

uint64_t value_integer(struct random *r);
uint32_t value_single(struct random *r);
uint64_t value_double(struct random *r);
/* A double, or a single, now and then with a wrong upper half. */
uint64_t value_float(struct random *r);
/* A single, now and then with a wrong upper half. */
uint64_t value_boxed(struct random *r);

/*
 * Sources of a floating-point instruction that are awkward together: sums that
 * cancel, products halfway between two numbers, limits of conversions. row: a
 * number of isa_rows.
 */
void value_operands(struct random *r, unsigned row, uint64_t values[3]);

/* ---- programs (fuzz_generate.c) ---- */

enum {
    TEXT_ADDRESS = 0x10000,
    DATA_ADDRESS = 0x400000,
    TEXT_LIMIT = DATA_ADDRESS - TEXT_ADDRESS,
    DATA_SIZE = 8192,
    /* What lies where in the data area. */
    DATA_X = 0,          /* 32 x 8 bytes: x at first, x at the end */
    DATA_F = 256,        /* 32 x 8 bytes */
    DATA_FCSR = 512,     /* 4 bytes */
    DATA_INSTRET = 520,  /* 8 bytes */
    DATA_SAVED = 544,    /* link registers of functions, 8 bytes each */
    DATA_POOL = 640,     /* awkward values that no program overwrites */
    DATA_SCRATCH = 1664, /* from here on stores go anywhere */
    DATA_POINTER = 2048, /* where the data register points to */
    DATA_BLOCK = 64,     /* bytes with one flag kept */
    FUNCTIONS = 4,
    MOST_LANES = 64,
};

/* What a word lacks until addresses are known. */
enum link {
    LINK_NONE,
    LINK_JUMP,     /* jal, c.j, c.jal */
    LINK_BRANCH,   /* conditional branches of either length */
    LINK_HIGH,     /* upper 20 bits of an offset from here: auipc */
    LINK_LOW_LOAD, /* low 12 bits of the same offset; LINK_HIGH is the nearest
                      before with this target */
    LINK_LOW_STORE,
};

enum target {
    TO_ITEM,    /* number: an item, or the next one that is there */
    TO_LITERAL, /* number: a literal */
    TO_DATA,    /* number: offset into the data area */
};

/* An instruction word and what is still missing in it. */
struct slot {
    uint32_t word;
    uint32_t number;
    uint8_t link, target;
    bool low_bit; /* one more than the target: jalr ignores it */
    bool kept;
    uint32_t filler; /* bytes of zeros, not 0: this is no instruction */
    uint32_t length; /* bytes once written; grows where a target is too far */
    uint32_t address;
};

struct item {
    uint32_t first, count; /* slots */
    int32_t needs;         /* an item without which this is left out, or -1 */
    bool whole;            /* its words make sense together only */
    bool kept;
};

struct literal {
    uint64_t value;
    bool kept; /* else 0 */
};

/* Items that follow each other in memory. */
struct section {
    uint32_t begin, end;
    uint32_t address, end_address;
};

/* A generated program, before it has addresses. Flags `kept` are what shrinking
 * clears: all else stays as it was generated. */
struct program {
    unsigned xlen;
    uint64_t seed;
    unsigned lanes; /* data areas of harts that go on together, 0: one hart */
    unsigned data_register;
    struct slot *slots;
    size_t slot_count, slot_room;
    struct item *items;
    size_t item_count, item_room;
    struct literal *literals;
    size_t literal_count, literal_room;
    struct section functions[FUNCTIONS], body;
    uint32_t literals_address;
    uint8_t data[DATA_SIZE];
    bool data_kept[DATA_SIZE / DATA_BLOCK]; /* else 0; not of registers */
    bool x_kept[32], f_kept[32];            /* else 0 */
    bool patches;                           /* it stores to its own code */
};

/* A program of about count instructions besides those that set them up, for as
 * many lanes, 0: one hart. */
void program_generate(struct program *program, unsigned xlen, uint64_t seed,
                      unsigned count, unsigned lanes);
/* Bytes of its data areas. */
size_t program_data_bytes(const struct program *program);
void program_free(struct program *program);

/* Is the item written, with the items that it needs? */
bool item_present(const struct program *program, size_t item);

/* Rows of the table that programs have, and those that none may have. */
bool row_generated(unsigned row, unsigned xlen);

/* ---- writing programs (fuzz_write.c) ---- */

/* Writes a static ELF file. False: errno. */
bool program_write_elf(struct program *program, const char *name);
/* Assembly, with the values that registers and literals have. */
void program_write_listing(struct program *program, FILE *file);
/* Instructions between set-up and dump. */
unsigned program_instructions(const struct program *program);

/* ---- running and comparing (fuzz_run.c) ---- */

/* From TOGETHER on: of programs with lanes. */
enum executor {
    QEMU,
    RUN,
    STEP,
    FUNCTIONAL,
    TIMED,
    TOGETHER, /* sim-run --functional, harts in turn */
    MIN_SP_PC,
    INDEPENDENT,
    IPDOM,
    EXECUTORS
};

/* What one run of an executor left. bytes is grown as needed and may be used
 * again. */
struct output {
    uint8_t *bytes;
    size_t size, room;
    size_t data;         /* bytes of the program's data areas */
    int64_t limit_ms;    /* how long it may take */
    char complaint[256]; /* first line on stderr */
    int status;          /* exit status, 128 + signal, or -1: took too long */
};

/* Runs an ELF file; build: the folder that our executors are in. */
void executor_run(enum executor executor, unsigned xlen, const char *build,
                  const char *elf, uint64_t seed, struct output *output);
const char *executor_name(enum executor executor);
/* The command line, for people. */
void executor_print(enum executor executor, unsigned xlen, const char *build,
                    const char *elf, uint64_t seed, FILE *file);

/* The data areas at the end, or NULL: the program did not get there. */
uint8_t *output_data(const struct output *output);
/* Of all areas. */
uint64_t output_instret(const struct output *output);

/*
 * The first difference in words. False: none. Instructions retired are compared
 * only where with_instret says so, because qemu does not count them.
 */
bool output_differs(const struct output *expected, const struct output *found,
                    unsigned xlen, bool with_instret, char *text, size_t size);
/* Registers and memory as lines of text. */
void output_print(const struct output *output, unsigned xlen, FILE *file);

/* ---- shrinking (fuzz_shrink.c) ---- */

/* Does the program still fail? */
typedef bool shrink_test(void *context, struct program *program);
void program_shrink(struct program *program, shrink_test *fails, void *context);

#endif
