/*
 * The insides of a cache, shared by cache*.c. A cache has four parts, each with
 * its header: front (cache_front.h), store (cache_store.h), misses
 * (cache_misses.h) and back (cache_back.h). Their files:
 *
 *   cache.c           the unit: the two phases of a cycle, its account
 *   cache_build.c     parameters and neighbours checked, memory taken
 *   cache_front.c     ports and banks: which request is taken and looked up
 *   cache_lookup.c    what each request does at the end of its bank
 *   cache_store.c     lines and which of their bytes are here
 *   cache_replacement.c  which way a new line takes, by cache_replace_NAME.c
 *   cache_misses.c    fetches, their targets, prefetches
 *   cache_pass.c      requests passed on, and their answers
 *   cache_back.c      queues and ports of a width, to and from below
 *   cache_perform.c   accesses happening: values, atomics, checks, faults
 *   cache_reserve.c   reservations of lr and sc, whose turn it is
 *   cache_flush.c     write-backs, fences, what the host is shown
 *   cache_snapshot.c  contents saved and loaded
 *   cache_hints.c     hints to the host
 */
#ifndef SIM_CACHE_PRIVATE_H
#define SIM_CACHE_PRIVATE_H

#include "sim/units/cache/cache.h"
#include "sim/units/cache/cache_back.h"
#include "sim/units/cache/cache_front.h"
#include "sim/units/cache/cache_misses.h"
#include "sim/units/cache/cache_shadow.h"
#include "sim/units/cache/cache_store.h"
#include "sim/units/common/check_log.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/common/work_costs.h"

enum { CPU, FILL, REPLY, MEM, SCENE };
enum { PREFETCH_NONE, PREFETCH_BLOCK, PREFETCH_NEXT };
enum { USUAL, NO, YES, THROUGH = NO, BACK = YES }; /* allocate; write */
enum fault { FAULT_NONE, FLIP, LOST_STORE, STALE, SWAP, LOST_ANSWER };

#define LINES_MAX 16777215 /* 512 MiB of 32-byte lines: beyond all caches */

/* A fence (MEM_INVALIDATE, MEM_FLUSH) that writes back, one at a time. */
struct fence {
    uint8_t era;
    uint32_t port;
    uint32_t line;    /* all before have been written back */
    uint32_t link;    /* caches below up to here have been told */
    uint32_t awaited; /* of them */
    struct msg msg;
};

/* What a cache goes on with in the next cycle, as bits. */
enum doing {
    REPLAYING = 1, /* targets are being answered */
    RELAYING = 2,  /* an answer to something passed on is to be sent up */
    FENCING = 4,   /* there is a fence */
    LEFTOVER = 8,  /* messages wait at the ports */
    GRANTED = 16,  /* there are messages in granted */
};

struct cache {
    struct unit unit;
    uint64_t rested; /* if it rests: cycles before this are booked */
    uint8_t doing;   /* enum doing */
    bool worked;     /* in this cycle */
    bool rests;      /* nothing is under way: idle until the next cycle */
    bool fetched;    /* something was taken since the last invalidation */
    struct front front;
    struct store store;
    struct misses misses;
    struct back back;

    /* Of params, in the form that is needed. */
    bool owner;
    bool writes_back;
    bool allocate;    /* stores that miss take a line */
    bool performs;    /* atomics */
    bool fences;      /* the caches below are copies, and told of fences */
    uint8_t prefetch; /* PREFETCH_NONE, .. */
    uint8_t level;    /* copies below, and one; 0: the owner */

    uint8_t fault; /* the one to come, FAULT_NONE: none */
    uint64_t events;
    uint8_t era;
    struct fence fence;
    uint32_t reserved;       /* sectors with reservations */
    uint32_t parked;         /* lr that wait for their turn */
    struct msg_list granted; /* lr whose turn has come, to be looked up */
    struct reservations *reservations; /* NULL: it performs no atomics */
    struct shadow *shadow;             /* NULL: misses are not classified */
    bool apart; /* in this cycle a request waits for a bank that has taken one
                   of another line; in builds with STALLS, like what follows */
    struct shadow *twice; /* of twice the lines */
#if STALLS
    uint32_t taken[CPU_PORTS]; /* when a port's last request was taken */
#endif
    struct machine *machine;
    struct cache_params params;
    struct cache_stats stats;
};

