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

/* NULL: shrinking has left the function out. */
struct section *program_function(struct program *p, unsigned i);

/* The prologue lies before the body, which begins at a multiple of 4. */
uint32_t program_entry(const struct program *p);

/* The text segment in memory to free, or NULL: too much of it. */
uint8_t *program_text(struct program *p, size_t *size);

/* The data area as the program finds it: what shrinking has cleared is 0. */
void program_data(const struct program *p, uint8_t data[DATA_SIZE]);

#endif
