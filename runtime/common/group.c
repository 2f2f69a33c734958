/*
 * Grids of groups (corbel/group.h) on harts.
 *
 * Harts of one multiprocessor make teams, each of which runs a group at a time:
 * hart `rank` of a team of n has the members rank, rank + n, ... of the group.
 * With one member it calls the kernel on its own stack. With more, members take
 * turns (group_turns.c), so kernels without barriers need one context, and no
 * switches.
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

#include "runtime/common/group_grid.h"

/* What a kernel is called through has a small frame. */
#define NOINLINE __attribute__((noinline))

struct group_grid group_grid;
_Thread_local struct seat group_own_seat;

static struct {
    size_t bytes;
    bool said; /* for the next launch */
} announced;

#ifdef __riscv
struct corbel_seat *corbel_seats;

static inline void put_seats(struct seat *s)
{
    corbel_seats = s ? &s->of : NULL;
}
#else
static inline void put_seats(struct seat *s)
{
}
#endif

/* ---- errors ---- */

/* Puts the numbers in the places of the text's #s: with little stack. */
_Noreturn void group_end(const char *text, const unsigned long *numbers)
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

/* ---- members ---- */

uint32_t corbel_group_called(void)
{
    return seat_of()->of.now.group;
}

uint32_t corbel_lane_called(void)
{
    return seat_of()->of.now.lane;
}

uint32_t corbel_groups(void)
{
    return seat_of()->team ? group_grid.groups : 0;
}

uint32_t corbel_group_size(void)
{
    return seat_of()->team ? group_grid.size : 0;
}

void *corbel_group_memory_called(size_t bytes)
{
    struct seat *s = seat_of();

    if (!s->team && group_machine_in_kernel())
        END("corbel_group_memory: expected a kernel of corbel_launch_grid", 0);
    if (!s->team) {
        announced.bytes = bytes;
        announced.said = true;
        return NULL;
    }
    size_t start = (s->of.now.taken + 15) & ~(size_t)15;
    if (start > group_grid.memory || bytes > group_grid.memory - start)
        END("corbel_group_memory: group # asks for # bytes behind # others, "
            "expected # in all at most",
            s->of.now.group, (unsigned long)bytes, (unsigned long)start,
            (unsigned long)group_grid.memory);
    s->of.now.taken = start + bytes;
    return s->of.memory + start;
}

void group_meet(const struct seat *s, enum group_stop stop)
{
    if (group_grid.harts == 1 ||
        group_machine_wait(&s->team->barrier, s->of.first, group_grid.harts,
                           stop))
        return;
    if (stop == GROUP_SYNC)
        END("corbel_group_sync: group #: lane # waits, others have returned; "
            "expected all # lanes at the barrier",
            s->of.now.group, s->of.now.lane, group_grid.size);
    END("corbel_group_sync: group #: lane # has returned, others wait; "
        "expected all # lanes at the barrier",
        s->of.now.group, s->of.now.lane, group_grid.size);
}

void corbel_group_sync_called(void)
{
    struct seat *s = seat_of();

    if (!s->team)
        END("corbel_group_sync: expected a kernel of corbel_launch_grid", 0);
    if (group_grid.turns == 1) {
        group_meet(s, GROUP_SYNC);
        return;
    }
    group_turns_wait(s);
}

/* ---- harts ---- */

static char *memory_of(unsigned processor, unsigned place)
{
    return group_grid.windows + processor * group_grid.window_bytes +
           group_grid.memory_at + place * step_up(group_grid.memory);
}

/* Does each member wait for others on a hart of its own? */
static bool meets(void)
{
    return group_grid.turns == 1 && group_grid.harts > 1;
}

/* The hart's team. Teams are numbered over all multiprocessors before the
 * second of each has its number, so that few groups are spread. */
static NOINLINE bool sit_down(struct seat *s)
{
    unsigned hart = corbel_hart();
    unsigned processor = hart / group_grid.first_harts,
             at = hart % group_grid.first_harts;
    unsigned place = at / group_grid.step, rank = at % group_grid.step;
    unsigned team = place * group_grid.processors + processor;
    unsigned first = hart - rank;

    if (place >= group_grid.places || team >= group_grid.teams ||
        rank >= group_grid.harts || first + group_grid.harts > corbel_harts())
        return false;
    *s = (struct seat){.of = {.first = first,
                              .harts = meets() ? group_grid.harts : 0,
                              .bytes = group_grid.memory},
                       .team = team_of(processor, place),
                       .rank = rank};
    s->of.memory = memory_of(processor, place);
    s->of.barrier = &s->team->barrier;
    if (group_grid.contexts)
        group_turns_begin(team, rank);
    return true;
}

/* The next group of the team; false: there is none. */
static NOINLINE bool take_group(struct seat *s)
{
    uint32_t *next = &s->team->next[s->round++ & 1];

    if (s->rank == 0)
        *next = __atomic_fetch_add(&group_grid.next, 1, __ATOMIC_RELAXED);
    if (!s->of.harts || !corbel_seats_meet(&s->of, GROUP_END))
        group_meet(s, GROUP_END);
    s->of.now.group = *next;
    return s->of.now.group < group_grid.groups;
}

static void run_alone(struct seat *s)
{
    s->of.now.lane = s->rank;
    s->of.now.taken = 0;
    group_grid.kernel(group_grid.arg);
}

static NOINLINE void run_in_turns(struct seat *s)
{
    while (take_group(s))
        group_turns_run(s);
    group_turns_end();
}

/* The kernel that a launch runs on all harts. */
static void run_hart(void *unused)
{
    struct seat on_stack, *s = &group_own_seat;

    if (group_machine_stacks_alike())
        s = &on_stack;
    if (!sit_down(s))
        return;
    if (s == &on_stack)
        put_seats(s); /* of all harts the same */
    if (group_grid.contexts)
        run_in_turns(s);
    else
        while (take_group(s))
            run_alone(s);
    if (s == &group_own_seat)
        group_own_seat = (struct seat){0};
}

/* ---- launches ---- */

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
    group_grid.memory = announced.said ? announced.bytes : most;
    announced.bytes = 0;
    announced.said = false;
    if (!groups)
        return;
    group_grid.kernel = kernel;
    group_grid.arg = arg;
    group_lay_out(groups, group_size);
    corbel_launch(run_hart, NULL);
    put_seats(NULL);
}
