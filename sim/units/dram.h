/*
 * Main memory of one partition: one or more DRAM channels with a controller
 * each (sim/dram), and the way there and back. Timing only: the cache in front
 * owns the data.
 *
 *   cpu -> front pipeline -> controllers, channels -> back pipeline -> reply
 *
 * Requests of all slices enter the front pipeline in turn (round robin), at
 * most `accepts` a cycle, and reach the controllers `front` cycles later, in
 * order: while the queue of the first one's channel is full, those behind it
 * wait too. A request that arrives in core cycle c is offered after
 * floor(c clock / core_clock) clocks of the DRAM; data that is there after
 * clock t leaves `back` cycles after the first core cycle that contains t, at
 * most `answers` answers a cycle.
 *
 * A device moves whole transactions. Where one is smaller than the request
 * (16 bytes), the request takes several and is answered after the last. Where
 * it is larger (64 bytes of DDR4), a read of another part of a transaction
 * that is queued or whose data is not there yet joins it, and so does a write
 * whose write is still queued.
 *
 * Latency is counted from the cycle in which a request is taken from its link
 * to the one in which its answer is pushed.
 *
 * Ports: cpu / reply (pairs, one per cache slice).
 */
#ifndef SIM_UNITS_DRAM_H
#define SIM_UNITS_DRAM_H

#include "sim/core/unit.h"
#include "sim/dram/devices.def"
#include "sim/dram/stats.h"

/* X: numbers, T: text. A default outside its range is what stays if nobody
 * sets it, and means what the description says. */
#define DRAM_UNIT_PARAMS(X, T)                                                 \
    X(device, 0, 0, DRAM_DEVICE_COUNT - 1, "=" DRAM_DEVICE_CHOICES,            \
      "kind and speed grade of the DRAM")                                      \
    X(channels, 0, 1, 64, "channels",                                          \
      "a power of two (unset: as the device is usually built)")                \
    X(clock, 0, 1, 20000000, "kHz",                                            \
      "command clock (unset: that of the speed grade)")                        \
    X(core_clock, 1000000, 1, 20000000, "kHz", "clock of the chip")            \
    T(mapping, "", 63, "order",                                                \
      "what the bits of an address choose, e.g. RoBaRaCoCh, from the highest " \
      "on (empty: usual for the device)")                                      \
    X(rules, 2, 0, 2, "=ramulator20|arches|ramulator21",                       \
      "details of the controller")                                             \
    X(scheduler, 1, 0, 1, "=first_ready|row_hit", "which request comes first") \
    X(row_policy, 0, 0, 2, "=open|closed|timeout", "when rows are closed")     \
    X(cap, 4, 1, 1000000, "accesses", "closed: after that many to a row")      \
    X(timeout, 500, 1, 1000000, "clocks", "timeout: without access")           \
    X(refresh, 0, 0, 2, "=all|bank|off", "all banks at a time, bank by bank")  \
    X(read_queue, 64, 1, 16384, "requests", "of a channel")                    \
    X(write_queue, 64, 1, 16384, "requests", "of a channel")                   \
    X(active_queue, 256, 1, 16384, "requests", "whose row is open, a channel") \
    X(write_high, 800, 0, 1000, "per mille",                                   \
      "of the write queue: writes are drained from there ...")                 \
    X(write_low, 200, 0, 1000, "per mille", "... to there")                    \
    X(front, 10, 0, 10000, "cycles", "to the controllers")                     \
    X(back, 10, 0, 10000, "cycles", "from the data to the answer")             \
    X(queue, 8, 1, 4096, "requests",                                           \
      "that can wait at the end of the front pipeline")                        \
    X(accepts, 1, 1, 64, "requests", "taken in a cycle, of all slices")        \
    X(answers, 1, 1, 64, "answers", "given in a cycle, to all slices")         \
    X(map_stride, 4096, 32, 1 << 30, "bytes",                                  \
      "stripe of addresses that goes to one partition")                        \
    X(map_parts, 1, 1, 4096, "partitions", "that addresses are spread over")

/* Those of the controllers (sim/dram/stats.h) come after these. */
#define DRAM_UNIT_STATS(X)                                                     \
    X(reads, "requests", "answered")                                           \
    X(writes, "requests", "taken")                                             \
    X(joined, "requests", "that needed no transaction of their own")           \
    X(held, "requests", "that found the queue of their channel full")          \
    X(held_cycles, "cycles", "in which the first request waited for a queue")  \
    X(latency, "cycles", "from taking reads to answering them, summed")        \
    X(bus_clocks, "clocks", "that passed, summed over data buses")

/* How many reads took how many cycles: eight ranges to a doubling. */
/* clang-format off */
#define DRAM_LATENCIES(X)                                                      \
    X(0, 63)                                                                   \
    X(64, 71) X(72, 79) X(80, 87) X(88, 95)                                    \
    X(96, 103) X(104, 111) X(112, 119) X(120, 127)                             \
    X(128, 143) X(144, 159) X(160, 175) X(176, 191)                            \
    X(192, 207) X(208, 223) X(224, 239) X(240, 255)                            \
    X(256, 287) X(288, 319) X(320, 351) X(352, 383)                            \
    X(384, 415) X(416, 447) X(448, 479) X(480, 511)                            \
    X(512, 575) X(576, 639) X(640, 703) X(704, 767)                            \
    X(768, 831) X(832, 895) X(896, 959) X(960, 1023)                           \
    X(1024, 1151) X(1152, 1279) X(1280, 1407) X(1408, 1535)                    \
    X(1536, 1663) X(1664, 1791) X(1792, 1919) X(1920, 2047)                    \
    X(2048, 2303) X(2304, 2559) X(2560, 2815) X(2816, 3071)                    \
    X(3072, 3327) X(3328, 3583) X(3584, 3839) X(3840, 4095)                    \
    X(4096, 4607) X(4608, 5119) X(5120, 5631) X(5632, 6143)                    \
    X(6144, 6655) X(6656, 7167) X(7168, 7679) X(7680, 8191)                    \
    X(8192, more)
/* clang-format on */

/* Cycles of each data bus: of each channel or pseudo-channel. */
#define DRAM_UNIT_BUCKETS(X)                                                   \
    X(busy, "cycles", "data on the bus")                                       \
    X(refresh, "cycles", "requests wait while all banks are refreshed")        \
    X(waiting, "cycles", "requests under way, no data on this bus")            \
    X(idle, "cycles", "nothing to do")

struct dram_unit_params {
    DRAM_UNIT_PARAMS(PARAM_FIELD, TEXT_FIELD)
};

#define DRAM_LATENCY_RANGE(from, to) DRAM_TOOK_##from,
enum dram_latency_range {
    DRAM_LATENCIES(DRAM_LATENCY_RANGE) DRAM_LATENCY_RANGES
};

struct dram_unit_stats {
    DRAM_UNIT_STATS(STAT_FIELD)
    DRAM_STATS(STAT_FIELD)
    uint64_t commands[DRAM_COMMAND_COUNT];
    uint64_t took[DRAM_LATENCY_RANGES];
    DRAM_UNIT_BUCKETS(STAT_FIELD)
};

#endif
