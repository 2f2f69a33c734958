/* The main memory of a partition is built: parameters checked, memory taken. */
#include "sim/units/memory/dram_private.h"

static bool check_params(const struct dram_unit *d, struct error *error)
{
    int64_t stride = d->params.map_stride;
    if (!is_power_of_two(stride))
        return error_set(error, "map_stride: %lld is no power of two",
                         (long long)stride);
    if (stride < d->device->transaction)
        return error_set(error,
                         "map_stride: %lld is less than a transaction of %s, "
                         "%u bytes",
                         (long long)stride, d->device->name,
                         d->device->transaction);
    if (!d->params.channels || is_power_of_two(d->params.channels))
        return true;
    return error_set(error, "channels: %lld is no power of two",
                     (long long)d->params.channels);
}

static struct dram_policy policy_of(const struct dram_unit_params *p)
{
    return (struct dram_policy){
        .rules = (uint8_t)p->rules,
        .scheduler = (uint8_t)p->scheduler,
        .row_policy = (uint8_t)p->row_policy,
        .refresh = (uint8_t)p->refresh,
        .cap = (uint32_t)p->cap,
        .timeout = (uint32_t)p->timeout,
        .read_queue = (uint32_t)p->read_queue,
        .write_queue = (uint32_t)p->write_queue,
        .active_queue = (uint32_t)p->active_queue,
        .write_high = (uint32_t)p->write_high,
        .write_low = (uint32_t)p->write_low,
    };
}

static bool make_controllers(struct dram_unit *d, struct error *error)
{
    struct dram_unit_params *p = &d->params;
    d->device = dram_device_new(dram_device_names()[p->device], error);
    if (!d->device || !check_params(d, error))
        return false;
    if (!p->channels)
        p->channels = d->device->channels;
    if (!p->clock)
        p->clock = d->device->clock_khz;
    struct dram_options options = {
        .device = d->device,
        .policy = policy_of(p),
        .mapping = *p->mapping ? p->mapping : NULL,
        .channels = (uint32_t)p->channels,
    };
    d->dram = dram_new(&options, error);
    return d->dram != NULL;
}

/*
 * Each bus has room for the bursts whose data is still to come: as many as fit
 * into a latency.
 */
static void make_buses(struct dram_unit *d)
{
    const struct dram_device *device = d->device;
    uint32_t latency = device->read_latency > device->write_latency
                           ? device->read_latency
                           : device->write_latency;
    d->pseudos = device->units[DRAM_PSEUDO];
    d->bus_count = (uint32_t)d->params.channels * d->pseudos;
    d->buses = chip_alloc(d->unit.chip, d->bus_count, sizeof *d->buses);
    uint32_t spans = latency / device->burst + 4;
    for (uint32_t i = 0; i < d->bus_count; i++) {
        struct bus *b = &d->buses[i];
        b->order.room = spans;
        b->data = chip_alloc(d->unit.chip, spans, sizeof *b->data);
    }
    dram_on_bus(d->dram, dram_note_bus, d);
}

static void numbers_new(struct dram_unit *d, struct numbers *q, uint32_t room)
{
    q->order.room = room;
    q->at = chip_alloc(d->unit.chip, room, sizeof *q->at);
}

/*
 * The pool has room for all that can be in the pipelines and queues at a time.
 */
static void make_pool(struct dram_unit *d)
{
    const struct dram_unit_params *p = &d->params;
    uint32_t front = (uint32_t)(p->front * p->accepts + p->queue);
    uint32_t queues =
        (uint32_t)(p->channels * (p->read_queue + p->write_queue));
    uint32_t back = (uint32_t)((p->back + 64) * p->answers);
    uint32_t sharers = d->joins ? d->device->transaction / SECTOR : 1;
    d->pool_size = front + (queues + back) * sharers;
    d->pool = chip_alloc(d->unit.chip, d->pool_size, sizeof *d->pool);
    numbers_new(d, &d->front, front);
    numbers_new(d, &d->answers, d->pool_size);
    d->free = chip_alloc(d->unit.chip, d->pool_size, sizeof *d->free);
    for (uint32_t i = d->pool_size; i-- > 0;)
        d->free[d->free_count++] = i;
    if (!d->joins)
        return;
    for (d->bucket_mask = 63; d->bucket_mask < queues;)
        d->bucket_mask = 2 * d->bucket_mask + 1;
    d->buckets =
        chip_alloc(d->unit.chip, d->bucket_mask + 1, sizeof *d->buckets);
    for (uint32_t i = 0; i <= d->bucket_mask; i++)
        d->buckets[i] = NONE;
}

/* A cycle of the faster clock's is work for the host even where little happens
 * in it: at 1 kHz, a core would wait for millions of them. */
static bool clocks_fit(const struct dram_unit *d, struct error *error)
{
    int64_t clock = d->params.clock, core = d->params.core_clock;
    return (clock <= core * DRAM_RATIO_MAX && core <= clock * DRAM_RATIO_MAX) ||
           error_set(error,
                     "core_clock: %lld kHz with a DRAM of %lld kHz, neither "
                     "may be more than %d times the other",
                     (long long)core, (long long)clock, DRAM_RATIO_MAX);
}

bool dram_build(struct unit *u, struct error *error)
{
    struct dram_unit *d = (struct dram_unit *)u;
    if (!u->links[CPU] || u->links[CPU] != u->links[REPLY])
        return error_set(error, "%u cpu links but %u reply links",
                         u->links[CPU], u->links[REPLY]);
    if (!make_controllers(d, error) || !clocks_fit(d, error))
        return false;
    uint32_t transaction = d->device->transaction;
    d->parts = transaction < SECTOR ? SECTOR / transaction : 1;
    d->joins = transaction > SECTOR;
    d->clock = clock_ratio_of((uint64_t)d->params.clock,
                              (uint64_t)d->params.core_clock);
    d->num_inverse = UINT64_MAX / d->clock.num;
    d->den_inverse = UINT64_MAX / d->clock.den;
    d->map = map_new(d->params.map_stride, d->params.map_parts, 1, 1, false);
    d->held_since = d->next_offer = d->quick = CYCLE_NEVER;
    d->next_tick = dram_next(d->dram);
    d->writes = chip_alloc(d->unit.chip, WRITE_COUNTS, sizeof *d->writes);
    d->words = (uint16_t)((u->links[CPU] + 63) / 64);
    d->accepts = (uint8_t)d->params.accepts;
    d->answers_most = (uint8_t)d->params.answers;
    make_pool(d);
    make_buses(d);
    dram_waits_build(d);
    return true;
}

void dram_destroy(struct unit *u)
{
    struct dram_unit *d = (struct dram_unit *)u;
    dram_waits_free(d);
    dram_free(d->dram);
    dram_device_free(d->device);
}
