/*
 * What groups of a grid need of the host: harts that meet, and how much a
 * multiprocessor has for them. How many have come to a barrier stands in the
 * program's memory, and which ones in their own states, so nothing else has to
 * be kept of it.
 */
#include "runtime/include/corbel/abi.h"
#include "runtime/include/corbel/group.h"
#include "sim/core/unit.h"
#include "sim/host/observer.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/run/programs.h"
#include <errno.h>
#include <string.h>

enum { STOPS = 2 };

/* The harts that meet; those of a program are the chip's first ones. */
static bool may_meet(const struct host *host, const struct hart *hart,
                     const uint64_t *args)
{
    uint64_t first = args[1], harts = args[2], own = hart_number(host, hart);
    return args[3] < STOPS && first <= own && harts > own - first &&
           harts <= host->harts && first <= host->harts - harts;
}

static bool waits_at(const struct hart *hart, uint64_t barrier)
{
    return hart->state == HART_JOINING &&
           abi_call_number(hart) == CORBEL_SYS_BARRIER &&
           abi_argument(hart, 0) == barrier;
}

static void answer(struct host *host, struct hart *hart, int64_t result)
{
    abi_answer(hart, result);
    host_resume(host, hart);
}

static void release(struct host *host, struct hart *last, const uint64_t *args)
{
    for (uint64_t i = 0; i < args[2]; i++) {
        struct hart *h = &host->machine.harts[args[1] + i];
        if (h == last || waits_at(h, args[0]))
            answer(host, h, 0);
    }
    host->kernels.launched = true; /* a run without timing looks for them */
}

bool groups_meet(struct host *host, struct hart *hart, const uint64_t *args)
{
    uint32_t arrived[STOPS];
    uint8_t *at =
        memory_for_writing(&host->machine, hart, args[0], sizeof arrived);
    if (!at || !may_meet(host, hart, args)) {
        answer(host, hart, at ? -EINVAL : -EFAULT);
        return true;
    }
    memcpy(arrived, at, sizeof arrived);
    if (arrived[!args[3]]) {
        answer(host, hart, -EDEADLK);
        return true;
    }
    bool all = ++arrived[args[3]] >= args[2];
    if (all)
        arrived[args[3]] = 0;
    memcpy(at, arrived, sizeof arrived);
    observers_written(host, at, sizeof arrived, false);
    hart->event = HART_NONE;
    hart->state = HART_JOINING;
    if (all)
        release(host, hart, args);
    return true;
}

static bool one_tile(const struct host *host, unsigned a, unsigned b)
{
    const struct hart *h = host->machine.harts;
    return unit_tile_number(h[a].core) == unit_tile_number(h[b].core);
}

/* A multiprocessor is a tile. They stay as they are: looked for once. */
static const struct multiprocessors *multiprocessors(struct host *host)
{
    struct multiprocessors *m = &host->multiprocessors;
    if (m->harts)
        return m;
    *m = (struct multiprocessors){.harts = 1, .alike = true};
    while (m->harts < host->harts && one_tile(host, m->harts, 0))
        m->harts++;
    for (unsigned i = 1; i < host->harts && m->alike; i++)
        m->alike = one_tile(host, i, i - 1) == (i % m->harts != 0);
    return m;
}

/* ---- what a multiprocessor has ---- */

static unsigned step(const struct hart *hart, unsigned harts)
{
    return core_of(hart)->group_step
               ? core_of(hart)->group_step(hart->core, harts)
               : harts;
}

/* At least one, if there are harts for it. */
static unsigned teams(struct host *host, const struct hart *hart,
                      unsigned harts, uint64_t memory)
{
    unsigned all = multiprocessors(host)->harts, at = step(hart, harts);
    unsigned most = all < harts ? 0 : 1 + (all - harts) / at;
    if (!core_of(hart)->group_teams || !most)
        return most;
    unsigned n = core_of(hart)->group_teams(hart->core, harts, memory);
    return n < 1 ? 1 : n < most ? n : most;
}

/* Whether memory is as it should be: what no multiprocessor keeps inside is
 * ordinary memory. */
static int64_t place_windows(struct host *host, const struct hart *hart,
                             const uint64_t *args)
{
    enum { LINE = 128 };
    struct machine *m = &host->machine;
    const struct multiprocessors *all = multiprocessors(host);
    const struct group_windows g = {args[1], args[2], all->harts,
                                    (uint32_t)args[3]};
    if (program_of(host, hart) != host->programs.first || !g.bytes ||
        g.start % LINE || g.bytes % LINE || args[3] > m->hart_count ||
        args[2] > m->ram_end ||
        !machine_in_ram(m, g.start, g.bytes * args[3]) ||
        machine_read_only(m, g.start, g.bytes * args[3]))
        return -EINVAL;
    m->groups = all->alike ? g : (struct group_windows){0};
    return 0;
}

/* Not of a chip that does not deal groups: there all begin. */
static int64_t seat(struct host *host, const struct hart *hart, uint64_t harts,
                    uint64_t teams)
{
    const unsigned most = multiprocessors(host)->harts;
    if (program_of(host, hart) != host->programs.first || harts < 1 ||
        harts > most || teams < 1 || teams > host->harts)
        return -EINVAL;
    if (!core_of(hart)->group_teams)
        return 0;
    host->kernels.seats = (struct seats){
        most, (uint32_t)harts, step(hart, (unsigned)harts), (uint32_t)teams};
    return (int64_t)(harts * teams);
}

int64_t groups_call(struct host *host, const struct hart *hart,
                    const uint64_t *args)
{
    const unsigned most = multiprocessors(host)->harts;
    bool fits = args[1] >= 1 && args[1] <= most;
    switch (args[0]) {
    case CORBEL_GROUPS_HARTS:
        return most;
    case CORBEL_GROUPS_MEMORY:
        return core_of(hart)->group_memory
                   ? (int64_t)core_of(hart)->group_memory(hart->core)
                   : CORBEL_GROUP_MEMORY;
    case CORBEL_GROUPS_STEP:
        return fits ? (int64_t)step(hart, (unsigned)args[1]) : -EINVAL;
    case CORBEL_GROUPS_TEAMS:
        return fits ? (int64_t)teams(host, hart, (unsigned)args[1], args[2])
                    : -EINVAL;
    case CORBEL_GROUPS_WINDOW:
        return place_windows(host, hart, args);
    case CORBEL_GROUPS_SEATS:
        return seat(host, hart, args[1], args[2]);
    default:
        return -EINVAL;
    }
}
