/*
 * The tree between builder and encoder. build.c makes a binary tree with one
 * triangle reference in each leaf; collapse.c decides which of its nodes
 * become nodes and leaves of the wide tree; encode.c writes that.
 */
#ifndef SCENE_TREE_H
#define SCENE_TREE_H

#include "order.h"
#include "sdk/mesh/mesh.h"

#include <corbel/scene.h>

enum quality {
    QUALITY_LOW,    /* Morton order */
    QUALITY_MEDIUM, /* binned surface area heuristic */
    QUALITY_HIGH,   /* with spatial splits */
};

/* Nodes lie in depth-first order: parents before children, node 0 the root. */
struct tree_node {
    struct corbel_box box; /* padded, see corbel/scene.h */
    uint32_t child[2];     /* 0, 0: a leaf */
    uint32_t triangle;     /* of a leaf */
};

/* The binary tree. */
struct tree {
    struct tree_node *node;
    uint32_t count;       /* 0: no triangle can be hit */
    uint32_t degenerate;  /* triangles left out */
    const uint32_t *word; /* by triangle of the mesh, what leaves say of it;
                             NULL: its number */
    float unit; /* the length that builders take for 1, so that their products
                   stay in binary32: a power of two, and 1 but for huge and tiny
                   scenes */
};

static inline bool tree_is_leaf(const struct tree_node *node)
{
    return node->child[0] == 0;
}

/* Embree, to build or trace by it; fails where it cannot be had. */
struct RTCDeviceTy *embree_device(void);

/* The binary tree of a mesh, the same for every number of threads. */
void tree_build(const struct mesh *mesh, enum quality quality,
                struct tree *tree);
void tree_free(struct tree *tree);

/* How the wide tree is to be written. */
struct layout {
    uint32_t nodes, leaves; /* formats: corbel/nodes.h, corbel/leaves.h */
    unsigned leaf_limit;    /* most triangles of a leaf */
    uint32_t treelet_bytes; /* 0: the tree is in one piece */
    enum order order;       /* of that */
};

/*
 * Costs in the surface area heuristic. What a ray visits, it reads and sends
 * through a pipeline, which are about as dear: a node is half a read and half a
 * pass, a leaf half for each 64 bytes and half for each triangle.
 */
#define COST_NODE 1.0f
#define COST_BYTE (0.5f / 64)
#define COST_TRIANGLE 0.5f

#define WIDTH_MAX CORBEL_WIDTH_MAX

/*
 * The wide tree as choices on the binary one. A forest of at most j trees for
 * node n costs least when it has forest[n][j] trees; for more than one tree
 * split[n][j] of j go to the first child.
 */
struct collapse {
    struct layout layout;
    unsigned width;
    uint8_t (*forest)[WIDTH_MAX + 1];
    uint8_t (*split)[WIDTH_MAX + 1];
    uint8_t *leaf; /* as one tree, n is best a leaf */
    float cost;    /* of the root as one tree, for a ray that meets its box */
};

/* Chooses nodes and leaves of the wide tree, at the least cost. */
void collapse_tree(const struct mesh *mesh, const struct tree *tree,
                   const struct layout *layout, struct collapse *collapse);
void collapse_free(struct collapse *collapse);

/* Children of the wide node made from n: binary nodes, in slot order. */
unsigned collapse_children(const struct tree *tree,
                           const struct collapse *collapse, uint32_t n,
                           uint32_t child[WIDTH_MAX]);

/*
 * The distinct triangles below n, in order of index. false: they are more than
 * limit, which is at most CORBEL_LEAF_MAX.
 */
bool tree_leaf(const struct mesh *mesh, const struct tree *tree, uint32_t n,
               unsigned limit, struct corbel_leaf *leaf);

/* The finished scene, to be freed. */
struct corbel_scene *scene_encode(const struct mesh *mesh,
                                  const struct tree *tree,
                                  const struct layout *layout,
                                  enum quality quality);

#endif
