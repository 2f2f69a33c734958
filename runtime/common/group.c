/*
 * Grids of groups (corbel/group.h) on harts.
 *
 * Harts of one multiprocessor make teams, each of which runs a group at a time:
 * hart `rank` of a team of n has the members rank, rank + n, ... of the group.
 * With one member it calls the kernel on its own stack. With more, members have
 * contexts of their own and take turns: a hart goes through all of its members
 * up to their next corbel_group_sync(), then meets the rest of its team. A
 * member that returns leaves its context to the next one that has not begun, so
 * kernels without barriers need one context, and no switches.
 *
 * Teams take groups from a counter as they come free. What a group computes
 * does not depend on who runs it, so neither does the result of a launch.
 *
 * All that teams of a multiprocessor share lies side by side, its window, which
 * a chip may keep inside the multiprocessor: their barriers and group memory.
 * What else a chip may do in hardware is behind the functions of group.h: where
 * teams sit and how many of them, and barriers. With as many harts as members
 * none takes turns.
 */
#include <corbel/corbel.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/common/group.h"

enum { LINE = 128 };

/* What a kernel is called through has a small frame. */
#define NOINLINE __attribute__((noinline))

/* What stands at a stack's end: frames may leave out some of it. */
enum { MARKS = 4, MARK = 0x5ca1ab1e };

/* A group's place: the harts that run it, and what they share. */
struct team {
    _Alignas(LINE) struct group_barrier barrier;
    uint32_t next[2]; /* group of a round, by the round's last bit */
};

/* Where a member stands in its group's memory, and who it is. */
struct member {
    uint32_t group, lane;
    size_t taken; /* bytes of group memory */
};

/* What carries members on a stack of its own, one after the other. */
struct carrier {
    struct member member;
    bool ended; /* none of its members has to go on */
};

static struct grid {
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
} grid;

/*
 * Windows: each has first places for teams, then memory for their groups.
 * A team's barrier is left as it is found, all 0, so that only those are
 * cleared which no launch has had at their places; these move only if windows
 * grow.
 */
struct layout {
    unsigned windows, places;
    size_t memory;
};

/* What the last launches had for windows and carriers. */
static struct {
    char *start;
    size_t bytes;
    struct layout layout;
    unsigned cleared; /* teams, by number */
} arena;

static struct {
    size_t bytes;
    bool said; /* for the next launch */
} announced;

/* What the hart has to do in a launch. It is small: a kernel's stack is what it
 * leaves. */
struct seat {
    struct team *team; /* NULL: there are no groups */
    char *memory;
    struct member now;
    unsigned first, rank;
    uint32_t round;
};

/* Of a hart that runs several members, which take turns. */
static _Thread_local struct turns {
    char *carriers;
    struct carrier *running;
    unsigned started;                /* carriers, in this launch */
    unsigned count, begun, returned; /* of its members in this group */
    uint32_t returned_lane;
    struct group_context *home;
} turns;

/*
 * Where the harts' seats are: while a grid runs, all at one address, on each
 * one's own stack, if stacks are alike (group_machine_stacks_alike): then a
 * warp finds them without access to memory. NULL: thread-local.
 */
static struct seat *alike;
static _Thread_local struct seat own;

static inline struct seat *seat_of(void)
{
    return alike ? alike : &own;
}

/* ---- errors ---- */

/* Puts the numbers in the places of the text's #s: with little stack. */
static _Noreturn void end(const char *text, const unsigned long *numbers)
{
    static char line[256];
    char digits[24], *out = line;

    group_machine_last();
    for (; *text; text++) {
        char *digit = digits;
        if (*text != '#') {
            *out++ = *text;
            continue;
        }
        unsigned long n = *numbers++;
        do
            *digit++ = (char)('0' + n % 10);
        while (n /= 10);
        while (digit != digits)
            *out++ = *--digit;
    }
    *out = '\0';
    group_machine_end(line);
}

