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
    /*
     * b - a as a share: of buckets, of the first run's cycles; else of the
     * larger of a and b, but of a counter at least of one event a cycle of
     * each unit, and of a figure at least of 1. So what is rare weighs as
     * little as it can matter for cycles, however much of itself it changes.
     */
    double weight;
    bool idle;  /* a bucket's: there was nothing to do */
    bool minor; /* cycles in which there was nothing to do, which follow from
                 * the rest; a counter or figure that one run does not have */
};

/*
 * Those that differ, of one part after the other, by their weight without its
 * sign; those that are minor after the others. For free(); *count: how many.
 * Texts are those of the runs.
 */
struct change *changes_rank(const struct run *a, const struct run *b,
                            unsigned *count);

#endif
