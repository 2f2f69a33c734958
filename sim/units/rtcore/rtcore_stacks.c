/*
 * Stacks that are longer than a slot has room for (stack_traffic): a ray keeps
 * the newest `stack` entries, older ones lie in memory, where each slot has an
 * area of its own. What a step pushes beyond the room moves the oldest entries
 * there; where it pops one that is there, that one is read, with those beside
 * it in its sector. The ray goes on when what it writes has been sent, and when
 * what it reads has come.
 *
 * A step either pushes or pops, so that it either writes or reads. A ray that
 * ends drops what it has there.
 */
#include "sim/units/rtcore/rtcore_fetch.h"

static uint32_t entry_bytes(const struct rtcore *r)
{
    return r->pop_cull ? 8 : 4;
}

static uint64_t area_bytes(const struct rtcore *r)
{
    uint64_t bytes = (uint64_t)CORBEL_STACK_DEEPEST * entry_bytes(r);
    return (bytes + SECTOR - 1) / SECTOR * SECTOR;
}

bool stacks_new(struct rtcore *r, struct error *error)
{
    if (!r->stack_room)
        return true;
    if (r->items)
        return error_set(error, "stack_traffic=on: an RT core that traces "
                                "items has none");
    r->stacks = chip_alloc(r->unit.chip, 1, sizeof *r->stacks);
    r->stacks->room = r->stack_room;
    r->stacks->of =
        chip_alloc(r->unit.chip, r->slot_count, sizeof *r->stacks->of);
    r->stacks->below_end =
        machine_set_aside(r->machine, r->slot_count * area_bytes(r));
    r->special = true;
    return true;
}

void stacks_begin(struct rtcore *r, uint32_t slot)
{
    r->stacks->of[slot] = (struct stack_of){0};
}

static void sectors_between(const struct rtcore *r, struct stack_of *s,
                            uint32_t first, uint32_t end, bool writes)
{
    uint32_t bytes = entry_bytes(r);
    s->sector = (uint16_t)(first * bytes / SECTOR);
    s->sectors = (uint16_t)((end * bytes + SECTOR - 1) / SECTOR - s->sector);
    s->writes = writes;
}

/* Entries [held - inside, held) are in the slot. */
static void pushed(const struct rtcore *r, struct stack_of *s, uint32_t held)
{
    uint32_t inside = s->inside + held - s->held, room = r->stacks->room;
    if (inside > room) {
        sectors_between(r, s, held - inside, held - room, true);
        inside = room;
    }
    s->inside = (uint16_t)inside;
}

static void popped(const struct rtcore *r, struct stack_of *s, uint32_t held)
{
    uint32_t gone = s->held - held, outside = s->held - s->inside;
    if (gone <= s->inside) {
        s->inside = (uint16_t)(s->inside - gone);
        return;
    }
    sectors_between(r, s, held, outside, false);
    uint32_t come = held - s->sector * SECTOR / entry_bytes(r);
    s->inside = (uint16_t)(come < r->stacks->room ? come : r->stacks->room);
}

void stacks_step(struct rtcore *r, uint32_t slot)
{
    const struct corbel_traversal *t = &rtcore_ray(r, slot)->traversal;
    struct stack_of *s = &r->stacks->of[slot];
    if (t->held > s->held)
        pushed(r, s, t->held);
    else if (t->held < s->held)
        popped(r, s, t->held);
    s->held = t->held;
}

bool stacks_fetch(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct stack_of *s = &r->stacks->of[slot];
    struct ray_slot *at = &r->slots[slot];
    if (!s->sectors)
        return false;
    at->kind = s->writes ? FETCH_STACK_WRITE : FETCH_STACK_READ;
    at->first = r->machine->ram_end - r->stacks->below_end +
                slot * area_bytes(r) + (uint64_t)s->sector * SECTOR;
    at->left = (uint8_t)s->sectors;
    if (s->writes)
        r->stats.stack_writes += s->sectors;
    else
        r->stats.stack_reads += s->sectors;
    s->sectors = 0;
    fetch_join(r, slot, now);
    return true;
}

/* The bytes stay what they are: what the ray has there is not simulated. */
void stacks_write(struct rtcore *r, struct outport *o, uint64_t address)
{
    struct payload bytes;
    struct msg m = {
        .op = MEM_WRITE, .addr = address, .size = SECTOR, .tag = NONE};
    memcpy(bytes.bytes, machine_at(r->machine, address), SECTOR);
    trip_begin(&m, TRIP_ahead, unit_now(&r->unit));
    link_push_full(o, &m, &bytes);
}
