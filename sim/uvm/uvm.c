/*
 * Managed memory: allocations, the page table, requests and the transfers
 * that they bring about.
 */
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS_END (1ull << 44)

/* ---- options ---- */

struct uvm_options uvm_options_default(uint64_t device_bytes)
{
    return (struct uvm_options){
        .device_bytes = device_bytes,
        .page_bytes = UVM_PAGE,
        .prefetch = UVM_PREFETCH_tbn,
        .prefetch_oversub = UVM_PREFETCH_none,
        .evict = UVM_EVICT_lru2m,
        .threshold = 10,
        .seed = 1,
    };
}

bool uvm_options_check(const struct uvm_options *o, struct error *error)
{
    if (o->page_bytes != UVM_PAGE && o->page_bytes != UVM_ROOT)
        return error_set(error,
                         "pages of %u bytes; 4096 or 2097152 is expected",
                         o->page_bytes);
    if (o->device_bytes < UVM_ROOT || o->device_bytes % o->page_bytes ||
        o->device_bytes / UVM_PAGE > INT32_MAX)
        return error_set(error,
                         "device memory of %" PRIu64 " bytes; whole pages of "
                         "2 MB (one root) to 8 TB are expected",
                         o->device_bytes);
    if (is_big(&(struct uvm){.options = *o}) && !uvm_eviction(o->evict)->roots)
        return uvm_only_roots(error);
    return true;
}

/* ---- build ---- */

struct uvm *uvm_new(const struct uvm_options *options, struct uvm_stats *stats)
{
    struct uvm *u = heap_new(1, sizeof *u, "managed memory");
    u->options = *options;
    u->stats = stats;
    u->total = options->device_bytes / UVM_PAGE;
    u->random = options->seed;
    u->evict = options->evict;
    u->dma = options->dma;
    struct uvm_list none = {UVM_NONE, UVM_NONE, 0};
    u->faults = u->reads = u->writes = none;
    u->root_list = u->kept_back = u->candidates = none;
    return u;
}

void uvm_free(struct uvm *u)
{
    if (!u)
        return;
    free(u->pages);
    free(u->leaves);
    free(u->roots);
    free(u->allocations);
    free(u->by_address);
    free(u->page_links);
    free(u->dense);
    free(u->slot);
    free(u->sort);
    free(u);
}

static void add_root(struct uvm *u, uint64_t address, uint64_t bytes)
{
    uint32_t n = u->root_count++;
    struct uvm_root *r = &u->roots[n];
    *r = (struct uvm_root){.address = address,
                           .allocation = u->allocation_count,
                           .turn_next = UVM_NONE,
                           .prev = UVM_NONE,
                           .next = UVM_NONE,
                           .pages = (uint16_t)(bytes / UVM_PAGE),
                           .leaves = (uint16_t)(bytes / UVM_LEAF),
                           .oldest = NO_LEAF,
                           .newest = NO_LEAF};
    for (uint32_t i = 0; i < ROOT_PAGES; i++)
        u->pages[n * ROOT_PAGES + i] = (struct uvm_page_state){
            .waiters = {UVM_NONE, UVM_NONE}, .link = UVM_NONE};
    for (uint32_t i = 0; i < ROOT_LEAVES; i++)
        u->leaves[n * ROOT_LEAVES + i] =
            (struct uvm_leaf){.prev = NO_LEAF, .next = NO_LEAF};
}

static void make_room(struct uvm *u, uint32_t roots)
{
    size_t n = u->root_count + roots, a = u->allocation_count + 1u;
    const char *what = "managed memory";
    u->roots = heap_resize(u->roots, n, sizeof *u->roots, what);
    u->leaves =
        heap_resize(u->leaves, n * ROOT_LEAVES, sizeof *u->leaves, what);
    u->pages = heap_resize(u->pages, n * ROOT_PAGES, sizeof *u->pages, what);
    u->allocations =
        heap_resize(u->allocations, a, sizeof *u->allocations, what);
    u->by_address = heap_resize(u->by_address, a, sizeof *u->by_address, what);
}

/* ---- checkpoints ---- */

