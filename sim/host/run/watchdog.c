/* A run gets on as long as a sum of what its units and harts have done grows.
 */
#include "sim/host/run/watchdog.h"
#include "sim/core/core_kind.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/results.h"
#include <inttypes.h>

/* A sum that grows whenever the run gets on, and never falls. */
static uint64_t progress(const struct host *host)
{
    uint64_t sum = results_instructions(host);
    for (enum told told = 0; told < TOLD_COUNT; told++)
        sum += totals_told(host->chip, told);
    return sum;
}

/* Harts that execute what leads nowhere are no progress, though they count. */
static bool some_stuck(struct host *host)
{
    const uint64_t cycles = host->options->engine.watch;
    char text[400];
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        const struct core_kind *core = u->kind->core;
        if (core && core->stuck &&
            core->stuck(u, host->now, cycles, text, sizeof text)) {
            host_end(host, ENDING_STALL, STATUS_DEADLOCK,
                     "no progress: at cycle %" PRIu64 " %s", host->now, text);
            return true;
        }
    }
    return false;
}

bool watchdog_looks(void *context, uint64_t now)
{
    struct host *host = context;
    const uint64_t before = host->progress;
    host->now = now;
    host->progress = progress(host);
    if (some_stuck(host))
        return false;
    return host->sleep.count || host->kernels.launching || host->roi.held ||
           host->progress != before ||
           host_end(host, ENDING_STALL, STATUS_DEADLOCK,
                    "no progress: at cycle %" PRIu64
                    " no hart, ray or access has got on for %" PRIu64 " cycles",
                    now, host->options->engine.watch);
}
