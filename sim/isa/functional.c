/*
 * The functional executor. Code is decoded page by page into arrays with one
 * entry for each halfword; the loop (functional_loop.h) walks these entries
 * and jumps from each instruction straight to the code of the next one. An
 * entry that is still zero leads to the decoder, the entries after a page's
 * last lead to the page lookup, so that neither costs a test.
 */
#include "sim/isa/functional.h"

#include "sim/isa/threaded.h"

#include <stdio.h>
#include <stdlib.h>

/* Geometry of pages of decoded code, and the ops of entries that are no rows:
 * they lead the loop to its own labels. */
enum {
    PAGE_BITS = 12,
    PAGE_ENTRIES = (1 << PAGE_BITS) / 2,
    GRANULE_BITS = 5, /* bytes that lr reserves: 32 */
    /* Ops in pages: 0 is an entry that was not decoded yet. */
    ENTRY_EMPTY = OP_illegal,
    ENTRY_ILLEGAL = OP_ROWS + OP_illegal,
    ENTRY_PAGE_END = 2 * OP_ROWS,
    ENTRY_COUNT,
};

#define NOT_RESERVED UINT64_MAX

/* A 4-byte instruction in the last halfword is followed by the second end. */
struct page {
    struct isa_insn entries[PAGE_ENTRIES + 2];
    uint64_t address;
    struct page *next; /* of those that exist */
};

/* All decoded pages of a memory. They are found by address in one step, and
 * walked as a list to be freed. */
struct isa_code {
    struct page **pages; /* by address >> PAGE_BITS, NULL: not decoded */
    struct page *first;
    uint64_t page_count;
    void (*lacks)(size_t bytes);
    struct isa_profile profile;
};

bool isa_memory_init(struct isa_memory *memory, uint8_t *base, uint64_t start,
                     uint64_t end, unsigned harts)
{
    *memory = (struct isa_memory){
        .base = base, .start = start, .end = end, .harts = harts};
    memory->reserved = malloc(harts * sizeof *memory->reserved);
    if (!memory->reserved)
        return false;
    isa_memory_unreserve(memory);
    return true;
}

void isa_memory_unreserve(struct isa_memory *memory)
{
    for (unsigned i = 0; i < memory->harts; i++)
        memory->reserved[i] = NOT_RESERVED;
    memory->reservations = 0;
}

void isa_memory_free(struct isa_memory *memory)
{
    free(memory->reserved);
    memory->reserved = NULL;
}

struct isa_code *isa_code_create(const struct isa_memory *memory,
                                 const struct isa_profile *profile)
{
    struct isa_code *code = calloc(1, sizeof *code);
    if (!code)
        return NULL;
    code->profile = *profile;
    code->lacks = memory->lacks;
    code->page_count = (memory->end >> PAGE_BITS) + 1;
    code->pages = calloc(code->page_count, sizeof *code->pages);
    if (!code->pages) {
        free(code);
        return NULL;
    }
    return code;
}

/* Decodes anew from here on. Pages are freed, so that what points into one is
 * gone. */
void isa_code_flush(struct isa_code *code)
{
    while (code->first) {
        struct page *page = code->first;
        code->first = page->next;
        code->pages[page->address >> PAGE_BITS] = NULL;
        free(page);
    }
}

void isa_code_free(struct isa_code *code)
{
    if (!code)
        return;
    isa_code_flush(code);
    free(code->pages);
    free(code);
}

/* The page of pc, which lies in memory. It is made when the first instruction
 * in it is executed; calloc makes all of its entries ENTRY_EMPTY. */
static struct page *find_page(struct isa_code *code, uint64_t pc)
{
    struct page **slot = &code->pages[pc >> PAGE_BITS];
    if (*slot)
        return *slot;
    struct page *page = calloc(1, sizeof *page);
    if (!page && code->lacks)
        code->lacks(sizeof *page);
    if (!page)
        abort();
    page->address = pc >> PAGE_BITS << PAGE_BITS;
    page->next = code->first;
    code->first = page;
    page->entries[PAGE_ENTRIES].op = ENTRY_PAGE_END;
    page->entries[PAGE_ENTRIES + 1].op = ENTRY_PAGE_END;
    return *slot = page;
}

/* Without sums that could wrap around. The room is asked for first, as it may
 * be less than size. */
static bool in_memory(const struct isa_memory *memory, uint64_t address,
                      unsigned size)
{
    uint64_t room = memory->end - memory->start;
    return room >= size && address - memory->start <= room - size;
}

/* May 2 bytes be fetched from here? Each half of a 4-byte instruction is asked
 * for by itself. */
static bool is_executable(const struct isa_memory *memory, uint64_t address)
{
    for (size_t i = 0; i < memory->executable_count; i++)
        if (address >= memory->executable[i].start &&
            address + 2 <= memory->executable[i].end)
            return true;
    return !memory->executable_count && in_memory(memory, address, 2);
}

