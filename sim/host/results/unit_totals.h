/*
 * Statistics by unit, as stats.json and the intervals of units tell them. A
 * chip may have thousands of thread processors, so the cores of one tile and
 * group are summed up in one entry, named TILE.GROUP, unless chips have few of
 * their kind; every other unit has an entry of its own.
 */
#ifndef SIM_HOST_RESULTS_UNIT_TOTALS_H
#define SIM_HOST_RESULTS_UNIT_TOTALS_H

#include "sim/core/chip.h"

struct entry {
    char *name;
    const char *group, *tile;
    const struct unit_kind *kind;
    unsigned units;
    uint64_t accounts; /* cycles booked per cycle */
    unsigned first;    /* index of its values, which are as in struct group */
};

struct entries {
    struct entry *list; /* in the order of the chip's units */
    unsigned count, value_count;
    unsigned *first_of; /* of a unit's entry, by unit number */
    uint64_t *now;      /* values; begun, region: as in struct totals */
    uint64_t *begun, *region;
};

struct entries *entries_new(const struct chip *chip);
void entries_free(struct entries *e);
/* Sums up all units into e->now; accounts must be closed. */
void entries_take(struct entries *e, const struct chip *chip);

#endif
