#include "sim/units/tp_private.h"
#include "sim/units/units.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct port_row ports[] = {
    [DATA] = {"data", false, 1, "answers of the L1"},
    [INDEX] = {"index", false, 1, "work indices of the scheduler"},
    [HIT] = {"hit", false, 1, "hit records of the RT core"},
    [DONE] = {"done", false, 16, "ends of operations, in op's order"},
    [CODE] = {"code", false, 1, "sectors of code"},
    [MEM] = {"mem", true, 1, "requests to the L1"},
    [NEXT] = {"next", true, 1, "trav.fchthrd to the scheduler"},
    [RAY] = {"ray", true, 1, "rays to the RT core"},
    [OP] = {"op", true, 16, "operations of special function units"},
    [FETCH] = {"fetch", true, 1, "requests to an instruction cache"},
};

/* ---- construction ---- */

static bool check_ports(const struct tp *t, struct error *error)
{
    const struct unit *u = &t->unit;
    static const struct {
        uint8_t request, answer;
    } pairs[] = {
        {MEM, DATA}, {NEXT, INDEX}, {RAY, HIT}, {OP, DONE}, {FETCH, CODE}};
    for (unsigned i = 0; i < TABLE_COUNT(pairs); i++)
        if (u->links[pairs[i].request] != u->links[pairs[i].answer])
            return error_set(
                error, "%u %s links but %u %s links",
                u->links[pairs[i].request], ports[pairs[i].request].name,
                u->links[pairs[i].answer], ports[pairs[i].answer].name);
    if (!u->links[MEM])
        return error_set(error, "no mem link");
    for (unsigned c = 0; c < ISA_CLASS_COUNT; c++)
        if (t->params.unit[c] > u->links[OP])
            return error_set(error, "%s_unit: there are %u op links, not %d",
                             isa_class_name(c), u->links[OP],
                             (int)t->params.unit[c]);
    return true;
}

_Static_assert(ISA_CLASS_COUNT <= 32, "a mask of classes fits a word");

/* Does an instruction of this class end in its cycle, inside the core? Loads
 * and stores: if they go to scratch memory. */
static bool ends_in_cycle(const struct tp *t, unsigned cls)
{
    switch (cls) {
    case ISA_CLASS_load:
    case ISA_CLASS_store:
        return t->params.scratch_latency == 1;
    case ISA_CLASS_amo:
    case ISA_CLASS_fence:
    case ISA_CLASS_system:
    case ISA_CLASS_fchthrd:
    case ISA_CLASS_traceray:
        return false;
    default:
        return t->params.latency[cls] == 1 && !t->params.unit[cls];
    }
}

/* All harts execute the same program, decoded once. */
static bool agree_on_isa(const struct tp *t, struct machine *m,
                         struct error *error)
{
    char problem[80];
    uint32_t extensions = 0;
    if (m->isa_given)
        return true;
    for (unsigned i = 0; i < ISA_EXT_COUNT; i++)
        extensions |= (uint32_t)t->params.extension[i] << i;
    if (m->hart_count && extensions != m->profile.extensions)
        return error_set(error, "ext_...: differ from those of other harts");
    m->profile.extensions = extensions;
    return isa_profile_check(&m->profile, problem, sizeof problem) ||
           error_set(error, "ext_...: %s", problem);
}

/* All ports of a unit lie side by side, those of inputs and of outputs. Rows
 * without links have no word of pending: there is one that no row has. */
static void place_ports(struct tp_common *c, const struct unit *u)
{
    unsigned words = 0;
    for (unsigned row = DATA; row <= CODE; row++)
        words += u->links[row] > 0;
    for (unsigned row = DATA; row <= CODE; row++) {
        bool linked = u->links[row];
        c->pending_at[row] = linked ? u->first_word[row] : (uint8_t)words;
        c->input_at[row] = linked ? (uint8_t)(u->in[row] - u->in[DATA]) : 0;
    }
    for (unsigned port = 0; port < PORTS; port++) {
        unsigned row = port == TO_FETCH ? FETCH
                       : port < TO_OP   ? MEM + port
                                        : OP;
        unsigned link = row == OP ? port - TO_OP : 0;
        if (link < u->links[row])
            c->port_at[port] = (uint8_t)(&u->out[row][link] - u->out[MEM]);
    }
}

