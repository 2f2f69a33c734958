/* How a ray store is made: parameters and links checked, memory taken. */
#include "sim/units/streams/raystore_private.h"
#include <corbel/scene.h>

static void banks_new(struct raystore *s)
{
    struct chip *chip = s->unit.chip;
    s->bank_count = (uint32_t)s->params.banks;
    s->banks = chip_alloc(chip, s->bank_count, sizeof *s->banks);
    s->loads = chip_alloc(chip, s->tm_count, sizeof *s->loads);
    s->bank_of = chip_alloc(chip, s->tm_count, sizeof *s->bank_of);
    for (uint32_t tm = s->tm_count; tm--;) {
        s->bank_of[tm] = tm * s->bank_count / s->tm_count;
        struct bank *b = &s->banks[s->bank_of[tm]];
        b->first_tm = tm;
        b->tms++;
    }
    s->latency = (uint32_t)s->params.latency;
    s->order.room = (s->latency + 1) * s->bank_count;
    s->stages = chip_alloc(chip, s->order.room, sizeof *s->stages);
}

/* The most rays that a TM may want, and have, at a time: the slots of its RT
 * core, or its harts. UINT32_MAX: that is not known. */
static uint32_t most_of_tm(const struct unit *gate)
{
    struct unit *core = unit_beyond(gate, "work", 0), *tp;
    int64_t harts = 0;
    if (core)
        return (uint32_t)unit_number(core, "max_rays", UINT32_MAX);
    for (unsigned i = 0; (tp = unit_beyond(gate, "done", i)); i++)
        harts += unit_number(tp, "harts", 0);
    return harts ? (uint32_t)harts : UINT32_MAX;
}

/* The least of all TMs. */
static uint32_t most_wanted(const struct unit *u)
{
    uint32_t least = UINT32_MAX;
    for (unsigned tm = 0; tm < u->links[RAY]; tm++) {
        uint32_t most = most_of_tm(link_target(&u->out[RAY][tm]));
        least = most < least ? most : least;
    }
    return least;
}

static uint32_t at_most(int64_t value, uint32_t most)
{
    return value < most ? (uint32_t)value : most;
}

static void queues_new(struct raystore *s)
{
    struct chip *chip = s->unit.chip;
    const uint32_t most = most_wanted(&s->unit);
    size_t treelets = (size_t)s->params.treelets;
    uint32_t places = (uint32_t)(s->params.bytes / RAYSTORE_RAY_BYTES);
    struct ray_queues *q = &s->queues;
    *q = (struct ray_queues){
        .order = (enum queues_order)s->params.order,
        .policy = (enum queues_policy)s->params.policy,
        .batch = at_most(s->params.batch, most),
        .busy = at_most(s->params.busy, most),
        .tms = s->tm_count,
        .places = places,
        .of = chip_alloc(chip, treelets, sizeof *q->of),
        .open = chip_alloc(chip, (treelets + 63) / 64, sizeof *q->open),
        .workers = chip_alloc(chip, s->tm_count, sizeof *q->workers),
        .next = chip_alloc(chip, places, sizeof *q->next),
    };
    s->stored = chip_alloc(chip, places, sizeof *s->stored);
}

bool raystore_build(struct unit *u, struct error *error)
{
    struct raystore *s = (struct raystore *)u;
    if (!u->links[TM] || u->links[TM] != u->links[RAY])
        return error_set(error, "%u tm links but %u ray links", u->links[TM],
                         u->links[RAY]);
    s->machine = chip_context(u->chip);
    s->tm_count = u->links[TM];
    s->account.bucket = &s->stats.idle;
    banks_new(s);
    queues_new(s);
    return true;
}

bool raystore_reads(const struct unit *u, const struct corbel_scene *scene,
                    struct error *error)
{
    const struct raystore *s = (const struct raystore *)u;
    const uint32_t treelets = scene->treelets;
    char helps[64] = "convert it with larger treelets";
    if (treelets <= s->params.treelets)
        return true;
    if (treelets <= RAYSTORE_TREELETS_MOST)
        snprintf(helps, sizeof helps, "-s %.40s.treelets=%u", u->group,
                 treelets);
    return error_set(error, "%u treelets, the ray store has room for %lld: %s",
                     treelets, (long long)s->params.treelets, helps);
}
