/*
 * How a tile lies in memory: ends of links, the wheel, the pools, the sets of
 * units. For sim/core, and for the inline functions of unit.h (unit_inline.h)
 * because calls would cost too much; units use the functions alone. It comes
 * with unit.h, whose types it needs.
 */
#ifndef SIM_TILE_H
#define SIM_TILE_H

#include "sim/core/host_cpu.h"

/* The two ends of a link, half a cache line each: there are thousands. */
struct inport {
    uint32_t head, tail; /* FIFO in the tile's pool */
    uint32_t count;      /* in it */
    uint8_t word;        /* pending[word] bit of the unit */
    uint8_t bit;
    uint8_t latency; /* of the credit that a pop returns, 0: same tile */
    bool credited;   /* false: reserved */
    union {
        struct outport *peer; /* the other end in the same tile */
        struct {
            uint32_t source; /* or the number of the output port */
            uint32_t origin; /* in this tile */
        };
    };
    struct unit *unit;
};

struct outport {
    int16_t credits;
    int16_t depth; /* credits when nothing is on its way */
    uint8_t latency;
    bool remote;
    bool starved;        /* the unit waits for a credit */
    uint8_t price : 1;   /* of a message, in credits; reserved: 0 */
    uint8_t watched : 1; /* its messages are counted: link_stats.c */
    uint32_t port;       /* number of the input port in its tile */
    uint32_t tile;       /* number of that tile */
    struct unit *target; /* at the other end, in whatever tile */
    struct unit *unit;   /* owner of this output port */
};
_Static_assert(sizeof(struct inport) == 32 && sizeof(struct outport) == 32,
               "half a cache line");

/* What a watched link has carried up to a cycle. */
struct link_count {
    uint64_t messages, full, occupied;
    uint64_t since; /* credits are what they are from this cycle on */
};

/* What comes in one of the next cycles: lists, NONE: empty. */
struct wheel_slot {
    uint32_t first, last; /* messages that arrive, a link's in order */
    uint32_t credits;     /* that become usable at output ports */
};

/* An entry of a list of credits under way. */
struct credit_node {
    uint32_t next, port;
};

/* A word of masks over the tile's units. */
struct unit_word {
    uint64_t filled; /* those with messages at an input */
    uint64_t ready;  /* those that receive in this cycle */
    uint64_t run;    /* those that send in it */
    uint64_t next;   /* those that run in the next one */
};
#define WORDS_MOST 64

/* Units of one kind in one word. */
struct unit_set {
    void (*receive)(struct unit *u, uint64_t now);
    uint64_t (*send)(struct unit *u, uint64_t now);
    uint64_t bits;       /* their place in the word */
    struct unit *first;  /* of them */
    struct unit **units; /* by bit */
    /* If they lie equally far apart, that of bit 0 would be at `base`, and no
     * line of the host's is read to find one; else stride is 0. */
    uintptr_t base, stride;
    uint32_t word;
};

/* Units of a word that run in a cycle that the wheel does not reach: timer.c.
 */
struct far_wake {
    uint64_t when, units;
    uint32_t word;
};

/* A unit that prepares epochs. */
struct preparation {
    void (*prepare)(const struct unit *u, uint64_t end);
    const struct unit *unit;
};

/* Most tiles have one of these. */
enum tile_shape {
    TILE_ANY,
    TILE_FEW,  /* one word: a set, and maybe a single unit */
    TILE_SOME, /* two words: a set; two single units, and rare ones */
};
/* Sets before the rare ones. */
#define TILE_BUSY 3

/* Units that run on one host thread, and all that they share; what each cycle
 * touches comes first. */
struct tile {
    uint64_t now;
    /* No account is closed, and nothing outside the tile looks, before this
     * cycle: what a unit does on its own may be worked out up to here. */
    uint64_t horizon;

    uint64_t slots;  /* of the wheel: cycles in which something is due */
    uint64_t listed; /* of these, those with entries in the lists below */
    uint64_t *wakes; /* [WHEEL][words]: units that run, besides word[].next */
    uint32_t words;  /* of a mask over the units */
    uint32_t set_count;
    uint32_t released;      /* a list of output ports: answers.c; NONE: empty */
    uint32_t held_count;    /* answers that wait for a credit */
    uint64_t rare;          /* TILE_SOME: units of sets from TILE_BUSY on */
    uint8_t shape;          /* enum tile_shape */
    bool sending;           /* phase, for the checks of debug builds */
    uint32_t request_count; /* of requests */

    struct msg *pool;
    uint32_t *pool_free; /* stacks: taking one touches no other message */
    uint32_t near_free, far_free; /* in them, see POOL_NEAR */

    struct inport *inports; /* those of a unit side by side */
    struct outport *outports;
    struct link_count *link_counts; /* by output port, NULL: not watched */
#if STALLS
    uint64_t *waits; /* by input port, likewise: how long messages waited */
#endif

    struct payload *payloads;
    uint32_t *payload_next;
    uint32_t payload_free;
    uint32_t credit_free; /* in credit_pool, before those from credit_fresh on,
                             which are free as well */
    uint32_t credit_fresh, credits_listed;
    struct mailbox *outbox; /* of the running host thread, by tile number */
    uint64_t first_mail;    /* earliest arrival among the mail sent */
    struct credit_node *credit_pool;

    struct far_wake *far; /* the latest first */
    uint32_t far_count, far_room;

    struct unit_set *sets;
    struct preparation *preparing[HINT_ROUNDS];
    uint32_t preparing_count[HINT_ROUNDS];
    _Alignas(64) struct unit_word word[WORDS_MOST];
    _Alignas(64) uint64_t near[WHEEL * 2]; /* wakes of one or two words */
    struct wheel_slot wheel[WHEEL];

