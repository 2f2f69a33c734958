/*
 * A TM gets another treelet when none of its own rays is out any more. If a TM
 * has `busy` rays out, the treelet with the longest queue of those in which
 * such TMs work; if no ray waits there, or no TM has `busy` out, the
 * lowest-numbered one in which no TM works.
 */
#include "sim/units/streams/raystore_policy.h"

/* Where TMs with many rays out work: the longest queue, of equal ones that of
 * the lowest number. */
static uint32_t longest_busy(const struct ray_queues *q)
{
    uint32_t best = QUEUES_NONE, most = 0;
    for (uint32_t tm = 0; tm < q->tms; tm++) {
        const struct ray_worker *w = &q->workers[tm];
        uint32_t count = w->out >= q->busy ? q->of[w->treelet].rays.count : 0;
        if (count > most || (count && count == most && w->treelet < best)) {
            best = w->treelet;
            most = count;
        }
    }
    return best;
}

static uint32_t choose_idle_first(const struct ray_queues *q, uint32_t tm,
                                  uint32_t wanted)
{
    uint32_t treelet = QUEUES_NONE;
    if (q->workers[tm].out)
        return QUEUES_NONE;
    if (q->busy_tms)
        treelet = longest_busy(q);
    return treelet != QUEUES_NONE ? treelet : queues_lowest_open(q, 0);
}

const struct raystore_policy raystore_policy_idle_first = {
    .choose = choose_idle_first};
