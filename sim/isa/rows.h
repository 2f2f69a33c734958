/*
 * The instruction table as data, private to sim/isa: rv.def, then the custom
 * rows of sdk/isa/xtrav.def. isa_insn.op is a row's number for RV64, and the
 * row's number + OP_ROWS for RV32, so that every op knows its XLEN.
 *
 * Operand letters (those of binutils, so that both tables read alike):
 *   d s t      integer rd, rs1, rs2        D S T R   floating rd, rs1, rs2, rs3
 *   j o        I-type immediate            q         S-type immediate
 *   u          upper immediate             p a       branch, jal target
 *   > <        6-bit, 5-bit shift amount   m         rounding mode
 *   E Z        CSR, 5-bit immediate        P Q       fence sets
 * Anything else stands for itself.
 */
#ifndef SIM_ISA_ROWS_H
#define SIM_ISA_ROWS_H

#include "sim/isa/isa.h"

enum isa_op {
    OP_illegal, /* 0, so that cleared memory holds instructions that fault */
#define RV(id, ...) OP_##id,
#include "sim/isa/rv.def"
#define XTRAV(id, ...) OP_custom_##id,
#include "sdk/isa/xtrav.def"
#undef XTRAV
    OP_ROWS
};

enum isa_shape {
    SHAPE_base, /* a row of rv.def: no implicit registers */
#define XTRAV_SHAPE(shape, ...) SHAPE_##shape,
#include "sdk/isa/shapes.def"
#undef XTRAV_SHAPE
};

struct isa_row {
    const char *name; /* "" for encodings that no assembler writes */
    const char *operands;
    uint32_t match, mask;
    uint8_t cls;       /* enum isa_class */
    uint8_t xlen;      /* 0: both */
    uint8_t extension; /* enum isa_extension, ISA_EXT_i: always there */
    uint8_t shape;     /* enum isa_shape */
};

/* How many registers the letters of a literal say that operands read; there are
 * no more than ISA_READS - 1. */
#define ROW_HAS(operands, letter) (__builtin_strchr(operands, letter) != NULL)
#define ROW_READS(operands)                                                    \
    (unsigned char)(ROW_HAS(operands, 's') + ROW_HAS(operands, 't') +          \
                    ROW_HAS(operands, 'S') + ROW_HAS(operands, 'T') +          \
                    ROW_HAS(operands, 'R'))

/* Indexed by enum isa_op; row OP_illegal matches nothing. */
extern const struct isa_row isa_rows[OP_ROWS];

/* How a word is written: its row, or the row of its compressed form. */
struct isa_form {
    const char *name, *operands;
};

/*
 * Row and fields of a word, without asking whether operand values are legal;
 * masks and class are not filled in, op has no XLEN offset. OP_illegal: none.
 */
enum isa_op isa_match(uint32_t word, unsigned xlen, struct isa_insn *insn,
                      struct isa_form *form);

#endif
