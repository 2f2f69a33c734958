/*
 * Arrays that grow while the chip runs: messages under way, mail, credits. A
 * few kilobytes of each tile's are touched in every epoch: they lie in large
 * pages, which a heap's small ones do not, and no message across the border of
 * two of the host's lines.
 */
#include "sim/core/chip_private.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK ((size_t)4 << 20)
/* From the heap, as in an arena: small chips need no other. */
#define FIRST_CHUNK ((size_t)256 << 10)
#define LEAST 64 /* a line */

void pile_init(struct pile *p)
{
    pthread_mutex_init(&p->lock, NULL);
}

void pile_free(struct pile *p)
{
    if (p->count)
        free(p->chunks[0]);
    for (unsigned i = 1; i < p->count; i++)
        munmap(p->chunks[i], p->sizes[i]);
    free(p->chunks);
    free(p->sizes);
    pthread_mutex_destroy(&p->lock);
}

/* The least k so that 2^k bytes hold so many, and a line. */
static unsigned class_of(size_t bytes)
{
    unsigned k = 6;
    while (((size_t)1 << k) < bytes)
        k++;
    return k;
}
_Static_assert(LEAST == 1 << 6, "class_of begins there");

static void add_chunk(struct pile *p, size_t bytes)
{
    size_t least = p->count ? CHUNK : FIRST_CHUNK;
    size_t size = (bytes + least - 1) / least * least;
    char *chunk = p->count ? arena_map(size) : aligned_alloc(LEAST, size);
    if (!chunk)
        abort();
    p->chunks = array_grow(p->chunks, p->count, sizeof *p->chunks);
    p->sizes = array_grow(p->sizes, p->count, sizeof *p->sizes);
    p->chunks[p->count] = chunk;
    p->sizes[p->count++] = size;
    p->next = chunk;
    p->left = size;
}

static void *take(struct pile *p, unsigned k)
{
    size_t bytes = (size_t)1 << k;
    void *block = p->spare[k];
    if (block) {
        memcpy(&p->spare[k], block, sizeof block);
        return block;
    }
    if (p->left < bytes)
        add_chunk(p, bytes);
    block = p->next;
    p->next += bytes;
    p->left -= bytes;
    return block;
}

static void give_back(struct pile *p, void *block, unsigned k)
{
    memcpy(block, &p->spare[k], sizeof block);
    p->spare[k] = block;
}

void *pile_regrow(struct pile *p, void *old, size_t old_bytes, size_t bytes)
{
    void *grown = NULL;
    pthread_mutex_lock(&p->lock);
    if (bytes)
        grown = take(p, class_of(bytes));
    if (grown && old_bytes)
        memcpy(grown, old, old_bytes < bytes ? old_bytes : bytes);
    if (old_bytes)
        give_back(p, old, class_of(old_bytes));
    pthread_mutex_unlock(&p->lock);
    return grown;
}
