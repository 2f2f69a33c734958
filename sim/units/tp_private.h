/*
 * What the files of the thread processor share: its state, and the small steps
 * that all of them take.
 *   tp.c          construction, the two phases, counters, tables
 *   tp_ahead.c    which hart issues, and what it does in the coming cycles
 *   tp_issue.c    instructions of any kind, one at a time
 *   tp_memory.c   loads, stores, atomics; ends of fences and services
 *   tp_fetch.c    fetch buffers
 *   tp_results.c  answers and results
 *   tp_row.c      what other units may say about what will come
 */
#ifndef SIM_TP_PRIVATE_H
#define SIM_TP_PRIVATE_H

#include "sim/isa/local.h"
#include "sim/units/check.h"
#include "sim/units/commits.h"
#include "sim/units/mem.h"
#include "sim/units/tp.h"

/* Rows of ports. */
enum { DATA, INDEX, HIT, DONE, CODE, MEM, NEXT, RAY, OP, FETCH };

/* What a pending register waits for; the order of blame when several do. */
enum producer { MEMORY, RTCORE, SCHEDULER, SFU, CORE, PRODUCERS };

enum slot_state {
    READY,      /* may issue */
    WAIT_FETCH, /* the next instruction is not in the fetch buffer */
    WAIT_REGS,  /* a register of the next instruction is pending */
    WAIT_PORT,  /* the port of the next instruction is full */
    /* From here on: issues nothing before its accesses have ended. */
    DRAINING,   /* fence or service: waits for its accesses */
    INVALIDATE, /* about to send, or waiting for, the L1's invalidation */
    SPLIT,      /* an access over two sectors, one part at a time */
    SERVICE,    /* outside the model */
};

/* A misaligned access that crosses a sector: two accesses in turn. */
struct split {
    uint64_t address, value, loaded, pc;
    uint32_t tag; /* of its requests */
    uint8_t size, done, store, flags;
    bool under_way; /* a part; parts go out when all else is done */
};

/* Ports that instructions need: the rows MEM, NEXT, RAY, then each op link. */
enum needed_port {
    TO_MEM,
    TO_NEXT,
    TO_RAY,
    TO_OP,
    TO_FETCH = TO_OP + 16,
    PORTS,
    NO_PORT
};

/* Which bucket a hart's cycles fall into: its place among TP_BUCKETS. */
#define BUCKET_NUMBER(name, ...) IN_##name,
enum tp_bucket { TP_BUCKETS(BUCKET_NUMBER) };

/* A hart's place in the core: a cache line, all that most events touch. */
struct slot {
    _Alignas(64) uint64_t any_pending; /* registers, as isa_insn.reads */
    uint64_t producer[3]; /* of each of these a bit of enum producer, else 0 */
    uint64_t awaits;      /* WAIT_REGS: those of the next instruction */
    uint64_t from;        /* as in struct account, of which bucket is a part */
    uint32_t accesses;    /* loads and stores under way */
    uint32_t stack_line;  /* where its last access of scratch memory began */
    uint8_t bucket;       /* enum tp_bucket */
    uint8_t state;        /* enum slot_state */
    uint8_t event;        /* enum hart_event after draining; HART_NONE: fence */
    uint8_t bypass; /* levels that an access right after hinted bypasses */
    bool fence_i;   /* DRAINING: for a fence.i */
    bool wrote;     /* stored since its last write-back */
};
_Static_assert(sizeof(struct slot) == 64, "a cache line");
#define SLOTS_NEAR 8 /* within struct tp, and mostly in its page */

/* What else there is of a slot. */
struct slot_rest {
    uint64_t reserved; /* sector of the last lr, ~0: none */
    uint64_t hinted;   /* number of the hint's instruction */
};

/* A result inside the core that takes more than a cycle. */
struct result {
    uint64_t when, registers;
    uint32_t slot;
};

/* An entry of a fetch buffer. */
struct held {
    uint64_t sector; /* NO_SECTOR: none */
    uint64_t used;   /* by the clock of its buffer; least: to be replaced */
    bool coming;     /* asked for, not there yet */
};
#define NO_SECTOR UINT64_MAX

/* A hart's fetch buffer. */
struct fetch_buffer {
    struct held *held;
    uint64_t clock;
    /* Of the last instruction, or NO_SECTOR. It is there but while the hart
     * waits for another. */
    uint64_t sector;
    uint64_t split; /* pc of the last instruction in two sectors that was found
                       in the buffer, NO_SECTOR: there was none */
};

