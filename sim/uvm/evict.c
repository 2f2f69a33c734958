/*
 * Eviction: one victim and what goes with it is a set of pages of one root. Its
 * runs of adjacent pages are write-backs, which wait (staged) for the write
 * channel; when one starts, its pages are gone. The victim is chosen by a
 * policy (policies.h).
 */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

#define EVICTION_ROW(name) &uvm_eviction_##name,
static const struct uvm_eviction *const evictions[] = {
    UVM_EVICTIONS(EVICTION_ROW, EVICTION_ROW)};

const struct uvm_eviction *uvm_eviction(enum uvm_evict evict)
{
    return evictions[evict];
}

bool uvm_only_roots(struct error *error)
{
#define EVICTION_NAME(name) #name,
    static const char *const names[] = {
        UVM_EVICTIONS(EVICTION_NAME, EVICTION_NAME)};
    char those[256] = "";
    for (unsigned i = 0; i < UVM_EVICT_COUNT; i++)
        if (uvm_eviction(i)->roots) {
            size_t used = strlen(those);
            snprintf(those + used, sizeof those - used, "%s%s",
                     used ? " or " : "", names[i]);
        }
    return error_set(error, "pages of 2 MB are evicted as %s", those);
}

/* ---- staging ---- */

static void stage_run(struct uvm *u, uint32_t first, uint32_t end)
{
    u->pages[first].length = (uint16_t)(end - first);
    u->pages[first].flags |= CHUNK;
    for (uint32_t page = first + 1; page < end; page++)
        u->pages[page].link = first;
    u->staged_writes += end - first;
    uvm_append(u, &u->writes, first);
}

void uvm_stage(struct uvm *u, uint32_t root, const struct page_mask *victims)
{
    uint32_t first = UVM_NONE, page = root * ROOT_PAGES;
    for (uint32_t end = page + u->roots[root].pages; page < end; page++) {
        if (mask_holds(victims->words, page)) {
            first = first == UVM_NONE ? page : first;
        } else if (first != UVM_NONE) {
            stage_run(u, first, page);
            first = UVM_NONE;
        }
    }
    if (first != UVM_NONE)
        stage_run(u, first, page);
    uvm_order_root(u, root);
    u->stats->victims++;
}

/* Victims are no candidates any more, and the tree counts them no more. */
void uvm_pick(struct uvm *u, struct page_mask *victims, uint32_t page)
{
    mask_add(victims, page);
    u->pages[page].flags |= STAGED;
    leaf_of(u, page)->staged++;
    uvm_unlist_page(u, page);
    uvm_tree_add(root_of(u, page), page % ROOT_PAGES / LEAF_PAGES, -1);
}

void uvm_pick_leaf(struct uvm *u, struct page_mask *victims, uint32_t leaf)
{
    uint32_t first = leaf * LEAF_PAGES;
    for (uint32_t page = first; page < first + LEAF_PAGES; page++)
        if ((u->pages[page].flags & (RESIDENT | STAGED)) == RESIDENT)
            uvm_pick(u, victims, page);
}

static void unpick(struct uvm *u, uint32_t page)
{
    u->pages[page].flags &= (uint16_t) ~(STAGED | CHUNK);
    u->pages[page].link = UVM_NONE;
    leaf_of(u, page)->staged--;
    uvm_tree_add(root_of(u, page), page % ROOT_PAGES / LEAF_PAGES, 1);
    uvm_list_page(u, page);
}

void uvm_cancel(struct uvm *u, uint32_t page)
{
    uint32_t first = u->pages[page].flags & CHUNK ? page : u->pages[page].link;
    uint32_t before = UVM_NONE, length = u->pages[first].length;
    for (uint32_t at = u->writes.first; at != first; at = u->pages[at].link)
        before = at;
    if (before == UVM_NONE)
        u->writes.first = u->pages[first].link;
    else
        u->pages[before].link = u->pages[first].link;
    if (u->writes.last == first)
        u->writes.last = before;
    assert(u->writes.count);
    u->writes.count--;
    u->staged_writes -= length;
    u->stats->spared += length;
    for (uint32_t i = 0; i < length; i++)
        unpick(u, first + i);
}

