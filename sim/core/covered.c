/*
 * Three lists of spans of memory: blocks of heap.h, as long as nothing else
 * lies there (free() is not heard of); structs that are watched, with a copy of
 * what they were; and what the checkpoint that is being written has saved. All
 * of it is searched by address. It is the process's own, as heap.h is, and a
 * checkpoint is written by one thread while all tiles stand still.
 */
#include "sim/core/covered.h"

#if CHECKED

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What of it a list uses is in the comments. */
struct span {
    uintptr_t from, to; /* the first byte, the first behind it */
    const char *what;
    char *copy;   /* of a watched struct, as it was */
    bool visited; /* of a block, for this checkpoint */
    bool fixed;
};

struct spans {
    struct span *list;
    size_t count, room;
};

static struct spans blocks;  /* of heap.h, by address; none overlap */
static struct spans structs; /* that are watched */
static struct spans saved;   /* by address, once they are asked for */
static bool is_ordered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct span span_of(const void *memory, size_t bytes)
{
    return (struct span){.from = (uintptr_t)memory,
                         .to = (uintptr_t)memory + bytes};
}

/* heap.h would tell this of its own memory, so it is not used here. */
static void insert(struct spans *s, size_t at, struct span span)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->list = realloc(s->list, s->room * sizeof *s->list);
        if (!s->list)
            abort();
    }
    memmove(&s->list[at + 1], &s->list[at], (s->count - at) * sizeof *s->list);
    s->list[at] = span;
    s->count++;
}

/* The first one that ends behind an address. */
static size_t place_of(const struct spans *s, uintptr_t address)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->list[middle].to > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static struct span *block_of(uintptr_t address)
{
    size_t at = place_of(&blocks, address);
    return at < blocks.count && blocks.list[at].from <= address
               ? &blocks.list[at]
               : NULL;
}

/* Blocks that lay there have been freed. */
void covered_given(const void *memory, size_t bytes, const char *what)
{
    struct span given = span_of(memory, bytes + !bytes);
    given.what = what;
    pthread_mutex_lock(&lock);
    size_t at = place_of(&blocks, given.from), end = at;
    while (end < blocks.count && blocks.list[end].from < given.to)
        end++;
    memmove(&blocks.list[at], &blocks.list[end],
            (blocks.count - end) * sizeof *blocks.list);
    blocks.count -= end - at;
    insert(&blocks, at, given);
    pthread_mutex_unlock(&lock);
}

void covered_watch(const void *memory, size_t bytes, const char *name)
{
    struct span watched = span_of(memory, bytes);
    watched.what = name;
    watched.copy = malloc(bytes);
    if (!watched.copy || structs.count == COVERED_STRUCTS)
        abort();
    memcpy(watched.copy, memory, bytes);
    insert(&structs, structs.count, watched);
}

void covered_forget(void)
{
    while (structs.count)
        free(structs.list[--structs.count].copy);
}

/* ---- a checkpoint ---- */

void covered_begin(void)
{
    saved.count = 0;
    for (size_t i = 0; i < blocks.count; i++)
        blocks.list[i].visited = blocks.list[i].fixed = false;
    checked_addresses();
}

void covered_add(const void *memory, size_t bytes)
{
    struct span *last = saved.count ? &saved.list[saved.count - 1] : NULL;
    is_ordered = false;
    if (last && last->to == (uintptr_t)memory)
        last->to += bytes;
    else if (bytes)
        insert(&saved, saved.count, span_of(memory, bytes));
}

void covered_fixed(const void *memory)
{
    struct span *b = memory ? block_of((uintptr_t)memory) : NULL;
    if (b)
        b->fixed = true;
}

size_t covered_address(const void *memory, size_t bytes)
{
    uint64_t word;
    size_t at = -(uintptr_t)memory % sizeof word;
    for (; at + sizeof word <= bytes; at += sizeof word) {
        memcpy(&word, (const char *)memory + at, sizeof word);
        if (checked_is_address(word))
            return at;
    }
    return bytes;
}

static int by_address(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Ranges that overlap or meet become one. */
static void order_saved(void)
{
    size_t kept = 0;
    if (is_ordered)
        return;
    qsort(saved.list, saved.count, sizeof *saved.list, by_address);
    for (size_t i = 0; i < saved.count; i++) {
        struct span *last = kept ? &saved.list[kept - 1] : NULL;
        if (!last || saved.list[i].from > last->to)
            saved.list[kept++] = saved.list[i];
        else if (saved.list[i].to > last->to)
            last->to = saved.list[i].to;
    }
    saved.count = kept;
    is_ordered = true;
}

/* The first address from here on that is saved. */
static uintptr_t next_saved(uintptr_t address)
{
    order_saved();
    size_t at = place_of(&saved, address);
    if (at == saved.count)
        return UINTPTR_MAX;
    return saved.list[at].from > address ? saved.list[at].from : address;
}

/* Blocks that are found here are looked into as well. */
static bool look_at(struct span *block, struct spans *found, char *text,
                    size_t size)
{
    if (block->visited || block->fixed)
        return true;
    block->visited = true;
    if (next_saved(block->from) >= block->to) {
        snprintf(text, size, "nothing is saved of %zu bytes for %s",
                 (size_t)(block->to - block->from), block->what);
        return false;
    }
    insert(found, found->count, *block);
    return true;
}

/*
 * Any word that looks like an address of a block leads there: a number that
 * does by chance costs a look at that block. What arrays of plain data hold is
 * not looked into (state_fixed), as behind their last element there may be what
 * was left of others.
 */
bool covered_leads(const void *memory, size_t bytes, char *text, size_t size)
{
    struct spans found = {0};
    bool good = true;
    insert(&found, 0, span_of(memory, bytes));
    while (found.count && good) {
        struct span s = found.list[--found.count];
        for (uintptr_t at = (s.from + 7) & ~(uintptr_t)7;
             at + sizeof at <= s.to && good; at += sizeof at) {
            uintptr_t word;
            memcpy(&word, (const void *)at, sizeof word);
            struct span *block = checked_is_pair(word) ? NULL : block_of(word);
            if (block)
                good = look_at(block, &found, text, size);
        }
    }
    free(found.list);
    return good;
}

/* Bytes that are as they were need not be saved: a machine at reset has them.
 */
static bool is_saved(const struct span *s, char *text, size_t size)
{
    const char *now = (const char *)s->from;
    for (uintptr_t at = s->from; at < s->to; at++) {
        if (now[at - s->from] == s->copy[at - s->from] || next_saved(at) == at)
            continue;
        snprintf(text, size,
                 "byte %zu of %zu of %s has changed, and is not saved",
                 (size_t)(at - s->from), (size_t)(s->to - s->from), s->what);
        return false;
    }
    return true;
}

bool covered_structs(char *text, size_t size)
{
    for (size_t i = 0; i < structs.count; i++)
        if (!is_saved(&structs.list[i], text, size))
            return false;
    return true;
}

#endif
