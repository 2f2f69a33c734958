/*
 * What a unit sees of the engine: its ports, messages, wake-ups, services.
 *
 * A cycle has two phases. In receive, which is called where an input has a
 * message, a unit pops from its input ports and changes its own state; in send
 * it does all else, and pushes into its output ports. It never
 * looks at another unit, nor, in send, at its inputs (another unit may just be
 * pushing there): what receive left behind, receive has to note. So the order
 * of the units in a tile cannot be observed, and the engine may reverse it.
 * (Hints to the host may look at what lies in the same tile.)
 *
 * A message pushed in cycle t into a link of latency L can be popped in the
 * receive phase of cycle t + L. Room at the other end is known by credits: a
 * pop gives one back, in the same cycle's send phase within a tile, after the
 * link's latency between tiles. Who asks looks for room first (link_ready); an
 * answer that finds none waits at its port, and its unit knows nothing of it.
 *
 * A unit sleeps until an input has a message, a port that was found without
 * credits gets one, the cycle that its send returned, or unit_wake. Waking it
 * for nothing must change nothing.
 */
#ifndef SIM_UNIT_H
#define SIM_UNIT_H

#include "sim/core/engine.h"
#include <assert.h>
#include <stddef.h>
#include <string.h>

/* No message, no payload. */
#define NONE UINT32_MAX

/* What travels over links: half a cache line. Fields have no meaning to the
 * engine but next, when and the payload flag. */
struct msg {
    uint32_t next;      /* engine: list; between tiles: arrival cycle % 2^32 */
    uint32_t when;      /* engine, until it arrives: the port's number */
    uint64_t addr : 44; /* guest address */
    uint64_t from : 20; /* who asks, e.g. the number of the hart */
    uint64_t value;     /* with MSG_PAYLOAD: handle of the payload */
    uint32_t tag;
    uint8_t op;
    uint8_t size;
    uint8_t flags;
    uint8_t aux;
};
_Static_assert(sizeof(struct msg) == 32 && !offsetof(struct msg, next),
               "half a cache line; a message's place is that of next");

enum { MSG_PAYLOAD = 0x80 }; /* in flags: value is a payload handle */

/* Data that travels by value: one sector, one ray, one hit record. */
struct payload {
    uint8_t bytes[32];
};

/* The two ends of a link, half a cache line each: there are thousands. */
struct inport {
    uint32_t head, tail; /* FIFO in the tile's pool, or of link_put_elsewhere */
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
    uint8_t price;       /* of a message, in credits; reserved: 0 */
    uint32_t port;       /* number of the input port in its tile */
    uint32_t tile;       /* number of that tile */
    struct unit *target; /* at the other end, in whatever tile */
    struct unit *unit;   /* owner of this output port */
};
_Static_assert(sizeof(struct inport) == 32 && sizeof(struct outport) == 32,
               "half a cache line");

#define UNIT_PORTS_MAX 10
#define UNIT_WORDS_MAX 12

/* The head of every unit's struct; what each cycle touches comes first. */
struct unit {
    struct tile *tile;
    bool (*expect)(const struct unit *u, const struct msg *m, unsigned round);
    uint64_t bit;           /* of it, in masks over the tile's units, */
    struct unit_word *mask; /* in this word of them, */
    uint16_t word;          /* which has this number */
    bool unblocked;  /* a port that it found full has had room since; for those
                        who ask, who clear it */
    uint32_t filled; /* number of input links with messages */
    /* Which they are: port row r has words first_word[r]... */
    uint64_t pending[UNIT_WORDS_MAX];
    union { /* [row][link]: a row has either */
        struct inport *in[UNIT_PORTS_MAX];
        struct outport *out[UNIT_PORTS_MAX];
    };
    uint16_t links[UNIT_PORTS_MAX]; /* connected to each row */
    uint8_t first_word[UNIT_PORTS_MAX];
    uint32_t id; /* number in the chip */
    const struct unit_kind *kind;
    struct chip *chip;
    char *name, *group;
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

#define WHEEL 64

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
    /* No account is closed, and nobody outside the tile looks, before this
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

    struct payload *payloads;
    uint32_t *payload_next;
    uint32_t payload_free;
    uint32_t credit_free; /* in credit_pool, before those from credit_fresh on,
                             which are free as well */
    uint32_t credit_fresh, credits_listed;
    struct mailbox *outbox; /* of the running host thread, by tile number */
    uint64_t first_mail;    /* earliest arrival among the mail sent */
    struct credit_node *credit_pool;

    struct unit_set *sets;
    struct preparation *preparing[PREFETCH_ROUNDS];
    uint32_t preparing_count[PREFETCH_ROUNDS];
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
    uint32_t request_taken; /* so many of them are collected already */

