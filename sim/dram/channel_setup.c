/*
 * A channel's beginning and end, and what it says of itself.
 */
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/dram/channel.h"
#include <stdlib.h>
#include <string.h>

/* The reference measures watermarks in N; where its queues hold N + 1. */
static void set_watermarks(struct channel *c)
{
    const struct dram_policy *p = &c->env->policy;
    uint32_t n = p->write_queue - !channel_is21(c);
    c->write_high = (uint32_t)((uint64_t)n * p->write_high / 1000);
    c->write_low = (uint32_t)(((uint64_t)n * p->write_low + 999) / 1000);
    if (!c->write_low)
        c->write_low = 1; /* an empty queue is drained */
}

static uint32_t request_room(const struct channel *c)
{
    const struct dram_policy *p = &c->env->policy;
    return p->read_queue + p->write_queue + c->env->rules->banks + 1 +
           c->active_room;
}

static void init_requests(struct channel *c)
{
    const struct dram_policy *p = &c->env->policy;
    uint32_t banks = c->env->rules->banks;
    c->active_room = p->active_queue;
    if (channel_is21(c) && c->active_room > banks)
        c->active_room = banks;
    uint32_t requests = request_room(c);
    uint32_t room = (requests + 1) / 2 * 2;
    c->pool = heap_lines(room, sizeof *c->pool, "a DRAM channel");
    memset(c->pool, 0, room * sizeof *c->pool);
    c->links = heap_new(requests, sizeof *c->links, "a DRAM channel");
    c->first = heap_new(requests, sizeof *c->first, "a DRAM channel");
    c->free = heap_new(requests, sizeof *c->free, "a DRAM channel");
    c->active =
        heap_new(c->active_room + banks, sizeof *c->active, "a DRAM channel");
    for (uint32_t i = 0; i < requests; i++)
        c->free[c->free_count++] = (uint16_t)(requests - 1 - i);
    queue_init(&c->queues[READS], c->pool, c->links, p->read_queue);
    queue_init(&c->queues[WRITES], c->pool, c->links, p->write_queue);
}

static uint8_t stepping_of(const struct channel *c)
{
    if (c->env->device->act2_within)
        return STEP_LPDDR;
    return c->env->device->dual_bus && channel_is21(c) ? STEP_DUAL
                                                       : STEP_SINGLE;
}

void channel_init(struct channel *c, struct channel_env *env, uint32_t number,
                  uint64_t *due)
{
    memset(c, 0, sizeof *c);
    c->env = env;
    c->number = number;
    c->is21 = env->policy.rules == DRAM_RAMULATOR21;
    c->merges = env->policy.rules != DRAM_RAMULATOR20;
    c->row_policy = env->policy.row_policy;
    c->scheduler = env->policy.scheduler;
    c->restrained = c->is21 || c->scheduler == DRAM_ROW_HIT;
    timing_init(&c->timing, env->rules);
    memset(c->row, 0xff, sizeof c->row);
    c->ages = 1; /* 0: older than any */
    c->activating = NO_REQUEST;
    c->synchronised.when = DRAM_NEVER;
    c->full_since[READS] = c->full_since[WRITES] = DRAM_NEVER;
    c->stepping = stepping_of(c);
    c->closes_used = env->policy.row_policy == DRAM_CLOSED && channel_is21(c);
    c->bank_words = (uint8_t)((env->rules->banks + 63) / 64);
    set_watermarks(c);
    init_requests(c);
    chores_init(c);
    c->due = due;
    *due = c->refresh_due;
}

void channel_destroy(struct channel *c)
{
    timing_destroy(&c->timing);
    queue_destroy(&c->queues[READS]);
    queue_destroy(&c->queues[WRITES]);
    free(c->pool);
    free(c->links);
    free(c->first);
    free(c->free);
    free(c->active);
}

/* ---- checkpoints ---- */

static void take_pointers(void *to, const void *from)
{
    struct channel *c = to;
    const struct channel *f = from;
    c->env = f->env;
    c->due = f->due;
    c->active = f->active;
    c->pool = f->pool;
    c->links = f->links;
    c->first = f->first;
    c->free = f->free;
    c->timing = f->timing; /* nothing but pointers, and what is fixed */
    for (unsigned i = 0; i < 2; i++) {
        c->queues[i].pool = f->queues[i].pool;
        c->queues[i].links = f->queues[i].links;
        c->queues[i].hit_age = f->queues[i].hit_age;
        c->queues[i].other_age = f->queues[i].other_age;
        c->queues[i].banks = f->queues[i].banks;
    }
}

void channel_state(struct channel *c, struct state *s)
{
    uint32_t requests = request_room(c);
    uint32_t active = c->active_room + c->env->rules->banks;
    state_same(s, requests, "the requests of a DRAM channel");
    state_same(s, active, "the active requests of a DRAM channel");
    state_struct(s, c, sizeof *c, take_pointers);
    state_bytes(s, c->pool, requests * sizeof *c->pool);
    state_bytes(s, c->links, requests * sizeof *c->links);
    state_bytes(s, c->first, requests * sizeof *c->first);
    state_bytes(s, c->free, requests * sizeof *c->free);
    state_bytes(s, c->active, active * sizeof *c->active);
    timing_state(&c->timing, s);
    for (unsigned i = 0; i < 2; i++)
        queue_state(&c->queues[i], s);
}

void channel_explain(const struct channel *c, FILE *out)
{
    fprintf(out,
            "channel %u: %u reads and %u writes queued, %u active, %u chores, "
            "serving %s, next event in clock %llu\n",
            c->number, c->queues[READS].size, c->queues[WRITES].size,
            c->active_count, c->chore_count, c->writing ? "writes" : "reads",
            (unsigned long long)*c->due);
    for (uint32_t b = 0; b < c->env->rules->banks; b++)
        if (c->row[b] != NO_ROW)
            fprintf(out, "  bank %u: row %u open, %u active\n", b, c->row[b],
                    c->active_in[b]);
}
