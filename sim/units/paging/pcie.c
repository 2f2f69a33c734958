/*
 * Time is all that happens here. A channel is known by the cycle until which it
 * is occupied; sends run only where a bucket of the account changes. Sizes of
 * whole pages are looked up: their times are worked out when the chip is built,
 * so that no float is computed while it runs, but for odd sizes that go home.
 */
#include "sim/units/paging/pcie.h"
#include "sim/core/heap.h"
#include "sim/units/common/msg_list.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/paging/paging.h"
#include "sim/units/units.h"
#include "sim/uvm/curve.h"
#include "sim/uvm/uvm.h"
#include <assert.h>

enum { ASK, DONE };

static const struct port_row ports[] = {
    [ASK] = {"ask", false, 1, "transfers"},
    [DONE] = {"done", true, 1, "when they end", .answers = true},
};

enum { READ, WRITE, CHANNELS };

#define KNOWN 512 /* sizes of whole pages up to 2 MB, worked out in advance */

struct pcie {
    struct unit unit;
    struct pcie_params params;
    struct pcie_stats stats;
    struct account account;
    struct uvm_curve curve;
    uint64_t busy_until[CHANNELS];
    uint64_t *known; /* cycles by pages */
    double nominal;  /* bytes a cycle at the link's bandwidth */
    struct msg answers[2 * CHANNELS];
    unsigned answer_count;
};

static bool build(struct unit *u, struct error *error)
{
    struct pcie *p = (struct pcie *)u;
    if (u->links[ASK] != 1 || u->links[DONE] != 1)
        return error_set(error, "%u ask links and %u done links, not one each",
                         u->links[ASK], u->links[DONE]);
    p->curve = uvm_curve_default((double)p->params.core_clock / 1000);
    p->curve.model = (enum uvm_curve_model)p->params.pcie_model;
    p->curve.a = 12 << p->params.pcie_bandwidth;
    p->curve.latency = (double)p->params.latency;
    p->curve.bandwidth = (double)p->params.rate / 1000;
    if (!uvm_curve_points(&p->curve, p->params.points, error))
        return false;
    p->nominal = (double)(16ull << p->params.pcie_bandwidth) * (1u << 30) /
                 ((double)p->params.core_clock * 1000);
    p->known = chip_alloc(u->chip, KNOWN + 1, sizeof *p->known);
    for (unsigned n = 1; n <= KNOWN; n++)
        p->known[n] = uvm_curve_cycles(&p->curve, n * (uint64_t)UVM_PAGE);
    p->account.bucket = &p->stats.idle;
    return true;
}

static uint64_t cycles_of(const struct pcie *p, uint64_t bytes)
{
    return bytes % UVM_PAGE == 0 && bytes / UVM_PAGE <= KNOWN
               ? p->known[bytes / UVM_PAGE]
               : uvm_curve_cycles(&p->curve, bytes);
}

/* Counts a transfer of bytes by the share of the link's bandwidth that it
 * reaches. */
static void count_use(const struct pcie *p, uint64_t bytes, uint64_t cycles,
                      uint64_t *const quarter[4], uint64_t *full)
{
    unsigned i = 0;
    while (i < 3 && (double)bytes * 4 > p->nominal * (double)cycles * (i + 1))
        i++;
    *quarter[i] += cycles;
    *full += (uint64_t)((double)bytes / p->nominal + 0.5);
}

static uint64_t count_read(struct pcie *p, uint64_t bytes)
{
    struct pcie_stats *s = &p->stats;
    uint64_t *const quarter[] = {&s->read_cycles_1, &s->read_cycles_2,
                                 &s->read_cycles_3, &s->read_cycles_4};
    uint64_t cycles = cycles_of(p, bytes);
    count_use(p, bytes, cycles, quarter, &s->read_full_cycles);
    s->reads++;
    s->read_bytes += bytes;
    s->read_cycles += cycles;
    return cycles;
}

static uint64_t count_write(struct pcie *p, uint64_t bytes)
{
    struct pcie_stats *s = &p->stats;
    uint64_t *const quarter[] = {&s->write_cycles_1, &s->write_cycles_2,
                                 &s->write_cycles_3, &s->write_cycles_4};
    uint64_t cycles = cycles_of(p, bytes);
    count_use(p, bytes, cycles, quarter, &s->write_full_cycles);
    s->writes++;
    s->write_bytes += bytes;
    s->write_cycles += cycles;
    return cycles;
}

/* Counts transfers by the pattern of device synchronise. */
static uint64_t count_home(struct pcie *p, uint64_t bytes)
{
    uint64_t cycles = 0;
    p->stats.home_bytes += bytes;
    for (unsigned i = 0; bytes; i++) {
        uint64_t part = uvm_home_bytes(i, bytes);
        cycles += count_write(p, part);
        bytes -= part;
    }
    p->stats.home_cycles += cycles;
    return cycles;
}

