/*
 * Which programs there are, for which cores, and what their kinds of core take
 * of the command line.
 */
#include "sim/host/run/programs.h"
#include "sdk/whole/meant.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/program_memory.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- options of a kind of core ---- */

/* Always false: the kind of core has no option of that name. */
static bool unknown(const struct program *p, const char *name,
                    struct error *error)
{
    const struct core_kind *core = p->core;
    const char *names[PROGRAM_OPTIONS_MAX];
    assert(core->option_count <= PROGRAM_OPTIONS_MAX);
    for (unsigned i = 0; i < core->option_count; i++)
        names[i] = core->options[i].name;
    return error_set(error, "--%.80s: %s is for %s, which has no such option%s",
                     name, p->path, core->name,
                     meant("--", name, names, core->option_count).text);
}

/* The row of an option, NULL: the kind has none of the name. */
static const struct core_option *find(const struct core_kind *core,
                                      const char *name, size_t length)
{
    for (unsigned i = 0; i < core->option_count; i++)
        if (strlen(core->options[i].name) == length &&
            !memcmp(core->options[i].name, name, length))
            return &core->options[i];
    return NULL;
}

/* text: NAME=VALUE, or NAME with its value in next. *used: that was taken. */
static bool set_option(struct program *p, const char *text, const char *next,
                       bool *used, struct error *error)
{
    size_t length = strcspn(text, "=");
    const struct core_option *row = find(p->core, text, length);
    *used = !text[length];
    const char *value = *used ? next : text + length + 1;
    if (!row)
        return unknown(p, text, error);
    if (!value)
        return error_set(error, "--%s needs a value, %s", row->name,
                         row->argument);
    /* A row with a greatest value is a number, and kept as text as well; one
     * without is a text, e.g. a file's name. */
    struct core_value *v = &p->values[row - p->core->options];
    v->text = value;
    return !row->greatest || options_number(row->name, value, row->least,
                                            row->greatest, &v->number, error);
}

/* What stands behind an ELF file whose kind loads it: --NAME VALUE. */
static bool read_arguments(struct program *p, int count, char **arguments,
                           struct error *error)
{
    for (int i = 0; i < count; i++) {
        bool used;
        if (strncmp(arguments[i], "--", 2))
            return error_set(error,
                             "--OPTION VALUE expected behind %s, not %.80s; "
                             "see --help",
                             p->path, arguments[i]);
        if (!set_option(p, arguments[i] + 2,
                        i + 1 < count ? arguments[i + 1] : NULL, &used, error))
            return false;
        i += used;
    }
    return true;
}

/* What stands behind the file of --program: ,NAME=VALUE,... */
static bool read_list(struct program *p, char *list, struct error *error)
{
    bool used;
    for (char *item; (item = strsep(&list, ","));)
        if (!set_option(p, item, NULL, &used, error))
            return false;
    return true;
}

/* ---- opening ---- */

/* Opens a file and checks that its kind of core has no program yet: which
 * program a core runs is decided by the kind alone. NULL: it cannot. */
static struct program *open_one(struct host *host, const char *path,
                                const struct unit_kind *const *kinds,
                                struct error *error)
{
    struct program *p = &host->programs.all[host->programs.count++];
    if (!program_open(p, path, kinds, error))
        return NULL;
    if (program_for(host, p->core) != p) {
        error_set(error, "--program %s: %s is for %s as well", path,
                  program_for(host, p->core)->path, p->core->name);
        return NULL;
    }
    p->values = heap_new(p->core->option_count + 1u, sizeof *p->values,
                         "options of a program");
    if (!p->core->load && !host->programs.first->path)
        host->programs.first = p;
    return p;
}

/* The text is copied, as strsep puts ends into it; program_texts keeps the
 * copy, whose beginning is the path. */
static bool open_further(struct host *host, const char *text,
                         const struct unit_kind *const *kinds,
                         struct error *error)
{
    char *list = heap_text(text), *path = strsep(&list, ",");
    host->programs.texts[host->programs.count] = path;
    struct program *p = open_one(host, path, kinds, error);
    return p && read_list(p, list, error);
}

/* Without a program on the command line there is nothing to open: that is right
 * for --describe, and options_parse refuses it otherwise. */
bool programs_open(struct host *host, const struct unit_kind *const *kinds,
                   struct error *error)
{
    const struct options *o = host->options;
    host->programs.first = &host->programs.none;
    if (!o->program_argc)
        return true;
    struct program *p = open_one(host, o->program[0], kinds, error);
    if (!p || (p->core->load &&
               !read_arguments(p, o->program_argc - 1, o->program + 1, error)))
        return false;
    for (unsigned i = 0; i < o->further_count; i++)
        if (!open_further(host, o->further[i], kinds, error))
            return false;
    return true;
}

