/* What differs between two runs, ranked. */
#ifndef SIM_REPORT_CHANGES_H
#define SIM_REPORT_CHANGES_H

#include "sim/report/run.h"

enum part { PART_CYCLES, PART_COUNTS, PART_FIGURES, PART_COUNT };

struct change {
    enum part part;
    const char *group, *name, *unit;
    /*
     * In the two runs: of buckets, cycles of a mean unit or hart; of counters,
     * totals; figures as they are. Negative: that run does not have it.
     */
    double a, b;
    /* b - a: of buckets as a share of the first run's cycles, else of the
     * larger of a and b. */
    double weight;
    bool minor; /* a counter with fewer than one event in 10,000 cycles; cycles
                 * in which there was nothing to do: they follow from the rest
                 */
};

/* Names of buckets for cycles in which there was nothing to do; the last is
 * NULL. */
extern const char *const changes_idle[];

/*
 * Those that differ, of one part after the other, by their weight without its
 * sign; those that are minor after the others. For free(); *count: how many.
 * Texts are those of the runs.
 */
struct change *changes_rank(const struct run *a, const struct run *b,
                            unsigned *count);

#endif
