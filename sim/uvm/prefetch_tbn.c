/* The leaves of pages that were asked for, and by the tree of leaves what is
 * then more than half full. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

/* Fills the empty leaves below a node. (Pages that wait for their write-back
 * are no longer counted, but they are there, and not chosen.) */
static void fill(struct uvm *u, struct page_mask *chosen, uint32_t root,
                 uint32_t node)
{
    const struct uvm_root *r = &u->roots[root];
    if (node < r->leaves) {
        fill(u, chosen, root, 2 * node);
        fill(u, chosen, root, 2 * node + 1);
    } else if (!r->valid[node]) {
        uvm_choose_leaf(u, chosen, root, node - r->leaves);
    }
}

/*
 * A node more than half full is filled. Nodes from the last one on: a node
 * comes after all below it, as in post-order, and what a fill adds counts
 * above.
 */
static void grow(struct uvm *u, uint32_t root, struct page_mask *chosen)
{
    const struct uvm_root *r = &u->roots[root];
    for (uint32_t node = r->leaves - 1u; node; node--) {
        uint32_t size = r->pages;
        for (uint32_t n = node; n > 1; n /= 2)
            size /= 2;
        if (r->valid[node] != size && 2u * r->valid[node] > size)
            fill(u, chosen, root, node);
    }
}

static void choose_tree(struct uvm *u, uint32_t root, struct page_mask *chosen)
{
    uvm_choose_faulty_leaves(u, root, chosen);
    grow(u, root, chosen);
}

const struct uvm_prefetcher uvm_prefetcher_tbn = {.choose = choose_tree};
