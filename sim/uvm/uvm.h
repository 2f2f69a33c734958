/*
 * Unified virtual memory without time: which pages of managed memory are on
 * the device, what a far fault brings there, what leaves for it. The unit gmmu
 * gives it requests and cycles; page-run replays files on it; it knows neither.
 *
 * Managed allocations are trees: roots of 2 MB, leaves of 64 KB, pages of 4 KB;
 * the rest of an allocation is rounded up to a smaller tree
 * (corbel_managed_trees). A page is
 * resident, or chosen (it has an entry in the far-fault MSHR from the moment a
 * fault or a prefetcher chose it until it lands), or neither; a resident page
 * may be staged, that is, wait for its write-back.
 *
 * Order of calls in a cycle (the gmmu's order of work): uvm_evict, uvm_wrote,
 * uvm_next_write, uvm_landed, uvm_next_read, uvm_request..., uvm_turn,
 * uvm_user_progress. Nothing here takes time that grows with the number of
 * pages, except where a function says so.
 */
#ifndef SIM_UVM_H
#define SIM_UVM_H

#include "runtime/include/corbel/managed.h"
#include "sim/core/error.h"
#include "sim/core/stat.h"
#include <stdbool.h>
#include <stdint.h>

#define UVM_PAGE 4096u
#define UVM_LEAF CORBEL_MANAGED_BLOCK
#define UVM_ROOT CORBEL_MANAGED_ROOT
#define UVM_NONE UINT32_MAX /* no page, no waiter */
#define UVM_USER_RANGES 64u /* prefetches of the program that can wait */

/* Rows of tables (policies.h): each is UVM_PREFETCH_NAME, UVM_EVICT_NAME. */
#define UVM_PREFETCHES(FIRST, X)                                               \
    FIRST(none)                                                                \
    X(tbn)                                                                     \
    X(sl)                                                                      \
    X(random)                                                                  \
    /* the end of the list: new ones come here */
#define UVM_EVICTIONS(FIRST, X)                                                \
    FIRST(lru2m)                                                               \
    X(tbn)                                                                     \
    X(sl)                                                                      \
    X(random)                                                                  \
    X(lfu2m)                                                                   \
    X(lru4k)                                                                   \
    /* the end of the list: new ones come here */
#define UVM_PREFETCH_ID(name) UVM_PREFETCH_##name,
#define UVM_EVICT_ID(name) UVM_EVICT_##name,
enum uvm_prefetch {
    UVM_PREFETCHES(UVM_PREFETCH_ID, UVM_PREFETCH_ID) UVM_PREFETCH_COUNT
};
enum uvm_evict { UVM_EVICTIONS(UVM_EVICT_ID, UVM_EVICT_ID) UVM_EVICT_COUNT };

enum uvm_dma { UVM_DMA_OFF, UVM_ADAPTIVE, UVM_ALWAYS, UVM_OVERSUB };

struct uvm_options {
    uint64_t device_bytes; /* at least 2 MB, a multiple of 4 KB */
    uint32_t page_bytes;   /* 4 KB or 2 MB */
    enum uvm_prefetch prefetch, prefetch_oversub; /* the second one from the
                                       first over-subscription on */
    enum uvm_evict evict;
    bool invalidate_clean; /* what was never written leaves without transfer */
    unsigned reserve;      /* per cent of the list, oldest first, that are no
                              victims: 0 to 99 */
    unsigned buffer;       /* per cent of memory that is kept free: 0 to 99 */
    enum uvm_dma dma;
    unsigned threshold; /* reads of a leaf before it migrates: 1 to 2^20 */
    unsigned penalty;   /* factor of adaptive: 0 to 1000 */
    bool smart;         /* patterns choose dma and evict */
    bool fault_entries; /* a fault has an entry of its own before its
                           transfer (fault_mode channel) */
    bool first_write_no_copy; /* pages without contents are only mapped, with
                                 faults that are writes to such ones */
    bool sync_keep; /* device synchronise leaves pages resident, clean */
    uint64_t seed;  /* of random choices */
};

struct uvm_options uvm_options_default(uint64_t device_bytes);
bool uvm_options_check(const struct uvm_options *options, struct error *error);

