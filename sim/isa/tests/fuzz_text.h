/*
 * Inside of writing programs: a program as the bytes that lie in memory
 * (fuzz_text.c), which are written as files (fuzz_write.c).
 */
#ifndef SIM_ISA_TESTS_FUZZ_TEXT_H
#define SIM_ISA_TESTS_FUZZ_TEXT_H

#include "sim/isa/rows.h"
#include "sim/isa/tests/fuzz.h"

static inline bool is_compressed(uint32_t word)
{
    return (word & 3) != 3;
}

/* ---- words of the fixed parts, before and after the items ---- */

enum { SYS_WRITE = 64, SYS_EXIT = 93, A0 = 10, A7 = 17, T0 = 5, T1 = 6 };
enum { FCSR = 3, INSTRET = 0xc02, INSTRETH = 0xc82, STDOUT = 1 };
enum { WORDS_ROOM = 112 };

struct words {
    uint32_t word[WORDS_ROOM];
    unsigned count;
};

static inline void add(struct words *words, uint32_t word)
{
    words->word[words->count++] = word;
}

/* I-type: loads, and whatever else has an immediate of 12 bits. */
static inline uint32_t load(enum isa_op op, unsigned rd, unsigned base,
                            int offset)
{
    return isa_rows[op].match | rd << 7 | base << 15 | (uint32_t)offset << 20;
}

/* S-type: the immediate lies in two parts. */
static inline uint32_t store(enum isa_op op, unsigned rs2, unsigned base,
                             int offset)
{
    uint32_t u = (uint32_t)offset;
    return isa_rows[op].match | rs2 << 20 | base << 15 | (u >> 5 & 127) << 25 |
           (u & 31) << 7;
}

static inline void add_address(struct words *words, unsigned rd, uint32_t value)
{
    add(words,
        isa_rows[OP_lui].match | rd << 7 | ((value + 0x800) & 0xfffff000));
    add(words, load(OP_addi, rd, rd, (int)(value << 20) >> 20));
}

/* A system call with one argument that is a constant; the others are set
 * before. */
static inline void add_call(struct words *words, unsigned number, unsigned a0)
{
    add(words, load(OP_addi, A0, 0, (int)a0));
    add(words, load(OP_addi, A7, 0, (int)number));
    add(words, isa_rows[OP_ecall].match);
}

/* A register's place in the data, as seen from the data register. */
static inline int data_offset(unsigned area, unsigned index)
{
    return (int)(area + 8 * index) - DATA_POINTER;
}

/* The register, or the next one if it is that of the data. */
static inline unsigned free_register(const struct program *p, unsigned n)
{
    return n + (p->data_register >= T0 && p->data_register <= n);
}

/* ---- fuzz_lanes.c ---- */

/* The hart takes the next area, or waits for the end. */
void add_lane_start(struct words *words, const struct program *p);
/* Registers are stored: on to the next area, or all are written. */
void add_lane_end(struct words *words, const struct program *p);

/* A lane's data area as the program finds it. */
void program_lane_data(const struct program *p, unsigned lane,
                       uint8_t data[DATA_SIZE]);

/* ---- fuzz_text.c ---- */

/* NULL: shrinking has left the function out. */
struct section *program_function(struct program *p, unsigned i);

/* The prologue lies before the body, which begins at a multiple of 4. */
uint32_t program_entry(const struct program *p);

/* The text segment in memory to free, or NULL: too much of it. */
uint8_t *program_text(struct program *p, size_t *size);

/* The data area as the program finds it: what shrinking has cleared is 0. */
void program_data(const struct program *p, uint8_t data[DATA_SIZE]);

#endif
