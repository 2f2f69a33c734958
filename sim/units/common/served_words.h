/*
 * How the words of an instruction that a unit serves travel, both ways
 * (sdk/isa/served.def says which registers they are of):
 *
 *   tag    the core's, from bit WORDS_HART on the number of the hart in the
 *          core; an answer has that of its request
 *   addr   a request's: the immediate of the instruction
 *   op     a request's: enum isa_class of the instruction; an answer's: 0, or
 *          MEM_FAULT, without words: an access that it took was refused (mem.h)
 *   value  up to two words, the first one in its low half, without a payload
 *   aux    more than two: a message has a payload of 8 words; 0: the first 8,
 *          1: the rest, in a second message right behind it
 */
#ifndef SIM_SERVED_WORDS_H
#define SIM_SERVED_WORDS_H

#include "sim/core/unit.h"

enum { WORDS_HART = 26, WORDS_IN_VALUE = 2, WORDS_IN_PAYLOAD = 8 };

/* Messages that carry `count` words: room that their port needs. */
static inline unsigned words_messages(unsigned count)
{
    return count > WORDS_IN_PAYLOAD ? 2 : 1;
}

static inline uint64_t words_value(const uint32_t *words, unsigned count)
{
    uint64_t low = count > 0 ? words[0] : 0;
    return count > 1 ? low | (uint64_t)words[1] << 32 : low;
}

/* Sends a message with words[0 .. count - 1]. The port has room, or is one for
 * answers. */
static inline void words_push(struct outport *o, struct msg *m,
                              const uint32_t *words, unsigned count)
{
    if (count <= WORDS_IN_VALUE) {
        m->value = words_value(words, count);
        link_push(o, m);
        return;
    }
    for (unsigned first = 0; first < count; first += WORDS_IN_PAYLOAD) {
        struct payload p = {{0}};
        unsigned left = count - first;
        memcpy(p.bytes, words + first,
               4 * (left < WORDS_IN_PAYLOAD ? left : WORDS_IN_PAYLOAD));
        m->aux = first > 0;
        link_push_full(o, m, &p);
    }
}

/*
 * Takes those of a popped message, of `count` in all, to words[*first ...].
 * Returns how many; *first + that is count: nothing more comes.
 */
static inline unsigned words_take(struct unit *u, const struct msg *m,
                                  uint32_t *words, unsigned count,
                                  unsigned *first)
{
    *first = 0;
    if (!(m->flags & MSG_PAYLOAD)) {
        words[0] = (uint32_t)m->value;
        words[1] = (uint32_t)(m->value >> 32);
        return count;
    }
    struct payload p = msg_payload(u, m);
    *first = m->aux * (unsigned)WORDS_IN_PAYLOAD;
    unsigned left = count - *first;
    unsigned taken = left < WORDS_IN_PAYLOAD ? left : WORDS_IN_PAYLOAD;
    memcpy(words + *first, p.bytes, 4 * taken);
    return taken;
}

#endif
