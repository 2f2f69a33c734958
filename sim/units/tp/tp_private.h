/*
 * The state of a thread processor, and what its files offer each other:
 *   tp.c          the two phases of a cycle, counters, tables
 *   tp_build.c    construction, and what is known when the program starts
 *   tp_ahead.c    which hart issues, and what it does in the coming cycles
 *   tp_issue.c    instructions of any kind, one at a time
 *   tp_served.c   instructions that other units serve
 *   tp_ports.h    its ports, in pairs: the one list of them
 *   tp_memory.c   loads, stores, atomics; ends of fences and services
 *   tp_fetch.c    fetch buffers
 *   tp_results.c  answers and results
 *   tp_watch.c    the same with a profile of the program
 *   tp_slot.h     the small steps that all of them take with a hart
 *   tp_access.h   a request to the L1, the only way there
 */
#ifndef SIM_TP_PRIVATE_H
#define SIM_TP_PRIVATE_H

#include "sim/isa/local.h"
#include "sim/units/common/check_log.h"
#include "sim/units/common/commit_queue.h"
#include "sim/units/common/hart_trace.h"
#include "sim/units/common/mem.h"
#include "sim/units/common/work_costs.h"
#include "sim/units/tp/tp.h"
#include "sim/units/tp/tp_ports.h"

/* What a pending register waits for. */
#define PRODUCER(X, id, ...) id,
enum producer { TP_PRODUCERS(PRODUCER, ) PRODUCERS };
#undef PRODUCER

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

/*
 * A request to the L1: a load, a store, an atomic, a part of one, or what else
 * concerns caches.
 */
struct access {
    uint64_t address, value;
    uint32_t tag;
    uint8_t op;          /* enum mem_op */
    uint8_t aux;         /* enum isa_access, or enum mem_block */
    uint8_t size, flags; /* as in a message */
};

/*
 * A misaligned load or store that crosses a sector: its parts go out in turn,
 * each when all else of the hart is done.
 */
struct split {
    struct access whole;
    uint64_t loaded; /* by the parts so far */
    uint64_t pc;     /* of its instruction, for the check of memory */
    uint8_t done;    /* bytes of it */
    bool under_way;  /* a part is */
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

/* The part of a slot that few instructions need. */
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
    uint8_t room;   /* sectors that it holds */
    uint8_t ahead;  /* sectors that are fetched beyond that of an instruction */
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

/* Messages are sent ahead of their cycles by less than this. */
#define AHEAD_MOST 48u
_Static_assert(AHEAD_MOST <= RUN_MOST, "all ahead is within the wheel");

/* How an instruction may be worked out before its cycle. */
enum step {
    LOCAL = 1,    /* local, if it does not go to memory */
    SENDS = 2,    /* its message may be sent ahead */
    ACCESSES = 4, /* it is a load or store */
};

/*
 * What the cores of a tile that have the same parameters share: thousands of
 * copies would not stay in the host's cache. A tile's cores run one at a time.
 */
struct tp_common {
    struct isa_local local; /* for the slot that runs */
    uint8_t grid;           /* chip_grid */
    uint64_t grid_end;      /* a multiple of it, see last_issue */
    struct machine *machine;
    uint8_t *scratch;      /* of all harts of the machine */
    uint64_t address_mask; /* bits of an address */
    uint32_t turn;
    uint16_t latency_of[ISA_CLASS_COUNT]; /* from params, compact */
    uint16_t scratch_latency;
    uint8_t unit_of[ISA_CLASS_COUNT];
    uint8_t port_of[ISA_CLASS_COUNT]; /* enum needed_port; accesses to scratch
                                         memory need none */
    uint32_t careful; /* classes that may have to be refused or wait */
    uint8_t step_of[ISA_CLASS_COUNT]; /* enum step, as bits */
    struct isa_operands operands[ISA_READS][ISA_CLASS_COUNT];
    /* Accesses to RAM but for what scratch memory hides. */
    uint64_t plain_start, plain_bytes;
    int act_room; /* credits for slots that may act meanwhile */
    uint8_t load_bypass, store_bypass;
    uint8_t port_at[PORTS];         /* in tp.out, by enum needed_port */
    uint8_t input_at[TP_ANSWERS];   /* after first_in, by input row */
    uint8_t pending_at[TP_ANSWERS]; /* in unit.pending, by input row */
    bool started;
    const struct tp *first;         /* of those that share it */
    const struct tp_common *before; /* of cores built before, that differ */
    struct code_profile *profile;   /* NULL: the cores are not watched */
};

/* The rows loads_... of tp_stats, in their order. */
enum { FROM_FIRST, FROM_SECOND, FROM_MEMORY, JOINED, LOAD_ROWS };

/*
 * Counted since the last flush, for a row of tp_stats each; instructions are
 * the sum of their classes. Small, for few cache lines: see COUNTED_MOST.
 */
struct counts {
    uint16_t of_class[ISA_READS][ISA_CLASS_COUNT];
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
 * A thread processor. Thousands of these share the host's cache, so what
 * receive and send touch comes first, then what an issue touches besides, then
 * what rarely happens.
 */
struct tp {
    struct unit unit;

