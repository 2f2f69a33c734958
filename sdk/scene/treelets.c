/*
 * Greedy treelets with costs by dynamic programming (after Aila, Karras:
 * Architecture Considerations for Tracing Incoherent Rays, HPG 2010).
 *
 * A treelet grows from its root: of the nodes at its lower edge, the cut, that
 * which fits and is worth most for its size is taken in, and its children are
 * at the edge instead. A treelet costs what its root's box is likely to be
 * entered, and each node of the cut the least that a treelet from there costs
 * with all below. Costs of roots are found from the leaves upwards, as the
 * least that is seen while a treelet grows. Then treelets are made from the
 * root downwards, each until it costs that.
 */
#include "treelets.h"

#include "sdk/common/report.h"

#include <stdbool.h>
#include <stdlib.h>

/* Nodes of a cut, beyond which a treelet does not grow. */
#define CUT_MAX 1024u
#define HEAP_MAX (CUT_MAX + CORBEL_WIDTH_MAX)

/* What costs are computed from, and the costs. */
struct plan {
    const struct wide *wide;
    const struct treelet_sizes *sizes;
    uint32_t usable; /* bytes of a treelet, whatever gap is before its leaves */
    double small;    /* added to areas: a cost of each treelet, however small */
    double *below;   /* by node: bytes of it and all below */
    double *best;    /* by node: least cost of treelets from there on */
};

/* A node of the cut, and what taking it in is worth. */
struct candidate {
    double worth;
    uint32_t node;
};

/* A treelet while it grows. */
struct growth {
    const struct plan *plan;
    double cost;
    uint64_t room; /* bytes */
    unsigned cut;  /* nodes */
    unsigned held; /* of the cut in the heap; the others do not fit */
    struct candidate heap[HEAP_MAX];
};

/* ---- the cut as a heap, what is worth most first ---- */

/* Of equal ones the one with the lower number goes first. */
static bool before(const struct candidate *a, const struct candidate *b)
{
    return a->worth != b->worth ? a->worth > b->worth : a->node < b->node;
}

static void push(struct growth *g, struct candidate new)
{
    unsigned i = g->held++;
    for (; i > 0 && before(&new, &g->heap[(i - 1) / 2]); i = (i - 1) / 2)
        g->heap[i] = g->heap[(i - 1) / 2];
    g->heap[i] = new;
}

static uint32_t pop(struct growth *g)
{
    const uint32_t node = g->heap[0].node;
    const struct candidate last = g->heap[--g->held];
    unsigned i = 0, child;
    while ((child = 2 * i + 1) < g->held) {
        if (child + 1 < g->held && before(&g->heap[child + 1], &g->heap[child]))
            child++;
        if (!before(&g->heap[child], &last))
            break;
        g->heap[i] = g->heap[child];
        i = child;
    }
    g->heap[i] = last;
    return node;
}

/* ---- growing ---- */

static uint32_t footprint(const struct plan *plan, uint32_t n)
{
    return plan->sizes->node + plan->wide->node[n].bytes;
}

static double worth(const struct plan *plan, uint32_t n)
{
    const double bytes =
        plan->below[n] < plan->usable ? plan->below[n] : (double)plan->usable;
    return (plan->wide->node[n].area + plan->small) / bytes;
}

/* Takes n in: its children are at the edge. */
static void take(struct growth *g, uint32_t n)
{
    const struct wide_node *node = &g->plan->wide->node[n];
    g->room -= footprint(g->plan, n);
    g->cut += node->children;
    for (uint32_t i = 0; i < node->children; i++) {
        const uint32_t child = node->first + i;
        g->cost += g->plan->best[child];
        push(g, (struct candidate){worth(g->plan, child), child});
    }
}

static void start(struct growth *g, const struct plan *plan, uint32_t root)
{
    g->plan = plan;
    g->cost = plan->wide->node[root].area + plan->small;
    g->room = plan->usable;
    g->cut = g->held = 0;
    take(g, root);
}

/* Takes the next node in. What does not fit now will not later. False: nothing
 * fits. */
