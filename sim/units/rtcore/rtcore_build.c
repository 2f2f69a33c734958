/*
 * Construction of an RT core: whether its links fit, its slots, what it takes
 * of its parameters; and which formats of scenes it reads.
 */
#include "sim/units/rtcore/rtcore_items.h"
#include <corbel/scene.h>

void fifo_new(struct fifo *f, struct rtcore *r)
{
    uint32_t room = 1;
    while (room < r->slot_count)
        room *= 2;
    f->mask = (uint16_t)(room - 1);
    f->slots = chip_alloc(r->unit.chip, room, sizeof *f->slots);
}

static bool check_ports(const struct unit *u, struct error *error)
{
    bool items = u->links[WORK] || u->links[ITEM];
    if ((!u->links[RAY] && !items) || u->links[RAY] != u->links[HIT])
        return error_set(error, "%u ray links but %u hit links", u->links[RAY],
                         u->links[HIT]);
    if (!u->links[MEM] || u->links[MEM] != u->links[DATA])
        return error_set(error, "%u mem links but %u data links", u->links[MEM],
                         u->links[DATA]);
    return true;
}

/* Bytes of a ray, in whole cache lines. Without a limit of its stack a ray may
 * need all entries that there are. */
static uint32_t ray_bytes(const struct rtcore *r)
{
    size_t entries = r->stack ? r->stack : CORBEL_STACK_MAX;
    size_t used = offsetof(struct ray, traversal) +
                  CORBEL_TRAVERSAL_USED(entries, r->pop_cull);
    return (uint32_t)(used + 63) / 64 * 64;
}

/* The parameters that the other files use, in the form in which they do; those
 * of the pipelines and of the scheduler are taken where these are built. */
static void take_params(struct rtcore *r)
{
    const struct rtcore_params *params = &r->params;
    r->slot_count = (uint32_t)params->max_rays;
    uint32_t *room = params->stack_traffic ? &r->stack_room : &r->stack;
    *room = (uint32_t)params->stack;
    r->pop_cull = params->pop_cull;
    r->prefetch = (uint8_t)params->prefetch;
    r->special = r->prefetch > 0;
}

/* All slots are free, and each has its cache queue. */
static void slots_new(struct rtcore *r)
{
    struct chip *chip = r->unit.chip;
    uint32_t slots = r->slot_count;
    r->slots = chip_alloc(chip, slots, sizeof *r->slots);
    r->askers = chip_alloc(chip, slots, sizeof *r->askers);
    r->refusals = chip_alloc(chip, slots, sizeof *r->refusals);
    r->ray_bytes = ray_bytes(r);
    r->rays = chip_alloc(chip, slots, r->ray_bytes);
    r->sectors = chip_alloc(chip, slots, sizeof *r->sectors);
    for (uint32_t i = 0; i < slots; i++) {
        r->slots[i].first = i + 1 < slots ? i + 1 : NO_SLOT;
        r->slots[i].state = STATES;
        r->slots[i].queue = (uint8_t)(i % r->unit.links[MEM]);
    }
    r->missing = chip_alloc(chip, slots, sizeof *r->missing);
    fifo_new(&r->finished, r);
}

bool rtcore_build(struct unit *u, struct error *error)
{
    struct rtcore *r = (struct rtcore *)u;
    if (!check_ports(u, error))
        return false;
    take_params(r);
    r->machine = chip_context(u->chip);
    rtcore_trace_new(r);
    r->memory = r->machine->memory;
    r->ray_words = (uint8_t)((u->links[RAY] + 63u) / 64);
    r->data = u->in[DATA];
    slots_new(r);
    ready_new(&r->ready, r);
    fetch_new(r);
    pipes_new(r);
    if ((u->links[WORK] || u->links[ITEM]) && !items_new(r, error))
        return false;
    if (!warps_new(r, error) || !stacks_new(r, error))
        return false;
    r->far = r->boxes.latency >= WHEEL || r->triangles.latency >= WHEEL;
    return true;
}

/* ---- scenes ---- */

/* The format of a choice's number, 0: any. */
static uint32_t chosen_nodes(int64_t choice)
{
#define X(id, name, ...) id,
    static const uint32_t formats[] = {0, CORBEL_NODE_FORMATS(X)};
#undef X
    return formats[choice];
}

static uint32_t chosen_triangles(int64_t choice)
{
#define X(id, name, grain, apart, meaning) id,
    static const uint32_t formats[] = {0, CORBEL_LEAF_FORMATS(X)};
#undef X
    return formats[choice];
}

/* option: of corbel-scene convert. */
static bool wrong_format(struct error *error, const char *what,
                         const char *option, const char *has,
                         const char *wanted)
{
    return error_set(error,
                     "%s %s, the RT cores of this chip read %s: convert it "
                     "with corbel-scene convert %s %s",
                     what, has, wanted, option, wanted);
}

bool rtcore_reads(const struct unit *u, const struct corbel_scene *scene,
                  struct error *error)
{
    const struct rtcore *r = (const struct rtcore *)u;
    uint32_t nodes = chosen_nodes(r->params.nodes);
    uint32_t triangles = chosen_triangles(r->params.triangles);
    if (corbel_scene_has_trees(scene))
        return error_set(error, "instances or geometries, which the RT cores "
                                "of this chip do not know: bake it, or run it "
                                "with --functional");
    if (nodes && nodes != scene->format)
        return wrong_format(error, "nodes", "--nodes",
                            corbel_node_name(scene->format),
                            corbel_node_name(nodes));
    if (triangles && triangles != scene->leaf_format)
        return wrong_format(error, "triangles", "--leaves",
                            corbel_leaf_name(scene->leaf_format),
                            corbel_leaf_name(triangles));
    if (r->items && !scene->treelet_bytes)
        return error_set(error, "no treelets, the RT cores of this chip trace "
                                "rays by treelets: convert it with "
                                "corbel-scene convert --treelets BYTES");
    return !r->items || !r->items->policy || moves_read(r, scene, error);
}
