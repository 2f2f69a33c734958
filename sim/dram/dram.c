/*
 * A memory: an address mapping in front of channels, which run independently
 * and share nothing but the queue of completions. Channels take turns by the
 * clock of their next event, so commands and completions of all channels come
 * in order of time.
 */
#include "sim/dram/dram.h"
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/dram/channel.h"
#include <stdlib.h>

struct dram {
    struct channel_env env;
    struct dram_mapping *mapping;
    uint32_t channel_count;
    struct channel *channels;
    uint64_t *due; /* of each channel: side by side, as they are looked at most
                      often */
    uint64_t next; /* the least of them */
    uint64_t accepted, popped;
};

#define MOST_CHANNELS 64

static bool options_ok(const struct dram_options *o, struct error *error)
{
    if (!o->channels || o->channels > MOST_CHANNELS ||
        o->channels & (o->channels - 1))
        return error_set(error,
                         "channels is %u, must be a power of two up to %u",
                         o->channels, MOST_CHANNELS);
    return dram_policy_check(&o->policy, o->device, error);
}

/* Commands that a controller of that policy issues. */
static void note_used(const struct dram_options *o, bool *used)
{
    const struct dram_policy *p = &o->policy;
    for (unsigned i = 0; i < DRAM_COMMAND_COUNT; i++)
        used[i] = o->device->has[i];
    bool all = p->refresh == DRAM_REFRESH_ALL;
    bool bank = p->refresh == DRAM_REFRESH_BANK;
    used[DRAM_REFAB] &= all;
    used[DRAM_PREA] &= all;
    used[DRAM_REFPB] &= bank;
    used[DRAM_REFSB] &= bank;
    bool auto_close =
        p->row_policy == DRAM_CLOSED && p->rules == DRAM_RAMULATOR21;
    used[DRAM_RDA] &= auto_close;
    used[DRAM_WRA] &= auto_close;
}

/* Without branches, as the host could not predict them. */
static inline uint32_t earliest(const struct dram *d)
{
    uint32_t first = 0;
    uint64_t least = d->due[0];
    for (uint32_t i = 1; i < d->channel_count; i++) {
        bool earlier = d->due[i] < least;
        least = earlier ? d->due[i] : least;
        first = earlier ? i : first;
    }
    return first;
}

struct dram *dram_new(const struct dram_options *o, struct error *error)
{
    bool used[DRAM_COMMAND_COUNT];
    if (!options_ok(o, error))
        return NULL;
    struct dram *d = heap_new(1, sizeof *d, "DRAM");
    d->env.device = o->device;
    d->env.policy = o->policy;
    note_used(o, used);
    d->env.rules = timing_rules_new(o->device, used, error);
    d->mapping = d->env.rules ? dram_mapping_new(o->mapping, o->device,
                                                 o->channels, error)
                              : NULL;
    if (!d->mapping) {
        dram_free(d);
        return NULL;
    }
    d->channels = heap_new(o->channels, sizeof *d->channels, "DRAM channels");
    d->due = heap_new(o->channels, sizeof *d->due, "DRAM channels");
    for (uint32_t i = 0; i < o->channels; i++)
        channel_init(&d->channels[i], &d->env, i, &d->due[i]);
    d->channel_count = o->channels;
    d->next = d->due[earliest(d)];
    d->env.pseudo_groups = d->env.rules->groups / o->device->units[DRAM_PSEUDO];
    d->env.pseudo_shift = (uint8_t)__builtin_ctz(d->env.pseudo_groups);
    d->env.rank_shift = (uint8_t)__builtin_ctz(d->env.rules->rank_groups *
                                               d->env.rules->banks_per_group);
    return d;
}

void dram_free(struct dram *d)
{
    if (!d)
        return;
    for (uint32_t i = 0; i < d->channel_count; i++)
        channel_destroy(&d->channels[i]);
    free(d->channels);
    free(d->due);
    free(d->env.completions.ring);
    timing_rules_free(d->env.rules);
    if (d->mapping)
        dram_mapping_free(d->mapping);
    free(d);
}

