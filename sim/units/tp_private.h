/*
 * What the files of the thread processor share: its state, and the small steps
 * that all of them take.
 *   tp.c          construction, the two phases, tables
 *   tp_issue.c    which hart issues, and what
 *   tp_memory.c   loads, stores, atomics; ends of fences and services
 *   tp_fetch.c    fetch buffers
 *   tp_results.c  answers and results
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

/* A hart's place in the core. What every issue touches is one cache line. */
struct slot {
    _Alignas(64) uint64_t any_pending; /* of all producers */
    struct account account;
    struct hart *hart;
    uint32_t accesses; /* loads and stores under way */
    uint8_t state;     /* enum slot_state */
    uint8_t event;     /* enum hart_event after draining; HART_NONE: fence */
    uint8_t port;      /* WAIT_PORT: enum needed_port */
    uint8_t bypass;    /* levels that an access right after hinted bypasses */
    uint8_t *scratch;  /* the hart's */
    uint64_t pending[PRODUCERS]; /* registers, as in isa_insn.reads */
    uint64_t reserved;           /* sector of the last lr, ~0: none */
    uint64_t hinted;             /* number of the hint's instruction */
    bool fence_i;                /* DRAINING: for a fence.i */
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
};

/* Loads under way to a register, for the check of memory: the earliest. Only
 * to x0 there may be several. */
struct issued {
    uint64_t cycle, pc, address;
    uint32_t loads;
    bool several;
};

/* Hot fields first: thousands of these share the host's cache. */
struct tp {
    struct unit unit;
    uint64_t ready;      /* slots in state READY */
    uint64_t busy_until; /* issues are worked out before this cycle */
    uint64_t acting;     /* slots with something else to send */
    struct slot *slots;
    struct fetch_buffer *fetch; /* by slot, NULL: fetch is free */
    uint32_t ports_wanted;      /* ports for which slots wait */
    uint32_t result_count;
    uint32_t current;
    uint32_t turn; /* instructions left of the current hart's turn */
    bool started;
    bool more;                    /* answers wait at the input ports */
    struct isa_local local;       /* for the slot that runs */
    uint64_t address_mask;        /* bits of an address */
    struct commit_queue *commits; /* NULL: no log */
    uint32_t *stack_line;         /* by slot: last line of scratch used */
    struct machine *machine;
    uint64_t wrote; /* slots that stored since their last write-back */
    struct result *results;
    struct split *splits; /* by slot */
    struct issued
        *issued; /* [slot][64 registers], NULL: memory is not checked */
    uint32_t first_hart;
    uint8_t unit_of[ISA_CLASS_COUNT]; /* from params, compact */
    uint16_t latency_of[ISA_CLASS_COUNT];
    struct tp_stats stats;
    uint64_t waiting_for[PORTS]; /* slots in state WAIT_PORT, by port */
    struct tp_params params;
};

/* Tags: slot, rd and op of the instruction that waits. (The instruction itself
 * may have been overwritten by the time of the answer.) */
enum { TAG_RD = 16, TAG_SLOT = 21 };

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

static inline void enter(struct tp *t, struct slot *s, enum slot_state state)
{
    uint64_t mask = bit(slot_number(t, s));
    s->state = (uint8_t)state;
    t->ready = state == READY ? t->ready | mask : t->ready & ~mask;
}

static inline const struct isa_insn *insn_at(const struct isa_local *code,
                                             uint64_t pc)
{
    uint64_t at = pc - code->start;
    return at < code->bytes ? &code->text[at / 2] : NULL;
}

static inline const struct isa_insn *next_insn(const struct tp *t,
                                               const struct slot *s)
{
    return insn_at(&t->local, s->hart->isa.pc);
}

/* Registers begin to wait for a producer. */
static inline void add_pending(struct slot *s, enum producer p,
                               uint64_t registers)
{
    s->pending[p] |= registers;
    s->any_pending |= registers;
}

/* A register is never pending for two producers: writes wait as well. */
static inline void end_pending(struct slot *s, enum producer p,
                               uint64_t registers)
{
    s->pending[p] &= ~registers;
    s->any_pending &= ~registers;
}

