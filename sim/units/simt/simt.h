/*
 * A streaming multiprocessor (SM): sub-cores, each with a scheduler of warps
 * and functional units; a warp is up to 64 harts, its lanes, that execute one
 * instruction together when they stand at the same pc.
 *
 * Lanes of a warp that stand at one pc are a path. An instruction is fetched
 * and issued once for a path: for the one that the policy (reconvergence) has
 * chosen. Where lanes jump to different places the path splits; paths that meet
 * are joined again as the policy says. Registers are pending for a warp, not
 * for a path.
 *
 * Each sub-core issues one warp instruction a cycle, of the warp that its
 * scheduler chooses among those whose registers are there and whose functional
 * unit is free. A unit with n lanes takes an instruction every warp / n cycles,
 * whatever lanes are active; its result may be used <class>_latency cycles
 * after issue. After a branch or jump the warp's next instruction follows
 * <class>_latency cycles later.
 *
 * Fetch is free, or, with l0_sets > 0, a sub-core issues only what lies in its
 * instruction cache (L0). A line that is not there is asked for at an
 * instruction cache, the next fetch_ahead ones with it.
 *
 * If registers have banks, or results slots, an instruction begins when it has
 * read its operands and there will be a slot for its result; its sub-core, or
 * a collector, waits for it.
 *
 * Loads, stores and atomics go through a queue of the SM to its coalescer,
 * which makes requests of the lanes' addresses by a rule, sends
 * requests_width of them a cycle, and answers the warp when the last one is
 * there. Scratch memory is inside the SM, word by word interleaved over lanes:
 * an access takes a cycle of the load-store unit for each word (of all lanes at
 * one depth) that it touches.
 *
 * A lane that asks the host for a service leaves its path, when all that its
 * warp has under way has ended, and comes back as a path of its own. Fences
 * hold the whole warp.
 *
 * What members of groups share is inside the SM, in banks: an access takes a
 * cycle for each word of the bank of which its lanes touch the most. Harts of
 * one SM meet at barriers in it. Both need the runtime's word (struct
 * group_windows): else barriers are services, and all memory is main memory.
 *
 * Ports: simt_ports.h.
 */
#ifndef SIM_SIMT_H
#define SIM_SIMT_H

#include "runtime/include/corbel/group.h"
#include "sim/core/unit.h"
#include "sim/isa/lanes.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/simt/simt_policies.h"

#define SIMT_PARAMS(X)                                                         \
    X(subcores, 4, 1, 8, "sub-cores", "each with a scheduler and units")       \
    X(warps, 8, 1, 64, "warps", "of each sub-core")                            \
    X(warp, 32, 1, 64, "harts", "lanes of a warp")                             \
    X(scheduler, 0, CHOICE_RANGE(SIMT_SCHEDULERS),                             \
      CHOICE_NAMES(SIMT_SCHEDULERS), "which warp issues")                      \
    X(reconvergence, 0, CHOICE_RANGE(SIMT_RECONVERGENCES),                     \
      CHOICE_NAMES(SIMT_RECONVERGENCES),                                       \
      "which path of a warp goes on, and "                                     \
      "where paths join")                                                      \
    X(path_turn, 200, 1, 1 << 30, "instructions",                              \
      "of a warp for which a path waits before it comes (independent)")        \
    X(active_warps, 4, 1, 64, "warps",                                         \
      "of a sub-core that take turns "                                         \
      "(two_level)")                                                           \
    X(int_lanes, 16, 1, 64, "lanes", "integer unit of a sub-core")             \
    X(fp_lanes, 16, 1, 64, "lanes", "floating-point unit of a sub-core")       \
    X(sfu_lanes, 4, 1, 64, "lanes", "special function unit of a sub-core")     \
    X(mem_lanes, 8, 1, 64, "lanes", "load-store unit of a sub-core")           \
    X(l0_sets, 0, 0, 1024, "sets",                                             \
      "of each sub-core's instruction cache (L0), lines of 128 bytes; "        \
      "0: fetch is free")                                                      \
    X(l0_ways, 32, 1, 64, "ways", "lines of a set of the L0")                  \
    X(fetch_ahead, 0, 0, 64, "lines",                                          \
      "fetched behind one that was not in the L0")                             \
    X(register_banks, 0, 0, 64, "banks",                                       \
      "of a sub-core's registers, each read once a cycle; "                    \
      "0: operands are read at once")                                          \
    X(operand_collectors, 0, 0, 64, "instructions",                            \
      "of a sub-core that wait for operands or a slot while others issue; "    \
      "0: the sub-core waits")                                                 \
    X(result_slots, 0, 0, 64, "results",                                       \
      "from inside the SM that are written back in a cycle; "                  \
      "0: any number")                                                         \
    X(mem_queue, 8, 1, 64, "instructions",                                     \
      "loads and stores that wait for the coalescer")                          \
    X(mem_entries, 64, 1, 1024, "instructions",                                \
      "loads, stores, rays and indices under way")                             \
    X(coalescer, 0, CHOICE_RANGE(SIMT_COALESCERS),                             \
      CHOICE_NAMES(SIMT_COALESCERS), "what requests are made of addresses")    \
    X(translation, 0, CHOICE_RANGE(SIMT_TRANSLATIONS),                         \
      CHOICE_NAMES(SIMT_TRANSLATIONS),                                         \
      "what a TLB looks up: each page of 4 KiB that an instruction touches, "  \
      "or each request")                                                       \
    X(requests_width, 4, 1, 64, "requests", "that leave in a cycle")           \
    X(serve_queue, 4, 1, 64, "instructions",                                   \
      "that wait to be sent to the RT core, or to the scheduler")              \
    X(scratch, 4096, 0, 1 << 20, "bytes", "private stack memory of each hart") \
    X(scratch_latency, 4, 1, 1000, "cycles", "load from scratch memory")       \
    X(group_memory, CORBEL_GROUP_MEMORY, 0, 1 << 30, "bytes",                  \
      "of the SM that groups share")                                           \
    X(shared_banks, 32, 1, 64, "banks", "of this memory")                      \
    X(shared_width, 4, 4, 16, "bytes", "that a bank gives in a cycle")         \
    X(shared_latency, 20, 1, 1000, "cycles", "load from this memory")          \
    X(barrier_latency, 1, 1, 1000, "cycles",                                   \
      "from the last member's arrival until all go on")                        \
    X(groups, 32, 1, 1024, "groups", "at a time, at most")                     \
    X(registers, 65536, 1, 1 << 20, "registers", "of the SM")                  \
    X(hart_registers, 32, 1, 1024, "registers",                                \
      "of each hart, by which groups find room")                               \
    X(load_bypass, 0, 0, 3, "levels",                                          \
      "caches that keep nothing of what loads fetch; 1: the first one")        \
    X(uniform_bypass, 3, 0, 3, "levels",                                       \
      "of these at most, where all of several lanes load from one address")    \
    X(store_bypass, 0, 0, 3, "levels",                                         \
      "caches that keep nothing of what is stored")

