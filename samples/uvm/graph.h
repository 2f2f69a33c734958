/*
 * A random graph: where a node's edges begin, and how many it has. The edge e
 * leads to node random_below(EDGES, e, nodes). Shared by samples/uvm and
 * samples/gpu.
 *
 * Nodes 2g and 2g + 1 have 2 x mean edges together, the first of them a random
 * part: so the place of a node's edges is known without a sum over all before.
 */
#ifndef SAMPLES_UVM_GRAPH_H
#define SAMPLES_UVM_GRAPH_H

#include "../common/random.h"

#include <stdint.h>

enum { EDGES = 1, DEGREES };

struct node {
    uint32_t first, count; /* edges */
};

static inline struct node make_node(uint32_t i, uint32_t nodes, uint32_t degree)
{
    uint32_t part = 1 + random_below(DEGREES, i / 2, 2 * degree - 1);
    if (i % 2)
        return (struct node){degree * (i - 1) + part, 2 * degree - part};
    return (struct node){degree * i, i + 1 < nodes ? part : degree};
}

#endif
