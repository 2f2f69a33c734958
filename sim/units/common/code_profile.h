/*
 * Where harts spend their cycles: counts of events for each instruction within
 * each call, where a call is the path of calls that led to it. Cores fill one
 * for the harts of their tile (tp_watch.c) or for their warps (simt_watch.c);
 * the host adds those of all cores together. What is in it depends on the run
 * alone.
 *
 * Recursion is folded: a call of a function that runs already is the earlier
 * call again, so that paths end.
 */
#ifndef SIM_CODE_PROFILE_H
#define SIM_CODE_PROFILE_H

#include "sim/core/stat.h"
#include <stdbool.h>

struct state;    /* sim/core/state.h */
struct isa_insn; /* sim/isa/isa.h */

#define PROFILE_EVENTS_MAX 64

/* Calls that a hart is within, and paths of calls, at most: a call beyond that
 * belongs to the call that makes it. */
#define PROFILE_DEPTH_MAX 4096u
#define PROFILE_CALLS_MAX (1u << 20)

/* A function as it was called. Number 0 is where harts begin. */
struct profile_call {
    uint64_t site;   /* address of the instruction that calls */
    uint64_t entry;  /* address that is called */
    uint64_t calls;  /* how often */
    uint32_t caller; /* number of the call that it was made in */
    uint32_t folded; /* number of the call that it is again, or its own */
};

/* An instruction within a call. Number 0 is none: of harts that never ran. */
struct profile_site {
    uint64_t pc;
    uint32_t call;
    uint32_t next; /* number of the one that followed last */
};

/* Numbers by key, in a hash table. */
struct profile_table {
    uint32_t *numbers; /* + 1; 0: free */
    uint32_t room;     /* a power of two */
};

struct code_profile {
    const struct stat_row *events[PROFILE_EVENTS_MAX];
    unsigned event_count;
    unsigned buckets; /* the first events: they divide the cycles of harts */
    unsigned issued;  /* the bucket that also counts instructions */
    unsigned idle;    /* the bucket in which there is nothing to do */
    unsigned hits;    /* loads that the first cache served; the events after it
                         are those that it did not */
    /* Of cores whose harts issue together, as lanes of a warp: how many do at
     * most, 0: each issues alone; and events, those that did, those that could
     * have, paths that parted, accesses of warps, the sectors of these, as
     * few as would do, and cycles of conflicts in memory of groups. */
    struct profile_lanes {
        unsigned warp, active, live, splits, accesses, sectors, least,
            conflicts;
    } lanes;

    struct profile_call *calls;
    uint32_t call_count, call_room;
    struct profile_site *sites;
    uint64_t *counts; /* [site][event] */
    uint32_t site_count, site_room;
    struct profile_table call_table, site_table;
};

/* The calls that a hart is within. Zeroed: in none. */
struct call_stack {
    struct profile_frame {
        uint32_t call; /* that made the call, which returns ... */
        uint64_t back; /* ... to this address */
    } * frames;
    uint32_t depth, room;
    uint32_t call; /* number of the innermost one */
};

/* Empty, without events. */
struct code_profile *code_profile_new(void);
/* Likewise, but for the buckets of a kind, which are the first events; and more
 * events, the rows whose offsets are from .. to. */
struct code_profile *code_profile_of(const struct stat_row *buckets,
                                     unsigned count, unsigned issued,
                                     unsigned idle);
void code_profile_events(struct code_profile *p, const struct stat_row *rows,
                         unsigned count, size_t from, size_t to);
void code_profile_free(struct code_profile *p);

/* The number of the instruction at pc within a call. hint: the number of the
 * instruction before it. */
uint32_t code_profile_site(struct code_profile *p, uint32_t call, uint64_t pc,
                           uint32_t hint);

static inline void code_profile_add(struct code_profile *p, uint32_t site,
                                    unsigned event, uint64_t count)
{
    p->counts[(uint64_t)site * p->event_count + event] += count;
}

/* The hart calls entry at an address, to come back to another. */
void code_profile_call(struct code_profile *p, struct call_stack *stack,
                       uint64_t site, uint64_t entry, uint64_t back);
/* The hart jumps to an address as if it returned: what was called with that
 * address to come back to, and all that has been called since, ends. If there
 * is no such call, nothing happens. any: of all calls, else only of the
 * innermost one. */
void code_profile_return(struct call_stack *stack, uint64_t to, bool any);

/* Does the hart's jump from pc to an address call, or return? By the convention
 * of RISC-V. mask: of addresses. */
void code_profile_jump(struct code_profile *p, struct call_stack *stack,
                       const struct isa_insn *jump, uint64_t pc, uint64_t to,
                       uint64_t mask);

/* Saves them, or loads them into new ones: a profile of the same events; the
 * calls of a hart, whose profile has been moved before. */
void code_profile_state(struct code_profile *p, struct state *s);
void call_stack_state(struct call_stack *stack, const struct code_profile *p,
                      struct state *s);

/* Adds all of another one, which has the same events. */
void code_profile_merge(struct code_profile *p, const struct code_profile *of);

#endif
