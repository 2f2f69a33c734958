/* The whole leaf, 64 KB, of each page that was asked for. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

void uvm_choose_faulty_leaves(struct uvm *u, uint32_t root,
                              struct page_mask *chosen)
{
    const struct uvm_root *r = &u->roots[root];
    for (uint32_t leaf = 0; leaf < r->leaves; leaf++)
        if (r->faults[leaf / 4] >> leaf % 4 * LEAF_PAGES & 0xffff)
            uvm_choose_leaf(u, chosen, root, leaf);
}

const struct uvm_prefetcher uvm_prefetcher_sl = {.choose =
                                                     uvm_choose_faulty_leaves};
