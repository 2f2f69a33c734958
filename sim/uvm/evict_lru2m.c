/* A root: the one that was used longest ago. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

static uint32_t victim_root(const struct uvm *u)
{
    uint64_t skip = (uint64_t)u->root_list.count * u->options.reserve / 100;
    for (uint32_t r = u->root_list.first; r != UVM_NONE; r = u->roots[r].next) {
        if (skip)
            skip--;
        else if (!uvm_root_held(u, r))
            return r;
    }
    return UVM_NONE;
}

static bool evict(struct uvm *u)
{
    return uvm_evict_root(u, victim_root(u));
}

const struct uvm_eviction uvm_eviction_lru2m = {.roots = true, .evict = evict};
