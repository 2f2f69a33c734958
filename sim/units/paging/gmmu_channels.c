/*
 * The GMMU's side of the two channels of PCIe: what occupies them, what has
 * landed and which requests wait for it, and what TLBs forget then.
 */
#include "sim/units/paging/gmmu.h"
#include "sim/units/paging/gmmu_private.h"
#include <assert.h>

/* ---- shootdown ---- */

/* Do TLBs forget on this event? */
static bool shoots(const struct gmmu *g, unsigned event)
{
    return g->params.tlb_shootdown != SHOOT_NONE &&
           (g->params.shootdown_on == event ||
            g->params.shootdown_on == ON_BOTH);
}

/* What belongs to a shootdown ends later by its latency: write-backs where
 * eviction brings one about, landings where mapping does. */
static uint64_t shootdown_delay(const struct gmmu *g, unsigned event)
{
    return shoots(g, event) ? (uint64_t)g->params.shootdown_latency : 0;
}

/* Tells all TLBs, if this event is one on which they forget. */
static void shoot(struct gmmu *g, const struct uvm_transfer *t, unsigned event)
{
    struct msg m = {.op = PAGE_FORGET,
                    .addr = uvm_address(g->uvm, t->page),
                    .value = uvm_bytes(t)};
    if (!shoots(g, event))
        return;
    if (g->params.tlb_shootdown == SHOOT_FULL)
        m.op = PAGE_FLUSH;
    g->stats.shootdowns++;
    for (unsigned port = 0; port < g->unit.links[GMMU_BACK]; port++)
        link_push(&g->unit.out[GMMU_BACK][port], &m);
}

/* ---- what occupies them ---- */

/* PCIe says when a transfer that has begun will end. */
void gmmu_take_done(struct gmmu *g)
{
    while (*unit_pending(&g->unit, GMMU_DONE)) {
        struct msg m = link_pop(g->unit.in[GMMU_DONE]);
        struct gmmu_channel *c = m.tag ? &g->write : &g->read;
        assert(c->used && c->end == CYCLE_NEVER && m.value >= m.addr);
        c->end = m.value;
        c->event.begin = m.addr;
        c->event.end = m.value;
        gmmu_log(g, &c->event);
        gmmu_charge_begin(g, c);
        if (c->event.kind == PAGING_PREFETCH)
            g->stats.user_cycles += m.value - m.addr;
        if (c->transfer.kind != UVM_FAULT_ENTRY && c->dma == NONE)
            c->end += shootdown_delay(g, m.tag ? ON_EVICT : ON_MAP);
    }
}

void gmmu_start(struct gmmu *g, struct gmmu_channel *c, enum paging_kind kind,
                uint64_t address, uint64_t value)
{
    static const uint8_t ops[PAGING_KINDS] = {
        [PAGING_HANDLING] = PCIE_FAULT,   [PAGING_MIGRATION] = PCIE_READ,
        [PAGING_PREFETCH] = PCIE_READ,    [PAGING_REMOTE] = PCIE_DMA,
        [PAGING_WRITE_BACK] = PCIE_WRITE, [PAGING_HOME] = PCIE_HOME};
    struct msg m = {.op = ops[kind], .value = value, .tag = c == &g->write};
    assert(!c->used);
    link_push(g->unit.out[GMMU_PCIE], &m);
    c->event =
        (struct paging_event){.kind = kind,
                              .address = address,
                              .bytes = kind == PAGING_HANDLING ? 0 : value};
    c->used = true;
    c->end = CYCLE_NEVER;
    g->moved = true;
}

static bool has_ended(struct gmmu *g, struct gmmu_channel *c, uint64_t now)
{
    if (!c->used || c->end > now || !gmmu_charged(c))
        return false;
    if (c->sectors)
        g->stats.dram_wait += now - c->end;
    c->used = false;
    c->sectors = c->sent = 0;
    return g->moved = true;
}

