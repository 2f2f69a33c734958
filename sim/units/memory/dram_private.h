/*
 * The insides of the main memory of a partition, shared by dram*.c:
 *
 *   dram_partition.c the unit: requests taken, answers given, when it sleeps
 *   dram_build.c     parameters checked, controllers and memory taken
 *   dram_requests.c  requests on their way through the controllers
 *   dram_buses.c     what each cycle of a data bus is booked as
 *   dram_waits.c     what waits for which channel (STALLS)
 */
#ifndef SIM_UNITS_DRAM_PRIVATE_H
#define SIM_UNITS_DRAM_PRIVATE_H

#include "sim/core/clock.h"
#include "sim/dram/dram.h"
#include "sim/units/common/address_map.h"
#include "sim/units/common/mem.h"
#include "sim/units/common/ring.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/common/work_costs.h"
#include "sim/units/memory/dram_partition.h"
#include <string.h>

enum { CPU, REPLY };

#define WRITE_COUNTS 1024u /* of writes under way, by hash of the address */

/*
 * A request, from its link to its answer: a cache line. The first one of a
 * transaction is the transaction: those that join hang on it.
 */
struct request {
    struct msg msg;  /* next: in the bucket; when: cycle in which it was taken,
                        low 32 bits */
    uint64_t local;  /* address without the partition's bits */
    uint64_t due;    /* cycle: at the controllers; then of the answer */
    uint64_t there;  /* clock of its last data, as far as known */
    uint32_t joined; /* the first that joined; in a joiner: the next */
    uint16_t port;
    uint8_t offered, left; /* transactions, of `parts`; not done yet */
#if STALLS
    uint64_t first, issue; /* clocks of the commands for its last data */
    bool conflict;         /* the first of them closed another row */
    uint32_t channel;      /* of twice as many */
#endif
};
_Static_assert(STALLS || sizeof(struct request) == 64, "a cache line");

/*
 * Numbers of requests in an order. It begins at the first place again when it
 * is empty, so that it takes fewer of the host's lines.
 */
struct numbers {
    uint32_t *at;
    struct ring order;
};

/* Cycles in which a bus carries data. */
struct span {
    uint64_t from, to;
};

/* A data bus: what it will carry, and to where its cycles are booked. */
struct bus {
    uint64_t booked; /* cycles before this one */
    struct span refresh;
    struct span *data; /* in order */
    struct ring order;
};

struct dram_unit {
    struct unit unit;
    struct dram_unit_params params;
    struct dram_unit_stats stats;
    struct dram_device *device;
    struct dram *dram;
    struct clock_ratio clock;
    uint64_t num_inverse, den_inverse; /* of clock: see divide */
    struct address_map map;
    uint32_t parts; /* transactions of a request */
    bool joins;     /* a transaction has room for several requests */

    struct request *pool;
    uint32_t *free; /* a stack of numbers: taking one reads no request */
    uint32_t free_count, pool_size;
    uint16_t words;                /* of the mask of links */
    uint8_t accepts, answers_most; /* in a cycle */
    struct numbers front;          /* in order of taking */
    struct numbers answers;        /* in order of due */
    uint32_t *buckets; /* transactions under way, by address; if joins */
    uint32_t bucket_mask;
    uint32_t next_port;
    bool leftover, blocked;
    struct client_ranges ranges; /* of the running kernel */

    /* What lets the unit sleep, see next_event. */
    uint64_t wake;              /* cycle: nothing is to be done before */
    uint64_t next_offer;        /* cycle in which one can be offered */
    uint64_t next_tick;         /* dram_next */
    uint64_t quick, last_quick; /* due of the first and last read in the front
                                   pipeline that might not need the device;
                                   CYCLE_NEVER: none */
    uint32_t reads, asked; /* not answered; transactions whose data's time is
                              not known */
    uint8_t *writes;       /* that are under way, by hash of the address */

    struct bus *buses; /* [channel][pseudo-channel] */
    uint32_t bus_count, pseudos;
    bool busy;           /* buses: requests under way, since `booked` */
    uint64_t held_since; /* the head waits for a queue; CYCLE_NEVER: not */
#if STALLS
    struct dram_mapping *wider; /* of twice the channels */
    uint32_t *waiting; /* transactions in each of these, not done yet */
#endif
};

/* ---- dram_build.c ---- */
bool dram_build(struct unit *u, struct error *error);
void dram_destroy(struct unit *u);

/* ---- dram_requests.c  ---- */
/* Runs all that happens inside up to the end of that cycle. */
void dram_catch_up(struct dram_unit *d, uint64_t now);
/* Takes the first message of a port into the front pipeline. */
void dram_accept(struct dram_unit *d, uint32_t port, uint64_t now);
/* No answer to what is offered in that cycle or later leaves before. */
uint64_t dram_first_answer(const struct dram_unit *d, uint64_t cycle);
/* Is called when the first of the answers has been given. */
void dram_forget_answer(struct dram_unit *d);
/* Books the cycles in which the head of the front pipeline was held. */
void dram_book_held(struct dram_unit *d, uint64_t now);

/* ---- dram_buses.c ---- */
dram_bus_hook dram_note_bus;
/* Books the cycles of all buses before `to`. */
void dram_book_buses(struct dram_unit *d, uint64_t to);

/* ---- dram_waits.c ---- */
#if STALLS
void dram_waits_build(struct dram_unit *d);
void dram_waits_free(struct dram_unit *d);
/* A transaction has been offered; a command for its data has been issued; all
 * of that is known to come. */
void dram_waits_begin(struct dram_unit *d, struct request *r);
void dram_waits_data(struct dram_unit *d, const struct request *r);
void dram_waits_end(struct dram_unit *d, const struct request *r);
#else
#define dram_waits_build(d) ((void)0)
#define dram_waits_free(d) ((void)0)
#define dram_waits_begin(d, r) ((void)0)
#define dram_waits_data(d, r) ((void)0)
#define dram_waits_end(d, r) ((void)0)
#endif

/* ---- clocks ---- */

/*
 * Divides n by `by` through its inverse, 2^64 / by rounded down, as hosts take
 * long to divide. The product is too little by less than 1, which the rest
 * shows.
 */
static inline uint64_t divide(uint64_t n, uint64_t by, uint64_t inverse)
{
    __extension__ typedef unsigned __int128 product;
    uint64_t quotient = (uint64_t)((product)n * inverse >> 64);
    return quotient + (n - quotient * by >= by);
}

/* These are tick_of and cycle_of of sim/core/clock.h. */
static inline uint64_t tick_in(const struct dram_unit *d, uint64_t cycle)
{
    return divide(cycle * d->clock.num, d->clock.den, d->den_inverse);
}

static inline uint64_t cycle_with(const struct dram_unit *d, uint64_t tick)
{
    return divide(tick * d->clock.den + d->clock.num - 1, d->clock.num,
                  d->num_inverse);
}

static inline uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t not_before(uint64_t cycle, uint64_t least)
{
    return cycle > least ? cycle : least;
}

static inline bool is_write(const struct request *r)
{
    return r->msg.op == MEM_WRITEBACK;
}

/* Counts the requests that were taken and are not answered or written yet. */
static inline uint32_t under_way(const struct dram_unit *d)
{
    return d->pool_size - d->free_count;
}

/* ---- numbers of requests ---- */

static inline uint32_t *numbers_entry(const struct numbers *q, uint32_t n)
{
    return &q->at[ring_place(&q->order, n)];
}

static inline void numbers_drop(struct numbers *q)
{
    ring_drop(&q->order);
    if (!q->order.count)
        q->order.head = 0;
}

#endif
