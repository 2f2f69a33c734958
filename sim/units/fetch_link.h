/*
 * The way between an RT core and its L1, where no message is needed. The core
 * asks for sectors, reads in place what is in them, and goes on when the last
 * one of a fetch has come. So what it asks for waits as a number at the port,
 * several sectors side by side as one; and answers are counted, by the tag of
 * the fetch, and the core is told of the last one.
 *
 * Nothing else differs from messages over links of latency 1, one for each
 * sector, of which either end takes one in each cycle at each port. (A run that
 * nothing goes on with may end a service's time earlier, as the core does not
 * run for a fetch's other sectors.) The first sector of an ask comes in the
 * next cycle, each other one a cycle after the one before it; each takes a
 * credit of the output port, all at once. An answer counts in the cycle in
 * which it would be taken, behind those before it.
 */
#ifndef SIM_FETCH_LINK_H
#define SIM_FETCH_LINK_H

#include "sim/core/unit.h"
#include "sim/units/mem.h"

/* At most, to be joined. */
#define FETCH_PORTS 7
#define FETCH_TAGS 256
/* Most sectors of an ask, within an aligned block of so many. */
#define FETCH_TRAIN 4u

/* An ask: the first sector's number in memory, how many there are besides, and
 * the tag. */
typedef uint64_t fetch_ask_t;
#define ASK_REST_SHIFT 44
#define ASK_REST_ONE (1ULL << ASK_REST_SHIFT)
#define ASK_TAG_SHIFT 48

/* Asks at a port, a ring. Empty, it begins anew with the next one: its first
 * entries are in the host's cache. */
struct fetch_asks {
    fetch_ask_t *ring;
    uint16_t head, tail, mask;
};

/* What is complete in a cycle. */
struct fetch_cycle {
    uint8_t ports;             /* mask of those at which something is, */
    uint8_t tags[FETCH_PORTS]; /* and what */
};
_Static_assert(sizeof(struct fetch_cycle) == 8, "eight in a line");

/* Complete in a cycle that the ring does not reach yet. */
struct fetch_far {
    uint64_t at;
    uint8_t tag, port;
};

struct fetch_link {
    struct unit *asker;
    struct fetch_cycle *cycles; /* [WHEEL] */
    uint8_t *missing;           /* by tag; the asker's, joined or not */
    uint64_t next[FETCH_PORTS]; /* cycle in which the asker takes another one */
    struct fetch_asks asks[FETCH_PORTS];
    struct fetch_far *far; /* by tag at most */
    uint32_t far_count;
};

/* For tags below `tags`. */
void fetch_link_new(struct fetch_link *l, struct unit *asker, uint32_t tags);

/* Room for so many asks at each of these ports. */
void fetch_link_room(struct fetch_link *l, uint32_t ports, uint32_t asks);

/*
 * All units are built, and nothing is under way: from now on what these output
 * ports of a unit ask for goes over the link, by port 0, 1, ..., and not in
 * messages, nor do answers to its inputs `back`. False: nothing changes, as the
 * ports, FETCH_PORTS at most, do not all lead to ports side by side of one
 * cache in the same tile that can do so and is not joined to another, over
 * links with credits and of latency 1, and back over reserved ones of latency
 * 1. (cache_build.c)
 */
bool fetch_link_join(struct fetch_link *l, const struct outport *from,
                     const struct inport *back, uint32_t ports);

/* ---- asking ---- */

static inline fetch_ask_t fetch_ask_of(uint64_t address, uint32_t sectors,
                                       uint32_t tag)
{
    return address / SECTOR | (uint64_t)(sectors - 1) << ASK_REST_SHIFT |
           (uint64_t)tag << ASK_TAG_SHIFT;
}

static inline uint64_t fetch_ask_address(fetch_ask_t ask)
{
    return (ask & (ASK_REST_ONE - 1)) * SECTOR;
}

