/*
 * The values of a kind of unit, and their numbers, by which sums of them are
 * kept.
 */
#ifndef SIM_KIND_VALUES_H
#define SIM_KIND_VALUES_H

#include "sim/core/chip.h"

/* Counters and buckets of a kind as one list, in which a histogram has a value
 * for each of its ranges. */
unsigned kind_value_count(const struct unit_kind *kind);
const struct stat_row *kind_value_row(const struct unit_kind *kind,
                                      unsigned index);

/* Goes through that list: value number `at` is the row's, of a range. Begin
 * with KIND_VALUES(kind). */
struct kind_values {
    const struct unit_kind *kind;
    const struct stat_row *row;
    unsigned at, range, next;
    bool bucket; /* or a counter */
};
#define KIND_VALUES(of)                                                        \
    (struct kind_values)                                                       \
    {                                                                          \
        .kind = (of)                                                           \
    }
/* False: there are no more. */
bool kind_values_next(struct kind_values *values);

/* The number of a counter, named by its offset + 1 as in struct figure_row, in
 * that list; how many there are if it is none of them (0 never is). */
unsigned kind_value_of(const struct unit_kind *kind, uint32_t counter);

#endif
