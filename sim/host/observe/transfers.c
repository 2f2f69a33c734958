/* --transfers: what moves pages of managed memory, in transfers.csv. */
#include "sim/core/paging_role.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/results/outdir.h"
#include <inttypes.h>

static const struct option_row options[] = {
    {"transfers", 0, NULL,
     "what moves pages of managed memory, in transfers.csv", OPTION_OBSERVE,
     OPTION_OF_CYCLES, .more = "See paging.md."},
    {NULL}};

static bool wanted(const struct host *host)
{
    return option_text(host->options, &options[0]);
}

static bool transfers_arrive(struct host *host, struct error *error)
{
    host->machine.log_transfers = wanted(host);
    return true;
}

static uint64_t transfers_bytes(const struct host *host, const char **name)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; wanted(host) && i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        size_t count = 0;
        if (u->kind->paging && u->kind->paging->events)
            u->kind->paging->events(u, &count);
        bytes += count * sizeof(struct paging_event);
    }
    *name = TRANSFERS;
    return bytes;
}

/* A line for each; the unit keeps them in the order of time. */
static void add_events(FILE *file, const struct unit *u)
{
#define NAME(what, name, meaning) [PAGING_##what] = name,
    static const char *const names[] = {PAGING_EVENTS(NAME)};
#undef NAME
    size_t count;
    const struct paging_event *e = u->kind->paging->events(u, &count);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%" PRIu64 ",%" PRIu64 ",%s,0x%" PRIx64 ",%" PRIu64 "\n",
                e[i].begin, e[i].end, names[e[i].kind], e[i].address,
                e[i].bytes);
}

static bool transfers_write(struct host *host, const struct outcome *outcome,
                            struct error *error)
{
    const char *outdir = host->options->outdir;
    struct whole w;
    if (!wanted(host))
        return true;
    if (!outdir_open(&w, outdir, TRANSFERS, error))
        return false;
    fputs("begin,end,kind,address,bytes\n", w.file);
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        if (u->kind->paging && u->kind->paging->events)
            add_events(w.file, u);
    }
    return outdir_finish(&w, outdir, TRANSFERS, error);
}

static void identity(const struct options *o, FILE *to)
{
    fprintf(to, "--transfers %d\n", option_text(o, &options[0]) != NULL);
}

const struct observer transfers_observer = {
    .options = options,
    .identity = identity,
    .name = "transfers",
    .arrive = transfers_arrive,
    .bytes = transfers_bytes,
    .write = transfers_write,
};
