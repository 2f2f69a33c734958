/*
 * Values by their size: the largest first, and of those equally large the one
 * that stands first.
 */
#ifndef SIM_REPORT_BY_SIZE_H
#define SIM_REPORT_BY_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* The number of the value that comes after that of a number; after: count: of
 * the first one. count: there is none but those that are 0. */
static inline unsigned rank_next(const uint64_t *values, unsigned count,
                                 unsigned after)
{
    unsigned best = count;
    for (unsigned i = 0; i < count; i++) {
        bool left = after == count || values[i] < values[after] ||
                    (i > after && values[i] == values[after]);
        if (left && values[i] && (best == count || values[i] > values[best]))
            best = i;
    }
    return best;
}

#endif