/* Fills an empty entry. False: no memory at the address left in *fault. */
static bool decode_entry(const struct isa_memory *memory,
                         const struct isa_profile *profile, uint64_t pc,
                         struct isa_insn *entry, uint64_t *fault)
{
    uint16_t half[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        *fault = pc + 2 * (uint64_t)i;
        if (!is_executable(memory, *fault))
            return false;
        memcpy(&half[i], memory->base + *fault, 2);
        if ((half[0] & 3) != 3)
            break;
    }
    if (!isa_decode(half[0] | (uint32_t)half[1] << 16, profile, entry))
        entry->op = ENTRY_ILLEGAL;
    return true;
}

/* Host address of a guest access, NULL: access fault. An access lies in memory,
 * or in the hart's scratch memory at the top of the address space. */
static inline uint8_t *load_at(const struct isa_memory *memory, unsigned xlen,
                               uint64_t address, unsigned size)
{
    if (__builtin_expect(in_memory(memory, address, size), 1))
        return memory->base + address;
    uint64_t top = xlen == 32 ? 1ull << 32 : 0;
    uint64_t offset = address - (top - memory->scratch_size);
    bool inside =
        memory->scratch_size >= size && offset <= memory->scratch_size - size;
    return inside ? memory->scratch + offset : NULL;
}

static bool is_read_only(const struct isa_memory *memory, uint64_t address,
                         unsigned size)
{
    for (size_t i = 0; i < memory->read_only_count; i++) {
        const struct isa_range *range = &memory->read_only[i];
        if (address < range->end && address + size > range->start)
            return true;
    }
    return false;
}

/* The first byte of an access that may not be made: what mtval is told. */
static uint64_t refused_at(const struct isa_memory *memory, unsigned xlen,
                           uint64_t address, unsigned size, bool store)
{
    uint64_t mask = xlen == 32 ? UINT32_MAX : UINT64_MAX;
    for (unsigned i = 0; i < size; i++) {
        uint64_t at = (address + i) & mask;
        if (!load_at(memory, xlen, at, 1) ||
            (store && is_read_only(memory, at, 1)))
            return at;
    }
    return address;
}

/* A store ends the reservations that other harts have on what it touches. */
static void break_reservations(struct isa_memory *memory, unsigned hart,
                               uint64_t address, unsigned size)
{
    uint64_t first = address >> GRANULE_BITS;
    uint64_t last = (address + size - 1) >> GRANULE_BITS;
    for (unsigned i = 0; i < memory->harts; i++) {
        uint64_t *reserved = &memory->reserved[i];
        if (i != hart && (*reserved == first || *reserved == last)) {
            *reserved = NOT_RESERVED;
            memory->reservations--;
        }
    }
}

/*
 * Host address for a store, NULL: access fault. Other harts' reservations of
 * what it touches end here. Scratch memory is each hart's own: stores to it end
 * no reservation.
 */
static inline uint8_t *store_at(struct isa_memory *memory,
                                const struct isa_hart *hart, unsigned xlen,
                                uint64_t address, unsigned size)
{
    uint8_t *at = load_at(memory, xlen, address, size);
    if (!at || is_read_only(memory, address, size))
        return NULL;
    if (memory->reservations && in_memory(memory, address, size))
        break_reservations(memory, hart->id, address, size);
    return at;
}

/* reservations counts harts that have one, so that stores need not look if none
 * has. */
static void reserve(struct isa_memory *memory, unsigned hart, uint64_t granule)
{
    uint64_t *reserved = &memory->reserved[hart];
    memory->reservations -= *reserved != NOT_RESERVED;
    *reserved = granule;
    memory->reservations += granule != NOT_RESERVED;
}

/* The host's byte order is the guest's, little-endian. */
static uint64_t read_memory(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, at, size);
    return value;
}

/*
 * lr, sc or another atomic, aligned. Leaves in *value what rd gets, from size
 * bytes. False: access fault.
 */
static bool atomic_access(struct isa_hart *hart, struct isa_memory *memory,
                          enum isa_access access, uint64_t address,
                          unsigned size, uint64_t *value)
{
    uint64_t granule = address >> GRANULE_BITS, operand = *value;
    uint8_t *at = access == ISA_LR
                      ? load_at(memory, hart->xlen, address, size)
                      : store_at(memory, hart, hart->xlen, address, size);
    if (!at)
        return false;
    if (access == ISA_SC) {
        *value = memory->reserved[hart->id] != granule;
        if (!*value)
            memcpy(at, &operand, size);
        reserve(memory, hart->id, NOT_RESERVED);
        return true;
    }
    *value = read_memory(at, size);
    if (access == ISA_LR) {
        reserve(memory, hart->id, granule);
        return true;
    }
    operand = isa_amo(access, size, *value, operand);
    memcpy(at, &operand, size);
    return true;
}

