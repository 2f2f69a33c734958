/*
 * Statistics, declared once. A kind of unit lists its counters as
 *
 *   #define SFU_STATS(X)                                               \
 *       X(issued, "operations", "operations that entered a pipeline")
 *
 * name, unit, meaning: struct fields, output and documentation come from it.
 * Counters count events or cycles of the model, never calls; they are 64-bit
 * integers, and ratios are computed when they are printed.
 *
 * Buckets are the counters among which every cycle of a unit (for a thread
 * processor: every cycle of each of its harts) is divided exactly once. A unit
 * books the cycle in which it runs itself and names the bucket into which the
 * cycles fall that it then sleeps; see struct account. A bucket's row has one
 * more part, its role, by which all readers know what such cycles are; they
 * know none by its name:
 *
 *   #define SFU_BUCKETS(X)                                             \
 *       X(busy, BUSY, "cycles", "an operation was in the pipeline")    \
 *       X(idle, IDLE, "cycles", "nothing to do")
 */
#ifndef SIM_STAT_H
#define SIM_STAT_H

#include "sim/core/range_name.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the cycles of a bucket are. In a table: BUSY, IDLE, WAITS or FULL, and
 * where it is known what for, WAITS_FOR("sfu") and FULL_TO("sfu"). Two buckets
 * of a kind of one target are waits for the same, the one for its answer, the
 * other for room in the port that leads there. A target is a kind of unit, if
 * one of that name is there. WAITS_FOR_STREAM: what comes is what other cores
 * have asked for, so that nothing leads from the wait to what it is for.
 */
enum stat_role {
    STAT_COUNTS, /* it is no bucket, but a counter */
    STAT_BUSY,   /* something was done */
    STAT_IDLE,   /* there was nothing to do */
    STAT_WAITS,  /* for something that is under way */
    STAT_FULL,   /* for room: something was ready to be sent, or kept */
};

/* A role in files; NULL: that of counters has no name. */
static inline const char *stat_role_name(enum stat_role role)
{
    static const char *const names[] = {[STAT_BUSY] = "busy",
                                        [STAT_IDLE] = "idle",
                                        [STAT_WAITS] = "waits",
                                        [STAT_FULL] = "full"};
    return names[role];
}

struct stat_row {
    const char *name;
    const char *unit;
    const char *meaning;
    size_t offset;
    bool observed; /* only of builds that look closer (trip.h): it takes no part
                      in the results hash */
    bool sparse;   /* one of hundreds: it is not told where it is 0 */
    enum stat_role role;
    const char *target; /* of STAT_WAITS and STAT_FULL; NULL: none is known */
    bool stream;        /* of STAT_WAITS: see there */
    /* Of a histogram: edges, one more than it has ranges, and what these count.
     */
    const int64_t *edges;
    unsigned ranges;
    const char *of;
};

/*
 * A histogram is one row whose member is an array of counters, side by side: at
 * i is counted what lies from edges[i] to before edges[i + 1], in the row's
 * unit. Each counter is a value of its own, as those of other rows are, by the
 * name NAME_EDGE. Its edges are declared once, as a table.
 */
#define HISTOGRAM_ROW(member, edge_table, what, unit, meaning)                 \
    {#member,                                                                  \
     unit,                                                                     \
     meaning,                                                                  \
     offsetof(STAT_STRUCT, member),                                            \
     .edges = (edge_table),                                                    \
     .ranges = HISTOGRAM_RANGES(edge_table),                                   \
     .of = (what)},
#define HISTOGRAM_RANGES(edge_table)                                           \
    (unsigned)(sizeof(edge_table) / sizeof *(edge_table)-1)
/* The eight edges from 8 * 2^shift on that divide it up to its double. */
#define HISTOGRAM_EIGHTHS(shift)                                               \
    INT64_C(8) << (shift), INT64_C(9) << (shift), INT64_C(10) << (shift),      \
        INT64_C(11) << (shift), INT64_C(12) << (shift),                        \
        INT64_C(13) << (shift), INT64_C(14) << (shift), INT64_C(15) << (shift)

/*
 * A counter as a term of a figure: a member of STAT_STRUCT, so that a misspelt
 * name does not compile. Its place in the struct, from 1 on; 0: no term.
 */
#define COUNTER(member) (1 + (uint32_t)offsetof(STAT_STRUCT, member))

/*
 * A figure that is computed from a kind's counters when they are written: a
 * ratio, or a percentile of a histogram. A kind lists those that it has beside
 * its counters, and gets by them "derived" in stats.json and its line of the
 * summary.
 */
