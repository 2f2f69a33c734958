/*
 * What the parts of grids of groups share (group.c): the launch that goes on,
 * teams, and what a hart does. Not installed.
 */
#ifndef CORBEL_COMMON_GROUP_GRID_H
#define CORBEL_COMMON_GROUP_GRID_H

#include <corbel/group_seat.h>

#include "runtime/common/group.h"

enum { LINE = 128 };

/* A group's place: the harts that run it, and what they share. */
struct team {
    _Alignas(LINE) struct group_barrier barrier;
    uint32_t next[2]; /* group of a round, by the round's last bit */
};

/* What carries members on a stack of its own, one after the other. */
struct carrier {
    struct corbel_member member;
    bool ended; /* none of its members has to go on */
};

extern struct group_grid {
    void (*kernel)(void *);
    void *arg;
    uint32_t groups, size, next;
    unsigned harts, first_harts; /* of a team, of a multiprocessor */
    unsigned step;               /* harts from a team's first to the next's */
    unsigned places, processors; /* teams of a multiprocessor, of these */
    unsigned teams;              /* that take part; teams that share a window
                                    lie `processors` numbers apart */
    unsigned turns;              /* members of a hart at most */
    unsigned contexts;           /* of a hart: theirs, and the one that waits
                                    for them; 0: no turns are taken */
    size_t memory;               /* bytes that a group may have */
    size_t memory_at, window_bytes; /* in a window, of a window */
    size_t context_step, stack, carrier_step;
    char *windows, *carriers;
} group_grid;

/* What the hart has to do in a launch. It is small: a kernel's stack is what it
 * leaves. */
struct seat {
    struct corbel_seat of; /* what members ask for, which is first */
    struct team *team;     /* NULL: there are no groups */
    unsigned rank;
    uint32_t round;
};

/* Where there is no corbel_seats. */
extern _Thread_local struct seat group_own_seat;

static inline struct seat *seat_of(void)
{
    return corbel_seats ? (struct seat *)corbel_seats : &group_own_seat;
}

/* ---- errors ---- */

/* Ends the program by the text, with the numbers in the places of its #s. */
_Noreturn void group_end(const char *text, const unsigned long *numbers);
#define END(text, ...) group_end(text, (const unsigned long[]){__VA_ARGS__})

/* ---- where teams lie (group_layout.c) ---- */

static inline size_t step_up(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static inline struct team *team_of(unsigned processor, unsigned place)
{
    return (struct team *)(void *)(group_grid.windows +
                                   processor * group_grid.window_bytes) +
           place;
}

/* Fills group_grid, but for kernel and arg, for a launch of `groups` groups of
 * `size` members and group_grid.memory bytes each, and empties its teams. */
void group_lay_out(uint32_t groups, uint32_t size);

/* ---- harts ---- */

/* Meets the other harts of the team. */
void group_meet(const struct seat *s, enum group_stop stop);

/* ---- members that take turns (group_turns.c) ---- */

/* The hart's, of a team with that number. */
void group_turns_begin(unsigned team, unsigned rank);
/* Runs its members of the group. */
void group_turns_run(struct seat *s);
/* The member that runs waits for the others. */
void group_turns_wait(const struct seat *s);
/* There is no further group. */
void group_turns_end(void);

#endif