    struct held_answers *held; /* by output port */
};

/* ---- engine internals that the inline functions need ---- */
void tile_grow_pool(struct tile *t);
void tile_grow_payloads(struct tile *t);
/* answers.c: the message, which has its payload if it needs one, waits in the
 * tile until the port has a credit, behind those that wait already; the port
 * has had one; those for which there is room leave. */
void tile_hold(struct outport *o, uint32_t index);
void tile_note_room(struct outport *o);
void tile_release(struct tile *t);
/* The message goes to another tile. */
void tile_mail(const struct outport *o, const struct msg *m,
               const struct payload *payload);

/* Number of the lowest bit of a mask that is not 0. gcc 12 clears the number
 * before and extends its sign after the instruction that does it all. */
static inline size_t mask_first(uint64_t mask)
{
#ifdef __x86_64__
    size_t first;
    __asm__("rep bsfq %1, %0" : "=r"(first) : "r"(mask) : "cc");
    return first;
#else
    return (size_t)__builtin_ctzll(mask);
#endif
}

/* The bits or none, without a branch: what a profile says of how often does not
 * say that a host can guess when. */
static inline uint64_t bits_if(bool condition, uint64_t bits)
{
    uint64_t mask = -(uint64_t)condition;
    __asm__("" : "+r"(mask));
    return bits & mask;
}

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
    if (__builtin_expect(t->near_free > 0, 1))
        return t->pool_free[--t->near_free];
    return t->pool_free[POOL_NEAR + --t->far_free];
}

static inline uint32_t tile_new_msg(struct tile *t)
{
    if (!tile_free_msgs(t))
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
    return index;
}

static inline uint32_t tile_new_payload(struct tile *t)
{
    if (t->payload_free == NONE)
        tile_grow_payloads(t);
    return tile_next_payload(t);
}

/* One more in the port's FIFO; returns how many there were. Without branches:
 * nobody guesses whether a port is empty. u is the port's unit: who knows it
 * need not wait for the port's line to look there. */
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

/* One less if so, without a branch either. The unit's word is told when receive
 * is over. */
