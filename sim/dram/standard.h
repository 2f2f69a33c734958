/*
 * A DRAM standard as tables: its speed grades, and what has to wait for what.
 *
 * Cycles are written as text: sums of numbers, parameters and max(a,b), where
 * "7.5ns" is as many cycles as that takes, rounded up as the standard says:
 *
 *     floor((floor(ps * round_factor / tCK_ps) + round_add) / 1000)
 *
 * 1000 and 999 is the next cycle up; DDR4 (JESD79-4, rounding algorithms)
 * forgives 2.5 % of a cycle: 1000 and 974; DDR5 shortens times by 0.3 %: 997
 * and 1000.
 */
#ifndef SIM_DRAM_STANDARD_H
#define SIM_DRAM_STANDARD_H

#include "sim/dram/device.h"

/* After each command of a list each of the other has to wait. */
struct dram_rule_row {
    uint8_t level;
    const char *preceding, *following; /* "RD RDA" */
    const char *cycles;
    uint8_t window;
    bool sibling, added; /* as in struct dram_rule */
};

#define RULE(level, preceding, following, cycles)                              \
    {                                                                          \
        level, preceding, following, cycles, 1, false, false                   \
    }
/* Counted from the fourth most recent. */
#define FOURTH(level, preceding, following, cycles)                            \
    {                                                                          \
        level, preceding, following, cycles, 4, false, false                   \
    }
/* Between different units of the level. */
#define ACROSS(level, preceding, following, cycles)                            \
    {                                                                          \
        level, preceding, following, cycles, 1, true, false                    \
    }
/* What Ramulator 2 forgets; its streams do not come to it. */
#define ADDED(level, preceding, following, cycles)                             \
    {                                                                          \
        level, preceding, following, cycles, 1, false, true                    \
    }
#define ADDED_FOURTH(level, preceding, following, cycles)                      \
    {                                                                          \
        level, preceding, following, cycles, 4, false, true                    \
    }

struct dram_organisation {
    uint32_t channels; /* behind one port, as usually built */
    uint32_t pseudo, ranks, groups, banks;
    uint32_t rows, columns, transaction; /* as in struct dram_device */
};

struct dram_grade {
    const char *name;
    const struct dram_organisation *organisation;
    uint32_t clock_khz; /* of commands, exact */
    /* "name=cycles ..."; rate and tCK_ps come first. They go before those of
     * the standard, and instead of them. */
    const char *parameters;
};

struct dram_standard {
    const char *name;
    uint8_t refresh_scope;
    bool dual_bus;
    uint32_t round_factor, round_add;
    const char *parameters;
    const struct dram_rule_row *rules;
    unsigned rule_count;
    const struct dram_grade *grades;
    unsigned grade_count;
};

/* Sets TABLE and its count in an initializer: DRAM_TABLE(rule, rules). */
#define DRAM_TABLE(field, table)                                               \
    .field##s = table, .field##_count = sizeof(table) / sizeof *(table)

extern const struct dram_standard dram_ddr4, dram_ddr5, dram_gddr6,
    dram_gddr6_ramulator20, dram_gddr6x, dram_hbm2, dram_hbm2_ramulator20,
    dram_lpddr5;

#endif