/* Loads under way to a register, for the check of memory: the earliest. Only
 * to x0 there may be several. */
struct issued {
    uint64_t cycle, pc, address;
    uint32_t loads;
    bool several;
};

/*
 * Instructions after which counts are flushed. A load has two parts at most:
 * twice the sum, and the loads that were under way at the last flush, fit 16
 * bits.
 */
#define COUNTED_MOST 8192u

/* Instructions worked out at a time, at most: the wake-up for the next one is
 * in the wheel exactly as asked for, which tp_receive relies on. */
#define RUN_MOST (WHEEL - 1u)

/*
 * On a chip with short epochs local instructions are worked out up to here
 * beyond the tile's horizon, where somebody may look after all, though it is
 * rare: at the counters, at a hart's pc and its number of instructions. close
 * takes back what it is too early for. Registers may be ahead of their time.
 */
#define BEYOND_MOST 16u

/* Messages are sent ahead of their cycles by less than this. */
#define AHEAD_MOST 48u
_Static_assert(AHEAD_MOST <= RUN_MOST, "all ahead is within the wheel");

/* What a core worked out last, in cycle c: issued[end - c]. */
struct ahead {
    uint64_t end;
    const struct isa_insn *issued[4 * BEYOND_MOST]; /* horizons: 3 E */
};

/* What a request of a plain access says besides address, value and tag. */
struct access_kind {
    uint8_t op, size, flags, aux;
};

/* How an instruction may be worked out before its cycle. */
enum step {
    LOCAL = 1,    /* local, if it does not go to memory */
    SENDS = 2,    /* its message may be sent ahead */
    ACCESSES = 4, /* it is a load or store */
};

/*
 * Where the cores that share a tp_common lie if they were made one after the
 * other: what belongs to the first, and how many bytes further is that of the
 * next. Good for hints only, as other memory may lie between.
 */
struct tp_row {
    const char *cores, *slots, *harts, *inputs, *outputs;
    uint32_t core, slot, hart, input, output;
    const struct tp_common *common; /* theirs: says where their ports are */
};

/*
 * What the cores of a tile that have the same parameters share: thousands of
 * copies would not stay in the host's cache. A tile's cores run one at a time.
 */
struct tp_common {
    struct isa_local local; /* for the slot that runs */
    uint8_t beyond;         /* 0 or BEYOND_MOST */
    uint8_t grid;           /* chip_grid */
    uint64_t grid_end;      /* a multiple of it, see last_issue */
    struct machine *machine;
    uint8_t *scratch;      /* of all harts of the machine */
    uint64_t address_mask; /* bits of an address */
    uint32_t turn;
    uint16_t latency_of[ISA_CLASS_COUNT]; /* from params, compact */
    uint8_t unit_of[ISA_CLASS_COUNT];
    uint8_t port_of[ISA_CLASS_COUNT]; /* enum needed_port; accesses to scratch
                                         memory need none */
    uint32_t careful; /* classes that may have to be refused or wait */
    uint8_t step_of[ISA_CLASS_COUNT]; /* enum step, as bits */
    struct access_kind kinds[2];      /* of a load, of a store; no size */
    /* Accesses to RAM but for what scratch memory hides. */
    uint64_t plain_start, plain_bytes;
    int act_room; /* credits for slots that may act meanwhile */
    uint8_t load_bypass, store_bypass;
    bool has_next, has_ray;  /* links */
    uint8_t ray_at;          /* first register of the last ray that was sent */
    uint8_t port_at[PORTS];  /* in tp.out, by enum needed_port */
    uint8_t input_at[MEM];   /* after first_in, by input row */
    uint8_t pending_at[MEM]; /* in unit.pending, by input row */
    bool started;
    const struct tp *first; /* of those that share it */
    struct tp_row row;
};

/* The rows loads_... of tp_stats, in their order. */
enum { FROM_FIRST, FROM_SECOND, FROM_MEMORY, JOINED, LOAD_ROWS };

/*
 * Counted since the last flush, for a row of tp_stats each; instructions are
 * the sum of their classes. Small, for one cache line: see COUNTED_MOST.
 */
struct counts {
    uint16_t of_class[ISA_CLASS_COUNT];
    uint16_t scratch, memory, rays;
    uint16_t loads[LOAD_ROWS];
    uint16_t instructions;
};

/* What send may have to do besides issuing, and offering ports. */
enum errand {
    START = 1,   /* it never ran */
    RESULTS = 2, /* there are some */
    ACTS = 4,    /* slots are acting */
};