/* The port that instructions of a class need. */
static unsigned port_of(const struct tp *t, unsigned cls)
{
    switch (cls) {
    case ISA_CLASS_load:
    case ISA_CLASS_store:
    case ISA_CLASS_amo:
        return TO_MEM;
    case ISA_CLASS_fchthrd:
        return TO_NEXT;
    case ISA_CLASS_traceray:
        return TO_RAY;
    default:
        return t->params.unit[cls] ? TO_OP + (unsigned)t->params.unit[cls] - 1u
                                   : NO_PORT;
    }
}

/*
 * May the message of an instruction of this class be sent ahead of its cycle?
 * Others do more than send one, or tell somebody when they are issued.
 */
static bool sends_ahead(const struct tp_common *c, const struct tp *t,
                        unsigned cls)
{
    const uint32_t others = 1u << ISA_CLASS_alu | 1u << ISA_CLASS_branch |
                            1u << ISA_CLASS_jump | 1u << ISA_CLASS_amo |
                            1u << ISA_CLASS_fence | 1u << ISA_CLASS_system |
                            1u << ISA_CLASS_traceray;
    const struct machine *m = c->machine;
    if (others >> cls & 1 || c->port_of[cls] == NO_PORT ||
        (cls == ISA_CLASS_fchthrd && !c->has_next) || m->log_commits ||
        m->check_memory || t->params.fetch_buffer)
        return false;
    const struct outport *o = &t->out[c->port_at[c->port_of[cls]]];
    return !o->remote && o->latency + AHEAD_MOST <= WHEEL;
}

static uint8_t step_of(const struct tp_common *c, const struct tp *t,
                       unsigned cls)
{
    bool accesses = cls == ISA_CLASS_load || cls == ISA_CLASS_store;
    return (uint8_t)((c->local.classes >> cls & 1 ? LOCAL : 0) |
                     (sends_ahead(c, t, cls) ? SENDS : 0) |
                     (accesses ? ACCESSES : 0));
}

/*
 * A slot that does not issue sends at most two messages to the L1: parts of an
 * access. Where they take more than a cycle they would come behind those of the
 * same cycle that were sent ahead.
 */
static int act_room(const struct tp *t)
{
    return t->out->latency == 1 ? 2 * (int)t->params.harts : INT_MAX;
}

static void fill_common(struct tp_common *c, const struct tp *t,
                        struct machine *m)
{
    const struct tp_params *p = &t->params;
    c->first = t;
    c->machine = m;
    c->turn = (uint32_t)p->turn;
    c->load_bypass = (uint8_t)p->load_bypass;
    c->store_bypass = (uint8_t)p->store_bypass;
    c->kinds[0] = (struct access_kind){
        .op = MEM_READ, .aux = ISA_LOAD, .flags = c->load_bypass};
    c->kinds[1] = (struct access_kind){
        .op = MEM_WRITE, .aux = ISA_STORE, .flags = c->store_bypass};
    for (unsigned i = 0; i < ISA_CLASS_COUNT; i++) {
        c->unit_of[i] = (uint8_t)p->unit[i];
        c->latency_of[i] = (uint16_t)p->latency[i];
        c->port_of[i] = (uint8_t)port_of(t, i);
        c->local.classes |= (uint32_t)ends_in_cycle(t, i) << i;
    }
    c->careful = 1u << ISA_CLASS_fchthrd | 1u << ISA_CLASS_traceray |
                 1u << ISA_CLASS_amo;
    c->has_next = t->unit.links[NEXT];
    c->has_ray = t->unit.links[RAY];
    if (m->log_commits)
        c->local.classes = 0; /* all instructions pass through execute */
    place_ports(c, &t->unit);
    c->act_room = act_room(t);
    for (unsigned i = 0; i < ISA_CLASS_COUNT; i++)
        c->step_of[i] = step_of(c, t, i);
}