static bool grow(struct growth *g, uint32_t *node)
{
    while (g->held > 0 && g->cut < CUT_MAX) {
        *node = pop(g);
        if (footprint(g->plan, *node) > g->room)
            continue;
        g->cut--;
        g->cost -= g->plan->best[*node];
        take(g, *node);
        return true;
    }
    return false;
}

/* ---- costs, from the leaves upwards ---- */

static double least_cost(const struct plan *plan, uint32_t root)
{
    struct growth g;
    uint32_t node;
    start(&g, plan, root);
    double least = g.cost;
    while (grow(&g, &node))
        least = g.cost < least ? g.cost : least;
    return least;
}

static double bytes_below(const struct plan *plan, uint32_t n)
{
    const struct wide_node *node = &plan->wide->node[n];
    double bytes = footprint(plan, n);
    for (uint32_t i = 0; i < node->children; i++)
        bytes += plan->below[node->first + i];
    return bytes;
}

/* A gap before the leaves is at most what lacks to a grain. */
static uint32_t usable_bytes(const struct treelet_sizes *sizes)
{
    const uint32_t even = sizes->node & -sizes->node;
    return sizes->treelet - (even < sizes->grain ? sizes->grain - even : 0);
}

/* The node that takes most must fit. */
static void check_footprints(const struct plan *plan)
{
    uint32_t most = 0, gap = plan->sizes->treelet - plan->usable;
    for (uint32_t n = 0; n < plan->wide->count; n++)
        most = footprint(plan, n) > most ? footprint(plan, n) : most;
    if (most > plan->usable)
        fail(STATUS_USAGE,
             "--treelets: %u bytes are too few for a node of %u bytes with %u "
             "bytes of leaves; give at least %u, or have smaller leaves "
             "(--leaf, --leaves)",
             plan->sizes->treelet, plan->sizes->node, most - plan->sizes->node,
             (most + gap + 63) / 64 * 64);
}

static void find_costs(struct plan *plan)
{
    const struct wide *wide = plan->wide;
    plan->below = allocate(wide->count, sizeof *plan->below);
    plan->best = allocate(wide->count, sizeof *plan->best);
    for (uint32_t n = wide->count; n-- > 0;) /* children before parents */
        plan->below[n] = bytes_below(plan, n);
    plan->small = wide->node[0].area * plan->usable / (10 * plan->below[0]);
    for (uint32_t n = wide->count; n-- > 0;)
        plan->best[n] = least_cost(plan, n);
}

/* ---- treelets, from the root downwards ---- */

/* Treelets while they are made. */
struct making {
    const struct plan *plan;
    struct treelets *t;
    uint32_t room;  /* headers that there is memory for */
    uint32_t *root; /* node of each treelet */
    uint32_t used;  /* nodes in t->order */
};

static void add_treelet(struct making *m, uint32_t root, uint32_t parent)
{
    struct treelets *t = m->t;
    if (t->count == m->room) {
        m->room = 2 * m->room + 16;
        t->header = reallocate(t->header, m->room, sizeof *t->header);
        m->root = reallocate(m->root, m->room, sizeof *m->root);
    }
    m->root[t->count] = root;
    t->header[t->count++] = (struct corbel_treelet){
        .subtree = 1,
        .depth =
            parent == CORBEL_TREELET_NONE ? 0 : t->header[parent].depth + 1,
        .parent = parent,
        .level = m->plan->wide->node[root].level,
    };
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Which nodes treelet s has, in the order of memory. Costs are added up as they
 * were when the least was found, so that they become equal to it. */
static void choose_nodes(struct making *m, uint32_t s)
{
    struct treelets *t = m->t;
    uint32_t *const order = t->order + m->used, node = m->root[s], count = 0;
    struct growth g;
    start(&g, m->plan, node);
    order[count++] = node;
    while (g.cost != m->plan->best[m->root[s]] && grow(&g, &node))
        order[count++] = node;
    qsort(order, count, sizeof *order, by_number);
    for (uint32_t i = 0; i < count; i++) {
        t->treelet[order[i]] = s;
        t->place[order[i]] = i;
    }
    t->header[s].nodes = count;
    m->used += count;
}

/* What is left at the edge of treelet s are roots of others. */
static void add_children(struct making *m, uint32_t s, const uint32_t *order)
{
    struct treelets *t = m->t;
    const uint32_t nodes = t->header[s].nodes, first = t->count;
    for (uint32_t i = 0; i < nodes; i++) {
        const struct wide_node *node = &m->plan->wide->node[order[i]];
        for (uint32_t k = 0; k < node->children; k++)
            if (t->treelet[node->first + k] != s)
                add_treelet(m, node->first + k, s);
    }
    t->header[s].children = t->count - first;
    t->header[s].first_child = t->count > first ? first : 0;
}

/* ---- headers ---- */

static uint32_t used_bytes(const struct plan *plan, const uint32_t *order,
                           uint32_t nodes)
{
    const struct treelet_sizes *sizes = plan->sizes;
    const uint32_t end = nodes * sizes->node;
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < nodes; i++)
        leaves += plan->wide->node[order[i]].bytes;
    return leaves == 0
               ? end
               : (end + sizes->grain - 1) / sizes->grain * sizes->grain +
                     leaves;
}