static void take_pointers(void *to, const void *from)
{
    struct uvm *u = to;
    const struct uvm *f = from;
    u->stats = f->stats;
    u->pages = f->pages;
    u->leaves = f->leaves;
    u->roots = f->roots;
    u->allocations = f->allocations;
    u->by_address = f->by_address;
    u->page_links = f->page_links;
    u->dense = f->dense;
    u->slot = f->slot;
    u->sort = f->sort;
}

void uvm_state(struct uvm *u, struct state *s)
{
    state_struct(s, u, sizeof *u, take_pointers);
    if (s->loading)
        make_room(u, 0);
    size_t roots = u->root_count, allocations = u->allocation_count;
    state_bytes(s, u->roots, roots * sizeof *u->roots);
    state_bytes(s, u->leaves, roots * ROOT_LEAVES * sizeof *u->leaves);
    state_bytes(s, u->pages, roots * ROOT_PAGES * sizeof *u->pages);
    state_bytes(s, u->allocations, allocations * sizeof *u->allocations);
    state_bytes(s, u->by_address, allocations * sizeof *u->by_address);
    uvm_lists_state(u, s);
}

/* Of allocations by address, the number of those that begin at or below. */
static uint32_t begin_below(const struct uvm *u, uint64_t address)
{
    uint32_t low = 0, high = u->allocation_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (u->allocations[u->by_address[middle]].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct uvm_allocation *allocation_at(const struct uvm *u,
                                                  uint64_t address)
{
    uint32_t place = begin_below(u, address);
    if (!place)
        return NULL;
    const struct uvm_allocation *a = &u->allocations[u->by_address[place - 1]];
    return address - a->address < a->bytes ? a : NULL;
}

static bool allocation_fits(const struct uvm *u, uint64_t address,
                            uint64_t bytes, struct error *error)
{
    if (!bytes || bytes > ADDRESS_END || address > ADDRESS_END - bytes)
        return error_set(error,
                         "managed memory of %" PRIu64 " bytes at 0x%" PRIx64
                         " is not within the 2^44 bytes of addresses",
                         bytes, address);
    if (address % UVM_LEAF)
        return error_set(error,
                         "managed memory at 0x%" PRIx64
                         "; a multiple of 64 KB is expected",
                         address);
    uint32_t place = begin_below(u, address + bytes - 1);
    const struct uvm_allocation *a =
        place ? &u->allocations[u->by_address[place - 1]] : NULL;
    if (a && a->address + a->bytes > address)
        return error_set(error,
                         "managed memory of %" PRIu64 " bytes at 0x%" PRIx64
                         " meets that at 0x%" PRIx64,
                         bytes, address, a->address);
    if (u->root_count + bytes / UVM_ROOT + 1 >= INT32_MAX / ROOT_PAGES)
        return error_set(error, "more than 8 TB of managed memory");
    return true;
}

bool uvm_allocate(struct uvm *u, uint64_t address, uint64_t bytes,
                  struct error *error)
{
    bytes = bytes > ADDRESS_END ? bytes : corbel_managed_trees(bytes);
    if (!allocation_fits(u, address, bytes, error))
        return false;
    uint32_t roots = (uint32_t)((bytes + UVM_ROOT - 1) / UVM_ROOT);
    make_room(u, roots);
    uint32_t place = begin_below(u, address), n = u->allocation_count;
    memmove(u->by_address + place + 1, u->by_address + place,
            (n - place) * sizeof *u->by_address);
    u->by_address[place] = n;
    u->allocations[n] = (struct uvm_allocation){.address = address,
                                                .bytes = bytes,
                                                .root = u->root_count,
                                                .roots = roots};
    for (uint64_t at = 0; at < bytes; at += UVM_ROOT)
        add_root(u, address + at,
                 bytes - at < UVM_ROOT ? bytes - at : UVM_ROOT);
    u->allocation_count++;
    uvm_lists_room(u);
    return true;
}

void uvm_blank(struct uvm *u)
{
    const struct uvm_allocation *a = &u->allocations[u->allocation_count - 1];
    for (uint32_t i = 0; i < a->roots * ROOT_PAGES; i++)
        u->pages[a->root * ROOT_PAGES + i].flags |= BLANK;
}

bool uvm_occupy(struct uvm *u, uint64_t bytes, struct error *error)
{
    uint64_t pages = (bytes + UVM_PAGE - 1) / UVM_PAGE;
    if (pages > u->total || u->total - pages < u->used + ROOT_PAGES)
        return error_set(error,
                         "%" PRIu64 " bytes of device memory are wanted for "
                         "good; %" PRIu64 " of %" PRIu64
                         " pages are taken, and 512 have to be left",
                         bytes, u->used, u->total);
    u->total -= pages;
    return true;
}

void uvm_resize(struct uvm *u, uint64_t bytes)
{
    u->total = (bytes < UVM_ROOT ? UVM_ROOT : bytes) / UVM_PAGE;
}

uint64_t uvm_managed_bytes(const struct uvm *u)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < u->allocation_count; i++)
        bytes += u->allocations[i].bytes;
    return bytes;
}

