/*
 * Cuts a tree of wide nodes into treelets: which nodes lie in which, and in
 * what order. The tree is given by what matters for that, sizes and areas, so
 * that it need not be one of a scene.
 */
#ifndef SCENE_TREELETS_H
#define SCENE_TREELETS_H

#include <corbel/treelets.h>

/* A node. Its children that are nodes have numbers side by side, larger than
 * its own. */
struct wide_node {
    uint32_t binary;   /* the binary node that it is made from */
    uint32_t first;    /* number of the first child that is a node */
    uint32_t children; /* that are nodes */
    uint32_t level;    /* nodes above */
    uint32_t bytes;    /* of its leaves */
    double area;       /* half the surface of its box */
};

struct wide {
    struct wide_node *node; /* node 0 is the root */
    uint32_t count;         /* at least 1 */
};

/* Sizes in bytes. */
struct treelet_sizes {
    uint32_t treelet; /* CORBEL_TREELET_LEAST .. _MOST, a multiple of 64 */
    uint32_t node;    /* a multiple of 16 */
    uint32_t grain;   /* of leaves, a power of two from 16 on */
};

struct treelets {
    struct corbel_treelet *header;
    uint32_t count;    /* of treelets */
    uint32_t *order;   /* nodes by treelet, in the order of memory */
    uint32_t *treelet; /* of each node */
    uint32_t *place;   /* of each node in its treelet, from 0 */
};

/*
 * Fails if a node with its leaves takes more than a treelet. Of a treelet, node
 * 0 is the root and others come in the order of their numbers.
 */
void treelets_build(const struct wide *wide, const struct treelet_sizes *sizes,
                    struct treelets *treelets);
void treelets_free(struct treelets *treelets);

#endif
