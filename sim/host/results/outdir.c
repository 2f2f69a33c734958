/* Making, locking and clearing the directory of a run. */
#include "sim/host/results/outdir.h"
#include "sdk/whole/folder.h"
#include "sim/units/common/work_costs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 4096

/*
 * Makes the directory and those above it. Most errors of mkdir are of
 * directories that exist, and what counts is whether the last one does: if not,
 * its own error says more than that it is not there.
 */
static bool make_directories(const char *path, struct error *error)
{
    char part[PATH_SIZE];
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
        return error_set(error, "--outdir: path too long");
    for (char *p = part + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        mkdir(part, 0777);
        *p = '/';
    }
    const int why = mkdir(part, 0777) ? errno : 0;
    struct stat st;
    if (stat(path, &st))
        return error_set(error, "--outdir %s: %s", path,
                         strerror(errno == ENOENT && why ? why : errno));
    return S_ISDIR(st.st_mode) ||
           error_set(error, "--outdir %s: not a directory", path);
}

bool outdir_lacks(const char *outdir, const char *name, struct error *error)
{
    return error_set(error, "--outdir %s: cannot write %s: %s", outdir, name,
                     whole_why());
}

bool outdir_open(struct whole *w, const char *outdir, const char *name,
                 struct error *error)
{
    return whole_open(w, outdir, name) || outdir_lacks(outdir, name, error);
}

bool outdir_finish(struct whole *w, const char *outdir, const char *name,
                   struct error *error)
{
    return whole_finish(w) || outdir_lacks(outdir, name, error);
}

/* The descriptor of the directory, which stays open until the run ends: the
 * files go there wherever it has been moved to. -1: errno says why not. */
static int folder_at(const char *outdir)
{
    char path[PATH_SIZE];
    const char *name;
    snprintf(path, sizeof path, "%s/" STATS, outdir);
    return folder_of(path, &name);
}

/* The run that has locked a directory has it until it ends, however it does. */
static bool lock(const char *outdir, struct error *error)
{
    return !flock(folder_at(outdir), LOCK_EX | LOCK_NB) ||
           errno != EWOULDBLOCK /* it cannot be locked there: then none is */ ||
           error_set(error, "--outdir %s: another run writes its files there",
                     outdir);
}

static const char *const names[] = {STATS,
                                    STATS_TEXT,
                                    MANIFEST,
                                    INTERVALS,
                                    UNIT_INTERVALS,
                                    LINKS,
                                    TRANSFERS,
                                    LOG,
                                    SERVE_ADDRESS,
                                    PROFILE_TEXT,
                                    PROFILE_JSON,
                                    CALLGRIND,
                                    TRACE_PERFETTO,
                                    TRACE_KONATA,
                                    TRACE_PERFETTO_RAYS,
                                    TRACE_CSV,
                                    PIXELS,
#define COST_NAMES(name, ...) COST_FILE(name, "pfm"), COST_FILE(name, "png"),
                                    WORK_COSTS(COST_NAMES)
#undef COST_NAMES
};

enum { NAMES = sizeof names / sizeof *names };

/* One of the files of a run, or what a run that was killed has left of one: a
 * name of whole.h. */
bool outdir_owns(const char *name)
{
    for (size_t i = 0; i < NAMES; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(name, names[i], length))
            continue;
        const char *behind = name + length + (name[length] == '.');
        if (!name[length] || (*behind && !behind[strspn(behind, "0123456789")]))
            return true;
    }
    return false;
}

/* A run that is refused leaves them; one that fails must not leave results
 * behind that seem to be its own. */
bool outdir_clear(const char *outdir, bool serves, struct error *error)
{
    const int at =
        openat(folder_at(outdir), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = at < 0 ? NULL : fdopendir(at);
    bool good = folder;
    if (!folder)
        return error_set(error, "--outdir %s: %s", outdir, strerror(errno));
    for (struct dirent *d; good && (d = readdir(folder));)
        if (outdir_owns(d->d_name) &&
            !(serves && !strcmp(d->d_name, SERVE_ADDRESS)) &&
            unlinkat(at, d->d_name, 0))
            good = error_set(error, "--outdir %s: cannot remove %s: %s", outdir,
                             d->d_name, strerror(errno));
    closedir(folder);
    return good;
}

/* All of the run's names there are its own from the start. */
static bool note_names(const char *outdir)
{
    char path[PATH_SIZE];
    bool good = true;
    for (size_t i = 0; good && i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", outdir, names[i]);
        good = folder_note(path);
    }
    return good;
}

bool outdir_prepare(const char *outdir, struct error *error)
{
    return make_directories(outdir, error) &&
           ((whole_try(outdir, "stats.try") && note_names(outdir)) ||
            outdir_lacks(outdir, "files", error)) &&
           lock(outdir, error);
}
