/*
 * Managed memory: which ranges there are, and what the program asks of the unit
 * that moves their pages. Without such a unit, and without timing, all pages
 * are there always, and there is nothing to do.
 */
#include "runtime/include/corbel/managed.h"
#include "sim/core/heap.h"
#include "sim/core/paging_role.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/run/program_memory.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The chip's first unit that moves pages, NULL: it has none. */
static struct unit *chip_pager(const struct host *host)
{
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++)
        if (chip_unit_at(host->chip, i)->kind->paging)
            return chip_unit_at(host->chip, i);
    return NULL;
}

/* The same, NULL: none does in this run. */
static struct unit *pager(const struct host *host)
{
    return host->engine ? chip_pager(host) : NULL;
}

/* The cycle in which the chip stands: what is executed without timing may be
 * ahead of it. Before the run units can be woken from cycle 1 on, as all of
 * them run in cycle 0. */
static uint64_t chip_now(const struct host *host)
{
    uint64_t now = engine_cycle(host->engine);
    return now ? now : 1;
}

bool host_managed_files(struct host *host, struct error *error)
{
    const struct unit *u = chip_pager(host);
    const char *files =
        u && u->kind->paging->files ? u->kind->paging->files(u) : "";
    host->managed.kinds = host->options->managed;
    return !*files || options_managed(files, &host->managed.kinds) ||
           error_set(error, "%s, managed files %.80s: %s", u->name, files,
                     managed_expected);
}

/* Addresses and sizes as the program means them. */
static uint64_t of_program(const struct host *host, uint64_t argument)
{
    return host->machine.profile.xlen == 32 ? (uint32_t)argument : argument;
}

/* Room for one more range in the table. */
static void make_room(struct host *host)
{
    if (host->managed.count < host->managed.room)
        return;
    host->managed.room = host->managed.count ? 2 * host->managed.count : 16;
    host->managed.ranges =
        heap_resize(host->managed.ranges, host->managed.room,
                    sizeof *host->managed.ranges, "managed memory");
}

int64_t host_managed_add(struct host *host, uint64_t address, uint64_t bytes,
                         bool blank)
{
    struct unit *u = pager(host);
    struct error error;
    if (u && u->kind->paging->add &&
        !u->kind->paging->add(u, chip_now(host), address, bytes, blank,
                              &error)) {
        host_note(host, "managed memory: %s", error.text);
        return -ENOMEM;
    }
    make_room(host);
    host->managed.ranges[host->managed.count++] =
        (struct range){address, address + bytes};
    host_log(host, "managed: %" PRIu64 " bytes at 0x%" PRIx64, bytes, address);
    return 0;
}

/* Has a file lain there from the begin? */
static bool is_file(const struct host *host, uint64_t address)
{
    for (unsigned i = 0; i < host->placed.count; i++)
        if (host->placed.files[i].address == address)
            return true;
    return false;
}

/* In the order in which the program got them, as the unit expects. What has
 * been written into an allocation meanwhile is with the host, as it was when
 * the program wrote it there with the chip standing still. */
bool host_managed_again(struct host *host, struct error *error)
{
    struct unit *u = pager(host);
    for (unsigned i = 0; u && u->kind->paging->add && i < host->managed.count;
         i++) {
        const struct range *r = &host->managed.ranges[i];
        if (!u->kind->paging->add(u, chip_now(host), r->start,
                                  r->end - r->start, !is_file(host, r->start),
                                  error))
            return false;
    }
    return true;
}

int64_t host_managed_alloc(struct host *host, uint64_t bytes)
{
    uint64_t address;
    bytes = of_program(host, bytes);
    if (!bytes)
        return -EINVAL;
    /* A size without trees fits nowhere either. */
    uint64_t trees = bytes < INT64_MAX ? corbel_managed_trees(bytes) : bytes;
    int64_t result = place_below(host, "managed memory", trees,
                                 CORBEL_MANAGED_ROOT, &address);
    if (!result)
        result = host_managed_add(host, address, bytes, true);
    if (result)
        return result;
    host->layout.ceiling = address;
    return (int64_t)address;
}

/* Is all of it in one range? */
static bool is_managed(const struct host *host, uint64_t address,
                       uint64_t bytes)
{
    for (unsigned i = 0; i < host->managed.count; i++) {
        const struct range *r = &host->managed.ranges[i];
        if (address >= r->start && address < r->end)
            return bytes <= r->end - address;
    }
    return false;
}

int64_t host_managed_prefetch(struct host *host, uint64_t address,
                              uint64_t bytes)
{
    struct unit *u = pager(host);
    struct error error;
    address = of_program(host, address);
    bytes = of_program(host, bytes);
    if (!bytes || !is_managed(host, address, bytes)) {
        host_note(host,
                  "prefetch of managed memory: %" PRIu64 " bytes at 0x%" PRIx64
                  ", expected a part of one allocation or managed file",
                  bytes, address);
        return -EINVAL;
    }
    if (!u || !u->kind->paging->prefetch ||
        u->kind->paging->prefetch(u, chip_now(host), address, bytes, &error))
        return 0;
    host_note(host, "prefetch of managed memory: %s", error.text);
    return -EAGAIN;
}

int64_t host_managed_sync(struct host *host, struct hart *hart)
{
    struct unit *u = pager(host);
    if (host->kernels.runs || host->managed.synchronising)
        return -EBUSY;
    if (u && u->kind->paging->synchronise &&
        u->kind->paging->synchronise(u, chip_now(host))) {
        hart->state = HART_SLEEPING;
        host->managed.synchronising = hart;
    }
    return 0;
}

void host_managed_synchronised(struct host *host)
{
    struct hart *hart = host->managed.synchronising;
    host->managed.synchronising = NULL;
    if (hart)
        host_resume(host, hart);
}

uint64_t host_managed_launch(struct host *host)
{
    struct unit *u = pager(host);
    bool takes_time = u && u->kind->paging->launch && host_is_timed(host);
    return takes_time ? u->kind->paging->launch(u) : 0;
}

int64_t host_managed_stats(struct host *host, const struct hart *hart,
                           uint64_t address)
{
    const struct unit *u = pager(host);
    struct corbel_managed_stats stats = {0};
    uint8_t *to =
        memory_for_writing(&host->machine, hart, address, sizeof stats);
    if (!to)
        return -EFAULT;
    if (u && u->kind->paging->sum)
        u->kind->paging->sum(u, &stats);
    memcpy(to, &stats, sizeof stats);
    observers_written(host, to, sizeof stats, false);
    return 0;
}
