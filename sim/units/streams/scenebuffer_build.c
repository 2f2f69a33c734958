/* A scene buffer is built: parameters and neighbours checked, memory taken. */
#include "sim/units/streams/scenebuffer_private.h"
#include <corbel/treelets.h>

static bool check_params(const struct scenebuffer_params *p,
                         struct error *error)
{
    if (!is_power_of_two(p->banks))
        return error_set(error, "banks: %lld is no power of two",
                         (long long)p->banks);
    return is_power_of_two(p->map_stride) ||
           error_set(error, "map_stride: %lld is no power of two",
                     (long long)p->map_stride);
}

static bool check_ports(const struct scenebuffer *s, struct error *error)
{
    const struct unit *u = &s->unit;
    if (!u->links[CPU] || u->links[CPU] != u->links[REPLY])
        return error_set(error, "%u cpu links but %u reply links",
                         u->links[CPU], u->links[REPLY]);
    if (!u->links[COMMAND] || !u->links[COMPLETE])
        return error_set(error, "no link to and from the stream scheduler");
    if (u->links[MEM] != u->links[DATA] || u->links[MEM] != s->params.map_parts)
        return error_set(
            error, "%u mem and %u data links, expected map_parts = %d",
            u->links[MEM], u->links[DATA], (int)s->params.map_parts);
    return true;
}

static void take_slots(struct scenebuffer *s)
{
    struct chip *chip = s->unit.chip;
    s->room = (uint32_t)(s->params.size / CORBEL_TREELET_LEAST);
    for (s->chain_mask = 63; s->chain_mask < s->room;)
        s->chain_mask = 2 * s->chain_mask + 1;
    s->slot = chip_alloc(chip, s->room, sizeof *s->slot);
    s->free = chip_alloc(chip, (s->room + 63) / 64, sizeof *s->free);
    s->chains = chip_alloc(chip, s->chain_mask + 1, sizeof *s->chains);
    memset(s->chains, 0xff, (s->chain_mask + 1) * sizeof *s->chains);
    s->fills = chip_alloc(chip, s->room + 1, sizeof *s->fills);
    s->done_order.room = s->room + 1;
    s->done = chip_alloc(chip, s->done_order.room, sizeof *s->done);
    s->channels =
        chip_alloc(chip, (size_t)s->params.map_parts, sizeof *s->channels);
    s->commands_order.room = (uint32_t)s->params.commands;
    s->commands = chip_alloc(chip, s->commands_order.room, sizeof *s->commands);
}

/* As many requests as the banks can take in the latency. */
static void take_requests(struct scenebuffer *s)
{
    s->taken_order.room = (uint32_t)(s->params.banks * (s->params.latency + 1));
    s->taken = chip_alloc(s->unit.chip, s->taken_order.room, sizeof *s->taken);
}

bool scenebuffer_build(struct unit *u, struct error *error)
{
    struct scenebuffer *s = (struct scenebuffer *)u;
    if (!check_params(&s->params, error) || !check_ports(s, error))
        return false;
    s->machine = chip_context(u->chip);
    s->account.bucket = &s->stats.idle;
    s->map = map_new(s->params.map_stride, s->params.map_parts, 1,
                     SCENEBUFFER_LINE, s->params.map_hash);
    take_slots(s);
    take_requests(s);
    return true;
}

bool scenebuffer_reads(const struct unit *u, const struct corbel_scene *scene,
                       struct error *error)
{
    const struct scenebuffer *s = (const struct scenebuffer *)u;
    return scene->treelet_bytes <= s->params.size ||
           error_set(error,
                     "treelets of %u bytes, more than the scene buffer has "
                     "(size %lld)",
                     scene->treelet_bytes, (long long)s->params.size);
}
