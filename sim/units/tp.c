#include "sim/units/tp.h"
#include "runtime/include/corbel/abi.h"
#include "sim/units/commits.h"
#include "sim/units/mem.h"
#include "sim/units/units.h"
#include <string.h>

enum { DATA, INDEX, HIT, DONE, MEM, NEXT, RAY, OP };

static const struct port_row ports[] = {
    [DATA] = {"data", false, 1, "answers of the L1"},
    [INDEX] = {"index", false, 1, "work indices of the scheduler"},
    [HIT] = {"hit", false, 1, "hit records of the RT core"},
    [DONE] = {"done", false, 16, "ends of operations, in op's order"},
    [MEM] = {"mem", true, 1, "requests to the L1"},
    [NEXT] = {"next", true, 1, "trav.fchthrd to the scheduler"},
    [RAY] = {"ray", true, 1, "rays to the RT core"},
    [OP] = {"op", true, 16, "operations of special function units"},
};

/* What a pending register waits for; the order of blame when several do. */
enum producer { MEMORY, RTCORE, SCHEDULER, SFU, CORE, PRODUCERS };

enum slot_state {
    READY,      /* may issue */
    WAIT_REGS,  /* a register of the next instruction is pending */
    WAIT_PORT,  /* the port of the next instruction is full */
    DRAINING,   /* fence or service: waits for its accesses */
    INVALIDATE, /* about to send, or waiting for, the L1's invalidation */
    SPLIT,      /* an access over two sectors, one part at a time */
    SERVICE,    /* outside the model */
};

/* A misaligned access that crosses a sector: two accesses in turn. */
struct split {
    uint64_t address, value, loaded;
    uint32_t tag; /* of its requests */
    uint8_t size, done, store;
    bool under_way; /* a part; parts go out when all else is done */
};

/* Ports that instructions need: the rows MEM, NEXT, RAY, then each op link. */
enum needed_port {
    TO_MEM,
    TO_NEXT,
    TO_RAY,
    TO_OP,
    PORTS = TO_OP + 16,
    NO_PORT
};

/* A hart's place in the core. What every issue touches is one cache line. */
struct slot {
    _Alignas(64) uint64_t any_pending; /* of all producers */
    struct account account;
    struct hart *hart;
    uint32_t accesses; /* loads and stores under way */
    uint8_t state;     /* enum slot_state */
    uint8_t event;     /* enum hart_event after draining; HART_NONE: fence */
    uint8_t port;      /* WAIT_PORT: enum needed_port */
    uint64_t reserved; /* sector of the last lr, ~0: none */
    uint64_t pending[PRODUCERS]; /* registers, as in isa_insn.reads */
};

/* A result inside the core that takes more than a cycle. */
struct result {
    uint64_t when, registers;
    uint32_t slot;
};

/* Hot fields first: thousands of these share the host's cache. */
struct tp {
    struct unit unit;
    struct machine *machine;
    uint64_t ready;        /* slots in state READY */
    uint64_t acting;       /* slots with something else to send */
    uint64_t busy_until;   /* issues are worked out before this cycle */
    uint32_t ports_wanted; /* ports for which slots wait */
    uint32_t current;
    uint32_t turn; /* instructions left of the current hart's turn */
    struct slot *slots;
    struct result *results;
    uint32_t result_count;
    uint32_t first_hart;
    bool started;
    bool more;                        /* answers wait at the input ports */
    uint8_t unit_of[ISA_CLASS_COUNT]; /* from params, compact */
    uint16_t latency_of[ISA_CLASS_COUNT];
    uint32_t local;       /* classes that take a cycle in the core, as bits */
    uint32_t *stack_line; /* by slot: last line of scratch used */
    struct commit_queue *commits; /* NULL: no log */
    uint64_t waiting_for[PORTS];  /* slots in state WAIT_PORT, by port */
    struct split *splits;         /* by slot */
    struct tp_stats stats;
    struct tp_params params;
};

/* Tags: slot, rd and op of the instruction that waits. (The instruction itself
 * may have been overwritten by the time of the answer.) */
enum { TAG_RD = 16, TAG_SLOT = 21 };

/* ---- construction ---- */

static bool check_ports(const struct tp *t, struct error *error)
{
    const struct unit *u = &t->unit;
    static const struct {
        uint8_t request, answer;
    } pairs[] = {{MEM, DATA}, {NEXT, INDEX}, {RAY, HIT}, {OP, DONE}};
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
static bool is_local(const struct tp *t, unsigned cls)
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
    t->machine = m;
    t->first_hart = m->hart_count;
    m->hart_count += (uint32_t)t->params.harts;
    m->scratch_bytes = (uint64_t)t->params.scratch;
    t->turn = (uint32_t)t->params.turn;
    size_t harts = (size_t)t->params.harts;
    t->slots = chip_alloc(u->chip, harts, sizeof *t->slots);
    t->splits = chip_alloc(u->chip, harts, sizeof *t->splits);
    t->stack_line = chip_alloc(u->chip, harts, sizeof *t->stack_line);
    /* A hart has at most one result to come for each register. */
    t->results = chip_alloc(u->chip, harts * 64, sizeof *t->results);
    for (unsigned c = 0; c < ISA_CLASS_COUNT; c++) {
        t->unit_of[c] = (uint8_t)t->params.unit[c];
        t->latency_of[c] = (uint16_t)t->params.latency[c];
        t->local |= (uint32_t)is_local(t, c) << c;
    }
    if (m->log_commits) {
        t->local = 0; /* all instructions pass through execute */
        t->commits = chip_alloc(u->chip, 1, sizeof *t->commits);
    }
    return true;
}