    struct chip *chip;
    char *name;
    uint32_t id;
    uint32_t pool_size, payload_size, credit_size;
    uint32_t unit_count;
    struct unit **units; /* in order of creation */
    uint32_t inport_count, outport_count;

    struct service_request *requests;
    uint32_t request_room;
    uint32_t request_taken; /* how many of them are collected */

    struct held_answers *held; /* by output port */
};

/* ---- what the inline functions need of other files ---- */

/* link.c: there is no free message, payload. */
void tile_grow_pool(struct tile *t);
void tile_grow_payloads(struct tile *t);
/* answers.c: the message, which has its payload if it needs one, waits in the
 * tile until the port has a credit, behind those that wait already; the port
 * has had one; those for which there is room leave. */
void tile_hold(struct outport *o, uint32_t index);
void tile_note_room(struct outport *o);
void tile_release(struct tile *t);
/* timer.c: units of a word run in a cycle that the wheel does not reach; those
 * that it reaches by now go there. */
void tile_wake_far(struct tile *t, uint32_t word, uint64_t units,
                   uint64_t when);
void tile_take_far(struct tile *t);
/* link.c: the message goes to another tile. */
void tile_mail(const struct outport *o, const struct msg *m,
               const struct payload *payload);

/* ---- messages and payloads that are free ---- */

/*
 * The first messages of a pool are taken first, from a stack of their own. So
 * what is usually under way lies side by side, two in a host's line, also after
 * a burst that needed ten times as many.
 */
#define POOL_NEAR 512u

static inline uint32_t tile_free_msgs(const struct tile *t)
{
    return t->near_free + t->far_free;
}

/* There is a free one. */
static inline uint32_t tile_next_msg(struct tile *t)
{
    uint32_t index;
    if (__builtin_expect(t->near_free > 0, 1))
        index = t->pool_free[--t->near_free];
    else
        index = t->pool_free[POOL_NEAR + --t->far_free];
    if (CHECKED)
        checked_reuse(t, index);
    return index;
}

static inline uint32_t tile_new_msg(struct tile *t)
{
    if (!t->near_free && !t->far_free)
        tile_grow_pool(t);
    return tile_next_msg(t);
}

static inline void tile_free_msg(struct tile *t, uint32_t index)
{
    if (__builtin_expect(index < POOL_NEAR, 1))
        t->pool_free[t->near_free++] = index;
    else
        t->pool_free[POOL_NEAR + t->far_free++] = index;
}

/* There is a free one. */
static inline uint32_t tile_next_payload(struct tile *t)
{
    uint32_t index = t->payload_free;
    t->payload_free = t->payload_next[index];
    if (CHECKED)
        t->payload_next[index] = PAYLOAD_USED;
    return index;
}

static inline bool payload_is_used(const struct tile *t, uint32_t handle)
{
    return handle < t->payload_size &&
           (t->payload_next[handle] == PAYLOAD_USED ||
            t->payload_next[handle] == PAYLOAD_READ);
}

static inline uint32_t tile_new_payload(struct tile *t)
{
    if (t->payload_free == NONE)
        tile_grow_payloads(t);
    return tile_next_payload(t);
}

/* ---- the FIFO of an input port, the wheel ---- */

/* One more in the port's FIFO, without branches (host_cpu.h); returns how many
 * there were. u is the port's unit: a caller who knows it need not wait for the
 * port's line to look there. */
static inline uint32_t inport_add(struct inport *in, struct unit *u)
{
    uint32_t count = in->count++;
    u->pending[in->word] |= 1ULL << in->bit;
    u->filled += count == 0;
    u->mask->filled |= u->bit;
    return count;
}

/* The number goes to the last message, or to the head. */
static inline void inport_append(struct tile *t, struct inport *in,
                                 struct unit *u, uint32_t index)
{
    uint32_t count = inport_add(in, u);
    uintptr_t head = (uintptr_t)&in->head;
    uintptr_t next = (uintptr_t)t->pool + (uintptr_t)in->tail * sizeof *t->pool;
    *(uint32_t *)(head ^ ((head ^ next) & -(uintptr_t)(count > 0))) = index;
    in->tail = index;
}

/* One less, without a branch. The unit's word is told when receive is over. */
static inline void inport_drop(struct unit *u, struct inport *in)
{
    in->count--;
    bool empty = in->count == 0;
    u->pending[in->word] &= ~((uint64_t)empty << in->bit);
    u->filled -= empty;
}

static inline void tile_arrive(struct tile *t, uint32_t index, uint64_t when)
{
    unsigned slot = when % WHEEL;
    struct wheel_slot *s = &t->wheel[slot];
    t->pool[index].next = NONE;
    if (s->first == NONE)
        s->first = index;
    else
        t->pool[s->last].next = index;
    s->last = index;
    t->listed |= 1ULL << slot;
    t->slots |= 1ULL << slot;
}

/* Cycle of the first of the wake-ups that the wheel did not reach. */
static inline uint64_t tile_far_event(const struct tile *t)
{
    return t->far_count ? t->far[t->far_count - 1].when : CYCLE_NEVER;
}

/* Units of a word run in a cycle. */
static inline void tile_wake(struct tile *t, uint32_t word, uint64_t units,
                             uint64_t when)
{
    unsigned slot = when % WHEEL;
    if (__builtin_expect(when - t->now >= WHEEL, 0)) {
        tile_wake_far(t, word, units, when);
        return;
    }
    t->wakes[slot * t->words + word] |= units;
    t->slots |= 1ULL << slot;
}

#endif
