/*
 * The requests of units for services, collected from all tiles in an order that
 * depends on the chip alone: by cycle, unit and tag.
 */
#include "sim/core/engine_private.h"
#include <stdlib.h>

static int earlier_request(const void *a, const void *b)
{
    const struct service_request *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->unit->id != y->unit->id)
        return x->unit->id < y->unit->id ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

/* Mostly units were made tile by tile, and run in that order. */
static void order_requests(struct service_request *requests, unsigned count)
{
    unsigned n = 1;
    while (n < count && earlier_request(&requests[n - 1], &requests[n]) < 0)
        n++;
    if (n < count)
        qsort(requests, count, sizeof *requests, earlier_request);
}

/* Takes the tile's requests of a cycle; returns the cycle of its next ones. */
static uint64_t take_requests(struct engine *e, struct tile *t, uint64_t cycle,
                              unsigned *count)
{
    for (; t->request_taken < t->request_count; t->request_taken++) {
        const struct service_request *r = &t->requests[t->request_taken];
        if (r->cycle > cycle)
            return r->cycle;
        e->requests = array_reserve(e->requests, *count, &e->request_room,
                                    sizeof *e->requests);
        e->requests[(*count)++] = *r;
    }
    t->request_taken = t->request_count = 0;
    return CYCLE_NEVER;
}

/* Collects those of all tiles, each of which has asked in the order of cycles:
 * at the end of a kernel, every hart of the chip. */
unsigned collect_requests(struct engine *e)
{
    unsigned count = 0;
    for (uint64_t cycle = 0, next; cycle < CYCLE_NEVER; cycle = next) {
        unsigned before = count;
        next = CYCLE_NEVER;
        for (unsigned i = 0; i < e->chip->tile_count; i++)
            next =
                least(next, take_requests(e, e->chip->tiles[i], cycle, &count));
        if (count > before)
            order_requests(e->requests + before, count - before);
    }
    return count;
}
