/* A leaf of 64 KB, the one that was used longest ago, and by the tree of leaves
 * what is then less than half full. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

/* A leaf goes along if all of it is here, and none of it pinned. */
static void empty(struct uvm *u, struct page_mask *victims, uint32_t root,
                  uint32_t node)
{
    const struct uvm_root *r = &u->roots[root];
    if (node < r->leaves) {
        empty(u, victims, root, 2 * node);
        empty(u, victims, root, 2 * node + 1);
        return;
    }
    const struct uvm_leaf *l =
        &u->leaves[root * ROOT_LEAVES + node - r->leaves];
    if (l->listed == LEAF_PAGES && !l->pins)
        uvm_pick_leaf(u, victims, root * ROOT_LEAVES + node - r->leaves);
}

/* A node less than half full is emptied; in an order as good as post-order. */
static void shrink(struct uvm *u, struct page_mask *victims, uint32_t root)
{
    const struct uvm_root *r = &u->roots[root];
    for (uint32_t node = r->leaves - 1u; node; node--) {
        uint32_t size = r->pages;
        for (uint32_t n = node; n > 1; n /= 2)
            size /= 2;
        if (r->valid[node] && 2u * r->valid[node] < size)
            empty(u, victims, root, node);
    }
}

void uvm_evict_tree(struct uvm *u, uint32_t page)
{
    struct page_mask victims = {{0}};
    uvm_pick_leaf(u, &victims, page / LEAF_PAGES);
    shrink(u, &victims, page / ROOT_PAGES);
    uvm_stage(u, page / ROOT_PAGES, &victims);
}

static bool evict(struct uvm *u)
{
    uint32_t leaf = uvm_victim_leaf(u);
    if (leaf == UVM_NONE)
        return false;
    uvm_evict_tree(u, leaf * LEAF_PAGES);
    return true;
}

const struct uvm_eviction uvm_eviction_tbn = {.evict = evict};