static uint64_t accounts(const struct unit *u)
{
    return (uint64_t)((const struct tp *)u)->params.harts;
}

/* ---- states of a slot ---- */

static uint64_t bit(uint32_t slot)
{
    return 1ULL << slot;
}

static uint32_t slot_number(const struct tp *t, const struct slot *s)
{
    return (uint32_t)(s - t->slots);
}

static void enter(struct tp *t, struct slot *s, enum slot_state state)
{
    uint64_t mask = bit(slot_number(t, s));
    s->state = (uint8_t)state;
    t->ready = state == READY ? t->ready | mask : t->ready & ~mask;
}

static const struct isa_insn *next_insn(const struct tp *t,
                                        const struct slot *s)
{
    uint64_t at = s->hart->isa.pc - t->machine->text_range.start;
    uint64_t bytes = t->machine->text_range.end - t->machine->text_range.start;
    return at < bytes ? &t->machine->text[at / 2] : NULL;
}

/* Registers begin to wait for a producer. */
static void add_pending(struct slot *s, enum producer p, uint64_t registers)
{
    s->pending[p] |= registers;
    s->any_pending |= registers;
}

/* A register is never pending for two producers: writes wait as well. */
static void end_pending(struct slot *s, enum producer p, uint64_t registers)
{
    s->pending[p] &= ~registers;
    s->any_pending &= ~registers;
}

static uint64_t *wait_bucket(struct tp *t, const struct slot *s,
                             uint64_t registers)
{
    uint64_t *buckets[PRODUCERS] = {
        [MEMORY] = &t->stats.wait_memory,   [RTCORE] = &t->stats.wait_rtcore,
        [SCHEDULER] = &t->stats.wait_index, [SFU] = &t->stats.wait_sfu,
        [CORE] = &t->stats.wait_result,
    };
    for (unsigned p = 0; p < CORE; p++)
        if (s->pending[p] & registers)
            return buckets[p];
    return buckets[CORE];
}

/*
 * Is the hart able to go on? Sets its state and returns the bucket of the
 * cycles in which it does not issue.
 */
static uint64_t *assess(struct tp *t, struct slot *s)
{
    const struct isa_insn *insn = next_insn(t, s);
    uint64_t registers = insn ? insn->reads | insn->writes : 0;
    if (s->any_pending & registers) {
        enter(t, s, WAIT_REGS);
        return wait_bucket(t, s, registers);
    }
    enter(t, s, READY);
    return &t->stats.arbitration;
}

static void assess_now(struct tp *t, struct slot *s, uint64_t now)
{
    account_switch(&s->account, now, assess(t, s));
}

static bool drained(const struct slot *s)
{
    return !s->accesses && !s->any_pending;
}

/* Something that the hart waited for has come. */
static void advance(struct tp *t, struct slot *s, uint64_t now)
{
    if (s->state == WAIT_REGS)
        assess_now(t, s, now);
    else if ((s->state == DRAINING && drained(s)) ||
             (s->state == SPLIT && !s->accesses))
        t->acting |= bit(slot_number(t, s));
}

static void drain(struct tp *t, struct slot *s, enum hart_event event)
{
    enter(t, s, DRAINING);
    s->event = (uint8_t)event;
    if (drained(s))
        t->acting |= bit(slot_number(t, s));
}

static void start(struct tp *t, uint64_t now)
{
    t->started = true;
    for (uint32_t i = 0; i < t->params.harts; i++) {
        struct slot *s = &t->slots[i];
        s->hart = &t->machine->harts[t->first_hart + i];
        s->reserved = ~0ull;
        s->account.bucket = assess(t, s);
    }
}

void tp_resume(struct unit *u, unsigned slot, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    struct slot *s = &t->slots[slot];
    account_switch(&s->account, now, &t->stats.drain);
    s->event = HART_NONE;
    enter(t, s, DRAINING);
    t->acting |= bit(slot);
    unit_wake(u, now);
}

/* ---- receive ---- */

static void write_x(const struct tp *t, struct slot *s, uint64_t registers,
                    uint64_t value)
{
    if (registers)
        s->hart->isa.x[__builtin_ctzll(registers)] =
            t->machine->profile.xlen == 32 ? (uint64_t)(int32_t)value : value;
}

