/*
 * The tree between builder and encoder. build.c makes a binary tree with one
 * triangle reference in each leaf; collapse.c decides which of its nodes
 * become nodes and leaves of the wide tree; encode.c writes that.
 */
#ifndef SCENE_TREE_H
#define SCENE_TREE_H

#include "mesh.h"

enum quality {
    QUALITY_LOW,    /* Morton order */
    QUALITY_MEDIUM, /* binned surface area heuristic */
    QUALITY_HIGH,   /* with spatial splits */
};

/* In depth-first order: parents before children, node 0 the root. */
struct tree_node {
    struct corbel_box box; /* padded, see corbel/scene.h */
    uint32_t child[2];     /* 0, 0: a leaf */
    uint32_t triangle;     /* of a leaf */
};

struct tree {
    struct tree_node *node;
    uint32_t count;      /* 0: no triangle can be hit */
    uint32_t degenerate; /* triangles left out */
};

static inline bool tree_is_leaf(const struct tree_node *node)
{
    return node->child[0] == 0;
}

void tree_build(const struct mesh *mesh, enum quality quality,
                struct tree *tree);
void tree_free(struct tree *tree);

/*
 * Cost of a node visit and of a triangle test in the surface area heuristic:
 * both read 64 bytes and take one pass of a pipeline.
 */
#define COST_NODE 1.0f
#define COST_TRIANGLE 1.0f

#define WIDTH_MAX 6

/*
 * The wide tree as choices on the binary one. A forest of at most j trees for
 * node n costs least when it has forest[n][j] trees; for more than one tree
 * split[n][j] of j go to the first child.
 */
struct collapse {
    unsigned width, leaf_limit;
    uint8_t (*forest)[WIDTH_MAX + 1];
    uint8_t (*split)[WIDTH_MAX + 1];
    uint8_t *leaf; /* as one tree, n is best a leaf */
    float cost;    /* of the root as one tree, for a ray that meets its box */
};

void collapse_tree(const struct tree *tree, unsigned width, unsigned leaf_limit,
                   struct collapse *collapse);
void collapse_free(struct collapse *collapse);

/* Children of the wide node made from n: binary nodes, in slot order. */
unsigned collapse_children(const struct tree *tree,
                           const struct collapse *collapse, uint32_t n,
                           uint32_t child[WIDTH_MAX]);

/*
 * The distinct triangles below n, in order of index; the result is how many.
 * If that is above limit (at most CORBEL_LEAF_MAX) the result is limit + 1.
 */
unsigned tree_triangles(const struct tree *tree, uint32_t n, unsigned limit,
                        uint32_t *triangle);

/* The finished scene, to be freed. */
struct corbel_scene;
struct corbel_scene *scene_encode(const struct mesh *mesh,
                                  const struct tree *tree, uint32_t format,
                                  unsigned leaf_limit, enum quality quality);

#endif
