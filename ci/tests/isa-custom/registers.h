/*
 * Sequences of one to four custom instruction words with random registers,
 * executed with random contents of all registers. A sequence follows from the
 * seed and its number.
 */
#ifndef ISA_CUSTOM_REGISTERS_H
#define ISA_CUSTOM_REGISTERS_H

#include "values.h"
#include <corbel/corbel.h>

/* All registers of a hart; enter.S knows the offsets. */
struct registers {
    uint64_t x[32]; /* zero-extended from XLEN */
    uint64_t f[32];
    uint64_t fcsr;
    uint64_t cause; /* mcause if a word was illegal, else 0 */
    uint64_t own;   /* enter.S keeps its stack pointer here */
};
enum { REGISTERS_COMPARED = 66 }; /* 64-bit words, to cause */

enum { SEQUENCE_MOST = 4 };
struct sequence {
    unsigned count;
    uint32_t words[SEQUENCE_MOST];
};

void sequence_make(struct sequence *q, uint32_t seed, uint32_t number);
/* The registers before it. */
void sequence_registers(struct registers *r, const struct sequence *q,
                        uint32_t seed, uint32_t number,
                        const struct corbel_scene *scene);

/* The assembly source of sequences 0 .. count - 1, on stdout. */
void sequences_write(uint32_t seed, uint32_t count);

#ifdef __riscv
/* Made by sequences_write(). */
extern const uint32_t sequence_count;
extern const void *const sequence_code[];

/* Executes the code, which jumps to registers_leave, with these registers. */
void registers_enter(struct registers *r, const void *code);
#else
/* What the target should make of them. */
void sequence_model(struct registers *r, const struct sequence *q);
#endif

#endif
