/*
 * Follows a path by openat of one step after the other, and puts the text of a
 * link before the rest of the path.
 */
#include "sim/host/os/path_walk.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    HOW = O_PATH | O_NOFOLLOW | O_CLOEXEC,
    LINKS_MOST = 40, /* in a path, as Linux has it */
    ROOM = 3 * PATH_MAX,
};

struct walk {
    struct way *way;
    int at;          /* the folder reached, -1: the walk is over */
    unsigned links;  /* followed so far */
    char rest[ROOM]; /* of the path */
};

static void move_to(struct walk *k, int fd)
{
    if (k->at >= 0)
        close(k->at);
    k->at = fd;
}

/* Puts a link's text before the rest. */
static void follow(struct walk *k, int link)
{
    char path[ROOM] = "", text[PATH_MAX];
    ssize_t n = readlinkat(link, "", text, sizeof text);
    if (n <= 0 || ++k->links > LINKS_MOST ||
        snprintf(path, sizeof path, "%.*s/%s", (int)n, text, k->rest) >= ROOM)
        move_to(k, -1);
    else if (*text == '/')
        move_to(k, open("/", HOW | O_DIRECTORY));
    strcpy(k->rest, path);
}

/* Takes one step off the rest; NULL: there is none. */
static const char *next(struct walk *k, char name[NAME_MAX + 1])
{
    const char *from = k->rest + strspn(k->rest, "/");
    size_t length = strcspn(from, "/");
    if (!length || length > NAME_MAX)
        return NULL;
    snprintf(name, NAME_MAX + 1, "%.*s", (int)length, from);
    from += length;
    memmove(k->rest, from, strlen(from) + 1);
    return name;
}

static void take_step(struct walk *k, const char *name)
{
    struct stat st;
    int fd = openat(k->at, name, HOW);
    if (fd < 0 || fstat(fd, &st) || !k->way->step(k->way, fd, &st, k->rest)) {
        move_to(k, -1);
    } else if (S_ISLNK(st.st_mode)) {
        follow(k, fd);
    } else if (S_ISDIR(st.st_mode)) {
        move_to(k, fd);
        return;
    } else {
        move_to(k, -1);
    }
    if (fd >= 0)
        close(fd);
}

void way_follow(struct way *w, const char *path)
{
    struct walk k = {.way = w, .at = -1};
    char here[PATH_MAX], name[NAME_MAX + 1];
    const char *from = *path == '/' ? "" : getcwd(here, sizeof here);
    if (!from || snprintf(k.rest, ROOM, "%s/%s", from, path) >= ROOM)
        return;
    move_to(&k, open("/", HOW | O_DIRECTORY));
    while (k.at >= 0 && next(&k, name))
        take_step(&k, name);
    move_to(&k, -1);
}
