/*
 * All runs of two clients before one cache, each choice of theirs and of the
 * memory below tried in turn, and judged.
 */
#ifndef SIM_UNITS_EXPLORE_BENCH_H
#define SIM_UNITS_EXPLORE_BENCH_H

#include "sim/units/common/bench.h"

#define WORDS 4u

enum ask_kind { LOAD, STORE, ATOMIC, INVALIDATE, FLUSH, BYPASS };

struct config {
    const char *name;
    struct setting settings[16];
    uint8_t kinds[8]; /* that the clients choose from */
    unsigned kind_count;
    unsigned words; /* addresses, one in a sector of its own or not */
    uint64_t address[WORDS];
    unsigned alike; /* how many addresses, the first ones, lie in one sector */
    unsigned asks;
    unsigned fetches; /* at a time: MSHRs, and entries of what bypasses */
};

/* All runs of a configuration; returns the first wrong one's reason, or NULL.
 */
const char *explore(const struct config *config);
/* The same, and it fails if a run is wrong. EXPLORE_ASKS: number of asks; 2
 * where TEST_RUNS says less than usual. */
void explore_well(const struct config *of);

#endif
