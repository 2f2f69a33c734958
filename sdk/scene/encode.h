/*
 * What the passes of an encoder share: of one that writes a tree in one piece
 * (encode.c) and of one that writes treelets (encode_treelets.c).
 */
#ifndef SCENE_ENCODE_H
#define SCENE_ENCODE_H

#include "tree.h"
#include "treelets.h"

/* The state of a pass. Both passes of an encoder visit nodes and leaves in the
 * same order, so that both number them alike. */
struct encoder {
    const struct mesh *mesh;
    const struct tree *tree;
    struct collapse collapse;
    struct layout layout;
    struct corbel_scene header;
    double cost_area;               /* sum over the tree, for its cost */
    struct corbel_scene *scene;     /* NULL while counting */
    uint32_t next_node, next_grain; /* used so far */
    uint64_t first_grain;           /* where grain 0 lies, from the header */
    struct wide wide;               /* with treelets */
    struct treelets treelets;
};

/* Writes, or counts, the encoder's tree behind what is there already; returns
 * the reference of its root. */
uint32_t encode_tree(struct encoder *e);

/* Where a section of `bytes` bytes begins, after all others; *end: where the
 * next one may. */
uint64_t encode_place(uint64_t *end, uint64_t bytes);

/* The camera that was given, fov 0: one that looks at the whole. */
void encode_camera(struct corbel_scene *header, const struct camera *given);

/* Half the surface of a box; binary64, as that of large or small scenes is
 * beyond what a float can be. */
double encode_area(const struct corbel_box *box);

/* Writes, or counts, the leaf made from n; returns its reference. */
uint32_t encode_leaf(struct encoder *e, uint32_t n);

/* Counts the wide node made from n; depth: of the root 1. */
void encode_count_node(struct encoder *e, uint32_t n, unsigned depth);

/* Writes a node `offset` bytes behind the begin of the header. */
void encode_node(struct encoder *e, const struct corbel_node_children *c,
                 uint64_t offset);

/* Counts nodes and leaves and decides what lies in which treelet. */
void encode_plan_treelets(struct encoder *e);

/* Writes all treelets and their headers; returns the reference of the root. */
uint32_t encode_write_treelets(struct encoder *e);

#endif
