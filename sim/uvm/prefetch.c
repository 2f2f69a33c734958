/*
 * Prefetching: the faults of a turn, by root, become a set of pages, to which a
 * policy adds some (policies.h); the common splitter makes transfers of the
 * set.
 */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

#define PREFETCHER_ROW(name) &uvm_prefetcher_##name,
static const struct uvm_prefetcher *const prefetchers[] = {
    UVM_PREFETCHES(PREFETCHER_ROW, PREFETCHER_ROW)};

void uvm_tree_add(struct uvm_root *r, uint32_t leaf, int pages)
{
    for (uint32_t node = r->leaves + leaf; node; node /= 2)
        r->valid[node] = (uint16_t)(r->valid[node] + pages);
}

/* A page is on its way from now on. */
void uvm_choose(struct uvm *u, struct page_mask *chosen, uint32_t page)
{
    mask_add(chosen, page);
    u->pages[page].flags |= CHOSEN;
    uvm_tree_add(root_of(u, page), page % ROOT_PAGES / LEAF_PAGES, 1);
}

/* All pages of a leaf that are neither here nor on their way. */
void uvm_choose_leaf(struct uvm *u, struct page_mask *chosen, uint32_t root,
                     uint32_t leaf)
{
    uint32_t first = root * ROOT_PAGES + leaf * LEAF_PAGES;
    for (uint32_t page = first; page < first + LEAF_PAGES; page++)
        if (!(u->pages[page].flags & (RESIDENT | CHOSEN)))
            uvm_choose(u, chosen, page);
}

/* ---- the splitter ---- */

/* Is the page only mapped in this turn? */
static bool is_mapped(const struct uvm *u, uint32_t page)
{
    return root_of(u, page)->first_write && u->pages[page].flags & BLANK;
}

void uvm_queue_transfer(struct uvm *u, uint32_t first, uint32_t end, bool fault)
{
    struct uvm_page_state *p = &u->pages[first];
    p->length = (uint16_t)(end - first);
    p->flags |= CHUNK | (fault ? ENDS_FAULT : 0);
    p->flags |= is_mapped(u, first) ? MAPPED : 0;
    u->staged_reads += p->length;
    uvm_append(u, &u->reads, first);
}

/* Ascending; a transfer ends before a gap, where pages begin or end that are
 * only mapped, and after each faulty page. */
static void split(struct uvm *u, uint32_t root, const struct page_mask *chosen)
{
    const uint64_t *faults = u->roots[root].faults;
    uint32_t first = UVM_NONE, page = root * ROOT_PAGES, noted = UVM_NONE;
    for (uint32_t end = page + u->roots[root].pages; page < end; page++) {
        bool holds = mask_holds(chosen->words, page);
        if (first != UVM_NONE &&
            (!holds || is_mapped(u, page) != is_mapped(u, first))) {
            uvm_queue_transfer(u, first, page, false);
            first = UVM_NONE;
        }
        if (!holds)
            continue;
        if (page / LEAF_PAGES != noted)
            uvm_smart_note(u, noted = page / LEAF_PAGES);
        if (first == UVM_NONE)
            first = page;
        if (mask_holds(faults, page) && !is_big(u)) {
            uvm_queue_transfer(u, first, page + 1, true);
            first = UVM_NONE;
        }
    }
    if (first != UVM_NONE)
        uvm_queue_transfer(u, first, page, is_big(u));
}

/* ---- the turn ---- */

static void root_turn(struct uvm *u, uint32_t root,
                      const struct uvm_prefetcher *by)
{
    struct uvm_root *r = &u->roots[root];
    struct page_mask chosen = {{0}};
    for (uint32_t i = 0; i < MASK_WORDS; i++)
        chosen.words[i] = r->faults[i];
    if (is_big(u))
        for (uint32_t leaf = 0; leaf < r->leaves; leaf++)
            uvm_choose_leaf(u, &chosen, root, leaf);
    else if (by->choose)
        by->choose(u, root, &chosen);
    split(u, root, &chosen);
}

/* Puts a root into the list of the turn, by address. */
static void enter_root(struct uvm *u, uint32_t *list, uint32_t root)
{
    while (*list != UVM_NONE &&
           u->roots[*list].address < u->roots[root].address)
        list = &u->roots[*list].turn_next;
    if (*list == root)
        return;
    u->roots[root].turn_next = *list;
    *list = root;
}

void uvm_turn(struct uvm *u, struct uvm_batch batch)
{
    uint32_t roots = UVM_NONE;
    for (uint32_t page = batch.first; page != UVM_NONE;) {
        struct uvm_root *r = root_of(u, page);
        r->faults[page % ROOT_PAGES / 64] |= 1ull << page % 64;
        r->first_write |= (u->pages[page].flags & FIRST_WRITE) != 0;
        u->pages[page].flags &= (uint16_t)~FIRST_WRITE;
        enter_root(u, &roots, page / ROOT_PAGES);
        uint32_t next = u->pages[page].link;
        u->pages[page].link = UVM_NONE;
        page = next;
    }
    u->stats->turns += batch.count > 0;
    const struct uvm_prefetcher *by =
        prefetchers[u->oversubscribed ? u->options.prefetch_oversub
                                      : u->options.prefetch];
    for (; roots != UVM_NONE; roots = u->roots[roots].turn_next) {
        if (by->turn && !is_big(u))
            by->turn(u, roots);
        else
            root_turn(u, roots, by);
        for (uint32_t i = 0; i < MASK_WORDS; i++)
            u->roots[roots].faults[i] = 0;
        u->roots[roots].first_write = false;
    }
}