/*
 * Thousands of these share the host's cache, so it is laid out by lines: what
 * receive and send touch, what an issue does besides, and what may happen.
 */
struct tp {
    struct unit unit;

    _Alignas(64) uint64_t ready; /* slots in state READY */
    uint64_t busy_until;         /* issues are worked out before this cycle */
    struct slot *slots;
    struct hart *harts;  /* by slot */
    struct outport *out; /* all, side by side */
    struct tp_common *common;
    uint32_t first_in;     /* of the tile's inputs, side by side */
    uint32_t ports_wanted; /* ports for which slots wait */
    uint16_t result_count;
    uint8_t current;
    uint8_t errands;  /* enum errand, as bits */
    bool fetches : 1; /* there is fetch */
    bool traced : 1;  /* there is commits, or issued */
    bool changes : 1; /* the program's text may */
    bool owes : 1;    /* close took instructions of the current hart */
    bool drains : 1;  /* slots are draining */

    uint64_t acting;              /* slots with something else to send */
    uint64_t draining;            /* slots that may come to act by themselves */
    struct fetch_buffer *fetch;   /* by slot, NULL: fetch is free */
    struct commit_queue *commits; /* NULL: no log */

    _Alignas(64) struct counts counts;
    uint32_t turn; /* instructions left of the current hart's turn */

    struct slot near[SLOTS_NEAR]; /* slots; unused if there are more */

    struct slot_rest *rest; /* by slot */
    struct split *splits;   /* by slot */
    struct result *results;
    struct issued
        *issued; /* [slot][64 registers], NULL: memory is not checked */
    uint32_t first_hart;
    uint16_t result_room; /* there is for so many */
    uint16_t owed;        /* how many, and its pc after them */
    uint64_t owed_pc;
    struct ahead *ahead;
    struct tp_stats stats;
    uint64_t waiting_for[PORTS]; /* slots in state WAIT_PORT, by port */
    struct tp_params params;
};
_Static_assert(offsetof(struct tp, acting) % 64 == 0 &&
                   offsetof(struct tp, counts) % 64 == 0 &&
                   offsetof(struct tp, rest) % 64 == 0 &&
                   offsetof(struct tp, stats.arbitration) % 64 == 0,
               "cache lines as meant");
_Static_assert(offsetof(struct tp_stats, joining) ==
                   IN_joining * sizeof(uint64_t),
               "buckets come first, in their order");
_Static_assert(offsetof(struct tp_stats, loads_joined) ==
                   offsetof(struct tp_stats, loads_first) +
                       JOINED * sizeof(uint64_t),
               "side by side, in their order");

/*
 * Tags: slot, and rd and op of the instruction that waits. (The instruction
 * itself may have been overwritten by the time of the answer.) Registers that
 * it writes: the lowest and, from that one on, four bits of the mask.
 */
enum { TAG_RD = 16, TAG_LOWEST = 16, TAG_MASK = 22, TAG_SLOT = 26 };

/* Of the mask: ask isa_writes. */
enum { MASK_OTHER = 2 };

/* Bits of atomics that ask for order. */
enum { RELEASE = 1 << 25, ACQUIRE = 1 << 26 };

static inline uint64_t bit(uint32_t slot)
{
    return 1ULL << slot;
}

static inline uint32_t slot_number(const struct tp *t, const struct slot *s)
{
    return (uint32_t)(s - t->slots);
}

/* Of a mask that is not 0: the first one after the current one, else the first.
 */
static inline uint32_t slot_after(uint64_t slots, uint32_t current)
{
    uint64_t ahead = slots & (~1ULL << current);
    return (uint32_t)mask_first(ahead ? ahead : slots);
}

static inline void enter(struct tp *t, struct slot *s, enum slot_state state)
{
    uint64_t mask = bit(slot_number(t, s));
    s->state = (uint8_t)state;
    t->ready = state == READY ? t->ready | mask : t->ready & ~mask;
}

static inline void prefetch_bytes(const void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        host_prefetch((const char *)at + i);
}

/* Its registers, and what else instructions use. */
static inline void prefetch_registers(const void *hart)
{
    prefetch_bytes(hart, offsetof(struct isa_hart, mstatus));
}

static inline const struct isa_insn *text_end(const struct isa_local *code)
{
    return &code->text[code->bytes / 2];
}

