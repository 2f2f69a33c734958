-- golden: a chip as the simulator had it that made ../shared/simt-golden, for its three
-- configurations. Latencies are the time from load to use that its chains show.
include "gpu.lua"

function golden(c)
  gpu{
    clock = c.clock,
    tms = option{name = "tms", default = c.tms, min = 1, max = 128, doc = "SMs"},
    tps = 1, block = 32, hop = 16, partitions = c.partitions, slices = c.slices,
    stripe = 256, hash = c.hash, mem_ports = 4,
    simt = {
      subcores = 4, warps = c.warps, warp = 32, scheduler = "lrr",
      reconvergence = "min_sp_pc",
      int_lanes = 16, fp_lanes = 16, sfu_lanes = 4, mem_lanes = 32,
      mem_queue = 8, mem_entries = 256, requests_width = 4,
      scratch = 1024, scratch_latency = 30, shared_latency = 30, groups = c.groups,
      alu_latency = 8, imul_latency = 8, fadd_latency = 8, fmul_latency = 8, fma_latency = 8,
      fcmp_latency = 8, fmove_latency = 8, fcvt_latency = 8,
      branch_latency = 20, jump_latency = 8,
      idiv_latency = 40, fdiv_latency = 40, fsqrt_latency = 40,
    },
    l1 = {size = 65536, ways = 128, banks = 4, misses = 4, latency = c.l1_latency,
          mshrs = 256, targets = 32, allocate = "yes"},
    l2 = {size = c.l2_size, ways = c.l2_ways, latency = c.l2_latency, mshrs = 192,
          targets = 64, reply_width = 40},
    dram = {kind = "memory", latency = c.dram_latency, bandwidth = c.bandwidth},
  }
end
