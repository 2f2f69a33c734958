/*
 * Statistics summed over the units of each group, e.g. all L1s: what the
 * intervals, the region of interest and the report start from.
 */
#ifndef SIM_HOST_RESULTS_GROUP_TOTALS_H
#define SIM_HOST_RESULTS_GROUP_TOTALS_H

#include "sim/core/chip.h"
#include "sim/core/kind_values.h"
#include "sim/verdict/measured.h"

struct host;
struct links;

struct totals {
    struct group *groups; /* in the order of their first units */
    unsigned group_count, value_count;
    struct measured *measured; /* the same, for verdicts */
    const struct links *links; /* the chip's; where they are watched, their */
    unsigned sum_count;        /* sums follow the values; how many they are */
    unsigned *group_of;        /* of a unit, by its number */
    unsigned *first_of;        /* of its group */
    uint64_t *begun;           /* values when the region of interest began */
    uint64_t *region;          /* their growth within all regions */
    uint64_t *now;
};

struct totals *totals_new(struct chip *chip, const struct links *links);
void totals_free(struct totals *t);

/* Closes the accounts of all units: they have booked the cycles before now. */
void totals_close(struct chip *chip, uint64_t now);

/* Sums up all units, and links before now, into t->now; accounts must be
 * closed. */
void totals_take(struct totals *t, const struct chip *chip, uint64_t now);

/* Adds the statistics of each unit up in values, count of them, from the index
 * that the unit's number has in first_of on. */
void totals_sum(const struct chip *chip, const unsigned *first_of,
                uint64_t *values, unsigned count);

/* What a unit books in each cycle: 1, or as many as it has accounts, e.g.
 * harts. */
uint64_t totals_accounts(const struct unit *u);

/* The region of interest begins or ends at host->now, for groups and units. */
void totals_region(struct host *host, bool begin);

/* What all units tell by these counters up to now. */
uint64_t totals_told(const struct chip *chip, enum told told);

/* Growth of what all units tell by these counters within all regions. */
uint64_t totals_in_region(const struct host *host, enum told told);

/* Indices that harts have got. */
uint64_t totals_handed(const struct host *host);

/* Of the work that the program has announced, what is finished for certain:
 * exact once each hart that takes part has got an index. */
uint64_t totals_finished(const struct host *host);

/*
 * True if the buckets of every unit sum to cycles times what it accounts
 * for; otherwise the error names the first that does not.
 */
bool totals_check(const struct chip *chip, uint64_t cycles,
                  struct error *error);

#endif
