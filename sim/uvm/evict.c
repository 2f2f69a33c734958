/*
 * Eviction: one victim and what goes with it is a set of pages of one root. Its
 * runs of adjacent pages are write-backs, which wait (staged) for the write
 * channel; when one starts, its pages are gone.
 */
#include "sim/uvm/uvm_private.h"
#include <stdlib.h>

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

static void stage(struct uvm *u, uint32_t root, const struct page_mask *victims)
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
static void pick(struct uvm *u, struct page_mask *victims, uint32_t page)
{
    mask_add(victims, page);
    u->pages[page].flags |= STAGED;
    leaf_of(u, page)->staged++;
    uvm_unlist_page(u, page);
    uvm_tree_add(root_of(u, page), page % ROOT_PAGES / LEAF_PAGES, -1);
}

static void pick_leaf(struct uvm *u, struct page_mask *victims, uint32_t leaf)
{
    uint32_t first = leaf * LEAF_PAGES;
    for (uint32_t page = first; page < first + LEAF_PAGES; page++)
        if ((u->pages[page].flags & (RESIDENT | STAGED)) == RESIDENT)
            pick(u, victims, page);
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
    u->writes.count--;
    u->staged_writes -= length;
    u->stats->spared += length;
    for (uint32_t i = 0; i < length; i++)
        unpick(u, first + i);
}

/* ---- the tree ---- */

/* A leaf goes along if all of it is here, and nobody holds it. */
static void empty(struct uvm *u, struct page_mask *victims, uint32_t root,
                  uint32_t node)
{
    const struct uvm_root *r = &u->roots[root];
    if (node < r->leaves) {
        empty(u, victims, root, 2 * node);
        empty(u, victims, root, 2 * node + 1);
        return;
    }
    const struct uvm_leaf *l =
        &u->leaves[root * ROOT_LEAVES + node - r->leaves];
    if (l->listed == LEAF_PAGES && !l->pins)
        pick_leaf(u, victims, root * ROOT_LEAVES + node - r->leaves);
}

/* A node less than half full is emptied; in an order as good as post-order. */
static void shrink(struct uvm *u, struct page_mask *victims, uint32_t root)
{
    const struct uvm_root *r = &u->roots[root];
    for (uint32_t node = r->leaves - 1u; node; node--) {
        uint32_t size = r->pages;
        for (uint32_t n = node; n > 1; n /= 2)
            size /= 2;
        if (r->valid[node] && 2u * r->valid[node] < size)
            empty(u, victims, root, node);
    }
}

void uvm_evict_tree(struct uvm *u, uint32_t page)
{
    struct page_mask victims = {{0}};
    pick_leaf(u, &victims, page / LEAF_PAGES);
    shrink(u, &victims, page / ROOT_PAGES);
    stage(u, page / ROOT_PAGES, &victims);
}

/* ---- whose turn it is ---- */

static bool root_held(const struct uvm *u, uint32_t root)
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

/* The first leaf after the reserved ones that nobody holds. */
static uint32_t victim_leaf(const struct uvm *u)
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

static uint32_t victim_root(const struct uvm *u)
{
    uint64_t skip = (uint64_t)u->root_list.count * u->options.reserve / 100;
    for (uint32_t r = u->root_list.first; r != UVM_NONE; r = u->roots[r].next) {
        if (skip)
            skip--;
        else if (!root_held(u, r))
            return r;
    }
    return UVM_NONE;
}

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
        if (!root_held(u, u->sort[i].root))
            return u->sort[i].root;
    return UVM_NONE;
}

static uint32_t victim_page(const struct uvm *u)
{
    uint32_t page = u->candidates.first;
    while (page != UVM_NONE && u->pages[page].pins)
        page = u->page_links[page].next;
    return page;
}

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

static bool evict_root(struct uvm *u, uint32_t root)
{
    struct page_mask victims = {{0}};
    if (root == UVM_NONE)
        return false;
    for (uint32_t i = 0; i < u->roots[root].leaves; i++)
        pick_leaf(u, &victims, root * ROOT_LEAVES + i);
    stage(u, root, &victims);
    return true;
}

static bool evict_leaf(struct uvm *u, uint32_t leaf, bool tree)
{
    struct page_mask victims = {{0}};
    if (leaf == UVM_NONE)
        return false;
    pick_leaf(u, &victims, leaf);
    if (tree)
        shrink(u, &victims, leaf / ROOT_LEAVES);
    stage(u, leaf / ROOT_LEAVES, &victims);
    return true;
}

static bool evict_page(struct uvm *u, uint32_t page)
{
    struct page_mask victims = {{0}};
    if (page == UVM_NONE)
        return false;
    pick(u, &victims, page);
    stage(u, page / ROOT_PAGES, &victims);
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
    switch (u->evict) {
    case UVM_LRU_2M:
        return evict_root(u, victim_root(u));
    case UVM_LFU_2M:
        return evict_root(u, least_used_root(u));
    case UVM_ANY_4K:
        return evict_page(u, random_page(u));
    case UVM_LRU_4K:
        return evict_page(u, victim_page(u));
    default:
        return evict_leaf(u, victim_leaf(u), u->evict == UVM_TREE);
    }
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
