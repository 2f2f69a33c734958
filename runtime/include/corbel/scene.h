/*
 * The .scene file, which is also how a scene lies in memory: a header, then
 * sections that start at multiples of 64 bytes. Nothing is relocated: places
 * are byte offsets from the header, references inside the tree are 32 bits
 * (corbel/refs.h), so rv32, rv64, native programs and the simulator read
 * the same bytes. Little-endian. docs/reference/scene-format.md says how
 * parts belong together, and what a reader checks. Version 2 is a scene of one
 * tree; one with instances, with geometries that are not opaque or with boxes
 * is of version 3, and has the sections of corbel/instances.h besides.
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
#define CORBEL_SCENE_VERSION 2u       /* of one tree, all of it opaque */
#define CORBEL_SCENE_VERSION_TREES 3u /* with what instances.h declares */
#define CORBEL_SCENE_ALIGN 64u        /* of sections and the file's end */
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

    /* of version 3 (corbel/instances.h), where the root above is
     * CORBEL_REF_NONE; else 0 */
    uint32_t trees;
    uint64_t instances_offset, placements_offset, trees_offset;
    uint64_t geometries_offset, boxes_offset, extras_offset;
    uint32_t extras; /* 64 bytes each, of what geometries refer to */
    uint32_t instances, geometries;
    uint32_t boxes; /* grains of leaves of boxes */
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_scene) == 256, "scene header");

/* Has it the sections of corbel/instances.h? */
static inline bool corbel_scene_has_trees(const struct corbel_scene *scene)
{
    return scene->version == CORBEL_SCENE_VERSION_TREES;
}

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

/* Does a leaf name a face that exists? In version 3 its word says besides
 * whether the face is opaque. */
static inline bool corbel_scene_has_face(const struct corbel_scene *scene,
                                         uint32_t word)
{
    const uint32_t beside = corbel_scene_has_trees(scene) ? 1u << 31 : 0;
    return (word & ~beside) < scene->triangles;
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

#include <corbel/instances.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A section as the header has it. */
struct corbel_section {
    uint64_t offset, count, each; /* each: bytes of an element */
};

enum { CORBEL_SECTIONS = 11 };

/*
 * All sections. That of nodes is with treelets theirs, and leaves are in it.
 * Those of corbel/instances.h are empty before version 3.
 */
static inline void corbel_sections(const struct corbel_scene *s,
                                   struct corbel_section section[])
{
    const bool cut = s->treelet_bytes > 0;
    const bool trees = corbel_scene_has_trees(s);
    const struct corbel_section all[CORBEL_SECTIONS] = {
        {s->nodes_offset, cut ? s->treelets : s->nodes,
         cut ? s->treelet_bytes : corbel_node_bytes(s->format)},
        {s->leaves_offset, s->grains, corbel_leaf_grain(s->leaf_format)},
        {s->faces_offset, s->triangles, 12},
        {s->vertices_offset, s->vertices, 12},
        {s->treelets_offset, s->treelets, CORBEL_TREELET_HEADER},
        {s->instances_offset, trees ? s->instances : 0,
         sizeof(struct corbel_instance)},
        {s->placements_offset, trees ? s->instances : 0,
         sizeof(struct corbel_placement)},
        {s->trees_offset, trees ? s->trees : 0, sizeof(struct corbel_tree)},
        {s->geometries_offset, trees ? s->geometries : 0,
         sizeof(struct corbel_geometry)},
        {s->boxes_offset, trees ? s->boxes : 0, sizeof(struct corbel_box_leaf)},
        {s->extras_offset, trees ? s->extras : 0, CORBEL_SCENE_ALIGN},
    };
    for (int i = 0; i < CORBEL_SECTIONS; i++)
        section[i] = all[i];
}

/* Which of them a scene of its version has. */
static inline bool corbel_section_there(const struct corbel_scene *s, int i)
{
    return i < 4    ? true
           : i == 4 ? s->treelet_bytes > 0
                    : corbel_scene_has_trees(s);
}

static inline bool corbel_sections_fit(const struct corbel_scene *s)
{
    struct corbel_section all[CORBEL_SECTIONS];
    corbel_sections(s, all);
    for (int i = 0; i < CORBEL_SECTIONS; i++)
        if (corbel_section_there(s, i) &&
            (all[i].offset % CORBEL_SCENE_ALIGN != 0 ||
             all[i].offset < sizeof *s || all[i].offset > s->bytes ||
             all[i].count > (s->bytes - all[i].offset) / all[i].each))
            return false;
    return true;
}

/* No byte is in two sections, all of which fit. */
static inline bool corbel_sections_apart(const struct corbel_scene *s)
{
    struct corbel_section all[CORBEL_SECTIONS];
    corbel_sections(s, all);
    if (s->treelet_bytes > 0)
        all[1].count = 0;
    for (int i = 0; i < CORBEL_SECTIONS; i++)
        for (int k = 0; k < i; k++)
            if (all[i].offset < all[k].offset + all[k].count * all[k].each &&
                all[k].offset < all[i].offset + all[i].count * all[i].each)
                return false;
    return true;
}

/* Trees are as many as there can be, and nothing of one level is there. */
static inline bool corbel_trees_fit(const struct corbel_scene *s)
{
    return !corbel_scene_has_trees(s) ||
           (s->trees > 0 && s->root == CORBEL_REF_NONE &&
            s->treelet_bytes == 0 && s->instances <= CORBEL_INDEX_NUMBER &&
            s->triangles <= CORBEL_INDEX_NUMBER);
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
    else if (scene->version != CORBEL_SCENE_VERSION &&
             !corbel_scene_has_trees(scene))
        *why = "wrong version: this program reads versions 2 and 3";
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
    else if (!corbel_trees_fit(scene))
        *why = "damaged: no trees, or a root, treelets or numbers that a scene "
               "of version 3 cannot have";
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