uint64_t uvm_allocation_address(const struct uvm *u, unsigned n)
{
    return u->allocations[n].address;
}

/* ---- pages ---- */

uint32_t uvm_page(const struct uvm *u, uint64_t address)
{
    const struct uvm_allocation *a = allocation_at(u, address);
    if (!a)
        return UVM_NONE;
    uint32_t page = (uint32_t)((address - a->address) / u->options.page_bytes);
    return a->root * ROOT_PAGES + page * (u->options.page_bytes / UVM_PAGE);
}

uint64_t uvm_address(const struct uvm *u, uint32_t page)
{
    return root_of(u, page)->address + (uint64_t)(page % ROOT_PAGES) * UVM_PAGE;
}

bool uvm_resident(const struct uvm *u, uint32_t page)
{
    return u->pages[page].flags & RESIDENT;
}

uint64_t uvm_resident_pages(const struct uvm *u)
{
    return u->used;
}

uint64_t uvm_capacity_pages(const struct uvm *u)
{
    return u->total;
}

bool uvm_oversubscribed(const struct uvm *u)
{
    return u->oversubscribed;
}

struct uvm_waiters *uvm_waiters(struct uvm *u, uint32_t page)
{
    return &u->pages[page].waiters;
}

void uvm_pin(struct uvm *u, uint32_t page)
{
    u->pages[page].pins++;
    leaf_of(u, page)->pins++;
}

void uvm_unpin(struct uvm *u, uint32_t page)
{
    u->pages[page].pins--;
    leaf_of(u, page)->pins--;
}

static void note_use(struct uvm *u, uint32_t page, bool write)
{
    struct uvm_root *r = root_of(u, page);
    struct uvm_page_state *p = &u->pages[page];
    if (write) {
        p->flags |= DIRTY;
        r->written = true;
    } else {
        r->read = true;
    }
}

/* A resident page is used. */
static void use(struct uvm *u, uint32_t page, bool write)
{
    struct uvm_page_state *p = &u->pages[page];
    if (p->flags & STAGED)
        uvm_cancel(u, page);
    note_use(u, page, write);
    u->stats->prefetch_used += !!(p->flags & PREFETCHED);
    u->stats->user_hits += !!(p->flags & BY_USER);
    p->flags &= (uint16_t) ~(PREFETCHED | BY_USER);
    uvm_lists_touch(u, page);
}

void uvm_touch(struct uvm *u, uint32_t page, bool write)
{
    if (!(u->pages[page].flags & RESIDENT))
        return; /* it has just left */
    uvm_count_access(u, page);
    use(u, page, write);
}

/* ---- faults ---- */

static enum uvm_outcome miss(struct uvm *u, uint32_t page, bool write)
{
    struct uvm_page_state *p = &u->pages[page];
    bool by_user =
        (p->flags & BY_USER) || (u->range_count && uvm_in_range(u, page));
    if ((p->flags & CHOSEN) || by_user) {
        note_use(u, page, write);
        u->stats->far_faults_pending++;
        u->stats->user_misses += by_user;
        return UVM_PENDING;
    }
    if (!uvm_migrates(u, page, write)) {
        u->stats->dma_reads++;
        return UVM_DMA;
    }
    note_use(u, page, write);
    p->flags |= CHOSEN;
    if (write && p->flags & BLANK && u->options.first_write_no_copy)
        p->flags |= FIRST_WRITE;
    uvm_tree_add(root_of(u, page), page % ROOT_PAGES / LEAF_PAGES, 1);
    u->stats->far_faults++;
    uvm_append(u, &u->faults, page);
    return UVM_FAULT;
}

