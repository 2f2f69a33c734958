/*
 * Statistics summed over the units of each group, e.g. all L1s: what the
 * intervals, the region of interest and the report start from.
 */
#ifndef SIM_HOST_RESULTS_GROUP_TOTALS_H
#define SIM_HOST_RESULTS_GROUP_TOTALS_H

#include "sim/core/chip.h"

struct host;
struct links;

struct group {
    const char *name;
    const struct unit_kind *kind;
    unsigned units;
    uint64_t accounts; /* cycles booked per cycle */
    unsigned first;    /* index of its values: counters, then buckets */
};

struct totals {
    struct group *groups; /* in the order of their first units */
    unsigned group_count, value_count;
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

/*
 * True if the buckets of every unit sum to cycles times what it accounts
 * for; otherwise the error names the first that does not.
 */
bool totals_check(const struct chip *chip, uint64_t cycles,
                  struct error *error);

#endif