static struct slot *slot_of(struct tp *t, uint32_t tag)
{
    return &t->slots[tag >> TAG_SLOT];
}

/* As much of the instruction as its end needs. */
static struct isa_insn insn_of(uint32_t tag)
{
    struct isa_insn insn = {.op = (uint16_t)tag, .rd = tag >> TAG_RD & 31};
    insn.writes = isa_writes(insn.op, insn.rd);
    return insn;
}

/* The result of an instruction other than a load is in its registers. */
static void unit_done(struct tp *t, const struct slot *s, uint32_t tag)
{
    if (!t->commits)
        return;
    struct isa_insn insn = insn_of(tag);
    commit_queue_finish(t->commits, &s->hart->isa, &insn, 0, 0);
}

/* A load or atomic that has just been issued is done already. */
static void load_now(struct tp *t, struct slot *s, const struct isa_insn *insn,
                     uint64_t value)
{
    isa_load_done(&s->hart->isa, insn, value);
    if (t->commits)
        commit_queue_finish_last(t->commits, &s->hart->isa, value);
}

static void load_done(struct tp *t, struct slot *s, const struct isa_insn *insn,
                      uint64_t address, uint64_t value)
{
    isa_load_done(&s->hart->isa, insn, value);
    if (t->commits)
        commit_queue_finish(t->commits, &s->hart->isa, insn, address, value);
}

static void split_answer(struct tp *t, struct slot *s, const struct msg *m)
{
    struct split *p = &t->splits[slot_number(t, s)];
    uint32_t part = SECTOR - (uint32_t)((p->address + p->done) % SECTOR);
    if (part > (uint32_t)(p->size - p->done))
        part = (uint32_t)(p->size - p->done);
    p->loaded |= m->value << (8 * p->done);
    p->done = (uint8_t)(p->done + part);
    p->under_way = false;
    t->acting |= bit(slot_number(t, s));
}

/* Links of an input row with messages. */
static uint64_t arrived(const struct tp *t, unsigned row)
{
    return t->unit.links[row] ? t->unit.pending[t->unit.first_word[row]] : 0;
}

static void take_data(struct tp *t, uint64_t now)
{
    if (!arrived(t, DATA))
        return;
    struct msg m = link_pop(&t->unit.in[DATA][0]);
    struct slot *s = slot_of(t, m.tag);
    s->accesses--;
    if (s->state == SPLIT && t->splits[slot_number(t, s)].under_way) {
        split_answer(t, s, &m);
        return;
    }
    if (s->state == INVALIDATE) {
        assess_now(t, s, now);
        return;
    }
    if (m.op != MEM_DONE) {
        struct isa_insn insn = insn_of(m.tag);
        load_done(t, s, &insn, m.addr, m.value);
        end_pending(s, MEMORY, insn.writes);
    }
    advance(t, s, now);
}

static void take_index(struct tp *t, uint64_t now)
{
    if (!arrived(t, INDEX))
        return;
    struct msg m = link_pop(&t->unit.in[INDEX][0]);
    struct slot *s = slot_of(t, m.tag);
    uint64_t writes = insn_of(m.tag).writes;
    write_x(t, s, writes, m.value);
    unit_done(t, s, m.tag);
    end_pending(s, SCHEDULER, writes);
    advance(t, s, now);
}

#define NAN_BOX 0xffffffff00000000u

static void take_hit(struct tp *t, uint64_t now)
{
    if (!arrived(t, HIT))
        return;
    struct msg m = link_pop(&t->unit.in[HIT][0]);
    struct payload p = msg_payload(&t->unit, &m);
    struct slot *s = slot_of(t, m.tag);
    struct isa_insn insn = insn_of(m.tag);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word;
        memcpy(&word, p.bytes + 4 * i, 4);
        s->hart->isa.f[insn.rd + i] = NAN_BOX | word;
    }
    unit_done(t, s, m.tag);
    end_pending(s, RTCORE, insn.writes);
    advance(t, s, now);
}

static void take_done(struct tp *t, uint64_t now)
{
    for (uint64_t m = arrived(t, DONE); m; m &= m - 1) {
        struct msg done = link_pop(&t->unit.in[DONE][__builtin_ctzll(m)]);
        struct slot *s = slot_of(t, done.tag);
        end_pending(s, SFU, insn_of(done.tag).writes);
        advance(t, s, now);
    }
}

static void take_results(struct tp *t, uint64_t now)
{
    for (uint32_t i = t->result_count; i-- > 0;) {
        struct result r = t->results[i];
        if (r.when > now)
            continue;
        t->results[i] = t->results[--t->result_count];
        end_pending(&t->slots[r.slot], CORE, r.registers);
        advance(t, &t->slots[r.slot], now);
    }
}