static inline uint64_t pc_of(const struct isa_local *code,
                             const struct isa_insn *insn)
{
    return code->start + 2 * (uint64_t)(insn - code->text);
}

static inline const struct isa_insn *insn_at(const struct isa_local *code,
                                             uint64_t pc)
{
    uint64_t at = pc - code->start;
    return at < code->bytes ? &code->text[at / 2] : NULL;
}

static inline struct hart *hart_of(const struct tp *t, const struct slot *s)
{
    return &t->harts[slot_number(t, s)];
}

/* Its private memory, NULL if there is none: hart.scratch is far from what an
 * issue touches. */
static inline uint8_t *scratch_of(const struct tp_common *c,
                                  const struct hart *hart)
{
    return c->scratch
               ? c->scratch + (size_t)hart->isa.id * c->local.scratch_bytes
               : NULL;
}

static inline const struct isa_insn *next_insn(const struct tp *t,
                                               const struct hart *hart)
{
    return insn_at(&t->common->local, hart->isa.pc);
}

/* Registers begin to wait for a producer. A register is never pending for two:
 * writes wait as well. */
static inline void add_pending(struct slot *s, enum producer p,
                               uint64_t registers)
{
    for (unsigned i = 0; i < 3; i++)
        if (p >> i & 1)
            s->producer[i] |= registers;
    s->any_pending |= registers;
}

static inline void end_pending(struct slot *s, enum producer p,
                               uint64_t registers)
{
    for (unsigned i = 0; i < 3; i++)
        if (p >> i & 1)
            s->producer[i] &= ~registers;
    s->any_pending &= ~registers;
}

/* Keeps those that wait for a producer whose number lacks a bit, if any do;
 * returns the bit of those kept. */
static inline unsigned keep_least(uint64_t *registers, uint64_t with_bit)
{
    uint64_t without = *registers & ~with_bit;
    *registers = without ? without : *registers;
    return !without;
}

/* The least of the producers that some of any_pending wait for. */
static inline unsigned first_producer(const struct slot *s, uint64_t registers)
{
    unsigned four = keep_least(&registers, s->producer[2]);
    unsigned two = keep_least(&registers, s->producer[1]);
    return four << 2 | two << 1 | keep_least(&registers, s->producer[0]);
}

/* Books the hart's cycles before now, as far as they are not yet. */
static inline void book(struct tp *t, struct slot *s, uint64_t now)
{
    if (now > s->from) {
        ((uint64_t *)&t->stats)[s->bucket] += now - s->from;
        s->from = now;
    }
}

/* The hart's cycles from now on fall into a bucket. Where that is the same as
 * before they are booked together, some time. */
static inline void put_in(struct tp *t, struct slot *s, uint64_t now,
                          enum tp_bucket bucket)
{
    if (s->bucket == bucket)
        return;
    book(t, s, now);
    s->bucket = (uint8_t)bucket;
}

/* Which bucket a hart is in while it waits for registers. */
static inline enum tp_bucket wait_bucket(const struct slot *s,
                                         uint64_t registers)
{
    static const uint8_t of[PRODUCERS] = {
        [MEMORY] = IN_wait_memory,   [RTCORE] = IN_wait_rtcore,
        [SCHEDULER] = IN_wait_index, [SFU] = IN_wait_sfu,
        [CORE] = IN_wait_result,
    };
    if (registers & ~(s->producer[0] | s->producer[1] | s->producer[2]))
        return IN_wait_memory;
    return of[first_producer(s, registers)];
}

static inline bool logs(const struct tp *t)
{
    return t->traced && t->commits;
}

static inline bool checks(const struct tp *t)
{
    return t->traced && t->issued;
}

static inline bool drained(const struct slot *s)
{
    return !s->accesses && !s->any_pending;
}

static inline struct slot *slot_of(struct tp *t, uint32_t tag)
{
    return &t->slots[tag >> TAG_SLOT];
}

/* Registers that the instruction writes. */
static inline uint64_t writes_of(uint32_t tag)
{
    uint64_t mask = tag >> TAG_MASK & 15;
    return mask == MASK_OTHER ? isa_writes((uint16_t)tag, tag >> TAG_RD & 31)
                              : mask << (tag >> TAG_LOWEST & 63);
}

/* That of an instruction that writes one at most. */
static inline uint64_t write_of(uint32_t tag)
{
    return (uint64_t)(tag >> TAG_MASK & 1) << (tag >> TAG_LOWEST & 63);
}

