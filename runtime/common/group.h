/*
 * What groups need of the machine that they run on: runtime/target/group.c and
 * native-shim/group.c have it. Not installed.
 */
#ifndef CORBEL_COMMON_GROUP_H
#define CORBEL_COMMON_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the chip ---- */

/* Harts of a multiprocessor: hart h is of the one with number h / that. */
unsigned group_machine_harts(void);
/* Of these, how many run a group of `size` members together. */
unsigned group_machine_team(unsigned size);
/* A team of `harts` harts begins at a hart whose number, within its
 * multiprocessor, is a multiple of this. */
unsigned group_machine_step(unsigned harts);
/* How many teams of `harts` harts, whose groups have `memory` bytes each, a
 * multiprocessor runs at a time: at least 1. */
unsigned group_machine_teams(unsigned harts, size_t memory);
/* Bytes of group memory of a multiprocessor. */
size_t group_machine_memory(void);
/* In the next launch the teams of multiprocessor i share nothing but the memory
 * of `bytes` bytes from start + i * bytes on, and no other harts touch it. It
 * begins and ends at multiples of 128. */
void group_machine_window(void *start, size_t bytes, unsigned count);
/* In the next launch only the harts of the first teams have something to do, of
 * `harts` harts each: team t is number t / n on multiprocessor t % n, where n
 * is how many multiprocessors there are. */
void group_machine_seats(unsigned harts, unsigned teams);
/* Has each hart a kernel stack of its own at one address? */
bool group_machine_stacks_alike(void);
/* Is a kernel running? */
bool group_machine_in_kernel(void);

/* ---- barriers of the harts that run a group together ---- */

/* Where harts wait: for each other within a group, or at its end. */
enum group_stop { GROUP_SYNC, GROUP_END, GROUP_STOPS };

/* All 0: none waits. Its harts are first .. first + harts - 1. */
struct group_barrier {
    uint32_t arrived[GROUP_STOPS];
    uint32_t passed; /* how often all have come */
};

/* Waits until all harts have come to the stop. What they wrote before is seen
 * after. False at once: others wait at the other stop. */
bool group_machine_wait(struct group_barrier *barrier, unsigned first,
                        unsigned harts, enum group_stop stop);

/* ---- members that take turns on a hart ---- */

struct group_context;

/* Bytes of a context, and of the stack that it gets. */
size_t group_context_bytes(void);
size_t group_stack_bytes(void);
/* The context of what runs, which the others are entered from and go back to.
 */
void group_context_home(struct group_context *c);
/* A context whose first switch calls entry(), which never returns, on that
 * stack. */
void group_context_start(struct group_context *c, void *stack, size_t bytes,
                         void (*entry)(void));
/* Nothing switches to it again. */
void group_context_end(struct group_context *c);
/* Goes on in another context, until something switches back. */
void group_context_switch(struct group_context *from, struct group_context *to);

/* ---- the end ---- */

/* Returns to the first hart that calls it, to no other. */
void group_machine_last(void);
/* Ends the program: a line on stderr, status 1. */
_Noreturn void group_machine_end(const char *line);

#endif
