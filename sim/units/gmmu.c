/* The cycle of the GMMU: the order of its steps is that of gmmu.h. */
#include "sim/units/gmmu.h"
#include "sim/units/gmmu_private.h"
#include "sim/units/paging.h"
#include "sim/units/units.h"
#include <assert.h>

/* ---- receive ---- */

/* PCIe says when a transfer that has begun will end. What belongs to a
 * shootdown ends later by its latency: write-backs where eviction brings one
 * about, landings where mapping does. */
static void take_done(struct gmmu *g)
{
    while (*unit_pending(&g->unit, GMMU_DONE)) {
        struct msg m = link_pop(g->unit.in[GMMU_DONE]);
        struct gmmu_channel *c = m.tag ? &g->write : &g->read;
        c->end = m.value;
        c->event.begin = m.addr;
        c->event.end = m.value;
        gmmu_log(g, &c->event);
        if (c->event.kind == PAGING_PREFETCH)
            g->stats.user_cycles += m.value - m.addr;
        uint64_t late = c->transfer.kind == UVM_FAULT_ENTRY || c->dma != NONE
                            ? 0
                            : (uint64_t)g->params.shootdown_latency;
        uint64_t on = m.tag ? ON_MAP : ON_EVICT; /* the other one only */
        if (g->params.tlb_shootdown != SHOOT_NONE &&
            (uint64_t)g->params.shootdown_on != on)
            c->end += late;
    }
}

/* One message of each TLB; they begin their walks at the end of the cycle, in
 * the order of TLBs. */
static void gmmu_receive(struct unit *u, uint64_t now)
{
    struct gmmu *g = (struct gmmu *)u;
    const uint64_t *pending = unit_pending(u, GMMU_WALK);
    g->leftover = false;
    take_done(g);
    for (uint32_t w = 0; w < (u->links[GMMU_WALK] + 63u) / 64; w++) {
        for (uint64_t mask = pending[w]; mask; mask &= mask - 1) {
            uint32_t port = w * 64 + (uint32_t)mask_first(mask);
            uint32_t index = link_take(&u->in[GMMU_WALK][port]);
            unit_msg(u, index)->from = port & 0xfffffu;
            msg_list_add(u, &g->arrived, index);
        }
        g->leftover |= pending[w] != 0;
    }
}

/* ---- answers ---- */

static uint32_t take_first(struct gmmu *g, struct msg_list *l)
{
    uint32_t index = l->first;
    l->first = unit_msg(&g->unit, index)->next;
    l->count--;
    return index;
}

/* To be answered; its page, if it has one, stays until then. */
static void answer(struct gmmu *g, uint32_t index, enum page_op op)
{
    struct msg *m = unit_msg(&g->unit, index);
    uint32_t port = (uint32_t)m->from;
    m->op = (uint8_t)op;
    if (op == PAGE_FOUND)
        uvm_pin(g->uvm, uvm_page(g->uvm, m->addr));
    msg_list_add(&g->unit, &g->ready[port], index);
    g->ready_ports[port / 64] |= 1ull << port % 64;
}

/* One to each TLB. */
static void send_answers(struct gmmu *g)
{
    for (uint32_t w = 0; w < GMMU_TLBS / 64; w++)
        for (uint64_t mask = g->ready_ports[w]; mask; mask &= mask - 1) {
            uint32_t port = w * 64 + (uint32_t)mask_first(mask);
            uint32_t index = take_first(g, &g->ready[port]);
            const struct msg *m = unit_msg(&g->unit, index);
            if (m->op == PAGE_FOUND)
                uvm_unpin(g->uvm, uvm_page(g->uvm, m->addr));
            link_forward(&g->unit.out[GMMU_BACK][port], index, NULL);
            if (!g->ready[port].count)
                g->ready_ports[w] &= ~(mask & (0 - mask));
            g->moved = true;
        }
}

/* ---- shootdown ---- */

/* Tells all TLBs, if this event is one on which they forget. */
static void shoot(struct gmmu *g, const struct uvm_transfer *t, unsigned event)
{
    struct msg m = {.op = PAGE_FORGET,
                    .addr = uvm_address(g->uvm, t->page),
                    .value = uvm_bytes(t)};
    if (g->params.tlb_shootdown == SHOOT_NONE ||
        (g->params.shootdown_on != event && g->params.shootdown_on != ON_BOTH))
        return;
    if (g->params.tlb_shootdown == SHOOT_FULL)
        m.op = PAGE_FLUSH;
    g->stats.shootdowns++;
    for (unsigned port = 0; port < g->unit.links[GMMU_BACK]; port++)
        link_push(&g->unit.out[GMMU_BACK][port], &m);
}

/* ---- the channels ---- */

