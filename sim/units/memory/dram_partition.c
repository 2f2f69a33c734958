/* The main memory of a partition as a unit: what it takes, what it answers,
 * when it sleeps. */
#include "sim/core/gauge.h"
#include "sim/core/memory_role.h"
#include "sim/units/memory/dram_private.h"
#include "sim/units/units.h"

static const struct port_row ports[] = {
    [CPU] = {"cpu", false, 256, "requests of the cache slices"},
    [REPLY] = {"reply", true, 256, "answers, in cpu's order", .answers = true},
};

static bool has_room(const struct dram_unit *d)
{
    return !ring_full(&d->front.order) && d->free_count;
}

/*
 * Tells whether there is room; only what happened before this cycle has made
 * some.
 */
static bool make_room(struct dram_unit *d, uint64_t now)
{
    if (!has_room(d) && now)
        dram_catch_up(d, now - 1);
    return has_room(d);
}

static void dram_receive(struct unit *u, uint64_t now)
{
    struct dram_unit *d = (struct dram_unit *)u;
    const uint64_t *pending = unit_pending(u, CPU);
    d->leftover = false;
    if (!mask_any(pending, d->words))
        return;
    for (unsigned n = 0; n < d->accepts && make_room(d, now); n++) {
        int port = mask_next(pending, d->words, d->next_port);
        if (port < 0)
            break;
        dram_accept(d, (uint32_t)port, now);
        d->next_port = port_after((uint32_t)port, u->links[CPU]);
    }
    d->leftover = mask_any(pending, d->words);
    if (d->leftover || !d->busy)
        d->wake = now;
}

/* ---- answering ---- */

static void answer(struct dram_unit *d, uint32_t number, uint64_t now)
{
    struct request *r = &d->pool[number];
    uint32_t took = (uint32_t)now - r->msg.when;
    r->msg.op = MEM_DATA;
    trip_until(&r->msg, LEG_memory_back, r->due);
    link_push(&d->unit.out[REPLY][r->port], &r->msg);
    d->reads--;
    d->stats.reads++;
    d->stats.latency += took;
    d->stats.took[dram_latency_range(took)]++;
}

static void answer_due(struct dram_unit *d, uint64_t now)
{
    for (unsigned n = 0; n < d->answers_most && d->answers.order.count; n++) {
        uint32_t number = *numbers_entry(&d->answers, 0);
        if (d->pool[number].due > now)
            return;
        answer(d, number, now);
        dram_forget_answer(d);
    }
}

/* ---- a cycle ---- */

/*
 * What happens inside shows in answers only, and in the cycle in which nothing
 * is under way any more. So while reads are under way the unit sleeps until
 * the first one can be answered at the earliest, and then catches up: requests
 * are offered, commands issued in the cycles in which they would have been.
 */
static uint64_t next_answer(const struct dram_unit *d)
{
    uint64_t next = CYCLE_NEVER, back = (uint64_t)d->params.back;
    if (d->asked) {
        uint64_t data = d->next_tick + d->device->read_latency;
        next = cycle_with(d, data) + back;
    }
    if (!d->front.order.count)
        return next;
    next = sooner(next, dram_first_answer(d, d->next_offer));
    if (d->quick == CYCLE_NEVER)
        return next;
    return sooner(next, not_before(d->quick, d->next_offer) + back);
}

/*
 * Without reads, or with requests that wait for room, each event counts.
 * Refreshes alone do not wake the unit: it makes up for them when a request
 * comes, so that a chip in which nothing happens any more is at its end.
 */
static uint64_t next_step(const struct dram_unit *d)
{
    if (!dram_pending(d->dram) || d->next_tick == DRAM_NEVER)
        return d->next_offer;
    return sooner(d->next_offer, cycle_with(d, d->next_tick));
}

static uint64_t next_event(const struct dram_unit *d, uint64_t now)
{
    if (d->leftover && has_room(d))
        return now + 1;
    uint64_t next = d->reads && !d->leftover ? next_answer(d) : next_step(d);
    if (d->answers.order.count)
        next = sooner(next, d->pool[*numbers_entry(&d->answers, 0)].due);
    return not_before(next, now + 1);
}

static void run(struct dram_unit *d, uint64_t now)
{
    dram_catch_up(d, now);
    answer_due(d, now);
    if (d->busy != (under_way(d) > 0)) {
        dram_book_buses(d, now);
        d->busy = !d->busy;
    }
    d->wake = next_event(d, now);
}

