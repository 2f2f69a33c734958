/*
 * Writes a line of CSV for each epoch that the engine has timed on the host.
 */
#include "sim/host/observe/host_profile.h"
#include "sdk/whole/whole.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
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

struct profile *profile_open(const char *path, const struct chip *chip,
                             struct error *error)
{
    struct profile *p = heap_new(1, sizeof *p, "the profile");
    p->path = path;
    p->tiles = chip_tile_count(chip);
    if (!whole_open(&p->whole, NULL, path)) {
        cannot_write(path, error);
        free(p);
        return NULL;
    }
    FILE *f = p->whole.file;
    fputs("cycle", f);
    for (unsigned i = 0; i < p->tiles; i++)
        fprintf(f, ",%s", tile_name(chip, i));
    fputs(",between\n", f);
    return p;
}

void profile_add(struct profile *p, uint64_t from, const uint64_t *tile_ns,
                 uint64_t between_ns)
{
    FILE *f = p->whole.file;
    fprintf(f, "%" PRIu64, from);
    for (unsigned i = 0; i < p->tiles; i++)
        fprintf(f, ",%" PRIu64, tile_ns[i]);
    fprintf(f, ",%" PRIu64 "\n", between_ns);
}

bool profile_finish(struct profile *p, struct error *error)
{
    return whole_finish(&p->whole) || cannot_write(p->path, error);
}

void profile_free(struct profile *p)
{
    if (p && p->whole.file)
        whole_drop(&p->whole);
    free(p);
}