/* Do the output ports lead equally far? */
static bool equally_far(const struct tp *a, const struct tp *b)
{
    const struct outport *end = a->out;
    for (unsigned row = MEM; row <= FETCH; row++)
        end += a->unit.links[row];
    for (const struct outport *o = a->out, *p = b->out; o < end; o++, p++)
        if (o->latency != p->latency || o->remote != p->remote)
            return false;
    return true;
}

static bool alike(const struct tp *a, const struct tp *b)
{
    return a->unit.tile == b->unit.tile &&
           !memcmp(&a->params, &b->params, sizeof a->params) &&
           !memcmp(a->unit.links, b->unit.links, sizeof a->unit.links) &&
           equally_far(a, b);
}

/* That of the core built before, if it serves. */
static struct tp_common *common_for(const struct tp *t, struct machine *m)
{
    struct tp_common *c = m->last_common;
    if (c && alike(c->first, t))
        return c;
    m->last_common = chip_alloc(t->unit.chip, 1, sizeof *c);
    fill_common(m->last_common, t, m);
    return m->last_common;
}

static bool build(struct unit *u, struct error *error)
{
    struct tp *t = (struct tp *)u;
    struct machine *m = chip_context(u->chip);
    if (!check_ports(t, error))
        return false;
    if (!agree_on_isa(t, m, error))
        return false;
    if (m->hart_count && m->scratch_bytes != (uint64_t)t->params.scratch)
        return error_set(error, "scratch: differs from that of other harts");
    t->first_hart = m->hart_count;
    m->hart_count += (uint32_t)t->params.harts;
    m->scratch_bytes = (uint64_t)t->params.scratch;
    t->out = u->out[MEM];
    t->common = common_for(t, m);
    t->turn = t->common->turn;
    t->first_in = (uint32_t)(u->in[DATA] - u->tile->inports);
    t->errands = START;
    size_t harts = (size_t)t->params.harts;
    t->slots = harts <= SLOTS_NEAR
                   ? t->near
                   : chip_alloc(u->chip, harts, sizeof *t->slots);
    t->rest = chip_alloc(u->chip, harts, sizeof *t->rest);
    t->splits = chip_alloc(u->chip, harts, sizeof *t->splits);
    t->ahead = chip_alloc(u->chip, 1, sizeof *t->ahead);
    tp_take_room(t);
    if (m->log_commits)
        t->commits = chip_alloc(u->chip, 1, sizeof *t->commits);
    if (t->params.fetch_buffer && !tp_fetch_build(t, error))
        return false;
    if (m->check_memory)
        t->issued = chip_alloc(u->chip, harts * 64, sizeof *t->issued);
    t->fetches = t->fetch;
    t->traced = t->commits || t->issued;
    tp_join_row(t);
    return true;
}

static uint64_t accounts(const struct unit *u)
{
    return (uint64_t)((const struct tp *)u)->params.harts;
}

/* Scratch memory is the last bytes of the address space. */
static void place_plain(struct tp_common *c)
{
    const struct machine *m = c->machine;
    uint64_t last = m->ram_end - 1,
             visible = c->address_mask - m->scratch_bytes;
    last = last < visible ? last : visible;
    c->plain_start = m->ram_start;
    c->plain_bytes = last - m->ram_start + 1;
    assert(last > m->ram_start && c->plain_bytes >= sizeof(uint64_t));
}

static void start_common(struct tp_common *c)
{
    const struct machine *m = c->machine;
    c->started = true;
    c->local.text = m->text;
    c->local.start = m->text_range.start;
    c->local.bytes = m->text_range.end - m->text_range.start;
    c->local.scratch_bytes = (uint32_t)m->scratch_bytes;
    c->scratch = m->scratch;
    c->grid = chip_grid(c->first->unit.chip);
    tp_start_row(c);
    if (chip_epoch(c->first->unit.chip) < BEYOND_MOST && !m->text_changes &&
        !c->first->fetch)
        c->beyond = BEYOND_MOST;
    c->address_mask = m->profile.xlen == 32 ? UINT32_MAX : UINT64_MAX;
    place_plain(c);
}

