/* The cycle of the GMMU: the order of its steps is that of gmmu.h. */
#include "sim/units/paging/gmmu.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/paging/gmmu_private.h"
#include "sim/units/units.h"
#include <assert.h>

/* ---- receive ---- */

/* One message of each TLB; they begin their walks at the end of the cycle, in
 * the order of TLBs. */
static void gmmu_receive(struct unit *u, uint64_t now)
{
    struct gmmu *g = (struct gmmu *)u;
    const uint64_t *pending = unit_pending(u, GMMU_WALK);
    g->leftover = false;
    gmmu_take_done(g);
    gmmu_take_data(g);
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

/* Queues the answer; the request's page, if it has one, stays until then. */
void gmmu_answer(struct gmmu *g, uint32_t index, enum page_op op)
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
            uint32_t index = msg_list_pop(&g->unit, &g->ready[port]);
            const struct msg *m = unit_msg(&g->unit, index);
            if (m->op == PAGE_FOUND)
                uvm_unpin(g->uvm, uvm_page(g->uvm, m->addr));
            link_forward(&g->unit.out[GMMU_BACK][port], index, NULL);
            if (!g->ready[port].count)
                g->ready_ports[w] &= ~(mask & (0 - mask));
            g->moved = true;
        }
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
        gmmu_answer(g, index, PAGE_FOUND);
    else if (o == UVM_DMA)
        msg_list_add(&g->unit, &g->dma, index);
    else
        wait_for(g, page, index, now);
    if (o == UVM_FAULT)
        gmmu_log(g, &(struct paging_event){now, now, uvm_address(g->uvm, page),
                                           1ull << g->managed->page_shift,
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
        judge(g, msg_list_pop(&g->unit, &g->walks), now);
}

/* Requests begin their walks; uses that TLBs tell of count from now on. */
static void accept(struct gmmu *g, uint64_t now)
{
    while (g->arrived.count) {
        uint32_t index = msg_list_pop(&g->unit, &g->arrived);
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
            gmmu_start(g, &g->write, PAGING_HOME,
                       uvm_allocation_address(g->uvm, g->sync_next - 1), bytes);
        }
    }
}

/* ---- send ---- */

/* The next cycle in which a channel has something to do. */
static uint64_t next_of(const struct gmmu_channel *c, uint64_t now)
{
    if (!c->used)
        return CYCLE_NEVER;
    return gmmu_charged(c) ? c->end : gmmu_charge_next(c, now);
}

/* The next cycle in which something ends. */
static uint64_t next_end(struct gmmu *g, uint64_t now)
{
    uint64_t next = next_of(&g->read, now), write = next_of(&g->write, now);
    if (write < next)
        next = write;
    if (g->walks.count && now + walk_left(g, now) < next)
        next = now + walk_left(g, now);
    for (int64_t i = 0; i < g->params.fault_contexts; i++)
        if (g->contexts[i].batch.count && g->contexts[i].end < next)
            next = g->contexts[i].end;
    return next > now ? next : now + 1;
}

/* In builds that check: no more pages than memory has, none in two states. */
static void check(struct gmmu *g, uint64_t now)
{
    struct error error;
    if (CHECKED && !uvm_holds(g->uvm, now, &error))
        rule_broken(&g->unit, error.text);
}

/* The steps of gmmu.h. After a cycle in which something happened the next one
 * runs: a second victim may be needed, a channel is free. Otherwise nothing can
 * happen before something ends, however far that is. */
static uint64_t gmmu_send(struct unit *u, uint64_t now)
{
    struct gmmu *g = (struct gmmu *)u;
    gmmu_charge(g, now);
    g->moved |= uvm_evict(g->uvm);
    gmmu_end_write(g, now);
    gmmu_start_write(g, now);
    gmmu_end_read(g, now);
    gmmu_start_read(g, now);
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
    check(g, now);
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
static const struct stat_row bucket_rows[] = {GMMU_BUCKETS(BUCKET_ROW)};

/* Ranges and events grow, so they are not of chip_alloc (gmmu_keep). */
#define STATE_STRUCT struct gmmu
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket), STATE_POINTER(uvm), STATE_POINTER(managed),
    STATE_POINTER(ready), STATE_POINTER(events)};

static const struct figure_row figures[] = {
    {.name = "mean_fault_wait",
     .unit = "cycles",
     .over = {COUNTER(fault_wait)},
     .under = {COUNTER(replays)},
     .said = "%.4g cycles a fault",
     .scale = 1},
    {.name = "mean_user_prefetch",
     .unit = "cycles",
     .over = {COUNTER(user_wait)},
     .under = {COUNTER(user_prefetches)}},
    {.name = "mean_user_bytes",
     .unit = "bytes",
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
    [GMMU_MEM] = {"mem", true, 64, "sectors of pages that come and leave"},
    [GMMU_DATA] = {"data", false, 64, "answers, in mem's order"},
};

/* Far faults are waited for at the PCIe link, which lists that itself. */
static const struct limit_row limits[] = {{.name = "page walks",
                                           .param = "page_table_walk_latency",
                                           .sort = LIMIT_LATENCY,
                                           .used = {COUNTER(walks)},
                                           .each = "page_table_walk_latency",
                                           .taken = TRIP_LEG_BIT(translation)}};

const struct unit_kind gmmu_kind = {
    .name = "gmmu",
    .meaning = "GMMU: pages of managed memory between host and device",
    .size = sizeof(struct gmmu),
    .params = offsetof(struct gmmu, params),
    .stats = offsetof(struct gmmu, stats),
    UNIT_TABLES,
    UNIT_STATE,
    LIMIT_TABLE,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = gmmu_build,
    .receive = gmmu_receive,
    .send = gmmu_send,
    .launch = launch,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
    .keep = gmmu_keep,
    .destroy = gmmu_destroy,
    .paging = &gmmu_role,
};