static inline void inport_drop(struct unit *u, struct inport *in, bool one)
{
    in->count -= one;
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

/* Units of a word run in a cycle, or before if the wheel ends there. */
static inline void tile_wake(struct tile *t, uint32_t word, uint64_t units,
                             uint64_t when)
{
    uint64_t last = t->now + WHEEL - 1;
    unsigned slot = (when < last ? when : last) % WHEEL;
    t->wakes[slot * t->words + word] |= units;
    t->slots |= 1ULL << slot;
}

/* ---- for units ---- */

/*
 * The unit runs (both phases) in cycle when, or in an earlier one if it is
 * further off than the wheel reaches; when > now. A reason to run in the
 * current cycle can only arise in receive: unit_wake_send.
 */
static inline void unit_wake(struct unit *u, uint64_t when)
{
    tile_wake(u->tile, u->word, u->bit, when);
}

/* The same without branches, if `wakes`, for a unit that the wheel reaches:
 * who cannot be guessed to have something to do. */
static inline void unit_wake_if(struct unit *u, bool wakes, uint64_t when)
{
    struct tile *t = u->tile;
    unsigned slot = when % WHEEL;
    assert(when > t->now && when - t->now < WHEEL);
    t->wakes[slot * t->words + u->word] |= bits_if(wakes, u->bit);
    t->slots |= (uint64_t)wakes << slot;
}

static inline void unit_wake_send(struct unit *u)
{
    u->mask->run |= u->bit;
}

/* In receive: send would change nothing, and need not run. What it was to run
 * for in later cycles has to be asked for by unit_wake. */
static inline void unit_skip_send(struct unit *u)
{
    u->mask->run &= ~u->bit;
}

/*
 * Asks for a service (engine.h) about tag, e.g. which hart; now: this cycle, as
 * a tile's requests are in the order of cycles. The unit is not woken; whoever
 * serves does what is to be done.
 */
void unit_request_service(struct unit *u, uint64_t now, uint64_t tag);

#ifdef WATCH_HINTS
void watch_hint(const void *at); /* ci/speed/lines.c */
#endif

/*
 * Asks for the host's line. Not the compiler's own function: to gcc 12 one that
 * does nothing else has no effect, and calls of it are left out.
 */
static inline void host_prefetch(const void *at)
{
#ifdef WATCH_HINTS
    watch_hint(at);
#elif defined __x86_64__
    __asm__ volatile("prefetcht0 %0" : : "m"(*(const char *)at));
#else
    __builtin_prefetch(at);
#endif
}

/*
 * Has the host's line fetched, by a load. Of many prefetches at once some are
 * lost: their lines were measured to be missing when they were needed.
 */
static inline void host_touch(const void *at)
{
    (void)*(const volatile char *)at;
}

/* Room for one message? If not, the unit is woken when there is. */
static inline bool link_ready(struct outport *o)
{
    if (o->credits > 0)
        return true;
    o->starved = true;
    return false;
}

static inline void link_use_credits(struct outport *o, int count)
{
    assert(o->unit->tile->sending && o->credits >= count);
    o->credits = (int16_t)(o->credits - count * o->price);
}

static inline void link_use_credit(struct outport *o)
{
    link_use_credits(o, 1);
}

/*
 * The message is on its way to a unit of the same tile, in delay cycles. Unless
 * that is at once there is time for the lines that it will touch to come.
 */
static inline void link_enqueue_later(struct outport *o, uint32_t index,
                                      uint64_t delay)
{
    struct tile *t = o->unit->tile;
    struct inport *in = &t->inports[o->port];
    struct unit *u = o->target;
    if (o->latency + delay == 1) {
        inport_append(t, in, u, index);
        u->mask->next |= u->bit;
    } else {
        assert(o->latency + delay < WHEEL);
        t->pool[index].when = o->port;
        host_prefetch(in);
        host_prefetch(u);
        tile_arrive(t, index, t->now + delay + o->latency);
    }
}

static inline void link_enqueue(struct outport *o, uint32_t index)
{
    link_enqueue_later(o, index, 0);
}

/*
 * All but next and when. Field by field: a host waits long for a wide load of
 * what was just written by narrow stores.
 */
static inline void msg_copy(struct msg *to, const struct msg *from)
{
    size_t at = offsetof(struct msg, when) + sizeof from->when;
    memcpy((char *)to + at, (const char *)from + at, sizeof(uint64_t));
    to->value = from->value;
    to->tag = from->tag;
    to->op = from->op;
    to->size = from->size;
    to->flags = from->flags;
    to->aux = from->aux;
}

/* Gives a message of the pool its payload, for which there is room. */
static inline void msg_attach(struct tile *t, struct msg *m,
                              const struct payload *payload)
{
    uint32_t handle = tile_next_payload(t);
    t->payloads[handle] = *payload;
    m->value = handle;
    m->flags |= MSG_PAYLOAD;
}

/* The same, where there may be none. */
static inline void msg_attach_growing(struct tile *t, struct msg *m,
                                      const struct payload *payload)
{
    if (t->payload_free == NONE)
        tile_grow_payloads(t);
    msg_attach(t, m, payload);
}

/* An answer for which its link has no room: rare, so no registers are saved for
 * it elsewhere. */
void link_hold(struct outport *o, uint32_t index,
               const struct payload *payload);

/*
 * Sends a message that the unit took from another link (link_take), where it
 * is; the port must be ready, or one for answers. payload: NULL, or what goes
 * with it.
 */
static inline __attribute__((always_inline)) void
link_forward(struct outport *o, uint32_t index, const struct payload *payload)
{
    struct tile *t = o->unit->tile;
    struct msg *m = &t->pool[index];
    if (__builtin_expect(o->credits <= 0, 0)) {
        link_hold(o, index, payload);
        return;
    }
    link_use_credit(o);
    if (o->remote) {
        tile_mail(o, m, payload);
        tile_free_msg(t, index);
        return;
    }
    if (payload)
        msg_attach_growing(t, m, payload);
    link_enqueue(o, index);
}

/*
 * The same, in delay cycles, for a port within a tile; delay and latency
 * together are less than WHEEL. The credit is used now. Until then the unit
 * pushes something else into the port only if the port's latency is 1; what it
 * pushes in that same cycle goes first.
 */
static inline void link_forward_later(struct outport *o, uint32_t index,
                                      uint64_t delay)
{
    assert(!o->remote);
    link_use_credit(o);
    link_enqueue_later(o, index, delay);
}

/* Sends a message and what goes with it, if not NULL; the port must be ready,
 * or one for answers (struct port_row). */
void link_push_full(struct outport *o, const struct msg *m,
                    const struct payload *payload);

/* Sends a message; the port must be ready, or one for answers. */
void link_push(struct outport *o, const struct msg *m);

static inline const struct msg *link_peek(const struct inport *in)
{
    assert(!in->unit->tile->sending && in->count);
    return &in->unit->tile->pool[in->head];
}

/* Its unit, or an answer, which waits for a credit, sends in this cycle. */
static inline void outport_unblock(struct outport *o)
{
    o->starved = false;
    if (__builtin_expect(o->unit->tile->held_count, 0))
        tile_note_room(o);
    o->unit->unblocked = true;
    unit_wake_send(o->unit);
}

void inport_post_credit(const struct inport *in);

static inline void inport_return_credit(struct inport *in)
{
    if (in->latency) {
        inport_post_credit(in);
        return;
    }
    struct outport *out = in->peer;
    out->credits++;
    if (out->starved)
        outport_unblock(out);
}

/*
 * Takes the first message, which stays where it is in the tile's pool; there
 * must be one. Its fields next and when are the unit's now, and it has to be
 * freed (tile_free_msg). u: the port's unit.
 */
static inline uint32_t link_take_of(struct unit *u, struct inport *in)
{
    struct tile *t = u->tile;
    assert(u == in->unit && !t->sending && in->count);
    uint32_t index = in->head;
    in->head = t->pool[index].next;
    host_prefetch(&t->pool[in->head]); /* it may have waited long */
    inport_drop(u, in, true);
    if (in->credited)
        inport_return_credit(in);
    return index;
}

static inline uint32_t link_take(struct inport *in)
{
    return link_take_of(in->unit, in);
}

/*
 * Two units of a tile may keep what goes over their link of latency 1 in a
 * place of their own, instead of messages in the pool. These do all else:
 * something has been put there, in send, for credits that have been used; what
 * was first is taken, in receive (last: all that was put there at once is).
 */
static inline void link_put_elsewhere(struct outport *o)
{
    struct inport *in = &o->unit->tile->inports[o->port];
    struct unit *u = o->target;
    assert(o->unit->tile->sending && !o->remote && o->latency == 1);
    inport_add(in, u);
    u->mask->next |= u->bit;
}

static inline void link_take_elsewhere(struct unit *u, struct inport *in,
                                       bool last)
{
    assert(u == in->unit && !u->tile->sending && in->count);
    inport_drop(u, in, last);
    if (in->credited)
        inport_return_credit(in);
}

/* Takes the first message, which can be read until something is sent: a host
 * waits long for a copy of what was just written field by field. */
static inline const struct msg *link_read(struct inport *in)
{
    struct tile *t = in->unit->tile;
    uint32_t index = link_take(in);
    tile_free_msg(t, index);
    return &t->pool[index];
}

/* Takes the first message; there must be one. */
static inline struct msg link_pop(struct inport *in)
{
    return *link_read(in);
}

/* Takes the payload of a popped message. */
static inline struct payload msg_payload(struct unit *u, const struct msg *m)
{
    struct tile *t = u->tile;
    assert(m->flags & MSG_PAYLOAD);
    uint32_t handle = (uint32_t)m->value;
    t->payload_next[handle] = t->payload_free;
    t->payload_free = handle;
    return t->payloads[handle];
}

static inline uint64_t *unit_pending(struct unit *u, unsigned row)
{
    return &u->pending[u->first_word[row]];
}

/* a or b, without a branch whatever the compiler thinks. */
static inline uint64_t choose_if(bool condition, uint64_t a, uint64_t b)
{
    return b ^ ((a ^ b) & -(uint64_t)condition);
}

/* mask_next of more than two words. */
int mask_next_long(const uint64_t *mask, unsigned words, unsigned from);

/*
 * Round robin: the first set bit at or after `from`, wrapping, of a mask of
 * `words` words, 1 or more; -1 if none. Advance `from` only when granting.
 * Without branches, as nobody guesses where a bit is.
 */
static inline int mask_next(const uint64_t *mask, unsigned words, unsigned from)
{
    if (words > 2)
        return mask_next_long(mask, words, from);
    unsigned w = from / 64;
    uint64_t all = mask[w], m = all & (~0ULL << from % 64);
    if (words == 2) {
        uint64_t other = mask[w ^ 1];
        w ^= !m & (other > 0);
        all = choose_if(other > 0, other, all);
    }
    m = choose_if(m > 0, m, all);
    return m ? (int)(w * 64 + (unsigned)mask_first(m)) : -1;
}

/* The one after it, of `count`. */
static inline unsigned port_after(unsigned port, unsigned count)
{
    return port + 1 == count ? 0 : port + 1;
}

/* words: 1 or more. */
static inline bool mask_any(const uint64_t *mask, unsigned words)
{
    uint64_t any = mask[0];
    if (words == 1)
        return any;
    for (unsigned w = 1; w < words; w++)
        any |= mask[w];
    return any;
}

/* In the definition of a kind: the tables param_rows, stat_rows, ... of its
 * file. */
#define UNIT_TABLES                                                            \
    .param_rows = param_rows, .param_count = TABLE_COUNT(param_rows),          \
    .stat_rows = stat_rows, .stat_count = TABLE_COUNT(stat_rows),              \
    .bucket_rows = bucket_rows, .bucket_count = TABLE_COUNT(bucket_rows),      \
    .port_rows = ports, .port_count = TABLE_COUNT(ports)
#define TABLE_COUNT(table) (unsigned)(sizeof(table) / sizeof(table)[0])

#endif
