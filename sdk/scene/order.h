/*
 * In which order the nodes of a wide tree are written when it is in one piece:
 * which of those whose place is known is next. The children of a node that is
 * written get their places then, side by side, and so do its leaves; so the
 * order is that of the bytes as well.
 */
#ifndef SCENE_ORDER_H
#define SCENE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum order {
    ORDER_DEPTH,   /* the subtrees of a node's children one after the other */
    ORDER_BREADTH, /* level by level */
    ORDER_PARTS,   /* parts of about ORDER_PART bytes, depth first; within a
                      part the node with the largest box is next */
};
#define ORDER_PART 65536u

/* A node whose place is known. */
struct order_node {
    uint32_t binary; /* the binary node that it is made from */
    uint32_t number; /* its place among nodes */
    uint32_t depth;  /* of the root 1 */
    double area;     /* half the surface of its box */
};

struct order_list {
    struct order_node *node;
    size_t first, count, room;
};

/* Begins empty: {.order = ...}. To be freed. */
struct order_queue {
    enum order order;
    /* DEPTH: the next one last. BREADTH: the next one first. PARTS: likewise
     * roots of parts, the next one last, beside a heap of the part's nodes. */
    struct order_list waiting, part;
    uint64_t bytes; /* of the part so far */
};

/* The children of one node, by ascending numbers. */
void order_add(struct order_queue *queue, const struct order_node *nodes,
               unsigned count);
/* A node was written whose leaves and child nodes take `bytes` bytes. */
void order_wrote(struct order_queue *queue, uint64_t bytes);
/* The next one; false: there is none. */
bool order_next(struct order_queue *queue, struct order_node *node);
void order_free(struct order_queue *queue);

#endif