#define UVM_STATS(X)                                                           \
    X(page_accesses, "requests",                                               \
      "walks that ended: looked up in the page table")                         \
    X(page_hits, "requests", "their page was resident")                        \
    X(page_misses, "requests", "it was not")                                   \
    X(far_faults, "faults", "pages that a request was the first to ask for")   \
    X(far_faults_pending, "requests", "waited for a page already under way")   \
    X(turns, "turns", "times that the prefetcher was given new faults")        \
    X(h2d_transfers, "transfers", "to the device, faults and prefetches")      \
    X(h2d_bytes, "bytes", "to the device, faults and prefetches")              \
    X(d2h_transfers, "transfers", "write-backs of evicted pages")              \
    X(d2h_bytes, "bytes", "written back")                                      \
    X(page_validates, "pages", "became resident")                              \
    X(mapped, "pages", "of them had no contents, and came without a transfer") \
    X(prefetched, "pages", "of them were not asked for")                       \
    X(prefetch_used, "pages",                                                  \
      "of those were touched before they were evicted")                        \
    X(victims, "choices", "of what is to leave, those again that stayed")      \
    X(evicted_dirty, "pages", "evicted after they were written")               \
    X(evicted_clean, "pages", "evicted that were only read")                   \
    X(dropped, "pages", "evicted without a transfer")                          \
    X(spared, "pages",                                                         \
      "of these stayed, hit while the write-back waited; each time counts")    \
    X(page_thrash, "pages", "became resident again after an eviction")         \
    X(dma_reads, "requests", "read over PCIe without migration")               \
    X(migrated_by_read, "requests", "reads that zero-copy had migrate")        \
    X(migrated_by_write, "requests", "writes that zero-copy had migrate")      \
    X(user_bytes, "bytes", "of the transfers, by user prefetch")               \
    X(user_hits, "requests", "to a page that user prefetch had brought")       \
    X(user_misses, "requests", "waited for a user prefetch")                   \
    X(sync_transfers, "transfers", "write-backs of device synchronise")        \
    X(sync_bytes, "bytes", "written back by device synchronise")

struct uvm_stats {
    UVM_STATS(STAT_FIELD)
};

/* ---- build ---- */

struct uvm;
struct state; /* sim/core/state.h */

/* The options are possible. To be freed. Counters go to stats. */
struct uvm *uvm_new(const struct uvm_options *options, struct uvm_stats *stats);
void uvm_free(struct uvm *u);
/* Saves it, or loads it into one that was made with the same options. */
void uvm_state(struct uvm *u, struct state *s);

/*
 * Makes [address, address + bytes of its trees) managed; nothing of it is
 * resident.
 * False: address is no multiple of 64 KB, the range is beyond 2^44 or meets
 * another one. Takes time and memory by the size.
 */
bool uvm_allocate(struct uvm *u, uint64_t address, uint64_t bytes,
                  struct error *error);
/* The latest allocation has no contents until it is first written on the
 * device. Takes time by the size. */
void uvm_blank(struct uvm *u);
/* Takes `bytes` of device memory for good (cudaMalloc). */
bool uvm_occupy(struct uvm *u, uint64_t bytes, struct error *error);

/* Another size of device memory, in bytes, rounded down to pages; 2 MB at
 * least. What is resident beyond it leaves as usual. */
void uvm_resize(struct uvm *u, uint64_t bytes);
/* Bytes of the trees of all allocations. */
uint64_t uvm_managed_bytes(const struct uvm *u);

/* ---- pages ---- */

/* The managed page at an address; UVM_NONE: it is not managed. */
uint32_t uvm_page(const struct uvm *u, uint64_t address);
uint64_t uvm_address(const struct uvm *u, uint32_t page);
bool uvm_resident(const struct uvm *u, uint32_t page);
uint64_t uvm_resident_pages(const struct uvm *u);
uint64_t uvm_capacity_pages(const struct uvm *u);
bool uvm_oversubscribed(const struct uvm *u);

/* Requests that wait for a page: a list by numbers of the caller's, which
 * links them, and empties it when the page has landed. */
struct uvm_waiters {
    uint32_t first, last;
};
struct uvm_waiters *uvm_waiters(struct uvm *u, uint32_t page);

/* An access that found its page without a walk (in a TLB). */
void uvm_touch(struct uvm *u, uint32_t page, bool write);
/* While it is pinned, a page is not evicted. */
void uvm_pin(struct uvm *u, uint32_t page);
void uvm_unpin(struct uvm *u, uint32_t page);

/* ---- faults ---- */

enum uvm_outcome {
    UVM_HIT,
    UVM_PENDING, /* it waits for a page under way */
    UVM_FAULT,   /* it waits for its page, which the next turn chooses */
    UVM_DMA,     /* it is answered over PCIe, and nothing becomes resident */
};
enum uvm_outcome uvm_request(struct uvm *u, uint32_t page, bool write);

