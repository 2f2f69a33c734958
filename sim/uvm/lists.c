/*
 * The order in which pages leave: roots by the stamp of their newest leaf, and
 * leaves by stamp within a root; where single pages are victims, pages too. All
 * are lists through the things themselves, oldest first: what is touched moves
 * to the end.
 */
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"
#include <assert.h>

/* ---- leaves of a root ---- */

static void unlink_leaf(struct uvm *u, uint32_t root, uint32_t leaf)
{
    struct uvm_root *r = &u->roots[root];
    struct uvm_leaf *all = &u->leaves[root * ROOT_LEAVES], *l = &all[leaf];
    if (l->prev != NO_LEAF)
        all[l->prev].next = l->next;
    else
        r->oldest = l->next;
    if (l->next != NO_LEAF)
        all[l->next].prev = l->prev;
    else
        r->newest = l->prev;
}

static void append_leaf(struct uvm *u, uint32_t root, uint32_t leaf)
{
    struct uvm_root *r = &u->roots[root];
    struct uvm_leaf *all = &u->leaves[root * ROOT_LEAVES], *l = &all[leaf];
    l->prev = r->newest;
    l->next = NO_LEAF;
    if (r->newest != NO_LEAF)
        all[r->newest].next = (uint8_t)leaf;
    else
        r->oldest = (uint8_t)leaf;
    r->newest = (uint8_t)leaf;
}

/* ---- roots ---- */

static void unlink_root(struct uvm *u, uint32_t root)
{
    struct uvm_root *r = &u->roots[root];
    if (r->prev != UVM_NONE)
        u->roots[r->prev].next = r->next;
    else
        u->root_list.first = r->next;
    if (r->next != UVM_NONE)
        u->roots[r->next].prev = r->prev;
    else
        u->root_list.last = r->prev;
    assert(u->root_list.count);
    u->root_list.count--;
}

/* after: UVM_NONE: at the begin. */
static void link_root(struct uvm *u, uint32_t root, uint32_t after)
{
    struct uvm_root *r = &u->roots[root];
    r->prev = after;
    r->next = after == UVM_NONE ? u->root_list.first : u->roots[after].next;
    if (after == UVM_NONE)
        u->root_list.first = root;
    else
        u->roots[after].next = root;
    if (r->next == UVM_NONE)
        u->root_list.last = root;
    else
        u->roots[r->next].prev = root;
    u->root_list.count++;
}

static uint64_t newest_stamp(const struct uvm *u, uint32_t root)
{
    return u->leaves[root * ROOT_LEAVES + u->roots[root].newest].stamp;
}

void uvm_order_root(struct uvm *u, uint32_t root)
{
    if (!u->roots[root].listed)
        return;
    uint64_t stamp = newest_stamp(u, root);
    uint32_t after = u->roots[root].prev;
    unlink_root(u, root);
    while (after != UVM_NONE && newest_stamp(u, after) > stamp)
        after = u->roots[after].prev;
    link_root(u, root, after);
}

/* ---- pages ---- */

static void unlink_page(struct uvm *u, struct uvm_list *list, uint32_t page)
{
    struct uvm_link *l = &u->page_links[page];
    if (l->prev != UVM_NONE)
        u->page_links[l->prev].next = l->next;
    else
        list->first = l->next;
    if (l->next != UVM_NONE)
        u->page_links[l->next].prev = l->prev;
    else
        list->last = l->prev;
    assert(list->count);
    list->count--;
}

/* at_end: else before the first one. */
static void link_page(struct uvm *u, struct uvm_list *list, uint32_t page,
                      bool at_end)
{
    struct uvm_link *l = &u->page_links[page];
    l->prev = at_end ? list->last : UVM_NONE;
    l->next = at_end ? UVM_NONE : list->first;
    if (l->prev != UVM_NONE)
        u->page_links[l->prev].next = page;
    else
        list->first = page;
    if (l->next != UVM_NONE)
        u->page_links[l->next].prev = page;
    else
        list->last = page;
    list->count++;
}

