/*
 * The rows of isa/xtrav.def with what the tests do with each, by its shape. A
 * new row of a known shape needs nothing here.
 */
#ifndef ISA_CUSTOM_ROWS_H
#define ISA_CUSTOM_ROWS_H

#include "operands.h"

struct registers;

struct row {
    const char *mnemonic, *letters;
    uint32_t match, mask;
    enum shape shape;
    /* Executes the instruction by corbel_<id>(). */
    void (*run)(const struct operands *o, uint32_t *result);
    /* The same by corbel_sem_<id>(), compiled for here; NULL if there is none.
     */
    void (*function)(const struct operands *o, uint32_t *result);
#ifndef __riscv
    /* What it does to all registers, by the native corbel_<id>(). */
    void (*model)(struct registers *r, uint32_t word);
#endif
};

extern const struct row rows[];
extern const unsigned row_count;

/* XLEN of what is tested: a target's own; natively that of the expectation. */
extern unsigned xlen;

/* The row that this instruction word is one of, NULL: none, illegal. */
const struct row *row_of(uint32_t word);

#endif