/* An exception at pc: the effect says which, the caller decides what becomes of
 * it. */
static enum isa_stop fault(struct isa_hart *hart, struct isa_effect *effect,
                           uint64_t pc, uint32_t cause, uint64_t tval)
{
    hart->pc = pc;
    effect->cause = cause;
    effect->tval = tval;
    return ISA_STOP_FAULT;
}

#define XLEN 64
#include "sim/isa/functional_loop.h"
#undef XLEN
#define XLEN 32
#include "sim/isa/functional_loop.h"
#undef XLEN

enum isa_stop isa_run(struct isa_hart *hart, struct isa_code *code,
                      struct isa_memory *memory, uint64_t limit,
                      struct isa_effect *effect, struct isa_insn *unit)
{
    if (hart->xlen == 32)
        return run32(hart, code, memory, limit, effect, unit);
    return run64(hart, code, memory, limit, effect, unit);
}

/* ---- one instruction at a time, with a record of it ---- */

/* NULL: nothing to execute at pc, the address is left in *missing. */
static const struct isa_insn *fetch(struct isa_code *code,
                                    const struct isa_memory *memory,
                                    uint64_t pc, uint64_t *missing)
{
    *missing = pc;
    if (!in_memory(memory, pc, 2))
        return NULL;
    struct isa_insn *entry =
        &find_page(code, pc)->entries[pc % (1 << PAGE_BITS) / 2];
    if (entry->op == ENTRY_EMPTY &&
        !decode_entry(memory, &code->profile, pc, entry, missing))
        return NULL;
    return entry;
}

/* False: access fault. *value: what isa_load_done is to get. */
static bool do_access(struct isa_hart *hart, struct isa_memory *memory,
                      const struct isa_effect *e, uint64_t *value)
{
    unsigned xlen = hart->xlen;
    *value = e->value;
    if (e->access != ISA_LOAD && e->access != ISA_STORE)
        return atomic_access(hart, memory, e->access, e->address, e->size,
                             value);
    uint8_t *at = e->access == ISA_LOAD
                      ? load_at(memory, xlen, e->address, e->size)
                      : store_at(memory, hart, xlen, e->address, e->size);
    if (at && e->access == ISA_LOAD)
        *value = read_memory(at, e->size);
    else if (at)
        memcpy(at, &e->value, e->size);
    return at;
}

/* The memory's half of a load, store or atomic, and what the record needs of
 * it. */
static enum isa_stop access_logged(struct isa_hart *hart,
                                   struct isa_memory *memory,
                                   const struct isa_insn *insn,
                                   struct isa_effect *effect,
                                   struct isa_commit *commit)
{
    uint64_t value;
    if (!do_access(hart, memory, effect, &value)) {
        bool load = effect->access == ISA_LOAD || effect->access == ISA_LR;
        isa_access_failed(hart, insn);
        return fault(hart, effect, hart->pc,
                     load ? ISA_CAUSE_LOAD_FAULT : ISA_CAUSE_STORE_FAULT,
                     refused_at(memory, hart->xlen, effect->address,
                                effect->size, !load));
    }
    if (effect->access != ISA_STORE) {
        isa_load_done(hart, insn, value);
        isa_commit_finish(commit, hart, value);
    }
    hart->cycle++;
    return ISA_STOP_LIMIT;
}

enum isa_stop isa_run_logged(struct isa_hart *hart, struct isa_code *code,
                             struct isa_memory *memory,
                             struct isa_effect *effect, struct isa_insn *unit,
                             struct isa_commit *commit)
{
    uint64_t missing;
    const struct isa_insn *insn = fetch(code, memory, hart->pc, &missing);
    if (!insn)
        return fault(hart, effect, hart->pc, ISA_CAUSE_FETCH_FAULT, missing);
    isa_commit_begin(commit, hart, insn);
    enum isa_outcome outcome = isa_execute(hart, insn, effect);
    isa_commit_executed(commit, hart, outcome, effect);
    switch (outcome) {
    case ISA_ECALL:
        return ISA_STOP_ECALL;
    case ISA_EBREAK:
        return ISA_STOP_EBREAK;
    case ISA_FAULT:
        return ISA_STOP_FAULT;
    case ISA_ACCESS:
        return access_logged(hart, memory, insn, effect, commit);
    case ISA_BLOCK:
        if (!load_at(memory, hart->xlen, effect->address, 1)) {
            isa_access_failed(hart, insn);
            return fault(hart, effect, hart->pc, ISA_CAUSE_STORE_FAULT,
                         effect->address);
        }
        break;
    case ISA_FENCE_I:
        isa_code_flush(code); /* insn is gone */
        break;
    case ISA_UNIT:
        *unit = *insn;
        hart->cycle++;
        return ISA_STOP_UNIT;
    default:
        break;
    }
    hart->cycle++;
    return ISA_STOP_LIMIT;
}
