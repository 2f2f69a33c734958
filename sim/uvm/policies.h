/*
 * The policies of paging, which are rows of two tables: which pages come along
 * with those that were asked for (UVM_PREFETCHES), and what leaves when memory
 * is full (UVM_EVICTIONS), in uvm.h. A policy is a file prefetch_NAME.c with
 * its row uvm_prefetcher_NAME, or evict_NAME.c with uvm_eviction_NAME; the
 * choices of parameters are the names. Here is what they have in common.
 */
#ifndef SIM_UVM_POLICIES_H
#define SIM_UVM_POLICIES_H

#include "sim/uvm/uvm.h"

struct uvm_root;
struct page_mask;

/* One of both, or neither. With pages of 2 MB neither is asked. */
struct uvm_prefetcher {
    /* Adds to the set of a root's pages that are fetched in this turn, which
     * has those that were asked for. */
    void (*choose)(struct uvm *u, uint32_t root, struct page_mask *chosen);
    /* Queues the transfers of the root's turn itself. */
    void (*turn)(struct uvm *u, uint32_t root);
};

struct uvm_eviction {
    bool pages; /* pages leave alone: there are lists of them */
    bool roots; /* roots leave: it will do for pages of 2 MB */
    /* Chooses a victim and what goes with it, and stages it. False: none. */
    bool (*evict)(struct uvm *u);
};

#define UVM_PREFETCHER(name)                                                   \
    extern const struct uvm_prefetcher uvm_prefetcher_##name;
#define UVM_EVICTION(name) extern const struct uvm_eviction uvm_eviction_##name;
UVM_PREFETCHES(UVM_PREFETCHER, UVM_PREFETCHER)
UVM_EVICTIONS(UVM_EVICTION, UVM_EVICTION)

const struct uvm_eviction *uvm_eviction(enum uvm_evict evict);
/* False: pages of 2 MB want a policy that evicts roots; names them. */
bool uvm_only_roots(struct error *error);

/* ---- for prefetchers ---- */

/* A page, and all pages of a leaf that are neither here nor on their way, are
 * on their way from now on. */
void uvm_choose(struct uvm *u, struct page_mask *chosen, uint32_t page);
void uvm_choose_leaf(struct uvm *u, struct page_mask *chosen, uint32_t root,
                     uint32_t leaf);
/* The leaves of the pages that were asked for. */
void uvm_choose_faulty_leaves(struct uvm *u, uint32_t root,
                              struct page_mask *chosen);
/* A transfer of chosen pages up to `end`; fault: it ends one. */
void uvm_queue_transfer(struct uvm *u, uint32_t first, uint32_t end,
                        bool fault);

/* ---- for eviction ---- */

/* The page, or all of the leaf that is resident, is a victim; then the set is
 * staged, and its root put in order. */
void uvm_pick(struct uvm *u, struct page_mask *victims, uint32_t page);
void uvm_pick_leaf(struct uvm *u, struct page_mask *victims, uint32_t leaf);
void uvm_stage(struct uvm *u, uint32_t root, const struct page_mask *victims);
/* Is a page of the root pinned? */
bool uvm_root_held(const struct uvm *u, uint32_t root);
/* The first leaf after the reserved ones that is not pinned, or UVM_NONE. */
uint32_t uvm_victim_leaf(const struct uvm *u);
/* All of the root, or the page, is the victim; UVM_NONE: there is none. */
bool uvm_evict_root(struct uvm *u, uint32_t root);
bool uvm_evict_page(struct uvm *u, uint32_t page);

#endif
