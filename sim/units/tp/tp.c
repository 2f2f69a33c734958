/*
 * The thread processor as a unit: the two phases of its cycles, its counters,
 * and its tables.
 */
#include "sim/core/memory_role.h"
#include "sim/isa/served_shapes.h"
#include "sim/units/common/riscv_rows.h"
#include "sim/units/tp/tp_slot.h"
#include "sim/units/units.h"

/* clang-format off */
#define PORT_ROWS(request, out, answer, in, use, links, requests, answers, id) \
    [answer] = {in, false, TP_LINKS_##links, answers},                         \
    [request] = {out, true, TP_LINKS_##links, requests},
/* clang-format on */
static const struct port_row ports[] = {TP_PAIRS(PORT_ROWS)};
_Static_assert(TP_ROWS <= UNIT_PORTS_MAX, "sim/core/unit.h: UNIT_PORTS_MAX");

static uint64_t accounts(const struct unit *u)
{
    return ((const struct tp *)u)->hart_count;
}

void tp_start(struct unit *u, unsigned slot, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    struct slot *s = &t->slots[slot];
    s->event = HART_NONE;
    tp_assess_now(t, s, now);
    unit_wake(u, now);
}

void tp_resume(struct unit *u, unsigned slot, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    struct slot *s = &t->slots[slot];
    put_in(t, s, now, IN_drain);
    s->event = HART_NONE;
    enter(t, s, DRAINING);
    begin_drain(t, s);
    begin_act(t, s);
    unit_wake(u, now);
}

/* ---- cycles ---- */

/* Fetches into the host's cache what the hart that will probably issue in the
 * next cycle needs; harts are too many to stay there. */
static void prefetch_hart(const struct tp *t)
{
    uint64_t ahead = t->ready & (~0ULL << t->current);
    unsigned slot = (unsigned)__builtin_ctzll(ahead ? ahead : t->ready);
    const struct slot *s = &t->slots[slot];
    prefetch_bytes(t->out, 3 * sizeof(struct outport));
    prefetch_registers(&t->harts[slot]);
    if (t->counts.scratch) /* there is some, and it was used lately */
        host_prefetch(scratch_of(t->common, &t->harts[slot]) + s->stack_line);
}

/* The host's lines that an answer meets: the core's own, then its hart's. */
static bool tp_expect(const struct unit *u, const struct msg *m, unsigned round)
{
    const struct tp *t = (const struct tp *)u;
    if (!round) {
        host_prefetch(u);
        host_prefetch(&t->ready);
        host_prefetch(&t->counts);
    }
    if (round != 1)
        return !round;
    const struct hart *hart = &t->harts[m->tag >> TAG_SLOT];
    host_prefetch(unit_port(&t->unit, t->first_in));
    host_prefetch(&t->slots[m->tag >> TAG_SLOT]);
    host_prefetch(&hart->isa.pc);
    host_prefetch((const char *)hart->isa.x +
                  (m->tag >> TAG_LOWEST & 63) * sizeof *hart->isa.x);
    return false;
}

static __attribute__((noinline)) uint64_t next_result(const struct tp *t)
{
    uint64_t next = CYCLE_NEVER;
    for (uint32_t i = 0; i < t->result_count; i++)
        if (t->results[i].when < next)
            next = t->results[i].when;
    return next;
}

/*
 * The last cycle that was worked out, if the run could end before: if nothing
 * else can ever happen, that is at the next multiple of the grid. (Not the
 * horizon: how far that is depends on the epoch.)
 */
static inline uint64_t last_issue(const struct tp *t, uint64_t now)
{
    struct tp_common *c = t->common;
    if (now >= c->grid_end)
        c->grid_end = now - now % c->grid + c->grid;
    return choose_if(t->busy_until > c->grid_end, t->busy_until - 1,
                     CYCLE_NEVER);
}

/* The next cycle in which it issues, or, if no hart can, the last one. */
static inline uint64_t next_issue(const struct tp *t, uint64_t now)
{
    if (!t->ready)
        return last_issue(t, now);
    if (t->busy_until > now + 1)
        return t->busy_until;
    if (!(t->ready & bit(t->current)))
        prefetch_hart(t);
    return now + 1;
}

/*
 * The next cycle in which the core has to run send. offered: a port had room in
 * this cycle, so others may have room in the next. If none had, all ports that
 * slots want are known to be full, and a credit will wake the core; so it will
 * for the slots in stuck.
 */
static inline uint64_t next_work(struct tp *t, uint64_t now, bool offered,
                                 uint64_t stuck)
{
    uint64_t next = next_issue(t, now);
    if (!t->errands && !offered)
        return next;
    if (t->acting & ~stuck || (offered && tp_ports_have_room(t)))
        return now + 1;
    uint64_t result = next_result(t);
    return result < next ? result : next;
}

/* Does what comes before an issue: the start, results, messages of slots that
 * act. Returns whether a port had room for slots that wait for one; stuck:
 * those whose message found its port full. */
static __attribute__((noinline)) bool run_errands(struct tp *t, uint64_t now,
                                                  uint64_t *stuck)
{
    if (t->errands & START)
        tp_begin(t);
    if (t->result_count)
        tp_take_results(t, now);
    if (t->errands & ACTS)
        tp_act(t, now);
    *stuck = t->acting;
    bool offered = tp_ports_have_room(t);
    if (offered)
        tp_offer_ports(t, now);
    return offered;
}

uint64_t tp_send(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    uint64_t stuck = 0;
    bool offered = (t->errands || u->unblocked) && run_errands(t, now, &stuck);
    if (t->ready && now >= t->busy_until)
        tp_issue_one(t, now);
    return next_work(t, now, offered, stuck);
}

struct commit_queue *tp_commits(struct unit *u)
{
    return ((struct tp *)u)->commits;
}

/* ---- counters ---- */

static void flush_classes(struct tp_stats *s, const uint16_t *counts,
                          const struct isa_operands *operands)
{
    for (unsigned i = 0; i < ISA_CLASS_COUNT; i++) {
        if (!counts[i])
            continue;
        s->of_class[i] += counts[i];
        s->registers_read += (uint64_t)counts[i] * operands[i].reads;
        s->registers_written += (uint64_t)counts[i] * operands[i].writes;
    }
}

void tp_flush_counts(struct tp *t)
{
    struct counts *c = &t->counts;
    struct tp_stats *s = &t->stats;
    for (unsigned reads = 0; reads < ISA_READS; reads++)
        flush_classes(s, c->of_class[reads], t->common->operands[reads]);
    s->instructions += c->instructions;
    s->issued += c->instructions;
    s->scratch += c->scratch;
    s->memory += c->memory;
    s->rays += c->rays;
    for (unsigned i = 0; i < LOAD_ROWS; i++)
        (&s->loads_first)[i] += c->loads[i];
    *c = (struct counts){0};
}

void tp_close(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    tp_flush_counts(t);
    for (uint32_t i = 0; i < t->hart_count; i++) {
        book(t, &t->slots[i], now);
        work_goes_on(t->common->machine, u, &t->works[i], t->works[i].work,
                     now);
    }
}

/* ---- what harts wait for, in words ---- */

static const char *producer_name(const struct slot *s)
{
#define NAME(X, id, name, port, what, where) what,
    static const char *const names[PRODUCERS] = {TP_PRODUCERS(NAME, )};
#undef NAME
    return names[first_producer(s, s->any_pending & s->awaits)];
}

/* The name of the port that the slot waits for: of the first pair whose links
 * do not end before it. */
static const char *port_name(const struct tp *t, const struct slot *s)
{
    unsigned port = 0;
    while (port < PORTS && !(t->waiting_for[port] & bit(slot_number(t, s))))
        port++;
#define PORT_NAME(request, out, ...)                                           \
    if (port <= TO_##request##_LAST)                                           \
        return out;
    TP_PAIRS(PORT_NAME)
#undef PORT_NAME
    return "";
}

static void explain_slot(const struct tp *t, const struct slot *s, FILE *out)
{
    static const char *const what[] = {
        [READY] = "can issue",
        [WAIT_FETCH] = "waits for its next instruction",
        [WAIT_REGS] = "waits for a register from ",
        [WAIT_PORT] = "waits for room in port ",
        [DRAINING] = "waits for its memory accesses to end",
        [INVALIDATE] = "waits for the L1's invalidation",
        [SPLIT] = "waits for a misaligned access",
        [SERVICE] = NULL,
    };
    const char *of = s->state == WAIT_REGS   ? producer_name(s)
                     : s->state == WAIT_PORT ? port_name(t, s)
                                             : "";
    if (what[s->state])
        fprintf(out, "%s: hart %u %s%s, %u memory accesses under way\n",
                t->unit.name, hart_of(t, s)->isa.id, what[s->state], of,
                s->accesses);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct tp *t = (const struct tp *)u;
    for (uint32_t i = 0; i < t->hart_count && !(t->errands & START); i++)
        explain_slot(t, &t->slots[i], out);
}

/* The port whose answer the slot waits for; TP_ROWS: for none. */
static unsigned awaited_row(const struct slot *s)
{
    static const uint8_t of[PRODUCERS] = {
        [MEMORY] = MEM, [RTCORE] = RAY,   [SCHEDULER] = NEXT,
        [SFU] = OP,     [CORE] = TP_ROWS, [STREAMS] = OP,
    };
    switch ((enum slot_state)s->state) {
    case WAIT_FETCH:
        return FETCH;
    case WAIT_REGS:
        return of[first_producer(s, s->any_pending & s->awaits)];
    case DRAINING:
    case INVALIDATE:
    case SPLIT:
        return MEM;
    case READY:
    case WAIT_PORT:
    case SERVICE:
        break;
    }
    return TP_ROWS;
}

/* Of a port with several links it names the first. */
static const struct outport *waits_for(const struct unit *u)
{
    const struct tp *t = (const struct tp *)u;
    for (uint32_t i = 0; i < t->hart_count && !(t->errands & START); i++) {
        const unsigned row = awaited_row(&t->slots[i]);
        if (row < TP_ROWS && u->links[row])
            return u->out[row];
    }
    return NULL;
}

#define PARAM_STRUCT struct tp_params
#define STAT_STRUCT struct tp_stats
/* clang-format off */
#define UNIT_ROW(name, meaning)                                                \
    RISCV_UNIT_ROW(name, 0, TP_SEVERAL, "op link", meaning)
#define LATENCY_ROW(name, meaning)                                             \
    RISCV_LATENCY_ROW(name, "until the result may be used: " meaning)          \
    UNIT_ROW(name, "unit that does it, 0: inside the core: " meaning)
/* Instructions that write no register inside the core. */
#define NO_LATENCY_ROW(name, meaning)                                          \
    RISCV_LATENCY_ROW(name, "no effect, nothing waits for it: " meaning)
#define OTHER_ROW(name, meaning)                                               \
    NO_LATENCY_ROW(name, meaning)                                              \
    UNIT_ROW(name, "unit that does it, 0: inside the core: " meaning)
#define MEMORY_ROW(name, meaning)                                              \
    NO_LATENCY_ROW(name, meaning)                                              \
    UNIT_ROW(name, "no effect, the memory does it: " meaning)

/* A custom instruction that a unit serves has neither: how long it takes is the
 * unit's timing. Where its port has several links, a parameter says which. */
#define LATENCY_ROW_0 LATENCY_ROW
#define LATENCY_ROW_1(name, meaning)
#define LATENCY_ROW_OF(served) LATENCY_ROW_##served
#define LATENCY_ROW_UNLESS(served) LATENCY_ROW_OF(served)
#define LINK_ROW_ONE(out, name)
#define LINK_ROW_SEVERAL(out, name)                                            \
    RISCV_UNIT_ROW(name, 0, TP_SEVERAL, out " link",                           \
                   "unit that serves it, 0: none: trav." #name)
#define LINK_ROW(request, out, answer, in, use, links, requests, answers, id)  \
    LINK_ROW_##links(out, id)

static const struct param param_rows[] = {
    TP_PARAMS(PARAM_ROW) ISA_EXTENSIONS(RISCV_EXTENSION_ROW)
    ISA_CORE_CLASSES(LATENCY_ROW) ISA_MEMORY_CLASSES(MEMORY_ROW)
    ISA_OTHER_CLASSES(OTHER_ROW)
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    LATENCY_ROW_UNLESS(SERVED_##shape)(id, mnemonic)
#include "sdk/isa/xtrav.def"
#undef XTRAV
#define XTRAV_SERVED(id, state, unit, request, ...)                            \
    TP_PAIR_##request(LINK_ROW, id)
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
};

static const struct stat_row stat_rows[] = {
    TP_STATS(STAT_ROW) ISA_CLASSES(RISCV_ISSUE_ROW)
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    RISCV_ISSUE_ROW(id, mnemonic)
#include "sdk/isa/xtrav.def"
#undef XTRAV
    TP_TRIPS(TRIP_ROWS)
};
TRIP_KINDS(TP_TRIPS)
/* clang-format on */
static const struct stat_row bucket_rows[] = {TP_BUCKETS(BUCKET_ROW)};

/*
 * Where the text and its harts are, a processor knows from its first cycle on;
 * what it shares with others is named by each of them.
 */
#define STATE_STRUCT struct tp
static const struct state_row state_rows[] = {
    STATE_POINTER(slots),
    WORK_STATE STATE_POINTER(harts),
    STATE_POINTER(out),
    STATE_POINTERS(common, machine),
    STATE_POINTERS(common, scratch),
    STATE_POINTERS(common, first),
    STATE_POINTERS(common, before),
    STATE_POINTERS(common, local.text),
    STATE_POINTERS(common, local.scratch),
    STATE_POINTERS(common, local.of_class),
    STATE_POINTERS(common, local.next),
    STATE_POINTERS(fetch, held),
    STATE_POINTER(commits),
    STATE_POINTER(rest),
    STATE_POINTER(splits),
    STATE_POINTER(results),
    STATE_POINTER(issued),
    STATE_POINTERS(common, profile),
    STATE_POINTER(watch),
    STATE_LIST(traces)};

static const struct limit_row limits[] = {{.name = "issue slots",
                                           .used = {COUNTER(issued)},
                                           .waits = {COUNTER(arbitration)},
                                           .work = "instructions"}};

static const struct unit_hints tp_hints = {.expect = tp_expect};
static const struct memory_role role = {.next = MEM};

/* What a thread processor and a watched one have in common. */
#define TP_KIND                                                                \
    .name = "tp", .meaning = "thread processor: an in-order core",             \
    .size = sizeof(struct tp), .params = offsetof(struct tp, params),          \
    .stats = offsetof(struct tp, stats), UNIT_TABLES, UNIT_STATE, TRIP_TABLE,  \
    LIMIT_TABLE, .core = &tp_core, .memory = &role, .hints = &tp_hints,        \
    .accounts = accounts, .explain = explain, .waits_for = waits_for

static const struct unit_kind tp_watched_kind = {
    TP_KIND,
    .build = tp_watched_build,
    .keep = tp_watched_keep,
    .destroy = tp_watched_destroy,
    .receive = tp_watched_receive,
    .send = tp_watched_send,
    .close = tp_watched_close,
    .trace = tp_trace,
};

const struct unit_kind tp_kind = {
    TP_KIND,         .build = tp_build, .receive = tp_receive,
    .send = tp_send, .close = tp_close, .watched = &tp_watched_kind,
};
