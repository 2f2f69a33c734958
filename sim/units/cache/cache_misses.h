/*
 * What a cache has asked for below and not got yet: sectors that are being
 * fetched, each with an MSHR and the requests that wait for it (its targets),
 * and requests that were passed on as they were.
 */
#ifndef SIM_CACHE_MISSES_H
#define SIM_CACHE_MISSES_H

#include "sim/units/cache/cache_store.h"
#include "sim/units/common/trip_legs.h"

#define NO_ENTRY UINT16_MAX

/*
 * A sector being fetched, and its targets: messages of the tile's pool, with
 * their port in `when` and MEM_JOINED in flags if the sector was asked for
 * already.
 */
struct mshr {
    uint32_t line;        /* index */
    uint32_t first, last; /* targets; first of a free one: the next free */
    uint8_t pieces;       /* mask, 0: free */
    uint8_t awaited;      /* pieces that have not come */
    uint16_t waiting;     /* targets */
    uint8_t flags;        /* MEM_DEPTH, MEM_JOINED of what came */
    uint32_t culprit; /* the unit where the fetch failed, NONE: it did not */
};

/* The client that a request was passed on for, which gets the answer. */
struct passed {
    uint16_t port;
    uint16_t next_free; /* of an lr: 1, it is under way */
    uint32_t tag, from;
};

struct misses {
    struct mshr *mshrs;
    struct passed *passed;
    struct passed *reserving; /* copy: [harts], lr passed on */
    struct msg *captured;     /* owner: [pass], answers of loads passing by */
    uint16_t *fetches;        /* [sets][ways][pieces]: MSHRs of pending ones */
    uint16_t free_mshr, free_passed; /* lists */
    uint16_t replay;                 /* MSHR whose targets are being answered */
    uint32_t mshrs_used, passed_used;
    uint32_t targets;      /* at most, of an MSHR */
    uint32_t limit, begun; /* misses that may begin, have, in this cycle */
    TRIPS_KEPT             /* [mshrs] */
};

/*
 * Tags of what is asked below: the MSHR and the piece << 16; of a request that
 * was passed on its number, of loads with TAG_PASSED; of fences TAG_FENCE; of
 * an lr that was passed on the number of its hart, with TAG_RESERVING.
 */
#define TAG_PASSED 0x80000000u
#define TAG_FENCE 0x40000000u
#define TAG_RESERVING 0x20000000u
/*
 * In `from` of an update: it is passed on for another cache, not the cache's
 * own.
 */
#define FROM_PASSED 0x80000u

/* What the answer is, or would be had the request not failed. */
static inline enum mem_op answer_kind(const struct msg *m)
{
    return m->op == MEM_FAULT ? mem_answer_to(m->aux) : (enum mem_op)m->op;
}

/* The MSHR of a piece that is pending. */
static inline struct mshr *mshr_of(const struct misses *m,
                                   const struct store *s, const struct line *l,
                                   uint32_t piece)
{
    return &m->mshrs[m->fetches[(size_t)(l - s->lines) * s->pieces + piece]];
}

#endif