/* One answer a cycle is taken from each unit; are there more? */
static bool answers_left(const struct tp *t)
{
    return arrived(t, DATA) | arrived(t, INDEX) | arrived(t, HIT) |
           arrived(t, DONE);
}

/*
 * Fetches into the host's cache what the hart that will probably issue in
 * this cycle's send phase needs; harts are too many to stay there. Between
 * the phases all other units of the tile receive: enough time.
 */
static void prefetch_hart(const struct tp *t)
{
    uint64_t ahead = t->ready & (~0ULL << t->current);
    unsigned slot = (unsigned)__builtin_ctzll(ahead ? ahead : t->ready);
    const char *hart = (const char *)&t->machine->harts[t->first_hart + slot];
    __builtin_prefetch(&t->slots[slot], 1);
    for (size_t at = 0; at < 3 * sizeof(struct outport); at += 64)
        __builtin_prefetch((const char *)t->unit.out[MEM] + at, 1);
    for (size_t at = 0; at < offsetof(struct isa_hart, mstatus); at += 64)
        __builtin_prefetch(hart + at, 1);
    if (t->machine->scratch)
        __builtin_prefetch(t->machine->scratch + t->stack_line[slot] +
                           (t->first_hart + slot) * t->machine->scratch_bytes);
}

static void tp_receive(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    if (!t->started)
        start(t, now);
    take_data(t, now);
    take_index(t, now);
    take_hit(t, now);
    take_done(t, now);
    if (t->result_count)
        take_results(t, now);
    t->more = answers_left(t);
    if (t->ready && now >= t->busy_until)
        prefetch_hart(t);
}

/* ---- send: memory ---- */

static uint32_t make_tag(const struct tp *t, const struct slot *s,
                         const struct isa_insn *insn)
{
    return slot_number(t, s) << TAG_SLOT | (uint32_t)insn->rd << TAG_RD |
           insn->op;
}

static void request(struct tp *t, struct slot *s, const struct msg *m)
{
    link_push(&t->unit.out[MEM][0], m);
    s->accesses++;
}

static bool is_atomic(uint8_t access)
{
    return access >= ISA_LR;
}

/* Cause of the fault of an access, 0 if it is in order. */
static uint32_t access_fault(const struct tp *t, const struct isa_effect *e)
{
    bool load = e->access == ISA_LOAD || e->access == ISA_LR;
    if (!machine_in_ram(t->machine, e->address, e->size))
        return load ? 5 : 7;
    if (!load && machine_read_only(t->machine, e->address, e->size))
        return 7;
    return 0;
}

static void fault(struct tp *t, struct slot *s, uint64_t pc,
                  const struct isa_effect *effect)
{
    s->hart->fault = *effect;
    s->hart->isa.pc = pc;
    drain(t, s, HART_FAULT);
}

static void result_later(struct tp *t, struct slot *s, uint64_t registers,
                         uint64_t when)
{
    if (!registers)
        return;
    add_pending(s, CORE, registers);
    t->results[t->result_count++] =
        (struct result){when, registers, slot_number(t, s)};
}

/* An sc without the reservation fails here; others may still lose it. */
static bool conditional_fails(struct tp *t, struct slot *s,
                              const struct isa_insn *insn,
                              const struct isa_effect *e)
{
    bool mine = s->reserved == e->address / SECTOR;
    if (e->access == ISA_LR)
        s->reserved = e->address / SECTOR;
    if (e->access != ISA_SC)
        return false;
    s->reserved = ~0ull;
    if (!mine)
        load_now(t, s, insn, 1);
    return !mine;
}

static void access_scratch(struct tp *t, struct slot *s,
                           const struct isa_insn *insn,
                           const struct isa_effect *e, uint8_t *at,
                           uint64_t now)
{
    uint64_t value = 0;
    t->stats.scratch++;
    if (is_atomic(e->access) && conditional_fails(t, s, insn, e))
        return;
    t->stack_line[slot_number(t, s)] = (uint32_t)(at - s->hart->scratch);
    if (e->access == ISA_STORE) {
        memcpy(at, &e->value, e->size);
        return;
    }
    memcpy(&value, at, e->size);
    if (e->access == ISA_SC) {
        memcpy(at, &e->value, e->size);
        value = 0;
    } else if (is_atomic(e->access) && e->access != ISA_LR) {
        uint64_t result = isa_amo(e->access, e->size, value, e->value);
        memcpy(at, &result, e->size);
    }
    load_now(t, s, insn, value);
    if (t->params.scratch_latency > 1)
        result_later(t, s, insn->writes,
                     now + (uint64_t)t->params.scratch_latency);
}

static void begin_split(struct tp *t, struct slot *s,
                        const struct isa_insn *insn, const struct isa_effect *e)
{
    t->splits[slot_number(t, s)] = (struct split){
        .address = e->address,
        .value = e->value,
        .tag = make_tag(t, s, insn),
        .size = e->size,
        .store = e->access == ISA_STORE,
    };
    enter(t, s, SPLIT);
    t->acting |= bit(slot_number(t, s));
}

