/*
 * Turns the binary tree into one of wide nodes at the least expected cost, by
 * dynamic programming over how many trees the subtree of a node is cut into
 * (Ylitie, Karras, Laine, HPG 2017, section 3; without its reordering).
 */
#include "sdk/common/report.h"
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Half the surface of the box of node n: only ratios matter. */
static float area(const struct tree *tree, uint32_t n)
{
    const struct corbel_box *box = &tree->node[n].box;
    float x = (box->max[0] - box->min[0]) / tree->unit;
    float y = (box->max[1] - box->min[1]) / tree->unit;
    float z = (box->max[2] - box->min[2]) / tree->unit;
    return x * y + y * z + z * x;
}

/* Inserts a triangle's number in order, unless it is there already. Returns how
 * many there are then. */
static unsigned add_triangle(uint32_t *triangle, unsigned count, uint32_t new)
{
    unsigned i = 0;
    while (i < count && triangle[i] < new)
        i++;
    if (i < count && triangle[i] == new)
        return count;
    memmove(&triangle[i + 1], &triangle[i], (count - i) * sizeof *triangle);
    triangle[i] = new;
    return count + 1;
}

/* Adds the triangles below n; gives up once there are more than the limit. */
static unsigned gather(const struct tree *tree, uint32_t n, unsigned limit,
                       unsigned count, uint32_t *triangle)
{
    const struct tree_node *node = &tree->node[n];
    if (count > limit)
        return count;
    if (tree_is_leaf(node))
        return add_triangle(triangle, count, node->triangle);
    count = gather(tree, node->child[0], limit, count, triangle);
    return gather(tree, node->child[1], limit, count, triangle);
}

/* What a leaf says of a triangle. */
static uint32_t word_of(const struct tree *tree, uint32_t triangle)
{
    return tree->word != NULL ? tree->word[triangle] : triangle;
}

/* By words, most often as they are. */
static void sort(const struct tree *tree, uint32_t *triangle, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        const uint32_t one = triangle[i];
        unsigned k = i;
        for (; k > 0 && word_of(tree, triangle[k - 1]) > word_of(tree, one);
             k--)
            triangle[k] = triangle[k - 1];
        triangle[k] = one;
    }
}

/* Room for one more than the limit shows that there are too many. */
bool tree_leaf(const struct mesh *mesh, const struct tree *tree, uint32_t n,
               unsigned limit, struct corbel_leaf *leaf)
{
    uint32_t found[CORBEL_LEAF_MAX + 1];
    leaf->count = gather(tree, n, limit, 0, found);
    if (leaf->count > limit)
        return false;
    sort(tree, found, leaf->count);
    for (unsigned i = 0; i < leaf->count; i++) {
        leaf->index[i] = word_of(tree, found[i]);
        memcpy(leaf->vertex[i], mesh->face[found[i]], sizeof leaf->vertex[i]);
        mesh_triangle(mesh, found[i], &leaf->triangle[i]);
    }
    return true;
}

/* What costs are computed from. */
struct input {
    const struct mesh *mesh;
    const struct tree *tree;
};

/* Least cost of node n as at most j trees. */
typedef float forest_cost[WIDTH_MAX + 1];

/* The cheapest way to give the children of a node exactly j trees. */
static float best_split(const float *left, const float *right, unsigned j,
                        uint8_t *split)
{
    float best = INFINITY;
    for (unsigned k = 1; k < j; k++) {
        float cost = left[k] + right[j - k];
        if (cost < best) {
            best = cost;
            *split = (uint8_t)k;
        }
    }
    return best;
}

/* The cost of n triangles as one leaf; INFINITY if they cannot be one. */
static float leaf_cost(const struct input *in, const struct layout *layout,
                       uint32_t n)
{
    struct corbel_leaf leaf;
    if (!tree_leaf(in->mesh, in->tree, n, layout->leaf_limit, &leaf))
        return INFINITY;
    unsigned grains = corbel_leaf_encode(layout->leaves, &leaf, NULL);
    if (grains == 0 || grains > corbel_node_grains(layout->nodes))
        return INFINITY;
    unsigned bytes = grains * corbel_leaf_grain(layout->leaves);
    return (COST_BYTE * (float)bytes + COST_TRIANGLE * (float)leaf.count) *
           area(in->tree, n);
}

/* The least costs of an inner node, from those of its children: as one tree,
 * either a leaf or a wide node, and as up to `width` trees. */
