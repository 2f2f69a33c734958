/*
 * Shortest paths from node 0 of a random graph, after Lonestar's sssp: as long
 * as a distance changes, all nodes that changed offer theirs to the nodes that
 * their edges lead to, which keep the least, whatever order the offers come in.
 */
#include "gpu.h"

#include "../uvm/graph.h"

enum { MEMBERS = 256, WEIGHTS = 7, HEAVIEST = 1000 };

struct graph {
    uint32_t nodes, degree, round;
    struct node *node;
    uint32_t *edge, *weight;
    uint32_t *distance; /* UINT32_MAX: not reached */
    uint32_t *changed;  /* the round before which a node has to offer */
    uint32_t more;      /* a distance has changed */
};

static uint32_t weight_of(uint32_t e)
{
    return 1 + random_below(WEIGHTS, e, HEAVIEST);
}

static void relax_kernel(void *arg)
{
    struct graph *g = arg;
    const uint32_t i = member_index();
    if (i >= g->nodes ||
        __atomic_load_n(&g->changed[i], __ATOMIC_RELAXED) != g->round)
        return;
    const struct node node = g->node[i];
    uint32_t distance = __atomic_load_n(&g->distance[i], __ATOMIC_RELAXED);
    for (uint32_t e = node.first; e < node.first + node.count; e++)
        if (keep_least(&g->distance[g->edge[e]], distance + g->weight[e])) {
            __atomic_store_n(&g->changed[g->edge[e]], g->round + 1,
                             __ATOMIC_RELAXED);
            __atomic_store_n(&g->more, 1, __ATOMIC_RELAXED);
        }
}

static void fill(struct graph *g, const uint32_t size[NUMBERS])
{
    *g = (struct graph){.nodes = size[0], .degree = size[1]};
    uint32_t edges = g->nodes * g->degree;
    g->node = ARRAY(struct node, g->nodes);
    g->edge = ARRAY(uint32_t, edges);
    g->weight = ARRAY(uint32_t, edges);
    g->distance = ARRAY(uint32_t, g->nodes);
    g->changed = ARRAY(uint32_t, g->nodes);
    for (uint32_t i = 0; i < g->nodes; i++) {
        g->node[i] = make_node(i, g->nodes, g->degree);
        g->distance[i] = i ? UINT32_MAX : 0;
        g->changed[i] = i ? UINT32_MAX : 0;
    }
    for (uint32_t e = 0; e < edges; e++) {
        g->edge[e] = random_below(EDGES, e, g->nodes);
        g->weight[e] = weight_of(e);
    }
}

/* Edge by edge, until none is of use. */
static void check(struct gpu *gpu, const uint32_t *result)
{
    struct graph g;
    bool more = true;
    fill(&g, gpu->size);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < g.nodes; i++)
            for (uint32_t k = 0; k < g.node[i].count; k++) {
                uint32_t e = g.node[i].first + k, to = g.edge[e];
                if (g.distance[i] == UINT32_MAX ||
                    g.distance[i] + g.weight[e] >= g.distance[to])
                    continue;
                g.distance[to] = g.distance[i] + g.weight[e];
                more = true;
            }
    }
    gpu_compare(gpu, "distance of node", result, g.distance, g.nodes);
}

static void run(struct gpu *gpu)
{
    struct graph g;
    fill(&g, gpu->size);
    for (uint32_t k = 0; gpu->spoil && k < g.node[0].count; k++)
        g.weight[g.node[0].first + k] += HEAVIEST;
    gpu_begin(gpu);
    do {
        g.more = 0;
        gpu_launch(gpu, "relax", relax_kernel, &g, ceil_div(g.nodes, MEMBERS),
                   MEMBERS, 0);
        g.round++;
    } while (g.more);
    gpu_end(gpu);
    gpu_digest(gpu, g.distance, g.nodes);
    if (gpu->check)
        check(gpu, g.distance);
}

static const char *refuses(const uint32_t size[NUMBERS])
{
    return (uint64_t)size[0] * size[1] < UINT32_MAX / 16
               ? NULL
               : "fewer than 268435455 edges";
}

const struct benchmark sssp = {
    .name = "sssp",
    .numbers = "nodes,degree",
    .what = "shortest paths in a graph",
    .small = {400, 4},
    .source = {1048576, 4},
    .most = {1 << 24, 64},
    .refuses = refuses,
    .run = run,
};