static void start_hart(struct tp *t, struct slot *s)
{
    if (hart_of(t, s)->state == HART_UNUSED) {
        enter(t, s, SERVICE); /* from which nobody wakes it */
        s->bucket = IN_parked;
    } else {
        s->bucket = (uint8_t)tp_assess(t, s);
    }
}

static __attribute__((noinline)) void start(struct tp *t)
{
    if (!t->common->started)
        start_common(t->common);
    t->errands &= (uint8_t)~START;
    t->changes = t->common->machine->text_changes;
    t->harts = &t->common->machine->harts[t->first_hart];
    for (uint32_t i = 0; i < t->params.harts; i++) {
        t->rest[i].reserved = ~0ull;
        start_hart(t, &t->slots[i]);
    }
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
    if (!round)
        host_prefetch(&t->ready);
    if (round != 1)
        return !round;
    const struct hart *hart = &t->harts[m->tag >> TAG_SLOT];
    host_prefetch(&t->unit.tile->inports[t->first_in]);
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

/* The next cycle in which it has to send. offered: a port had room in this
 * one. Otherwise those that were wanted then are full, and those that are
 * wanted since were found to be. */
static inline uint64_t next_work(struct tp *t, uint64_t now, bool offered)
{
    uint64_t next = next_issue(t, now);
    if (!t->errands && !offered)
        return next;
    if (t->errands & ACTS || (offered && tp_ports_have_room(t)))
        return now + 1;
    uint64_t result = next_result(t);
    return result < next ? result : next;
}

/* Whatever there is to do before a hart issues. Returns whether a port had
 * room. */
static __attribute__((noinline)) bool run_errands(struct tp *t, uint64_t now)
{
    if (t->errands & START)
        start(t);
    if (t->result_count)
        tp_take_results(t, now);
    if (t->errands & ACTS)
        tp_act(t, now);
    bool offered = tp_ports_have_room(t);
    if (offered)
        tp_offer_ports(t, now);
    return offered;
}

static uint64_t tp_send(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    bool offered = (t->errands || u->unblocked) && run_errands(t, now);
    if (t->ready && now >= t->busy_until)
        tp_issue_one(t, now);
    return next_work(t, now, offered);
}

struct commit_queue *tp_commits(struct unit *u)
{
    return ((struct tp *)u)->commits;
}

/* ---- counters ---- */

void tp_flush_counts(struct tp *t)
{
    struct counts *c = &t->counts;
    struct tp_stats *s = &t->stats;
    for (unsigned i = 0; i < ISA_CLASS_COUNT; i++)
        s->of_class[i] += c->of_class[i];
    s->instructions += c->instructions;
    s->issued += c->instructions;
    s->scratch += c->scratch;
    s->memory += c->memory;
    s->rays += c->rays;
    for (unsigned i = 0; i < LOAD_ROWS; i++)
        (&s->loads_first)[i] += c->loads[i];
    *c = (struct counts){0};
}

/* An instruction was counted too early. */
static void take_back(struct tp *t, unsigned class)
{
    bool accesses = class == ISA_CLASS_load || class == ISA_CLASS_store;
    t->stats.of_class[class]--;
    t->counts.of_class[class]++;
    t->stats.scratch -= accesses;
    t->counts.scratch = (uint16_t)(t->counts.scratch + accesses);
    t->stats.instructions--;
    t->stats.issued--;
    t->counts.instructions++;
}

/* All from cycle now on. */
static void take_all_back(struct tp *t, uint64_t now)
{
    const struct isa_local *local = &t->common->local;
    const struct ahead *a = t->ahead;
    struct isa_hart *hart = &t->harts[t->current].isa;
    for (uint64_t c = now; c < t->busy_until; c++)
        take_back(t, a->issued[a->end - c]->cls);
    t->owed = (uint16_t)(t->busy_until - now);
    t->owes = true;
    t->owed_pc = hart->pc;
    hart->instret -= t->owed;
    hart->pc =
        local->start + 2 * (uint64_t)(a->issued[a->end - now] - local->text);
}

void tp_pay_owed(struct tp *t)
{
    struct isa_hart *hart = &t->harts[t->current].isa;
    hart->instret += t->owed;
    hart->pc = t->owed_pc;
    t->owes = false;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    tp_flush_counts(t);
    if (t->owes)
        tp_pay_owed(t);
    if (t->busy_until > now)
        take_all_back(t, now);
    for (uint32_t i = 0; i < t->params.harts; i++)
        book(t, &t->slots[i], now);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct tp *t = (const struct tp *)u;
    static const char *const what[] = {
        [READY] = "can issue",
        [WAIT_FETCH] = "waits for its next instruction",
        [WAIT_REGS] = "waits for a register",
        [WAIT_PORT] = "waits for room in a port",
        [DRAINING] = "waits for its memory accesses to end",
        [INVALIDATE] = "waits for the L1's invalidation",
        [SPLIT] = "waits for a misaligned access",
        [SERVICE] = NULL,
    };
    for (uint32_t i = 0; i < t->params.harts; i++) {
        const struct slot *s = &t->slots[i];
        unsigned state = t->owes && i == t->current ? READY : s->state;
        if (!(t->errands & START) && what[state])
            fprintf(out, "%s: hart %u %s, %u memory accesses under way\n",
                    u->name, t->harts[i].isa.id, what[state], s->accesses);
    }
}

#define PARAM_STRUCT struct tp_params
#define STAT_STRUCT struct tp_stats
/* clang-format off */
#define LATENCY_ROW(name, meaning)                                             \
    {#name "_latency", 1, 1, 1000, "cycles",                                   \
     "until the result may be used: " meaning,                                 \
     offsetof(struct tp_params, latency[ISA_CLASS_##name]), NULL},             \
    {#name "_unit", 0, 0, 16, "op link",                                       \
     "unit that does it, 0: inside the core: " meaning,                        \
     offsetof(struct tp_params, unit[ISA_CLASS_##name]), NULL},
#define COUNT_ROW(name, meaning)                                               \
    {"issue_" #name, "instructions", meaning,                                  \
     offsetof(struct tp_stats, of_class[ISA_CLASS_##name])},

#define EXTENSION_ROW(name, needs, meaning)                                    \
    {"ext_" #name, 1, 0, 1, "0 or 1", "ISA extension: " meaning,               \
     offsetof(struct tp_params, extension[ISA_EXT_##name]), NULL},

static const struct param param_rows[] = {
    TP_PARAMS(PARAM_ROW) ISA_EXTENSIONS(EXTENSION_ROW) ISA_CLASSES(LATENCY_ROW)
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    LATENCY_ROW(id, mnemonic)
#include "sdk/isa/xtrav.def"
#undef XTRAV
};

static const struct stat_row stat_rows[] = {
    TP_STATS(STAT_ROW) ISA_CLASSES(COUNT_ROW)
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    COUNT_ROW(id, mnemonic)
#include "sdk/isa/xtrav.def"
#undef XTRAV
};
/* clang-format on */
static const struct stat_row bucket_rows[] = {TP_BUCKETS(STAT_ROW)};

const struct unit_kind tp_kind = {
    .name = "tp",
    .meaning = "thread processor: an in-order core",
    .size = sizeof(struct tp),
    .params = offsetof(struct tp, params),
    .stats = offsetof(struct tp, stats),
    UNIT_TABLES,
    .build = build,
    .receive = tp_receive,
    .send = tp_send,
    .expect = tp_expect,
    .close = close_account,
    .accounts = accounts,
    .explain = explain,
};