void programs_close(struct host *host)
{
    for (unsigned i = 0; i < host->programs.count; i++) {
        program_close(&host->programs.all[i]);
        free(host->programs.texts[i]);
    }
    host->programs.count = 0;
}

/* ---- in memory ---- */

/* Sets the error if it is true. Each program's own segments were compared when
 * it was opened. */
static bool overlap(const struct program *a, const struct program *b,
                    struct error *error)
{
    for (unsigned i = 0; i < a->segment_count; i++)
        for (unsigned k = 0; k < b->segment_count; k++) {
            const struct core_segment *s = &a->segments[i],
                                      *o = &b->segments[k];
            if (segments_overlap(s, o))
                return !error_set(error,
                                  "%s: segment at 0x%" PRIx64
                                  " overlaps that of %s at 0x%" PRIx64,
                                  a->path, s->address, b->path, o->address);
        }
    return false;
}

/*
 * Beside the programs with a smaller number, which lie there already. All
 * programs in memory have the same register width, since the machine has one
 * profile.
 */
static bool place(struct host *host, unsigned number, struct error *error)
{
    const struct program *p = &host->programs.all[number];
    for (unsigned i = 0; i < number; i++)
        if (!host->programs.all[i].core->load &&
            overlap(p, &host->programs.all[i], error))
            return false;
    if (p->xlen != host->programs.first->xlen)
        return error_set(error, "%s: of %u bits, %s of %u", p->path, p->xlen,
                         host->programs.first->path,
                         host->programs.first->xlen);
    return program_place(p, &host->machine, error);
}

bool programs_place(struct host *host, struct error *error)
{
    for (unsigned i = 0; i < host->programs.count; i++)
        if (!host->programs.all[i].core->load && !place(host, i, error))
            return false;
    return true;
}

uint64_t programs_end(const struct host *host)
{
    uint64_t end = 0;
    for (unsigned i = 0; i < host->programs.count; i++) {
        const struct program *p = &host->programs.all[i];
        uint64_t last = p->core->load ? 0 : program_end(p);
        end = last > end ? last : end;
    }
    return end;
}

uint64_t programs_start(const struct host *host, uint64_t end)
{
    for (unsigned i = 0; i < host->programs.count; i++) {
        const struct program *p = &host->programs.all[i];
        for (unsigned s = 0; !p->core->load && s < p->segment_count; s++)
            if (p->segments[s].address < end)
                end = p->segments[s].address;
    }
    return end;
}

/* ---- on the chip ---- */

const struct program *program_for(const struct host *host,
                                  const struct core_kind *core)
{
    for (unsigned i = 0; i < host->programs.count; i++)
        if (host->programs.all[i].core == core)
            return &host->programs.all[i];
    return NULL;
}

const struct program *program_of(const struct host *host,
                                 const struct hart *hart)
{
    const struct program *p = program_for(host, core_of(hart));
    return p ? p : &host->programs.none;
}

/*
 * Harts are numbered in the order of units, whatever kind their cores are of,
 * so those of one kind need not begin at 0. first is set only if there are any.
 */
unsigned program_harts(const struct host *host, const struct program *program,
                       unsigned *first)
{
    unsigned number = 0, count = 0;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        unsigned harts = u->kind->core ? u->kind->core->harts(u) : 0;
        if (harts && u->kind->core == program->core) {
            *first = count ? *first : number;
            count += harts;
        }
        number += harts;
    }
    return count;
}

/* The kind of core that the unit is, NULL: it is none, or a unit before it is
 * of the same. */
static const struct core_kind *first_core(const struct chip *chip,
                                          unsigned index)
{
    const struct core_kind *core = chip_unit_at(chip, index)->kind->core;
    for (unsigned i = 0; core && i < index; i++)
        if (chip_unit_at(chip, i)->kind->core == core)
            return NULL;
    return core;
}

void programs_settle(struct host *host)
{
    for (unsigned i = 0; i < host->programs.count; i++) {
        struct program *p = &host->programs.all[i];
        for (unsigned k = 0; k < chip_unit_count(host->chip); k++) {
            const struct core_kind *c = chip_unit_at(host->chip, k)->kind->core;
            if (c && c->elf_machine == p->core->elf_machine) {
                p->core = c;
                break;
            }
        }
    }
}