static uint64_t dram_send(struct unit *u, uint64_t now)
{
    struct dram_unit *d = (struct dram_unit *)u;
    if (d->wake <= now)
        run(d, now);
    return d->wake;
}

static void launch(struct unit *u, uint64_t now)
{
    ((struct dram_unit *)u)->ranges = clients_ranges(chip_context(u->chip));
}

static uint64_t accounts(const struct unit *u)
{
    return ((const struct dram_unit *)u)->bus_count;
}

/* What there is in builds with STALLS only. */
static void copy_observed(struct dram_unit *d, uint64_t tick)
{
#if STALLS
    const struct dram_device *device = d->device;
    uint64_t banks = (uint64_t)d->params.channels;
    for (unsigned level = DRAM_PSEUDO; level <= DRAM_BANK; level++)
        banks *= device->units[level];
    d->stats.bank_clocks = tick * banks;
    d->stats.banks_busy = d->stats.commands[DRAM_ACT] *
                          (uint64_t)dram_device_parameter(device, "nRC", 0);
#endif
}

static void copy_statistics(struct dram_unit *d, uint64_t tick)
{
    struct dram_stats s;
    dram_statistics(d->dram, tick, &s);
#define COPY(name, unit, meaning) d->stats.name = s.name;
    DRAM_STATS(COPY)
#undef COPY
    memcpy(d->stats.commands, s.commands, sizeof d->stats.commands);
    d->stats.bus_clocks = tick * d->bus_count;
    copy_observed(d, tick);
}

/* All before `now` has been run but refreshes that no request waited for. */
static void close_account(struct unit *u, uint64_t now)
{
    struct dram_unit *d = (struct dram_unit *)u;
    uint64_t tick = now ? tick_in(d, now - 1) : 0;
    if (now)
        dram_catch_up(d, now - 1);
    dram_book_buses(d, now);
    dram_book_held(d, now);
    copy_statistics(d, tick);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct dram_unit *d = (const struct dram_unit *)u;
    if (!under_way(d))
        return;
    fprintf(out,
            "%s: %u requests, %u on the way to the controllers%s, %u "
            "transactions in their queues, %u answers\n",
            u->name, under_way(d), d->front.order.count,
            d->blocked ? " (the first finds its queue full)" : "",
            dram_pending(d->dram), d->answers.order.count);
    dram_explain(d->dram, out);
}

