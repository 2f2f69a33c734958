/*
 * Which of a run's outputs has grown beyond --max-output: the files that are
 * written as the run goes on, and what is kept in memory for a file at its end
 * where that has no bound of its own. Devices and pipes take what they want.
 */
#include "sim/core/paging_role.h"
#include "sim/core/unit.h"
#include "sim/core/whole.h"
#include "sim/host/host.h"
#include "sim/host/outdir.h"

static uint64_t transfers(const struct host *host)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        size_t count = 0;
        if (u->kind->paging && u->kind->paging->events)
            u->kind->paging->events(u, &count);
        bytes += count * sizeof(struct paging_event);
    }
    return bytes;
}

const char *outputs_over(const struct host *host)
{
    const uint64_t most = host->options->max_output;
    uint64_t bytes;
    const char *path = whole_largest(&bytes);
    if (path && bytes > most)
        return path;
    if (host->commits && commits_bytes(host->commits, &path) > most)
        return path;
    return host->options->transfers && transfers(host) > most ? TRANSFERS
                                                              : NULL;
}
