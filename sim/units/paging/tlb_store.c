/*
 * The pages of a TLB in a hash and a list by use, and the accesses that wait
 * for pages in a hash of their own: each operation takes the same time, however
 * many there are. Chains lead through the entries; free ones are a list, too.
 */
#include "sim/units/paging/tlb_private.h"
#include <assert.h>

#define SMALL_PAGE 12 /* shift of the smallest pages */

/* Neighbouring pages lie far apart, by the multiplier of Fibonacci hashing. */
static uint32_t slot_of(const struct tlb_store *s, uint64_t page)
{
    return (uint32_t)(page * 0x9e3779b97f4a7c15u >> 40) & s->hash_mask;
}

static uint32_t *new_hash(struct chip *chip, uint32_t slots)
{
    uint32_t *hash = chip_alloc(chip, slots, sizeof *hash);
    for (uint32_t i = 0; i < slots; i++)
        hash[i] = NONE;
    return hash;
}

void tlb_store_build(struct tlb_store *s, struct chip *chip,
                     const struct tlb_params *params, struct tlb_stats *stats)
{
    const struct machine *m = chip_context(chip);
    const uint32_t entries = (uint32_t)params->tlb_size;
    const uint32_t waits = (uint32_t)params->misses;
    uint32_t slots = 64;
    while (slots < 2 * entries)
        slots *= 2;
    s->hash_mask = slots - 1;
    s->entry_hash = new_hash(chip, slots);
    s->wait_hash = new_hash(chip, slots);
    s->entries = chip_alloc(chip, entries, sizeof *s->entries);
    s->waits = chip_alloc(chip, waits, sizeof *s->waits);
    for (uint32_t i = 0; i < entries; i++)
        s->entries[i].next = i + 1 < entries ? i + 1 : NONE;
    for (uint32_t i = 0; i < waits; i++)
        s->waits[i].next = i + 1 < waits ? i + 1 : NONE;
    s->oldest = s->newest = NONE;
    s->pages = m ? m->ram_end >> SMALL_PAGE : 0;
    s->given_up =
        chip_alloc(chip, (size_t)(s->pages / 64 + 1), sizeof *s->given_up);
    s->stats = stats;
}

/* ---- pages ---- */

uint32_t tlb_find(const struct tlb_store *s, uint64_t page)
{
    uint32_t e = s->entry_hash[slot_of(s, page)];
    while (e != NONE && s->entries[e].page != page)
        e = s->entries[e].chain;
    return e;
}

static void unlink_entry(struct tlb_store *s, uint32_t entry)
{
    const struct tlb_entry *e = &s->entries[entry];
    if (e->prev == NONE)
        s->oldest = e->next;
    else
        s->entries[e->prev].next = e->next;
    if (e->next == NONE)
        s->newest = e->prev;
    else
        s->entries[e->next].prev = e->prev;
}

static void append_entry(struct tlb_store *s, uint32_t entry)
{
    struct tlb_entry *e = &s->entries[entry];
    e->prev = s->newest;
    e->next = NONE;
    if (s->newest == NONE)
        s->oldest = entry;
    else
        s->entries[s->newest].next = entry;
    s->newest = entry;
}

bool tlb_use(struct tlb_store *s, uint32_t entry)
{
    if (s->newest == entry)
        return false;
    unlink_entry(s, entry);
    append_entry(s, entry);
    return true;
}

void tlb_remove(struct tlb_store *s, uint32_t entry)
{
    struct tlb_entry *e = &s->entries[entry];
    uint32_t *at = &s->entry_hash[slot_of(s, e->page)];
    while (*at != entry) {
        CHECKED_ASSERT(*at != NONE);
        at = &s->entries[*at].chain;
    }
    *at = e->chain;
    unlink_entry(s, entry);
    e->valid = e->written = false;
    if (e->page < s->pages)
        s->given_up[e->page / 64] |= 1ull << e->page % 64;
    e->next = s->free_entry;
    s->free_entry = entry;
    assert(s->count);
    s->count--;
}

void tlb_insert(struct tlb_store *s, uint64_t page)
{
    s->stats->inserted++;
    s->stats->replaced += s->free_entry == NONE;
    if (s->free_entry == NONE)
        tlb_remove(s, s->oldest);
    if (page < s->pages)
        s->stats->returned += s->given_up[page / 64] >> page % 64 & 1;
    uint32_t entry = s->free_entry, *slot = &s->entry_hash[slot_of(s, page)];
    struct tlb_entry *e = &s->entries[entry];
    s->free_entry = e->next;
    e->page = page;
    e->chain = *slot;
    e->valid = true;
    *slot = entry;
    append_entry(s, entry);
    s->count++;
}

/* ---- accesses that wait ---- */

uint32_t tlb_awaited(const struct tlb_store *s, const struct tlb_wait *wait)
{
    uint32_t w = s->wait_hash[slot_of(s, wait->page)];
    for (; w != NONE; w = s->waits[w].chain) {
        const struct tlb_wait *at = &s->waits[w];
        if (at->page == wait->page && at->block == wait->block &&
            at->port == wait->port && at->lookup == wait->lookup)
            return w;
    }
    return NONE;
}

uint32_t tlb_group(const struct tlb_store *s, const struct tlb_wait *wait)
{
    uint32_t w =
        wait->group == NO_GROUP ? NONE : s->wait_hash[slot_of(s, wait->page)];
    for (; w != NONE; w = s->waits[w].chain) {
        const struct tlb_wait *at = &s->waits[w];
        if (at->page == wait->page && at->group == wait->group && at->walks)
            return w;
    }
    return NONE;
}

void tlb_join(struct tlb_store *s, uint32_t number, uint32_t with)
{
    struct tlb_wait *w = &s->waits[with];
    s->waits[number].walks = false;
    s->waits[number].next = NONE;
    if (w->joined == NONE)
        w->joined = number;
    else
        s->waits[w->last].next = number;
    w->last = number;
}

uint32_t tlb_wait(struct tlb_store *s, struct tlb_wait wait)
{
    uint32_t number = s->free_wait,
             *slot = &s->wait_hash[slot_of(s, wait.page)];
    assert(number != NONE);
    s->free_wait = s->waits[number].next;
    wait.chain = *slot;
    s->waits[number] = wait;
    *slot = number;
    s->wait_count++;
    return number;
}

struct tlb_wait tlb_unwait(struct tlb_store *s, uint32_t number)
{
    struct tlb_wait *w = &s->waits[number], wait = *w;
    uint32_t *at = &s->wait_hash[slot_of(s, wait.page)];
    while (*at != number) {
        CHECKED_ASSERT(*at != NONE);
        at = &s->waits[*at].chain;
    }
    *at = w->chain;
    w->next = s->free_wait;
    s->free_wait = number;
    assert(s->wait_count);
    s->wait_count--;
    return wait;
}