/* What became of a request at the end of its bank. */
enum verdict {
    LOOKED_UP,
    NO_MSHR,
    NO_TARGET,
    MUST_WAIT, /* for a fetch that it must neither join nor overtake */
    NO_WAY,
    NO_ROOM, /* in the queue below, or for what is passed on or updated */
    NO_REPLY,
    FENCE_BUSY,
    ONE_MISS_TOO_MANY,
};

/* ---- what a request finds ---- */

enum says {
    SAYS_HIT,   /* all its bytes are here */
    SAYS_JOIN,  /* its sector is being fetched: it can be one more target */
    SAYS_MISS,  /* not all its bytes are here, nor on their way */
    SAYS_STAND, /* its sector is being fetched, and it cannot join */
};

/* It is passed by value, so that loads need not write it to the host's memory.
 */
struct probe {
    struct line *line; /* NULL: none */
    uint8_t piece, bit;
    uint8_t says;  /* enum says */
    uint8_t stand; /* SAYS_STAND: the enum verdict */
};

/* What the access, which lies in one sector, finds; nothing is changed. */
static inline __attribute__((always_inline)) struct probe
cache_probe(const struct cache *c, const struct msg *m)
{
    struct line *l = store_find(&c->store, m->addr);
    uint32_t piece = piece_of(&c->store, m->addr);
    struct probe p = {l, (uint8_t)piece, (uint8_t)(1u << piece), SAYS_MISS,
                      LOOKED_UP};
    if (!l)
        return p;
    if (!(l->pending & p.bit)) {
        p.says = store_has(&c->store, l, piece, m) ? SAYS_HIT : SAYS_MISS;
        return p;
    }
    const struct mshr *e = mshr_of(&c->misses, &c->store, l, piece);
    p.stand = l->stale & p.bit                  ? MUST_WAIT
              : e->waiting == c->misses.targets ? NO_TARGET
                                                : LOOKED_UP;
    p.says = p.stand ? SAYS_STAND : SAYS_JOIN;
    return p;
}

/* Tells whether the sector is on its way. */
static inline bool probe_pending(struct probe p)
{
    return p.says == SAYS_JOIN || p.says == SAYS_STAND;
}

/* ---- cache_build.c ---- */
bool cache_build(struct unit *u, struct error *error);
/*
 * Doubles the pipeline's ring. It has as many entries as were ever used at a
 * time, not as many as the banks could hold, so that it takes fewer of the
 * host's lines.
 */
void cache_widen_pipeline(struct cache *c);
/* Is called when all units are built and their harts have numbers. */
void cache_complete(struct unit *u);

/* ---- cache_front.c ---- */
/* In receive: each bank takes a request, if it has room. */
void cache_take_requests(struct cache *c, uint64_t now);
/* In send: those that have reached the ends of their banks are looked up. */
void cache_run_banks(struct cache *c, uint64_t now);

/*
 * ---- cache_lookup.c ----
 * m: the message that is front.request. It stays where it is in the pool till
 * it is answered, as nothing else is sent before. What keeps it takes it
 * (cache_take_request), else it is freed afterwards.
 */
enum verdict cache_look_up(struct cache *c, const struct msg *m);

/* ---- cache_store.c ---- */
/* Gives the line a way; NULL if all ways of its set are being filled. */
struct line *cache_allocate(struct cache *c, uint64_t address);
/* Takes bytes of a piece; from: the whole piece, NULL for an owner. */
void cache_merge(struct cache *c, struct line *l, uint32_t piece, uint32_t mask,
                 const uint8_t *from);
