/*
 * A buffer of rays that corbel-rays wrote, and what programs do with it that
 * find a hit for each: the order in which a frame is worked on, colours, what
 * is printed and written in the end.
 */
#ifndef SAMPLES_RAYBUFFER_H
#define SAMPLES_RAYBUFFER_H

#include <corbel/corbel.h>
#include <corbel/rays.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 32 indices are a tile of rays, tiles go row by row. */
enum { RAYTILE_WIDTH = 4, RAYTILE_HEIGHT = 8, RAYTILE_RAYS = 32 };
enum { RAYBUFFER_SHIFT = 40 };

struct raybuffer {
    const struct corbel_rays *file;
    const struct corbel_ray *rays;
    uint32_t count;
    uint32_t width;     /* of the picture; RAYTILE_WIDTH: the buffer's order is
                           kept, as the picture is not whole tiles */
    uint64_t row_scale; /* 2^40 / tiles in a row, and a little more */
};

/* Opens a buffer and a scene that it was made for. Ends the program on failure.
 */
const struct corbel_scene *raybuffer_open(struct raybuffer *buffer,
                                          const char *program,
                                          const char *scene, const char *rays);

/*
 * The place in the buffer of an index. The row of its tile is tile / tiles in a
 * row, by a multiplication; exact, since these are at most 2^23 and 2^12.
 */
static inline size_t raybuffer_place_in_rows(size_t index, uint32_t width,
                                             uint64_t row_scale)
{
    size_t tile = index / RAYTILE_RAYS;
    size_t row = (size_t)(tile * row_scale >> RAYBUFFER_SHIFT);
    size_t in_tile = index % RAYTILE_RAYS / RAYTILE_WIDTH;
    /* One row of rays for each row of tiles is in tile * RAYTILE_WIDTH. */
    return (row * (RAYTILE_HEIGHT - 1) + in_tile) * width +
           tile * RAYTILE_WIDTH + index % RAYTILE_WIDTH;
}

/*
 * The same where the width is a power of two: of the index's bits, which are
 * row of tiles, tile, row in it, column, the middle two change places. So there
 * is no multiplication, a trip to a unit that many cores share.
 */
static inline size_t raybuffer_place_by_bits(size_t index, unsigned log2_width)
{
    size_t width = (size_t)1 << log2_width;
    size_t in_tile = index / RAYTILE_WIDTH % RAYTILE_HEIGHT;
    return (index & -(width * RAYTILE_HEIGHT)) + (in_tile << log2_width) +
           (index / RAYTILE_HEIGHT & (width - RAYTILE_WIDTH)) +
           index % RAYTILE_WIDTH;
}

/*
 * A colour for each triangle: red | green << 8 | blue << 16, and 255 << 24, so
 * that a hit is not 0. The hash is Marsaglia's xorshift (Journal of Statistical
 * Software 8(14), 2003).
 */
static inline uint32_t raybuffer_colour(const struct corbel_hit *hit)
{
    uint32_t hash = hit->index + 1;
    hash ^= hash << 13;
    hash ^= hash >> 17;
    hash ^= hash << 5;
    return hash ? hash | 0xff000000u : 0; /* CORBEL_MISS + 1 is 0 */
}

/* Memory for `count` results of `bytes` bytes, or the program ends. */
void *raybuffer_results(const char *program, uint32_t count, size_t bytes);

/* Prints how many rays and hits there are, and the hash of the results: hit
 * records, or colours. The work of all harts. */
void raybuffer_summary(const void *results, uint32_t count, bool colours);

/* Writes a file, or ends the program; a half-written one is removed. */
void raybuffer_write(const char *program, const char *path, const void *records,
                     size_t bytes);

/* "program: what: why" on stderr, and the end. */
_Noreturn void raybuffer_die(const char *program, int status, const char *what,
                             const char *why);

#ifdef __cplusplus
}
#endif
#endif
