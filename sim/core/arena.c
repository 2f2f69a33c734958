/*
 * Memory that lives as long as the chip. A chip's state is tens of megabytes
 * that are walked through every few cycles, so it lies side by side, small and
 * large blocks each in the order of creation, and in large pages: with 4 KiB
 * pages address translation alone cost 15 % of a busy RTX 2080 frame.
 */
#include "sim/core/chip_private.h"
#include "sim/core/heap.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SMALL_PAGE ((size_t)4 << 10)
#define LARGE_PAGE ((size_t)2 << 20)
#define CHUNK (2 * LARGE_PAGE)
/* The first one is from the heap, and zeroed piece by piece: tests make chips
 * by the million, which all fit into it. */
#define FIRST_CHUNK ((size_t)128 << 10)

/*
 * Under AddressSanitizer there are bytes behind each block that nothing may
 * touch: it knows of chunks alone, in which an access beyond one block finds
 * the next.
 */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(address_sanitizer) || defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define APART ((size_t)64)
#else
#define APART ((size_t)0)
#define ASAN_POISON_MEMORY_REGION(address, bytes)                              \
    ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes)                            \
    ((void)(address), (void)(bytes))
#endif

static _Noreturn void lacks(size_t count, size_t size, const struct chip *chip)
{
    char what[200] = "messages under way";
    const struct unit *u = chip ? chip->building : NULL;
    if (u)
        snprintf(what, sizeof what, "%s (%s)", u->name, u->kind->name);
    else if (chip)
        snprintf(what, sizeof what, "%s",
                 chip->purpose ? chip->purpose : "the chip");
    heap_lacks(count, size, what);
}

/* Zeroed by the system when first touched; in whole large pages. */
static void *map_chunk(size_t size, const struct chip *chip)
{
    char *p = mmap(NULL, size + LARGE_PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        lacks(size, 1, chip);
    size_t before = -(uintptr_t)p % LARGE_PAGE;
    if (before)
        munmap(p, before);
    munmap(p + before + size, LARGE_PAGE - before);
    madvise(p + before, size, MADV_HUGEPAGE); /* a wish: small ones work too */
    return p + before;
}

/* More than the host has is refused before any of it is touched: the system
 * might grant it, and end the process for using it. */
static void add_chunk(struct arena *a, size_t bytes, const struct chip *chip)
{
    bool first = !a->count;
    size_t least = first ? FIRST_CHUNK : CHUNK, most = heap_of_host();
    if (a->total > most || bytes > most - a->total || bytes > SIZE_MAX - CHUNK)
        lacks(bytes, 1, chip);
    size_t size = (bytes + least - 1) / least * least;
    a->chunks = array_grow(a->chunks, a->count, sizeof *a->chunks);
    a->sizes = array_grow(a->sizes, a->count, sizeof *a->sizes);
    a->chunks[a->count] =
        first ? heap_lines(size, 1, "the chip") : map_chunk(size, chip);
    a->sizes[a->count++] = size;
    a->used = 0;
}

void *arena_take(struct arena *a, size_t wanted, const struct chip *chip)
{
    const size_t bytes = (wanted + 63) / 64 * 64 + APART;
    if (!a->count || a->sizes[a->count - 1] - a->used < bytes)
        add_chunk(a, bytes, chip);
    char *p = a->chunks[a->count - 1] + a->used;
    a->used += bytes;
    a->total += bytes - APART;
    if (a->count == 1)
        memset(p, 0, bytes);
    ASAN_POISON_MEMORY_REGION(p + wanted, bytes - wanted);
    return p;
}

/*
 * What is smaller than a page lies side by side, without the arrays of which
 * little is touched: hosts that keep a guest's memory in small pages after all
 * look up where each page is that they have not used for long.
 */
void *chip_alloc(struct chip *chip, size_t count, size_t size)
{
    size_t bytes;
    RULE(checked_unit(), !checked_unit(), RULE_ALLOCATES);
    if (__builtin_mul_overflow(count, size, &bytes) ||
        bytes > SIZE_MAX - 63 - APART)
        lacks(count, size, chip);
    /* None is empty: two never begin at one address. */
    void *memory = arena_take(bytes < SMALL_PAGE ? &chip->small : &chip->large,
                              bytes + !bytes, chip);
    if (CHECKED && chip->building && !chip->purpose)
        checked_owns(chip->building, memory, bytes);
    chip->blocks =
        array_grow(chip->blocks, chip->block_count, sizeof *chip->blocks);
    chip->blocks[chip->block_count++] =
        (struct block){.at = memory, .bytes = bytes, .owner = chip->building};
    return memory;
}

void *chip_alloc_own(struct chip *chip, size_t count, size_t size)
{
    void *memory = chip_alloc(chip, count, size);
    chip->blocks[chip->block_count - 1].engines = true;
    return memory;
}

void *chip_alloc_for(struct chip *chip, size_t count, size_t size,
                     const char *what)
{
    chip->purpose = what;
    void *p = chip_alloc(chip, count, size);
    chip->purpose = NULL;
    return p;
}

size_t chip_allocated(const struct chip *chip)
{
    return chip->small.total + chip->large.total;
}

void arena_free(struct arena *a)
{
    for (unsigned i = 0; i < a->count; i++)
        ASAN_UNPOISON_MEMORY_REGION(a->chunks[i], a->sizes[i]);
    if (a->count)
        free(a->chunks[0]);
    for (unsigned i = 1; i < a->count; i++)
        munmap(a->chunks[i], a->sizes[i]);
    free(a->chunks);
    free(a->sizes);
}
