/* Options that only make sense together, or not together. */
#include "sdk/whole/reads.h"
#include "sim/host/observe/traces.h"
#include "sim/host/options.h"
#include "sim/host/os/files.h"
#include "sim/host/results/outdir.h"
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

/* An option whose file in --outdir is about cycles, NULL: none is given. */
static const char *of_cycles(const struct options *o)
{
    return o->link_stats      ? "link-stats"
           : o->transfers     ? "transfers"
           : o->range_count   ? "stats-range"
           : o->profile       ? "profile"
           : o->pixels.width  ? "cost-images"
           : traces_wanted(o) ? "trace"
                              : NULL;
}

/* What keeps a state of its own is in no checkpoint. */
static bool checkpoints_agree(const struct options *o, struct error *error)
{
    const bool untimed = o->mode == MODE_FUNCTIONAL;
    const char *with = untimed && o->resume               ? "functional"
                       : o->check_memory                  ? "check-memory"
                       : o->log_commits                   ? "log-commits"
                       : o->pixels.width                  ? "cost-images"
                       : o->traces[TRACE_REQUESTS].wanted ? "trace requests"
                                                          : NULL;
    if ((o->checkpoint_every || o->checkpoint_seconds) && !o->checkpoint)
        return error_set(error, "--checkpoint-every needs --checkpoint FILE");
    if (untimed && (o->checkpoint_every || o->checkpoint_seconds))
        return error_set(error, "--checkpoint-every: not with --functional, "
                                "which saves where a region of interest, or "
                                "a kernel, begins");
    return !(o->checkpoint || o->resume) || !with ||
           error_set(error, "--%s: not with --%s",
                     o->resume ? "resume" : "checkpoint", with);
}

/* What would have to go from one way of execution to the other and back. */
static bool roi_agrees(const struct options *o, struct error *error)
{
    const char *with = o->mode == MODE_FUNCTIONAL ? "functional"
                       : o->check_memory          ? "check-memory"
                       : o->log_commits           ? "log-commits"
                                                  : NULL;
    if (o->roi_cold && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--roi-caches: not with --functional, which "
                                "has no caches");
    return !o->roi || !with ||
           error_set(error, "--timing roi: not with --%s", with);
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

/* An argument, or what stands in it behind an =. */
static bool program_reads(const struct options *o, const char *path,
                          const char *argument)
{
    const char *value = strchr(argument, '=');
    return program_finds(o, path, argument) ||
           (value && program_finds(o, path, value + 1));
}

/* What the run reads of this name, NULL: nothing. A word behind an @ may be a
 * file of settings; one behind the program may be what that reads or writes. */
static const char *reads(const struct options *o, const char *path)
{
    for (int i = 1; i < o->argc - o->program_argc; i++) {
        const char *at = strchr(o->argv[i], '@');
        if (at && reads_same(path, at + 1))
            return "a file of settings";
    }
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
    return reads_same(path, o->arch)          ? "the chip"
           : reads_same(path, o->resume)      ? "the file of --resume"
           : reads_same(path, o->warm_caches) ? "that of --warm-caches"
                                              : NULL;
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

enum { OUTPUTS = 5 };

struct output {
    const char *option, *path;
    const char *replaces; /* which it may */
};

struct outputs {
    struct output rows[OUTPUTS];
};

static struct outputs outputs_of(const struct options *o)
{
    return (struct outputs){{
        {"checkpoint", o->checkpoint, o->resume},
        {"save-caches", o->save_caches, o->warm_caches},
        {"signature", o->signature, NULL},
        {"host-profile", o->host_profile, NULL},
        {"log", o->log, NULL},
    }};
}

/* Always false. */
static bool is_another(const struct output *output, const char *what,
                       struct error *error)
{
    return error_set(error, "--%s %.200s: that is %s, expected another file",
                     output->option, output->path, what);
}

bool options_writes(const struct options *o, const char *path)
{
    const struct outputs all = outputs_of(o);
    for (unsigned i = 0; i < OUTPUTS; i++)
        if (reads_same(path, all.rows[i].path))
            return true;
    return false;
}

bool options_spare(const struct options *o, struct error *error)
{
    const struct outputs all = outputs_of(o);
    for (unsigned i = 0; i < OUTPUTS; i++) {
        const char *path = all.rows[i].path;
        const char *what = path ? reads_what(path) : NULL;
        if (what)
            return is_another(&all.rows[i], what, error);
    }
    return true;
}

/*
 * A file that is written is no other one of the run's; what it replaces is
 * meant. A run that goes on, or begins with the caches of another, may replace
 * the file that it began with.
 */
static bool outputs_agree(const struct options *o, struct error *error)
{
    const struct outputs all = outputs_of(o);
    const struct output *rows = all.rows;
    for (unsigned i = 0; i < OUTPUTS; i++) {
        const char *path = rows[i].path;
        const char *name = path ? in_outdir(o, path) : NULL;
        const char *what = !path || reads_same(path, rows[i].replaces) ? NULL
                           : name && outdir_owns(name) ? "a file of --outdir"
                                                       : reads(o, path);
        for (unsigned k = 0; path && !what && k < i; k++)
            if (reads_same(path, rows[k].path))
                what = "the file of another option";
        if (what)
            return is_another(&rows[i], what, error);
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
    if (o->interval && !o->outdir)
        return error_set(error, "--interval needs --outdir DIR to write to");
    if (o->interval_units && !o->interval)
        return error_set(error, "--interval-level: only with --interval");
    if (o->check_memory && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--check-memory: not with --functional, which "
                                "has no caches to check");
    if ((o->save_caches || o->warm_caches) && o->mode == MODE_FUNCTIONAL)
        return error_set(error,
                         "--%s-caches: not with --functional, which has "
                         "no caches",
                         o->save_caches ? "save" : "warm");
    if (of_cycles(o) && (o->mode == MODE_FUNCTIONAL || !o->outdir))
        return error_set(error, "--%s: needs --outdir and a timed run",
                         of_cycles(o));
    if (o->host_profile && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--host-profile: not with --functional, which "
                                "has no tiles");
    if (o->serve && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--serve: not with --functional, which has no "
                                "statistics to show");
    if (o->stalls && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--stalls: not with --functional, which has no "
                                "timing");
    if (o->log && !o->log_commits)
        return error_set(error, "--log %.80s: only with --log-commits", o->log);
    if (!checkpoints_agree(o, error) || !roi_agrees(o, error) ||
        !outputs_agree(o, error) || !outdir_agrees(o, error))
        return false;
    if (!o->program_argc && o->mode != MODE_DESCRIBE)
        return error_set(error, "no program given; "
                                "usage: sim-run [options] program.elf "
                                "[program arguments]");
    return true;
}
