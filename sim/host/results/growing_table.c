/*
 * Collects the rows of an interval in memory, and appends them in pieces that
 * lie within a page of the host: file systems show what is written page by
 * page, so a line in two pages could be seen half. Where the next row does not
 * fit into a page, or might not, spaces at the end of the row before it fill
 * the page.
 */
#include "sim/host/results/growing_table.h"
#include "sim/core/heap.h"
#include "sim/host/results/outdir.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The longest row that is kept within a page. */
enum { ROW_MAX = 256 };

#define TEXT_MOST (1u << 30) /* bytes of a table in a checkpoint */

/* Writes a piece of whole lines, the last of them filled up with spaces. */
static void put(struct rows *r, const char *text, size_t size, size_t spaces)
{
    errno = 0;
    if (r->why)
        return;
    memcpy(r->piece, text, size);
    memset(r->piece + size - 1, ' ', spaces);
    r->piece[size + spaces - 1] = '\n';
    if (fwrite(r->piece, 1, size + spaces, r->file.file) < size + spaces)
        r->why = errno ? errno : EIO;
    r->at += size + spaces;
}

/* The length of the whole lines that a page has room for; of one, if it has
 * room for none. */
static size_t whole_lines(const char *text, size_t size, size_t room)
{
    if (size <= room)
        return size;
    const char *end = memrchr(text, '\n', room);
    if (!end)
        end = memchr(text, '\n', size);
    return (size_t)(end - text) + 1;
}

static void append(struct rows *r)
{
    for (size_t done = 0; done < r->size;) {
        size_t room = ROWS_PAGE - r->at % ROWS_PAGE;
        size_t bytes = whole_lines(r->bytes + done, r->size - done, room);
        bool last = done + bytes == r->size;
        bool fill = bytes <= room && (!last || room - bytes < ROW_MAX);
        put(r, r->bytes + done, bytes, fill ? room - bytes : 0);
        done += bytes;
    }
}

void rows_write(struct rows *r)
{
    if (fflush(r->text))
        heap_lacks(1, r->size, "a table");
    append(r);
    rewind(r->text);
}

bool rows_open(struct rows *r, const char *outdir, const char *name,
               const char *header, struct error *error)
{
    *r = (struct rows){.why = 0};
    if (!outdir_open(&r->file, outdir, name, error))
        return false;
    setvbuf(r->file.file, NULL, _IONBF, 0);
    r->text = open_memstream(&r->bytes, &r->size);
    if (!r->text)
        heap_lacks(1, BUFSIZ, "a table");
    fprintf(r->text, "%s\n", header);
    rows_write(r);
    return true;
}

bool rows_show(struct rows *r, const char *outdir, const char *name,
               struct error *error)
{
    return !r->text || whole_show(&r->file) ||
           outdir_lacks(outdir, name, error);
}

/* All of the file so far, for free(); NULL: it cannot be read. It is not looked
 * up by its name, which others may have changed. */
static char *read_back(const struct rows *r)
{
    char *text = heap_new(r->at + 1, 1, "a table");
    if (pread(fileno(r->file.file), text, r->at, 0) == (ssize_t)r->at)
        return text;
    free(text);
    return NULL;
}

/* The file becomes this; the head that it was opened with goes. */
static void write_anew(struct rows *r, const char *text, size_t size)
{
    errno = 0;
    rewind(r->file.file);
    if (ftruncate(fileno(r->file.file), 0) ||
        fwrite(text, 1, size, r->file.file) < size)
        r->why = errno ? errno : EIO;
    r->at = size;
}

void rows_state(struct rows *r, struct state *s, const char *name)
{
    uint32_t size = (uint32_t)r->at;
    char *text = NULL;
    if (!r->text)
        return;
    if (!s->loading && (r->at > TEXT_MOST || !(text = read_back(r)))) {
        state_fail(s, "%s cannot be read back", name);
        return;
    }
    state_number(s, &size, TEXT_MOST, name);
    if (s->loading)
        text = heap_new(size + 1u, 1, name);
    state_bytes(s, text, size);
    if (s->loading)
        write_anew(r, text, size);
    free(text);
}

/* The file stays. */
static void forget(struct rows *r)
{
    fclose(r->text);
    free(r->bytes);
    r->text = NULL;
}

bool rows_finish(struct rows *r, const char *outdir, const char *name,
                 struct error *error)
{
    if (!r->text)
        return true;
    forget(r);
    bool good = whole_finish(&r->file);
    if (r->why)
        errno = r->why;
    return good || outdir_lacks(outdir, name, error);
}

void rows_drop(struct rows *r)
{
    if (!r->text)
        return;
    forget(r);
    whole_drop(&r->file);
}