/* Bits of atomics that ask for order. */
enum { RELEASE = 1 << 25, ACQUIRE = 1 << 26 };

/*
 * The L2 may do a later access that hits before an earlier one that misses. It
 * must not where the program asked for order, nor between two lr, of which
 * the later would lose its reservation.
 */
static bool ends_before_others(const struct isa_insn *insn, uint8_t access)
{
    return access == ISA_LR || access == ISA_SC ||
           (is_atomic(access) && insn->raw & ACQUIRE);
}

/* Must the hart's earlier accesses end before the instruction? */
static bool begins_after_others(const struct slot *s,
                                const struct isa_insn *insn)
{
    return insn->cls == ISA_CLASS_amo && insn->raw & RELEASE && s->accesses;
}

static void access_memory(struct tp *t, struct slot *s,
                          const struct isa_insn *insn,
                          const struct isa_effect *e)
{
    t->stats.memory++;
    if (e->address % SECTOR + e->size > SECTOR) {
        begin_split(t, s, insn, e);
        return;
    }
    if (is_atomic(e->access) && conditional_fails(t, s, insn, e))
        return;
    struct msg m = {
        .op = e->access == ISA_LOAD    ? MEM_READ
              : e->access == ISA_STORE ? MEM_WRITE
                                       : MEM_ATOMIC,
        .aux = e->access,
        .addr = e->address,
        .size = e->size,
        .value = e->value,
        .from = s->hart->isa.id,
        .tag = make_tag(t, s, insn),
    };
    if (e->access != ISA_STORE)
        add_pending(s, MEMORY, insn->writes);
    request(t, s, &m);
    if (ends_before_others(insn, e->access))
        drain(t, s, HART_NONE);
}

static void do_access(struct tp *t, struct slot *s, const struct isa_insn *insn,
                      struct isa_effect *e, uint64_t now)
{
    uint8_t *scratch = hart_scratch(t->machine, s->hart, e->address, e->size);
    if (scratch) {
        access_scratch(t, s, insn, e, scratch, now);
        return;
    }
    uint32_t cause = access_fault(t, e);
    if (cause) {
        e->cause = cause;
        e->tval = e->address;
        if (t->commits)
            commit_queue_drop(t->commits);
        fault(t, s, s->hart->isa.pc - insn->len, e);
        return;
    }
    if (t->machine->tohost && e->address == t->machine->tohost &&
        e->access == ISA_STORE) {
        s->hart->fault = *e;
        drain(t, s, HART_TOHOST);
        return;
    }
    access_memory(t, s, insn, e);
}

/* ---- send: units ---- */

static void fetch_index(struct tp *t, struct slot *s,
                        const struct isa_insn *insn)
{
    struct msg m = {.tag = make_tag(t, s, insn)};
    add_pending(s, SCHEDULER, insn->writes);
    link_push(&t->unit.out[NEXT][0], &m);
}

static void trace_ray(struct tp *t, struct slot *s, const struct isa_insn *insn)
{
    struct msg m = {.tag = make_tag(t, s, insn), .addr = (uint32_t)insn->imm};
    struct payload ray;
    for (unsigned i = 0; i < 8; i++) {
        uint32_t word = (uint32_t)s->hart->isa.f[insn->rs1 + i];
        memcpy(ray.bytes + 4 * i, &word, 4);
    }
    add_pending(s, RTCORE, insn->writes);
    t->stats.rays++;
    link_push_full(&t->unit.out[RAY][0], &m, &ray);
}

static void use_sfu(struct tp *t, struct slot *s, const struct isa_insn *insn)
{
    struct msg m = {.tag = make_tag(t, s, insn)};
    add_pending(s, SFU, insn->writes);
    link_push(&t->unit.out[OP][t->unit_of[insn->cls] - 1], &m);
}

/* ---- send: issue ---- */

static bool to_scratch(const struct tp *t, const struct slot *s,
                       const struct isa_insn *insn)
{
    uint64_t address = s->hart->isa.x[insn->rs1] + (uint64_t)insn->imm;
    return hart_scratch(t->machine, s->hart, address, 1);
}

/* The port that the instruction needs. */
static unsigned port_needed(const struct tp *t, const struct slot *s,
                            const struct isa_insn *insn)
{
    switch (insn->cls) {
    case ISA_CLASS_load:
    case ISA_CLASS_store:
    case ISA_CLASS_amo:
        return to_scratch(t, s, insn) ? NO_PORT : TO_MEM;
    case ISA_CLASS_fchthrd:
        return TO_NEXT;
    case ISA_CLASS_traceray:
        return TO_RAY;
    default:
        return t->unit_of[insn->cls] ? TO_OP + t->unit_of[insn->cls] - 1u
                                     : NO_PORT;
    }
}

