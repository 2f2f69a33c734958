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

/* Of the first multiprocessor: a tile. */
static unsigned multiprocessor_harts(const struct host *host)
{
    const struct hart *harts = host->machine.harts;
    unsigned n = 1;
    while (n < host->harts &&
           unit_tile_number(harts[n].core) == unit_tile_number(harts[0].core))
        n++;
    return n;
}

/* ---- what a multiprocessor has ---- */

static unsigned step(const struct hart *hart, unsigned harts)
{
    return core_of(hart)->group_step
               ? core_of(hart)->group_step(hart->core, harts)
               : harts;
}

/* At least one, if there are harts for it. */
static unsigned teams(const struct host *host, const struct hart *hart,
                      unsigned harts, uint64_t memory)
{
    unsigned all = multiprocessor_harts(host), at = step(hart, harts);
    unsigned most = all < harts ? 0 : 1 + (all - harts) / at;
    if (!core_of(hart)->group_teams || !most)
        return most;
    unsigned n = core_of(hart)->group_teams(hart->core, harts, memory);
    return n < 1 ? 1 : n < most ? n : most;
}

/* Do the harts of one multiprocessor come behind those of another? */
static bool alike(const struct host *host, unsigned harts)
{
    const struct hart *h = host->machine.harts;
    for (unsigned i = 1; i < host->harts; i++)
        if ((unit_tile_number(h[i].core) != unit_tile_number(h[i - 1].core)) !=
            (i % harts == 0))
            return false;
    return true;
}

/* Whether memory is as it should be: what no multiprocessor keeps inside is
 * ordinary memory. */
static int64_t place_windows(struct host *host, const struct hart *hart,
                             const uint64_t *args)
{
    enum { LINE = 128 };
    struct machine *m = &host->machine;
    const struct group_windows g = {
        args[1], args[2], multiprocessor_harts(host), (uint32_t)args[3]};
    if (program_of(host, hart) != host->programs.first || !g.bytes ||
        g.start % LINE || g.bytes % LINE || args[3] > m->hart_count ||
        args[2] > m->ram_end ||
        !machine_in_ram(m, g.start, g.bytes * args[3]) ||
        machine_read_only(m, g.start, g.bytes * args[3]))
        return -EINVAL;
    m->groups = alike(host, g.harts) ? g : (struct group_windows){0};
    return 0;
}

int64_t groups_call(struct host *host, const struct hart *hart,
                    const uint64_t *args)
{
    const unsigned most = multiprocessor_harts(host);
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
    default:
        return -EINVAL;
    }
}
