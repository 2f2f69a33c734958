/* Options that only make sense together, or not together. */
#include "sdk/whole/reads.h"
#include "sim/host/options.h"
#include "sim/host/os/files.h"
#include "sim/host/results/outdir.h"
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

/* ---- options ---- */

/* What keeps a state of its own is in no checkpoint, and cannot go from one way
 * of execution to the other and back. */
static bool row_agrees(const struct options *o, const struct option_row *r,
                       struct error *error)
{
    const bool untimed = o->mode == MODE_FUNCTIONAL;
    if (untimed && r->untimed)
        return error_set(error, "--%s: not with --functional, which has no %s",
                         r->name, r->untimed);
    if (r->traits & OPTION_OF_CYCLES && (untimed || !o->outdir))
        return error_set(error, "--%s: needs --outdir and a timed run",
                         r->name);
    if (r->traits & OPTION_UNSAVED && (o->checkpoint || o->resume))
        return error_set(error, "--%s: not with --%s",
                         o->resume ? "resume" : "checkpoint", r->name);
    if (r->traits & OPTION_ONE_WAY && o->roi)
        return error_set(error, "--timing roi: not with --%s", r->name);
    return !r->agrees || r->agrees(o, error);
}

static bool rows_agree(const struct options *o, struct error *error)
{
    for (unsigned i = 0; i < option_count(); i++)
        if (o->texts[i] && !row_agrees(o, option_at(i), error))
            return false;
    return true;
}

/* ---- files ---- */

/* Is it what the program finds by this name, below --fs or, as sim-run does,
 * from the current directory? It need not be there: the program may make it. */
static bool program_finds(const struct options *o, const char *path,
                          const char *name)
{
    char below[4096];
    const size_t root = strlen(FILES_ROOT);
    if (reads_same(path, name))
        return true;
    if (!strncmp(name, FILES_ROOT "/", root + 1))
        name += root + 1;
    snprintf(below, sizeof below, "%s/%s", o->fs, name);
    return *name != '/' && reads_same(path, below);
}

/* An argument of the program stands for the file that it, or what is behind an
 * = in it, is the name of. */
static bool program_reads(const struct options *o, const char *path,
                          const char *argument)
{
    const char *value = strchr(argument, '=');
    return program_finds(o, path, argument) ||
           (value && program_finds(o, path, value + 1));
}

/* What the run reads of this name, NULL: nothing. */
static const char *reads(const struct options *o, const char *path)
{
    for (unsigned i = 0; i < o->settings.file_count; i++)
        if (reads_same(path, o->settings.files[i]))
            return "a file of settings";
    for (unsigned i = 0; i < o->further_count; i++) {
        char file[4096];
        const int length = (int)strcspn(o->further[i], ",");
        snprintf(file, sizeof file, "%.*s", length, o->further[i]);
        if (reads_same(path, file))
            return "a program";
    }
    if (o->program_argc && reads_same(path, o->program[0]))
        return "the program";
    for (int i = 1; i < o->program_argc; i++)
        if (program_reads(o, path, o->program[i]))
            return "an argument of the program";
    for (unsigned i = 0; i < option_count(); i++)
        if (option_at(i)->reads && reads_same(path, o->texts[i]))
            return option_at(i)->reads;
    return NULL;
}

/* The name of a file in DIR of --outdir, NULL: it is not there. */
static const char *in_outdir(const struct options *o, const char *path)
{
    const size_t length = o->outdir ? strlen(o->outdir) : 0;
    if (!length || strncmp(path, o->outdir, length) ||
        (path[length] != '/' && path[length - 1] != '/'))
        return NULL;
    return path + length + strspn(path + length, "/");
}

/* The file that the option has the run write, NULL: none. */
static const char *written(const struct options *o, unsigned number)
{
    return option_at(number)->traits & OPTION_WRITES ? o->texts[number] : NULL;
}

/* Always false. */
static bool is_another(const struct options *o, unsigned number,
                       const char *what, struct error *error)
{
    return error_set(error, "--%s %.200s: that is %s, expected another file",
                     option_at(number)->name, o->texts[number], what);
}

bool options_writes(const struct options *o, const char *path)
{
    for (unsigned i = 0; i < option_count(); i++)
        if (reads_same(path, written(o, i)))
            return true;
    return false;
}

bool options_spare(const struct options *o, struct error *error)
{
    for (unsigned i = 0; i < option_count(); i++) {
        const char *path = written(o, i);
        const char *what = path ? reads_what(path) : NULL;
        if (what)
            return is_another(o, i, what, error);
    }
    return true;
}

/* Is it the file that this option's may take the place of? */
static bool may_replace(const struct options *o, unsigned number,
                        const char *path)
{
    const char *name = option_at(number)->replaces;
    return name && reads_same(path, option_text(o, option_named(name)));
}

/* What the file of an option is already, NULL: nothing. */
static const char *taken_for(const struct options *o, unsigned number)
{
    const char *path = written(o, number);
    const char *name = path ? in_outdir(o, path) : NULL;
    const char *what = !path || may_replace(o, number, path) ? NULL
                       : name && outdir_owns(name) ? "a file of --outdir"
                                                   : reads(o, path);
    for (unsigned k = 0; path && !what && k < number; k++)
        if (reads_same(path, written(o, k)))
            what = "the file of another option";
    return what;
}

/*
 * A file that is written is no other one of the run's; what it replaces is
 * meant. A run that goes on, or begins with the caches of another, may replace
 * the file that it began with.
 */
static bool outputs_agree(const struct options *o, struct error *error)
{
    for (unsigned i = 0; i < option_count(); i++) {
        const char *what = taken_for(o, i);
        if (what)
            return is_another(o, i, what, error);
    }
    return true;
}

/* Files of an earlier run are removed from DIR of --outdir: the run reads none
 * of these. */
static bool outdir_agrees(const struct options *o, struct error *error)
{
    DIR *folder = o->outdir ? opendir(o->outdir) : NULL;
    bool good = true;
    for (struct dirent *d; folder && good && (d = readdir(folder));) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", o->outdir, d->d_name);
        const char *what = outdir_owns(d->d_name) ? reads(o, path) : NULL;
        if (what)
            good = error_set(error,
                             "--outdir %.200s: its %s is %s, expected another "
                             "directory",
                             o->outdir, d->d_name, what);
    }
    if (folder)
        closedir(folder);
    return good;
}

bool options_agree(const struct options *o, struct error *error)
{
    if (!rows_agree(o, error) || !outputs_agree(o, error) ||
        !outdir_agrees(o, error))
        return false;
    if (!o->program_argc && o->mode != MODE_DESCRIBE)
        return error_set(error, "no program given; "
                                "usage: sim-run [options] program.elf "
                                "[program arguments]");
    return true;
}
