/* The state of a streaming multiprocessor, and small functions of it. */
#ifndef SIM_SIMT_STATE_H
#define SIM_SIMT_STATE_H

#include "sim/core/hints.h"
#include "sim/isa/lanes.h"
#include "sim/isa/served.h"
#include "sim/units/common/check_log.h"
#include "sim/units/common/commit_queue.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/mem.h"
#include "sim/units/common/ring.h"
#include "sim/units/common/work_costs.h"
#include "sim/units/simt/simt.h"
#include "sim/units/simt/simt_ports.h"
#include "sim/units/simt/simt_postdom.h"
#include <assert.h>
#include <string.h>

/* What a pending register waits for. */
#define PRODUCER(X, id, ...) id,
enum producer { SIMT_PRODUCERS(PRODUCER, ) PRODUCERS };
#undef PRODUCER

/* Which bucket a warp's cycles fall into: its place among SIMT_BUCKETS. */
#define BUCKET_NUMBER(name, ...) IN_##name,
enum bucket { SIMT_BUCKETS(BUCKET_NUMBER) BUCKETS };
#undef BUCKET_NUMBER

/* Which a sub-core's cycles fall into: its place among SIMT_SLOTS. */
#define SLOT_NUMBER(name, ...) SLOT_##name,
enum slot { SIMT_SLOTS(SLOT_NUMBER) SLOTS };
#undef SLOT_NUMBER
_Static_assert((int)SLOTS == (int)BUCKETS, "each bucket has its slot");

/* How many lanes: popcnt is not there on all hosts. */
static inline uint32_t lane_count(uint64_t mask)
{
    mask -= mask >> 1 & 0x5555555555555555u;
    mask = (mask & 0x3333333333333333u) + (mask >> 2 & 0x3333333333333333u);
    mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(mask * 0x0101010101010101u >> 56);
}

/* Where paths that have parted wait for each other, where there is a stack. */
struct simt_meeting {
    uint64_t pc;   /* POSTDOM_RETURNS: any, of this depth */
    int32_t depth; /* as of a path */
    uint32_t at;   /* the path that waits there, 0: none */
};

/* Lanes of a warp that stand at one pc. */
struct simt_path {
    uint64_t pc, mask;
    struct simt_meeting meeting;
    uint32_t number;   /* others meet at this one, 0: none */
    int32_t depth;     /* calls that these lanes are within, from any number */
    uint32_t lanes;    /* how many there are */
    uint32_t executed; /* instructions that their instret lacks */
    uint32_t turn;     /* simt_warp.issued when it had its last turn */
};

/* A depth: of lanes that begin a kernel and have not called it yet. */
#define SIMT_BEGINS INT32_MAX

enum warp_state {
    RUNS,       /* has paths, and may issue */
    AWAY,       /* has none */
    DRAINS,     /* issues nothing before its accesses have ended */
    INVALIDATES /* waits for the L1's invalidation */
};

struct simt_warp {
    uint64_t pending;              /* registers that wait for an answer */
    uint64_t waits_for[PRODUCERS]; /* the parts of pending */
    uint64_t timed;     /* registers that are there in a cycle that is known */
    uint64_t next;      /* issues nothing before */
    uint64_t from;      /* cycles before it are booked */
    uint64_t live;      /* lanes that are in paths */
    uint64_t leaving;   /* lanes that are about to ask for a service */
    uint64_t returning; /* lanes that come back behind an invalidation */
    uint64_t coming;    /* those that do behind the one under way */
    uint64_t waiting;   /* lanes at a barrier within the SM */
    struct simt_path *paths;
    uint64_t *ready; /* by register: of timed ones, the cycle */
    uint64_t since;  /* no lanes have come or gone, and its paths, if several,
                        have executed nothing but what lies between these pcs */
    uint64_t low, high;
    uint64_t code;     /* fetches: pc of the instruction that got is of */
    uint64_t seen;     /* the state in which one of them came to low */
    uint32_t numbered; /* paths at which others meet, so far */
    uint32_t issued;   /* instructions, for turns of paths */
    uint32_t counted;  /* of these, those whose live lanes are */
    uint32_t turn_end; /* independent: the current path goes on before */
    uint32_t accesses; /* under way */
    uint32_t age;      /* when it began: less is older */
    uint16_t visits;   /* of low, since there are looks */
    uint8_t path_count, current; /* where there is a stack some paths may have
                                    no lanes, even all: see live */
    uint8_t looks;  /* same states so far, and 2; 0: none is looked for */
    uint8_t state;  /* enum warp_state */
    uint8_t bucket; /* enum bucket */
    uint8_t bypass; /* levels that an access right after hinted bypasses */
    uint8_t got;    /* of its next instruction: simt_fetch.c */
    uint8_t unit;   /* that its next instruction needs */
    bool fence;     /* DRAINS: for a fence */
    bool wrote;     /* stored since its last write-back */
    bool anew;      /* DRAINS: its code is fetched anew */
};

