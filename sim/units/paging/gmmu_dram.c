/*
 * What migration takes of DRAM's bandwidth, on a chip whose GMMU has links to
 * it: the sectors of a transfer's pages are written as its bytes come, or read
 * for the bytes to leave, evenly over its time. They are requests for timing
 * only, as data lie in one memory all the time. A transfer has not ended before
 * DRAM has taken all of them, and answered those that are read.
 */
#include "sim/units/common/mem.h"
#include "sim/units/paging/gmmu_private.h"
#include <assert.h>

/* What is synchronised is taken to lie side by side: the host does not say
 * which pages of an allocation it was. */
void gmmu_charge_begin(struct gmmu *g, struct gmmu_channel *c)
{
    static const bool moves[PAGING_KINDS] = {[PAGING_MIGRATION] = true,
                                             [PAGING_PREFETCH] = true,
                                             [PAGING_WRITE_BACK] = true,
                                             [PAGING_HOME] = true};
    if (g->unit.links[GMMU_MEM] && moves[c->event.kind])
        c->sectors = c->event.bytes / SECTOR;
}

/* The cycle from which on the next sector can be asked for; there is one. */
static uint64_t due(const struct gmmu_channel *c)
{
    const struct paging_event *e = &c->event;
    return e->begin + c->sent * (e->end - e->begin) / c->sectors;
}

static void charge(struct gmmu *g, struct gmmu_channel *c, uint64_t now)
{
    const bool reads = c == &g->write;
    while (c->sent < c->sectors && due(c) <= now) {
        struct msg m = {.op = reads ? MEM_FILL : MEM_WRITEBACK,
                        .addr = c->event.address + c->sent * SECTOR,
                        .size = SECTOR,
                        .aux = CLIENT_PAGES};
        struct outport *o = &g->unit.out[GMMU_MEM][map_slice(&g->map, m.addr)];
        if (!link_ready(o))
            return;
        link_push(o, &m);
        c->sent++;
        c->awaited += reads;
        *(reads ? &g->stats.dram_read : &g->stats.dram_written) += SECTOR;
    }
}

void gmmu_charge(struct gmmu *g, uint64_t now)
{
    charge(g, &g->read, now);
    charge(g, &g->write, now);
}

void gmmu_take_data(struct gmmu *g)
{
    const uint64_t *pending = unit_pending(&g->unit, GMMU_DATA);
    for (uint64_t mask = *pending; mask; mask &= mask - 1)
        while (*pending & mask & (0 - mask)) {
            link_read(&g->unit.in[GMMU_DATA][mask_first(mask)]);
            assert(g->write.awaited);
            g->write.awaited--;
        }
}

bool gmmu_charged(const struct gmmu_channel *c)
{
    return c->sent == c->sectors && !c->awaited;
}

/* What waits for a link or an answer is woken by that. */
uint64_t gmmu_charge_next(const struct gmmu_channel *c, uint64_t now)
{
    return c->sent < c->sectors && due(c) > now ? due(c) : CYCLE_NEVER;
}