#define END(text, ...) end(text, (const unsigned long[]){__VA_ARGS__})

static _Noreturn void end_missed(uint32_t returned, uint32_t waits)
{
    END("corbel_group_sync: group #: lane # has returned, lane # waits; "
        "expected all # lanes at the barrier",
        seat_of()->now.group, returned, waits, grid.size);
}

/* ---- members ---- */

uint32_t corbel_group(void)
{
    return seat_of()->now.group;
}

uint32_t corbel_lane(void)
{
    return seat_of()->now.lane;
}

uint32_t corbel_groups(void)
{
    return seat_of()->team ? grid.groups : 0;
}

uint32_t corbel_group_size(void)
{
    return seat_of()->team ? grid.size : 0;
}

void *corbel_group_memory(size_t bytes)
{
    struct seat *s = seat_of();

    if (!s->team && group_machine_in_kernel())
        END("corbel_group_memory: expected a kernel of corbel_launch_grid", 0);
    if (!s->team) {
        announced.bytes = bytes;
        announced.said = true;
        return NULL;
    }
    size_t start = (s->now.taken + 15) & ~(size_t)15;
    if (start > grid.memory || bytes > grid.memory - start)
        END("corbel_group_memory: group # asks for # bytes behind # others, "
            "expected # in all at most",
            s->now.group, (unsigned long)bytes, (unsigned long)start,
            (unsigned long)grid.memory);
    s->now.taken = start + bytes;
    return s->memory + start;
}

/* Meets the other harts of the team. */
static void meet(const struct seat *s, enum group_stop stop)
{
    if (grid.harts == 1 ||
        group_machine_wait(&s->team->barrier, s->first, grid.harts, stop))
        return;
    if (stop == GROUP_SYNC)
        END("corbel_group_sync: group #: lane # waits, others have returned; "
            "expected all # lanes at the barrier",
            s->now.group, s->now.lane, grid.size);
    END("corbel_group_sync: group #: lane # has returned, others wait; "
        "expected all # lanes at the barrier",
        s->now.group, s->now.lane, grid.size);
}

/* ---- several members of a hart ---- */

static struct carrier *carrier_at(unsigned i)
{
    return (struct carrier *)(turns.carriers + i * grid.carrier_step);
}

static struct group_context *context_of(struct carrier *c)
{
    return (struct group_context *)((char *)c + grid.context_step);
}

/* Behind the context; it grows down to its first word. */
static char *stack_of(struct carrier *c)
{
    return (char *)c + grid.carrier_step - grid.stack;
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
            s->now.lane = s->rank + turns.begun++ * grid.harts;
            s->now.taken = 0;
            grid.kernel(grid.arg);
            turns.returned++;
            turns.returned_lane = s->now.lane;
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
            s->now.group, s->now.lane, (unsigned long)grid.stack);
}

static void begin_members(struct seat *s, unsigned i)
{
    struct carrier *c = carrier_at(i);

    c->ended = false;
    if (i == turns.started) {
        turns.started++;
        for (unsigned k = 0; k < MARKS; k++)
            marks_of(c)[k] = MARK;
        group_context_start(context_of(c), stack_of(c), grid.stack, carry);
    }
    go_on(s, c);
}

static void take_turns(struct seat *s)
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
        meet(s, GROUP_SYNC);
        waiting = 0;
        for (unsigned i = 0; i < carriers; i++) {
            s->now = carrier_at(i)->member;
            go_on(s, carrier_at(i));
            waiting += !carrier_at(i)->ended;
        }
    }
}

void corbel_group_sync(void)
{
    struct seat *s = seat_of();

    if (!s->team)
        END("corbel_group_sync: expected a kernel of corbel_launch_grid", 0);
    if (grid.turns == 1) {
        meet(s, GROUP_SYNC);
        return;
    }
    turns.running->member = s->now;
    leave(turns.running);
}

/* ---- harts ---- */

