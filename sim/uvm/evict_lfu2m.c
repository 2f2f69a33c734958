/* A root: the one with the fewest accesses. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"
#include <stdlib.h>

struct uvm_sort {
    uint64_t stamp;
    uint32_t accesses, root;
    bool written;
};
_Static_assert(sizeof(struct uvm_sort) <= 32, "the room that lists.c makes");

static int less_used(const void *x, const void *y)
{
    const struct uvm_sort *a = x, *b = y;
    if (a->accesses != b->accesses)
        return a->accesses < b->accesses ? -1 : 1;
    if (a->written != b->written)
        return a->written ? 1 : -1;
    return a->stamp < b->stamp ? -1 : 1;
}

/* Roots by accesses, then those only read, then by stamp. */
static uint32_t least_used_root(const struct uvm *u)
{
    size_t n = 0;
    for (uint32_t r = u->root_list.first; r != UVM_NONE; r = u->roots[r].next)
        u->sort[n++] = (struct uvm_sort){
            u->leaves[r * ROOT_LEAVES + u->roots[r].newest].stamp,
            u->roots[r].accesses, r, u->roots[r].written};
    qsort(u->sort, n, sizeof *u->sort, less_used);
    for (size_t i = n * u->options.reserve / 100; i < n; i++)
        if (!uvm_root_held(u, u->sort[i].root))
            return u->sort[i].root;
    return UVM_NONE;
}

static bool evict(struct uvm *u)
{
    return uvm_evict_root(u, least_used_root(u));
}

const struct uvm_eviction uvm_eviction_lfu2m = {.roots = true, .evict = evict};
