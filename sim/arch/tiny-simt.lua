-- tiny-simt: one small SM with everything that a chip can have, for tests
include "gpu.lua"
include "paging.lua"

local icache = option{name = "icache", default = 0, min = 0, max = 1,
                      doc = "instruction caches in each SM, 0: fetch is free"}

gpu{
  clock = option{name = "clock", default = 1000, min = 1, max = 10000,
                 doc = "core clock, MHz"},
  tms = option{name = "tms", default = 1, min = 1, max = 16, doc = "SMs"},
  tps = 1, block = 32, hop = 4, partitions = 1, slices = 2, stripe = 4096,
  mem_ports = 4,
  simt = {
    subcores = option{name = "subcores", default = 2, min = 1, max = 8,
                      doc = "sub-cores of an SM"},
    warps = option{name = "warps", default = 2, min = 1, max = 64,
                   doc = "warps of a sub-core"},
    warp = option{name = "warp", default = 8, min = 1, max = 64,
                  doc = "harts of a warp"},
    scratch = 4096, alu_latency = 2, fadd_latency = 4, fmul_latency = 4,
    fma_latency = 4, fdiv_latency = 12, fsqrt_latency = 12,
    l0_sets = 2 * icache, l0_ways = 2,
  },
  icache = icache == 1 and {size = 8192, ways = 4, latency = 10, mshrs = 8} or nil,
  l1 = {size = 16384, ways = 4, banks = 4, latency = 4, mshrs = 32},
  l2 = {size = 65536, ways = 8, latency = 8, mshrs = 32},
  dram = {device = "ddr4-3200", channels = 1},
  paging = paging_option(),
  rtcore = {max_rays = 16}, rt_queues = 2,
}
