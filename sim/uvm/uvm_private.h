/*
 * What managed memory consists of. Pages, leaves and roots lie in arrays; a
 * root has room for 512 pages and 32 leaves whatever its size, so that numbers
 * follow from one another: page / 512 is its root, page / 16 its leaf.
 *
 * Queues and lists lead through the pages, leaves and roots themselves.
 */
#ifndef SIM_UVM_PRIVATE_H
#define SIM_UVM_PRIVATE_H

#include "sim/uvm/uvm.h"

#define LEAF_PAGES 16u
#define ROOT_PAGES 512u
#define ROOT_LEAVES 32u
#define NO_LEAF 0xffu
#define MASK_WORDS (ROOT_PAGES / 64)
#define COUNT_MAX ((1u << 27) - 1) /* accesses of a leaf or root */
#define TRIPS_MAX 31u

enum {
    RESIDENT = 1,
    DIRTY = 2,
    CHOSEN = 4,       /* it has an entry in the far-fault MSHR */
    STAGED = 8,       /* its write-back waits */
    CHUNK = 16,       /* first page of a queued transfer or write-back */
    ENDS_FAULT = 32,  /* of a transfer: it ends with a faulty page */
    FAULT_DONE = 64,  /* its fault entry has had its time */
    USER = 128,       /* of a transfer: a user prefetch */
    PREFETCHED = 256, /* no access has touched it since it came */
    EVICTED = 512,    /* it was resident before */
    BY_USER = 1024,   /* likewise, or it is on its way, by a user prefetch */
    KEPT_BACK = 2048, /* among the first ones of the list, that are reserved */
    BLANK = 4096,     /* it has no contents: it was never on the device */
    FIRST_WRITE = 8192, /* of a new fault: a write of a blank page */
    MAPPED = 16384,     /* of a transfer: its pages are blank, and no bytes
                           come */
};

struct uvm_page_state {
    struct uvm_waiters waiters;
    /* Of a new fault: the next one. First page of a chunk: the next chunk.
     * Another staged page: the first page of its chunk. */
    uint32_t link;
    uint16_t length; /* of the chunk that begins here, in pages */
    uint16_t flags;
    uint16_t pins;
};

struct uvm_leaf {
    uint64_t stamp; /* of the latest touch */
    uint32_t accesses, pins;
    uint32_t kernel;    /* the last one that scheduled it, from 1 on */
    uint8_t prev, next; /* in its root's list, oldest first */
    uint8_t listed;     /* pages resident and not staged */
    uint8_t staged;
    uint8_t trips; /* round trips to the host */
};

struct uvm_root {
    uint64_t address;
    uint64_t faults[MASK_WORDS]; /* of this turn */
    uint32_t turn_next;          /* root of this turn, in order of addresses */
    uint32_t prev, next;         /* by the stamp of the newest leaf */
    uint32_t allocation, accesses;
    uint16_t pages, leaves; /* powers of two */
    uint16_t listed;
    uint8_t oldest, newest;          /* leaves */
    bool read, written;              /* since it became resident */
    bool first_write;                /* is among this turn's faults */
    uint16_t valid[2 * ROOT_LEAVES]; /* heap from 1 on: pages below that are
                                        resident and not staged, or chosen */
};

struct uvm_allocation {
    uint64_t address, bytes;
    uint32_t root, roots; /* first one, how many */
    /* What smart runtime has seen: the kernel (from 1 on) and block that were
     * last, whether that kernel went back; kernels that did and did not. */
    uint32_t kernel, block;
    bool went_back, linear, random, reuse;
};

struct uvm_list {
    uint32_t first, last, count;
};
struct uvm_link {
    uint32_t prev, next;
};

struct uvm {
    struct uvm_options options;
    struct uvm_stats *stats;
    uint64_t total, used, staged_reads, staged_writes; /* pages */
    uint64_t stamp, random;
    bool oversubscribed, user_busy;
    enum uvm_evict evict;
    enum uvm_dma dma;
    uint32_t kernel;
    struct uvm_page_state *pages;
    struct uvm_leaf *leaves;
    struct uvm_root *roots;
    uint32_t root_count;
    struct uvm_allocation *allocations;
    uint32_t *by_address; /* allocations */
    uint32_t allocation_count;
    struct uvm_list faults, reads, writes; /* by uvm_page_state.link */
    struct uvm_list root_list;
    /* Only if pages are victims: the list in two parts, of which the first is
     * reserved, and all of them in no order. */
    struct uvm_link *page_links;
    struct uvm_list kept_back, candidates;
    uint32_t *dense, *slot;
    struct uvm_sort *sort; /* room for the roots */
    struct user_range {
        uint32_t next, end; /* pages */
    } ranges[UVM_USER_RANGES];
    unsigned range_count;
};

static inline struct uvm_leaf *leaf_of(const struct uvm *u, uint32_t page)
{
    return &u->leaves[page / LEAF_PAGES];
}
static inline struct uvm_root *root_of(const struct uvm *u, uint32_t page)
{
    return &u->roots[page / ROOT_PAGES];
}
static inline bool is_big(const struct uvm *u)
{
    return u->options.page_bytes != UVM_PAGE;
}

/* A set of a root's pages. */
struct page_mask {
    uint64_t words[MASK_WORDS];
};
static inline void mask_add(struct page_mask *m, uint32_t page)
{
    m->words[page % ROOT_PAGES / 64] |= 1ull << page % 64;
}
static inline bool mask_holds(const uint64_t *words, uint32_t page)
{
    return words[page % ROOT_PAGES / 64] >> page % 64 & 1;
}

/* Queues of chunks: uvm.c. */
void uvm_append(struct uvm *u, struct uvm_list *queue, uint32_t page);
uint32_t uvm_pop(struct uvm *u, struct uvm_list *queue);
/* Adds pages to the count of a leaf (number in its root) and those above. */
void uvm_tree_add(struct uvm_root *r, uint32_t leaf, int pages);

/* lists.c: a page becomes a candidate of eviction, or is none any more; it was
 * touched. order: the root's place may have changed after removals. */
void uvm_list_page(struct uvm *u, uint32_t page);
void uvm_unlist_page(struct uvm *u, uint32_t page);
void uvm_order_root(struct uvm *u, uint32_t root);
void uvm_lists_touch(struct uvm *u, uint32_t page);
void uvm_lists_room(struct uvm *u); /* after root_count has grown */
void uvm_lists_state(struct uvm *u, struct state *s);

/* evict.c */
void uvm_cancel(struct uvm *u, uint32_t page);

/* zero_copy.c */
void uvm_count_access(struct uvm *u, uint32_t page);
void uvm_count_trip(struct uvm *u, uint32_t root);
bool uvm_migrates(struct uvm *u, uint32_t page, bool write);

/* smart.c: a leaf is scheduled. */
void uvm_smart_note(struct uvm *u, uint32_t leaf);

/* user.c */
bool uvm_in_range(const struct uvm *u, uint32_t page);

/* A number from 0 to below `below`: splitmix64. */
uint32_t uvm_random(struct uvm *u, uint32_t below);

#endif
