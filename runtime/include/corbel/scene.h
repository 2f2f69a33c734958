/*
 * The .scene file, which is also how a scene lies in memory: a header, then
 * sections that start at multiples of 64 bytes. Nothing is relocated: places
 * are byte offsets from the header, references inside the tree are 32 bits
 * (corbel/refs.h), so rv32, rv64, native programs and the simulator read
 * the same bytes. Little-endian. docs/reference/scene-format.md says how
 * parts belong together, and what a reader checks.
 *
 * The boxes of the tree are padded: every leaf's box is the bounds of what it
 * refers to, grown by CORBEL_TREE_PAD times the scene's largest extent, and
 * every other box contains its children's. This covers the rounding errors of
 * both tests for rays that start inside the scene's bounds; a traversal widens
 * boxes for others (corbel/traverse.h). docs/reference/exactness.md has the
 * proof.
 */
#ifndef CORBEL_SCENE_H
#define CORBEL_SCENE_H

#include <corbel/hash.h>
#include <corbel/refs.h>
#include <corbel/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_SCENE_MAGIC 0x656e656353627243u /* "CrbScene" */
#define CORBEL_SCENE_VERSION 2u
#define CORBEL_SCENE_ALIGN 64u /* of sections and the file's end */
#define CORBEL_TREE_PAD 0x1p-19f
#define CORBEL_TREELET_LEAST 512u
#define CORBEL_TREELET_MOST (16u << 20)
#define CORBEL_TREELET_ALIGN 8192u /* of the first treelet */
#define CORBEL_TREELET_HEADER 64u  /* bytes of struct corbel_treelet */
#define CORBEL_DEPTH_MAX 64u       /* nodes on a path from the root to a leaf */

/* Siblings that wait on the longest path of the widest tree. */
#define CORBEL_STACK_DEEPEST (CORBEL_DEPTH_MAX * (CORBEL_WIDTH_MAX - 1))

struct corbel_scene {
    uint64_t magic;
    uint64_t hash;    /* XXH64, seed 0, of the bytes after this field */
    uint32_t version; /* CORBEL_SCENE_VERSION */
    uint32_t format;  /* of nodes: a row of CORBEL_NODE_FORMATS (nodes.h) */
    uint64_t bytes;   /* of the whole file, a multiple of 64 */

    /* sections: byte offset from the header, number of elements */
    uint64_t nodes_offset, leaves_offset, faces_offset, vertices_offset;
    uint32_t nodes;     /* nodes of the format */
    uint32_t grains;    /* of the leaf format */
    uint32_t triangles; /* faces: uint32_t[3], in the order of the input */
    uint32_t vertices;  /* float[3] */

    uint32_t root;        /* reference, CORBEL_REF_NONE: nothing can be hit */
    uint32_t leaf_format; /* a row of CORBEL_LEAF_FORMATS (leaves.h) */
    struct corbel_box bounds; /* of all triangles */

    /* statistics of the tree */
    uint32_t leaves;
    uint32_t duplicates; /* references beyond the first of each triangle */
    uint32_t degenerate; /* triangles without area: kept, in no leaf */
    uint32_t max_depth;  /* nodes on the longest path, <= CORBEL_DEPTH_MAX */
    float
        sah_cost; /* expected cost of a ray (docs/reference/scene-format.md) */
    uint32_t quality;    /* 0 low, 1 medium, 2 high */
    uint32_t leaf_limit; /* triangles a leaf was allowed */

    float eye[3], look[3], fov; /* a camera for a first look, degrees */
    uint32_t references;        /* to triangles, from all leaves */

    /* of scenes whose tree is cut into treelets (corbel/treelets.h); else 0 */
    uint32_t treelet_bytes; /* CORBEL_TREELET_LEAST .. _MOST, multiple of 64 */
    uint64_t treelets_offset; /* of their headers */
    uint32_t treelets;
    uint32_t reserved[17]; /* 0 */
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_scene) == 256, "scene header");

static inline const void *corbel_scene_at(const struct corbel_scene *scene,
                                          uint64_t offset)
{
    return (const char *)scene + (size_t)offset;
}

/* Vertex numbers of a triangle, by its index in the input (hit records). */
static inline const uint32_t *
corbel_scene_face(const struct corbel_scene *scene, uint32_t index)
{
    return (const uint32_t *)corbel_scene_at(scene, scene->faces_offset) +
           3 * (size_t)index;
}

static inline const float *corbel_scene_vertex(const struct corbel_scene *scene,
                                               uint32_t vertex)
{
    return (const float *)corbel_scene_at(scene, scene->vertices_offset) +
           3 * (size_t)vertex;
}

/* The vertices of a triangle, by its index in the input. */
static inline void corbel_scene_triangle(const struct corbel_scene *scene,
                                         uint32_t index,
                                         struct corbel_triangle *triangle)
{
    const uint32_t *face = corbel_scene_face(scene, index);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            triangle->v[i][axis] = corbel_scene_vertex(scene, face[i])[axis];
}

/* The hash that belongs into the header. */
static inline uint64_t corbel_scene_hash(const struct corbel_scene *scene)
{
    const size_t skip = offsetof(struct corbel_scene, version);
    return corbel_hash((const char *)scene + skip, (size_t)scene->bytes - skip,
                       0);
}

