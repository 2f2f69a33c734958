/*
 * Instruction words of several kinds, on which two readers of instructions are
 * compared.
 */
#ifndef SIM_ISA_TESTS_WORDS_H
#define SIM_ISA_TESTS_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* The words w with (w & mask) == match. */
struct pattern {
    uint32_t match, mask;
};

/* The first bits of an instruction of more than 32 bits. */
static inline bool is_long(uint32_t word)
{
    return (word & 0x1f) == 0x1f;
}

/*
 * Writes words as raw bytes on stdout. kind:
 *
 *   compressed  all 16-bit instructions
 *   system      all values of the upper 12 bits of fences, CSR accesses and the
 *               other instructions of opcode SYSTEM
 *   rows        count for each row of rv.def, xtrav.def and alias.def, their
 *               operands often 0, 1, all ones, or the same register
 *   near        count that have some of the fixed bits of a row
 *   uniform     count random 32-bit instructions
 *   stream      count random words, as instructions of any length
 *
 * Returns an exit status: 0, or 2 with a line on stderr.
 */
int words_write(const char *kind, uint64_t seed, unsigned long count);

#endif