static struct outport *outport_of(struct tp *t, unsigned port)
{
    return port < TO_OP ? &t->unit.out[MEM + port][0]
                        : &t->unit.out[OP][port - TO_OP];
}

/* May the instruction go? If not, the hart waits for the port. */
static bool port_ready(struct tp *t, struct slot *s,
                       const struct isa_insn *insn, uint64_t now)
{
    unsigned port = port_needed(t, s, insn);
    if (port == NO_PORT || link_ready(outport_of(t, port)))
        return true;
    enter(t, s, WAIT_PORT);
    t->ports_wanted |= 1u << port;
    t->waiting_for[port] |= bit(slot_number(t, s));
    account_switch(&s->account, now, &t->stats.port_full);
    return false;
}

bool tp_lacks(const struct unit *u, const struct isa_insn *insn)
{
    const struct tp *t = (const struct tp *)u;
    return (insn->cls == ISA_CLASS_fchthrd && !t->unit.links[NEXT]) ||
           (insn->cls == ISA_CLASS_traceray &&
            (!t->unit.links[RAY] || !t->machine->scene));
}

static void finish_in_core(struct tp *t, struct slot *s,
                           const struct isa_insn *insn, uint64_t now)
{
    if (t->unit_of[insn->cls])
        use_sfu(t, s, insn);
    else if (t->latency_of[insn->cls] > 1)
        result_later(t, s, insn->writes, now + t->latency_of[insn->cls]);
}

static void illegal(struct tp *t, struct slot *s, const struct isa_insn *insn)
{
    struct isa_effect e = {.cause = 2, .tval = insn->raw};
    fault(t, s, s->hart->isa.pc, &e);
}

/* Why the text has no instruction there: 0s, or no code. */
static void not_decoded(const struct tp *t, uint64_t pc,
                        const struct isa_insn *insn, struct isa_effect *effect)
{
    if (machine_executable(t->machine, pc + (uint64_t)insn->imm, 2))
        return; /* illegal, as executed */
    effect->cause = ISA_CAUSE_FETCH_FAULT;
    effect->tval = pc + (uint64_t)insn->imm;
}

static enum isa_outcome execute_logged(struct tp *t, struct slot *s,
                                       const struct isa_insn *insn,
                                       struct isa_effect *effect, uint64_t now)
{
    struct isa_hart *hart = &s->hart->isa;
    struct isa_commit *c = commit_queue_add(t->commits, hart->id, now);
    isa_commit_begin(c, hart, insn);
    enum isa_outcome outcome = isa_execute(hart, insn, effect);
    commit_queue_executed(t->commits,
                          isa_commit_executed(c, hart, outcome, effect));
    return outcome;
}

/* Executes; afterwards the slot is in another state than READY if need be. */
static void execute(struct tp *t, struct slot *s, const struct isa_insn *insn,
                    uint64_t now)
{
    struct isa_effect effect;
    struct isa_hart *hart = &s->hart->isa;
    hart->cycle = now;
    switch (t->commits ? execute_logged(t, s, insn, &effect, now)
                       : isa_execute(hart, insn, &effect)) {
    case ISA_DONE:
        finish_in_core(t, s, insn, now);
        break;
    case ISA_ACCESS:
        do_access(t, s, insn, &effect, now);
        break;
    case ISA_UNIT:
        if (insn->cls == ISA_CLASS_fchthrd)
            fetch_index(t, s, insn);
        else
            trace_ray(t, s, insn);
        break;
    case ISA_FENCE:
        drain(t, s, HART_NONE);
        break;
    case ISA_FENCE_I:
        drain(t, s, t->machine->text_changes ? HART_FENCE_I : HART_NONE);
        break;
    case ISA_ECALL:
        drain(t, s, HART_ECALL);
        break;
    case ISA_EBREAK:
        drain(t, s, HART_EBREAK);
        break;
    case ISA_FAULT:
        if (!insn->len)
            not_decoded(t, hart->pc, insn, &effect);
        fault(t, s, hart->pc, &effect);
        break;
    }
}

static void count_issue(struct tp *t, const struct isa_insn *insn)
{
    t->stats.instructions++;
    t->stats.of_class[insn->cls]++;
}

/*
 * Issues one more instruction, in cycle now, if it touches nothing but the
 * hart: registers that are there and scratch memory. Else nothing has changed.
 */
static bool issue_local(struct tp *t, struct slot *s, uint64_t now)
{
    struct isa_hart *hart = &s->hart->isa;
    const struct isa_insn *insn = next_insn(t, s);
    struct isa_effect effect;
    if (!insn || !(t->local >> insn->cls & 1) ||
        s->any_pending & (insn->reads | insn->writes))
        return false;
    bool access = insn->cls == ISA_CLASS_load || insn->cls == ISA_CLASS_store;
    if (access && !to_scratch(t, s, insn))
        return false;
    hart->cycle = now;
    enum isa_outcome outcome = isa_execute(hart, insn, &effect);
    if (outcome == ISA_ACCESS) {
        uint8_t *at =
            hart_scratch(t->machine, s->hart, effect.address, effect.size);
        if (!at) {
            isa_access_failed(hart, insn);
            return false;
        }
        access_scratch(t, s, insn, &effect, at, now);
    } else if (outcome != ISA_DONE) {
        return false; /* faults in its cycle */
    }
    count_issue(t, insn);
    return true;
}

