/*
 * Several members of a group on one hart. Each has a context of its own, its
 * carrier, and they take turns: the hart goes through all of its members up to
 * their next corbel_group_sync(), then meets the rest of its team. A member
 * that returns leaves its carrier to the next one that has not begun.
 */
#include "runtime/common/group_grid.h"

#include <corbel/corbel.h>

/* What stands at a stack's end: frames may leave out some of it. */
enum { MARKS = 4, MARK = 0x5ca1ab1e };

/* Of a hart that runs several members, which take turns. */
static _Thread_local struct turns {
    char *carriers;
    struct carrier *running;
    unsigned started;                /* carriers, in this launch */
    unsigned count, begun, returned; /* of its members in this group */
    uint32_t returned_lane;
    struct group_context *home;
} turns;

static _Noreturn void end_missed(uint32_t returned, uint32_t waits)
{
    END("corbel_group_sync: group #: lane # has returned, lane # waits; "
        "expected all # lanes at the barrier",
        seat_of()->of.now.group, returned, waits, group_grid.size);
}

static struct carrier *carrier_at(unsigned i)
{
    return (struct carrier *)(turns.carriers + i * group_grid.carrier_step);
}

static struct group_context *context_of(struct carrier *c)
{
    return (struct group_context *)((char *)c + group_grid.context_step);
}

/* Behind the context; it grows down to its first word. */
static char *stack_of(struct carrier *c)
{
    return (char *)c + group_grid.carrier_step - group_grid.stack;
}

static volatile uintptr_t *marks_of(struct carrier *c)
{
    return (volatile uintptr_t *)stack_of(c);
}

static bool is_marked(struct carrier *c)
{
    for (unsigned i = 0; i < MARKS; i++)
        if (marks_of(c)[i] != MARK)
            return false;
    return true;
}

static void leave(struct carrier *c)
{
    group_context_switch(context_of(c), turns.home);
}

/* What runs on a carrier's stack, for a whole launch: the members of a group
 * that have not begun, up to the first that waits. */
static void carry(void)
{
    struct seat *s = seat_of();
    struct carrier *c = turns.running;

    for (;; leave(c)) {
        while (turns.begun < turns.count) {
            s->of.now.lane = s->rank + turns.begun++ * group_grid.harts;
            s->of.now.taken = 0;
            group_grid.kernel(group_grid.arg);
            turns.returned++;
            turns.returned_lane = s->of.now.lane;
        }
        c->ended = true;
    }
}

/* Until the carrier's member waits, or the last one has returned. */
static void go_on(struct seat *s, struct carrier *c)
{
    turns.running = c;
    group_context_switch(turns.home, context_of(c));
    if (!is_marked(c))
        END("corbel_launch_grid: group #: lane # has used more than its # "
            "bytes of stack",
            s->of.now.group, s->of.now.lane, (unsigned long)group_grid.stack);
}

static void begin_members(struct seat *s, unsigned i)
{
    struct carrier *c = carrier_at(i);

    c->ended = false;
    if (i == turns.started) {
        turns.started++;
        for (unsigned k = 0; k < MARKS; k++)
            marks_of(c)[k] = MARK;
        group_context_start(context_of(c), stack_of(c), group_grid.stack,
                            carry);
    }
    go_on(s, c);
}

void group_turns_run(struct seat *s)
{
    unsigned carriers = 0, waiting = 0;

    turns.begun = turns.returned = 0;
    for (; turns.begun < turns.count; carriers++) {
        begin_members(s, carriers);
        waiting += !carrier_at(carriers)->ended;
    }
    while (waiting) {
        if (turns.returned)
            for (unsigned i = 0; i < carriers; i++)
                if (!carrier_at(i)->ended)
                    end_missed(turns.returned_lane, carrier_at(i)->member.lane);
        group_meet(s, GROUP_SYNC);
        waiting = 0;
        for (unsigned i = 0; i < carriers; i++) {
            s->of.now = carrier_at(i)->member;
            go_on(s, carrier_at(i));
            waiting += !carrier_at(i)->ended;
        }
    }
}

void group_turns_wait(const struct seat *s)
{
    turns.running->member = s->of.now;
    leave(turns.running);
}

void group_turns_begin(unsigned team, unsigned rank)
{
    turns = (struct turns){
        .carriers = group_grid.carriers +
                    (size_t)(team * group_grid.harts + rank) *
                        group_grid.contexts * group_grid.carrier_step,
        .count =
            (group_grid.size - rank + group_grid.harts - 1) / group_grid.harts};
    turns.home = context_of(carrier_at(group_grid.turns));
    group_context_home(turns.home);
}

void group_turns_end(void)
{
    for (unsigned i = 0; i < turns.started; i++)
        group_context_end(context_of(carrier_at(i)));
}
