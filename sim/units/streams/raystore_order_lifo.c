/* Of the rays that wait in a treelet, the last one goes first. */
#include "sim/units/streams/raystore_policy.h"

static void push(struct ray_queues *q, struct ray_queue *of, uint32_t place)
{
    if (!of->count++)
        of->last = place;
    q->next[place] = of->first;
    of->first = place;
}

const struct raystore_order raystore_order_lifo = {.put = push};
