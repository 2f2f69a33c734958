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
#ifndef SIM_DRAM_PARTITION_H
#define SIM_DRAM_PARTITION_H

#include "sim/core/unit.h"
#include "sim/dram/devices.def"
#include "sim/dram/stats.h"
#include "sim/units/memory/mem_clients.h"

/* Of the two clocks, the faster to the slower one. */
#define DRAM_RATIO_MAX 4096

/* X: numbers, T: text. A default outside its range stays where
 * no description sets it, and means what the row says. */
#define DRAM_UNIT_PARAMS(X, T)                                                 \
    X(device, 0, 0, DRAM_DEVICE_COUNT - 1, "=" DRAM_DEVICE_CHOICES,            \
      "kind and speed grade of the DRAM")                                      \
    X(channels, 0, 1, 64, "channels",                                          \
      "of a partition; a power of two (unset: as the device is usually "       \
      "built)")                                                                \
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

/* Those by client (mem_clients.h) and of the controllers (sim/dram/stats.h)
 * come after these. */
#define DRAM_UNIT_STATS(X)                                                     \
    X(reads, "requests", "answered")                                           \
    X(writes, "requests", "taken")                                             \
    X(joined, "requests", "that needed no transaction of their own")           \
    X(held, "requests", "that found the queue of their channel full")          \
    X(held_cycles, "cycles", "in which the first request waited for a queue")  \
    X(latency, "cycles", "from taking reads to answering them, summed")        \
    X(bus_clocks, "clocks", "that passed, summed over data buses")

/*
 * The edges by which reads are counted by how many cycles they took: a range
 * for each number of cycles below 16, then eight to a doubling, up to the 32
 * bits that are counted. dram_latency_range knows the same by itself.
 */
/* clang-format off */
#define DRAM_LATENCY_EDGES                                                     \
    0, 1, 2, 3, 4, 5, 6, 7, HISTOGRAM_EIGHTHS(0), HISTOGRAM_EIGHTHS(1),        \
    HISTOGRAM_EIGHTHS(2), HISTOGRAM_EIGHTHS(3), HISTOGRAM_EIGHTHS(4),\
    HISTOGRAM_EIGHTHS(5), HISTOGRAM_EIGHTHS(6), HISTOGRAM_EIGHTHS(7),\
    HISTOGRAM_EIGHTHS(8), HISTOGRAM_EIGHTHS(9), HISTOGRAM_EIGHTHS(10),\
    HISTOGRAM_EIGHTHS(11), HISTOGRAM_EIGHTHS(12), HISTOGRAM_EIGHTHS(13),\
    HISTOGRAM_EIGHTHS(14), HISTOGRAM_EIGHTHS(15), HISTOGRAM_EIGHTHS(16),\
    HISTOGRAM_EIGHTHS(17), HISTOGRAM_EIGHTHS(18), HISTOGRAM_EIGHTHS(19),\
    HISTOGRAM_EIGHTHS(20), HISTOGRAM_EIGHTHS(21), HISTOGRAM_EIGHTHS(22),\
    HISTOGRAM_EIGHTHS(23), HISTOGRAM_EIGHTHS(24), HISTOGRAM_EIGHTHS(25),\
    HISTOGRAM_EIGHTHS(26), HISTOGRAM_EIGHTHS(27), HISTOGRAM_EIGHTHS(28),\
    INT64_C(1) << 32
/* clang-format on */
enum { /* one less than edges */
       DRAM_LATENCY_RANGES =
           sizeof((const int64_t[]){DRAM_LATENCY_EDGES}) / sizeof(int64_t) - 1
};

/* Cycles of each data bus: of each channel or pseudo-channel. */
#define DRAM_UNIT_BUCKETS(X)                                                   \
    X(busy, BUSY, "cycles", "data on the bus")                                 \
    X(refresh, WAITS, "cycles", "requests wait while all banks are refreshed") \
    X(waiting, WAITS, "cycles", "requests under way, no data on this bus")     \
    X(idle, IDLE, "cycles", "nothing to do")

/* Of builds with STALLS only. */
#if STALLS
#define DRAM_OBSERVED(X)                                                       \
    X(queued_reads, "request-clocks",                                          \
      "reads in queues of controllers, summed over clocks, when they left")    \
    X(queued_writes, "request-clocks", "writes, likewise")                     \
    X(banks_busy, "bank-clocks",                                               \
      "banks taken by activations, each for the least time to the next one")   \
    X(bank_clocks, "bank-clocks", "that passed, summed over banks")            \
    X(crowded, "clocks", "with data while others waited for the channel")      \
    X(ahead, "requests", "that others have found waiting in their channel")    \
    X(apart, "requests",                                                       \
      "of them, that would be in another one of twice as many channels")
#else
#define DRAM_OBSERVED(X)
#endif

struct dram_unit_params {
    DRAM_UNIT_PARAMS(PARAM_FIELD, TEXT_FIELD)
};

/* Between which of DRAM_LATENCY_EDGES. */
static inline unsigned dram_latency_range(uint32_t cycles)
{
    if (cycles < 8)
        return cycles;
    unsigned shift = 28 - (unsigned)__builtin_clz(cycles);
    return 8 * shift + (cycles >> shift);
}

struct dram_unit_stats {
    DRAM_UNIT_STATS(STAT_FIELD)
    struct client_stats clients;
    DRAM_STATS(STAT_FIELD)
    uint64_t commands[DRAM_COMMAND_COUNT];
    uint64_t took[DRAM_LATENCY_RANGES];
    DRAM_OBSERVED(STAT_FIELD)
    DRAM_UNIT_BUCKETS(BUCKET_FIELD)
};

#endif
