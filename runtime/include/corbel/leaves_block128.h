/*
 * Leaf format block128: blocks of 128 bytes, the size of a cache line, with up
 * to three triangles in binary32 each and nothing shared. A leaf of more
 * triangles is several blocks, of which only the last may be partly empty.
 */
#ifndef CORBEL_LEAVES_BLOCK128_H
#define CORBEL_LEAVES_BLOCK128_H

#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_BLOCK128_TRIANGLES 3u

struct corbel_block128 {
    struct corbel_triangle triangle[CORBEL_BLOCK128_TRIANGLES];
    uint32_t index[CORBEL_BLOCK128_TRIANGLES]; /* in the input */
    uint32_t count;                            /* triangles of this block */
    uint32_t reserved;
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_block128) == 128, "block of 128");

static inline unsigned corbel_block128_count(const void *leaf, unsigned grains)
{
    const struct corbel_block128 *block = (const struct corbel_block128 *)leaf;
    return (grains - 1) * CORBEL_BLOCK128_TRIANGLES + block[grains - 1].count;
}

static inline const char *corbel_block128_flaw(const struct corbel_scene *scene,
                                               const void *leaf,
                                               unsigned grains)
{
    const struct corbel_block128 *block = (const struct corbel_block128 *)leaf;
    for (unsigned b = 0; b < grains; b++) {
        const uint32_t count = block[b].count;
        if (b + 1 < grains ? count != CORBEL_BLOCK128_TRIANGLES
                           : count - 1 >= CORBEL_BLOCK128_TRIANGLES)
            return "has a block of a wrong number of triangles";
        for (uint32_t i = 0; i < count; i++)
            if (!corbel_scene_has_face(scene, block[b].index[i]))
                return CORBEL_FLAW_FACE;
    }
    return corbel_block128_count(leaf, grains) <= CORBEL_LEAF_MAX
               ? NULL
               : "has more than 8 triangles";
}

static inline uint32_t
corbel_block128_triangle(const struct corbel_scene *scene, const void *leaf,
                         unsigned i, struct corbel_triangle *triangle)
{
    const struct corbel_block128 *block =
        (const struct corbel_block128 *)leaf + i / CORBEL_BLOCK128_TRIANGLES;
    (void)scene;
    *triangle = block->triangle[i % CORBEL_BLOCK128_TRIANGLES];
    return block->index[i % CORBEL_BLOCK128_TRIANGLES];
}

static inline unsigned
corbel_block128_vertices(const struct corbel_scene *scene, const void *leaf,
                         unsigned count, uint64_t *offset)
{
    (void)scene, (void)leaf, (void)count, (void)offset;
    return 0;
}

static inline unsigned corbel_block128_encode(const struct corbel_leaf *leaf,
                                              void *to)
{
    struct corbel_block128 *block = (struct corbel_block128 *)to;
    for (unsigned i = 0; block && i < leaf->count; i++) {
        struct corbel_block128 *b = &block[i / CORBEL_BLOCK128_TRIANGLES];
        b->triangle[b->count] = leaf->triangle[i];
        b->index[b->count++] = leaf->index[i];
    }
    return (leaf->count + CORBEL_BLOCK128_TRIANGLES - 1) /
           CORBEL_BLOCK128_TRIANGLES;
}

#ifdef __cplusplus
}
#endif
#endif
