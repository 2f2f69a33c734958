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
 * How many reads took how many cycles: a range for each number of cycles below
 * 16, then eight to a doubling, up to the 32 bits that are counted. X(from):
 * the range ends before the next one's. dram_latency_range knows the same by
 * itself.
 */
/* clang-format off */
#define DRAM_LATENCIES(X)                                                      \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)        \
    X(13) X(14) X(15) X(16) X(18) X(20) X(22) X(24) X(26) X(28) X(30) X(32)    \
    X(36) X(40) X(44) X(48) X(52) X(56) X(60) X(64) X(72) X(80) X(88) X(96)    \
    X(104) X(112) X(120) X(128) X(144) X(160) X(176) X(192) X(208) X(224)      \
    X(240) X(256) X(288) X(320) X(352) X(384) X(416) X(448) X(480) X(512)      \
    X(576) X(640) X(704) X(768) X(832) X(896) X(960) X(1024) X(1152) X(1280)   \
    X(1408) X(1536) X(1664) X(1792) X(1920) X(2048) X(2304) X(2560) X(2816)    \
    X(3072) X(3328) X(3584) X(3840) X(4096) X(4608) X(5120) X(5632) X(6144)    \
    X(6656) X(7168) X(7680) X(8192) X(9216) X(10240) X(11264) X(12288)         \
    X(13312) X(14336) X(15360) X(16384) X(18432) X(20480) X(22528) X(24576)    \
    X(26624) X(28672) X(30720) X(32768) X(36864) X(40960) X(45056) X(49152)    \
    X(53248) X(57344) X(61440) X(65536) X(73728) X(81920) X(90112) X(98304)    \
    X(106496) X(114688) X(122880) X(131072) X(147456) X(163840) X(180224)      \
    X(196608) X(212992) X(229376) X(245760) X(262144) X(294912) X(327680)      \
    X(360448) X(393216) X(425984) X(458752) X(491520) X(524288) X(589824)      \
    X(655360) X(720896) X(786432) X(851968) X(917504) X(983040) X(1048576)     \
    X(1179648) X(1310720) X(1441792) X(1572864) X(1703936) X(1835008)          \
    X(1966080) X(2097152) X(2359296) X(2621440) X(2883584) X(3145728)          \
    X(3407872) X(3670016) X(3932160) X(4194304) X(4718592) X(5242880)          \
    X(5767168) X(6291456) X(6815744) X(7340032) X(7864320) X(8388608)          \
    X(9437184) X(10485760) X(11534336) X(12582912) X(13631488) X(14680064)     \
    X(15728640) X(16777216) X(18874368) X(20971520) X(23068672) X(25165824)    \
    X(27262976) X(29360128) X(31457280) X(33554432) X(37748736) X(41943040)    \
    X(46137344) X(50331648) X(54525952) X(58720256) X(62914560) X(67108864)    \
    X(75497472) X(83886080) X(92274688) X(100663296) X(109051904)              \
    X(117440512) X(125829120) X(134217728) X(150994944) X(167772160)           \
    X(184549376) X(201326592) X(218103808) X(234881024) X(251658240)           \
    X(268435456) X(301989888) X(335544320) X(369098752) X(402653184)           \
    X(436207616) X(469762048) X(503316480) X(536870912) X(603979776)           \
    X(671088640) X(738197504) X(805306368) X(872415232) X(939524096)           \
    X(1006632960) X(1073741824) X(1207959552) X(1342177280) X(1476395008)      \
    X(1610612736) X(1744830464) X(1879048192) X(2013265920) X(2147483648)      \
    X(2415919104) X(2684354560) X(2952790016) X(3221225472) X(3489660928)      \
    X(3758096384) X(4026531840)
/* clang-format on */

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
    X(bank_clocks, "bank-clocks", "that passed, summed over banks")
#else
#define DRAM_OBSERVED(X)
#endif

struct dram_unit_params {
    DRAM_UNIT_PARAMS(PARAM_FIELD, TEXT_FIELD)
};

#define DRAM_LATENCY_RANGE(from) DRAM_TOOK_##from,
enum { DRAM_LATENCIES(DRAM_LATENCY_RANGE) DRAM_LATENCY_RANGES };

/* Which of DRAM_LATENCIES. */
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