/* The first part has its share of the whole. */
static void share_pages(struct uvm *u)
{
    uint64_t all = u->kept_back.count + u->candidates.count;
    uint64_t wanted = all * u->options.reserve / 100;
    while (u->kept_back.count < wanted) {
        uint32_t page = u->candidates.first;
        unlink_page(u, &u->candidates, page);
        link_page(u, &u->kept_back, page, true);
        u->pages[page].flags |= KEPT_BACK;
    }
    while (u->kept_back.count > wanted) {
        uint32_t page = u->kept_back.last;
        unlink_page(u, &u->kept_back, page);
        link_page(u, &u->candidates, page, false);
        u->pages[page].flags &= (uint16_t)~KEPT_BACK;
    }
}

static void take_page(struct uvm *u, uint32_t page)
{
    bool kept = u->pages[page].flags & KEPT_BACK;
    unlink_page(u, kept ? &u->kept_back : &u->candidates, page);
    u->pages[page].flags &= (uint16_t)~KEPT_BACK;
}

static void enter_page(struct uvm *u, uint32_t page)
{
    uint32_t n = u->kept_back.count + u->candidates.count;
    u->dense[n] = page;
    u->slot[page] = n;
    link_page(u, &u->candidates, page, true);
    share_pages(u);
}

static void leave_page(struct uvm *u, uint32_t page)
{
    take_page(u, page);
    uint32_t last = u->dense[u->kept_back.count + u->candidates.count];
    u->dense[u->slot[page]] = last;
    u->slot[last] = u->slot[page];
    share_pages(u);
}

static void touch_page(struct uvm *u, uint32_t page)
{
    take_page(u, page);
    link_page(u, &u->candidates, page, true);
    share_pages(u);
}

static bool pages_leave_alone(const struct uvm *u)
{
    return uvm_eviction(u->options.evict)->pages;
}

/* ---- all of them ---- */

void uvm_lists_touch(struct uvm *u, uint32_t page)
{
    uint32_t root = page / ROOT_PAGES, leaf = page % ROOT_PAGES / LEAF_PAGES;
    leaf_of(u, page)->stamp = ++u->stamp;
    if (u->roots[root].newest != leaf) {
        unlink_leaf(u, root, leaf);
        append_leaf(u, root, leaf);
    }
    if (u->root_list.last != root) {
        unlink_root(u, root);
        link_root(u, root, u->root_list.last);
    }
    if (pages_leave_alone(u))
        touch_page(u, page);
}

void uvm_list_page(struct uvm *u, uint32_t page)
{
    uint32_t root = page / ROOT_PAGES, leaf = page % ROOT_PAGES / LEAF_PAGES;
    if (!leaf_of(u, page)->listed++)
        append_leaf(u, root, leaf);
    if (!u->roots[root].listed++)
        link_root(u, root, u->root_list.last);
    if (pages_leave_alone(u))
        enter_page(u, page);
    uvm_lists_touch(u, page);
}

void uvm_unlist_page(struct uvm *u, uint32_t page)
{
    uint32_t root = page / ROOT_PAGES, leaf = page % ROOT_PAGES / LEAF_PAGES;
    if (!--leaf_of(u, page)->listed)
        unlink_leaf(u, root, leaf);
    if (!--u->roots[root].listed)
        unlink_root(u, root);
    if (pages_leave_alone(u))
        leave_page(u, page);
}

void uvm_lists_room(struct uvm *u)
{
    size_t pages = (size_t)u->root_count * ROOT_PAGES;
    const char *what = "managed memory";
    u->sort = heap_resize(u->sort, u->root_count, 32, what);
    if (!pages_leave_alone(u))
        return;
    u->page_links =
        heap_resize(u->page_links, pages, sizeof *u->page_links, what);
    u->dense = heap_resize(u->dense, pages, sizeof *u->dense, what);
    u->slot = heap_resize(u->slot, pages, sizeof *u->slot, what);
}

void uvm_lists_state(struct uvm *u, struct state *s)
{
    size_t pages = (size_t)u->root_count * ROOT_PAGES;
    if (s->loading && u->root_count)
        uvm_lists_room(u);
    state_fixed(s, u->sort); /* of no use but while it is sorted */
    if (!pages_leave_alone(u))
        return;
    state_bytes(s, u->page_links, pages * sizeof *u->page_links);
    state_bytes(s, u->dense, pages * sizeof *u->dense);
    state_bytes(s, u->slot, pages * sizeof *u->slot);
}
