/*
 * A thread processor: one in-order core that issues one instruction a cycle
 * from one of its harts. It stays with a hart until that cannot issue, or has
 * issued turn instructions in a row, then takes the next one that can (greedy,
 * then round robin).
 *
 * An instruction issues when the registers that it reads and writes are not
 * pending (scoreboard) and the port it needs has room. It executes at once;
 * what is modelled is when its result may be used:
 *   - inside the core: <class>_latency cycles later,
 *   - <class>_unit = k > 0: when unit k of port op says so,
 *   - loads, atomics: when the memory answers (in scratch memory:
 *     scratch_latency cycles later),
 *   - custom instructions that a unit serves (sdk/isa/served.def): when that
 *     answers.
 * Results come back out of order. fence and ecall wait until all memory
 * accesses of the hart are done; then copies of writable data in the L1 are
 * written back and dropped, before the next instruction (at a kernel's start
 * by all caches at once, not for each hart). Before an ecall is served the L1
 * writes back, too, if the hart has stored since it last did. Where the program
 * may write its code, a fence.i has it decoded anew.
 *
 * Instruction fetch is free, or, with fetch_buffer > 0, goes through a buffer
 * of each hart: an instruction issues when the sectors of 32 bytes that it lies
 * in are there; those that are not are fetched from an instruction cache, the
 * next fetch_ahead ones with them, also when the hart enters a sector. The
 * sector used least recently makes room when another is asked for. A fence.i
 * empties the hart's buffer and the instruction cache.
 *
 * ext_<name> says which extensions of RV32I/RV64I the core has; all cores of a
 * chip have the same.
 *
 * Ports: tp_ports.h.
 */
#ifndef SIM_TP_H
#define SIM_TP_H

#include "sim/core/unit.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/trip_legs.h"
#include <corbel/group.h>

#define TP_PARAMS(X)                                                           \
    X(harts, 1, 1, 64, "harts", "hardware threads")                            \
    X(turn, 1000, 1, 1 << 30, "instructions",                                  \
      "in a row from one hart before another that can issue comes next")       \
    X(scratch, 4096, 0, 1 << 20, "bytes", "private stack memory of each hart") \
    X(scratch_latency, 1, 1, 1000, "cycles", "load from scratch memory")       \
    X(group_memory, CORBEL_GROUP_MEMORY, 0, 1 << 30, "bytes",                  \
      "memory that a group of a grid may have; it lies in main memory")        \
    X(fetch_buffer, 0, 0, 64, "sectors",                                       \
      "code that each hart holds, at least 2; 0: fetch is free")               \
    X(fetch_ahead, 0, 0, 62, "sectors",                                        \
      "fetched beyond that of an instruction, at most fetch_buffer - 2")       \
    X(load_bypass, 0, 0, 3, "levels",                                          \
      "caches that keep nothing of what loads fetch; 1: the first one")        \
    X(store_bypass, 0, 0, 3, "levels",                                         \
      "caches that keep nothing of what is stored")

#define TP_STATS(X)                                                            \
    X(instructions, "instructions", "instructions issued")                     \
    X(scratch, "accesses", "loads and stores to scratch memory")               \
    X(memory, "accesses", "loads, stores and atomics to memory")               \
    X(blocks, "accesses", "cache-block operations to memory")                  \
    X(loads_first, "loads", "loads, or parts of them, from the first cache")   \
    X(loads_second, "loads", "for which the first cache had to ask")           \
    X(loads_memory, "loads", "for which further caches had to ask")            \
    X(loads_joined, "loads", "for which a cache was asking already")           \
    X(fetches, "sectors", "sectors of code asked for")                         \
    X(fetches_ahead, "sectors", "of these before they were needed")            \
    X(registers_read, "registers",                                             \
      "that operands of instructions read, x0 as well")                        \
    X(registers_written, "registers", "that instructions write, likewise")     \
    X(rays, "rays", "rays sent to the RT core")

/*
 * What harts wait for: whom a pending register comes from, in the order of
 * blame when several do. Cycles of a hart that waits for it are wait_<name>,
 * those in which there is no room in the port that leads there full_<name>;
 * what is INSIDE the core has no port, and a STREAM brings what other cores
 * have asked for. Y(X, id, name, PORT, INSIDE or STREAM, for what, where).
 */