/* The channel is in use from now on; its end is not known yet. value: bytes,
 * of a fault's handling cycles. */
static void start(struct gmmu *g, struct gmmu_channel *c, enum paging_kind kind,
                  uint64_t address, uint64_t value)
{
    static const uint8_t ops[PAGING_KINDS] = {
        [PAGING_HANDLING] = PCIE_FAULT,   [PAGING_MIGRATION] = PCIE_READ,
        [PAGING_PREFETCH] = PCIE_READ,    [PAGING_REMOTE] = PCIE_DMA,
        [PAGING_WRITE_BACK] = PCIE_WRITE, [PAGING_HOME] = PCIE_HOME};
    struct msg m = {.op = ops[kind], .value = value, .tag = c == &g->write};
    link_push(g->unit.out[GMMU_PCIE], &m);
    c->event =
        (struct paging_event){.kind = kind,
                              .address = address,
                              .bytes = kind == PAGING_HANDLING ? 0 : value};
    c->used = true;
    c->end = CYCLE_NEVER;
    g->moved = true;
}

static bool ended(struct gmmu *g, struct gmmu_channel *c, uint64_t now)
{
    if (!c->used || c->end > now)
        return false;
    c->used = false;
    return g->moved = true;
}

/* What is dropped takes no time, so the next one follows at once. */
static void start_write(struct gmmu *g, uint64_t now)
{
    struct gmmu_channel *c = &g->write;
    while (!c->used && link_ready(g->unit.out[GMMU_PCIE]) &&
           uvm_next_write(g->uvm, &c->transfer)) {
        uint64_t address = uvm_address(g->uvm, c->transfer.page);
        uint64_t bytes = uvm_bytes(&c->transfer);
        shoot(g, &c->transfer, ON_EVICT);
        g->moved = true;
        if (c->transfer.kind == UVM_WRITE_BACK)
            start(g, c, PAGING_WRITE_BACK, address, bytes);
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
        g->waiting--;
        answer(g, index, PAGE_FOUND);
    }
}

static void end_read(struct gmmu *g, uint64_t now)
{
    struct gmmu_channel *c = &g->read;
    if (!ended(g, c, now))
        return;
    if (c->dma != NONE) {
        answer(g, c->dma, PAGE_DIRECT);
        c->dma = NONE;
    } else if (c->transfer.kind != UVM_FAULT_ENTRY) {
        const struct uvm_transfer *t = &c->transfer;
        uvm_landed(g->uvm, t);
        shoot(g, t, ON_MAP);
        for (uint32_t page = t->page; page < t->page + t->pages; page++)
            wake_waiters(g, page, now);
    }
}

static void start_read(struct gmmu *g)
{
    struct gmmu_channel *c = &g->read;
    if (c->used || !link_ready(g->unit.out[GMMU_PCIE]))
        return;
    if (g->dma.count) {
        c->dma = take_first(g, &g->dma);
        start(g, c, PAGING_REMOTE, unit_msg(&g->unit, c->dma)->addr, 0);
    } else if (uvm_next_read(g->uvm, &c->transfer)) {
        const struct uvm_transfer *t = &c->transfer;
        uint64_t address = uvm_address(g->uvm, t->page);
        if (t->kind == UVM_FAULT_ENTRY)
            start(g, c, PAGING_HANDLING, address,
                  (uint64_t)g->params.page_fault_latency);
        else
            start(g, c,
                  t->kind == UVM_USER ? PAGING_PREFETCH : PAGING_MIGRATION,
                  address, uvm_bytes(t));
    }
    assert(uvm_resident_pages(g->uvm) <= uvm_capacity_pages(g->uvm));
}

/* ---- requests ---- */

/* It waits with its page, behind those that came before. */
static void wait_for(struct gmmu *g, uint32_t page, uint32_t index,
                     uint64_t now)
{
    struct uvm_waiters *w = uvm_waiters(g->uvm, page);
    unit_msg(&g->unit, index)->when = (uint32_t)now;
    if (w->first == UVM_NONE)
        w->first = index;
    else
        unit_msg(&g->unit, w->last)->next = index;
    w->last = index;
    g->waiting++;
}

/* A walk has ended: is the page there? */
static void judge(struct gmmu *g, uint32_t index, uint64_t now)
{
    const struct msg *m = unit_msg(&g->unit, index);
    uint32_t page = uvm_page(g->uvm, m->addr);
    enum uvm_outcome o = uvm_request(g->uvm, page, m->aux == PAGE_WRITE);
    if (o == UVM_HIT)
        answer(g, index, PAGE_FOUND);
    else if (o == UVM_DMA)
        msg_list_add(&g->unit, &g->dma, index);
    else
        wait_for(g, page, index, now);
    if (o == UVM_FAULT)
        gmmu_log(g, &(struct paging_event){now, now, uvm_address(g->uvm, page),
                                           1ull << g->managed.page_shift,
                                           PAGING_FAULT});
    if (o == UVM_FAULT && g->params.fault_mode == FAULT_REPORT)
        g->stats.report_cycles += (uint64_t)g->params.page_fault_latency;
    g->moved = true;
}

