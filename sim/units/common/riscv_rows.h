/*
 * Rows of tables that the kinds of RISC-V cores share (riscv_core.h): their
 * PARAM_STRUCT has extension[], latency[] and unit[], their STAT_STRUCT
 * of_class[].
 */
#ifndef SIM_RISCV_ROWS_H
#define SIM_RISCV_ROWS_H

#include "sim/isa/isa.h"

/* clang-format off */
#define RISCV_EXTENSION_ROW(name, needs, meaning)                              \
    {"ext_" #name, 1, 0, 1, "0 or 1", "ISA extension: " meaning,               \
     offsetof(PARAM_STRUCT, extension[ISA_EXT_##name]), NULL, false},
#define RISCV_LATENCY_ROW(name, meaning)                                       \
    {#name "_latency", 1, 1, 1000, "cycles", meaning,                          \
     offsetof(PARAM_STRUCT, latency[ISA_CLASS_##name]), NULL, false},
#define RISCV_UNIT_ROW(name, preset, greatest, names, meaning)                 \
    {#name "_unit", preset, 0, greatest, names, meaning,                       \
     offsetof(PARAM_STRUCT, unit[ISA_CLASS_##name]), NULL, false},
#define RISCV_ISSUE_ROW(name, meaning)                                         \
    {"issue_" #name, "instructions", meaning,                                  \
     offsetof(STAT_STRUCT, of_class[ISA_CLASS_##name])},
/* clang-format on */

#endif
