/*
 * What of the host the program may reach: --fs, without the files that the run
 * itself reads and writes. What is read is noted here; what is written is known
 * to folder.h, once outputs_possible has tried it.
 */
#include "sdk/whole/folder.h"
#include "sim/host/host.h"
#include "sim/host/os/beneath.h"
#include "sim/host/os/path_walk.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void reach_script(void *context, const char *path)
{
    struct host *host = context;
    kept_input(&host->os.kept, path);
}

/* The executable is one, too, and what the standard streams are: any of them
 * may lie below --fs. */
static void note_inputs(struct host *host)
{
    const struct options *o = host->options;
    const char *const files[] = {"/proc/self/exe",  "/proc/self/fd/0",
                                 "/proc/self/fd/1", "/proc/self/fd/2",
                                 o->resume,         o->warm_caches};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i])
            kept_input(&host->os.kept, files[i]);
    for (unsigned i = 0; i < host->programs.count; i++)
        kept_input(&host->os.kept, host->programs.all[i].path);
    for (unsigned i = 0; i < o->settings.file_count; i++)
        kept_input(&host->os.kept, o->settings.files[i]);
}

bool reach_open(struct host *host, struct error *error)
{
    const struct options *o = host->options;
    note_inputs(host);
    kept_folders(&host->os.kept);
    if (!files_open(&host->os.files, o->fs, o->program, o->program_argc, error))
        return false;
    files_keep(&host->os.files, &host->os.kept);
    return true;
}

struct search {
    struct way way;
    int directory; /* --fs */
    struct stat fs;
    int found; /* a descriptor of O_PATH, or the negative of an errno */
};

/* A step of a way: below --fs it is left to the kernel. */
static bool look(struct way *w, int fd, const struct stat *st, const char *rest)
{
    struct search *s = (struct search *)w;
    if (S_ISDIR(st->st_mode) && folder_same(st, &s->fs))
        s->found = beneath_open(s->directory, rest + strspn(rest, "/"), O_PATH);
    else if (S_ISDIR(st->st_mode) || S_ISLNK(st->st_mode))
        return true;
    else
        s->found = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return false;
}

int reach_file(const struct host *host, const char *path)
{
    struct search s = {
        .way = {look}, .directory = host->os.files.directory, .found = -ENOENT};
    struct stat st;
    if (!fstat(s.directory, &s.fs))
        way_follow(&s.way, path);
    if (s.found < 0)
        return s.found;
    const bool regular = !fstat(s.found, &st) && S_ISREG(st.st_mode);
    const int fd = regular ? beneath_again(s.found, O_RDONLY) : -EACCES;
    close(s.found);
    return fd;
}