/* Cycles until the first walk ends, 0: now; walks end in their order. */
static uint32_t walk_left(struct gmmu *g, uint64_t now)
{
    return unit_msg(&g->unit, g->walks.first)->when - (uint32_t)now;
}

static void end_walks(struct gmmu *g, uint64_t now)
{
    while (g->walks.count && !walk_left(g, now))
        judge(g, take_first(g, &g->walks), now);
}

/* Requests begin their walks; uses that TLBs tell of count from now on. */
static void accept(struct gmmu *g, uint64_t now)
{
    while (g->arrived.count) {
        uint32_t index = take_first(g, &g->arrived);
        struct msg *m = unit_msg(&g->unit, index);
        g->moved = true;
        if (m->op == PAGE_TOUCH) {
            g->stats.touches++;
            uvm_touch(g->uvm, uvm_page(g->uvm, m->addr), m->aux == PAGE_WRITE);
            unit_free_msg(&g->unit, index);
            continue;
        }
        g->stats.walks++;
        m->when = (uint32_t)(now + (uint64_t)g->params.page_table_walk_latency);
        msg_list_add(&g->unit, &g->walks, index);
    }
}

/* ---- faults ---- */

/* The faults of this cycle, at once or when they have been handled. */
static void turn(struct gmmu *g, uint64_t now)
{
    struct uvm_batch faults = {UVM_NONE, 0};
    if (g->params.fault_mode != FAULT_OVERLAP)
        faults = uvm_take_faults(g->uvm, UINT32_MAX);
    for (int64_t i = 0; faults.count == 0 && i < g->params.fault_contexts;
         i++) {
        struct gmmu_context *c = &g->contexts[i];
        if (c->batch.count && c->end <= now) {
            faults = c->batch;
            c->batch.count = 0;
        }
    }
    if (faults.count) {
        uvm_turn(g->uvm, faults);
        g->moved = true;
    }
}

/* Handlers that are free take faults. */
static void handle(struct gmmu *g, uint64_t now)
{
    if (g->params.fault_mode != FAULT_OVERLAP)
        return;
    for (int64_t i = 0; i < g->params.fault_contexts; i++) {
        struct gmmu_context *c = &g->contexts[i];
        if (c->batch.count)
            continue;
        c->batch = uvm_take_faults(g->uvm, (uint32_t)g->params.fault_batch);
        c->end = now + (uint64_t)g->params.page_fault_latency;
        g->moved |= c->batch.count > 0;
    }
}

/* ---- the user ---- */

static bool handlers_rest(const struct gmmu *g)
{
    for (int64_t i = 0; i < g->params.fault_contexts; i++)
        if (g->contexts[i].batch.count)
            return false;
    return true;
}

static bool is_quiet(const struct gmmu *g)
{
    return !g->read.used && !g->write.used && !g->walks.count &&
           !g->arrived.count && !g->waiting && !g->dma.count &&
           !uvm_read_waits(g->uvm) && !uvm_write_waits(g->uvm) &&
           !uvm_user_waits(g->uvm) && handlers_rest(g);
}

/* Device synchronise: an allocation after the other. A service is asked for at
 * the end of it. */
static void synchronise(struct gmmu *g, uint64_t now)
{
    uint64_t bytes;
    while (g->sync && is_quiet(g) && link_ready(g->unit.out[GMMU_PCIE])) {
        g->moved = true;
        if (!uvm_synchronise(g->uvm, g->sync_next++, &bytes)) {
            struct msg m = {.op = PAGE_FLUSH};
            for (unsigned i = 0; i < g->unit.links[GMMU_BACK]; i++)
                link_push(&g->unit.out[GMMU_BACK][i], &m);
            g->sync = false;
            g->stats.syncs++;
            g->stats.sync_cycles += now - g->sync_from;
            unit_request_service(&g->unit, now, 0);
        } else if (bytes) {
            start(g, &g->write, PAGING_HOME,
                  uvm_allocation_address(g->uvm, g->sync_next - 1), bytes);
        }
    }
}

/* ---- send ---- */

