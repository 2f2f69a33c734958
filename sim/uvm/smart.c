/*
 * Smart runtime: in which order a kernel had the blocks of an allocation
 * scheduled says whether it walks through it or jumps about, and whether it
 * comes back; zero-copy and eviction follow. What is kept are a few bits for
 * an allocation and the last kernel of a block, not the blocks in order.
 */
#include "sim/uvm/uvm_private.h"

static void close_kernel(struct uvm_allocation *a)
{
    if (!a->kernel)
        return;
    a->random |= a->went_back;
    a->linear |= !a->went_back;
}

void uvm_smart_note(struct uvm *u, uint32_t leaf)
{
    struct uvm_allocation *a =
        &u->allocations[u->roots[leaf / ROOT_LEAVES].allocation];
    uint32_t kernel = u->kernel + 1;
    a->reuse |= u->leaves[leaf].kernel != 0;
    u->leaves[leaf].kernel = kernel;
    if (a->kernel != kernel) {
        close_kernel(a);
        a->kernel = kernel;
        a->went_back = false;
    } else {
        a->went_back |= leaf < a->block;
    }
    a->block = leaf;
}

enum uvm_pattern uvm_pattern(const struct uvm *u, unsigned allocation)
{
    struct uvm_allocation a = u->allocations[allocation];
    close_kernel(&a);
    if (!a.kernel)
        return UVM_PATTERN_NONE;
    enum uvm_pattern p = a.random && a.linear ? UVM_PATTERN_MIXED
                         : a.random           ? UVM_PATTERN_RANDOM
                                              : UVM_PATTERN_LINEAR;
    return p + a.reuse;
}

void uvm_smart_update(struct uvm *u)
{
    bool reuse = false;
    for (uint32_t i = 0; i < u->allocation_count; i++) {
        enum uvm_pattern p = uvm_pattern(u, i);
        if (p >= UVM_PATTERN_RANDOM) {
            u->dma = UVM_OVERSUB;
            reuse = true;
        }
        reuse |= p == UVM_PATTERN_LINEAR_REUSE;
    }
    if (reuse && !is_big(u))
        u->evict = UVM_EVICT_tbn;
}

void uvm_kernel(struct uvm *u)
{
    u->kernel++;
}
