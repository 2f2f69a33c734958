/*
 * Hints to the host: a unit asks for the lines of memory that it will touch
 * soon, so that they are there when it does. A host's cache does not hold what
 * all tiles touch, and those lines lead to each other; without hints each would
 * be waited for in turn.
 *
 * Hints change no result. They are given by functions that see the unit as
 * const and leave nothing behind, and where HINTS is 0
 * (make CFLAGS=-DHINTS=0) none is compiled in: ci/tests/determinism.sh compares
 * results.
 */
#ifndef SIM_HINTS_H
#define SIM_HINTS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef HINTS
#define HINTS 1
#endif

struct msg;
struct outport;
struct unit;

/* What a round of prefetches has asked for is there in the next one. */
#define HINT_ROUNDS 2

/* What a kind of unit has to say about itself (unit_kind.hints, optional); each
 * function may be left out. */
struct unit_hints {
    /* The cycles before `end` are about to run: asks for the lines of what the
     * unit will do in them. A function for each round. */
    void (*prepare[HINT_ROUNDS])(const struct unit *u, uint64_t end);
    /* A message is about to come: asks for the lines that it will need. Called
     * with rounds 0, 1, ... as long as it returns true, that it has more to ask
     * for, or another message's does. */
    bool (*expect)(const struct unit *u, const struct msg *m, unsigned round);
};

/* Units call this: a message like this one (addr, tag, op, ... as it will have
 * them) will be sent to the port soon. Returns what expect says; false across
 * tiles. Defined in unit_inline.h. */
static inline bool hint_message(const struct outport *o, const struct msg *m,
                                unsigned round);

#endif