static inline bool drained(const struct slot *s)
{
    return !s->accesses && !s->any_pending;
}

static inline struct slot *slot_of(struct tp *t, uint32_t tag)
{
    return &t->slots[tag >> TAG_SLOT];
}

/* As much of the instruction as its end needs. */
static inline struct isa_insn insn_of(uint32_t tag)
{
    struct isa_insn insn = {.op = (uint16_t)tag, .rd = tag >> TAG_RD & 31};
    insn.writes = isa_writes(insn.op, insn.rd);
    return insn;
}

/* Links of an input row with messages. */
static inline uint64_t arrived(const struct tp *t, unsigned row)
{
    return t->unit.links[row] ? t->unit.pending[t->unit.first_word[row]] : 0;
}

/* Rows without links have no words: those of all input rows come first. */
static inline bool any_arrived(const struct tp *t)
{
    const uint64_t *p = t->unit.pending;
    return p[DATA] | p[INDEX] | p[HIT] | p[DONE] | p[CODE];
}

static inline uint32_t make_tag(const struct tp *t, const struct slot *s,
                                const struct isa_insn *insn)
{
    return slot_number(t, s) << TAG_SLOT | (uint32_t)insn->rd << TAG_RD |
           insn->op;
}

/*
 * Does the access that the instruction is about to make go to scratch memory?
 * (hart_scratch of its first byte.)
 */
static inline bool to_scratch(const struct tp *t, const struct slot *s,
                              const struct isa_insn *insn)
{
    uint64_t address = s->hart->isa.x[insn->rs1] + (uint64_t)insn->imm;
    return ((0 - address) & t->address_mask) - 1 < t->local.scratch_bytes;
}

/* ---- tp_issue.c ---- */

/*
 * Is the hart able to go on? Sets its state and returns the bucket of the
 * cycles in which it does not issue.
 */
uint64_t *tp_assess(struct tp *t, struct slot *s);
void tp_assess_now(struct tp *t, struct slot *s, uint64_t now);

/* Something that the hart waited for has come. */
void tp_advance(struct tp *t, struct slot *s, uint64_t now);

/* The hart waits for all that it has under way; then a service or a fence. */
void tp_drain(struct tp *t, struct slot *s, enum hart_event event);

/* Issues an instruction, if a hart can. */
void tp_issue_one(struct tp *t, uint64_t now);

/* As many of the slots that wait for a port may go on as it has room for. */
void tp_offer_ports(struct tp *t, uint64_t now);

/* Has a port room for harts that still wait for it? If not, a credit wakes
 * the core. */
bool tp_ports_have_room(struct tp *t);

/* The port is full: the hart goes on when it has room. */
void tp_wait_for_port(struct tp *t, struct slot *s, unsigned port,
                      uint64_t now);

/* ---- tp_fetch.c; only if fetch is not free ---- */

bool tp_fetch_build(struct tp *t, struct error *error);

/* Is the next instruction in the hart's buffer? */
bool tp_fetched(const struct tp *t, const struct slot *s);

/*
 * The hart is about to issue the next instruction. False: it is not there; it
 * has been asked for, and the hart waits.
 */
bool tp_fetch(struct tp *t, struct slot *s, uint64_t now);

/* The same, but false also if anything would have to be asked for. */
bool tp_fetch_quietly(struct tp *t, struct slot *s);

void tp_take_code(struct tp *t, uint64_t now);

/* Empties the hart's buffer and asks the same of the instruction cache. */
void tp_fetch_anew(struct tp *t, struct slot *s);

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

/* ---- tp_results.c ---- */

/* Takes one answer of each unit. */
void tp_take_answers(struct tp *t, uint64_t now);

/* Takes what has become ready inside the core. */
void tp_take_results(struct tp *t, uint64_t now);

/* The registers may be used from a cycle on. */
void tp_result_later(struct tp *t, struct slot *s, uint64_t registers,
                     uint64_t when);

/* A load or atomic that has just been issued is done already. */
void tp_load_now(struct tp *t, struct slot *s, const struct isa_insn *insn,
                 uint64_t value);
void tp_load_done(struct tp *t, struct slot *s, const struct isa_insn *insn,
                  uint64_t address, uint64_t value);

#endif
