/* A page: the one that was used longest ago. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

static uint32_t victim_page(const struct uvm *u)
{
    uint32_t page = u->candidates.first;
    while (page != UVM_NONE && u->pages[page].pins)
        page = u->page_links[page].next;
    return page;
}

static bool evict(struct uvm *u)
{
    return uvm_evict_page(u, victim_page(u));
}

const struct uvm_eviction uvm_eviction_lru4k = {.pages = true, .evict = evict};
