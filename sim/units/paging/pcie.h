/*
 * PCIe between host and device: a channel each way, which carries one transfer
 * at a time, in order; how long one takes is known when it starts
 * (sim/uvm/curve.h). Requests are answered at once with the cycle in which they
 * end, so that nothing runs while a channel does.
 *
 * Ports: ask / done (the GMMU; messages of paging.h).
 */
#ifndef SIM_PCIE_H
#define SIM_PCIE_H

#include "sim/core/unit.h"

#define PCIE_PARAMS(X, T)                                                      \
    X(core_clock, 1481000, 1, 20000000, "kHz", "clock of the chip")            \
    X(pcie_bandwidth, 0, 0, 2, "=16|32|64", "GB/s of the link (atan)")         \
    X(pcie_model, 0, 0, 2, "=atan|table|linear",                               \
      "how bandwidth depends on the size of a transfer")                       \
    T(points, "4:3.2219 16:6.4437 64:8.4771 256:10.508 1024:11.223", 127,      \
      "points", "table: KiB:GB/s, ascending")                                  \
    X(latency, 981, 0, 1000000, "ns", "linear: before the first byte")         \
    X(rate, 10517, 1, 1000000, "MB/s", "linear: of the bytes")                 \
    X(dma, 200, 1, 1000000, "cycles", "a read without migration")

#define PCIE_STATS(X)                                                          \
    X(reads, "transfers", "to the device")                                     \
    X(read_bytes, "bytes", "to the device")                                    \
    X(read_cycles, "cycles", "the read channel carried them")                  \
    X(faults, "faults", "had the read channel to themselves")                  \
    X(fault_cycles, "cycles", "the read channel was occupied by faults")       \
    X(dma_reads, "requests", "read without migration")                         \
    X(dma_cycles, "cycles", "the read channel carried those")                  \
    X(writes, "transfers", "to the host")                                      \
    X(write_bytes, "bytes", "to the host")                                     \
    X(write_cycles, "cycles", "the write channel carried them")                \
    X(home_bytes, "bytes", "of them, by device synchronise")                   \
    X(home_cycles, "cycles", "the write channel carried those")                \
    X(read_full_cycles, "cycles", "reads at the link's full bandwidth")        \
    X(write_full_cycles, "cycles", "writes at it")                             \
    X(read_cycles_1, "cycles", "reads at up to 1/4 of the link's bandwidth")   \
    X(read_cycles_2, "cycles", "reads at up to 2/4")                           \
    X(read_cycles_3, "cycles", "reads at up to 3/4")                           \
    X(read_cycles_4, "cycles", "reads at more than that")                      \
    X(write_cycles_1, "cycles", "writes at up to 1/4 of it")                   \
    X(write_cycles_2, "cycles", "writes at up to 2/4")                         \
    X(write_cycles_3, "cycles", "writes at up to 3/4")                         \
    X(write_cycles_4, "cycles", "writes at more than that")

#define PCIE_BUCKETS(X)                                                        \
    X(reading, BUSY, "cycles", "only the read channel was occupied")           \
    X(writing, BUSY, "cycles", "only the write channel")                       \
    X(both, BUSY, "cycles", "both channels")                                   \
    X(idle, IDLE, "cycles", "nothing to do")

struct pcie_params {
    PCIE_PARAMS(PARAM_FIELD, TEXT_FIELD)
};

struct pcie_stats {
    PCIE_STATS(STAT_FIELD)
    PCIE_BUCKETS(BUCKET_FIELD)
};

#endif
