/*
 * Breadth-first search: the level of each node of a graph, from node 0. A level
 * is two phases, both over all nodes: those of the level look at the nodes that
 * their edges lead to; those that were seen first become the next level.
 */
#include "graph.h"
#include "uvm.h"

#include <stdlib.h>

enum { UNSEEN = -1 };
enum { GROUP = 512 }; /* nodes of a group */

struct graph {
    uint32_t nodes, degree;
    struct node *node;
    uint32_t *edge;
    uint8_t *mask, *update, *visited; /* of each node */
    int32_t *cost;                    /* its level, UNSEEN */
    uint32_t *more;                   /* was a node seen in this level? */
};

/* The same value may be stored by several harts at once; compilers make an
 * exchange of an atomic store. */
#define PUT(place, value) (*(volatile __typeof__(place) *)&(place) = (value))

static void make_kernel(void *arg)
{
    const struct graph *g = arg;
    EACH_CHUNK(index, g->nodes)
    EACH_ITEM(i, index, g->nodes)
    {
        struct node node = make_node(i, g->nodes, g->degree);
        g->node[i] = node;
        for (uint32_t e = node.first; e < node.first + node.count; e++)
            g->edge[e] = random_below(EDGES, e, g->nodes);
        g->mask[i] = g->visited[i] = i == 0;
        g->update[i] = 0;
        g->cost[i] = i == 0 ? 0 : UNSEEN;
    }
}

static inline void look(const struct graph *g, uint32_t i)
{
    if (!g->mask[i])
        return;
    struct node node = g->node[i];
    int32_t cost = g->cost[i] + 1;
    g->mask[i] = 0;
    for (uint32_t e = node.first; e < node.first + node.count; e++) {
        uint32_t to = g->edge[e];
        if (g->visited[to])
            continue;
        PUT(g->cost[to], cost);
        PUT(g->update[to], 1);
    }
}

static inline void step(const struct graph *g, uint32_t i)
{
    if (!g->update[i])
        return;
    g->mask[i] = g->visited[i] = 1;
    g->update[i] = 0;
    PUT(*g->more, 1);
}

static void look_kernel(void *arg)
{
    const struct graph g = *(const struct graph *)arg;
    EACH_CHUNK(index, g.nodes)
    EACH_ITEM(i, index, g.nodes)
    look(&g, i);
}

static void step_kernel(void *arg)
{
    const struct graph g = *(const struct graph *)arg;
    EACH_CHUNK(index, g.nodes)
    EACH_ITEM(i, index, g.nodes)
    step(&g, i);
}

/* The same by groups, a node for each member. */
static void look_group(void *arg)
{
    const struct graph g = *(const struct graph *)arg;
    uint32_t i = corbel_group() * GROUP + corbel_lane();
    if (i < g.nodes)
        look(&g, i);
}

static void step_group(void *arg)
{
    const struct graph g = *(const struct graph *)arg;
    uint32_t i = corbel_group() * GROUP + corbel_lane();
    if (i < g.nodes)
        step(&g, i);
}

static void launch(const struct uvm *uvm, struct graph *g,
                   void (*kernel)(void *), void (*group)(void *))
{
    if (!uvm->lanes) {
        uvm_phase(kernel, g, g->nodes);
        return;
    }
    corbel_group_memory(0);
    corbel_launch_grid(group, g, ceil_div(g->nodes, GROUP), GROUP);
}

/* A queue, and its own copy of the graph. */
static void check(struct uvm *uvm, const struct graph *g)
{
    int32_t *cost = uvm_plain(g->nodes, sizeof *cost);
    uint32_t *queue = uvm_plain(g->nodes, sizeof *queue);
    uint32_t head = 0, tail = 1;
    for (uint32_t i = 1; i < g->nodes; i++)
        cost[i] = UNSEEN;
    while (head < tail) {
        uint32_t from = queue[head++];
        struct node node = make_node(from, g->nodes, g->degree);
        for (uint32_t e = 0; e < node.count; e++) {
            uint32_t to = random_below(EDGES, node.first + e, g->nodes);
            if (cost[to] != UNSEEN)
                continue;
            cost[to] = cost[from] + 1;
            queue[tail++] = to;
        }
    }
    uvm_compare(uvm, "level of node", g->cost, cost, g->nodes);
    free(queue);
    free(cost);
}

static void run(struct uvm *uvm)
{
    struct graph g = {.nodes = uvm->size[0], .degree = uvm->size[1]};
    g.node = uvm_array(uvm, g.nodes, sizeof *g.node);
    g.edge = uvm_array(uvm, (size_t)g.nodes * g.degree, sizeof *g.edge);
    g.mask = uvm_array(uvm, g.nodes, 1);
    g.update = uvm_array(uvm, g.nodes, 1);
    g.visited = uvm_array(uvm, g.nodes, 1);
    g.cost = uvm_array(uvm, g.nodes, sizeof *g.cost);
    g.more = uvm_array(uvm, 1, sizeof *g.more);
    uvm_phase(make_kernel, &g, g.nodes);
    if (uvm->spoil)
        g.node[0].count = 0;
    uvm_begin(uvm);
    do {
        *g.more = 0;
        launch(uvm, &g, look_kernel, look_group);
        launch(uvm, &g, step_kernel, step_group);
    } while (*g.more);
    uvm_end(uvm);
    uvm_digest(uvm, g.cost, g.nodes);
    if (uvm->check)
        check(uvm, &g);
}

static const char *refuses(const uint32_t size[NUMBERS])
{
    return (uint64_t)size[0] * size[1] < UINT32_MAX / 2
               ? NULL
               : "fewer than 2147483647 edges";
}

const struct benchmark bfs = {
    .name = "bfs",
    .numbers = "nodes,degree",
    .report = {4096, 6},
    .large = {261444, 6},
    .most = {1 << 28, 1024},
    .refuses = refuses,
    .run = run,
};