/* As much of the instruction as its end needs. */
static inline struct isa_insn insn_of(uint32_t tag)
{
    return (struct isa_insn){.op = (uint16_t)tag,
                             .rd = tag >> TAG_RD & 31,
                             .writes = writes_of(tag)};
}

/* Links of an input row with messages. */
static inline uint64_t arrived(const struct tp *t, unsigned row)
{
    return t->unit.pending[t->common->pending_at[row]];
}

static inline struct inport *inport_of(const struct tp *t, unsigned row)
{
    return &t->unit.tile->inports[t->first_in + t->common->input_at[row]];
}

static inline struct outport *outport_of(const struct tp *t, unsigned port)
{
    return &t->out[t->common->port_at[port]];
}

/* That of an instruction with one result at most, but for the slot. */
static inline uint32_t tag_of_one(const struct isa_insn *insn)
{
    uint64_t writes = insn->writes;
    uint32_t lowest = writes ? (uint32_t)__builtin_ctzll(writes) : insn->rd;
    return (uint32_t)(writes > 0) << TAG_MASK | lowest << TAG_LOWEST | insn->op;
}

static inline uint32_t make_tag(const struct tp *t, const struct slot *s,
                                const struct isa_insn *insn)
{
    uint32_t several = (uint32_t)MASK_OTHER << TAG_MASK |
                       (uint32_t)insn->rd << TAG_RD | insn->op;
    return slot_number(t, s) << TAG_SLOT |
           (insn->writes & (insn->writes - 1) ? several : tag_of_one(insn));
}

/* The slot has something to send. */
static inline void begin_act(struct tp *t, const struct slot *s)
{
    t->acting |= bit(slot_number(t, s));
    t->errands |= ACTS;
}

static inline void end_act(struct tp *t, const struct slot *s)
{
    t->acting &= ~bit(slot_number(t, s));
    if (!t->acting)
        t->errands &= (uint8_t)~ACTS;
}

/* From now on, until it is ready to issue again or asks for a service, the slot
 * may act whenever its accesses have ended. */
static inline void begin_drain(struct tp *t, const struct slot *s)
{
    t->draining |= bit(slot_number(t, s));
    t->drains = true;
}

static inline void end_drain(struct tp *t, const struct slot *s)
{
    t->draining &= ~bit(slot_number(t, s));
    t->drains = t->draining;
}

/* Does an access go to scratch memory? (hart_scratch of its first byte.) */
static inline bool in_scratch(const struct tp_common *c, uint64_t address)
{
    return ((0 - address) & c->address_mask) - 1 < c->local.scratch_bytes;
}

/* The one that the instruction is about to make. */
static inline bool to_scratch(const struct tp_common *c,
                              const struct hart *hart,
                              const struct isa_insn *insn)
{
    return in_scratch(c, hart->isa.x[insn->rs1] + (uint64_t)insn->imm);
}

/* ---- tp.c ---- */

/* Adds the counts to the statistics. */
void tp_flush_counts(struct tp *t);

/* Gives the current hart back what close took from it. */
void tp_pay_owed(struct tp *t);

/* ---- tp_issue.c ---- */

/*
 * Is the hart able to go on? Sets its state and returns the bucket of the
 * cycles in which it does not issue.
 */
enum tp_bucket tp_assess(struct tp *t, struct slot *s);
void tp_assess_now(struct tp *t, struct slot *s, uint64_t now);

/* Something that the hart's registers waited for has come. The next instruction
 * was there, and is the same, unless fence.i of another hart changed it. */
static inline void advance_waiting(struct tp *t, struct slot *s, uint64_t now)
{
    uint64_t registers = s->any_pending & s->awaits;
    if (t->changes) {
        tp_assess_now(t, s, now);
    } else if (registers) {
        put_in(t, s, now, wait_bucket(s, registers));
    } else {
        enter(t, s, READY);
        put_in(t, s, now, IN_arbitration);
    }
}

/* Something that the hart waited for has come. */
static inline void advance(struct tp *t, struct slot *s, uint64_t now)
{
    if (s->state == WAIT_REGS)
        advance_waiting(t, s, now);
    else if ((s->state == DRAINING && drained(s)) ||
             (s->state == SPLIT && !s->accesses))
        begin_act(t, s);
}

/* The hart waits for all that it has under way; then a service or a fence. */
void tp_drain(struct tp *t, struct slot *s, enum hart_event event);

/* Issues the next instruction, of any kind. False: the hart cannot issue after
 * all, another may. */
