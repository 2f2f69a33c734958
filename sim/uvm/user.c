/*
 * What a program asks for: prefetches of ranges, in chunks of which one is
 * under way; device synchronise, which sends all that was written home.
 */
#include "sim/uvm/uvm_private.h"
#include <inttypes.h>

/* ---- prefetch ---- */

bool uvm_user_prefetch(struct uvm *u, uint64_t address, uint64_t bytes,
                       struct error *error)
{
    if (!bytes)
        return true;
    uint32_t first = uvm_page(u, address);
    uint32_t last = uvm_page(u, address + bytes - 1);
    if (first == UVM_NONE || last == UVM_NONE ||
        address + bytes - 1 < address ||
        root_of(u, first)->allocation != root_of(u, last)->allocation)
        return error_set(error,
                         "prefetch of %" PRIu64 " bytes at 0x%" PRIx64
                         ", which are not within one managed allocation",
                         bytes, address);
    if (u->range_count == UVM_USER_RANGES)
        return error_set(error, "more than %u prefetches wait",
                         UVM_USER_RANGES);
    if (is_big(u))
        last += u->roots[last / ROOT_PAGES].pages - 1u;
    u->ranges[u->range_count++] = (struct user_range){first, last + 1};
    return true;
}

bool uvm_in_range(const struct uvm *u, uint32_t page)
{
    for (unsigned i = 0; i < u->range_count; i++)
        if (page >= u->ranges[i].next && page < u->ranges[i].end)
            return true;
    return false;
}

static bool absent(const struct uvm *u, uint32_t page)
{
    return !(u->pages[page].flags & (RESIDENT | CHOSEN));
}

/* From the range's next page to the end of its root at most. */
static void queue_chunk(struct uvm *u, struct user_range *range)
{
    uint32_t first = range->next, page = first;
    do {
        u->pages[page].flags |= CHOSEN | BY_USER;
        uvm_tree_add(root_of(u, page), page % ROOT_PAGES / LEAF_PAGES, 1);
        if (page == first || page % LEAF_PAGES == 0)
            uvm_smart_note(u, page / LEAF_PAGES);
        page++;
    } while (page < range->end && page % ROOT_PAGES && absent(u, page));
    u->pages[first].length = (uint16_t)(page - first);
    u->pages[first].flags |= CHUNK | USER;
    u->staged_reads += page - first;
    uvm_append(u, &u->reads, first);
    u->user_busy = true;
    range->next = page;
}

void uvm_user_progress(struct uvm *u)
{
    while (u->range_count && !u->user_busy) {
        struct user_range *range = &u->ranges[0];
        while (range->next < range->end && !absent(u, range->next))
            range->next++;
        if (range->next < range->end) {
            queue_chunk(u, range);
            return;
        }
        u->range_count--;
        for (unsigned i = 0; i < u->range_count; i++)
            u->ranges[i] = u->ranges[i + 1];
    }
}

bool uvm_user_waits(const struct uvm *u)
{
    return u->range_count && !u->user_busy;
}

unsigned uvm_user_ranges(const struct uvm *u)
{
    return u->range_count;
}

/* ---- synchronise ---- */

uint64_t uvm_home_bytes(unsigned n, uint64_t left)
{
    static const uint16_t pattern[] = {4, 60,  4, 60,  4, 124,
                                       4, 252, 4, 508, 4, 1020};
    uint64_t size = pattern[n % 12] * 1024ull;
    return size < left ? size : left;
}

/* What a program did to its memory before it gave it back to the host says
 * nothing of what comes: accesses count anew, and patterns are seen anew. */
static void forget_uses(struct uvm *u, struct uvm_allocation *a)
{
    a->kernel = 0;
    a->went_back = a->linear = a->random = a->reuse = false;
    for (uint32_t root = a->root; root < a->root + a->roots; root++) {
        struct uvm_root *r = &u->roots[root];
        r->accesses = 0;
        r->read = r->written = false;
        for (uint32_t i = 0; i < ROOT_LEAVES; i++) {
            struct uvm_leaf *leaf = &u->leaves[root * ROOT_LEAVES + i];
            leaf->accesses = 0;
            leaf->trips = 0;
            leaf->kernel = 0;
        }
    }
}

/* Memory is empty, so it has not been too small yet; what smart runtime chose
 * is undone. */
static void forget_policy(struct uvm *u)
{
    u->oversubscribed = false;
    u->evict = u->options.evict;
    u->dma = u->options.dma;
}

static uint64_t clean_allocation(struct uvm *u, struct uvm_allocation *a)
{
    uint64_t dirty = 0;
    uint32_t first = a->root * ROOT_PAGES;
    if (!u->options.sync_keep)
        forget_uses(u, a);
    for (uint32_t i = 0; i < a->roots * ROOT_PAGES; i++) {
        struct uvm_page_state *p = &u->pages[first + i];
        if (!u->options.sync_keep)
            p->flags &= (uint16_t)~EVICTED;
        if (!(p->flags & RESIDENT))
            continue;
        if (p->flags & DIRTY)
            dirty += is_big(u) ? root_of(u, first + i)->pages : 1u;
        p->flags &= (uint16_t)~DIRTY;
        if (u->options.sync_keep)
            continue;
        p->flags &= (uint16_t) ~(RESIDENT | PREFETCHED | BY_USER);
        uvm_unlist_page(u, first + i);
        uvm_tree_add(root_of(u, first + i), i % ROOT_PAGES / LEAF_PAGES, -1);
        u->used--;
    }
    return dirty * UVM_PAGE;
}

bool uvm_synchronise(struct uvm *u, unsigned n, uint64_t *bytes)
{
    if (n >= u->allocation_count) {
        if (!u->options.sync_keep)
            forget_policy(u);
        return false;
    }
    *bytes = clean_allocation(u, &u->allocations[n]);
    u->stats->sync_bytes += *bytes;
    uint64_t left = *bytes;
    for (unsigned i = 0; left; i++, u->stats->sync_transfers++)
        left -= uvm_home_bytes(i, left);
    return true;
}