#define TP_PRODUCERS(Y, X)                                                     \
    Y(X, MEMORY, memory, PORT, "a load or an atomic", "the L1")                \
    Y(X, RTCORE, rtcore, PORT, "the RT core", "the RT core")                   \
    Y(X, SCHEDULER, index, PORT, "the thread scheduler",                       \
      "the thread scheduler")                                                  \
    Y(X, SFU, sfu, PORT, "a special function unit", "a special function unit") \
    Y(X, CORE, result, INSIDE, "a result inside the core", )                   \
    Y(X, STREAMS, stream, STREAM, "the units of ray streams",                  \
      "the units of ray streams")

#define TP_WAIT(X, id, name, port, what, where) TP_WAIT_##port(X, name, what)
#define TP_WAIT_PORT(X, name, what)                                            \
    X(wait_##name, WAITS_FOR(#name), "hart-cycles", "waited for " what)
#define TP_WAIT_INSIDE TP_WAIT_PORT
#define TP_WAIT_STREAM(X, name, what)                                          \
    X(wait_##name, WAITS_FOR_STREAM(#name), "hart-cycles", "waited for " what)
#define TP_FULL(X, id, name, port, what, where) TP_FULL_##port(X, name, where)
#define TP_FULL_PORT(X, name, where)                                           \
    X(full_##name, FULL_TO(#name), "hart-cycles",                              \
      "no room in the port to " where)
#define TP_FULL_INSIDE(X, name, where)
#define TP_FULL_STREAM TP_FULL_PORT

#define TP_BUCKETS(X)                                                          \
    X(issued, BUSY, "hart-cycles", "an instruction was issued")                \
    X(arbitration, WAITS, "hart-cycles", "ready, but another hart issued")     \
    TP_PRODUCERS(TP_WAIT, X)                                                   \
    X(wait_fetch, WAITS_FOR("fetch"), "hart-cycles",                           \
      "waited for instructions")                                               \
    TP_PRODUCERS(TP_FULL, X)                                                   \
    X(full_fetch, FULL_TO("fetch"), "hart-cycles",                             \
      "no room in the port for instructions")                                  \
    X(drain, WAITS, "hart-cycles", "fence or ecall: memory accesses to end")   \
    X(service, WAITS, "hart-cycles", "in a system call, or stopped")           \
    X(parked, IDLE, "hart-cycles",                                             \
      "waited for a kernel to start, or was not used")                         \
    X(joining, IDLE, "hart-cycles", "waited for all others to end the kernel")

struct tp_params {
    TP_PARAMS(PARAM_FIELD)
    int64_t extension[ISA_EXT_COUNT]; /* ext_<name> */
    int64_t latency[ISA_CLASS_COUNT]; /* <class>_latency */
    int64_t unit[ISA_CLASS_COUNT];    /* <class>_unit */
};

#define TP_TRIPS(X)                                                            \
    X(load, COUNTER(wait_memory), "loads and atomics")                         \
    X(store, 0, "stores")                                                      \
    X(fetch, COUNTER(wait_fetch), "fetches of instructions")
enum { TP_TRIPS(TRIP_NUMBER) TP_TRIP_COUNT };

struct tp_stats {
    TP_BUCKETS(BUCKET_FIELD)
    TP_STATS(STAT_FIELD)
    uint64_t of_class[ISA_CLASS_COUNT]; /* issue_<class> */
    TRIP_STATS(TP_TRIP_COUNT)
};

/*
 * Does the instruction need a unit that the core is not linked to, or an RT
 * core without a scene? It is illegal there.
 */
bool tp_lacks(const struct unit *tp, const struct isa_insn *insn);

/* Writes what it lacks, in a few words; false: no unit serves the instruction.
 */
bool tp_lacks_text(const struct unit *tp, const struct isa_insn *insn,
                   char *text, size_t size);

/* The unit that serves the instruction, NULL: none. */
struct unit *tp_server(const struct unit *tp, const struct isa_insn *insn);

/*
 * A service for the hart in this slot is done: it goes on in cycle now, at
 * its pc. Only from a service function.
 */
void tp_resume(struct unit *tp, unsigned slot, uint64_t now);

/* The same for a hart that begins a kernel, or has launched one: the caches
 * have dropped their copies, all at once. */
void tp_start(struct unit *tp, unsigned slot, uint64_t now);

extern const struct core_kind tp_core;

/* What its harts executed, NULL without machine.log_commits. */
struct commit_queue *tp_commits(struct unit *tp);

/* Where the harts of all cores that share it spent their cycles, NULL: the core
 * is not of the watched kind. */
struct code_profile *tp_profile(struct unit *tp);
/* What they did, NULL: this is not traced. kind: enum trace_kind. */
struct hart_trace *tp_trace(struct unit *tp, unsigned kind);

#endif
