/*
 * A TM gets another treelet when it wants `batch` rays at least: the
 * lowest-numbered one in which no TM works, or with `busy` rays for each TM
 * that does.
 */
#include "sim/units/streams/raystore_policy.h"

static uint32_t choose_batch(const struct ray_queues *q, uint32_t tm,
                             uint32_t wanted)
{
    uint32_t treelet =
        wanted < q->batch ? QUEUES_NONE : queues_lowest_open(q, 0);
    while (treelet != QUEUES_NONE &&
           q->of[treelet].rays.count < (uint64_t)q->busy * q->of[treelet].tms)
        treelet = queues_lowest_open(q, treelet + 1);
    return treelet;
}

const struct raystore_policy raystore_policy_batch = {
    .shares = true, .batches = true, .choose = choose_batch};
