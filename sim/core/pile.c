/*
 * Arrays that grow while the chip runs: messages under way, mail, credits. A
 * few kilobytes of each tile's are touched in every epoch: they lie in large
 * pages, which a heap's small ones do not, and no message across the border of
 * two of the host's lines.
 */
#include "sim/core/chip_private.h"
#include <string.h>

void pile_init(struct pile *p)
{
    pthread_mutex_init(&p->lock, NULL);
}

void pile_free(struct pile *p)
{
    arena_free(&p->arena);
    pthread_mutex_destroy(&p->lock);
}

/* The least k so that 2^k bytes hold these bytes, and a line. */
static unsigned class_of(size_t bytes)
{
    unsigned k = 6;
    while (((size_t)1 << k) < bytes)
        k++;
    return k;
}

static void *take(struct pile *p, unsigned k)
{
    void *block = p->spare[k];
    if (!block)
        return arena_take(&p->arena, (size_t)1 << k, NULL);
    memcpy(&p->spare[k], block, sizeof block);
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
