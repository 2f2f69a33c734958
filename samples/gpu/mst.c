/*
 * The lightest spanning forest of a random graph, after Lonestar's mst, by
 * Boruvka's rounds: each component finds its lightest edge to another one, and
 * both become one. Edges of the same weight differ by their number, so every
 * round has the same outcome in whatever order members look at edges.
 */
#include "gpu.h"

enum { MEMBERS = 256, FROM = 1, TO, WEIGHTS };
/* Of an edge: its weight is in the bits above those of its number. */
enum { EDGE_BITS = 22, HEAVIEST = 1000 };

struct graph {
    uint32_t nodes, edges;
    uint32_t *from, *to, *weight; /* of each edge */
    uint32_t *parent;             /* of a node: itself, or nearer to its root */
    uint32_t *joined;             /* what a root becomes in this round */
    uint32_t *best;               /* of a root: weight and number of an edge */
    uint8_t *chosen;              /* edges of the forest */
    uint32_t more;                /* components have joined */
};

static uint32_t end_of(uint32_t stream, uint32_t e, uint32_t nodes)
{
    return random_below(stream, e, nodes);
}

static uint32_t weight_of(uint32_t e)
{
    return random_below(WEIGHTS, e, HEAVIEST);
}

static void begin_kernel(void *arg)
{
    const struct graph *g = arg;
    const uint32_t i = member_index();
    if (i < g->nodes)
        g->best[i] = UINT32_MAX;
}

/* All parents are roots here. */
static void find_kernel(void *arg)
{
    const struct graph *g = arg;
    const uint32_t e = member_index();
    if (e >= g->edges)
        return;
    uint32_t a = g->parent[g->from[e]], b = g->parent[g->to[e]];
    uint32_t key = g->weight[e] << EDGE_BITS | e;
    if (a == b)
        return;
    keep_least(&g->best[a], key);
    keep_least(&g->best[b], key);
}

/* A root joins the one at the other end of its edge; of two with the same edge
 * the one with the smaller number stays. */
static void join_kernel(void *arg)
{
    struct graph *g = arg;
    const uint32_t i = member_index();
    if (i >= g->nodes)
        return;
    const uint32_t parent = g->parent[i];
    g->joined[i] = parent;
    if (parent != i || g->best[i] == UINT32_MAX)
        return;
    uint32_t e = g->best[i] & ((1u << EDGE_BITS) - 1);
    uint32_t a = g->parent[g->from[e]], b = g->parent[g->to[e]];
    uint32_t other = a == i ? b : a;
    g->chosen[e] = 1;
    if (i < other && g->best[other] == g->best[i])
        return;
    g->joined[i] = other;
    __atomic_store_n(&g->more, 1, __ATOMIC_RELAXED);
}

static void root_kernel(void *arg)
{
    const struct graph *g = arg;
    const uint32_t i = member_index();
    if (i >= g->nodes)
        return;
    uint32_t root = g->joined[i];
    while (g->joined[root] != root)
        root = g->joined[root];
    g->parent[i] = root;
}

static void fill(struct graph *g, const uint32_t size[NUMBERS])
{
    *g = (struct graph){.nodes = size[0], .edges = size[0] * size[1]};
    g->from = ARRAY(uint32_t, g->edges);
    g->to = ARRAY(uint32_t, g->edges);
    g->weight = ARRAY(uint32_t, g->edges);
    g->chosen = ARRAY(uint8_t, g->edges + 3);
    g->parent = ARRAY(uint32_t, g->nodes);
    g->joined = ARRAY(uint32_t, g->nodes);
    g->best = ARRAY(uint32_t, g->nodes);
    for (uint32_t e = 0; e < g->edges; e++) {
        g->from[e] = end_of(FROM, e, g->nodes);
        g->to[e] = end_of(TO, e, g->nodes);
        g->weight[e] = weight_of(e);
    }
    for (uint32_t i = 0; i < g->nodes; i++)
        g->parent[i] = i;
}

static uint32_t find_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Kruskal's way: the lightest edges first, unless they close a circle. */
static void check(struct gpu *gpu, const uint8_t *result)
{
    struct graph g;
    fill(&g, gpu->size);
    for (uint32_t weight = 0; weight < HEAVIEST; weight++)
        for (uint32_t e = 0; e < g.edges; e++) {
            uint32_t a = find_root(g.parent, g.from[e]);
            uint32_t b = find_root(g.parent, g.to[e]);
            if (g.weight[e] != weight || a == b)
                continue;
            g.parent[a] = b;
            g.chosen[e] = 1;
        }
    gpu_compare(gpu, "edges", result, g.chosen, (g.edges + 3) / 4);
}

static void run(struct gpu *gpu)
{
    struct graph g;
    fill(&g, gpu->size);
    uint32_t groups = ceil_div(g.nodes, MEMBERS);
    for (uint32_t e = 0; gpu->spoil && e < g.edges / 2; e++)
        g.weight[e] = HEAVIEST - 1 - g.weight[e];
    gpu_begin(gpu);
    do {
        g.more = 0;
        gpu_launch(gpu, "begin", begin_kernel, &g, groups, MEMBERS, 0);
        gpu_launch(gpu, "find", find_kernel, &g, ceil_div(g.edges, MEMBERS),
                   MEMBERS, 0);
        gpu_launch(gpu, "join", join_kernel, &g, groups, MEMBERS, 0);
        gpu_launch(gpu, "root", root_kernel, &g, groups, MEMBERS, 0);
    } while (g.more);
    gpu_end(gpu);
    gpu_digest(gpu, g.chosen, (g.edges + 3) / 4);
    if (gpu->check)
        check(gpu, g.chosen);
}

static const char *refuses(const uint32_t size[NUMBERS])
{
    return (uint64_t)size[0] * size[1] <= 1u << EDGE_BITS
               ? NULL
               : "at most 4194304 edges";
}

const struct benchmark mst = {
    .name = "mst",
    .numbers = "nodes,degree",
    .what = "the lightest spanning forest of a graph",
    .small = {300, 3},
    .source = {1048576, 4},
    .most = {1 << EDGE_BITS, 64},
    .refuses = refuses,
    .run = run,
};