/*
 * The core stays with a hart until that cannot issue, so what the hart does
 * next, as long as it needs nobody, is known: it is worked out at once, up to
 * the horizon, while its state is in the host's cache. The
 * core then issues nothing until busy_until.
 */
static void run_ahead(struct tp *t, struct slot *s)
{
    while (t->busy_until < t->unit.tile->horizon && t->turn &&
           issue_local(t, s, t->busy_until)) {
        t->busy_until++;
        t->turn--;
    }
}

/* False: the hart cannot issue after all, another may. */
static bool issue(struct tp *t, struct slot *s, uint64_t now)
{
    const struct isa_insn *insn = next_insn(t, s);
    if (!insn) {
        struct isa_effect e = {.cause = 1, .tval = s->hart->isa.pc};
        account_switch(&s->account, now, &t->stats.drain);
        fault(t, s, s->hart->isa.pc, &e);
        return false;
    }
    if (tp_lacks(&t->unit, insn)) {
        account_switch(&s->account, now, &t->stats.drain);
        illegal(t, s, insn);
        return false;
    }
    if (begins_after_others(s, insn)) {
        account_switch(&s->account, now, &t->stats.drain);
        drain(t, s, HART_NONE);
        return false;
    }
    if (!port_ready(t, s, insn, now))
        return false;
    count_issue(t, insn);
    execute(t, s, insn, now);
    t->turn--;
    t->busy_until = now + 1;
    if (s->state == READY)
        run_ahead(t, s);
    account_run(&s->account, now, t->busy_until - now, &t->stats.issued,
                s->state == READY   ? assess(t, s)
                : s->state == SPLIT ? &t->stats.wait_memory
                                    : &t->stats.drain);
    return true;
}

/*
 * The current hart while it can issue and its turn lasts, else the next one. A
 * turn has an end so that a hart that spins lets the one go on that it
 * waits for.
 */
static void choose(struct tp *t)
{
    uint64_t ahead = t->ready & (~0ULL << t->current);
    if (!t->turn)
        ahead &= ~bit(t->current);
    uint32_t next = (uint32_t)__builtin_ctzll(ahead ? ahead : t->ready);
    if (next != t->current || !t->turn)
        t->turn = (uint32_t)t->params.turn;
    t->current = next;
}

static void issue_one(struct tp *t, uint64_t now)
{
    while (t->ready) {
        choose(t);
        if (issue(t, &t->slots[t->current], now))
            return;
    }
}

/* ---- send: what is not issuing ---- */

static void send_part(struct tp *t, struct slot *s, uint64_t now)
{
    struct split *p = &t->splits[slot_number(t, s)];
    if (p->done == p->size) {
        struct isa_insn insn = insn_of(p->tag);
        if (!p->store)
            load_done(t, s, &insn, p->address, p->loaded);
        assess_now(t, s, now);
        t->acting &= ~bit(slot_number(t, s));
        return;
    }
    if (s->accesses) { /* their answers could be taken for the part's */
        t->acting &= ~bit(slot_number(t, s));
        return;
    }
    if (!link_ready(&t->unit.out[MEM][0]))
        return;
    p->under_way = true;
    uint64_t address = p->address + p->done;
    uint32_t part = SECTOR - (uint32_t)(address % SECTOR);
    uint32_t left = (uint32_t)(p->size - p->done);
    struct msg m = {
        .op = p->store ? MEM_WRITE : MEM_READ,
        .addr = address,
        .size = (uint8_t)(part < left ? part : left),
        .value = p->value >> (8 * p->done),
        .from = s->hart->isa.id,
        .tag = p->tag,
    };
    request(t, s, &m);
    t->acting &= ~bit(slot_number(t, s));
}

static uint64_t *service_bucket(struct tp *t, const struct slot *s)
{
    uint64_t call = s->hart->isa.x[17];
    if (s->event == HART_ECALL && call == CORBEL_SYS_PARK)
        return &t->stats.parked;
    if (s->event == HART_ECALL && call == CORBEL_SYS_JOIN)
        return &t->stats.joining;
    return &t->stats.service;
}

/* The hart's accesses are done: the service, or the fence's invalidation. */
static void end_drain(struct tp *t, struct slot *s, uint64_t now)
{
    if (s->event != HART_NONE) {
        account_switch(&s->account, now, service_bucket(t, s));
        s->hart->event = s->event;
        enter(t, s, SERVICE);
        unit_request_service(&t->unit, now, slot_number(t, s));
    } else {
        if (!link_ready(&t->unit.out[MEM][0]))
            return;
        struct msg m = {.op = MEM_INVALIDATE,
                        .from = s->hart->isa.id,
                        .tag = slot_number(t, s) << TAG_SLOT};
        request(t, s, &m);
        enter(t, s, INVALIDATE);
    }
    t->acting &= ~bit(slot_number(t, s));
}