/* A line of a sub-core's instruction cache. */
struct simt_line {
    uint64_t line;  /* its address in lines */
    uint64_t used;  /* when it was last, 0: there is none */
    uint8_t coming; /* sectors that are still to come */
    bool stale;     /* it is dropped as soon as it has come */
};

/* One that is asked for. */
struct simt_asked {
    uint64_t line;
    uint8_t subcore, sent; /* sent: sectors */
};

struct simt_subcore {
    uint64_t ready;       /* warps that may issue, by their number in it */
    uint64_t timed;       /* that will, in a cycle that is known */
    uint64_t wake;        /* the earliest of these */
    uint64_t queued;      /* that wait for room in a queue */
    uint64_t fetching;    /* that wait for their next instruction */
    struct simt_line *l0; /* NULL: fetch is free */
    uint64_t l0_clock;
    uint64_t acting; /* that have something to send besides issuing */
    uint64_t active; /* two_level: those that take turns */
    uint64_t unit_free[SIMT_UNITS]; /* the cycle in which it is */
    uint64_t of_unit[SIMT_UNITS];   /* warps that need it next */
    uint64_t slot_from;             /* its cycles before it are booked */
    uint64_t port_free;             /* nothing issues before */
    uint64_t due; /* nothing is to be done before, if nothing changes */
    uint64_t *bank_free, *collector_free; /* the cycle in which each is; NULL:
                                             they are left out */
    uint32_t last; /* that issued; at first the one before warp 0 */
    bool in_order; /* warps are as old as their numbers say */
    uint8_t slot;  /* enum slot: of the cycles from slot_from on */
    bool changed;  /* that may be another one, or there is more to be done */
};

/* A sector that an instruction's accesses touch, or a lane's atomic. */
struct simt_request {
    uint64_t sector;
    uint64_t lanes; /* whose accesses begin in it */
    uint64_t tails; /* whose accesses end in it, and began in the one before */
    uint64_t cycle; /* it was sent in */
    bool begins;    /* the first one of a request of the coalescer's rule */
};

/* A warp instruction that is under way outside. */
struct simt_op {
    uint64_t mask, crosses; /* lanes; those that touch two sectors */
    uint64_t writes;        /* registers */
    uint64_t refused;       /* lanes whose access the memory has refused */
    uint64_t loads;         /* lanes of an lr that reserve nothing */
    uint64_t pc, begun;     /* begun: the cycle that it was issued in */
    struct msg fault;       /* of the first that was */
    uint32_t warp;
    uint32_t next;        /* of the queue or free list */
    uint32_t first, last; /* messages that are still to be sent */
    uint16_t requests, sent, answered;
    uint16_t insn; /* isa_insn.op */
    uint8_t rd, cls, access, size, producer, bypass;
    bool blocks;                  /* access: an enum isa_block */
    uint64_t *at, *value;         /* by lane */
    struct simt_request *request; /* [2 * warp] */
};

/* Results that are written back in a cycle; in a ring of such cycles. */
struct simt_results {
    uint64_t cycle;
    int64_t count;
};
enum { SIMT_RESULT_CYCLES = 4096 };

#define NO_OP UINT32_MAX

/* Ops in their order. */
struct simt_queue {
    uint32_t first, last, count;
};

struct simt {
    struct unit unit;
    struct simt_subcore *subcores;
    struct simt_warp *warps;
    struct simt_op *ops;
    uint32_t free_op;
    struct simt_queue memory, next, ray;
    struct simt_asked *asked_lines;
    struct ring asked;            /* of asked_lines */
    struct simt_results *results; /* by cycle; NULL: slots are left out */
    bool collects;  /* operands are read from banks, or results have slots */
    uint64_t begin; /* the cycle in which the instruction that issues begins */
    bool fetches;   /* fetch is not free */
    bool started;
    bool spent; /* cycles of the coalescer for the first op of memory so far */

