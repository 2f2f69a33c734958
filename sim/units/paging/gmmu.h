/*
 * GMMU: page table, far faults, and all that moves pages between host and
 * device (sim/uvm has the rules). TLBs ask it; a request walks for some cycles,
 * any number at a time, and is answered at once if its page is resident. If
 * not, it waits here until its page has landed, and is answered then: the TLB
 * does not ask again. All faults of a cycle, a turn, are given to the
 * prefetcher together.
 *
 * In a cycle, in this order: one victim is chosen, if more pages are wanted
 * than there are; a write-back that has ended is done with, and the next one
 * starts, whose pages are gone from then on; what has come to the device is
 * resident, and answers those that wait, in their order; the next transfer to
 * the device starts (reads without migration first, else the first of the
 * queue, if there is room for it); walks that have ended are judged; the turn's
 * faults become transfers; a request of each TLB begins its walk; a prefetch
 * that a program asked for goes on. Each TLB gets one answer a cycle.
 *
 * Pages that come without a transfer (first_write_no_copy) have the read
 * channel for a cycle. Memory is managed when the host says so (paging_role.h),
 * or a range of it from the beginning. When a device synchronise has ended it
 * asks for service.
 *
 * Ports: walk / back (pairs, one per TLB), pcie / done; mem / data (pairs, one
 * per partition, in their order; may be left out): DRAM whose bandwidth
 * migration takes a part of (UVMSmart: none).
 */
#ifndef SIM_GMMU_H
#define SIM_GMMU_H

#include "sim/core/unit.h"
#include "sim/uvm/uvm.h"

#define GMMU_PARAMS(X, T)                                                      \
    X(gddr_size, 1 << 30, 0, 1ll << 43, "bytes",                               \
      "device memory; 2 MB at least")                                          \
    X(gddr_percent, 0, 0, 100000, "%",                                         \
      "device memory by what is managed; 0: gddr_size")                        \
    X(unmanaged, 0, 0, 1ll << 43, "bytes", "of device memory, taken for good") \
    X(managed_from, 0, 0, 1ll << 44, "address", "managed from the beginning")  \
    X(managed_bytes, 0, 0, 1ll << 43, "bytes", "of that; 0: nothing")          \
    T(managed_files, "", 31, "kinds",                                          \
      "of files that are managed: scene, rays, file with commas between them") \
    X(page_size, 0, 0, 1, "=4KB|2MB", "bytes of a page")                       \
    X(page_table_walk_latency, 100, 1, 1000000, "cycles",                      \
      "from a request to its page's state")                                    \
    X(page_fault_latency, 66645, 0, 1000000000, "cycles", "of a far fault",    \
      PARAM_SAFE)                                                              \
    X(gpgpu_kernel_launch_latency, 0, 0, 1000000000, "cycles",                 \
      "from a launch to its kernel, which begins where services may come",     \
      PARAM_SAFE)                                                              \
    X(fault_mode, 0, 0, 2, "=report|channel|overlap",                          \
      "faults are only counted, occupy the read channel, or are handled "      \
      "before their transfers")                                                \
    X(fault_contexts, 1, 1, 64, "contexts", "overlap: handlers")               \
    X(fault_batch, 256, 1, 65536, "faults", "overlap: that one handles",       \
      PARAM_SAFE)                                                              \
    X(hardware_prefetch, UVM_PREFETCH_tbn, CHOICE_RANGE(UVM_PREFETCHES),       \
      CHOICE_NAMES(UVM_PREFETCHES), "what comes with a fault")                 \
    X(hwprefetch_oversub, UVM_PREFETCH_none, CHOICE_RANGE(UVM_PREFETCHES),     \
      CHOICE_NAMES(UVM_PREFETCHES),                                            \
      "the same from the first over-subscription on")                          \
    X(eviction_policy, UVM_EVICT_lru2m, CHOICE_RANGE(UVM_EVICTIONS),           \
      CHOICE_NAMES(UVM_EVICTIONS), "what leaves the device")                   \
    X(invalidate_clean, 0, 0, 1, "=off|on",                                    \
      "what was only read leaves without transfer")                            \
    X(first_write_no_copy, 0, 0, 1, "=off|on",                                 \
      "what has no contents and is first written comes without transfer")      \
    X(reserve_accessed_page_percent, 0, 0, 99, "%",                            \
      "of the list, oldest first, that do not leave")                          \
    X(percentage_of_free_page_buffer, 0, 0, 99, "%",                           \
      "of memory that is kept free")                                           \
    X(enable_dma, 0, 0, 3, "=off|adaptive|always|oversub",                     \
      "reads without migration")                                               \
    X(migrate_threshold, 10, 1, 1 << 20, "reads",                              \
      "of 64 KB before it migrates")                                           \
    X(multiply_dma_penalty, 0, 0, 1000, "factor", "of adaptive")               \
    X(enable_smart_runtime, 0, 0, 1, "=off|on",                                \
      "access patterns choose eviction_policy and enable_dma")                 \
    X(tlb_shootdown, 0, 0, 2, "=entry|full|none", "what TLBs forget")          \
    X(shootdown_on, 0, 0, 2, "=evict|map|both", "when they do")                \
    X(shootdown_latency, 0, 0, 1000000, "cycles",                              \
      "later ends the transfer that it belongs to", PARAM_SAFE)                \
    X(sync_keep, 0, 0, 1, "=off|on",                                           \
      "device synchronise leaves pages resident")                              \
    X(map_stride, 4096, 32, 1 << 30, "bytes",                                  \
      "with mem: stripe of a memory partition")                                \
    X(map_parts, 1, 1, 64, "partitions", "with mem: memory partitions")        \
    X(map_hash, 0, 0, 1, "=stride|xor",                                        \
      "with mem: spreads addresses plainly or hashed")                         \
    X(random_seed, 1, 0, INT64_MAX, "number", "of random choices")

#define GMMU_STATS(X)                                                          \
    X(walks, "requests", "came from TLBs")                                     \
    X(touches, "messages", "uses that TLBs told of")                           \
    X(replays, "requests", "answered when their page had landed")              \
    X(fault_wait, "cycles", "those waited after their walks, in all")          \
    X(report_cycles, "cycles", "report: far faults times their latency")       \
    X(shootdowns, "shootdowns", "told to TLBs")                                \
    X(launch_cycles, "cycles", "launched kernels had not begun yet")           \
    X(syncs, "calls", "device synchronise")                                    \
    X(sync_cycles, "cycles", "from the call to its end")                       \
    X(user_prefetches, "calls", "prefetches of programs that have ended")      \
    X(user_wait, "cycles", "those took from the call to their last page")      \
    X(user_cycles, "cycles", "the read channel carried user prefetches")       \
    X(dram_written, "bytes", "of pages that came, with mem")                   \
    X(dram_read, "bytes", "of pages that left, with mem")                      \
    X(dram_wait, "cycles", "transfers ended later for it")

#define GMMU_BUCKETS(X)                                                        \
    X(busy, BUSY, "cycles", "something happened")                              \
    X(waiting, WAITS, "cycles", "only transfers, faults or walks under way")   \
    X(idle, IDLE, "cycles", "nothing to do")

struct gmmu_params {
    GMMU_PARAMS(PARAM_FIELD, TEXT_FIELD)
};

struct gmmu_stats {
    GMMU_STATS(STAT_FIELD)
    struct uvm_stats uvm;
    GMMU_BUCKETS(BUCKET_FIELD)
};

#endif
