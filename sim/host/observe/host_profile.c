/*
 * --host-profile: what tiles cost the host, as CSV: a row for each epoch that
 * was timed, with its first cycle (of the side that ran last), ns of each tile,
 * and ns of what was done after it while all tiles stood still.
 */
#include "sdk/whole/whole.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The file of --host-profile: a column for each tile, in nanoseconds of host
 * time. */
struct profile {
    const char *path;
    struct whole whole;
    unsigned tiles;
};

static bool cannot_write(const char *path, struct error *error)
{
    return error_set(error, "%s: cannot write the profile: %s", path,
                     whole_why());
}

static const char *tile_name(const struct chip *chip, unsigned number)
{
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct tile *t = chip_unit_at(chip, i)->tile;
        if (t->id == number)
            return t->name;
    }
    return ""; /* a tile without units */
}

static struct profile *profile_of(const struct host *host)
{
    return *observer_of(host, &profile_observer);
}

static const struct option_row options[] = {
    {"host-profile", 0, "FILE", "write into FILE what tiles cost the host",
     OPTION_DEVELOPER, OPTION_PASSING | OPTION_WRITES, .untimed = "tiles",
     .more = "CSV of every seventh epoch: its first cycle (if sides run in "
             "turn, that of the second side), host ns of each tile, and under "
             "`between` ns that one thread worked after it. ci/speed/scaling "
             "computes from it what more threads would gain."},
    {NULL}};

static bool profile_open(struct host *host, struct error *error)
{
    const char *path = option_text(host->options, &options[0]);
    const struct chip *chip = host->chip;
    if (!path)
        return true;
    struct profile *p = heap_new(1, sizeof *p, "the profile");
    p->path = path;
    p->tiles = chip_tile_count(chip);
    if (!whole_open(&p->whole, NULL, path)) {
        free(p);
        return cannot_write(path, error);
    }
    *observer_of(host, &profile_observer) = p;
    FILE *f = p->whole.file;
    fputs("cycle", f);
    for (unsigned i = 0; i < p->tiles; i++)
        fprintf(f, ",%s", tile_name(chip, i));
    fputs(",between\n", f);
    return true;
}

static bool profile_times(const struct host *host)
{
    return profile_of(host);
}

static void profile_epoch(const struct host *host, uint64_t from,
                          const uint64_t *tile_ns, uint64_t between_ns)
{
    const struct profile *p = profile_of(host);
    if (!p)
        return;
    FILE *f = p->whole.file;
    fprintf(f, "%" PRIu64, from);
    for (unsigned i = 0; i < p->tiles; i++)
        fprintf(f, ",%" PRIu64, tile_ns[i]);
    fprintf(f, ",%" PRIu64 "\n", between_ns);
}

/* Gives the finished file its name. */
static bool profile_write(struct host *host, const struct outcome *outcome,
                          struct error *error)
{
    struct profile *p = profile_of(host);
    return !p || whole_finish(&p->whole) || cannot_write(p->path, error);
}

static void profile_free(struct host *host)
{
    struct profile *p = profile_of(host);
    if (p && p->whole.file)
        whole_drop(&p->whole);
    free(p);
}

const struct observer profile_observer = {
    .options = options,
    .name = "host-profile",
    .open = profile_open,
    .epoch = profile_epoch,
    .times = profile_times,
    .write = profile_write,
    .free = profile_free,
};
