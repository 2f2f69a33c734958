/*
 * Packs bytes into the file of a checkpoint and unpacks them, piece by piece,
 * so that memory for one piece is all it takes.
 */
#include "sim/host/state/checkpoint_file.h"
#include "sim/core/formats.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NUMBER FORMAT_TEXT(CHECKPOINT_FORMAT)
#define NAME "corbel checkpoint "
#define FORMAT NAME NUMBER "\n"

/* The least effort: at it zstd is faster than most disks, and caches that hold
 * a scene take half of their bytes. */
#define LEVEL 1

/* Unpacked: more than the largest memory of a program has with what its chip
 * and its files hold. A checkpoint of zeros is unpacked up to here in seconds.
 */
#define BYTES_MOST ((uint64_t)128 << 30)

static bool complain(const struct checkpoint_file *c, const char *what,
                     struct error *error)
{
    return error_set(error, "%s: %s", c->path, what);
}

static bool lacks_memory(void)
{
    heap_lacks(1, ZSTD_CStreamOutSize(), "a checkpoint");
}

/* ---- writing ---- */

/* What is packed so far; its room is free again. */
static bool write_packed(struct checkpoint_file *c)
{
    bool good = fwrite(c->packed, 1, c->out.pos, c->whole.file) == c->out.pos;
    c->out.pos = 0;
    return good || state_fail(&c->state, "%s", strerror(errno));
}

static bool add_bytes(struct checkpoint_file *c, size_t count)
{
    c->bytes += count;
    return c->bytes <= BYTES_MOST ||
           state_fail(&c->state, "it has more than %llu bytes",
                      (unsigned long long)BYTES_MOST);
}

/* Adds bytes; at the end (ZSTD_e_end) all that zstd still holds goes out, with
 * the checksum. */
static bool pack(struct checkpoint_file *c, const void *bytes, size_t count,
                 ZSTD_EndDirective how)
{
    ZSTD_inBuffer in = {bytes, count, 0};
    size_t left;
    do {
        left = ZSTD_compressStream2(c->packer, &c->out, &in, how);
        if (ZSTD_isError(left))
            return state_fail(&c->state, "%s", ZSTD_getErrorName(left));
        if ((c->out.pos == c->out.size || how == ZSTD_e_end) &&
            !write_packed(c))
            return false;
    } while (in.pos < in.size || (how == ZSTD_e_end && left));
    return true;
}

/* The `move` of a state that is saved. */
static bool move_out(struct state *s, void *bytes, size_t count)
{
    struct checkpoint_file *c = (struct checkpoint_file *)s;
    return add_bytes(c, count) && pack(c, bytes, count, ZSTD_e_continue);
}

