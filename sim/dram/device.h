/*
 * A DRAM device, resolved to numbers: how a channel is divided, and after
 * which command which other has to wait how long.
 *
 * A channel is a tree: pseudo-channels, ranks, bank groups, banks; a level
 * that a standard does not have has one unit and no rules. Rows and columns
 * are addresses within a bank. One column holds one transaction, the bytes of
 * one RD or WR.
 *
 * The standards are tables, one file each (ddr4.c, gddr6.c, ...): parameters
 * of the speed grades, and rules whose cycles are sums of parameters. A folder
 * with timing.csv, organisation.csv and constraints.csv gives the same struct
 * (folder.h). Cycles are those of the device's command clock.
 */
#ifndef SIM_DRAM_DEVICE_H
#define SIM_DRAM_DEVICE_H

#include "sim/core/error.h"
#include "sim/dram/devices.def"
#include <stdbool.h>
#include <stdint.h>

/* Levels of the tree, from the root, then the address within a bank. */
enum dram_level {
    DRAM_CHANNEL,
    DRAM_PSEUDO,
    DRAM_RANK,
    DRAM_GROUP,
    DRAM_BANK,
    DRAM_LEVELS,
    DRAM_ROW = DRAM_LEVELS,
    DRAM_COLUMN,
    DRAM_FIELDS
};

/* X(command, name, meaning); devices may print another name (PREpb, ACT1). */
#define DRAM_COMMANDS(X)                                                       \
    X(ACT, "ACT", "open a row; the first half where it takes two commands")    \
    X(ACT2, "ACT2", "second half of an activation (LPDDR5)")                   \
    X(PRE, "PRE", "close a bank")                                              \
    X(PREA, "PREA", "close all banks of the refresh scope")                    \
    X(RD, "RD", "read a transaction")                                          \
    X(WR, "WR", "write a transaction")                                         \
    X(RDA, "RDA", "read, then close the bank")                                 \
    X(WRA, "WRA", "write, then close the bank")                                \
    X(CAS_RD, "CAS_RD", "synchronise the data clock for reads (LPDDR5)")       \
    X(CAS_WR, "CAS_WR", "synchronise the data clock for writes (LPDDR5)")      \
    X(REFAB, "REFab", "refresh all banks of the scope")                        \
    X(REFPB, "REFpb", "refresh one bank")                                      \
    X(REFSB, "REFsb", "refresh one bank of each bank group (DDR5)")

#define DRAM_COMMAND_ENUM(command, name, meaning) DRAM_##command,
enum dram_command { DRAM_COMMANDS(DRAM_COMMAND_ENUM) DRAM_COMMAND_COUNT };
#undef DRAM_COMMAND_ENUM

/*
 * After `preceding` in a unit of the level, `following` in the same unit waits
 * `cycles`, counted from the window-th most recent one (tFAW: 4). sibling: in
 * the other units of that level under the same parent instead.
 */
#define DRAM_RULE_CYCLES_MOST ((1 << 23) - 1)
struct dram_rule {
    uint8_t level, preceding, following;
    uint8_t window;
    bool sibling;
    bool added; /* the reference lacks it */
    int32_t cycles;
};

/* A parameter as it was resolved, named as in the standards' tables. */
struct dram_parameter {
    char name[16];
    int64_t value; /* cycles, but rate (Mbit/s of a pin) and tCK_ps */
};

/* How the two or more commands of one access go together; 0 where a standard
 * does not know it. */
struct dram_device {
    char name[48];                /* "gddr6-14000" */
    char standard[16];            /* "GDDR6" */
    uint32_t units[DRAM_LEVELS];  /* under one parent; of the channel: 1 */
    uint32_t channels;            /* behind one port, as usually built */
    uint32_t rows, columns;       /* of a bank; columns in transactions */
    uint32_t transaction;         /* bytes of one RD or WR, a power of two */
    uint32_t tck_ps;              /* nominal period of the command clock */
    uint32_t clock_khz;           /* the clock of the speed grade, exact */
    bool has[DRAM_COMMAND_COUNT]; /* commands that the device knows */
    char command_name[DRAM_COMMAND_COUNT][8];
    /* Level that a refresh of all banks is about: rank, pseudo-channel or
     * channel. */
    uint8_t refresh_scope;

    /* Cycles. */
    uint32_t burst;            /* data bus, for one RD or WR (nBL) */
    uint32_t read_latency;     /* RD to the end of its data (nCL + nBL) */
    uint32_t write_latency;    /* WR to the end of its data (nCWL + nBL) */
    uint32_t refresh_interval; /* nREFI, between refreshes of a bank */
    uint32_t refresh_cycles;   /* nRFC */
    uint32_t act2_within;      /* nAAD: ACT2 is due by then (LPDDR5) */
    uint32_t clock_sync_burst; /* data clock stays in step that long
                                  after the end of a RD's or WR's data
                                  (nWCKPST, LPDDR5) */
    bool dual_bus; /* row and column commands have a bus each (HBM); used by
                      the rules of Ramulator 2.1 only */

    /*
     * At most one rule for each level, pair of commands, window and sibling;
     * sorted by them. Rules that can never make a command wait are left out:
     * no cycles, siblings that do not exist, commands that no controller
     * issues (REFp2b, RFMab, ...).
     */
    struct dram_rule *rules;
    unsigned rule_count;

    struct dram_parameter *parameters; /* for tables and tests */
    unsigned parameter_count;
};

/* Names of all devices known, NULL-terminated, in the order of the standards.
 */
const char *const *dram_device_names(void);

/*
 * The device of that name. NULL and an error (with the nearest known name) if
 * there is none. To be freed by dram_device_free.
 */
struct dram_device *dram_device_new(const char *name, struct error *error);

/* From a folder with timing.csv, organisation.csv and constraints.csv. */
struct dram_device *dram_device_load(const char *folder, struct error *error);

void dram_device_free(struct dram_device *device);

/* The next rule from number n on that the reference has as well; rule_count:
 * none. */
unsigned dram_device_next_rule(const struct dram_device *device, unsigned n);

/* Bytes of a channel. */
uint64_t dram_device_bytes(const struct dram_device *device);

/* The parameter's value, or otherwise where it has none. */
int64_t dram_device_parameter(const struct dram_device *device,
                              const char *name, int64_t otherwise);

/* "rank", "bankgroup", ... as in the columns of traces. */
const char *dram_level_name(enum dram_level level);

#endif
