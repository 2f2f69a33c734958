/*
 * Writes what the caches hold into a file and reads it back, by the save and
 * load of their memory role; the file of an unlike chip is refused with the
 * first difference.
 */
#include "sim/host/state/saved_caches.h"
#include "runtime/include/corbel/hash.h"
#include "sdk/whole/reads.h"
#include "sdk/whole/whole.h"
#include "sim/core/formats.h"
#include "sim/core/gz_text.h"
#include "sim/core/memory_role.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "corbel caches " FORMAT_TEXT(CACHES_FORMAT) "\n"

static bool keeps_state(const struct unit *u)
{
    return u->kind->memory && u->kind->memory->save;
}

/* ---- saving ---- */

static bool cannot_write(const char *path, struct error *error)
{
    return error_set(error, "%s: cannot save the caches: %s", path,
                     whole_why());
}

static bool caches_try(const char *path, struct error *error)
{
    return whole_try(NULL, path) || cannot_write(path, error);
}

bool caches_save(const struct chip *chip, const char *path, struct error *error)
{
    struct whole w;
    if (!whole_open(&w, NULL, path))
        return cannot_write(path, error);
    fputs(FORMAT, w.file);
    for (unsigned i = 0; i < chip_unit_count(chip); i++)
        if (keeps_state(chip_unit_at(chip, i)))
            chip_unit_at(chip, i)->kind->memory->save(chip_unit_at(chip, i),
                                                      w.file);
    return whole_finish(&w) || cannot_write(path, error);
}

/* ---- loading ---- */

/*
 * The file holds the state of all caches in the order of the units, without
 * names: it fits chips with the same caches only, which each of them checks for
 * its part.
 */
static bool load_each(const struct chip *chip, const char *path, FILE *f,
                      struct error *error)
{
    char line[sizeof FORMAT + 1];
    struct error cause;
    if (!fgets(line, sizeof line, f) || strcmp(line, FORMAT))
        return error_set(error,
                         "%s: does not begin with \"%.*s\": no file of "
                         "--save-caches",
                         path, (int)strlen(FORMAT) - 1, FORMAT);
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        struct unit *u = chip_unit_at(chip, i);
        if (keeps_state(u) && !u->kind->memory->load(u, f, &cause))
            return error_set(error, "%s: of another chip: %s", path,
                             cause.text);
    }
    return !fgets(line, sizeof line, f) ||
           error_set(error,
                     "%s: of another chip: it has more caches than this one",
                     path);
}

bool caches_load(const struct chip *chip, const char *path, uint64_t *hash,
                 struct error *error)
{
    char *text = gz_text_read(path, error);
    reads_forget(path); /* --save-caches may name it, too */
    const size_t bytes = text ? strlen(text) : 0;
    FILE *f = bytes ? fmemopen(text, bytes, "r") : NULL;
    bool good = f;
    if (text && !f)
        error_set(error, "%s: empty", path);
    if (f) {
        *hash = corbel_hash(text, bytes, 0);
        good = load_each(chip, path, f, error);
        fclose(f);
    }
    free(text);
    return good;
}

static const struct option_row options[] = {
    {"save-caches", 0, "FILE",
     "write what the caches hold at the end into FILE", OPTION_CHECKPOINT,
     OPTION_WRITES | OPTION_REPEATED, .untimed = "caches",
     .replaces = "warm-caches"},
    {"warm-caches", 0, "FILE",
     "begin with what --save-caches wrote, of the same caches",
     OPTION_CHECKPOINT, 0, OPTION_TEXT, offsetof(struct options, warm_caches),
     .untimed = "caches", .reads = "that of --warm-caches",
     .more = "See Warm caches in sim-run.md."},
    {NULL}};

static const char *path_of(const struct host *host)
{
    return option_text(host->options, &options[0]);
}

static bool save_caches(struct host *host, const struct outcome *outcome,
                        struct error *error)
{
    const char *path = path_of(host);
    return !path || caches_save(host->chip, path, error);
}

static bool warm_caches(struct host *host, struct error *error)
{
    const char *path = host->options->warm_caches;
    return !path || caches_load(host->chip, path, &host->warm_hash, error);
}

static bool caches_possible(struct host *host, struct error *error)
{
    const char *path = path_of(host);
    return !path || caches_try(path, error);
}

const struct observer caches_observer = {
    .options = options,
    .name = "save-caches",
    .placed = warm_caches,
    .open = caches_possible,
    .write = save_caches,
};
