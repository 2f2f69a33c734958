/*
 * Which of the rays that can go on does: the policies of the scheduler, a row
 * for each in RTCORE_SCHEDULES. A policy is a file rtcore_schedule_NAME.c with
 * its row, rtcore_schedule_NAME. None looks at all slots.
 *
 * A policy's state is as many bytes as its row says, zeroed when the core is
 * built; checkpoints have it.
 */
#ifndef SIM_RTCORE_SCHEDULE_H
#define SIM_RTCORE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RTCORE_SCHEDULES(FIRST, X)                                             \
    FIRST(fcfs)                                                                \
    X(oldest)                                                                  \
    X(round_robin)                                                             \
    X(greedy)                                                                  \
    X(oldest_warp)                                                             \
    X(same_warp)                                                               \
    /* the end of the list: new ones come here */

enum { RTCORE_LANES = 64 }; /* of a warp, at most */

struct rtcore_schedule {
    size_t bytes, slot_bytes; /* of state, and more of it for each slot */
    /* Fills the state of a core of `slots` (NULL: zeroes will do). */
    void (*begin)(void *state, uint32_t slots);
    /* The slot's ray can go on. age: smaller is older, different for each ray.
     * NULL: fcfs, which the core does itself. */
    void (*add)(void *state, uint32_t slot, uint64_t age);
    /* Takes the ray that goes on; there is one. */
    uint32_t (*take)(void *state);
    /* It looks at warps: ages are those of the ray's warp, times 64, and more
     * the later the ray is in it. */
    bool warps;
};

#define RTCORE_SCHEDULE(name)                                                  \
    extern const struct rtcore_schedule rtcore_schedule_##name;
RTCORE_SCHEDULES(RTCORE_SCHEDULE, RTCORE_SCHEDULE)

/* ---- for policies: a heap of slots, the oldest one first ---- */

struct aged {
    uint64_t age;
    uint32_t slot;
};

/* The heap has `size` entries, and room for one more. */
void aged_add(struct aged *heap, uint32_t size, struct aged entry);
/* Takes the oldest of `size` entries. */
uint32_t aged_take(struct aged *heap, uint32_t size);

#endif
