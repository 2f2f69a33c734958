/*
 * What a process of isa-fuzz did, and which instructions its programs had: rows
 * in all their variants, and compressed words.
 */
#ifndef SIM_ISA_TESTS_FUZZ_TALLY_H
#define SIM_ISA_TESTS_FUZZ_TALLY_H

#include "sim/isa/rows.h"
#include "sim/isa/tests/fuzz.h"

enum { WIDTHS = 2 }; /* RV32 and RV64, in this order */

/* What a process did; in memory shared with its parent. */
struct tally {
    uint64_t programs, timed, instructions, failures;
    /* Variants of a row that were generated: rounding modes, aq and rl. */
    uint8_t variants[WIDTHS][OP_ROWS];
    bool compressed[WIDTHS][1 << 16];
};

/* Notes what was generated, executed or not. A compressed word counts as
 * itself. */
void tally_words(struct tally *tally, const struct program *p);

/* Adds what a process did to a sum. */
void tally_add(struct tally *sum, const struct tally *part);

/* Were all rows of the XLEN generated in all variants? Says which are missing.
 */
bool tally_complete(const struct tally *tally, unsigned xlen);

/* Different compressed words of a width, 0 or 1. */
unsigned tally_compressed(const struct tally *tally, unsigned width);

#endif
