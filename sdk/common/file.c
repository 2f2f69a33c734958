/* Reading, decompressing and writing whole files; see file.h. */
#include "sdk/common/file.h"

#include "sdk/common/report.h"
#include "sdk/whole/reads.h"

#include <corbel/unpack.h>
#include <corbel/verify.h>
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

/* Case does not matter. */
bool path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

/* Both endings have three characters. */
size_t path_uncompressed(const char *path)
{
    bool packed = path_ends(path, ".gz") || path_ends(path, ".xz");
    return strlen(path) - (packed ? 3 : 0);
}

/* Bytes that grow; aligned so that a scene can be used in place. */
struct buffer {
    char *data;
    size_t bytes, room;
};

/* At least doubles, so that a file is copied a few times at most. */
static void buffer_reserve(struct buffer *buffer, size_t more)
{
    if (buffer->bytes + more <= buffer->room)
        return;
    size_t room = buffer->room * 2;
    if (room < buffer->bytes + more)
        room = buffer->bytes + more;
    room = (room + 63) / 64 * 64;
    char *data = aligned_alloc(64, room);
    if (data == NULL)
        fail(STATUS_INPUT, "out of memory: %zu bytes", room);
    if (buffer->bytes > 0)
        memcpy(data, buffer->data, buffer->bytes);
    free(buffer->data);
    buffer->data = data;
    buffer->room = room;
}

/* The size that the file system tells is only where reading begins: pipes and
 * devices tell 0. */
static void read_plain(const char *path, struct buffer *buffer)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0)
        fail(STATUS_INPUT, "%s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        fail(STATUS_INPUT, "%s: is a directory, expected a file", path);
    size_t got, piece = (size_t)status.st_size + 64;
    do {
        buffer_reserve(buffer, piece);
        got = fread(buffer->data + buffer->bytes, 1, piece, file);
        buffer->bytes += got;
        if (!S_ISREG(status.st_mode) && buffer->bytes > CORBEL_UNPACK_ANY)
            fail(STATUS_INPUT, CORBEL_STREAM_REFUSED, path,
                 (unsigned long long)CORBEL_UNPACK_ANY);
    } while (got == piece);
    if (ferror(file))
        fail(STATUS_INPUT, "%s: %s", path, strerror(errno));
    fclose(file);
}

/* Bytes that are decompressed at a time. */
#define PIECE ((size_t)1 << 22)

static void refuse_beyond(uint64_t packed, const char *path,
                          const struct buffer *buffer)
{
    const uint64_t most = corbel_unpack_most(packed);
    if (buffer->bytes > most)
        fail(STATUS_INPUT, CORBEL_UNPACK_REFUSED, path,
             (unsigned long long)most);
}

/* gzread passes files through that are not compressed; gzdirect tells so, and
 * that is an error here, as the name promised otherwise. */
static void inflate_gz(const char *path, struct buffer *buffer)
{
    gzFile file = gzopen(path, "rb");
    struct stat packed;
    if (file == NULL || stat(path, &packed) != 0)
        fail(STATUS_INPUT, "%s: %s", path, strerror(errno));
    int got, status;
    do {
        buffer_reserve(buffer, PIECE);
        got = gzread(file, buffer->data + buffer->bytes, PIECE);
        buffer->bytes += got > 0 ? (size_t)got : 0;
        refuse_beyond((uint64_t)packed.st_size, path, buffer);
    } while (got > 0);
    const char *message = gzerror(file, &status);
    if (got < 0 || status != Z_OK || gzdirect(file))
        fail(STATUS_INPUT, "%s: damaged gzip file (%s)", path,
             gzdirect(file) ? "no gzip header" : message);
    gzclose(file);
}

/* Several streams may follow each other, as xz allows. The decoder's own memory
 * is what the file says, for xz -9 64 MiB. */
static void inflate_xz(const char *path, struct buffer *packed,
                       struct buffer *buffer)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, CORBEL_UNPACK_ANY, LZMA_CONCATENATED) !=
        LZMA_OK)
        fail(STATUS_INPUT, "%s: cannot start the xz decoder", path);
    stream.next_in = (uint8_t *)packed->data;
    stream.avail_in = packed->bytes;
    lzma_ret result;
    do {
        buffer_reserve(buffer, PIECE);
        stream.next_out = (uint8_t *)buffer->data + buffer->bytes;
        stream.avail_out = buffer->room - buffer->bytes;
        result = lzma_code(&stream, LZMA_FINISH);
        buffer->bytes = buffer->room - stream.avail_out;
        refuse_beyond(packed->bytes, path, buffer);
    } while (result == LZMA_OK);
    lzma_end(&stream);
    if (result == LZMA_MEMLIMIT_ERROR)
        fail(STATUS_INPUT, "%s: needs more than %llu bytes to be unpacked",
             path, (unsigned long long)CORBEL_UNPACK_ANY);
    if (result != LZMA_STREAM_END)
        fail(STATUS_INPUT, "%s: damaged xz file", path);
}

/* The ending alone decides whether the file is decompressed. */
void *file_read(const char *path, size_t *bytes)
{
    struct buffer buffer = {0}, packed = {0};
    reads_note(path, "what is read");
    if (path_ends(path, ".gz")) {
        inflate_gz(path, &buffer);
    } else if (path_ends(path, ".xz")) {
        read_plain(path, &packed);
        inflate_xz(path, &packed, &buffer);
        free(packed.data);
    } else {
        read_plain(path, &buffer);
    }
    *bytes = buffer.bytes;
    return buffer.data;
}

_Noreturn static void cannot_write(const char *path)
{
    fail(STATUS_OUTPUT, "%s: cannot write: %s", path, whole_why());
}

void output_check(const char *path)
{
    if (path != NULL && !whole_try(NULL, path))
        cannot_write(path);
}

void output_open(struct whole *output, const char *path)
{
    if (!whole_open(output, NULL, path))
        cannot_write(path);
}

/* An error of any write before is kept by the stream and found here. */
void output_close(struct whole *output)
{
    if (!whole_finish(output))
        cannot_write(output->path);
}

/*
 * The verifier makes sure that a traversal of the scene stays within its bytes.
 */
struct corbel_scene *scene_read(const char *path)
{
    size_t bytes;
    char why[CORBEL_WHY];
    struct corbel_scene *scene = file_read(path, &bytes);
    if (!corbel_scene_verify(scene, bytes, why))
        fail(STATUS_INPUT, "%s: %s", path, why);
    return scene;
}

struct corbel_scene *scene_read_one(const char *path, const char *what)
{
    struct corbel_scene *scene = scene_read(path);
    if (corbel_scene_has_trees(scene))
        fail(STATUS_INPUT,
             "%s: has instances or geometries; %s needs a scene of one tree, "
             "which convert makes of the input",
             path, what);
    return scene;
}

void scene_write(const struct corbel_scene *scene, const char *path)
{
    struct whole output;
    output_open(&output, path);
    fwrite(scene, 1, scene->bytes, output.file);
    output_close(&output);
}
