/* Which changes are worth predicting, and in which order they are told. */
#include "sim/verdict/verdict.h"
#include <stdlib.h>

/* Another program is no limit's relief, nor is a larger chip: they come last.
 */
static int by_gain(const void *a, const void *b)
{
    int p = ((const struct prediction *)a)->of,
        q = ((const struct prediction *)b)->of;
    if (p != q)
        return p - q;
    double x = ((const struct prediction *)a)->speedup,
           y = ((const struct prediction *)b)->speedup;
    return (x < y) - (x > y);
}

/* Ports have no parameter of their kind, but every chip says how many, and how
 * slow links are. */
static bool offered(const struct lever *l)
{
    if (l->refused)
        return false;
    if (l->row->sort == LIMIT_LATENCY || l->row->inverse)
        return l->value > 1;
    if (l->row->sort == LIMIT_PROGRAM)
        return l->used > 0 && l->used < 1;
    return l->row->param ? l->value > 0 : l->row->room_links;
}

unsigned verdict_predict(const struct verdict *v, struct prediction *list)
{
    unsigned count = 0;
    for (unsigned i = 0; i < v->lever_count; i++)
        if (offered(&v->levers[i]))
            list[count++].change = (struct change){.lever = i};
    list[count++].change = (struct change){.lever = VERDICT_NONE, .tms = true};
    list[count++].change =
        (struct change){.lever = VERDICT_NONE, .harts = true};
    for (unsigned i = 0; i < count; i++) {
        list[i].of =
            list[i].change.lever == VERDICT_NONE ? GAIN_OF_SIZE
            : v->levers[list[i].change.lever].row->sort == LIMIT_PROGRAM
                ? GAIN_OF_PROGRAM
                : GAIN_OF_LIMIT;
        list[i].speedup = verdict_speedup(v, &list[i].change);
    }
    qsort(list, count, sizeof *list, by_gain);
    return count;
}