#define PARAM_STRUCT struct dram_unit_params
#define STAT_STRUCT struct dram_unit_stats
#define COMMAND_ROW(command, name, meaning)                                    \
    {"cmd_" #command, "commands", meaning,                                     \
     offsetof(STAT_STRUCT, commands) + DRAM_##command * sizeof(uint64_t)},
static const int64_t took_edges[] = {DRAM_LATENCY_EDGES};
static const struct param param_rows[] = {
    DRAM_UNIT_PARAMS(PARAM_ROW, TEXT_ROW)};
static const struct stat_row stat_rows[] = {
    DRAM_UNIT_STATS(STAT_ROW) CLIENT_STATS(CLIENT_ROW) DRAM_STATS(STAT_ROW)
        DRAM_COMMANDS(COMMAND_ROW) HISTOGRAM_ROW(
            took, took_edges, "requests", "cycles",
            "reads by the cycles from taking them to answering them")
            DRAM_OBSERVED(STAT_OBSERVED_ROW)};
static const struct stat_row bucket_rows[] = {DRAM_UNIT_BUCKETS(BUCKET_ROW)};

static void keep(struct unit *u, struct state *s)
{
    dram_state(((struct dram_unit *)u)->dram, s);
}

/* The controllers are memory of sim/dram, which saves itself. */
#define STATE_STRUCT struct dram_unit
static const struct state_row state_rows[] = {
    STATE_POINTER(device),       STATE_POINTER(dram),
    STATE_POINTER(pool),         STATE_POINTER(free),
    STATE_POINTER(front.at),     STATE_POINTER(answers.at),
    STATE_POINTER(buckets),      STATE_POINTER(writes),
    STATE_POINTERS(buses, data),
#if STALLS
    STATE_POINTER(wider),        STATE_POINTER(waiting),
#endif
};

#define TOOK .histogram = COUNTER(took[0]), .scale = 1
static const struct figure_row figures[] = {
    {.name = "gb_per_second",
     .unit = "GB/s",
     .over = {COUNTER(bytes_read), COUNTER(bytes_written)},
     .said = "%.3g GB/s",
     .scale = 1},
    {.name = "bus_utilisation",
     .over = {COUNTER(data_busy)},
     .under = {COUNTER(bus_clocks)},
     .said = "%.1f %% of the pins",
     .scale = 100},
    {.name = "row_hit_rate",
     .over = {COUNTER(read_hits), COUNTER(write_hits)},
     .under = {COUNTER(read_hits), COUNTER(read_misses),
               COUNTER(read_conflicts), COUNTER(write_hits),
               COUNTER(write_misses), COUNTER(write_conflicts)},
     .said = "%.1f %% row hits",
     .scale = 100},
    {.name = "row_conflict_rate",
     .over = {COUNTER(read_conflicts), COUNTER(write_conflicts)},
     .under = {COUNTER(read_hits), COUNTER(read_misses),
               COUNTER(read_conflicts), COUNTER(write_hits),
               COUNTER(write_misses), COUNTER(write_conflicts)},
     .scale = 1},
#if STALLS
    {.name = "bank_utilisation",
     .over = {COUNTER(banks_busy)},
     .under = {COUNTER(bank_clocks)},
     .said = "%.1f %% of the banks",
     .scale = 100},
    {.name = "queued_mean",
     .unit = "requests",
     .over = {COUNTER(queued_reads), COUNTER(queued_writes)},
     .under = {COUNTER(bus_clocks)},
     .said = "%.1f queued",
     .scale = 1},
#endif
    {.name = "latency_mean",
     .unit = "cycles",
     .over = {COUNTER(latency)},
     .under = {COUNTER(reads)},
     .scale = 1},
    {.name = "latency_p50",
     .unit = "cycles",
     TOOK,
     .per_mille = 500,
     .said = "p50 %.0f"},
    {.name = "latency_p95",
     .unit = "cycles",
     TOOK,
     .per_mille = 950,
     .said = "p95 %.0f"},
    {.name = "latency_p99",
     .unit = "cycles",
     TOOK,
     .per_mille = 990,
     .said = "p99 %.0f cycles"},
};

static const struct limit_row limits[] = {
#if STALLS
    {.name = "banks",
     .used = {COUNTER(banks_busy)},
     .under = {COUNTER(bank_clocks)}},
#endif
    {.name = "channels",
     .param = "channels",
     .used = {COUNTER(data_busy)},
     .under = {COUNTER(bus_clocks)},
     .crowded = OBSERVED(crowded),
     .part = {OBSERVED(apart)},
     .of = {OBSERVED(ahead)},
     .rays_part = {OBSERVED(apart)},
     .rays_of = {OBSERVED(ahead)},
     .legs = TRIP_LEG_BIT(memory_held) | TRIP_LEG_BIT(memory_queue),
     .held = TRIP_LEG_BIT(memory_port),
     .holds = {COUNTER(held_cycles)},
     .bytes = {COUNTER(bytes_read), COUNTER(bytes_written)}},
    {.name = "port for requests",
     .param = "accepts",
     .used = {COUNTER(reads), COUNTER(writes)},
     .room = "accepts",
     .taken = TRIP_LEG_BIT(memory_port)},
    {.name = "port for answers",
     .param = "answers",
     .used = {COUNTER(reads)},
     .room = "answers",
     .legs = TRIP_LEG_BIT(memory_reply)},
    {.name = "way to the controller",
     .param = "front",
     .sort = LIMIT_LATENCY,
     .legs = TRIP_LEG_BIT(memory_front)},
    {.name = "way back",
     .param = "back",
     .sort = LIMIT_LATENCY,
     .legs = TRIP_LEG_BIT(memory_back)},
};

const struct unit_kind dram_kind = {
    .name = "dram",
    .meaning = "main memory of a partition: DRAM channels with controllers",
    .size = sizeof(struct dram_unit),
    .params = offsetof(struct dram_unit, params),
    .stats = offsetof(struct dram_unit, stats),
    UNIT_TABLES,
    LIMIT_TABLE,
    .told = {[TOLD_MOVED] = COUNTER(reads)},
    UNIT_STATE,
    .memory = &memory_role_end,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = dram_build,
    .receive = dram_receive,
    .send = dram_send,
    .launch = launch,
    .close = close_account,
    .accounts = accounts,
    .explain = explain,
    .keep = keep,
    .destroy = dram_destroy,
};
