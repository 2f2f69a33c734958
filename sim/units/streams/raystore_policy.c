/* The queues of a ray store; what policies choose is in files of their own. */
#include "sim/units/streams/raystore_policy.h"
#include "sim/core/unit.h"
#include <string.h>

#define ORDER_ROW(name) &raystore_order_##name,
static const struct raystore_order *const orders[] = {
    RAYSTORE_ORDERS(ORDER_ROW, ORDER_ROW)};

#define POLICY_ROW(name) &raystore_policy_##name,
static const struct raystore_policy *const policies[] = {
    RAYSTORE_POLICIES(POLICY_ROW, POLICY_ROW)};

/* ---- places ---- */

static uint32_t new_place(struct ray_queues *q)
{
    if (!q->freed.count && q->fresh == q->places)
        return QUEUES_NONE;
    q->held++;
    return q->freed.count ? number_list_take(q->next, &q->freed) : q->fresh++;
}

/* ---- queues ---- */

static uint32_t pop(struct ray_queues *q, struct number_list *rays)
{
    if (!rays->count)
        return QUEUES_NONE;
    uint32_t place = number_list_take(q->next, rays);
    number_list_push(q->next, &q->freed, place);
    q->held--;
    return place;
}

/* Notes whether a TM may choose the treelet, as far as that does not depend on
 * how many rays wait. */
static void note(struct ray_queues *q, uint32_t treelet)
{
    const struct ray_queue *of = &q->of[treelet];
    uint64_t bit = UINT64_C(1) << treelet % 64;
    bool open = of->rays.count && (policies[q->policy]->shares || !of->tms);
    q->open[treelet / 64] &= ~bit;
    q->open[treelet / 64] |= open ? bit : 0;
}

void queues_start(struct ray_queues *q, uint32_t treelets)
{
    q->treelets = treelets;
    memset(q->of, 0, treelets * sizeof *q->of);
    memset(q->open, 0, (treelets + 63) / 64 * sizeof *q->open);
    for (uint32_t tm = 0; tm < q->tms; tm++)
        q->workers[tm] = (struct ray_worker){.treelet = QUEUES_NONE};
    q->fresh = q->held = q->busy_tms = 0;
    q->freed.count = q->over.count = 0;
}

uint32_t queues_put(struct ray_queues *q, uint32_t treelet)
{
    uint32_t place = new_place(q);
    if (place == QUEUES_NONE)
        return place;
    orders[q->order]->put(q->next, &q->of[treelet].rays, place);
    note(q, treelet);
    return place;
}

uint32_t queues_put_over(struct ray_queues *q)
{
    uint32_t place = new_place(q);
    if (place != QUEUES_NONE)
        number_list_add(q->next, &q->over, place);
    return place;
}

uint32_t queues_take_over(struct ray_queues *q)
{
    return pop(q, &q->over);
}

/* ---- TMs ---- */

bool queues_batch(const struct ray_queues *q)
{
    return policies[q->policy]->batches;
}

void queues_back(struct ray_queues *q, uint32_t tm)
{
    struct ray_worker *w = &q->workers[tm];
    if (w->out)
        q->busy_tms -= w->out-- == q->busy;
}

uint32_t queues_lowest_open(const struct ray_queues *q, uint32_t from)
{
    if (from >= q->treelets)
        return QUEUES_NONE;
    int found = mask_next(q->open, (q->treelets + 63) / 64, from);
    return found < (int)from ? QUEUES_NONE : (uint32_t)found;
}

static void work_in(struct ray_queues *q, uint32_t tm, uint32_t treelet)
{
    uint32_t old = q->workers[tm].treelet;
    if (old != QUEUES_NONE) {
        q->of[old].tms--;
        note(q, old);
    }
    q->workers[tm].treelet = treelet;
    q->of[treelet].tms++;
    q->switches++;
}

uint32_t queues_take(struct ray_queues *q, uint32_t tm, uint32_t wanted)
{
    struct ray_worker *w = &q->workers[tm];
    if (w->treelet == QUEUES_NONE || !q->of[w->treelet].rays.count) {
        uint32_t treelet = policies[q->policy]->choose(q, tm, wanted);
        if (treelet == QUEUES_NONE)
            return QUEUES_NONE;
        work_in(q, tm, treelet);
    }
    uint32_t place = pop(q, &q->of[w->treelet].rays);
    note(q, w->treelet);
    q->busy_tms += ++w->out == q->busy;
    return place;
}
