/* Leaf format plain: 64 bytes a triangle, side by side, nothing shared. */
#ifndef CORBEL_LEAVES_PLAIN_H
#define CORBEL_LEAVES_PLAIN_H

#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct corbel_plain {
    struct corbel_triangle triangle;
    uint32_t index; /* of the triangle in the input */
    uint32_t reserved[6];
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_plain) == 64, "plain triangle");

static inline unsigned corbel_plain_count(const void *leaf, unsigned grains)
{
    (void)leaf;
    return grains;
}

static inline const char *corbel_plain_flaw(const struct corbel_scene *scene,
                                            const void *leaf, unsigned grains)
{
    const struct corbel_plain *p = (const struct corbel_plain *)leaf;
    for (unsigned i = 0; i < grains; i++)
        if (!corbel_scene_has_face(scene, p[i].index))
            return CORBEL_FLAW_FACE;
    return NULL;
}

static inline uint32_t corbel_plain_triangle(const struct corbel_scene *scene,
                                             const void *leaf, unsigned i,
                                             struct corbel_triangle *triangle)
{
    const struct corbel_plain *p = (const struct corbel_plain *)leaf + i;
    (void)scene;
    *triangle = p->triangle;
    return p->index;
}

static inline unsigned corbel_plain_vertices(const struct corbel_scene *scene,
                                             const void *leaf, unsigned count,
                                             uint64_t *offset)
{
    (void)scene, (void)leaf, (void)count, (void)offset;
    return 0;
}

static inline unsigned corbel_plain_encode(const struct corbel_leaf *leaf,
                                           void *to)
{
    struct corbel_plain *p = (struct corbel_plain *)to;
    for (unsigned i = 0; p && i < leaf->count; i++) {
        p[i].triangle = leaf->triangle[i];
        p[i].index = leaf->index[i];
    }
    return leaf->count;
}

#ifdef __cplusplus
}
#endif
#endif