    /* Which hart issues, and when. */
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
    bool drains : 1;  /* slots are draining */

    /* What slots do besides issuing. */
    uint64_t acting;              /* slots with something else to send */
    uint64_t draining;            /* slots that may come to act by themselves */
    struct fetch_buffer *fetch;   /* by slot, NULL: fetch is free */
    struct commit_queue *commits; /* NULL: no log */

    /* What an issue counts. */
    _Alignas(64) struct counts counts;
    uint32_t turn; /* instructions left of the current hart's turn */

    struct slot near[SLOTS_NEAR]; /* slots; unused if there are more */

    /* What only some instructions need. */
    struct slot_rest *rest; /* by slot */
    struct split *splits;   /* by slot */
    struct result *results;
    struct issued
        *issued; /* [slot][64 registers], NULL: memory is not checked */
    uint32_t first_hart;
    uint16_t result_room; /* results that fit */
    uint16_t hart_count;
    uint64_t waiting_for[PORTS]; /* slots in state WAIT_PORT, by port */
    struct tp_watch *watch;      /* by slot, NULL: it is not watched */
    struct hart_trace
        *traces[TRACE_OF_CORES]; /* of a watched core, NULL: none */
    WORK_SLOTS
    struct tp_stats stats;
    struct tp_params params;
};
_Static_assert(offsetof(struct tp_stats, joining) ==
                   IN_joining * sizeof(uint64_t),
               "buckets come first, in their order");
_Static_assert(offsetof(struct tp_stats, loads_joined) ==
                   offsetof(struct tp_stats, loads_first) +
                       JOINED * sizeof(uint64_t),
               "side by side, in their order");

/* ---- tp.c ---- */

/* The second phase of a cycle. */
uint64_t tp_send(struct unit *u, uint64_t now);
void tp_close(struct unit *u, uint64_t now);

/* Adds the counts to the statistics. */
void tp_flush_counts(struct tp *t);

/* ---- tp_issue.c ---- */

/*
 * Is the hart able to go on? Sets its state and returns the bucket of the
 * cycles in which it does not issue.
 */
enum tp_bucket tp_assess(struct tp *t, struct slot *s);
void tp_assess_now(struct tp *t, struct slot *s, uint64_t now);

/* The hart waits for all that it has under way; then a service or a fence. */
void tp_drain(struct tp *t, struct slot *s, enum hart_event event);

/* Issues the next instruction, of any kind. False: the hart cannot issue after
 * all, another may. */
bool tp_issue_any(struct tp *t, struct slot *s, struct hart *hart,
                  const struct isa_insn *insn, uint64_t now);

/* Lets as many of the slots that wait for a port go on as it has room for. */
void tp_offer_ports(struct tp *t, uint64_t now);

/* The port is full: the hart goes on when it has room. Its cycles until then
 * fall into the bucket. */
void tp_wait_for_port(struct tp *t, struct slot *s, unsigned port,
                      enum tp_bucket bucket, uint64_t now);

/* ---- tp_build.c ---- */

bool tp_build(struct unit *u, struct error *error);

/* Has any core of the machine a port for instructions of the class? */
bool tp_any_linked(const struct machine *m, unsigned cls);

/* In the first cycle: all units are built, and the program is loaded. */
void tp_begin(struct tp *t);

/* ---- tp_ahead.c ---- */

/* Issues an instruction, if a hart can. */
void tp_issue_one(struct tp *t, uint64_t now);

/* ---- tp_served.c ---- */

/* What a hart waits for that has sent a request of a class that a unit serves.
 */
enum producer tp_served_by(unsigned cls);

/* The port of such requests, a row; and the link of it that they need, NO_PORT:
 * the core has none. */
unsigned tp_served_row(unsigned cls);
unsigned tp_served_port(const struct tp *t, const struct tp_common *c,
                        unsigned cls);

/* Has the port room for the whole request? If not, a credit wakes the core. */
bool tp_served_room(const struct tp *t, const struct isa_insn *insn);

/* Sends the request of an instruction that has executed; the hart then waits
 * for what comes back. */
void tp_serve(struct tp *t, struct slot *s, const struct isa_insn *insn);

/* The same, but the request is returned, and leaves later. */
struct msg tp_served_request(struct tp *t, struct slot *s,
                             const struct isa_insn *insn);

/* An answer to a request, or the end of an operation. */
void tp_use_answer(struct tp *t, const struct msg *m, uint64_t now);

/* ---- tp_fetch.c ---- */

/* Does nothing where fetch is free. The other functions of this file are called
 * only where it is not. */
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

/* Like tp_fetch, but sends no request: false also if one would be needed. */
bool tp_fetch_quietly(struct tp *t, struct slot *s);

void tp_use_code(struct tp *t, const struct msg *m, uint64_t now);

/*
 * Empties the hart's buffer, and has the instruction cache drop what it holds.
 */
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

/* A debugger is told what the hart accesses, or that it has come to where it
 * is now. */
void tp_tell_access(struct tp *t, const struct slot *s, uint8_t access,
                    uint64_t address, uint8_t size);
void tp_tell_came(struct tp *t, const struct slot *s);

/*
 * The memory has refused an access that the hart waits for (m: MEM_FAULT): the
 * hart faults when all else that it has under way has ended. Its pc is where it
 * had come to meanwhile.
 */
void tp_refused(struct tp *t, struct slot *s, const struct msg *m,
                uint32_t cause, uint64_t now);

/* Tells the check of memory that a load, or a part, is answered. */
void tp_note_load(struct tp *t, struct slot *s, const struct msg *m);

/* What slots in t->acting send. */
void tp_act(struct tp *t, uint64_t now);

/* ---- tp_results.c ---- */

/*
 * Takes one answer of each unit. Send runs only if it is for something: most
 * answers are not the last one that their hart waits for.
 */
void tp_receive(struct unit *u, uint64_t now);

/* Ends the results inside the core whose time has come. */
void tp_take_results(struct tp *t, uint64_t now);
/* Allocates room for all results that can be under way at a time. */
void tp_take_room(struct tp *t);

/* The registers may be used from a cycle on. */
void tp_result_later(struct tp *t, struct slot *s, uint64_t registers,
                     uint64_t when);

/* A load or atomic that has just been issued is done already. */
void tp_load_now(struct tp *t, struct slot *s, const struct isa_insn *insn,
                 uint64_t value);
void tp_load_done(struct tp *t, struct slot *s, const struct isa_insn *insn,
                  uint64_t address, uint64_t value);

/* ---- tp_watch.c: the functions of watched cores ---- */

bool tp_watched_build(struct unit *u, struct error *error);
void tp_watched_keep(struct unit *u, struct state *s);
void tp_watched_destroy(struct unit *u);
void tp_watched_receive(struct unit *u, uint64_t now);
uint64_t tp_watched_send(struct unit *u, uint64_t now);
void tp_watched_close(struct unit *u, uint64_t now);

#endif
