/*
 * What a verdict is made of: statistics summed up by group, and what is known
 * of each group's units. sim-run has it of its chip, sim-report of what a run
 * has saved (saved.h); units themselves are not looked at.
 */
#ifndef SIM_VERDICT_MEASURED_H
#define SIM_VERDICT_MEASURED_H

#include "sim/core/kind_values.h"
#include "sim/units/common/legs.h"

struct group {
    const char *name;
    const struct unit_kind *kind;
    unsigned units;
    uint64_t accounts; /* cycles booked per cycle */
    unsigned first;    /* index of its values: counters, then buckets */
};

/* Links of a group, and what is counted of them. */
struct link_class {
    const char *from, *output, *to, *input; /* groups of units, their ports */
    unsigned links, latency; /* how many; cycles, of the slowest */
    unsigned room;           /* of all, as in struct link_report */
};
#define LINK_SUMS(X)                                                           \
    X(messages)                                                                \
    X(full)                                                                    \
    X(occupied)                                                                \
    X(waited)
#define LINK_SUM(name) LINK_##name,
enum { LINK_SUMS(LINK_SUM) LINK_SUM_COUNT };

enum { NOWHERE = 1 << 16 }; /* no group */

/* The way of a group's requests: groups of caches by their distance, and of
 * what is behind them. */
struct way {
    unsigned cache[TRIP_THIRD + 1], end; /* from 1 on */
};

/* A parameter; of a choice of numbers ("=16|32|64") these, of other choices
 * their places. */
struct group_param {
    const char *name;
    int64_t value, least, greatest;
};

/* What is known of each unit of a group, which are alike. */
struct group_unit {
    bool of_cores;       /* there are more of it where there are more TMs */
    bool ends;           /* it is what memory ends at */
    const char *onward;  /* the port towards memory, NULL: there is none, and */
    unsigned onwards;    /* how many links requests leave it by */
    struct way way;      /* of its requests */
    const char *widened; /* what "mapping" has to be with twice the channels;
                            NULL: it does not matter */
    const unsigned *links;    /* at each row of its kind's ports */
    const unsigned *leads_to; /* groups of units that it has links to, in */
    unsigned leads;           /* the order of these; how many there are */
    const struct group_param *params;
    unsigned param_count;
};

struct measured {
    const struct group *groups;
    const struct group_unit *units; /* of each group */
    unsigned group_count, value_count;
    const struct link_class *links;
    unsigned link_count;
    bool watched; /* sums of links, LINK_SUM_COUNT each, follow the values */
};

#endif
