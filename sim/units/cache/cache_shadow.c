/*
 * Shadow tags: a table of lines by number, and which of them an ideal cache
 * would have.
 */
#include "sim/units/cache/cache_shadow.h"
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* What is known of a line; open addressing, key 0: free, else line + 1. */
struct history {
    uint64_t key;
    uint8_t seen, dropped;
    uint8_t held;     /* sectors that the LRU cache has */
    uint8_t writable; /* of those seen */
    uint32_t place;   /* of the line in the LRU cache, or NOBODY */
};

struct place {
    uint64_t line;
    uint32_t newer, older;
};

struct shadow {
    struct history *table;
    uint64_t room, count; /* room: a power of two */
    struct place *places;
    uint32_t lines, used;
    uint32_t newest, oldest;
};

static void *allocate(size_t count, size_t size)
{
    return heap_new(count, size, "shadow tags");
}

struct shadow *shadow_new(uint32_t lines)
{
    struct shadow *s = allocate(1, sizeof *s);
    s->lines = lines;
    s->places = allocate(lines, sizeof *s->places);
    s->room = 1024;
    s->table = allocate(s->room, sizeof *s->table);
    s->newest = s->oldest = NOBODY;
    return s;
}

void shadow_free(struct shadow *s)
{
    if (!s)
        return;
    free(s->table);
    free(s->places);
    free(s);
}

void shadow_empty(struct shadow *s)
{
    memset(s->table, 0, s->room * sizeof *s->table);
    s->count = s->used = 0;
    s->newest = s->oldest = NOBODY;
}

static void take_arrays(void *to, const void *from)
{
    ((struct shadow *)to)->table = ((const struct shadow *)from)->table;
    ((struct shadow *)to)->places = ((const struct shadow *)from)->places;
}

void shadow_state(struct shadow *h, struct state *s)
{
    state_same(s, h->lines, "the lines of shadow tags");
    state_struct(s, h, sizeof *h, take_arrays);
    if (s->loading)
        h->table =
            heap_resize(h->table, h->room, sizeof *h->table, "shadow tags");
    state_bytes(s, h->table, h->room * sizeof *h->table);
    state_bytes(s, h->places, h->lines * sizeof *h->places);
}

static struct history *slot_of(const struct shadow *s, uint64_t line)
{
    uint64_t at = (line * 0x9e3779b97f4a7c15u) >> 20;
    while (s->table[at & (s->room - 1)].key &&
           s->table[at & (s->room - 1)].key != line + 1)
        at++;
    return &s->table[at & (s->room - 1)];
}

static void grow(struct shadow *s)
{
    struct history *old = s->table;
    uint64_t room = s->room;
    s->room *= 2;
    s->table = allocate(s->room, sizeof *s->table);
    for (uint64_t i = 0; i < room; i++)
        if (old[i].key)
            *slot_of(s, old[i].key - 1) = old[i];
    free(old);
}

/* The line's history, begun if there is none. */
static struct history *history_of(struct shadow *s, uint64_t line)
{
    if (2 * s->count >= s->room)
        grow(s);
    struct history *h = slot_of(s, line);
    if (!h->key) {
        *h = (struct history){.key = line + 1, .place = NOBODY};
        s->count++;
    }
    return h;
}

enum shadow_miss shadow_classify(const struct shadow *s, uint64_t line,
                                 unsigned sector)
{
    const struct history *h = slot_of(s, line);
    if (!h->key || !(h->seen >> sector & 1))
        return MISS_COMPULSORY;
    if (h->dropped >> sector & 1)
        return MISS_COHERENCE;
    return h->held >> sector & 1 ? MISS_CONFLICT : MISS_CAPACITY;
}

static void unlink_place(struct shadow *s, uint32_t index)
{
    const struct place *p = &s->places[index];
    if (p->newer == NOBODY)
        s->newest = p->older;
    else
        s->places[p->newer].older = p->older;
    if (p->older == NOBODY)
        s->oldest = p->newer;
    else
        s->places[p->older].newer = p->newer;
}

static void make_newest(struct shadow *s, uint32_t index, uint64_t line)
{
    s->places[index] = (struct place){line, NOBODY, s->newest};
    if (s->newest == NOBODY)
        s->oldest = index;
    else
        s->places[s->newest].newer = index;
    s->newest = index;
}

/* A place for a new line: a free one, or that of the oldest. */
static uint32_t take_place(struct shadow *s)
{
    if (s->used < s->lines)
        return s->used++;
    uint32_t index = s->oldest;
    struct history *h = slot_of(s, s->places[index].line);
    h->place = NOBODY;
    h->held = 0;
    unlink_place(s, index);
    return index;
}

void shadow_use(struct shadow *s, uint64_t line, uint8_t sectors)
{
    struct history *h = history_of(s, line);
    h->held |= sectors;
    if (h->place == NOBODY)
        h->place = take_place(s);
    else
        unlink_place(s, h->place);
    make_newest(s, h->place, line);
}

void shadow_fetched(struct shadow *s, uint64_t line, uint8_t sectors,
                    bool writable)
{
    struct history *h = history_of(s, line);
    h->seen |= sectors;
    if (writable)
        h->writable |= sectors;
    if (h->place != NOBODY)
        h->held |= sectors;
    h->dropped &= (uint8_t)~sectors;
}

void shadow_dropped(struct shadow *s, uint64_t line, uint8_t sectors)
{
    struct history *h = history_of(s, line);
    h->dropped |= (uint8_t)(sectors & h->seen);
    h->held &= (uint8_t)~sectors;
}

void shadow_drop_writable(struct shadow *s)
{
    for (uint32_t i = 0; i < s->used; i++) {
        struct history *h = slot_of(s, s->places[i].line);
        h->dropped |= h->held & h->writable;
        h->held &= (uint8_t)~h->writable;
    }
}
