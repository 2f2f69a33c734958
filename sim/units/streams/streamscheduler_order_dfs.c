/* Depth first: of children, by weight, the heaviest goes first. */
#include "sim/units/streams/streamscheduler_policy.h"

/* ---- weights: is a before b, of two children? ---- */

__extension__ typedef unsigned __int128 product;

static bool heavier_in_all(const struct policy_segment *a,
                           const struct policy_segment *b, bool *equal)
{
    *equal = a->weight == b->weight;
    return a->weight > b->weight;
}

static bool heavier_a_ray(const struct policy_segment *a,
                          const struct policy_segment *b, bool *equal)
{
    product weight_a = (product)a->weight * (b->rays ? b->rays : 1);
    product weight_b = (product)b->weight * (a->rays ? a->rays : 1);
    *equal = weight_a == weight_b;
    return weight_a > weight_b;
}

static bool never_heavier(const struct policy_segment *a,
                          const struct policy_segment *b, bool *equal)
{
    *equal = true;
    return false;
}

static bool (*const heavier[])(const struct policy_segment *a,
                               const struct policy_segment *b, bool *equal) = {
    [POLICY_WEIGHT_total] = heavier_in_all,
    [POLICY_WEIGHT_average] = heavier_a_ray,
    [POLICY_WEIGHT_none] = never_heavier,
};
_Static_assert(sizeof heavier / sizeof *heavier == POLICY_WEIGHT_COUNT,
               "a function for each of STREAM_WEIGHTS");

static bool goes_before(const struct policy *p, uint32_t a, uint32_t b)
{
    bool equal;
    bool before = heavier[p->weight](&p->segments[a], &p->segments[b], &equal);
    return equal ? a < b : before;
}

/* ---- the order ---- */

/* The first one lies on top, which is the array's end. */
static void push_by_weight(struct policy *p, const struct policy_segment *s)
{
    uint32_t base = p->waiting_last;
    for (uint32_t i = 0; i < s->children; i++) {
        uint32_t child = s->first_child + i, at = p->waiting_last++;
        for (; at > base && goes_before(p, p->waiting[at - 1], child); at--)
            p->waiting[at] = p->waiting[at - 1];
        p->waiting[at] = child;
    }
}

static uint32_t last_waiting(struct policy *p)
{
    return p->waiting[--p->waiting_last];
}

const struct stream_order stream_order_dfs = {.put = push_by_weight,
                                              .take = last_waiting};
