#include "sim/units/streams/raystore_policy.h"
#include "sim/core/unit.h"
#include <string.h>

/* ---- places ---- */

static uint32_t new_place(struct ray_queues *q)
{
    uint32_t place = q->free;
    if (place != QUEUES_NONE)
        q->free = q->next[place];
    else if (q->fresh < q->places)
        place = q->fresh++;
    q->held += place != QUEUES_NONE;
    return place;
}

static void free_place(struct ray_queues *q, uint32_t place)
{
    q->next[place] = q->free;
    q->free = place;
    q->held--;
}

/* ---- queues ---- */

static void append(struct ray_queues *q, struct ray_queue *of, uint32_t place)
{
    if (of->count++)
        q->next[of->last] = place;
    else
        of->first = place;
    of->last = place;
}

static void push(struct ray_queues *q, struct ray_queue *of, uint32_t place)
{
    if (!of->count++)
        of->last = place;
    q->next[place] = of->first;
    of->first = place;
}

static uint32_t pop(struct ray_queues *q, struct ray_queue *of)
{
    if (!of->count)
        return QUEUES_NONE;
    uint32_t place = of->first;
    of->first = q->next[place];
    of->count--;
    free_place(q, place);
    return place;
}

/* Notes whether a TM may choose the treelet, as far as that does not depend on
 * how many rays wait. */
static void note(struct ray_queues *q, uint32_t treelet)
{
    const struct ray_queue *of = &q->of[treelet];
    uint64_t bit = UINT64_C(1) << treelet % 64;
    bool open = of->count && (q->policy == QUEUES_BATCH || !of->tms);
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
    q->free = QUEUES_NONE;
    q->over.count = 0;
}

uint32_t queues_put(struct ray_queues *q, uint32_t treelet)
{
    struct ray_queue *of = &q->of[treelet];
    uint32_t place = new_place(q);
    if (place == QUEUES_NONE)
        return place;
    if (q->order == QUEUES_LIFO)
        push(q, of, place);
    else
        append(q, of, place);
    note(q, treelet);
    return place;
}

uint32_t queues_put_over(struct ray_queues *q)
{
    uint32_t place = new_place(q);
    if (place != QUEUES_NONE)
        append(q, &q->over, place);
    return place;
}

uint32_t queues_take_over(struct ray_queues *q)
{
    return pop(q, &q->over);
}

/* ---- TMs ---- */

void queues_back(struct ray_queues *q, uint32_t tm)
{
    struct ray_worker *w = &q->workers[tm];
    if (w->out)
        q->busy_tms -= w->out-- == q->busy;
}

static uint32_t lowest_open(const struct ray_queues *q, uint32_t from)
{
    if (from >= q->treelets)
        return QUEUES_NONE;
    int found = mask_next(q->open, (q->treelets + 63) / 64, from);
    return found < (int)from ? QUEUES_NONE : (uint32_t)found;
}

/* Where TMs with many rays out work: the longest queue, of equal ones that of
 * the lowest number. */
static uint32_t longest_busy(const struct ray_queues *q)
{
    uint32_t best = QUEUES_NONE, most = 0;
    for (uint32_t tm = 0; tm < q->tms; tm++) {
        const struct ray_worker *w = &q->workers[tm];
        uint32_t count = w->out >= q->busy ? q->of[w->treelet].count : 0;
        if (count > most || (count && count == most && w->treelet < best)) {
            best = w->treelet;
            most = count;
        }
    }
    return best;
}

static uint32_t choose_idle_first(const struct ray_queues *q, uint32_t tm)
{
    uint32_t treelet = QUEUES_NONE;
    if (q->workers[tm].out)
        return QUEUES_NONE;
    if (q->busy_tms)
        treelet = longest_busy(q);
    return treelet != QUEUES_NONE ? treelet : lowest_open(q, 0);
}

static uint32_t choose_batch(const struct ray_queues *q, uint32_t wanted)
{
    uint32_t treelet = wanted < q->batch ? QUEUES_NONE : lowest_open(q, 0);
    while (treelet != QUEUES_NONE &&
           q->of[treelet].count < (uint64_t)q->busy * q->of[treelet].tms)
        treelet = lowest_open(q, treelet + 1);
    return treelet;
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
    if (w->treelet == QUEUES_NONE || !q->of[w->treelet].count) {
        uint32_t treelet = q->policy == QUEUES_BATCH ? choose_batch(q, wanted)
                                                     : choose_idle_first(q, tm);
        if (treelet == QUEUES_NONE)
            return QUEUES_NONE;
        work_in(q, tm, treelet);
    }
    uint32_t place = pop(q, &q->of[w->treelet]);
    note(q, w->treelet);
    q->busy_tms += ++w->out == q->busy;
    return place;
}
