/*
 * The kind `memory`: a bus of a bandwidth, and a latency. The ring holds what
 * waits and what is under way.
 */
#include "sim/units/memory/memory_ideal.h"
#include "sim/core/memory_role.h"
#include "sim/units/common/mem.h"
#include "sim/units/common/ring.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/common/work_costs.h"
#include "sim/units/units.h"
#include <assert.h>

enum { CPU, REPLY };

static const struct port_row ports[] = {
    [CPU] = {"cpu", false, 256, "requests of the cache slices"},
    [REPLY] = {"reply", true, 256, "answers, in cpu's order", .answers = true},
};

struct waiting {
    uint64_t due; /* cycle of the answer, once the bus has it */
    uint32_t port;
    struct msg msg;
};

struct memory {
    struct unit unit;
    struct memory_params params;
    struct memory_stats stats;
    struct account account;
    struct client_ranges ranges; /* of the running kernel */
    /* The first `begun` wait for `due`, others for the bus. */
    struct waiting *entries;
    struct ring order;
    uint32_t begun;
    uint64_t bus_free; /* in units of 1/bandwidth cycles x 1000: exact */
    uint32_t next_port;
    bool leftover;
};

static bool build(struct unit *u, struct error *error)
{
    struct memory *m = (struct memory *)u;
    if (!u->links[CPU] || u->links[CPU] != u->links[REPLY])
        return error_set(error, "%u cpu links but %u reply links",
                         u->links[CPU], u->links[REPLY]);
    /* As many answers under way as the bus can begin in the latency. */
    uint64_t under_way =
        (uint64_t)(m->params.latency * m->params.bandwidth) / 32000 + 2;
    m->order.room = (uint32_t)m->params.queue + (uint32_t)under_way;
    m->entries = chip_alloc(u->chip, m->order.room, sizeof *m->entries);
    m->account.bucket = &m->stats.idle;
    return true;
}

static struct waiting *entry(struct memory *m, uint32_t at)
{
    return &m->entries[ring_place(&m->order, at)];
}

static void memory_receive(struct unit *u, uint64_t now)
{
    struct memory *m = (struct memory *)u;
    const uint64_t *pending = unit_pending(u, CPU);
    uint32_t links = u->links[CPU], words = (links + 63) / 64;
    while (m->order.count - m->begun < m->params.queue &&
           !ring_full(&m->order)) {
        int port = mask_next(pending, words, m->next_port);
        if (port < 0)
            break;
        struct waiting *w = &m->entries[ring_add(&m->order)];
        w->port = (uint32_t)port;
        w->msg = link_pop(&u->in[CPU][port]);
        trip_last(&w->msg, SERVED_memory, now);
        m->next_port = port_after((uint32_t)port, links);
    }
    m->leftover = mask_any(pending, words);
}

/* The bus begins on requests as long as it is free before the next cycle. */
static void use_bus(struct memory *m, uint64_t now)
{
    uint64_t rate = (uint64_t)m->params.bandwidth;
    uint64_t start = now * rate, end = start + rate;
    while (m->begun < m->order.count) {
        struct waiting *w = entry(m, m->begun);
        if (m->bus_free >= end)
            return;
        if (m->bus_free < start)
            m->bus_free = start;
        m->bus_free += w->msg.size * 1000ull;
        w->due = now + (uint64_t)m->params.latency;
        trip_until(&w->msg, LEG_memory_queue, now);
        m->begun++;
        m->stats.bytes += w->msg.size;
        work_note(chip_context(m->unit.chip), &m->unit, WORK_dram_bytes,
                  w->msg.trip.work, w->msg.size);
        m->stats.reads += w->msg.op != MEM_WRITEBACK;
        m->stats.writes += w->msg.op == MEM_WRITEBACK;
        if (m->ranges.scene.end)
            clients_count(&m->stats.clients, &m->ranges, &w->msg);
    }
}

static void answer_due(struct memory *m, uint64_t now)
{
    assert(m->begun <= m->order.count);
    while (m->begun) {
        struct waiting *w = entry(m, 0);
        if (w->due > now)
            return;
        if (w->msg.op != MEM_WRITEBACK) {
            struct msg reply = w->msg;
            reply.op = MEM_DATA;
            trip_until(&reply, LEG_memory_bus, w->due);
            link_push(&m->unit.out[REPLY][w->port], &reply);
        }
        ring_drop(&m->order);
        m->begun--;
    }
}

/* The first cycle in which the bus can begin on the next request. */
static uint64_t bus_cycle(const struct memory *m, uint64_t now)
{
    uint64_t cycle = m->bus_free / (uint64_t)m->params.bandwidth;
    return cycle > now ? cycle : now + 1;
}

static uint64_t memory_send(struct unit *u, uint64_t now)
{
    struct memory *m = (struct memory *)u;
    answer_due(m, now);
    use_bus(m, now);
    uint64_t carrying = bus_cycle(m, now), next = CYCLE_NEVER;
    if (m->begun)
        next = entry(m, 0)->due;
    if ((m->begun < m->order.count || m->leftover) && carrying < next)
        next = carrying;
    bool busy = m->bus_free > now * (uint64_t)m->params.bandwidth;
    account_tick(&m->account, now,
                 busy             ? &m->stats.busy
                 : m->order.count ? &m->stats.waiting
                                  : &m->stats.idle,
                 m->order.count ? &m->stats.waiting : &m->stats.idle);
    return busy ? now + 1 : next;
}

static void launch(struct unit *u, uint64_t now)
{
    ((struct memory *)u)->ranges = clients_ranges(chip_context(u->chip));
}

static void close_account(struct unit *u, uint64_t now)
{
    struct memory *m = (struct memory *)u;
    account_switch(&m->account, now, m->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct memory *m = (const struct memory *)u;
    if (m->order.count)
        fprintf(out, "%s: %u requests, %u of them on the bus\n", u->name,
                m->order.count, m->begun);
}

#define PARAM_STRUCT struct memory_params
#define STAT_STRUCT struct memory_stats
static const struct param param_rows[] = {MEMORY_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {MEMORY_STATS(STAT_ROW)
                                                CLIENT_STATS(CLIENT_ROW)};
static const struct stat_row bucket_rows[] = {MEMORY_BUCKETS(BUCKET_ROW)};

/* Requests wait in one ring, for the bus and then for their time. */
#define STATE_STRUCT struct memory
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
    STATE_POINTER(entries),
};

static const struct figure_row figures[] = {
    {.name = "gb_per_second",
     .unit = "GB/s",
     .over = {COUNTER(bytes)},
     .said = "%.3g GB/s",
     .scale = 1},
};

static const struct limit_row limits[] = {
    {.name = "bandwidth",
     .param = "bandwidth",
     .used = {COUNTER(busy)},
     .legs = TRIP_LEG_BIT(memory_queue),
     .bytes = {COUNTER(bytes)}},
    {.name = "latency",
     .param = "latency",
     .sort = LIMIT_LATENCY,
     .legs = TRIP_LEG_BIT(memory_bus)},
};

const struct unit_kind memory_kind = {
    .name = "memory",
    .meaning = "an ideal main memory: latency and bandwidth",
    .size = sizeof(struct memory),
    .params = offsetof(struct memory, params),
    .stats = offsetof(struct memory, stats),
    UNIT_TABLES,
    LIMIT_TABLE,
    .told = {[TOLD_MOVED] = COUNTER(bytes)},
    UNIT_STATE,
    .memory = &memory_role_end,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = build,
    .receive = memory_receive,
    .send = memory_send,
    .launch = launch,
    .close = close_account,
    .explain = explain,
};
