#include "sim/core/gz_text.h"
#include "runtime/include/corbel/unpack.h"
#include "sdk/whole/reads.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

static char *unreadable(const char *path, const char *why, struct error *error)
{
    error_set(error, "%.200s: %s", path, why);
    return NULL;
}

uint32_t gz_text_lines(const char *text)
{
    uint32_t n = 1;
    while ((text = strchr(text, '\n'))) {
        n++;
        text++;
    }
    return n;
}

/* A byte 0 would end the text, and the rest would be lost unseen. */
static char *without_zeros(char *text, size_t size, const char *path,
                           struct error *error)
{
    if (strlen(text) == size)
        return text;
    error_set(error, "%.200s:%u: a byte of 0, expected text", path,
              gz_text_lines(text));
    free(text);
    return NULL;
}

/* Reads all of the file, then adds a 0. */
static char *read_rest(gzFile file, const char *path, const struct stat *status,
                       struct error *error)
{
    const bool stream = !S_ISREG(status->st_mode);
    const uint64_t most =
        corbel_unpack_most(stream ? 0 : (uint64_t)status->st_size);
    enum { PIECE = 1 << 26 };
    size_t size = 0, room = 1 << 20;
    char *text = heap_resize(NULL, room + 1, 1, path);
    int n;
    while ((n = gzread(file, text + size,
                       (unsigned)(room - size < PIECE ? room - size : PIECE))) >
           0) {
        size += (size_t)n;
        if (size > most && (stream || !gzdirect(file))) {
            error_set(error,
                      stream ? CORBEL_STREAM_REFUSED : CORBEL_UNPACK_REFUSED,
                      path, (unsigned long long)most);
            free(text);
            return NULL;
        }
        if (size == room) {
            room *= 2;
            text = heap_resize(text, room + 1, 1, path);
        }
    }
    text[size] = 0;
    int failed;
    const char *why = gzerror(file, &failed);
    if (n == 0 && failed == Z_OK)
        return without_zeros(text, size, path, error);
    free(text);
    return unreadable(path, failed == Z_ERRNO ? strerror(errno) : why, error);
}

char *gz_text_read(const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status))
        return unreadable(path, strerror(errno), error);
    if (S_ISDIR(status.st_mode))
        return unreadable(path, "is a directory, a file is expected", error);
    gzFile file = gzopen(path, "rb");
    if (!file)
        return unreadable(path, strerror(errno), error);
    gzbuffer(file, 1 << 18);
    reads_note(path, "what is read");
    char *text = read_rest(file, path, &status, error);
    gzclose(file);
    return text;
}
