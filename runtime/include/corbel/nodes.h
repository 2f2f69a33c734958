/*
 * The table of node formats. A format is one file and one row here. The file
 * says how its nodes lie in memory, how they are read and how written:
 *
 *   unsigned corbel_<name>_refs(const void *node, unsigned grain_units,
 *                               uint32_t *ref)
 *       references of the children, in slots 0 .. result - 1 of ref[8];
 *       grain_units: units of a grain of the scene's leaf format
 *   const char *corbel_<name>_flaw(const void *node)
 *       what is wrong with a node of any bytes, NULL: nothing. After it the
 *       other readers must read nothing but the node, and at most as many
 *       children as a node has. "node 3 .." goes before it
 *   void corbel_<name>_box(const void *node, unsigned i, struct corbel_box *)
 *       box of the child in slot i
 *   void corbel_<name>_boxes(const void *node, struct corbel_boxes *)
 *       boxes of all children; may leave unused slots alone
 *   bool corbel_<name>_encode(const struct corbel_node_children *, void *node)
 *       writes a node into zeroed memory; decoded boxes must contain the real
 *       ones. false: these children cannot be written
 *
 * docs/guides/adding-a-node-format.md adds one.
 */
#ifndef CORBEL_NODES_H
#define CORBEL_NODES_H

#include <corbel/nodes_bvh.h>
#include <corbel/nodes_cwbvh.h>
#include <corbel/nodes_cwbvh7.h>
#include <corbel/nodes_cwbvht.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * X(id, name, bytes, width, grains, treelets, parent, meaning): bytes of a
 * node, a multiple of 16; most children; most grains of a leaf that its
 * references can say; whether they can say that a child is the root of another
 * treelet; where a node has the reference of its parent, a u32, as an offset in
 * bytes, 0: it has none.
 */
#define CORBEL_NODE_FORMATS(X)                                                 \
    X(1, bvh2, 64, 2, 8, true, 56, "binary, boxes in binary32")                \
    X(2, bvh6, 192, 6, 8, true, 168, "up to 6 children, boxes in binary32")    \
    X(3, cwbvh6, 64, 6, 8, false, 0,                                           \
      "up to 6 children, boxes in 8 bits a plane")                             \
    X(4, bvh3, 96, 3, 8, true, 84, "up to 3 children, boxes in binary32")      \
    X(5, bvh4, 128, 4, 8, true, 112, "up to 4 children, boxes in binary32")    \
    X(6, bvh5, 160, 5, 8, true, 140, "up to 5 children, boxes in binary32")    \
    X(7, bvh7, 224, 7, 8, true, 196, "up to 7 children, boxes in binary32")    \
    X(8, bvh8, 224, 8, 8, true, 0, "up to 8 children, boxes in binary32")      \
    X(9, cwbvh8, 80, 8, 8, false, 0,                                           \
      "up to 8 children, boxes in 8 bits a plane")                             \
    X(10, cwbvh7, 64, 7, 1, false, 0, "up to 7 children, leaves of one grain") \
    X(11, cwbvh6t, 64, 6, 8, true, 0, "as cwbvh6, in treelets")                \
    X(12, cwbvh5t, 64, 5, 8, true, 60, "up to 5 children, and the parent")

enum corbel_node_format {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    CORBEL_NODES_##name = id,
    CORBEL_NODE_FORMATS(X)
#undef X
};

/* Bytes of a node; 1 for an unknown format. */
static inline unsigned corbel_node_bytes(uint32_t format)
{
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        return bytes;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return 1;
}

/* Most children of a node; 0 for an unknown format. */
static inline unsigned corbel_node_width(uint32_t format)
{
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        return width;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return 0;
}

/* Most grains of a leaf that nodes can refer to. */
static inline unsigned corbel_node_grains(uint32_t format)
{
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        return grains;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return 1;
}

/* Can nodes say that a child is the root of another treelet? */
static inline bool corbel_node_knows_treelets(uint32_t format)
{
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        return treelets;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return false;
}

/* Where a node has the reference of its parent; 0: nowhere. */
static inline unsigned corbel_node_parent_at(uint32_t format)
{
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        return parent;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return 0;
}

static inline bool corbel_node_has_parent(uint32_t format)
{
    return corbel_node_parent_at(format) != 0;
}

/* The reference of a node's parent; CORBEL_REF_NONE: the root, or a node of a
 * format or scene that does not tell. */
static inline uint32_t corbel_node_parent(uint32_t format, const void *node)
{
    uint32_t ref = CORBEL_REF_NONE;
    if (corbel_node_has_parent(format))
        __builtin_memcpy(&ref,
                         (const char *)node + corbel_node_parent_at(format), 4);
    return ref;
}

static inline const char *corbel_node_name(uint32_t format)
{
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        return #name;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return "unknown";
}

/* References of a node's children; the result is how many. */
static inline unsigned corbel_node_refs(uint32_t format, const void *node,
                                        unsigned grain_units, uint32_t ref[8])
{
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        return corbel_##name##_refs(node, grain_units, ref);
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return 0;
}

/* What is wrong with a node, as its format's file says; NULL: nothing. */
static inline const char *corbel_node_flaw(uint32_t format, const void *node)
{
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        return corbel_##name##_flaw(node);
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return "is of an unknown format";
}

/* Box of child i of a node, i below the result of corbel_node_refs(). */
static inline void corbel_node_box(uint32_t format, const void *node,
                                   unsigned i, struct corbel_box *box)
{
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        corbel_##name##_box(node, i, box);                                     \
        return;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
}

/* Boxes of all children; zeros in unused slots, or what the format has there.
 */
static inline void corbel_node_boxes(uint32_t format, const void *node,
                                     struct corbel_boxes *boxes)
{
    __builtin_memset(boxes, 0, sizeof *boxes);
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        corbel_##name##_boxes(node, boxes);                                    \
        return;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
}

static inline void corbel_node_decode(uint32_t format, const void *node,
                                      unsigned grain_units,
                                      struct corbel_node_children *children)
{
    children->count =
        corbel_node_refs(format, node, grain_units, children->ref);
    for (unsigned i = 0; i < children->count; i++)
        corbel_node_box(format, node, i, &children->box[i]);
    children->parent = corbel_node_parent(format, node);
}

/* Writes a node into zeroed memory; false: it cannot be written. */
static inline bool corbel_node_encode(uint32_t format,
                                      const struct corbel_node_children *c,
                                      void *node)
{
    if (corbel_node_has_parent(format))
        __builtin_memcpy((char *)node + corbel_node_parent_at(format),
                         &c->parent, 4);
    switch (format) {
#define X(id, name, bytes, width, grains, treelets, parent, meaning)           \
    case id:                                                                   \
        return corbel_##name##_encode(c, node);
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return false;
}

#ifdef __cplusplus
}
#endif
#endif