/* A message that asks for a sector. */
static inline void fetch_message(struct msg *m, uint64_t address, uint32_t tag)
{
    m->addr = address;
    m->from = 0;
    m->value = 0;
    m->tag = tag;
    m->op = MEM_READ;
    m->size = SECTOR;
    m->flags = m->aux = 0;
}

static inline uint32_t fetch_ask_tag(fetch_ask_t ask)
{
    return (uint32_t)(ask >> ASK_TAG_SHIFT);
}

/* In send; o: the port's, with room for all sectors. */
static inline void fetch_link_ask(struct fetch_asks *asks, struct outport *o,
                                  fetch_ask_t ask)
{
    uint16_t some = (uint16_t)bits_if(asks->head != asks->tail, UINT16_MAX);
    asks->head &= some;
    asks->tail &= some;
    asks->ring[asks->tail++ & asks->mask] = ask;
    link_use_credits(o, (int)(ask >> ASK_REST_SHIFT & (FETCH_TRAIN - 1)) + 1);
    link_put_elsewhere(o);
}

/* In receive: the sector that is at the head of a port, with those after it. */
static inline fetch_ask_t fetch_link_first(const struct fetch_asks *asks)
{
    return asks->ring[asks->head & asks->mask];
}

/* Takes that sector; u, in: who is asked, and its port. Nobody guesses which
 * one is the last. */
static inline fetch_ask_t fetch_link_take(struct fetch_asks *asks,
                                          struct unit *u, struct inport *in)
{
    fetch_ask_t *first = &asks->ring[asks->head & asks->mask], ask = *first;
    bool last = !(ask & (FETCH_TRAIN - 1) * ASK_REST_ONE);
    *first = ask + 1 - ASK_REST_ONE; /* of the last nobody reads it */
    asks->head = (uint16_t)(asks->head + last);
    link_take_elsewhere(u, in, last);
    return ask;
}

/* ---- answers ---- */

void fetch_link_note_far(struct fetch_link *l, uint64_t at, uint32_t port,
                         uint32_t tag);

/* In send: what has come nearer. */
void fetch_link_bring_near(struct fetch_link *l, uint64_t now);

/* For who is asked, in send. Nobody guesses which sector is a fetch's last one.
 */
static inline void fetch_link_answer(struct fetch_link *l, uint32_t port,
                                     uint32_t tag, uint64_t now)
{
    uint64_t *next = &l->next[port];
    uint64_t at = *next > now + 1 ? *next : now + 1;
    bool complete = --l->missing[tag] == 0;
    *next = at + 1;
    if (__builtin_expect(at - now >= WHEEL, 0)) {
        if (complete)
            fetch_link_note_far(l, at, port, tag);
        return;
    }
    struct fetch_cycle *c = &l->cycles[at % WHEEL];
    c->tags[port] = (uint8_t)tag;
    c->ports |= (uint8_t)(complete << port);
    unit_wake_if(l->asker, complete, at);
}

/* For the asker, in send: at which ports something is complete in this cycle.
 */
static inline uint32_t fetch_link_complete(struct fetch_link *l, uint64_t now)
{
    struct fetch_cycle *c = &l->cycles[now % WHEEL];
    uint32_t ports = c->ports;
    c->ports = 0;
    if (__builtin_expect(l->far_count, 0))
        fetch_link_bring_near(l, now);
    return ports;
}

static inline uint32_t fetch_link_tag(const struct fetch_link *l, uint32_t port,
                                      uint64_t now)
{
    return l->cycles[now % WHEEL].tags[port];
}

/* The host's lines of what will be counted before a cycle. */
static inline void fetch_link_warm(const struct fetch_link *l, uint64_t end)
{
    host_prefetch(l->missing);
    for (uint64_t at = l->asker->tile->now & ~7ULL; at < end; at += 8)
        host_prefetch(&l->cycles[at % WHEEL]);
}

#endif