    struct machine *machine;
    struct hart *harts; /* by slot */
    const struct isa_insn *text;
    uint64_t text_start, text_bytes;
    uint64_t address_mask;
    uint64_t plain_start, plain_bytes; /* RAM but for what scratch hides */
    const struct simt_scheduler *schedule;
    const struct simt_reconvergence *reconverge;
    struct range groups, window; /* memory of all groups, of those here */
    uint64_t shared_free;        /* the cycle in which its banks are */
    bool shared_reserved;        /* an lr may hold a reservation in it */
    const struct simt_translation *translates; /* NULL: no TLB comes next */
    uint32_t first_hart, hart_count, warp_count, width;
    uint32_t ages;
    uint32_t rule_bytes; /* of the coalescer's requests */
    uint16_t interval[SIMT_UNITS];
    uint16_t latency_of[ISA_CLASS_COUNT]; /* from params, compact */
    uint8_t unit_of[ISA_CLASS_COUNT];
    struct isa_operands operands[ISA_READS][ISA_CLASS_COUNT];
    uint8_t subcore_count;
    uint64_t served, outside; /* classes, as bits: that units serve; that need
                                 an entry */

    int32_t *depth; /* by slot, of lanes that are in no path */
    struct simt_meeting
        *meetings; /* by slot, likewise, where there is a stack */
    const struct postdom *postdom; /* of the text, likewise */
    uint64_t *reserved;           /* by slot: sector of the last lr, ~0: none */
    uint64_t to_host;             /* lanes that have just stored to tohost */
    struct isa_lanes *lanes;      /* of the tile's: what an instruction did */
    struct commit_queue *commits; /* NULL: no log */
    struct simt_watch *watch;     /* NULL: the SM is not watched */
    WORK_SLOTS
    struct simt_stats stats;
    struct simt_params params;
};

static inline uint64_t bit(unsigned n)
{
    return 1ull << n;
}

static inline unsigned first_of(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

static inline uint32_t warp_number(const struct simt *t,
                                   const struct simt_warp *w)
{
    return (uint32_t)(w - t->warps);
}

/* Warps are dealt to sub-cores in turn. */
static inline struct simt_subcore *subcore_of(const struct simt *t,
                                              const struct simt_warp *w)
{
    return &t->subcores[warp_number(t, w) % t->subcore_count];
}

static inline uint64_t warp_bit(const struct simt *t, const struct simt_warp *w)
{
    return bit(warp_number(t, w) / t->subcore_count);
}

static inline struct simt_warp *
warp_of(const struct simt *t, const struct simt_subcore *s, unsigned number)
{
    return &t->warps[number * t->subcore_count + (uint32_t)(s - t->subcores)];
}

static inline uint32_t slot_of(const struct simt *t, const struct simt_warp *w,
                               unsigned lane)
{
    return warp_number(t, w) * t->width + lane;
}

/* Paths that have lanes. */
static inline unsigned path_count(const struct simt_warp *w)
{
    unsigned n = 0;
    for (unsigned i = 0; i < w->path_count; i++)
        n += w->paths[i].mask != 0;
    return n;
}

static inline struct hart *hart_of(const struct simt *t,
                                   const struct simt_warp *w, unsigned lane)
{
    return &t->harts[slot_of(t, w, lane)];
}

static inline const struct isa_insn *insn_at(const struct simt *t, uint64_t pc)
{
    uint64_t at = pc - t->text_start;
    return at < t->text_bytes ? &t->text[at / 2] : NULL;
}

static inline uint8_t *scratch_of(const struct simt *t, uint64_t hart)
{
    return t->machine->scratch + hart * t->machine->scratch_bytes;
}

static inline bool drained(const struct simt_warp *w)
{
    return !w->accesses && !w->pending;
}

static inline void add_pending(struct simt_warp *w, enum producer p,
                               uint64_t registers)
{
    w->pending |= registers;
    w->waits_for[p] |= registers;
}

static inline void end_pending(struct simt_warp *w, enum producer p,
                               uint64_t registers)
{
    w->pending &= ~registers;
    w->waits_for[p] &= ~registers;
}

/* Books the warp's cycles before now that are not booked yet. */
static inline void book(struct simt *t, struct simt_warp *w, uint64_t now)
{
    if (now > w->from) {
        ((uint64_t *)&t->stats)[w->bucket] += now - w->from;
        w->from = now;
    }
}

/* The warp's cycles from now on fall into a bucket. */
static inline void put_in(struct simt *t, struct simt_warp *w, uint64_t now,
                          enum bucket bucket)
{
    if (w->bucket == bucket)
        return;
    book(t, w, now);
    w->bucket = (uint8_t)bucket;
}

#endif
