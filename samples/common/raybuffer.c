/* Buffers of rays: see raybuffer.h. */
#include "raybuffer.h"
#include "say.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };
/* Of the results: bytes that are hashed together. A hart takes a few such
 * pieces at a time, or harts wait for each other when they add their sums; one
 * if many harts take part, whose L1s hold no more. */
enum { PIECE = 64, FEW = 4 * PIECE, MANY_HARTS = 16384 };

/* What is printed: by many harts, since one would take much longer than the
 * rays did. */
struct summary {
    const void *results;
    bool colours;
    size_t bytes, shares, share_bytes;
    _Atomic uint32_t found;
    _Atomic uint32_t low, high; /* exclusive or of all pieces' hashes */
};

_Noreturn void raybuffer_die(const char *program, int status, const char *what,
                             const char *why)
{
    say(program, "%s: %s", what, why);
    exit(status);
}

/* A frame that is not whole tiles is walked as one that is a tile wide, which
 * is the buffer's order. */
static void plan(struct raybuffer *b)
{
    const struct corbel_rays *file = b->file;
    bool tiled =
        file->width % RAYTILE_WIDTH == 0 && file->height % RAYTILE_HEIGHT == 0;
    b->rays = corbel_rays_first(file);
    b->count = file->count;
    b->width = tiled ? file->width : RAYTILE_WIDTH;
    b->row_scale = (1ull << RAYBUFFER_SHIFT) / (b->width / RAYTILE_WIDTH) + 1;
}

const struct corbel_scene *raybuffer_open(struct raybuffer *buffer,
                                          const char *program,
                                          const char *scene_path,
                                          const char *rays_path)
{
    const struct corbel_scene *scene = corbel_scene_open(scene_path);
    if (!scene)
        raybuffer_die(program, 1, scene_path,
                      errno == EINVAL ? "not a usable scene" : strerror(errno));
    buffer->file = corbel_rays_open(rays_path);
    if (!buffer->file)
        raybuffer_die(program, 1, rays_path,
                      errno == EINVAL
                          ? "not a usable buffer of rays, expected a .rays "
                            "file of corbel-rays"
                          : strerror(errno));
    if (buffer->file->triangles != scene->triangles ||
        buffer->file->vertices != scene->vertices)
        raybuffer_die(program, 1, rays_path, "was made for another scene");
    plan(buffer);
    return scene;
}

void *raybuffer_results(const char *program, uint32_t count, size_t bytes)
{
    void *results = memalign(ALIGNMENT, count * bytes);
    if (!results)
        raybuffer_die(program, 1, "no memory for the results",
                      "expected fewer rays");
    return results;
}

static size_t result_bytes(bool colours)
{
    return colours ? sizeof(uint32_t) : sizeof(struct corbel_hit);
}

static uint32_t hits_in(const struct summary *s, const void *piece,
                        size_t bytes)
{
    const struct corbel_hit *records = piece;
    const uint32_t *colours = piece;
    uint32_t found = 0;
    for (size_t i = 0; i < bytes / result_bytes(s->colours); i++)
        found += s->colours ? colours[i] != 0 : records[i].index != CORBEL_MISS;
    return found;
}

/* Hashes pieces and counts hits. A piece's number is in its hash, so their
 * order does not matter. */
static CORBEL_NOT_INLINED void sum_shares(struct summary *s, size_t share)
{
    const char *results = s->results;
    uint32_t found = 0;
    uint64_t hash = 0;
    do {
        size_t at = share * s->share_bytes, left = s->bytes - at;
        for (size_t end = at + (left < s->share_bytes ? left : s->share_bytes);
             at < end;) {
            size_t bytes = end - at < PIECE ? end - at : PIECE;
            found += hits_in(s, results + at, bytes);
            hash ^= corbel_hash(results + at, bytes, at / PIECE);
            at += bytes;
        }
    } while ((share = corbel_next()) < s->shares);
    atomic_fetch_add(&s->found, found);
    atomic_fetch_xor(&s->low, (uint32_t)hash);
    atomic_fetch_xor(&s->high, (uint32_t)(hash >> 32));
}

/* Harts that come when all is taken have nothing to add, nor registers to save.
 */
static void sum_up(void *arg)
{
    struct summary *s = arg;
    size_t share = corbel_next();
    if (share < s->shares)
        sum_shares(s, share);
}

void raybuffer_summary(const void *results, uint32_t count, bool colours)
{
    size_t bytes = count * result_bytes(colours);
    size_t share_bytes = bytes <= (size_t)FEW * MANY_HARTS ? FEW : PIECE;
    struct summary s = {.results = results,
                        .colours = colours,
                        .bytes = bytes,
                        .share_bytes = share_bytes,
                        .shares = (bytes + share_bytes - 1) / share_bytes};
    corbel_launch(sum_up, &s);
    printf("%" PRIu32 " rays, %" PRIu32 " hits, hash %08" PRIx32 "%08" PRIx32
           "\n",
           count, (uint32_t)s.found, (uint32_t)s.high, (uint32_t)s.low);
}

void raybuffer_write(const char *program, const char *path, const void *records,
                     size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        raybuffer_die(program, 1, path, strerror(errno));
    setvbuf(file, NULL, _IONBF, 0);
    size_t written = fwrite(records, 1, bytes, file);
    if (fclose(file) || written != bytes) {
        int why = errno;
        unlink(path);
        raybuffer_die(program, 1, path, strerror(why));
    }
}
