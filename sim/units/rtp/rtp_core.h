/*
 * RT core: one in-order pipeline, IF DE EX MEM WB, that runs threads one after
 * another as the dispatcher hands them over. Registers belong to the core.
 *
 * The unit works instruction by instruction: in an instruction's first cycle
 * of EX it does what the instruction does, and finds the same cycle of the
 * next one. Only a load of main memory makes it wait for a message; the one
 * instruction that may be in EX meanwhile is one that does not need the data.
 *
 * Ports: job (of the dispatcher), result (of the buffer, a cycle later), data
 * (of the memory); request, ray (at the end of a thread's turn), mem.
 */
#ifndef SIM_RTP_CORE_H
#define SIM_RTP_CORE_H

#include "sim/units/rtp/rtp_machine.h"

#define RTP_CORE_PARAMS(X, T)                                                  \
    X(const_words, 8192, 512, 8192, "words", "constant memory: 512 or 8192")   \
    X(memory_map, 0, 0, 1, "=document|rtl",                                    \
      "where addresses without bit 31 lead")                                   \
    X(ftz, 0, 0, 1, "", "1: subnormal floats are zeros")                       \
    X(strict, 0, 0, 1, "", "1: what a program must not rely on is a fault")    \
    X(init_r28, 0, 0, 1, "", "1: R28 is set like R29 at each start")           \
    T(rtl_quirks, "", 127, "names", "defects of the hardware, or all")

#define RTP_CORE_STATS(X)                                                      \
    X(instructions, "instructions", "instructions executed")                   \
    X(starts, "threads", "threads started or resumed")                         \
    X(ended, "threads", "threads that have ended")                             \
    X(traces, "rays", "trace instructions")                                    \
    X(loads, "accesses", "loads of main memory")                               \
    X(constants, "accesses", "loads of constants")                             \
    X(stores, "accesses", "stores")                                            \
    X(branches, "branches", "branches taken, jumps and returns")               \
    X(invalid, "accesses", "accesses to addresses where there is nothing")

#define RTP_CORE_BUCKETS(X)                                                    \
    X(issue, BUSY, "cycles", "an instruction is in its first cycle of EX")     \
    X(ex, BUSY, "cycles", "an instruction is in a later cycle of EX")          \
    X(mem, WAITS, "cycles", "EX waits for data or for the stage MEM")          \
    X(flags, WAITS, "cycles",                                                  \
      "a branch waits for the flags, a return for R30")                        \
    X(flush, WAITS, "cycles", "bubble behind a taken branch")                  \
    X(start, BUSY, "cycles", "a thread is taken over")                         \
    X(leave, BUSY, "cycles", "a thread has ended, or waits to be traced")      \
    X(idle, IDLE, "cycles", "no thread")

#endif
