/*
 * Takes back what a program has changed behind a checkpoint, the last first.
 * Each record leaves the file when that has been done, and may be taken back
 * twice where a process is killed between both; what a record says may not have
 * been done, either, where one was killed before.
 */
#include "sim/core/heap.h"
#include "sim/host/host.h"
#include "sim/host/os/files_private.h"
#include "sim/host/state/undo.h"
#include "sim/host/state/undo_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Where records begin in the file. */
struct records {
    uint64_t *at;
    unsigned count, room;
};

/* CRC-32 of `bytes` bytes; false: the file has fewer. */
static bool sum_of(int fd, uint64_t at, uint64_t bytes, uint32_t *sum)
{
    char piece[1 << 14];
    *sum = 0;
    while (bytes) {
        size_t most = bytes < sizeof piece ? bytes : sizeof piece;
        ssize_t n = pread(fd, piece, most, (off_t)at);
        if (n <= 0)
            return false;
        *sum = (uint32_t)crc32_z(*sum, (void *)piece, (size_t)n);
        at += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return true;
}

/* The bytes of the record there with its sum, 0: none is there that is whole.
 */
static uint64_t record_at(int fd, uint64_t at, struct undo_head *head)
{
    uint32_t sum, found;
    if (pread(fd, head, sizeof *head, (off_t)at) != sizeof *head ||
        head->kind >= UNDO_KINDS || head->name >= PATH_MAX ||
        head->second >= PATH_MAX || head->bytes > INT64_MAX / 2)
        return 0;
    uint64_t bytes = sizeof *head + head->name + head->second + head->bytes;
    bool whole =
        sum_of(fd, at, bytes, &sum) &&
        pread(fd, &found, sizeof found, (off_t)(at + bytes)) == sizeof found &&
        found == sum;
    return whole ? bytes + sizeof sum : 0;
}

static void find_records(const struct undo *u, struct records *r)
{
    struct undo_head head;
    uint64_t at = sizeof(struct undo_file), bytes;
    for (; (bytes = record_at(u->fd, at, &head)); at += bytes) {
        if (r->count == r->room) {
            r->room = r->room ? 2 * r->room : 64;
            r->at = heap_resize(r->at, r->room, sizeof *r->at,
                                "what is to be undone");
        }
        r->at[r->count++] = at;
    }
}

/* ---- one change ---- */

/* Its bytes are those of the file of records from there on. */
static void put_content(const struct files *f, int from, uint64_t at,
                        const struct undo_head *head, const char *name)
{
    char piece[1 << 14];
    int fd = files_open_inside(f, AT_FDCWD, name,
                               O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW,
                               (int)head->mode);
    for (uint64_t done = 0; fd >= 0 && done < head->bytes;) {
        uint64_t left = head->bytes - done;
        ssize_t n =
            pread(from, piece, left < sizeof piece ? left : sizeof piece,
                  (off_t)(at + done));
        if (n <= 0 || write(fd, piece, (size_t)n) != n)
            break;
        done += (uint64_t)n;
    }
    if (fd >= 0)
        close(fd);
}

static void put_link(const struct files *f, const char *name, const char *to)
{
    struct files_place place;
    if (files_find(f, AT_FDCWD, name, &place))
        return;
    (void)!symlinkat(to, place.parent, place.name);
    close(place.parent);
}

static void move_back(struct files *f, const char *from, const char *to)
{
    struct stat st;
    if (files_inside(f, AT_FDCWD, from, O_NOFOLLOW, &st) == -ENOENT)
        files_renameat(f, AT_FDCWD, to, AT_FDCWD, from, 0);
}

static void take_back(struct files *f, int fd, uint64_t at)
{
    struct undo_head head;
    char name[PATH_MAX] = "", second[PATH_MAX] = "";
    if (!record_at(fd, at, &head))
        return;
    at += sizeof head;
    (void)!pread(fd, name, head.name, (off_t)at);
    (void)!pread(fd, second, head.second, (off_t)(at + head.name));
    switch ((enum undo_kind)head.kind) {
    case UNDO_MADE:
        if (files_unlinkat(f, AT_FDCWD, name, 0) == -EISDIR)
            files_unlinkat(f, AT_FDCWD, name, AT_REMOVEDIR);
        return;
    case UNDO_CONTENT:
        put_content(f, fd, at + head.name + head.second, &head, name);
        return;
    case UNDO_FOLDER:
        files_mkdirat(f, AT_FDCWD, name, 0777);
        return;
    case UNDO_LINK:
        put_link(f, name, second);
        return;
    case UNDO_MOVED:
        move_back(f, name, second);
        return;
    case UNDO_KINDS:
        return;
    }
}

unsigned undo_take_back(struct undo *u, struct host *host)
{
    struct undo_file head, found;
    struct records r = {NULL};
    if (!undo_describe(u, host->os.files.directory, &head) ||
        pread(u->fd, &found, sizeof found, 0) != sizeof found ||
        memcmp(&head, &found, sizeof head))
        return 0;
    find_records(u, &r);
    for (unsigned i = r.count; i-- > 0;) {
        take_back(&host->os.files, u->fd, r.at[i]);
        (void)!ftruncate(u->fd, (off_t)r.at[i]);
    }
    free(r.at);
    return r.count;
}
