/*
 * The table of node formats. A format is one row here and one header that
 * says how its nodes lie in memory and how they are read:
 *
 *   unsigned corbel_<name>_refs(const void *node, uint32_t *ref)
 *       references of the children, in slots 0 .. result - 1 of ref[8]
 *   void corbel_<name>_box(const void *node, unsigned i, struct corbel_box *)
 *       box of the child in slot i
 *   void corbel_<name>_boxes(const void *node, struct corbel_boxes *)
 *       boxes of all children; may leave unused slots alone
 *
 * Nodes are whole units of 64 bytes. How nodes are written is corbel-scene's
 * business (sdk/scene).
 */
#ifndef CORBEL_NODES_H
#define CORBEL_NODES_H

#include <corbel/nodes_bvh2.h>
#include <corbel/nodes_cwbvh6.h>
#include <corbel/nodes_wide6.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(id, name, bytes, width, meaning) */
#define CORBEL_NODE_FORMATS(X)                                                 \
    X(1, bvh2, 64, 2, "binary, boxes in binary32")                             \
    X(2, bvh6, 192, 6, "up to 6 children, boxes in binary32")                  \
    X(3, cwbvh6, 64, 6, "up to 6 children, boxes in 8 bits a plane")

enum corbel_node_format {
#define X(id, name, bytes, width, meaning) CORBEL_NODES_##name = id,
    CORBEL_NODE_FORMATS(X)
#undef X
};

/* Bytes of a node; 1 for an unknown format. */
static inline unsigned corbel_node_bytes(uint32_t format)
{
    switch (format) {
#define X(id, name, bytes, width, meaning)                                     \
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
#define X(id, name, bytes, width, meaning)                                     \
    case id:                                                                   \
        return width;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return 0;
}

static inline const char *corbel_node_name(uint32_t format)
{
    switch (format) {
#define X(id, name, bytes, width, meaning)                                     \
    case id:                                                                   \
        return #name;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return "unknown";
}

/* References of a node's children; the result is how many. */
static inline unsigned corbel_node_refs(uint32_t format, const void *node,
                                        uint32_t ref[8])
{
    switch (format) {
#define X(id, name, bytes, width, meaning)                                     \
    case id:                                                                   \
        return corbel_##name##_refs(node, ref);
        CORBEL_NODE_FORMATS(X)
#undef X
    }
    return 0;
}

/* Box of child i of a node, i below the result of corbel_node_refs(). */
static inline void corbel_node_box(uint32_t format, const void *node,
                                   unsigned i, struct corbel_box *box)
{
    switch (format) {
#define X(id, name, bytes, width, meaning)                                     \
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
#define X(id, name, bytes, width, meaning)                                     \
    case id:                                                                   \
        corbel_##name##_boxes(node, boxes);                                    \
        return;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
}

/* A node of any format, decoded. */
struct corbel_node_children {
    unsigned count;
    uint32_t ref[8];
    struct corbel_box box[8];
};

static inline void corbel_node_decode(uint32_t format, const void *node,
                                      struct corbel_node_children *children)
{
    children->count = corbel_node_refs(format, node, children->ref);
    for (unsigned i = 0; i < children->count; i++)
        corbel_node_box(format, node, i, &children->box[i]);
}

#ifdef __cplusplus
}
#endif
#endif
