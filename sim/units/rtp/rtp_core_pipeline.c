/*
 * Instructions in the pipeline. Of instruction i: e is its first cycle in EX, f
 * the last one, m = max(f, last MEM cycle of i - 1) + 1 its first in MEM, and
 * the next instruction is in EX from m(i) on, unless it has to wait:
 *
 *   for what a load or v_reduce in front of it gives: until behind its MEM
 *   a branch: its DE is behind the last cycle of a comparison in EX
 *   ret: its DE is behind the WB of its register
 *   behind a taken branch: for the one bubble, which moves like an instruction
 */
#include "sim/rtp/rtp_decode.h"
#include "sim/units/rtp/rtp_core_private.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static const struct rtp_insn *fetch(const struct rtp_core *c)
{
    return &c->machine->code[c->state.pc / 4 % RTP_CODE_WORDS];
}

static bool waits_for_data(const struct rtp_core *c,
                           const struct rtp_insn *next)
{
    bool late = c->insn.class == RTP_LOAD || c->insn.class == RTP_REDUCE;
    return late && next->reads & c->insn.writes;
}

static void written(struct rtp_core *c, const struct rtp_insn *insn,
                    uint64_t cycle)
{
    uint32_t scalars = (uint32_t)insn->writes;
    if (scalars)
        c->wb[insn->d] = cycle;
}

/* The next instruction is in EX in cycle e at the earliest. */
static void follow(struct rtp_core *c, uint64_t e)
{
    const struct rtp_insn *next = fetch(c);
    uint64_t ready = e;
    if (next->class == RTP_BRANCH)
        ready = later(e, c->compared + 2);
    else if (next->class == RTP_RETURN)
        ready = later(e, c->wb[next->a] + 2);
    rtp_core_span(c, e, &c->stats.flags);
    c->next = ready;
    c->phase = RTP_EXECUTE;
}

/* ---- MEM ---- */

static void ask_memory(struct rtp_core *c, uint64_t m, uint64_t now)
{
    struct unit *u = &c->unit;
    const struct rtp_effect *e = &c->effect;
    struct payload payload = {{0}};
    struct msg msg = {
        .addr = (uint64_t)c->thread * RTP_LOCAL_BYTES +
                e->address % RTP_LOCAL_BYTES,
        .size = (uint8_t)(4 * e->words),
        .op = c->insn.class == RTP_LOAD ? RTP_MEM_READ : RTP_MEM_WRITE,
    };
    memcpy(payload.bytes, e->data, sizeof e->data);
    rtp_push_later(u, &u->out[MEM][0], &msg,
                   msg.op == RTP_MEM_WRITE ? &payload : NULL, m - now);
}

static void store(struct rtp_core *c, uint64_t m, uint64_t now)
{
    c->mem_last = m + c->insn.mem - 1u;
    if (rtp_place(&c->rules, c->effect.address, true) == RTP_NOWHERE) {
        c->stats.invalid++;
        return;
    }
    c->stats.stores++;
    ask_memory(c, m, now);
}

/* What an address without bit 31 leads to takes the row's time, and a cycle
 * more where the hardware has a leftover of an older map. */
static void load_constant(struct rtp_core *c, uint64_t m, uint64_t now)
{
    bool blocked = m > c->ex_last + 1;
    uint32_t address = c->effect.address, data[4] = {0};
    if (blocked && rtp_has_quirk(&c->rules, RTP_QUIRK_main_then_const))
        address = c->address_before;
    if (rtp_has_quirk(&c->rules, RTP_QUIRK_const_then_main))
        ask_memory(c, m, now);
    if (rtp_place(&c->rules, c->effect.address, false) == RTP_CONSTANT)
        data[0] = rtp_constant(&c->rules, c->machine->constants, address);
    else
        c->stats.invalid++;
    c->stats.constants++;
    rtp_write_load(&c->state, &c->insn, data);
    bool leftover = c->rules.rtl_map && address >> 29 == 2;
    c->mem_last = m + c->insn.mem - 1u + leftover;
}

static void load(struct rtp_core *c, uint64_t m, uint64_t now)
{
    if (rtp_place(&c->rules, c->effect.address, false) != RTP_LOCAL) {
        load_constant(c, m, now);
        return;
    }
    c->stats.loads++;
    ask_memory(c, m, now);
    c->load = c->insn;
    c->load_from = m;
    c->loading = true;
    c->overwritten = false;
}