#ifdef __cplusplus
}
#endif

#include <corbel/leaves.h>
#include <corbel/nodes.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline bool corbel_section_fits(const struct corbel_scene *scene,
                                       uint64_t offset, uint64_t count,
                                       uint64_t size)
{
    return offset % CORBEL_SCENE_ALIGN == 0 && offset >= sizeof *scene &&
           offset <= scene->bytes && count <= (scene->bytes - offset) / size;
}

/* The section of nodes: with treelets it is theirs, and leaves are in it. */
static inline bool corbel_nodes_fit(const struct corbel_scene *s)
{
    return s->treelet_bytes > 0
               ? corbel_section_fits(s, s->nodes_offset, s->treelets,
                                     s->treelet_bytes)
               : corbel_section_fits(s, s->nodes_offset, s->nodes,
                                     corbel_node_bytes(s->format));
}

static inline bool corbel_sections_fit(const struct corbel_scene *s)
{
    return corbel_nodes_fit(s) &&
           corbel_section_fits(s, s->leaves_offset, s->grains,
                               corbel_leaf_grain(s->leaf_format)) &&
           corbel_section_fits(s, s->faces_offset, s->triangles, 12) &&
           corbel_section_fits(s, s->vertices_offset, s->vertices, 12) &&
           (s->treelet_bytes == 0 ||
            corbel_section_fits(s, s->treelets_offset, s->treelets,
                                CORBEL_TREELET_HEADER));
}

/* No byte is in two sections, all of which fit. */
static inline bool corbel_sections_apart(const struct corbel_scene *s)
{
    const bool cut = s->treelet_bytes > 0;
    const uint64_t start[5] = {s->nodes_offset, s->leaves_offset,
                               s->faces_offset, s->vertices_offset,
                               s->treelets_offset};
    const uint64_t bytes[5] = {
        cut ? (uint64_t)s->treelets * s->treelet_bytes
            : (uint64_t)s->nodes * corbel_node_bytes(s->format),
        cut ? 0 : (uint64_t)s->grains * corbel_leaf_grain(s->leaf_format),
        (uint64_t)s->triangles * 12, (uint64_t)s->vertices * 12,
        (uint64_t)s->treelets * CORBEL_TREELET_HEADER};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            if (start[i] < start[k] + bytes[k] &&
                start[k] < start[i] + bytes[i])
                return false;
    return true;
}

/* Sizes and places of treelets, if the tree is cut into some. */
static inline bool corbel_treelets_fit(const struct corbel_scene *s)
{
    if (s->treelet_bytes == 0)
        return s->treelets == 0 && s->treelets_offset == 0;
    return s->treelet_bytes >= CORBEL_TREELET_LEAST &&
           s->treelet_bytes <= CORBEL_TREELET_MOST &&
           s->treelet_bytes % CORBEL_SCENE_ALIGN == 0 && s->treelets > 0 &&
           s->nodes_offset % CORBEL_TREELET_ALIGN == 0 &&
           s->nodes_offset / CORBEL_REF_UNIT <= CORBEL_REF_UNITS_MAX &&
           (uint64_t)s->treelets * s->treelet_bytes / CORBEL_REF_UNIT <=
               CORBEL_REF_UNITS_MAX &&
           s->leaves_offset == s->nodes_offset &&
           corbel_node_knows_treelets(s->format);
}

/*
 * True if the bytes at data are a whole, undamaged .scene; else *why says in
 * a few words what is wrong. That is the header and the hash, which a
 * forger can compute: a program that opens a scene calls corbel_scene_verify()
 * (corbel/verify.h), which looks at the tree as well.
 */
static inline bool corbel_scene_check(const void *data, size_t bytes,
                                      const char **why)
{
    const struct corbel_scene *scene = (const struct corbel_scene *)data;
    if (bytes < 8 || scene->magic != CORBEL_SCENE_MAGIC)
        *why = "not a .scene file (wrong magic number)";
    else if (bytes < sizeof *scene)
        *why = "truncated: shorter than its header";
    else if (scene->version != CORBEL_SCENE_VERSION)
        *why = "wrong version: this program reads version 2";
    else if (scene->bytes > bytes)
        *why = "truncated: shorter than its header says";
    else if (scene->bytes < bytes)
        *why = "damaged: longer than its header says";
    else if (scene->hash != corbel_scene_hash(scene))
        *why = "damaged: contents do not match the hash";
    else if (corbel_node_width(scene->format) == 0)
        *why = "unknown node format";
    else if (corbel_leaf_grain(scene->leaf_format) == 0)
        *why = "unknown leaf format";
    else if (!corbel_treelets_fit(scene))
        *why = "damaged: treelets of a size or at a place that cannot be";
    else if (!corbel_sections_fit(scene))
        *why = "damaged: a section lies outside the file";
    else if (!corbel_sections_apart(scene))
        *why = "damaged: two sections overlap";
    else if (scene->max_depth > CORBEL_DEPTH_MAX)
        *why = "damaged: deeper than a traversal can go, 64 nodes";
    else
        return true;
    return false;
}

#ifdef __cplusplus
}
#endif
#endif
