/* A leaf of 64 KB: the one that was used longest ago. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

static bool evict(struct uvm *u)
{
    struct page_mask victims = {{0}};
    uint32_t leaf = uvm_victim_leaf(u);
    if (leaf == UVM_NONE)
        return false;
    uvm_pick_leaf(u, &victims, leaf);
    uvm_stage(u, leaf / ROOT_LEAVES, &victims);
    return true;
}

const struct uvm_eviction uvm_eviction_sl = {.evict = evict};
