#include "order.h"
#include "sdk/common/report.h"

#include <stdlib.h>
#include <string.h>

static void append(struct order_list *l, const struct order_node *node)
{
    if (l->count == l->room) {
        l->room = l->room > 0 ? 2 * l->room : 64;
        l->node = reallocate(l->node, l->room, sizeof *l->node);
    }
    l->node[l->count++] = *node;
}

/* ---- a heap: the largest area first, of equals the lower number ---- */

static bool before(const struct order_node *a, const struct order_node *b)
{
    return a->area != b->area ? a->area > b->area : a->number < b->number;
}

static void exchange(struct order_node *a, struct order_node *b)
{
    const struct order_node kept = *a;
    *a = *b;
    *b = kept;
}

static void heap_add(struct order_list *l, const struct order_node *node)
{
    append(l, node);
    for (size_t at = l->count - 1;
         at > 0 && before(&l->node[at], &l->node[(at - 1) / 2]);
         at = (at - 1) / 2)
        exchange(&l->node[at], &l->node[(at - 1) / 2]);
}

static struct order_node heap_take(struct order_list *l)
{
    const struct order_node first = l->node[0];
    l->node[0] = l->node[--l->count];
    for (size_t at = 0, child; (child = 2 * at + 1) < l->count; at = child) {
        if (child + 1 < l->count &&
            before(&l->node[child + 1], &l->node[child]))
            child++;
        if (!before(&l->node[child], &l->node[at]))
            break;
        exchange(&l->node[at], &l->node[child]);
    }
    return first;
}

/* ---- parts ---- */

static int by_number_down(const void *x, const void *y)
{
    const struct order_node *a = x, *b = y;
    return a->number < b->number ? 1 : -1;
}

/* What is at the edge of the part becomes roots of others, the first in memory
 * being the next one. */
static void end_part(struct order_queue *q)
{
    if (q->part.count > 1)
        qsort(q->part.node, q->part.count, sizeof *q->part.node,
              by_number_down);
    for (size_t i = 0; i < q->part.count; i++)
        append(&q->waiting, &q->part.node[i]);
    q->part.count = 0;
    q->bytes = 0;
}

/* ---- the queue ---- */

void order_add(struct order_queue *q, const struct order_node *nodes,
               unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (q->order == ORDER_PARTS)
            heap_add(&q->part, &nodes[i]);
        else
            append(&q->waiting,
                   &nodes[q->order == ORDER_DEPTH ? count - 1 - i : i]);
}

void order_wrote(struct order_queue *q, uint64_t bytes)
{
    q->bytes += bytes;
    if (q->order == ORDER_PARTS && q->bytes >= ORDER_PART)
        end_part(q);
}

bool order_next(struct order_queue *q, struct order_node *node)
{
    struct order_list *l = &q->waiting;
    if (q->part.count > 0) {
        *node = heap_take(&q->part);
        return true;
    }
    if (l->first == l->count)
        return false;
    *node = l->node[q->order == ORDER_BREADTH ? l->first++ : --l->count];
    return true;
}

void order_free(struct order_queue *q)
{
    free(q->waiting.node);
    free(q->part.node);
}
