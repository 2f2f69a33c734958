#include "sim/core/deal.h"
#include "sim/core/heap.h"
#include <stdlib.h>

/* So many threads may take each other's tiles. */
#define GROUP 4

/* A thread's tiles that no thread has taken yet: the first one, and 2^32 times
 * the end of them. Each struct has a cache line of the host to itself. */
struct hand {
    _Alignas(64) atomic_uint_fast64_t left;
};

void deal_init(struct deal *d, enum engine_schedule schedule, unsigned threads,
               unsigned tiles)
{
    d->schedule = schedule;
    d->threads = threads;
    d->tiles = tiles;
    d->backwards = false;
    d->hands = heap_lines(threads, sizeof *d->hands, "host threads");
    for (unsigned n = 0; n < threads; n++)
        atomic_init(&d->hands[n].left, 0);
    atomic_init(&d->next, 0);
}

void deal_free(struct deal *d)
{
    free(d->hands);
}

void deal_tiles(struct deal *d, const unsigned *shares, bool backwards)
{
    d->backwards = backwards;
    atomic_store(&d->next, 0);
    for (unsigned n = 0; n < d->threads; n++)
        atomic_store_explicit(&d->hands[n].left,
                              (uint64_t)shares[n] << 32 |
                                  (n ? shares[n - 1] : 0),
                              memory_order_relaxed);
}

/* One of the thread's tiles, the lowest or the highest, if so many are left. */
static unsigned take_from(struct hand *of, bool low, unsigned at_least)
{
    uint64_t left = atomic_load(&of->left), then;
    do {
        if ((left >> 32) - (uint32_t)left < at_least)
            return DEAL_OVER;
        then = low ? left + 1 : left - (1ULL << 32);
    } while (!atomic_compare_exchange_weak(&of->left, &left, then));
    return low ? (unsigned)left : (unsigned)(left >> 32) - 1;
}

static unsigned take_of_others(struct deal *d, unsigned thread)
{
    unsigned tile = DEAL_OVER;
    for (unsigned k = 1; tile == DEAL_OVER && k < GROUP; k++)
        if ((thread ^ k) < d->threads)
            tile = take_from(&d->hands[thread ^ k], d->backwards, 2);
    return tile;
}

static unsigned take_next(struct deal *d)
{
    unsigned tile = atomic_fetch_add(&d->next, 1);
    return tile < d->tiles ? tile : DEAL_OVER;
}

unsigned deal_take(struct deal *d, unsigned thread)
{
    if (d->schedule == SCHEDULE_DYNAMIC)
        return take_next(d);
    unsigned tile = take_from(&d->hands[thread], !d->backwards, 1);
    if (tile != DEAL_OVER || d->schedule == SCHEDULE_FIXED)
        return tile;
    return take_of_others(d, thread);
}