static int larger_first(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

/* The median of `count` areas, and zeros for places without a node. */
static float page_area(float *area, uint32_t count, uint32_t places)
{
    qsort(area, count, sizeof *area, larger_first);
    return places / 2 < count ? area[places / 2] : 0;
}

/* A node is on the page where it begins. area: room for those of a treelet. */
static void find_page_areas(const struct plan *plan, const uint32_t *order,
                            struct corbel_treelet *header, float *area)
{
    const struct wide_node *node = plan->wide->node;
    const uint32_t page = plan->sizes->treelet / CORBEL_TREELET_PAGES;
    const uint32_t places = (page + plan->sizes->node - 1) / plan->sizes->node;
    uint32_t i = 0;
    for (uint32_t p = 0; p < CORBEL_TREELET_PAGES; p++) {
        uint32_t count = 0;
        for (; i < header->nodes && i * plan->sizes->node / page == p; i++)
            area[count++] =
                (float)(node[0].area > 0 && node[order[i]].area < node[0].area
                            ? node[order[i]].area / node[0].area
                            : node[0].area > 0);
        header->page_area[p] = page_area(area, count, places);
    }
}

static void finish_headers(struct making *m)
{
    struct treelets *t = m->t;
    const uint32_t *order = t->order;
    float *area = allocate(m->used, sizeof *area);
    for (uint32_t s = 0; s < t->count; s++) {
        struct corbel_treelet *header = &t->header[s];
        header->bytes = used_bytes(m->plan, order, header->nodes);
        find_page_areas(m->plan, order, header, area);
        order += header->nodes;
    }
    for (uint32_t s = t->count; s-- > 1;)
        t->header[t->header[s].parent].subtree += t->header[s].subtree;
    free(area);
}

/* Treelets wait for their turn in the order of their numbers, so that is
 * breadth first. */
static void make_treelets(const struct plan *plan, struct treelets *t)
{
    struct making m = {.plan = plan, .t = t};
    add_treelet(&m, 0, CORBEL_TREELET_NONE);
    for (uint32_t s = 0; s < t->count; s++) {
        const uint32_t *const order = t->order + m.used;
        choose_nodes(&m, s);
        add_children(&m, s, order);
    }
    finish_headers(&m);
    free(m.root);
}

void treelets_build(const struct wide *wide, const struct treelet_sizes *sizes,
                    struct treelets *treelets)
{
    struct plan plan = {
        .wide = wide, .sizes = sizes, .usable = usable_bytes(sizes)};
    *treelets = (struct treelets){
        .order = allocate(wide->count, sizeof(uint32_t)),
        .treelet = allocate(wide->count, sizeof(uint32_t)),
        .place = allocate(wide->count, sizeof(uint32_t)),
    };
    for (uint32_t n = 0; n < wide->count; n++)
        treelets->treelet[n] = CORBEL_TREELET_NONE;
    check_footprints(&plan);
    find_costs(&plan);
    make_treelets(&plan, treelets);
    free(plan.below);
    free(plan.best);
}

void treelets_free(struct treelets *treelets)
{
    free(treelets->header);
    free(treelets->order);
    free(treelets->treelet);
    free(treelets->place);
}