/* No core of the chip runs it: which ones there are. */
static bool no_core(const struct host *host, const struct program *p,
                    struct error *error)
{
    char has[200] = "";
    size_t length = 0;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct core_kind *c = first_core(host->chip, i);
        if (c && length < sizeof has)
            length += (size_t)snprintf(
                has + length, sizeof has - length, "%s%s (machine %u)",
                length ? " and " : "", c->name, c->elf_machine);
    }
    return error_set(error, "%s: for %s (machine %u), the cores of %s are %s",
                     p->path, p->core->name, p->core->elf_machine,
                     host->arch.path, has);
}

/* What a kind of core is shown of its program: it knows nothing of sim/host. */
static struct core_program view_of(const struct program *p)
{
    return (struct core_program){.path = p->path,
                                 .file = p->file,
                                 .file_bytes = p->file_bytes,
                                 .entry = p->entry,
                                 .segments = p->segments,
                                 .segment_count = p->segment_count,
                                 .values = p->values};
}

/* Has the chip cores for it? The boot block numbers harts from 0, so those that
 * run host->programs.first must be the chip's first ones. */
static bool check(const struct host *host, const struct program *p,
                  struct error *error)
{
    unsigned first = 0;
    if (!program_harts(host, p, &first))
        return no_core(host, p, error);
    return !first || p != host->programs.first ||
           error_set(error,
                     "%s: %s is for %s, whose harts are not the chip's first "
                     "ones",
                     host->arch.path, p->path, p->core->name);
}

/* Without timing there is one program: either its kind has a model of its own,
 * or its harts execute instructions of sim/isa. */
static bool check_functional(const struct host *host, struct error *error)
{
    const struct core_kind *core = host->programs.all[0].core;
    if (core->load && host->options->log_commits)
        return error_set(error, "--log-commits: %s has no log without timing",
                         core->name);
    if (host->programs.count > 1)
        return error_set(error, "--functional: only without --program");
    return (core->load ? core->functional != NULL : core->isa_harts) ||
           error_set(error, "--functional: %s has no functional model",
                     core->name);
}

static bool check_options(const struct host *host, struct error *error)
{
    for (unsigned i = 0; !host->programs.first->path && i < option_count(); i++)
        if (option_at(i)->traits & OPTION_IN_MEMORY && host->options->texts[i])
            return error_set(error, "--%s: not for %s, which is for %s",
                             option_at(i)->name, host->programs.all[0].path,
                             host->programs.all[0].core->name);
    return true;
}

bool programs_check(const struct host *host, struct error *error)
{
    for (unsigned i = 0; i < host->programs.count; i++)
        if (!check(host, &host->programs.all[i], error))
            return false;
    if (!host->programs.count)
        return true;
    return check_options(host, error) &&
           (host->options->mode != MODE_FUNCTIONAL ||
            check_functional(host, error));
}

/* load hands the program over once for the whole chip; loaded then tells each
 * core that its program is in place. */
static bool load(struct host *host, const struct program *p,
                 struct error *error)
{
    struct core_program view = view_of(p);
    if (p->core->load && !p->core->load(host->chip, &view, error))
        return false;
    if (p->core->work && host->options->mode != MODE_FUNCTIONAL)
        host->work.total = p->core->work(host->chip);
    for (unsigned i = 0; p->core->loaded && i < chip_unit_count(host->chip);
         i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        if (u->kind->core == p->core)
            p->core->loaded(u);
    }
    return true;
}

bool programs_load(struct host *host, struct error *error)
{
    for (unsigned i = 0; i < host->programs.count; i++)
        if (!load(host, &host->programs.all[i], error))
            return false;
    return true;
}

/* All harts of that kind of core stop. The run ends with the last program, and
 * its status is 0, since a program of this sort returns none. */
bool program_done(struct host *host, const struct hart *hart)
{
    if (hart->state == HART_STOPPED)
        return true; /* another hart of the kind has said so */
    for (unsigned i = 0; i < host->machine.hart_count; i++) {
        struct hart *h = &host->machine.harts[i];
        if (core_of(h) == core_of(hart))
            h->state = HART_STOPPED;
    }
    return ++host->programs.done < host->programs.count ||
           host_end(host, ENDING_EXIT, 0, "%s", "");
}

bool programs_finish(struct host *host, struct error *error)
{
    for (unsigned i = 0; i < host->programs.count; i++) {
        const struct core_kind *core = host->programs.all[i].core;
        struct core_program view = view_of(&host->programs.all[i]);
        if (core->finish && !core->finish(host->chip, &view, error))
            return false;
    }
    return true;
}
