/* Breadth first: segments become candidates in the order of their parents. */
#include "sim/units/streams/streamscheduler_policy.h"

static void append_children(struct policy *p, const struct policy_segment *s)
{
    /* No ray has entered it, so none will enter what is below. */
    if (s->parent_finished && !s->opened)
        return;
    for (uint32_t i = 0; i < s->children; i++)
        p->waiting[p->waiting_last++] = s->first_child + i;
}

static uint32_t first_waiting(struct policy *p)
{
    return p->waiting[p->waiting_first++];
}

const struct stream_order stream_order_bfs = {.put = append_children,
                                              .take = first_waiting};