#define FIGURE_TERMS 6
struct figure_row {
    const char *name;
    /* A ratio of sums of counters; without `under`: of them and 10^9 seconds.
     */
    uint32_t over[FIGURE_TERMS], under[FIGURE_TERMS];
    /* For people: a format for the figure times the scale. NULL: not worth a
     * word. */
    const char *said;
    double scale;
    uint32_t histogram; /* COUNTER(member[0]): a percentile of its values */
    unsigned per_mille;
    const char *unit; /* NULL: it is a share of a whole, from 0 to 1 */
    bool part;        /* a share which with others sums to all of it */
};

/* What a counter tells the host, which sums it over all units that count it: a
 * kind names the counter (unit_kind.told), and the host no kind. */
enum told {
    TOLD_WORK,  /* indices of the announced work that harts have got */
    TOLD_DONE,  /* pieces of a loaded program's work that are done */
    TOLD_RAYS,  /* rays that were taken to be traced */
    TOLD_MOVED, /* what main memory or the way to it has brought */
    TOLD_COUNT,
};

/*
 * Requests of a kind of unit to memory, whose time is known by legs
 * (sim/units/common/trip_legs.h); waits: COUNTER(member), cycles in which a
 * hart or a ray waited for such requests, 0: they wait for none.
 */
struct trip_row {
    const char *name, *meaning;
    uint32_t waits;
};

#define STAT_FIELD(name, unit, meaning) uint64_t name;
/* Used inside a table where STAT_STRUCT is defined as the struct's type. */
#define STAT_ROW(name, unit, meaning)                                          \
    {#name, unit, meaning, offsetof(STAT_STRUCT, name)},

/* The same of buckets. */
#define BUCKET_FIELD(name, role, unit, meaning) uint64_t name;
#define BUCKET_ROW(name, role, unit, meaning)                                  \
    {#name, unit, meaning, offsetof(STAT_STRUCT, name), BUCKET_##role},
#define BUCKET_BUSY .role = STAT_BUSY
#define BUCKET_IDLE .role = STAT_IDLE
#define BUCKET_WAITS .role = STAT_WAITS
#define BUCKET_FULL .role = STAT_FULL
#define BUCKET_WAITS_FOR(what) .role = STAT_WAITS, .target = (what)
#define BUCKET_FULL_TO(what) .role = STAT_FULL, .target = (what)
#define BUCKET_WAITS_FOR_STREAM(what) BUCKET_WAITS_FOR(what), .stream = true

#define STAT_OBSERVED_ROW(name, unit, meaning)                                 \
    {#name, unit, meaning, offsetof(STAT_STRUCT, name), true},

static inline uint64_t stat_value(const void *stats, const struct stat_row *row)
{
    return *(const uint64_t *)((const char *)stats + row->offset);
}

/* How many values a row has, and one of them, from 0 on. */
static inline unsigned stat_values(const struct stat_row *row)
{
    return row->edges ? row->ranges : 1;
}

static inline uint64_t stat_value_at(const void *stats,
                                     const struct stat_row *row, unsigned range)
{
    const char *first = (const char *)stats + row->offset;
    return *(const uint64_t *)(first + range * sizeof(uint64_t));
}

/* A value's name, which may be made in text. */
static inline const char *stat_name(const struct stat_row *row, unsigned range,
                                    char text[RANGE_NAME])
{
    return row->edges ? range_name(row->name, row->edges[range], text)
                      : row->name;
}

/*
 * Which cycles of one unit or hart are booked: all before `from`. The cycles
 * from there on belong to `*bucket` until the unit says otherwise.
 */
struct account {
    uint64_t from;
    uint64_t *bucket;
};

/*
 * Books the cycles before now where they belong; those from now on in bucket,
 * or from a->from on if the cycles before that are booked already.
 */
static inline void account_switch(struct account *a, uint64_t now,
                                  uint64_t *bucket)
{
    if (now > a->from) {
        *a->bucket += now - a->from;
        a->from = now;
    }
    a->bucket = bucket;
}

/* Books `cycles` cycles from now on in bucket and those after them in rest. */
static inline void account_run(struct account *a, uint64_t now, uint64_t cycles,
                               uint64_t *bucket, uint64_t *rest)
{
    *a->bucket += now - a->from;
    *bucket += cycles;
    a->from = now + cycles;
    a->bucket = rest;
}

/* Books cycle now in bucket and those after it, until the next call, in
 * rest. */
static inline void account_tick(struct account *a, uint64_t now,
                                uint64_t *bucket, uint64_t *rest)
{
    account_run(a, now, 1, bucket, rest);
}

#endif