void cache_mark_dirty(struct cache *c, struct line *l, uint32_t piece,
                      uint32_t mask);
/* Forgets pieces, which are not dirty or written back already. */
void cache_drop(struct cache *c, struct line *l, uint8_t pieces);
/* Bytes that were fetched ahead are used, or lost unused. */
void cache_ahead_used(struct cache *c, struct line *l, uint8_t pieces);
void cache_ahead_lost(struct cache *c, struct line *l, uint8_t pieces);

/* ---- cache_misses.c ---- */
void cache_make_lists(struct cache *c);
/* The request becomes one more target of the fetch that the probe found. */
void cache_join(struct cache *c, struct probe p, const struct msg *m);
/* The request waits for its sector, which is fetched with its neighbours. */
enum verdict cache_fetch(struct cache *c, struct line *l, const struct msg *m);
void cache_install(struct cache *c, const struct msg *m);
/* Answers the next target of the sector that has come. */
void cache_replay(struct cache *c);
/* ---- cache_pass.c ---- */
/* Tells whether there is room to pass the request on. */
bool cache_may_pass(const struct cache *c, const struct msg *m);
/* The request goes on as it is; its answer will be sent up. */
void cache_pass_on(struct cache *c, const struct msg *m);
/*
 * An owner captures the answer to a load as things are now, and gives it when
 * memory has answered.
 */
void cache_pass_by(struct cache *c, const struct msg *m);
/*
 * Tells whether the message answers a request that was passed on; cache_relay
 * sends it up then.
 */
bool cache_answers_passed(const struct msg *m);
const struct passed *cache_passed_of(const struct cache *c,
                                     const struct msg *m);
void cache_relay(struct cache *c);

/* ---- cache_back.c ---- */
/* The link below that requests for an address take: those of mem, then the one
 * to a scene buffer; and its port. */
unsigned cache_link(const struct cache *c, uint64_t address);
struct outport *cache_route(const struct cache *c, uint64_t address);
void cache_take_answer(struct cache *c, uint64_t now);
void cache_send_below(struct cache *c, uint64_t now);
/* The message is an answer, for the port in its `when`; payload: NULL, or what
 * goes with it. */
void cache_queue_answer(struct cache *c, uint32_t index,
                        const struct payload *payload);
void cache_send_replies(struct cache *c, uint64_t now);

/* ---- cache_perform.c ---- */
/* The access of front.request, which is m, happens now (l: its line, NULL if an
 * owner has none) and is answered; flags: of the answer. */
void cache_perform(struct cache *c, const struct msg *m, struct line *l,
                   uint8_t flags);
/* An owner's answer to a load as things are now, to be given later. */
struct msg cache_capture(struct cache *c, const struct msg *m);
void cache_answer(struct cache *c, uint32_t port, struct msg *m,
                  const struct payload *payload);
void cache_swap(struct cache *c, struct mshr *e);
/* Counts an event; true: this is the one that goes wrong. */
bool cache_fails(struct cache *c, enum fault fault);

/* ---- cache_reserve.c ---- */
void cache_take_reservations(struct cache *c);
/* Is called when a kernel starts: turns are as long as params say. */
void cache_shorten_turns(struct cache *c);
/* The lr, which is front.request, gets its reservation; false: it waits for its
 * turn, and will be looked up again. */
bool cache_reserve(struct cache *c, const struct msg *m);
/* Has the hart of the sc its reservation? If so, it ends when the sc has
 * stored. */
bool cache_may_store(struct cache *c, const struct msg *m);
void cache_end_reservation(struct cache *c, const struct msg *m);
/* Other harts lose theirs on the sector that is written; of bytes that a cache
 * above writes back the hart is not known. */
void cache_lose_reservations(struct cache *c, const struct msg *m);
/*
 * The first ends the turns whose time is over; the second says when the next
 * one ends.
 */
