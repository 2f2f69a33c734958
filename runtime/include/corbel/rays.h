/*
 * The .rays file, which is also how a buffer of rays lies in memory: this
 * header, then width x height rays of 32 bytes, row by row, row 0 the bottom
 * row of the picture (as in the samples' pictures and hit records). The rays
 * start at a multiple of 64 bytes. Little-endian, nothing is relocated.
 * docs/reference/rays.md says which rays corbel-rays writes.
 *
 * A dead ray keeps the place of a path that left the scene before: its tmax is
 * -1, below its tmin. It is valid input that a traversal ends without fetching
 * anything; its hit record is a miss.
 */
#ifndef CORBEL_RAYS_H
#define CORBEL_RAYS_H

#include <corbel/hash.h>
#include <corbel/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_RAYS_MAGIC 0x7379615262726f43u /* "CorbRays" */
#define CORBEL_RAYS_VERSION 1u
#define CORBEL_RAYS_SIDE_MAX 16384u /* of width and height */
#define CORBEL_RAYS_DEAD_TMAX (-1.0f)

enum { CORBEL_RAYS_PRIMARY, CORBEL_RAYS_SECONDARY, CORBEL_RAYS_TERTIARY };
enum { CORBEL_NORMALS_GEOMETRIC, CORBEL_NORMALS_FACING };

struct corbel_rays {
    uint64_t magic;
    uint64_t hash;    /* XXH64, seed 0, of the bytes after this field */
    uint32_t version; /* CORBEL_RAYS_VERSION */
    uint32_t kind;    /* CORBEL_RAYS_..: bounces before these rays, 0 .. 2 */
    uint64_t bytes;   /* of the whole file */
    uint32_t width, height; /* of the picture, 1 .. CORBEL_RAYS_SIDE_MAX */
    uint32_t count;         /* width x height */
    uint32_t dead;          /* of these */

    /* what they were made from */
    uint64_t mesh; /* hash of its faces and vertices, docs/reference/rays.md */
    uint32_t triangles, vertices;
    uint32_t seed;
    uint32_t normals;     /* CORBEL_NORMALS_..: around which bounces go */
    float tmin, tmax;     /* of rays that are not dead */
    float eye[3];         /* of the pinhole camera */
    float look[3], fov;   /* fov: vertical, degrees */
    uint32_t reserved[5]; /* 0 */
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_rays) == 128, "rays header");

/* The rays of a buffer, count of them. */
static inline const struct corbel_ray *
corbel_rays_first(const struct corbel_rays *rays)
{
    return (const struct corbel_ray *)(rays + 1);
}

static inline bool corbel_ray_is_dead(const struct corbel_ray *ray)
{
    return ray->tmax < ray->tmin;
}

/* The hash that belongs into the header. */
static inline uint64_t corbel_rays_hash(const struct corbel_rays *rays)
{
    const size_t skip = offsetof(struct corbel_rays, version);
    return corbel_hash((const char *)rays + skip, (size_t)rays->bytes - skip,
                       0);
}

static inline bool corbel_rays_sizes_agree(const struct corbel_rays *rays)
{
    return rays->width >= 1 && rays->width <= CORBEL_RAYS_SIDE_MAX &&
           rays->height >= 1 && rays->height <= CORBEL_RAYS_SIDE_MAX &&
           rays->count == rays->width * rays->height &&
           rays->bytes ==
               sizeof *rays + (uint64_t)rays->count * sizeof(struct corbel_ray);
}

/* Rays of a buffer that are dead. */
static inline uint32_t corbel_rays_count_dead(const struct corbel_rays *rays)
{
    const struct corbel_ray *ray = corbel_rays_first(rays);
    uint32_t dead = 0;
    for (uint32_t i = 0; i < rays->count; i++)
        dead += corbel_ray_is_dead(&ray[i]);
    return dead;
}

/*
 * True if the bytes at data, 8-byte aligned, are a whole, undamaged .rays
 * file; else *why says in a few words what is wrong.
 */
static inline bool corbel_rays_check(const void *data, size_t bytes,
                                     const char **why)
{
    const struct corbel_rays *rays = (const struct corbel_rays *)data;
    if (bytes < 8 || rays->magic != CORBEL_RAYS_MAGIC)
        *why = "not a .rays file (wrong magic number)";
    else if (bytes < sizeof *rays)
        *why = "truncated: shorter than its header";
    else if (rays->version != CORBEL_RAYS_VERSION)
        *why = "wrong version: this program reads version 1";
    else if (rays->bytes > bytes)
        *why = "truncated: shorter than its header says";
    else if (rays->bytes < bytes)
        *why = "damaged: longer than its header says";
    else if (!corbel_rays_sizes_agree(rays))
        *why = "damaged: width, height and number of rays do not agree";
    else if (rays->hash != corbel_rays_hash(rays))
        *why = "damaged: contents do not match the hash";
    else if (rays->kind > CORBEL_RAYS_TERTIARY ||
             rays->normals > CORBEL_NORMALS_FACING)
        *why = "damaged: unknown kind of rays or of normals";
    else if (rays->dead != corbel_rays_count_dead(rays))
        *why = "damaged: the header counts dead rays wrongly";
    else
        return true;
    return false;
}

/*
 * Makes a .rays file's contents available in memory, read-only, as
 * corbel_scene_open does with scenes: checked, at no simulated time. NULL on
 * failure, with errno set (EINVAL: not a whole, undamaged .rays file; a line
 * on stderr says why).
 */
const struct corbel_rays *corbel_rays_open(const char *path);

#ifdef __cplusplus
}
#endif
#endif
