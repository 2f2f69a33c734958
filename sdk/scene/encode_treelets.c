/*
 * Lays a tree out in treelets (corbel/treelets.h): the wide tree is written
 * down node by node with what treelets.c wants to know, which says where each
 * node lies; then nodes and leaves are written in that order.
 */
#include "encode.h"
#include "sdk/common/report.h"

#include <stdlib.h>
#include <string.h>

/* Children of the wide node made from n, in slot order. A scene with treelets
 * has a root node, even if it has nothing but one leaf, or not even that. */
static unsigned children_of(const struct encoder *e, uint32_t n,
                            uint32_t child[WIDTH_MAX])
{
    if (e->tree->count == 0)
        return 0;
    if (!e->collapse.leaf[n])
        return collapse_children(e->tree, &e->collapse, n, child);
    child[0] = n;
    return 1;
}

/* The wide node made from n: its leaves are counted, its children that are
 * nodes get numbers, then those get nodes of their own. */
static void add_node(struct encoder *e, uint32_t n, uint32_t number,
                     uint32_t level)
{
    struct wide_node *node = &e->wide.node[number];
    const uint32_t grain = e->next_grain;
    uint32_t child[WIDTH_MAX];
    const unsigned count = children_of(e, n, child);
    *node = (struct wide_node){.binary = n, .first = e->next_node};
    for (unsigned i = 0; i < count; i++)
        if (e->collapse.leaf[child[i]])
            encode_leaf(e, child[i]);
        else
            e->next_node++;
    node->children = e->next_node - node->first;
    node->bytes = (e->next_grain - grain) * corbel_leaf_grain(e->layout.leaves);
    node->level = level;
    encode_count_node(e, n, level + 1);
    if (count > 0)
        node->area = encode_area(&e->tree->node[n].box);
    uint32_t next = node->first;
    for (unsigned i = 0; i < count; i++)
        if (!e->collapse.leaf[child[i]])
            add_node(e, child[i], next++, level + 1);
}

/* A binary tree with n leaves has at most n - 1 nodes to make wide ones of. */
void encode_plan_treelets(struct encoder *e)
{
    const struct treelet_sizes sizes = {e->layout.treelet_bytes,
                                        corbel_node_bytes(e->layout.nodes),
                                        corbel_leaf_grain(e->layout.leaves)};
    e->wide.node = allocate(e->tree->count / 2 + 1, sizeof *e->wide.node);
    e->next_node = 1;
    e->next_grain = 0;
    add_node(e, 0, 0, 0);
    e->wide.count = e->next_node;
    progress("cutting the tree into treelets");
    treelets_build(&e->wide, &sizes, &e->treelets);
}

/* Where a node lies, in bytes from the scene's header. */
static uint64_t offset_of(const struct encoder *e, uint32_t number)
{
    return corbel_treelet_offset(&e->header, e->treelets.treelet[number]) +
           (uint64_t)e->treelets.place[number] *
               corbel_node_bytes(e->layout.nodes);
}

/* The reference of a node from another one, or as the parent of another one. */
static uint32_t reference(const struct encoder *e, uint32_t number,
                          uint32_t from)
{
    const uint32_t *treelet = e->treelets.treelet;
    return (uint32_t)(offset_of(e, number) / CORBEL_REF_UNIT) |
           (treelet[number] == treelet[from] ? 0 : CORBEL_REF_TREELET);
}

static void write_node(struct encoder *e, uint32_t number, uint32_t parent)
{
    const struct wide_node *node = &e->wide.node[number];
    struct corbel_node_children c = {0};
    uint32_t child[WIDTH_MAX], next = node->first;
    c.count = children_of(e, node->binary, child);
    for (unsigned i = 0; i < c.count; i++) {
        c.box[i] = e->tree->node[child[i]].box;
        c.ref[i] = e->collapse.leaf[child[i]] ? encode_leaf(e, child[i])
                                              : reference(e, next++, number);
    }
    if (number > 0)
        c.parent = reference(e, parent, number);
    encode_node(e, &c, offset_of(e, number));
}

/* A node's parent comes before it, in a treelet or in one before. */
static void note_parent(const struct encoder *e, uint32_t number,
                        uint32_t *parent)
{
    const struct wide_node *node = &e->wide.node[number];
    for (uint32_t i = 0; i < node->children; i++)
        parent[node->first + i] = number;
}

uint32_t encode_write_treelets(struct encoder *e)
{
    const struct treelets *t = &e->treelets;
    const uint32_t *number = t->order;
    uint32_t *parent = allocate(e->wide.count, sizeof *parent);
    for (uint32_t s = 0; s < t->count; s++) {
        const uint32_t nodes = t->header[s].nodes;
        e->first_grain = corbel_treelet_offset(&e->header, s) +
                         corbel_treelet_leaves(&e->header, nodes);
        e->next_grain = 0;
        for (const uint32_t *end = number + nodes; number < end; number++) {
            note_parent(e, *number, parent);
            write_node(e, *number, parent[*number]);
        }
    }
    memcpy((char *)e->scene + e->header.treelets_offset, t->header,
           t->count * sizeof *t->header);
    free(parent);
    return corbel_treelet_root(&e->header, 0);
}