#define SIMT_STATS(X)                                                          \
    X(instructions, "instructions", "of harts: issued, times active lanes")    \
    X(warp_instructions, "instructions", "issued")                             \
    X(lane_slots, "lanes",                                                     \
      "of the warps that issued, whatever lanes they had")                     \
    X(live_lanes, "lanes",                                                     \
      "of the warps that issued, those that were in any path: others than "    \
      "`instructions` had parted")                                             \
    X(registers_read, "registers",                                             \
      "of harts: that operands of instructions read, x0 as well")              \
    X(registers_written, "registers", "that instructions write, likewise")     \
    X(fetches, "lines", "of code asked for")                                   \
    X(fetches_ahead, "lines", "of these before they were needed")              \
    X(operand_cycles, "cycles",                                                \
      "that instructions took to read operands beyond the first")              \
    X(result_cycles, "cycles",                                                 \
      "that instructions waited for a slot for their result")                  \
    X(splits, "paths", "more that paths became where lanes parted")            \
    X(joins, "paths", "less that met others")                                  \
    X(scratch, "accesses", "loads and stores of harts to scratch memory")      \
    X(scratch_cycles, "cycles", "of the load-store units for these")           \
    X(shared, "accesses",                                                      \
      "loads, stores and atomics of harts to memory of groups")                \
    X(shared_accesses, "instructions", "of warps that made them")              \
    X(shared_conflicts, "cycles",                                              \
      "of this memory beyond the first for as many lanes as it is wide for")   \
    X(barriers, "arrivals", "of harts at barriers within the SM")              \
    X(memory, "accesses", "loads, stores and atomics of harts to memory")      \
    X(accesses, "instructions", "of warps that went to the coalescer")         \
    X(requests, "requests", "that the coalescer made")                         \
    X(sectors, "sectors", "that these touch, or atomics of lanes")             \
    X(sectors_least, "sectors",                                                \
      "as few as have room for the bytes of all lanes of each of these")       \
    X(load_accesses, "instructions", "of these accesses loads and atomics")    \
    X(load_queued, "cycles",                                                   \
      "of each of these, until the last of its requests had left")             \
    X(coalescer_cycles, "cycles",                                              \
      "of the coalescer beyond the first for an "                              \
      "instruction")                                                           \
    X(blocks, "accesses", "cache-block operations to memory")                  \
    X(loads_first, "loads", "sectors of loads from the first cache")           \
    X(loads_second, "loads", "for which the first cache had to ask")           \
    X(loads_memory, "loads", "for which further caches had to ask")            \
    X(loads_joined, "loads", "for which a cache was asking already")           \
    X(indices, "requests", "for work indices, each for all active lanes")      \
    X(rays, "rays", "rays sent to the RT core")                                \
    X(ray_warps, "instructions", "of warps that sent them")

/* Where pending registers come from. Y(X, id, name, for what, where). */
#define SIMT_PRODUCERS(Y, X)                                                   \
    Y(X, MEMORY, memory, "a load or an atomic", "the coalescer")               \
    Y(X, RTCORE, rtcore, "the RT core", "the RT core")                         \
    Y(X, SCHEDULER, index, "the thread scheduler", "the thread scheduler")