void cache_end_turns(struct cache *c, uint64_t now);
uint64_t cache_turn_ends(const struct cache *c);

/* ---- cache_flush.c ---- */
/* Sends bytes of a piece below: by value from a copy, timing only from an
 * owner. The caller has seen that there is room. */
void cache_write_below(struct cache *c, uint64_t address, uint32_t mask,
                       const struct payload *bytes);
void cache_write_back(struct cache *c, struct line *l, uint32_t piece);
void cache_updated(struct cache *c, const struct msg *m);
enum verdict cache_begin_fence(struct cache *c, uint32_t port,
                               const struct msg *m);
void cache_fence_answered(struct cache *c);
void cache_run_fence(struct cache *c);
/* Writes bytes of a piece to the memory image, and notes it. */
void cache_show(const struct cache *c, uint64_t address, uint32_t mask,
                const struct payload *bytes);
void cache_note_dropped(struct cache *c, uint64_t address, uint8_t size);
bool cache_settle(struct unit *u, unsigned round);
/* Forgets all lines, written back or not. */
void cache_empty(struct unit *u);
void cache_launch(struct unit *u, uint64_t now);

/* ---- cache_hints.c ---- */
bool cache_expect(const struct unit *u, const struct msg *m, unsigned round);
void cache_prepare(const struct unit *u, uint64_t end);

/* ---- small ---- */

static inline uint32_t cache_take_request(struct cache *c)
{
    uint32_t index = c->front.request;
    c->front.request = NONE;
    return index;
}

/* The request is freed unless it has been taken. */
static inline void cache_free_request(struct cache *c)
{
    if (c->front.request != NONE)
        unit_free_msg(&c->unit, cache_take_request(c));
}

/*
 * All numbers of harts are below this one. The clients of tests count as a
 * hart each.
 */
static inline uint32_t cache_harts(const struct cache *c)
{
    uint32_t harts = c->machine->hart_count;
    return harts > CPU_PORTS ? harts : CPU_PORTS;
}

/* The low bits of a line's number choose set and bank, as there are no more
 * banks than sets. */
static inline uint32_t bank_at(const struct cache *c, uint64_t address)
{
    return (uint32_t)line_number(&c->store, address) & c->front.bank_mask;
}

/* Adds a message to the level below, which the caller writes. */
static inline struct msg *add_below(struct cache *c, uint64_t address)
{
    struct outport *mem = c->unit.out[MEM];
    if (c->back.route == ROUTE_STRIPES)
        mem += map_slice_as(&c->back.map, address, false, true);
    else if (c->back.route == ROUTE_OTHER)
        mem = cache_route(c, address);
    return queue_add(&c->back.below, mem);
}

/*
 * Tells whether there is room for what a request may send below (the write-
 * backs of a victim, a fetch, something passed on) and for keeping write-backs
 * till they are answered.
 */
static inline bool room_below(const struct cache *c)
{
    const struct back *b = &c->back;
    if (queue_free(&b->below) < b->need)
        return false;
    return c->owner || b->updates_used + b->updates_promised + b->writes <=
                           b->updates_limit;
}

/*
 * Tells whether the replies that wait for their port have left room for
 * another one.
 */
/* Tells the shadow tags that there are. */
#define CACHE_SHADOWS(c, tell, ...)                                            \
    do {                                                                       \
        if ((c)->shadow)                                                       \
            tell((c)->shadow, __VA_ARGS__);                                    \
        if (STALLS && (c)->twice)                                              \
            tell((c)->twice, __VA_ARGS__);                                     \
    } while (0)

static inline bool cache_may_answer(const struct cache *c)
{
    return c->back.replies.count < REPLIES;
}

/* The flags of an answer that has come up by one more level. */
static inline uint8_t deeper(uint8_t flags)
{
    uint8_t depth = flags & MEM_DEPTH;
    return (uint8_t)((flags & MEM_JOINED) |
                     (depth == MEM_DEPTH ? depth : depth + 1));
}

#endif
