/* A page drawn from the root, with each page that was asked for. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

/* After each fault, and as a transfer of its own, a page drawn from its root.
 */
static void random_turn(struct uvm *u, uint32_t root)
{
    struct uvm_root *r = &u->roots[root];
    struct page_mask chosen = {{0}};
    uint32_t page = root * ROOT_PAGES;
    for (uint32_t end = page + r->pages; page < end; page++) {
        if (!mask_holds(r->faults, page))
            continue;
        uvm_queue_transfer(u, page, page + 1, true);
        uvm_smart_note(u, page / LEAF_PAGES);
        uint32_t drawn = root * ROOT_PAGES + uvm_random(u, r->pages);
        if (u->pages[drawn].flags & (RESIDENT | CHOSEN))
            continue;
        uvm_choose(u, &chosen, drawn);
        uvm_queue_transfer(u, drawn, drawn + 1, false);
        uvm_smart_note(u, drawn / LEAF_PAGES);
    }
}

const struct uvm_prefetcher uvm_prefetcher_random = {.turn = random_turn};
