#include "sim/host/profile.h"
#include "sim/core/unit.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct profile {
    const char *path;
    FILE *file; /* NULL: finished */
    unsigned tiles;
    char temporary[4096];
};

static bool cannot_write(const struct profile *p, struct error *error)
{
    return error_set(error, "%s: cannot write the profile: %s", p->path,
                     strerror(errno));
}

static FILE *open_temporary(struct profile *p)
{
    errno = ENAMETOOLONG;
    int length = snprintf(p->temporary, sizeof p->temporary, "%s.%ld", p->path,
                          (long)getpid());
    return length < (int)sizeof p->temporary ? fopen(p->temporary, "w") : NULL;
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
    struct profile *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    p->path = path;
    p->tiles = chip_tile_count(chip);
    p->file = open_temporary(p);
    if (!p->file) {
        cannot_write(p, error);
        free(p);
        return NULL;
    }
    fputs("cycle", p->file);
    for (unsigned i = 0; i < p->tiles; i++)
        fprintf(p->file, ",%s", tile_name(chip, i));
    fputs(",between\n", p->file);
    return p;
}

void profile_add(struct profile *p, uint64_t from, const uint64_t *tile_ns,
                 uint64_t between_ns)
{
    fprintf(p->file, "%" PRIu64, from);
    for (unsigned i = 0; i < p->tiles; i++)
        fprintf(p->file, ",%" PRIu64, tile_ns[i]);
    fprintf(p->file, ",%" PRIu64 "\n", between_ns);
}

bool profile_finish(struct profile *p, struct error *error)
{
    FILE *file = p->file;
    bool good = !ferror(file);
    p->file = NULL;
    if (!fclose(file) && good && !rename(p->temporary, p->path))
        return true;
    cannot_write(p, error);
    unlink(p->temporary);
    return false;
}

void profile_free(struct profile *p)
{
    if (p && p->file) {
        fclose(p->file);
        unlink(p->temporary);
    }
    free(p);
}