/* Counts a transfer; its cycles. */
static uint64_t carry(struct pcie *p, const struct msg *m)
{
    switch (m->op) {
    case PCIE_FAULT:
        p->stats.faults++;
        p->stats.fault_cycles += m->value;
        return m->value;
    case PCIE_DMA:
        p->stats.dma_reads++;
        p->stats.dma_cycles += (uint64_t)p->params.dma;
        return (uint64_t)p->params.dma;
    case PCIE_READ:
        return count_read(p, m->value);
    case PCIE_HOME:
        return count_home(p, m->value);
    default:
        return count_write(p, m->value);
    }
}

/* A request begins when those before it on its channel have ended. */
static void pcie_receive(struct unit *u, uint64_t now)
{
    struct pcie *p = (struct pcie *)u;
    while (*unit_pending(u, ASK) && p->answer_count < 2 * CHANNELS) {
        struct msg m = link_pop(u->in[ASK]);
        bool write = m.op == PCIE_WRITE || m.op == PCIE_HOME;
        uint64_t *until = &p->busy_until[write ? WRITE : READ];
        if (*until < now)
            *until = now;
        m.addr = *until;
        *until += carry(p, &m);
        m.op = PCIE_DONE;
        m.value = *until;
        assert(m.value >= m.addr && m.addr >= now);
        p->answers[p->answer_count++] = m;
    }
}

/* What the channels do from this cycle on. */
static uint64_t *bucket(struct pcie *p, uint64_t now)
{
    bool read = p->busy_until[READ] > now, write = p->busy_until[WRITE] > now;
    return read    ? write ? &p->stats.both : &p->stats.reading
           : write ? &p->stats.writing
                   : &p->stats.idle;
}

static uint64_t pcie_send(struct unit *u, uint64_t now)
{
    struct pcie *p = (struct pcie *)u;
    uint64_t next = CYCLE_NEVER;
    for (unsigned i = 0; i < p->answer_count; i++)
        link_push(u->out[DONE], &p->answers[i]);
    bool more = p->answer_count == 2 * CHANNELS;
    p->answer_count = 0;
    for (unsigned c = 0; c < CHANNELS; c++)
        if (p->busy_until[c] > now && p->busy_until[c] < next)
            next = p->busy_until[c];
    account_switch(&p->account, now, bucket(p, now));
    return more ? now + 1 : next;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct pcie *p = (struct pcie *)u;
    account_switch(&p->account, now, p->account.bucket);
}

#define PARAM_STRUCT struct pcie_params
#define STAT_STRUCT struct pcie_stats
static const struct param param_rows[] = {PCIE_PARAMS(PARAM_ROW, TEXT_ROW)};
static const struct stat_row stat_rows[] = {PCIE_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {PCIE_BUCKETS(BUCKET_ROW)};

/* Times of whole pages are worked out when it is built. */
#define STATE_STRUCT struct pcie
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
    STATE_POINTER(known),
};

static const struct figure_row figures[] = {
    {.name = "read_bytes_per_cycle",
     .unit = "bytes",
     .over = {COUNTER(read_bytes)},
     .under = {COUNTER(read_cycles)},
     .said = "%.3g B/clk to the device",
     .scale = 1},
    {.name = "read_utilisation",
     .over = {COUNTER(read_full_cycles)},
     .under = {COUNTER(read_cycles)},
     .said = "%.3g %% of the link in transfers to it",
     .scale = 100},
    {.name = "write_utilisation",
     .over = {COUNTER(write_full_cycles)},
     .under = {COUNTER(write_cycles)}},
    {.name = "read_use",
     .over = {COUNTER(reading), COUNTER(both)},
     .under = {COUNTER(reading), COUNTER(writing), COUNTER(both),
               COUNTER(idle)}},
};

/* Requests that wait for a page wait for the transfer that brings it. */
static const struct limit_row limits[] = {
    {.name = "link",
     .param = "pcie_bandwidth",
     .used = {COUNTER(read_cycles), COUNTER(fault_cycles), COUNTER(dma_cycles)},
     .legs = TRIP_LEG_BIT(translation)}};

const struct unit_kind pcie_kind = {
    .name = "pcie",
    .meaning = "PCIe: a channel to the device, one to the host",
    .size = sizeof(struct pcie),
    .params = offsetof(struct pcie, params),
    .stats = offsetof(struct pcie, stats),
    UNIT_TABLES,
    UNIT_STATE,
    LIMIT_TABLE,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .told = {[TOLD_MOVED] = COUNTER(reads)},
    .build = build,
    .receive = pcie_receive,
    .send = pcie_send,
    .close = close_account,
};
