/*
 * Leaf format indexed: 16 bytes a triangle, the numbers of its vertices and its
 * index. The vertices are the scene's own, read after the leaf, each one once.
 */
#ifndef CORBEL_LEAVES_INDEXED_H
#define CORBEL_LEAVES_INDEXED_H

#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct corbel_indexed {
    uint32_t vertex[3]; /* numbers */
    uint32_t index;     /* of the triangle in the input */
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_indexed) == 16, "indexed triangle");

static inline unsigned corbel_indexed_count(const void *leaf, unsigned grains)
{
    (void)leaf;
    return grains;
}

static inline const char *corbel_indexed_flaw(const struct corbel_scene *scene,
                                              const void *leaf, unsigned grains)
{
    const struct corbel_indexed *p = (const struct corbel_indexed *)leaf;
    for (unsigned i = 0; i < grains; i++) {
        if (!corbel_scene_has_face(scene, p[i].index))
            return CORBEL_FLAW_FACE;
        for (int k = 0; k < 3; k++)
            if (p[i].vertex[k] >= scene->vertices)
                return "names a vertex that does not exist";
    }
    return NULL;
}

static inline uint32_t corbel_indexed_triangle(const struct corbel_scene *scene,
                                               const void *leaf, unsigned i,
                                               struct corbel_triangle *triangle)
{
    const struct corbel_indexed *p = (const struct corbel_indexed *)leaf + i;
    for (int k = 0; k < 3; k++) {
        const float *vertex = corbel_scene_vertex(scene, p->vertex[k]);
        for (int axis = 0; axis < 3; axis++)
            triangle->v[k][axis] = vertex[axis];
    }
    return p->index;
}

static inline unsigned corbel_indexed_vertices(const struct corbel_scene *scene,
                                               const void *leaf, unsigned count,
                                               uint64_t *offset)
{
    const struct corbel_indexed *p = (const struct corbel_indexed *)leaf;
    unsigned found = 0;
    for (unsigned i = 0; i < 3 * count; i++) {
        uint64_t place = scene->vertices_offset +
                         (uint64_t)p[i / 3].vertex[i % 3] * (3 * sizeof(float));
        unsigned k = 0;
        while (k < found && offset[k] != place)
            k++;
        offset[k] = place;
        found += k == found;
    }
    return found;
}

static inline unsigned corbel_indexed_encode(const struct corbel_leaf *leaf,
                                             void *to)
{
    struct corbel_indexed *p = (struct corbel_indexed *)to;
    for (unsigned i = 0; p && i < leaf->count; i++) {
        for (int k = 0; k < 3; k++)
            p[i].vertex[k] = leaf->vertex[i][k];
        p[i].index = leaf->index[i];
    }
    return leaf->count;
}

#ifdef __cplusplus
}
#endif
#endif