enum uvm_outcome uvm_request(struct uvm *u, uint32_t page, bool write)
{
    u->stats->page_accesses++;
    uvm_count_access(u, page);
    if (!(u->pages[page].flags & RESIDENT)) {
        u->stats->page_misses++;
        return miss(u, page, write);
    }
    u->stats->page_hits++;
    use(u, page, write);
    return UVM_HIT;
}

struct uvm_batch uvm_take_faults(struct uvm *u, uint32_t most)
{
    struct uvm_batch b = {UVM_NONE, 0};
    if (!most || !u->faults.count)
        return b;
    uint32_t last = b.first = u->faults.first;
    for (b.count = 1; b.count < most && b.count < u->faults.count; b.count++)
        last = u->pages[last].link;
    u->faults.first = u->pages[last].link;
    u->faults.count -= b.count;
    u->pages[last].link = UVM_NONE;
    return b;
}

/* ---- transfers ---- */

void uvm_append(struct uvm *u, struct uvm_list *queue, uint32_t page)
{
    u->pages[page].link = UVM_NONE;
    if (queue->count++)
        u->pages[queue->last].link = page;
    else
        queue->first = page;
    queue->last = page;
}

uint32_t uvm_pop(struct uvm *u, struct uvm_list *queue)
{
    assert(queue->count);
    uint32_t page = queue->first;
    queue->first = u->pages[page].link;
    queue->count--;
    u->pages[page].link = UVM_NONE;
    return page;
}

bool uvm_next_read(struct uvm *u, struct uvm_transfer *t)
{
    if (!u->reads.count)
        return false;
    uint32_t page = u->reads.first;
    struct uvm_page_state *p = &u->pages[page];
    *t = (struct uvm_transfer){.page = page, .pages = p->length};
    t->ends_with_fault = p->flags & ENDS_FAULT;
    if (u->options.fault_entries && t->ends_with_fault &&
        !(p->flags & FAULT_DONE)) {
        p->flags |= FAULT_DONE;
        t->kind = UVM_FAULT_ENTRY;
        return true;
    }
    if (u->total < u->used + p->length)
        return false;
    t->kind = p->flags & USER     ? UVM_USER
              : p->flags & MAPPED ? UVM_MAP
                                  : UVM_MIGRATION;
    uvm_pop(u, &u->reads);
    p->flags &= (uint16_t) ~(CHUNK | ENDS_FAULT | FAULT_DONE | USER | MAPPED);
    u->staged_reads -= p->length;
    u->used += p->length;
    if (t->kind == UVM_MAP)
        return true;
    u->stats->h2d_transfers++;
    u->stats->h2d_bytes += uvm_bytes(t);
    u->stats->user_bytes += t->kind == UVM_USER ? uvm_bytes(t) : 0;
    return true;
}

void uvm_landed(struct uvm *u, const struct uvm_transfer *t)
{
    if (t->kind != UVM_MIGRATION && t->kind != UVM_USER && t->kind != UVM_MAP)
        return;
    u->stats->mapped += t->kind == UVM_MAP ? t->pages : 0;
    u->user_busy &= t->kind != UVM_USER;
    for (uint32_t page = t->page; page < t->page + t->pages; page++) {
        struct uvm_page_state *p = &u->pages[page];
        bool wanted = p->waiters.first != UVM_NONE || is_big(u) ||
                      (t->ends_with_fault && page == t->page + t->pages - 1);
        p->flags &= (uint16_t) ~(CHOSEN | BLANK);
        p->flags |= RESIDENT;
        if (wanted)
            p->flags &= (uint16_t)~BY_USER;
        else
            p->flags |= PREFETCHED;
        u->stats->prefetched += !wanted;
        u->stats->page_validates++;
        u->stats->page_thrash += !!(p->flags & EVICTED);
        uvm_list_page(u, page);
    }
}

bool uvm_read_waits(const struct uvm *u)
{
    return u->reads.count;
}

bool uvm_write_waits(const struct uvm *u)
{
    return u->writes.count;
}

uint32_t uvm_random(struct uvm *u, uint32_t below)
{
    uint64_t z = u->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return (uint32_t)((z >> 32) * below >> 32);
}
