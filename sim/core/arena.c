/*
 * Memory that lives as long as the chip. A chip's state is tens of megabytes
 * that are walked through every few cycles, so it lies side by side in the
 * order of creation and in large pages: with 4 KiB pages address translation
 * alone cost 15 % of a busy RTX 2080 frame.
 */
#include "sim/core/chip_private.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK ((size_t)4 << 20)
#define LARGE_PAGE ((size_t)2 << 20)

static void add_chunk(struct arena *a, size_t bytes)
{
    size_t size = (bytes + CHUNK - 1) / CHUNK * CHUNK;
    void *chunk = aligned_alloc(LARGE_PAGE, size);
    if (!chunk)
        abort();
    madvise(chunk, size, MADV_HUGEPAGE); /* a wish: small pages work too */
    a->chunks = array_grow(a->chunks, a->count, sizeof *a->chunks);
    a->sizes = array_grow(a->sizes, a->count, sizeof *a->sizes);
    a->chunks[a->count] = chunk;
    a->sizes[a->count++] = size;
    a->used = 0;
}

void *chip_alloc(struct chip *chip, size_t count, size_t size)
{
    struct arena *a = &chip->arena;
    size_t bytes = (count * size + 63) / 64 * 64;
    if (!a->count || a->sizes[a->count - 1] - a->used < bytes)
        add_chunk(a, bytes);
    char *p = a->chunks[a->count - 1] + a->used;
    a->used += bytes;
    return memset(p, 0, bytes);
}

void arena_free(struct arena *a)
{
    for (unsigned i = 0; i < a->count; i++)
        free(a->chunks[i]);
    free(a->chunks);
    free(a->sizes);
}