/* A write-back that has ended leaves nothing to do. */
void gmmu_end_write(struct gmmu *g, uint64_t now)
{
    has_ended(g, &g->write, now);
}

/* What is dropped takes no time, so the next one follows at once. */
void gmmu_start_write(struct gmmu *g, uint64_t now)
{
    struct gmmu_channel *c = &g->write;
    while (!c->used && link_ready(g->unit.out[GMMU_PCIE]) &&
           uvm_next_write(g->uvm, &c->transfer)) {
        uint64_t address = uvm_address(g->uvm, c->transfer.page);
        uint64_t bytes = uvm_bytes(&c->transfer);
        shoot(g, &c->transfer, ON_EVICT);
        g->moved = true;
        if (c->transfer.kind == UVM_WRITE_BACK)
            gmmu_start(g, c, PAGING_WRITE_BACK, address, bytes);
        else
            gmmu_log(g, &(struct paging_event){now, now, address, bytes,
                                               PAGING_DROP});
    }
}

/* The requests that waited for a page, in the order in which they came. */
static void wake_waiters(struct gmmu *g, uint32_t page, uint64_t now)
{
    struct uvm_waiters *w = uvm_waiters(g->uvm, page);
    while (w->first != UVM_NONE) {
        uint32_t index = w->first;
        const struct msg *m = unit_msg(&g->unit, index);
        w->first = index == w->last ? UVM_NONE : m->next;
        g->stats.fault_wait += (uint32_t)((uint32_t)now - m->when);
        g->stats.replays++;
        assert(g->waiting);
        g->waiting--;
        gmmu_answer(g, index, PAGE_FOUND);
    }
}

void gmmu_end_read(struct gmmu *g, uint64_t now)
{
    struct gmmu_channel *c = &g->read;
    if (!has_ended(g, c, now))
        return;
    if (c->dma != NONE) {
        gmmu_answer(g, c->dma, PAGE_DIRECT);
        c->dma = NONE;
    } else if (c->transfer.kind != UVM_FAULT_ENTRY) {
        const struct uvm_transfer *t = &c->transfer;
        uvm_landed(g->uvm, t);
        shoot(g, t, ON_MAP);
        for (uint32_t page = t->page; page < t->page + t->pages; page++)
            wake_waiters(g, page, now);
    }
}

/* Blank pages are there in the next cycle, and PCIe hears nothing of it. */
static void map(struct gmmu *g, struct gmmu_channel *c, uint64_t now)
{
    c->used = g->moved = true;
    c->end = now + 1 + shootdown_delay(g, ON_MAP);
    gmmu_log(g, &(struct paging_event){now, c->end,
                                       uvm_address(g->uvm, c->transfer.page),
                                       uvm_bytes(&c->transfer), PAGING_MAP});
}

void gmmu_start_read(struct gmmu *g, uint64_t now)
{
    struct gmmu_channel *c = &g->read;
    if (c->used || !link_ready(g->unit.out[GMMU_PCIE]))
        return;
    if (g->dma.count) {
        c->dma = msg_list_pop(&g->unit, &g->dma);
        gmmu_start(g, c, PAGING_REMOTE, unit_msg(&g->unit, c->dma)->addr, 0);
    } else if (uvm_next_read(g->uvm, &c->transfer)) {
        const struct uvm_transfer *t = &c->transfer;
        uint64_t address = uvm_address(g->uvm, t->page);
        if (t->kind == UVM_FAULT_ENTRY)
            gmmu_start(g, c, PAGING_HANDLING, address,
                       (uint64_t)g->params.page_fault_latency);
        else if (t->kind == UVM_MAP)
            map(g, c, now);
        else
            gmmu_start(g, c,
                       t->kind == UVM_USER ? PAGING_PREFETCH : PAGING_MIGRATION,
                       address, uvm_bytes(t));
    }
    assert(uvm_resident_pages(g->uvm) <= uvm_capacity_pages(g->uvm));
}
