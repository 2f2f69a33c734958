/*
 * What a DRAM controller does by choice. The two generations of the reference
 * differ in details that can be seen in the cycles; `rules` tells them apart,
 * the rest is free in both.
 */
#ifndef SIM_DRAM_POLICY_H
#define SIM_DRAM_POLICY_H

#include "sim/dram/device.h"

/* X(name, meaning) */
#define DRAM_RULES(X)                                                          \
    X(ramulator20, "Ramulator 2.0 Generic: a closing pick is lost")            \
    X(arches, "the same with Arches' queues and write merging")                \
    X(ramulator21, "Ramulator 2.1: the next best pick instead")

enum dram_rules { DRAM_RAMULATOR20, DRAM_ARCHES, DRAM_RAMULATOR21 };

/*
 * First ready: the oldest request whose next command may be issued, whatever
 * the command. Row hit: the same, but no bank is closed under a queued hit
 * that is older than the request which wants it closed.
 */
enum dram_scheduler { DRAM_FIRST_READY, DRAM_ROW_HIT };

/*
 * Open: rows are closed for another row or a refresh only. Closed: after `cap`
 * column accesses; by PRE in 2.0, by RDA and WRA or else PRE in 2.1. Timeout:
 * after `timeout` clocks without access if nothing queued wants the row.
 */
enum dram_row_policy { DRAM_OPEN, DRAM_CLOSED, DRAM_TIMEOUT };

/*
 * All: one REFab for each refresh scope every refresh_interval; while it is
 * due, no new row or column command is begun in the channel. Bank: one bank (or
 * bank of each group, DDR5) of each scope in turn, so that each is refreshed
 * once in a refresh_interval; the others go on.
 */
enum dram_refresh { DRAM_REFRESH_ALL, DRAM_REFRESH_BANK, DRAM_REFRESH_OFF };

struct dram_policy {
    uint8_t rules;      /* enum dram_rules */
    uint8_t scheduler;  /* enum dram_scheduler */
    uint8_t row_policy; /* enum dram_row_policy */
    uint8_t refresh;    /* enum dram_refresh */
    uint32_t cap;       /* closed: column accesses before a row is closed */
    uint32_t timeout;   /* timeout: clocks without access */
    uint32_t read_queue, write_queue, active_queue; /* entries that fit,
                                                       1..16384 each */
    uint32_t write_high, write_low; /* per mille of the write queue: drain
                                       begins above, ends below; of one entry
                                       less in 2.0 and arches, which count N
                                       where N + 1 fit */
};

/* The defaults of a set of rules. */
struct dram_policy dram_policy_of(enum dram_rules rules);

/* False and an error that names the option which makes no sense. */
bool dram_policy_check(const struct dram_policy *policy,
                       const struct dram_device *device, struct error *error);

#endif
