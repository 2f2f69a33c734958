/*
 * The table of leaf formats: how a leaf's triangles lie in memory. A leaf is
 * 1 .. 8 grains of its format; a format is one file and one row here. The file
 * says
 *
 *   unsigned corbel_<name>_count(const void *leaf, unsigned grains)
 *       triangles in a leaf
 *   const char *corbel_<name>_flaw(const struct corbel_scene *,
 *                                  const void *leaf, unsigned grains)
 *       what is wrong with a leaf of any bytes, NULL: nothing. After it the
 *       other readers must find 1 to CORBEL_LEAF_MAX triangles with faces and
 *       vertices that exist, and read nothing but the leaf and the vertices.
 *       "the leaf .." goes before it
 *   uint32_t corbel_<name>_triangle(const struct corbel_scene *,
 *                                   const void *leaf, unsigned i,
 *                                   struct corbel_triangle *)
 *       triangle i of a leaf, bit by bit that of the mesh; returns its index
 *   unsigned corbel_<name>_vertices(const struct corbel_scene *,
 *                                   const void *leaf, unsigned count,
 *                                   uint64_t *offset)
 *       vertices to be read besides the leaf: their offsets from the scene's
 *       header, 12 bytes each, at most CORBEL_FETCH_PIECES; 0: none
 *   unsigned corbel_<name>_encode(const struct corbel_leaf *, void *leaf)
 *       grains that these triangles take, 0: they do not fit into a leaf.
 *       leaf: zeroed memory to be written, or NULL
 *
 * Included by corbel/scene.h, after the scene's header is declared.
 */
#ifndef CORBEL_LEAVES_H
#define CORBEL_LEAVES_H

#include <corbel/refs.h>
#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_LEAF_MAX 8u      /* triangles of a leaf */
#define CORBEL_FETCH_PIECES 24u /* vertices of a leaf */
#define CORBEL_LEAF_BYTES_MAX 512u

/* A leaf to be encoded: distinct triangles in order of index. */
struct corbel_leaf {
    unsigned count;
    uint32_t index[CORBEL_LEAF_MAX];
    uint32_t vertex[CORBEL_LEAF_MAX][3]; /* numbers */
    struct corbel_triangle triangle[CORBEL_LEAF_MAX];
};

/* Flaws of leaves of several formats. */
#define CORBEL_FLAW_FACE "names a face that does not exist"

#ifdef __cplusplus
}
#endif

#include <corbel/leaves_block128.h>
#include <corbel/leaves_indexed.h>
#include <corbel/leaves_packed.h>
#include <corbel/leaves_plain.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * X(id, name, grain, apart, meaning): bytes of a grain, a multiple of 16; true
 * if vertices must be read besides the leaf
 */
#define CORBEL_LEAF_FORMATS(X)                                                 \
    X(1, plain, 64, false, "64 bytes a triangle")                              \
    X(2, packed, 32, false, "32 to 256 bytes, vertices compressed and shared") \
    X(3, indexed, 16, true, "16 bytes a triangle, vertices read apart")        \
    X(4, block128, 128, false, "blocks of 128 bytes with up to 3 triangles")

enum corbel_leaf_format {
#define X(id, name, grain, apart, meaning) CORBEL_LEAVES_##name = id,
    CORBEL_LEAF_FORMATS(X)
#undef X
};

/* Bytes of a grain; 0 for an unknown format. */
static inline unsigned corbel_leaf_grain(uint32_t format)
{
    switch (format) {
#define X(id, name, grain, apart, meaning)                                     \
    case id:                                                                   \
        return grain;
        CORBEL_LEAF_FORMATS(X)
#undef X
    }
    return 0;
}

/* True if vertices are read after the leaf, by offsets in it. */
static inline bool corbel_leaf_apart(uint32_t format)
{
    switch (format) {
#define X(id, name, grain, apart, meaning)                                     \
    case id:                                                                   \
        return apart;
        CORBEL_LEAF_FORMATS(X)
#undef X
    }
    return false;
}

static inline const char *corbel_leaf_name(uint32_t format)
{
    switch (format) {
#define X(id, name, grain, apart, meaning)                                     \
    case id:                                                                   \
        return #name;
        CORBEL_LEAF_FORMATS(X)
#undef X
    }
    return "unknown";
}

/* Triangles in a leaf. */
static inline unsigned corbel_leaf_count(uint32_t format, const void *leaf,
                                         unsigned grains)
{
    switch (format) {
#define X(id, name, grain, apart, meaning)                                     \
    case id:                                                                   \
        return corbel_##name##_count(leaf, grains);
        CORBEL_LEAF_FORMATS(X)
#undef X
    }
    return 0;
}

/* What is wrong with a leaf, as its format's file says; NULL: nothing. */
static inline const char *corbel_leaf_flaw(uint32_t format,
                                           const struct corbel_scene *scene,
                                           const void *leaf, unsigned grains)
{
    switch (format) {
#define X(id, name, grain, apart, meaning)                                     \
    case id:                                                                   \
        return corbel_##name##_flaw(scene, leaf, grains);
        CORBEL_LEAF_FORMATS(X)
#undef X
    }
    return "is of an unknown format";
}

/* Triangle i of a leaf; returns its index. */
static inline uint32_t corbel_leaf_triangle(uint32_t format,
                                            const struct corbel_scene *scene,
                                            const void *leaf, unsigned i,
                                            struct corbel_triangle *triangle)
{
    switch (format) {
#define X(id, name, grain, apart, meaning)                                     \
    case id:                                                                   \
        return corbel_##name##_triangle(scene, leaf, i, triangle);
        CORBEL_LEAF_FORMATS(X)
#undef X
    }
    return CORBEL_MISS;
}

/* Offsets of the vertices that must be read besides the leaf. */
static inline unsigned corbel_leaf_vertices(uint32_t format,
                                            const struct corbel_scene *scene,
                                            const void *leaf, unsigned count,
                                            uint64_t *offset)
{
    switch (format) {
#define X(id, name, grain, apart, meaning)                                     \
    case id:                                                                   \
        return corbel_##name##_vertices(scene, leaf, count, offset);
        CORBEL_LEAF_FORMATS(X)
#undef X
    }
    return 0;
}

/* Grains of a leaf of these triangles, written to leaf unless it is NULL. */
static inline unsigned corbel_leaf_encode(uint32_t format,
                                          const struct corbel_leaf *triangles,
                                          void *leaf)
{
    switch (format) {
#define X(id, name, grain, apart, meaning)                                     \
    case id:                                                                   \
        return corbel_##name##_encode(triangles, leaf);
        CORBEL_LEAF_FORMATS(X)
#undef X
    }
    return 0;
}

#ifdef __cplusplus
}
#endif
#endif