static void act(struct tp *t, uint64_t now)
{
    for (uint64_t m = t->acting; m; m &= m - 1) {
        struct slot *s = &t->slots[__builtin_ctzll(m)];
        if (s->state == SPLIT)
            send_part(t, s, now);
        else
            end_drain(t, s, now);
    }
}

/* As many of the slots that wait for a port may go on as it has room for. */
static void offer_port(struct tp *t, unsigned port, uint64_t now)
{
    uint64_t *waiting = &t->waiting_for[port];
    struct outport *o = outport_of(t, port);
    for (int32_t n = link_ready(o) ? o->credits : 0; n > 0 && *waiting; n--) {
        uint64_t ahead = *waiting & (~1ULL << t->current);
        struct slot *s = &t->slots[__builtin_ctzll(ahead ? ahead : *waiting)];
        *waiting &= ~bit(slot_number(t, s));
        enter(t, s, READY);
        account_switch(&s->account, now, &t->stats.arbitration);
    }
    if (!*waiting)
        t->ports_wanted &= ~(1u << port);
}

static void offer_ports(struct tp *t, uint64_t now)
{
    for (uint32_t m = t->ports_wanted; m; m &= m - 1)
        offer_port(t, (unsigned)__builtin_ctz(m), now);
}

static uint64_t next_work(const struct tp *t, uint64_t now)
{
    if (t->acting)
        return now + 1;
    uint64_t next = CYCLE_NEVER;
    if (t->ready)
        next = t->busy_until > now ? t->busy_until : now + 1;
    for (uint32_t i = 0; i < t->result_count; i++)
        if (t->results[i].when < next)
            next = t->results[i].when;
    return next;
}

/* Has a port room for harts that still wait for it? If not, a credit wakes
 * the core. */
static bool port_has_room(struct tp *t)
{
    bool room = false;
    for (uint32_t m = t->ports_wanted; m; m &= m - 1)
        room |= link_ready(outport_of(t, (unsigned)__builtin_ctz(m)));
    return room;
}

static uint64_t tp_send(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    if (t->acting)
        act(t, now);
    if (t->ports_wanted)
        offer_ports(t, now);
    if (now >= t->busy_until)
        issue_one(t, now);
    uint64_t next = next_work(t, now);
    if (t->ports_wanted && port_has_room(t))
        next = now + 1;
    /* Answers that were not taken in this cycle; noted in receive. */
    return t->more && next > now + 1 ? now + 1 : next;
}

struct commit_queue *tp_commits(struct unit *u)
{
    return ((struct tp *)u)->commits;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct tp *t = (struct tp *)u;
    for (uint32_t i = 0; i < t->params.harts; i++)
        account_switch(&t->slots[i].account, now, t->slots[i].account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct tp *t = (const struct tp *)u;
    static const char *const what[] = {
        [READY] = "can issue",
        [WAIT_REGS] = "waits for a register",
        [WAIT_PORT] = "waits for room in a port",
        [DRAINING] = "waits for its memory accesses to end",
        [INVALIDATE] = "waits for the L1's invalidation",
        [SPLIT] = "waits for a misaligned access",
        [SERVICE] = NULL,
    };
    for (uint32_t i = 0; i < t->params.harts; i++) {
        const struct slot *s = &t->slots[i];
        if (s->hart && what[s->state])
            fprintf(out, "%s: hart %u %s, %u memory accesses under way\n",
                    u->name, s->hart->isa.id, what[s->state], s->accesses);
    }
}

#define PARAM_STRUCT struct tp_params
#define STAT_STRUCT struct tp_stats
/* clang-format off */
#define LATENCY_ROW(name, meaning)                                             \
    {#name "_latency", 1, 1, 1000, "cycles",                                   \
     "until the result may be used: " meaning,                                 \
     offsetof(struct tp_params, latency[ISA_CLASS_##name])},                   \
    {#name "_unit", 0, 0, 16, "op link",                                       \
     "unit that does it, 0: inside the core: " meaning,                        \
     offsetof(struct tp_params, unit[ISA_CLASS_##name])},
#define COUNT_ROW(name, meaning)                                               \
    {"issue_" #name, "instructions", meaning,                                  \
     offsetof(struct tp_stats, of_class[ISA_CLASS_##name])},

#define EXTENSION_ROW(name, needs, meaning)                                    \
    {"ext_" #name, 1, 0, 1, "0 or 1", "ISA extension: " meaning,               \
     offsetof(struct tp_params, extension[ISA_EXT_##name])},

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
    .close = close_account,
    .accounts = accounts,
    .explain = explain,
};