static size_t step_up(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static struct team *team_of(unsigned processor, unsigned place)
{
    return (struct team *)(void *)(grid.windows +
                                   processor * grid.window_bytes) +
           place;
}

static char *memory_of(unsigned processor, unsigned place)
{
    return grid.windows + processor * grid.window_bytes + grid.memory_at +
           place * step_up(grid.memory);
}

/* The hart's team. Teams are numbered over all multiprocessors before the
 * second of each has its number, so that few groups are spread. */
static NOINLINE bool sit_down(struct seat *s)
{
    unsigned hart = corbel_hart();
    unsigned processor = hart / grid.first_harts, at = hart % grid.first_harts;
    unsigned place = at / grid.step, rank = at % grid.step;
    unsigned team = place * grid.processors + processor;
    unsigned first = hart - rank;

    if (place >= grid.places || team >= grid.teams || rank >= grid.harts ||
        first + grid.harts > corbel_harts())
        return false;
    *s = (struct seat){
        .team = team_of(processor, place), .first = first, .rank = rank};
    s->memory = memory_of(processor, place);
    if (grid.contexts)
        turns = (struct turns){
            .carriers = grid.carriers + (size_t)(team * grid.harts + rank) *
                                            grid.contexts * grid.carrier_step,
            .count = (grid.size - rank + grid.harts - 1) / grid.harts};
    return true;
}

/* The next group of the team; false: there is none. */
static NOINLINE bool take_group(struct seat *s)
{
    uint32_t *next = &s->team->next[s->round++ & 1];

    if (s->rank == 0)
        *next = __atomic_fetch_add(&grid.next, 1, __ATOMIC_RELAXED);
    meet(s, GROUP_END);
    s->now.group = *next;
    return s->now.group < grid.groups;
}

static void run_alone(struct seat *s)
{
    s->now.lane = s->rank;
    s->now.taken = 0;
    grid.kernel(grid.arg);
}

static void come_home(void)
{
    turns.home = context_of(carrier_at(grid.turns));
    group_context_home(turns.home);
}

static NOINLINE void run_in_turns(struct seat *s)
{
    come_home();
    while (take_group(s))
        take_turns(s);
    for (unsigned i = 0; i < turns.started; i++)
        group_context_end(context_of(carrier_at(i)));
}

/* The kernel that a launch runs on all harts. */
static void run_hart(void *unused)
{
    struct seat on_stack, *s = &own;

    if (group_machine_stacks_alike())
        s = &on_stack;
    if (!sit_down(s))
        return;
    if (s == &on_stack)
        alike = s; /* of all harts the same */
    if (grid.contexts)
        run_in_turns(s);
    else
        while (take_group(s))
            run_alone(s);
    if (s == &own)
        own = (struct seat){0};
}

/* ---- launches ---- */

static void divide(uint32_t groups, uint32_t size)
{
    unsigned harts = corbel_harts();

    grid.groups = groups;
    grid.size = size;
    grid.next = 0;
    grid.harts = group_machine_team(size);
    grid.first_harts = group_machine_harts();
    grid.step = group_machine_step(grid.harts);
    grid.places = group_machine_teams(grid.harts, step_up(grid.memory));
    grid.processors = (harts + grid.first_harts - 1) / grid.first_harts;
    grid.turns = (size + grid.harts - 1) / grid.harts;
    grid.teams = grid.places * grid.processors;
    if (grid.teams > groups)
        grid.teams = groups;
    grid.stack = step_up(group_stack_bytes());
    grid.context_step = step_up(sizeof(struct carrier));
    grid.carrier_step =
        grid.context_step + step_up(group_context_bytes()) + grid.stack;
    grid.contexts = grid.turns > 1 ? grid.turns + 1 : 0;
}

/* That the launch needs, and not less than what is kept. */
static struct layout layout_beside(struct layout kept)
{
    unsigned places = (grid.teams + grid.processors - 1) / grid.processors;
    struct layout l = {
        .windows = grid.teams < grid.processors ? grid.teams : grid.processors,
        .places = places,
        .memory = places * step_up(grid.memory)};

    l.windows = l.windows > kept.windows ? l.windows : kept.windows;
    l.places = l.places > kept.places ? l.places : kept.places;
    l.memory = l.memory > kept.memory ? l.memory : kept.memory;
    return l;
}

/* At multiples of LINE. All teams may need more than a pointer of 32 bits can
 * reach. */
static uint64_t windows_bytes(const struct layout *l)
{
    return (uint64_t)l->windows *
           ((uint64_t)l->places * sizeof(struct team) + l->memory);
}

static uint64_t carriers_bytes(void)
{
    return (uint64_t)grid.teams * grid.harts * grid.contexts *
           grid.carrier_step;
}

/* False: there is no memory for as many bytes. */
static bool reserve(uint64_t bytes)
{
    if (bytes <= arena.bytes)
        return true;
    free(arena.start);
    arena.start = bytes <= SIZE_MAX ? malloc((size_t)bytes) : NULL;
    arena.bytes = arena.start ? (size_t)bytes : 0;
    arena.cleared = 0;
    return arena.start;
}

/* Fewer teams work where there is no memory for all. */
static void find_room(void)
{
    struct layout kept = arena.layout, l;
    uint64_t bytes;

    for (;;) {
        l = layout_beside(kept);
        bytes = windows_bytes(&l) + carriers_bytes() + LINE;
        if (reserve(bytes))
            break;
        if (!kept.windows && grid.teams <= 1)
            END("corbel_launch_grid: no memory for # bytes of a group",
                (unsigned long)bytes);
        if (!kept.windows)
            grid.teams /= 2;
        kept = (struct layout){0};
    }
    if (l.places != arena.layout.places || l.memory != arena.layout.memory)
        arena.cleared = 0;
    arena.layout = l;
    grid.windows =
        (char *)(((uintptr_t)arena.start + LINE - 1) & ~(uintptr_t)(LINE - 1));
    grid.memory_at = l.places * sizeof(struct team);
    grid.window_bytes = grid.memory_at + l.memory;
    grid.carriers = grid.windows + windows_bytes(&l);
}

static void clear_teams(void)
{
    const unsigned processors = grid.processors, teams = grid.teams;
    const size_t step = grid.window_bytes;
    unsigned processor = arena.cleared % processors,
             place = arena.cleared / processors;
    char *at = (char *)team_of(processor, place);

    for (unsigned i = arena.cleared; i < teams; i++, at += step) {
        if (processor == processors) {
            processor = 0;
            at = (char *)team_of(0, ++place);
        }
        processor++;
        ((struct team *)(void *)at)->barrier = (struct group_barrier){0};
    }
    if (teams > arena.cleared)
        arena.cleared = teams;
}

void corbel_launch_grid(void (*kernel)(void *), void *arg, uint32_t groups,
                        uint32_t group_size)
{
    size_t most = group_machine_memory();

    if (group_machine_in_kernel())
        END("corbel_launch_grid: called from within a kernel", 0);
    if (group_size < 1 || group_size > CORBEL_GROUP_SIZE_MAX)
        END("corbel_launch_grid: a group of # members, expected 1 to #",
            group_size, CORBEL_GROUP_SIZE_MAX);
    if (announced.bytes > most)
        END("corbel_launch_grid: a group needs # bytes of group memory, a "
            "multiprocessor has #",
            (unsigned long)announced.bytes, (unsigned long)most);
    grid.memory = announced.said ? announced.bytes : most;
    announced.bytes = 0;
    announced.said = false;
    if (!groups)
        return;
    grid.kernel = kernel;
    grid.arg = arg;
    divide(groups, group_size);
    find_room();
    clear_teams();
    group_machine_window(grid.windows, grid.window_bytes, arena.layout.windows);
    group_machine_seats(grid.harts, grid.teams);
    corbel_launch(run_hart, NULL);
    alike = NULL;
}
