/* How a TLB is made: its parameters and links, and its arrays. */
#include "sim/units/paging/tlb_private.h"

bool tlb_build(struct unit *u, struct error *error)
{
    struct tlb *t = (struct tlb *)u;
    const struct tlb_params *p = &t->params;
    const uint16_t *n = u->links;
    if (n[CPU] != n[MEM] || n[REPLY] != n[FILL] || n[LOOKUP] != n[FOUND] ||
        (n[REPLY] && n[REPLY] != n[CPU]) || n[WALK] != n[BACK] || !n[WALK] ||
        !(n[CPU] + n[LOOKUP]))
        return error_set(error,
                         "%u cpu, %u mem, %u fill, %u reply, %u lookup, %u "
                         "found, %u walk, %u back links; pairs are expected, "
                         "one of walk and back",
                         n[CPU], n[MEM], n[FILL], n[REPLY], n[LOOKUP], n[FOUND],
                         n[WALK], n[BACK]);
    if (!is_power_of_two(p->map_stride) || !is_power_of_two(p->map_line))
        return error_set(error, "map_stride and map_line are powers of two");
    t->map = map_new(p->map_stride, p->map_parts, p->map_slices, p->map_line,
                     p->map_hash);
    tlb_store_build(&t->store, u->chip, p, &t->stats);
    t->out = chip_alloc(u->chip, n[CPU] + 1u, sizeof *t->out);
    t->touched_order.room = (uint32_t)p->tlb_size;
    t->touched = chip_alloc(u->chip, t->touched_order.room, sizeof *t->touched);
    t->lines = chip_alloc(u->chip, (n[CPU] + 1u) * HARTS, sizeof *t->lines);
    t->machine = chip_context(u->chip);
    t->account.bucket = &t->stats.idle;
    return true;
}

/* The GMMU is built. */
void tlb_complete(struct unit *u)
{
    struct tlb *t = (struct tlb *)u;
    t->managed = t->machine ? managed_of(t->machine) : NULL;
}
