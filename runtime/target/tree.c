/* Paths as a whole: ftw, nftw, realpath. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct walk {
    int (*call)(const char *, const struct stat *, int, struct FTW *);
    int (*simple)(const char *, const struct stat *, int);
    int flags;
};

static int visit(const struct walk *walk, const char *path, int base,
                 int level);

static int tell(const struct walk *walk, const char *path,
                const struct stat *st, int kind, struct FTW *where)
{
    return walk->simple
               ? walk->simple(path, st, kind == FTW_SLN ? FTW_NS : kind)
               : walk->call(path, st, kind, where);
}

static int visit_entries(const struct walk *walk, const char *path, DIR *d,
                         int level)
{
    struct dirent *entry;
    size_t length = strlen(path);
    int result = 0;

    while (!result && (entry = readdir(d))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        char *name = malloc(length + strlen(entry->d_name) + 2);
        if (!name)
            return -1;
        memcpy(name, path, length);
        size_t at = length;
        if (at && name[at - 1] != '/')
            name[at++] = '/';
        strcpy(name + at, entry->d_name);
        result = visit(walk, name, (int)at, level + 1);
        free(name);
    }
    return result;
}

static int visit_directory(const struct walk *walk, const char *path,
                           const struct stat *st, struct FTW *where)
{
    DIR *d = opendir(path);
    int after = walk->flags & FTW_DEPTH, result = 0;

    if (!d)
        return tell(walk, path, st, FTW_DNR, where);
    if (!after)
        result = tell(walk, path, st, FTW_D, where);
    if (!result)
        result = visit_entries(walk, path, d, where->level);
    closedir(d);
    if (!result && after)
        result = tell(walk, path, st, FTW_DP, where);
    return result;
}

static int visit(const struct walk *walk, const char *path, int base, int level)
{
    struct FTW where = {base, level};
    struct stat st = {0};
    int physical = walk->flags & FTW_PHYS;

    if ((physical ? lstat : stat)(path, &st)) {
        if (level == 0 && errno != EACCES)
            return -1;
        int link = !physical && !lstat(path, &st) && S_ISLNK(st.st_mode);
        return tell(walk, path, &st, link ? FTW_SLN : FTW_NS, &where);
    }
    if (S_ISDIR(st.st_mode))
        return visit_directory(walk, path, &st, &where);
    return tell(walk, path, &st, S_ISLNK(st.st_mode) ? FTW_SL : FTW_F, &where);
}

static int start(const struct walk *walk, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (walk->flags & FTW_CHDIR) { /* there is no chdir */
        errno = ENOTSUP;
        return -1;
    }
    return visit(walk, path, slash && slash[1] ? (int)(slash + 1 - path) : 0,
                 0);
}

int nftw(const char *path,
         int (*call)(const char *, const struct stat *, int, struct FTW *),
         int files, int flags)
{
    struct walk walk = {call, NULL, flags};

    return start(&walk, path);
}

int ftw(const char *path, int (*call)(const char *, const struct stat *, int),
        int files)
{
    struct walk walk = {NULL, call, 0};

    return start(&walk, path);
}

/* One step further than `to`, of `length` characters; its end, or 0. */
static size_t step(char *to, size_t length, const char *name, size_t bytes)
{
    struct stat st;

    if (bytes == 1 && *name == '.')
        return length;
    if (bytes == 2 && !memcmp(name, "..", 2)) {
        while (length > 1 && to[--length] != '/')
            ;
        to[length ? length : 1] = 0;
        return length ? length : 1;
    }
    if (length + bytes + 2 > PATH_MAX) {
        errno = ENAMETOOLONG;
        return 0;
    }
    if (to[length - 1] != '/')
        to[length++] = '/';
    memcpy(to + length, name, bytes);
    to[length += bytes] = 0;
    if (lstat(to, &st))
        return 0;
    if (S_ISLNK(st.st_mode)) { /* there is no readlink */
        errno = ENOTSUP;
        return 0;
    }
    return length;
}

char *realpath(const char *restrict path, char *restrict resolved)
{
    char to[PATH_MAX] = "/";
    size_t length = 1;
    struct stat st;

    if (!path || !*path) {
        errno = path ? ENOENT : EINVAL;
        return NULL;
    }
    if (*path != '/') {
        if (!getcwd(to, sizeof to))
            return NULL;
        length = strlen(to);
    } else if (!strncmp(path, "/fs", 3) && (!path[3] || path[3] == '/')) {
        strcpy(to, "/fs"); /* above it there is nothing to ask for */
        length = 3;
        path += 3;
    }
    while (*path) {
        size_t bytes = strcspn(path, "/");
        if (bytes && !(length = step(to, length, path, bytes)))
            return NULL;
        path += bytes;
        if (*path == '/' && bytes && (stat(to, &st) || !S_ISDIR(st.st_mode))) {
            errno = ENOTDIR;
            return NULL;
        }
        path += *path == '/';
    }
    return resolved ? strcpy(resolved, to) : strdup(to);
}