/* The next cycle in which something ends. */
static uint64_t next_end(struct gmmu *g, uint64_t now)
{
    uint64_t next = CYCLE_NEVER;
    if (g->read.used && g->read.end < next)
        next = g->read.end;
    if (g->write.used && g->write.end < next)
        next = g->write.end;
    if (g->walks.count && now + walk_left(g, now) < next)
        next = now + walk_left(g, now);
    for (int64_t i = 0; i < g->params.fault_contexts; i++)
        if (g->contexts[i].batch.count && g->contexts[i].end < next)
            next = g->contexts[i].end;
    return next > now ? next : now + 1;
}

/* The steps of gmmu.h. After a cycle in which something happened the next one
 * runs: a second victim may be needed, a channel is free. Otherwise nothing can
 * happen before something ends, however far that is. */
static uint64_t gmmu_send(struct unit *u, uint64_t now)
{
    struct gmmu *g = (struct gmmu *)u;
    g->moved |= uvm_evict(g->uvm);
    ended(g, &g->write, now);
    start_write(g, now);
    end_read(g, now);
    start_read(g);
    end_walks(g, now);
    turn(g, now);
    handle(g, now);
    accept(g, now);
    if (uvm_user_waits(g->uvm)) {
        uvm_user_progress(g->uvm);
        gmmu_end_prefetches(g, now);
        g->moved = true;
    }
    synchronise(g, now);
    send_answers(g);
    uint64_t *rest = is_quiet(g) ? &g->stats.idle : &g->stats.waiting;
    account_tick(&g->account, now, g->moved ? &g->stats.busy : rest, rest);
    bool again = g->moved || g->leftover;
    g->moved = false;
    return again ? now + 1 : next_end(g, now);
}

/* ---- the kind ---- */

static void close_account(struct unit *u, uint64_t now)
{
    struct gmmu *g = (struct gmmu *)u;
    account_switch(&g->account, now, g->account.bucket);
}

/* Patterns of accesses are told apart by kernels. */
static void launch(struct unit *u, uint64_t now)
{
    uvm_kernel(((struct gmmu *)u)->uvm);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct gmmu *g = (const struct gmmu *)u;
    if (!is_quiet(g))
        fprintf(out, "%s: %u requests wait for pages, %u walk\n", u->name,
                g->waiting, g->walks.count);
}

static const struct outport *waits_for(const struct unit *u)
{
    const struct gmmu *g = (const struct gmmu *)u;
    return g->read.used || g->write.used ? u->out[GMMU_PCIE] : NULL;
}

#define PARAM_STRUCT struct gmmu_params
#define STAT_STRUCT struct gmmu_stats
#define UVM_ROW(name, unit, meaning)                                           \
    {#name, unit, meaning, offsetof(struct gmmu_stats, uvm.name)},
static const struct param param_rows[] = {GMMU_PARAMS(PARAM_ROW, TEXT_ROW)};
static const struct stat_row stat_rows[] = {GMMU_STATS(STAT_ROW)
                                                UVM_STATS(UVM_ROW)};
static const struct stat_row bucket_rows[] = {GMMU_BUCKETS(STAT_ROW)};

static const struct figure_row figures[] = {
    {.name = "mean_fault_wait",
     .over = {COUNTER(fault_wait)},
     .under = {COUNTER(replays)},
     .said = "%.4g cycles a fault",
     .scale = 1},
    {.name = "mean_user_prefetch",
     .over = {COUNTER(user_wait)},
     .under = {COUNTER(user_prefetches)}},
    {.name = "mean_user_bytes",
     .over = {COUNTER(uvm.user_bytes)},
     .under = {COUNTER(user_prefetches)}},
    {.name = "page_hit_rate",
     .over = {COUNTER(uvm.page_hits)},
     .under = {COUNTER(uvm.page_accesses)}},
    {.name = "prefetch_accuracy",
     .over = {COUNTER(uvm.prefetch_used)},
     .under = {COUNTER(uvm.prefetched)}},
};

static const struct port_row ports[] = {
    [GMMU_WALK] = {"walk", false, GMMU_TLBS, "what TLBs ask and tell"},
    [GMMU_DONE] = {"done", false, 1, "when transfers end"},
    [GMMU_BACK] = {"back", true, GMMU_TLBS,
                   "answers and shootdowns, in walk's "
                   "order",
                   .answers = true},
    [GMMU_PCIE] = {"pcie", true, 1, "transfers"},
};

const struct unit_kind gmmu_kind = {
    .name = "gmmu",
    .meaning = "GMMU: pages of managed memory between host and device",
    .size = sizeof(struct gmmu),
    .params = offsetof(struct gmmu, params),
    .stats = offsetof(struct gmmu, stats),
    UNIT_TABLES,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = gmmu_build,
    .receive = gmmu_receive,
    .send = gmmu_send,
    .launch = launch,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
    .destroy = gmmu_destroy,
    .paging = &gmmu_role,
};