bool checkpoint_create(struct checkpoint_file *c, const char *path,
                       struct error *error)
{
    *c = (struct checkpoint_file){.state.move = move_out, .path = path};
    if (!whole_open(&c->whole, NULL, path))
        return complain(c, whole_why(), error);
    fputs(FORMAT, c->whole.file);
    c->room = ZSTD_CStreamOutSize();
    c->packed = heap_new(c->room, 1, "a checkpoint");
    c->out = (ZSTD_outBuffer){c->packed, c->room, 0};
    c->packer = ZSTD_createCCtx();
    if (!c->packer)
        lacks_memory();
    ZSTD_CCtx_setParameter(c->packer, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(c->packer, ZSTD_c_checksumFlag, 1);
    return true;
}

bool checkpoint_finish(struct checkpoint_file *c, struct error *error)
{
    bool good = !c->state.failed && pack(c, NULL, 0, ZSTD_e_end);
    ZSTD_freeCCtx(c->packer);
    free(c->packed);
    if (!good) {
        whole_drop(&c->whole);
        return complain(c, c->state.error.text, error);
    }
    return whole_finish(&c->whole) || complain(c, whole_why(), error);
}

/* ---- reading ---- */

/* The next packed bytes. False: there are none, though zstd expects more. */
static bool refill(struct checkpoint_file *c)
{
    size_t n = fread(c->packed, 1, c->room, c->file);
    c->in = (ZSTD_inBuffer){c->packed, n, 0};
    if (n)
        return true;
    return state_fail(&c->state, "%s",
                      ferror(c->file) ? strerror(errno) : "it is cut short");
}

/* Unpacks `count` bytes, fewer at the file's end; returns how many. */
static size_t unpack(struct checkpoint_file *c, void *bytes, size_t count)
{
    ZSTD_outBuffer out = {bytes, count, 0};
    while (out.pos < out.size && !c->ended && !c->state.failed) {
        if (c->in.pos == c->in.size && !refill(c))
            break;
        size_t left = ZSTD_decompressStream(c->unpacker, &out, &c->in);
        if (ZSTD_isError(left))
            state_fail(&c->state, "it is damaged: %s", ZSTD_getErrorName(left));
        c->ended = !left;
    }
    add_bytes(c, out.pos);
    return out.pos;
}

/* The `move` of a state that is loaded. */
static bool move_in(struct state *s, void *bytes, size_t count)
{
    struct checkpoint_file *c = (struct checkpoint_file *)s;
    return unpack(c, bytes, count) == count || state_fail(s, "it ends early");
}

/* Its first line; false: the error says what is there instead. */
static bool read_format(struct checkpoint_file *c)
{
    char line[sizeof FORMAT] = "";
    size_t n = fread(line, 1, sizeof FORMAT - 1, c->file);
    if (ferror(c->file))
        return state_fail(&c->state, "%s", strerror(errno));
    const char *number = line + strlen(NAME);
    if (n < strlen(NAME) || memcmp(line, NAME, strlen(NAME)))
        return state_fail(&c->state, "this is no checkpoint of sim-run");
    if (n < sizeof FORMAT - 1)
        return state_fail(&c->state, "it is cut short");
    if (!strcmp(line, FORMAT))
        return true;
    return state_fail(&c->state,
                      "a checkpoint of format %.*s, this sim-run reads %s",
                      (int)strcspn(number, "\n"), number, NUMBER);
}

static bool begin(struct checkpoint_file *c)
{
    c->in = (ZSTD_inBuffer){c->packed, 0, 0};
    c->ended = false;
    c->bytes = 0;
    rewind(c->file);
    ZSTD_DCtx_reset(c->unpacker, ZSTD_reset_session_only);
    return read_format(c);
}

/* Nothing of it is used before all of it has been seen. */
static bool is_sound(struct checkpoint_file *c)
{
    enum { PIECE = 1 << 18 };
    char *piece = heap_new(PIECE, 1, "a checkpoint");
    bool good = begin(c);
    while (good && !c->ended)
        good = unpack(c, piece, PIECE) && !c->state.failed;
    if (good && (c->in.pos < c->in.size || fgetc(c->file) != EOF))
        good = state_fail(&c->state, "there is something behind its end");
    free(piece);
    return good && begin(c);
}

static void end_reading(struct checkpoint_file *c)
{
    fclose(c->file);
    ZSTD_freeDCtx(c->unpacker);
    free(c->packed);
}

bool checkpoint_open(struct checkpoint_file *c, const char *path,
                     struct error *error)
{
    struct stat status;
    *c = (struct checkpoint_file){.state = {.loading = true, .move = move_in},
                                  .path = path};
    if (!stat(path, &status) && S_ISFIFO(status.st_mode))
        return complain(c, "this is a pipe, expected a file: it is read twice",
                        error);
    c->file = fopen(path, "rb");
    if (!c->file)
        return complain(c, strerror(errno), error);
    c->room = ZSTD_DStreamInSize();
    c->packed = heap_new(c->room, 1, "a checkpoint");
    c->unpacker = ZSTD_createDCtx();
    if (!c->unpacker)
        lacks_memory();
    if (is_sound(c))
        return true;
    end_reading(c);
    return complain(c, c->state.error.text, error);
}

bool checkpoint_close(struct checkpoint_file *c, struct error *error)
{
    char more;
    if (!c->state.failed && unpack(c, &more, 1))
        state_fail(&c->state, "it has more than is read");
    return checkpoint_leave(c, error);
}

bool checkpoint_leave(struct checkpoint_file *c, struct error *error)
{
    end_reading(c);
    return !c->state.failed || complain(c, c->state.error.text, error);
}