/* ---- for policies ---- */

bool uvm_root_held(const struct uvm *u, uint32_t root)
{
    for (uint32_t i = 0; i < u->roots[root].leaves; i++)
        if (u->leaves[root * ROOT_LEAVES + i].pins)
            return true;
    return false;
}

static unsigned listed_leaves(const struct uvm *u, uint32_t root)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < u->roots[root].leaves; i++)
        n += u->leaves[root * ROOT_LEAVES + i].listed > 0;
    return n;
}

/* The first leaf after the reserved ones that nothing holds. */
uint32_t uvm_victim_leaf(const struct uvm *u)
{
    uint64_t skip = 0, leaves = 0;
    if (u->options.reserve)
        for (uint32_t r = u->root_list.first; r != UVM_NONE;
             r = u->roots[r].next)
            leaves += listed_leaves(u, r);
    skip = leaves * u->options.reserve / 100;
    for (uint32_t r = u->root_list.first; r != UVM_NONE; r = u->roots[r].next) {
        const struct uvm_leaf *all = &u->leaves[r * ROOT_LEAVES];
        for (uint32_t i = u->roots[r].oldest; i != NO_LEAF; i = all[i].next) {
            if (skip)
                skip--;
            else if (!all[i].pins)
                return r * ROOT_LEAVES + i;
        }
    }
    return UVM_NONE;
}

bool uvm_evict_root(struct uvm *u, uint32_t root)
{
    struct page_mask victims = {{0}};
    if (root == UVM_NONE)
        return false;
    for (uint32_t i = 0; i < u->roots[root].leaves; i++)
        uvm_pick_leaf(u, &victims, root * ROOT_LEAVES + i);
    uvm_stage(u, root, &victims);
    return true;
}

bool uvm_evict_page(struct uvm *u, uint32_t page)
{
    struct page_mask victims = {{0}};
    if (page == UVM_NONE)
        return false;
    uvm_pick(u, &victims, page);
    uvm_stage(u, page / ROOT_PAGES, &victims);
    return true;
}

/* Are more pages wanted than there are? Pages of write-backs that run are free
 * already; those staged will be. */
static bool over_limit(const struct uvm *u)
{
    return (u->used + u->staged_reads) * 100 + u->options.buffer * u->total >
           (u->total + u->staged_writes) * 100;
}

bool uvm_evict(struct uvm *u)
{
    if (!over_limit(u))
        return false;
    u->oversubscribed = true;
    if (u->options.smart)
        uvm_smart_update(u);
    return evictions[u->evict]->evict(u);
}

/* ---- write-backs ---- */

/* The pages are gone. Were any of them written? */
static bool leave(struct uvm *u, const struct uvm_transfer *t)
{
    uint32_t dirty = 0;
    for (uint32_t page = t->page; page < t->page + t->pages; page++) {
        struct uvm_page_state *p = &u->pages[page];
        dirty += !!(p->flags & DIRTY);
        p->flags &= (uint16_t) ~(RESIDENT | DIRTY | STAGED | CHUNK |
                                 PREFETCHED | BY_USER);
        p->flags |= EVICTED;
        p->link = UVM_NONE;
        leaf_of(u, page)->staged--;
    }
    u->used -= t->pages;
    u->staged_writes -= t->pages;
    u->stats->evicted_dirty += dirty;
    u->stats->evicted_clean += t->pages - dirty;
    struct uvm_root *r = root_of(u, t->page);
    if (!r->listed)
        r->read = r->written = false;
    uvm_count_trip(u, t->page / ROOT_PAGES);
    return dirty;
}

bool uvm_next_write(struct uvm *u, struct uvm_transfer *t)
{
    if (!u->writes.count)
        return false;
    uint32_t page = uvm_pop(u, &u->writes);
    *t = (struct uvm_transfer){
        .kind = UVM_WRITE_BACK, .page = page, .pages = u->pages[page].length};
    if (!leave(u, t) && u->options.invalidate_clean) {
        t->kind = UVM_DROP;
        u->stats->dropped += t->pages;
    } else {
        u->stats->d2h_transfers++;
        u->stats->d2h_bytes += uvm_bytes(t);
    }
    return true;
}
