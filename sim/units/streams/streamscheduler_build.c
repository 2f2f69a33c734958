/*
 * Construction of a stream scheduler: whether its links and parameters fit, and
 * its tables, whose pages cost nothing until they are used. What it takes of a
 * scene.
 */
#include "sim/units/common/address_map.h"
#include "sim/units/streams/streamscheduler_private.h"
#include <corbel/treelets.h>

static bool check_ports(const struct unit *u, struct error *error)
{
    const uint16_t *links = u->links;
    if (!links[TM] || links[TM] != links[BUCKET])
        return error_set(error, "%u tm links but %u bucket links", links[TM],
                         links[BUCKET]);
    if (links[MEM] != links[DATA])
        return error_set(error, "%u mem links but %u data links", links[MEM],
                         links[DATA]);
    if (links[COMMAND] != links[COMPLETE])
        return error_set(error, "%u command links but %u complete links",
                         links[COMMAND], links[COMPLETE]);
    return true;
}

static bool check_params(const struct streamscheduler *s, struct error *error)
{
    const struct streamscheduler_params *p = &s->params;
    if (!is_power_of_two(p->bucket))
        return error_set(error, "bucket: %lld is no power of two",
                         (long long)p->bucket);
    if (!is_power_of_two(p->stride) || p->stride < p->bucket)
        return error_set(error,
                         "stride: %lld is no power of two, or less than a "
                         "bucket",
                         (long long)p->stride);
    if (!p->on_chip && !s->unit.links[MEM])
        return error_set(error, "no mem link, and on_chip is 0");
    return true;
}

static void banks_new(struct streamscheduler *s)
{
    s->bank_count = (uint32_t)s->params.banks;
    s->bank_queue = (uint32_t)s->params.bank_queue;
    s->by_segment = s->params.bank_by;
    s->banks = chip_alloc(s->unit.chip, s->bank_count, sizeof *s->banks);
    for (uint32_t tm = s->client_count; tm--;) {
        struct bank *b = &s->banks[tm * s->bank_count / s->client_count];
        b->first_tm = tm;
        b->tms++;
    }
    s->open =
        chip_alloc(s->unit.chip, (size_t)s->params.segments * s->bank_count,
                   sizeof *s->open);
}

static void clients_new(struct streamscheduler *s)
{
    s->client_count = s->unit.links[TM];
    s->clients = chip_alloc(s->unit.chip, s->client_count, sizeof *s->clients);
    s->loads_order.room = s->client_count * LOADS;
    s->loads = chip_alloc(s->unit.chip, s->loads_order.room, sizeof *s->loads);
    for (uint32_t i = 0; i < s->client_count; i++)
        s->clients[i] = client_new();
}

/* The heap begins with a row of the first partition, and has as many of each.
 */
static void channels_new(struct streamscheduler *s)
{
    struct chip *chip = s->unit.chip;
    uint32_t links = s->unit.links[MEM];
    s->on_chip = s->params.on_chip;
    s->reads_first = s->params.channel_order;
    s->channel_count = links ? links : CHANNELS_ON_CHIP;
    uint64_t row = (uint64_t)s->params.stride * s->channel_count;
    s->heap = ((uint64_t)s->params.heap_base + row - 1) / row * row;
    s->heap_end = s->heap + ((uint64_t)s->params.heap << 20);
    s->slots = (uint32_t)(((uint64_t)s->params.heap << 20) / row *
                          (uint64_t)(s->params.stride / s->params.bucket));
    s->channels = chip_alloc(chip, s->channel_count, sizeof *s->channels);
    for (uint32_t i = 0; i < s->channel_count; i++) {
        struct channel *c = &s->channels[i];
        c->order.room = (uint32_t)s->params.jobs;
        c->jobs = chip_alloc(chip, c->order.room, sizeof *c->jobs);
        c->freed = chip_alloc(chip, s->slots, sizeof *c->freed);
    }
}

/* As many buckets as the heap holds, and those that are not yet in it. */
static void buckets_new(struct streamscheduler *s)
{
    struct chip *chip = s->unit.chip;
    s->bucket_bytes = (uint32_t)s->params.bucket;
    s->beats = s->bucket_bytes / BEAT;
    s->capacity = (s->bucket_bytes - HEAD_BYTES) / ITEM_BYTES;
    s->bucket_count = s->slots * s->channel_count;
    s->buckets = chip_alloc(chip, s->bucket_count, sizeof *s->buckets);
    s->items = chip_alloc(chip, (size_t)s->bucket_count * s->capacity,
                          sizeof *s->items);
}

/* Segments that are candidates, at most. */
static uint32_t limit_of(const struct streamscheduler *s, int64_t treelet)
{
    uint32_t active = (uint32_t)s->params.active;
    if (!s->unit.links[COMMAND])
        return active ? active : 2 * s->client_count;
    uint32_t held = (uint32_t)(s->params.scene_buffer / treelet);
    return active && active < held ? active : held;
}

static void policy_new(struct streamscheduler *s)
{
    struct chip *chip = s->unit.chip;
    struct policy *p = &s->policy;
    size_t segments = (size_t)s->params.segments;
    p->order = (enum policy_order)s->params.order;
    p->weight = (enum policy_weight)s->params.weight;
    p->low_water = (uint32_t)s->params.low_water;
    p->fetches = (uint32_t)s->params.prefetches;
    p->segments = chip_alloc(chip, segments, sizeof *p->segments);
    p->waiting = chip_alloc(chip, segments, sizeof *p->waiting);
    p->candidates = chip_alloc(chip, limit_of(s, CORBEL_TREELET_LEAST),
                               sizeof *p->candidates);
    p->next = chip_alloc(chip, s->bucket_count, sizeof *p->next);
}

bool streamscheduler_build(struct unit *u, struct error *error)
{
    struct streamscheduler *s = (struct streamscheduler *)u;
    if (!check_ports(u, error) || !check_params(s, error))
        return false;
    s->machine = chip_context(u->chip);
    s->account.bucket = &s->stats.idle;
    clients_new(s);
    banks_new(s);
    channels_new(s);
    if (!s->slots)
        return error_set(error, "heap: less than a row of all channels");
    buckets_new(s);
    policy_new(s);
    return true;
}

/* ---- scenes ---- */

/* A scene without treelets can be traced without streams. */
bool streamscheduler_reads(const struct unit *u,
                           const struct corbel_scene *scene,
                           struct error *error)
{
    const struct streamscheduler *s = (const struct streamscheduler *)u;
    if (scene->treelets > s->params.segments)
        return error_set(error,
                         "%u treelets, the stream scheduler has room for %lld: "
                         "-s streamscheduler.segments=%u",
                         scene->treelets, (long long)s->params.segments,
                         scene->treelets);
    if (scene->treelets && !limit_of(s, scene->treelet_bytes))
        return error_set(
            error, "treelets of %u bytes, the scene buffer has %lld",
            scene->treelet_bytes, (long long)s->params.scene_buffer);
    return true;
}

void streamscheduler_start(struct streamscheduler *s)
{
    const struct corbel_scene *scene = s->machine->scene;
    uint32_t count = scene ? scene->treelets : 0;
    memset(s->open, 0, s->open_count * sizeof *s->open);
    s->open_count = (size_t)count * s->bank_count;
    policy_start(&s->policy, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct corbel_treelet *t = corbel_scene_treelet(scene, i);
        policy_describe(&s->policy, i, t->first_child, t->children);
    }
    if (count)
        s->policy.limit = limit_of(s, scene->treelet_bytes);
    s->started = s->changed = true;
}