/* New faults, oldest first. */
struct uvm_batch {
    uint32_t first, count;
};
/* Takes at most `most` of them. */
struct uvm_batch uvm_take_faults(struct uvm *u, uint32_t most);
/* The prefetcher adds pages to those faults, and all are queued as transfers.
 */
void uvm_turn(struct uvm *u, struct uvm_batch batch);

/* ---- transfers ---- */

enum uvm_kind {
    UVM_MIGRATION,
    UVM_USER,        /* of a user prefetch */
    UVM_MAP,         /* of blank pages, without a transfer */
    UVM_FAULT_ENTRY, /* the time of a fault, no bytes */
    UVM_WRITE_BACK,
    UVM_DROP, /* leaves without a transfer */
};
struct uvm_transfer {
    enum uvm_kind kind;
    uint32_t page, pages; /* the first one, and how many */
    bool ends_with_fault;
};
static inline uint64_t uvm_bytes(const struct uvm_transfer *t)
{
    return (uint64_t)t->pages * UVM_PAGE;
}

/* The read channel is idle: what comes next to the device, if there is room. */
bool uvm_next_read(struct uvm *u, struct uvm_transfer *t);
/* It is there: its pages are resident. */
void uvm_landed(struct uvm *u, const struct uvm_transfer *t);
/* Something waits for its channel, or for room. */
bool uvm_read_waits(const struct uvm *u);
bool uvm_write_waits(const struct uvm *u);
/* The write channel is idle: what leaves next. Its pages are gone. */
bool uvm_next_write(struct uvm *u, struct uvm_transfer *t);

/* ---- eviction ---- */

/* If more pages are wanted than there are, chooses one victim and what goes
 * with it. False: there is none, or no need. */
bool uvm_evict(struct uvm *u);
/* The same by hand: the victim is the leaf or the root of a page, by tree
 * pre-eviction. */
void uvm_evict_tree(struct uvm *u, uint32_t page);

/* ---- kernels and the user ---- */

/* Another kernel starts: patterns are of kernels. */
void uvm_kernel(struct uvm *u);
/* Prefetch of a range, outward to pages; false: it is not managed, or too many
 * ranges wait. */
bool uvm_user_prefetch(struct uvm *u, uint64_t address, uint64_t bytes,
                       struct error *error);
/* Queues the next chunk of the oldest range, if none is under way. */
void uvm_user_progress(struct uvm *u);
bool uvm_user_waits(const struct uvm *u);
/* Ranges that are not there yet as a whole. */
unsigned uvm_user_ranges(const struct uvm *u);
/*
 * Device synchronise, of allocation n (in order of uvm_allocate): its dirty
 * pages go back, *bytes in all; then nothing of it is resident, and its
 * accesses and pattern are seen anew (sync_keep: all is that was, but clean).
 * Nothing may be under way. False: there is no such one; memory then counts as
 * never over-subscribed, unless sync_keep. Takes time by the number of pages.
 */
bool uvm_synchronise(struct uvm *u, unsigned n, uint64_t *bytes);
/* Where allocation n begins; there is one. */
uint64_t uvm_allocation_address(const struct uvm *u, unsigned n);
/* Transfer n (0, 1, ...) of those that bring bytes home, left: still to go. */
uint64_t uvm_home_bytes(unsigned n, uint64_t left);

/* What smart runtime thinks of an allocation. */
enum uvm_pattern {
    UVM_PATTERN_NONE, /* no block was scheduled yet */
    UVM_PATTERN_LINEAR,
    UVM_PATTERN_LINEAR_REUSE,
    UVM_PATTERN_RANDOM,
    UVM_PATTERN_RANDOM_REUSE,
    UVM_PATTERN_MIXED,
    UVM_PATTERN_MIXED_REUSE,
};
enum uvm_pattern uvm_pattern(const struct uvm *u, unsigned allocation);
void uvm_smart_update(struct uvm *u);

/* For tests: counts of trees, pages and lists agree, in time by the number of
 * pages. False: error says which do not. */
bool uvm_consistent(const struct uvm *u, struct error *error);
/* The same of one tree (by the cycle, each has its turn) and of the capacity:
 * for checks in each cycle. False: error says what is wrong. */
bool uvm_holds(const struct uvm *u, uint64_t cycle, struct error *error);

#endif