bool dram_offer(struct dram *d, uint64_t state, bool write, uint64_t address,
                uint64_t tag)
{
    struct dram_place at = dram_locate(d->mapping, address);
    if (!channel_offer(&d->channels[at.channel], state, write, at, tag))
        return false;
    d->accepted++;
    d->next = sooner(d->next, d->due[at.channel]);
    return true;
}

uint64_t dram_next(const struct dram *d)
{
    return d->next;
}

bool dram_run(struct dram *d, uint64_t clock)
{
    if (d->next > clock)
        return d->env.completions.count;
    uint32_t first = earliest(d);
    do {
        channel_step(&d->channels[first], d->due[first], clock);
        first = earliest(d);
    } while (d->due[first] <= clock);
    d->next = d->due[first];
    return d->env.completions.count;
}

void dram_skip(struct dram *d, uint64_t clock)
{
    for (uint32_t i = 0; !dram_pending(d) && i < d->channel_count; i++)
        channel_skip(&d->channels[i], clock);
    d->next = d->due[earliest(d)];
}

const struct dram_done *dram_take(struct dram *d)
{
    struct completions *q = &d->env.completions;
    if (!q->count)
        return NULL;
    const struct dram_done *done = &q->ring[q->head];
    q->count--;
    /* From the start again if it can be: the fewer cache lines. */
    q->head = q->count ? (q->head + 1) & (q->room - 1) : 0;
    d->popped++;
    return done;
}

bool dram_pop(struct dram *d, struct dram_done *done)
{
    const struct dram_done *taken = dram_take(d);
    if (taken)
        *done = *taken;
    return taken;
}

uint32_t dram_pending(const struct dram *d)
{
    return (uint32_t)(d->accepted - d->popped);
}

void dram_on_command(struct dram *d, dram_command_hook *hook, void *context)
{
    d->env.hook = hook;
    d->env.hook_context = context;
}

void dram_on_bus(struct dram *d, dram_bus_hook *hook, void *context)
{
    d->env.bus_hook = hook;
    d->env.bus_context = context;
}

static void add_full(const struct channel *c, enum direction direction,
                     uint64_t clock, uint64_t *sum)
{
    if (c->full_since[direction] < clock)
        *sum += clock - c->full_since[direction];
}

/* Of a channel. */
static uint32_t ranks(const struct dram *d)
{
    return d->env.rules->banks >> d->env.rank_shift;
}

/* Ranks that are open still. */
static void add_ranks(const struct channel *c, uint64_t clock,
                      struct dram_stats *sum)
{
    for (uint32_t r = 0; r < c->env->rules->banks >> c->env->rank_shift; r++)
        if (c->rank_banks[r] && c->rank_since[r] < clock)
            sum->rank_open += clock - c->rank_since[r];
}

void dram_statistics(const struct dram *d, uint64_t clock,
                     struct dram_stats *stats)
{
    *stats = (struct dram_stats){0};
    for (uint32_t i = 0; i < d->channel_count; i++) {
        const struct channel *c = &d->channels[i];
        dram_stats_add(stats, &c->stats);
        add_full(c, READS, clock, &stats->read_queue_full);
        add_full(c, WRITES, clock, &stats->write_queue_full);
        add_ranks(c, clock, stats);
    }
    stats->rank_closed = clock * d->channel_count * ranks(d) - stats->rank_open;
}

void dram_state(struct dram *d, struct state *s)
{
    struct completions *q = &d->env.completions;
    uint32_t room = q->room;
    state_same(s, d->channel_count, "the number of DRAM channels");
    state_fixed(s, d->env.device);
    state_fixed(s, d->env.rules);
    state_fixed(s, d->mapping);
    q->ring = state_array(s, q->ring, &room, &q->room, sizeof *q->ring,
                          "DRAM answers");
    q->room = room;
    STATE_VALUE(s, q->head);
    STATE_VALUE(s, q->count);
    for (uint32_t i = 0; i < d->channel_count; i++)
        channel_state(&d->channels[i], s);
    state_bytes(s, d->due, d->channel_count * sizeof *d->due);
    STATE_VALUE(s, d->next);
    STATE_VALUE(s, d->accepted);
    STATE_VALUE(s, d->popped);
}

void dram_explain(const struct dram *d, FILE *out)
{
    for (uint32_t i = 0; i < d->channel_count; i++)
        channel_explain(&d->channels[i], out);
}
