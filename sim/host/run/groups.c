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

int64_t groups_room(const struct host *host, const struct hart *hart,
                    uint64_t what)
{
    switch (what) {
    case CORBEL_GROUPS_HARTS:
        return multiprocessor_harts(host);
    case CORBEL_GROUPS_MEMORY:
        return core_of(hart)->group_memory
                   ? (int64_t)core_of(hart)->group_memory(hart->core)
                   : CORBEL_GROUP_MEMORY;
    default:
        return -EINVAL;
    }
}