/* Behind the instruction, which is in MEM from m on. */
static void next_behind(struct rtp_core *c, uint64_t m)
{
    if (c->taken) {
        rtp_core_span(c, m, &c->stats.flush);
        c->mem_last = later(m, c->mem_last) + 1;
        follow(c, c->mem_last);
        return;
    }
    rtp_core_span(c, m, &c->stats.mem);
    if (!waits_for_data(c, fetch(c)))
        follow(c, m);
    else if (c->loading)
        c->phase = RTP_DATA;
    else
        follow(c, c->mem_last + 1);
}

/* The instruction has done its EX, and MEM is not taken by a load. */
static void enter_mem(struct rtp_core *c, uint64_t now)
{
    uint64_t m = later(c->ex_last, c->mem_last) + 1;
    rtp_core_span(c, c->ex_last + 1, &c->stats.mem);
    if (c->insn.class == RTP_LOAD)
        load(c, m, now);
    else if (c->insn.class == RTP_STORE)
        store(c, m, now);
    else
        c->mem_last = m + c->insn.mem - 1u;
    if (c->state.own_written)
        c->own_until = c->mem_last + 1;
    rtp_core_log(c);
    if (!c->loading)
        written(c, &c->insn, c->mem_last + 1);
    if (c->insn.class == RTP_TRACE || c->insn.class == RTP_FIN)
        rtp_core_leave(c, c->mem_last + 1, now);
    else
        next_behind(c, m);
}

/* ---- EX ---- */

/* fin and trace are not seen where a thread's turn begins. */
#define NO_OPERATION 0x34000000u /* and R0,R0,R0 */

static void prepare_quirks(struct rtp_core *c, uint64_t now)
{
    bool leaves = c->insn.class == RTP_TRACE || c->insn.class == RTP_FIN;
    if (c->first && leaves && rtp_has_quirk(&c->rules, RTP_QUIRK_fin_first))
        c->insn = rtp_decode(NO_OPERATION);
    c->first = false;
    c->state.own_written = false;
    c->state.own_seen = rtp_has_quirk(&c->rules, RTP_QUIRK_r31_write) &&
                        now <= c->own_until + 1;
    c->address_before = c->address;
    c->address = c->state.s[c->insn.a] + (uint32_t)c->insn.imm;
}

static void stop(struct rtp_core *c, uint64_t now)
{
    c->state.pc = c->pc;
    c->phase = RTP_FAULT;
    rtp_core_ask_host(c, HART_FAULT, now);
}

static bool is_allowed(struct rtp_core *c)
{
    if (!rtp_inside(c->pc, c->machine->code_words, c->complaint))
        return false;
    return !c->params.strict ||
           (rtp_strict_pc(c->pc, c->complaint) &&
            rtp_strict_reads(&c->defined, &c->insn, c->complaint));
}

void rtp_core_execute(struct rtp_core *c, uint64_t now)
{
    c->insn = *fetch(c);
    c->pc = c->state.pc;
    if (!is_allowed(c) || c->insn.class == RTP_UNUSED) {
        stop(c, now);
        return;
    }
    if (rtp_is_stuck(&c->insn)) {
        c->phase = RTP_HANGS;
        return;
    }
    prepare_quirks(c, now);
    rtp_execute(&c->rules, &c->state, &c->insn, &c->effect);
    if (c->params.strict && c->effect.words &&
        !rtp_strict_address(c->effect.address, c->thread, c->complaint)) {
        stop(c, now);
        return;
    }
    c->stats.instructions++;
    c->taken = c->effect.taken;
    c->stats.branches += c->taken;
    c->ex_last = now + c->insn.ex - 1;
    if (c->insn.class == RTP_COMPARE)
        c->compared = c->ex_last;
    rtp_core_span(c, now, &c->stats.issue);
    rtp_core_span(c, now + 1, &c->stats.ex);
    if (!c->loading) {
        enter_mem(c, now);
        return;
    }
    c->overwritten |= (c->insn.writes & c->load.writes) != 0;
    rtp_core_span(c, c->ex_last + 1, &c->stats.mem);
    c->phase = RTP_BLOCKED;
}

void rtp_core_loaded(struct rtp_core *c, const uint32_t data[4], uint64_t now)
{
    if (!c->loading || now <= c->load_from)
        return; /* of a constant's load (quirk const_then_main) */
    if (!c->overwritten)
        rtp_write_load(&c->state, &c->load, data);
    rtp_core_log_loaded(c, data);
    c->loading = false;
    c->mem_last = now + 1;
    written(c, &c->load, c->mem_last + 1);
}

void rtp_core_go_on(struct rtp_core *c, uint64_t now)
{
    if (c->phase == RTP_BLOCKED)
        enter_mem(c, now);
    else if (c->phase == RTP_DATA)
        follow(c, c->mem_last + 1);
}
