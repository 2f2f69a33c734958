/*
 * Reads a directory at once and sorts it, then hands out its entries in the
 * layout of Linux's getdents64.
 */
#include "sim/host/os/listing.h"
#include "runtime/include/corbel/linux.h"
#include "sim/core/state.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
    char *name;
    uint8_t type; /* as in linux_dirent */
};

struct listing {
    struct entry *entries;
    size_t count, room, at;
};

/* Some file systems do not tell. Where it says DT_..., Linux's numbers are the
 * C library's. */
static uint8_t type_of(int directory, const struct dirent *d)
{
    struct stat st;
    mode_t mode = DTTOIF(d->d_type);
    if (d->d_type == DT_UNKNOWN &&
        !fstatat(directory, d->d_name, &st, AT_SYMLINK_NOFOLLOW))
        mode = st.st_mode;
    return S_ISREG(mode)   ? DT_REG
           : S_ISDIR(mode) ? DT_DIR
           : S_ISLNK(mode) ? DT_LNK
                           : DT_UNKNOWN;
}

static int add(struct listing *l, const char *name, uint8_t type)
{
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        struct entry *more = realloc(l->entries, l->room * sizeof *l->entries);
        if (!more)
            return -1;
        l->entries = more;
    }
    char *copy = strdup(name);
    if (!copy)
        return -1;
    l->entries[l->count++] = (struct entry){copy, type};
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* errno is 0 when all of them have been read. */
static void read_all(struct listing *l, DIR *from)
{
    const struct dirent *d;
    for (errno = 0; (d = readdir(from)); errno = 0)
        if (add(l, d->d_name, type_of(dirfd(from), d)))
            return;
}

/* Reads through a descriptor of its own, so that the position of the program's
 * descriptor neither matters nor moves. */
struct listing *listing_new(int directory)
{
    struct listing *l = calloc(1, sizeof *l);
    int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *from = fd < 0 ? NULL : fdopendir(fd);
    if (l && from)
        read_all(l, from);
    int why = errno;
    if (from)
        closedir(from);
    else if (fd >= 0)
        close(fd);
    if (!l || !from || why) {
        listing_free(l);
        errno = why;
        return NULL;
    }
    qsort(l->entries, l->count, sizeof *l->entries, by_name);
    return l;
}

void listing_free(struct listing *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->count; i++)
        free(l->entries[i].name);
    free(l->entries);
    free(l);
}

/* Linux pads entries, so that each begins at a multiple of 8 bytes. */
static size_t size_of(const struct entry *e)
{
    size_t bytes = offsetof(struct linux_dirent, name) + strlen(e->name) + 1;
    return (bytes + 7) / 8 * 8;
}

int64_t listing_read(struct listing *l, void *to, size_t bytes)
{
    size_t done = 0;
    for (; l->at < l->count; l->at++) {
        const struct entry *e = &l->entries[l->at];
        size_t size = size_of(e);
        if (size > bytes - done)
            break;
        struct linux_dirent *d = (void *)((char *)to + done);
        memset(d, 0, size);
        memcpy(d,
               &(struct linux_dirent){.ino = l->at + 1,
                                      .next = (int64_t)l->at + 1,
                                      .bytes = (uint16_t)size,
                                      .type = e->type},
               offsetof(struct linux_dirent, name));
        memcpy((char *)to + done + offsetof(struct linux_dirent, name), e->name,
               strlen(e->name) + 1);
        done += size;
    }
    return done || l->at == l->count ? (int64_t)done : -EINVAL;
}

int64_t listing_at(const struct listing *l)
{
    return (int64_t)l->at;
}

int64_t listing_seek(struct listing *l, int64_t position)
{
    if (position < 0 || (uint64_t)position > l->count)
        return -EINVAL;
    l->at = (size_t)position;
    return position;
}

/* ---- checkpoints ---- */

static void load_entry(struct listing *l, struct state *s)
{
    char *name = NULL;
    uint8_t type = DT_UNKNOWN;
    state_text(s, &name, "a name in a folder");
    STATE_VALUE(s, type);
    if (name && !s->failed && add(l, name, type))
        state_fail(s, "no memory for the names in a folder");
    free(name);
}

static void move_entries(struct listing *l, uint32_t count, struct state *s)
{
    for (uint32_t i = 0; i < count && !s->failed; i++) {
        if (s->loading) {
            load_entry(l, s);
        } else {
            state_text(s, &l->entries[i].name, "a name in a folder");
            STATE_VALUE(s, l->entries[i].type);
        }
    }
}

/* The names are those that the folder had when the program began to read them.
 */
void listing_state(struct listing **l, struct state *s)
{
    enum { COUNT_MOST = 1 << 24 };
    bool there = *l;
    state_flag(s, &there);
    if (!there)
        return;
    if (s->loading && !(*l = calloc(1, sizeof **l))) {
        state_fail(s, "no memory for the names in a folder");
        return;
    }
    uint32_t count = (uint32_t)(*l)->count, at = (uint32_t)(*l)->at;
    state_number(s, &count, COUNT_MOST, "the names in a folder");
    state_number(s, &at, count, "the place in a folder");
    move_entries(*l, count, s);
    (*l)->at = at < (*l)->count ? at : (*l)->count;
}