#define SIMT_WAIT(X, id, name, what, where)                                    \
    X(wait_##name, WAITS_FOR(#name), "warp-cycles", "waited for " what)
#define SIMT_FULL(X, id, name, what, where)                                    \
    X(full_##name, FULL_TO(#name), "warp-cycles",                              \
      "no room in the queue to " where)

#define SIMT_BUCKETS(X)                                                        \
    X(issued, BUSY, "warp-cycles", "an instruction was issued")                \
    X(arbitration, WAITS, "warp-cycles",                                       \
      "ready, but another warp issued, or the functional unit was busy")       \
    SIMT_PRODUCERS(SIMT_WAIT, X)                                               \
    X(wait_result, WAITS_FOR("result"), "warp-cycles",                         \
      "waited for a result inside the SM, or behind a jump")                   \
    X(wait_fetch, WAITS_FOR("fetch"), "warp-cycles",                           \
      "waited for its next instruction")                                       \
    SIMT_PRODUCERS(SIMT_FULL, X)                                               \
    X(full_fetch, FULL_TO("fetch"), "warp-cycles",                             \
      "no room to ask for its next instruction")                               \
    X(wait_barrier, WAITS, "warp-cycles", "waited for others of its group")    \
    X(drain, WAITS, "warp-cycles", "fence or ecall: memory accesses to end")   \
    X(service, WAITS, "warp-cycles", "lanes in a system call, or stopped")     \
    X(parked, IDLE, "warp-cycles",                                             \
      "waited for a kernel to start, or was not used")                         \
    X(joining, IDLE, "warp-cycles", "waited for all others to end the kernel")

/*
 * Why a sub-core issued no instruction: each of its cycles falls into one of
 * these, the first one that is so of any of its warps. Each is of a bucket.
 */
#define SIMT_SLOT_FULL(X, id, name, what, where)                               \
    X(full_##name,                                                             \
      "warps were ready, but there was no room in the queue to " where)
#define SIMT_SLOT_WAIT(X, id, name, what, where)                               \
    X(wait_##name, "warps waited for " what)
#define SIMT_SLOTS(X)                                                          \
    X(issued, "an instruction was issued")                                     \
    X(arbitration, "warps were ready, but their functional units were busy, "  \
                   "or operands being read")                                   \
    SIMT_PRODUCERS(SIMT_SLOT_FULL, X)                                          \
    X(full_fetch, "warps had no room to ask for their next instructions")      \
    X(wait_result, "warps waited for results inside the SM, or behind jumps")  \
    X(wait_fetch, "warps waited for their next instructions")                  \
    SIMT_PRODUCERS(SIMT_SLOT_WAIT, X)                                          \
    X(wait_barrier, "warps waited for others of their groups")                 \
    X(drain, "fence or ecall: warps waited for memory accesses to end")        \
    X(service, "lanes were in system calls")                                   \
    X(joining, "warps waited for others to end the kernel")                    \
    X(parked, "no warp had anything to do")
#define SIMT_SLOT_FIELD(name, meaning) uint64_t slot_##name;
#define SIMT_SLOT_ROW(name, meaning)                                           \
    {"slot_" #name, "cycles", "of sub-cores: " meaning,                        \
     offsetof(STAT_STRUCT, slot_##name)},

/* Functional units of a sub-core; each has a parameter <name>_lanes. */
#define SIMT_UNITS(FIRST, X) FIRST(int) X(fp) X(sfu) X(mem)
#define SIMT_UNIT_NUMBER(name) SIMT_UNIT_##name,
enum simt_unit { SIMT_UNITS(SIMT_UNIT_NUMBER, SIMT_UNIT_NUMBER) SIMT_UNITS };

struct simt_params {
    SIMT_PARAMS(PARAM_FIELD)
    int64_t extension[ISA_EXT_COUNT]; /* ext_<name> */
    int64_t latency[ISA_CLASS_COUNT]; /* <class>_latency */
    int64_t unit[ISA_CLASS_COUNT];    /* <class>_unit, enum simt_unit */
};

#define SIMT_TRIPS(X)                                                          \
    X(load, COUNTER(wait_memory), "loads and atomics")                         \
    X(store, 0, "stores")                                                      \
    X(fetch, COUNTER(wait_fetch), "fetches of instructions")
enum { SIMT_TRIPS(TRIP_NUMBER) SIMT_TRIP_COUNT };

struct simt_stats {
    SIMT_BUCKETS(BUCKET_FIELD)
    SIMT_STATS(STAT_FIELD)
    SIMT_SLOTS(SIMT_SLOT_FIELD)
    uint64_t slots;
    uint64_t of_class[ISA_CLASS_COUNT]; /* issue_<class>, of harts */
    uint64_t lanes[ISA_LANES];          /* warp instructions by active lanes */
    TRIP_STATS(SIMT_TRIP_COUNT)
};

extern const struct core_kind simt_core;

#endif