bool tp_issue_any(struct tp *t, struct slot *s, struct hart *hart,
                  const struct isa_insn *insn, uint64_t now);

/* As many of the slots that wait for a port may go on as it has room for. */
void tp_offer_ports(struct tp *t, uint64_t now);

/*
 * Has a port room for harts that still wait for it? If not, a credit wakes
 * the core, and sets unit.unblocked: unless that is set, all ports that harts
 * wait for were found full. It mostly is not, as harts wait for long, and then
 * the ports' lines are not looked at.
 */
static inline bool tp_ports_have_room(struct tp *t)
{
    bool room = false;
    if (!t->unit.unblocked)
        return false;
    for (uint32_t m = t->ports_wanted; m; m &= m - 1)
        room |= link_ready(outport_of(t, (unsigned)__builtin_ctz(m)));
    t->unit.unblocked = room;
    return room;
}

/* The port is full: the hart goes on when it has room. */
void tp_wait_for_port(struct tp *t, struct slot *s, unsigned port,
                      uint64_t now);

/* ---- tp_ahead.c ---- */

/* Issues an instruction, if a hart can. */
void tp_issue_one(struct tp *t, uint64_t now);

/* ---- tp_fetch.c; only if fetch is not free ---- */

bool tp_fetch_build(struct tp *t, struct error *error);

/* Has the next instruction been found in the hart's buffer, or is it in the
 * sector of the one before? Unlike what is there, this does not depend on what
 * comes while cycles are worked out ahead. */
bool tp_found(const struct tp *t, const struct slot *s);

/*
 * The hart is about to issue the next instruction. False: it is not there; it
 * has been asked for, and the hart waits.
 */
bool tp_fetch(struct tp *t, struct slot *s, uint64_t now);

/* The same, but false also if anything would have to be asked for. */
bool tp_fetch_quietly(struct tp *t, struct slot *s);

void tp_use_code(struct tp *t, const struct msg *m, uint64_t now);

/* Empties the hart's buffer and asks the same of the instruction cache. */
void tp_fetch_anew(struct tp *t, struct slot *s);

/*
 * Does the hart wait for registers of its next instruction? They are noted:
 * until it issues, answers need not look at the instruction.
 */
static inline bool awaits(const struct tp *t, struct slot *s,
                          const struct isa_insn *insn)
{
    if (!s->any_pending || !insn || (t->fetches && !tp_found(t, s)))
        return false; /* unknown: its turn to issue will show */
    s->awaits = insn->reads | insn->writes;
    return s->any_pending & s->awaits;
}

/* ---- tp_memory.c ---- */

/* The access of an instruction that has just executed. */
void tp_access(struct tp *t, struct slot *s, const struct isa_insn *insn,
               struct isa_effect *e, uint64_t now);
void tp_access_scratch(struct tp *t, struct slot *s,
                       const struct isa_insn *insn, const struct isa_effect *e,
                       uint8_t *at, uint64_t now);
void tp_block(struct tp *t, struct slot *s, const struct isa_insn *insn,
              struct isa_effect *e);
void tp_fault(struct tp *t, struct slot *s, uint64_t pc,
              const struct isa_effect *effect);

/* Tells the check of memory that a load, or a part, is answered. */
void tp_note_load(struct tp *t, struct slot *s, const struct msg *m);

/* What slots in t->acting send. */
void tp_act(struct tp *t, uint64_t now);

/* ---- tp_row.c ---- */

/* The core has been built. */
void tp_join_row(const struct tp *t);
/* The machine's harts are there: before any of them asks for anything, so
 * hints never meet a row without them. */
void tp_start_row(struct tp_common *c);

/* ---- tp_results.c ---- */

/*
 * Takes one answer of each unit. Send runs only if it is for something: most
 * answers are not the last one that their hart waits for.
 */
void tp_receive(struct unit *u, uint64_t now);

/* Takes what has become ready inside the core. */
void tp_take_results(struct tp *t, uint64_t now);
/* For the results that may be under way at a time. */
void tp_take_room(struct tp *t);

/* The registers may be used from a cycle on. */
void tp_result_later(struct tp *t, struct slot *s, uint64_t registers,
                     uint64_t when);

/* A load or atomic that has just been issued is done already. */
void tp_load_now(struct tp *t, struct slot *s, const struct isa_insn *insn,
                 uint64_t value);
void tp_load_done(struct tp *t, struct slot *s, const struct isa_insn *insn,
                  uint64_t address, uint64_t value);

#endif