static void choose_inner(const struct input *in, struct collapse *collapse,
                         forest_cost *cost, uint32_t n)
{
    const struct tree *tree = in->tree;
    const struct tree_node *node = &tree->node[n];
    const float *left = cost[node->child[0]], *right = cost[node->child[1]];
    float *mine = cost[n];
    float spread[WIDTH_MAX + 1], inner = INFINITY;
    for (unsigned j = 2; j <= collapse->width; j++) {
        spread[j] = best_split(left, right, j, &collapse->split[n][j]);
        if (spread[j] < inner) {
            inner = spread[j];
            collapse->forest[n][0] = (uint8_t)j;
        }
    }
    inner += COST_NODE * area(tree, n);
    float leaf = leaf_cost(in, &collapse->layout, n);
    collapse->leaf[n] = leaf <= inner;
    mine[1] = leaf <= inner ? leaf : inner;
    collapse->forest[n][1] = 1;
    for (unsigned j = 2; j <= collapse->width; j++) {
        bool more = spread[j] < mine[j - 1];
        mine[j] = more ? spread[j] : mine[j - 1];
        collapse->forest[n][j] = more ? (uint8_t)j : collapse->forest[n][j - 1];
    }
}

/*
 * A leaf of the binary tree is always one leaf, however many trees are allowed.
 */
static void choose_leaf(const struct input *in, struct collapse *collapse,
                        forest_cost *cost, uint32_t n)
{
    const struct layout *layout = &collapse->layout;
    const float leaf = leaf_cost(in, layout, n);
    if (isinf(leaf))
        fail(STATUS_USAGE,
             "a leaf of one triangle in format %s is too long for nodes of "
             "format %s, which refer to leaves of at most %u bytes",
             corbel_leaf_name(layout->leaves), corbel_node_name(layout->nodes),
             corbel_node_grains(layout->nodes) *
                 corbel_leaf_grain(layout->leaves));
    collapse->leaf[n] = 1;
    for (unsigned j = 1; j <= collapse->width; j++) {
        cost[n][j] = leaf;
        collapse->forest[n][j] = 1;
    }
}

/*
 * Nodes are visited backwards, so that a node's children are decided before it.
 */
void collapse_tree(const struct mesh *mesh, const struct tree *tree,
                   const struct layout *layout, struct collapse *collapse)
{
    const struct input in = {mesh, tree};
    forest_cost *cost = allocate(tree->count, sizeof *cost);
    collapse->layout = *layout;
    collapse->width = corbel_node_width(layout->nodes);
    collapse->forest = allocate(tree->count, sizeof *collapse->forest);
    collapse->split = allocate(tree->count, sizeof *collapse->split);
    collapse->leaf = allocate(tree->count, 1);
    for (uint32_t n = tree->count; n-- > 0;) /* children before parents */
        if (tree_is_leaf(&tree->node[n]))
            choose_leaf(&in, collapse, cost, n);
        else
            choose_inner(&in, collapse, cost, n);
    collapse->cost = tree->count > 0 ? cost[0][1] / area(tree, 0) : 0;
    free(cost);
}

void collapse_free(struct collapse *collapse)
{
    free(collapse->forest);
    free(collapse->split);
    free(collapse->leaf);
}

/* Appends the trees of n, at most room of them. */
static unsigned collect(const struct tree *tree,
                        const struct collapse *collapse, uint32_t n,
                        unsigned room, uint32_t *child, unsigned count)
{
    const struct tree_node *node = &tree->node[n];
    const unsigned trees = collapse->forest[n][room];
    if (trees == 1) {
        child[count] = n;
        return count + 1;
    }
    const unsigned first = collapse->split[n][trees];
    count = collect(tree, collapse, node->child[0], first, child, count);
    return collect(tree, collapse, node->child[1], trees - first, child, count);
}

/* The choices are followed from n downwards until each part is one tree. */
unsigned collapse_children(const struct tree *tree,
                           const struct collapse *collapse, uint32_t n,
                           uint32_t child[WIDTH_MAX])
{
    const struct tree_node *node = &tree->node[n];
    const unsigned trees = collapse->forest[n][0];
    const unsigned first = collapse->split[n][trees];
    unsigned count = collect(tree, collapse, node->child[0], first, child, 0);
    return collect(tree, collapse, node->child[1], trees - first, child, count);
}
