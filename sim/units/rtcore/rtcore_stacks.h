/* Stacks of rays of which a part lies in memory: rtcore_stacks.c. */
#ifndef SIM_RTCORE_STACKS_H
#define SIM_RTCORE_STACKS_H

#include "sim/core/unit.h"

struct rtcore;

/* Fetches besides those of traversals (CORBEL_FETCH_NODE ...). */
enum { FETCH_STACK_READ = 0xfe, FETCH_STACK_WRITE = 0xff };

/* A ray's stack where a part of it may lie in memory. */
struct stack_of {
    uint16_t held, inside; /* entries; of them in the slot, the newest ones */
    uint16_t sector, sectors; /* of its area: to be read or written next */
    bool writes;
};

struct stacks {
    struct stack_of *of; /* by slot */
    uint32_t room;       /* entries in a slot */
    uint64_t below_end; /* where the slots' areas begin, below the end of RAM */
};

/* All but the first of a core that has r->stacks. */

/* Makes r->stacks, if the parameters ask for it. */
bool stacks_new(struct rtcore *r, struct error *error);
/* A ray has come to the slot; it has made a step. */
void stacks_begin(struct rtcore *r, uint32_t slot);
void stacks_step(struct rtcore *r, uint32_t slot);
/* Its next fetch is entries of its stack, to be read or written; false: none
 * are. */
bool stacks_fetch(struct rtcore *r, uint32_t slot, uint64_t now);
/* Sends a sector of entries. */
void stacks_write(struct rtcore *r, struct outport *o, uint64_t address);

#endif
