/* A page at random. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

/* From any page on the next one that is no exception. */
static uint32_t random_page(struct uvm *u)
{
    uint32_t n = u->kept_back.count + u->candidates.count;
    uint32_t start = n ? uvm_random(u, n) : 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t page = u->dense[(start + i) % n];
        if (!u->pages[page].pins && !(u->pages[page].flags & KEPT_BACK))
            return page;
    }
    return UVM_NONE;
}

static bool evict(struct uvm *u)
{
    return uvm_evict_page(u, random_page(u));
}

const struct uvm_eviction uvm_eviction_random = {.pages = true, .evict = evict};
