-- tiny: one TM with everything that a chip can have, for tests.
include "gpu.lua"
include "paging.lua"

local icache = option{name = "icache", default = 0, min = 0, max = 1,
                      doc = "instruction cache in each TM, 0: fetch is free"}
local fetch = icache == 1 and {buffer = 4, ahead = 1} or {buffer = 0, ahead = 0}

gpu{
  clock = option{name = "clock", default = 1000, min = 1, max = 10000,
                 doc = "core clock, MHz"},
  tms = option{name = "tms", default = 1, min = 1, max = 16, doc = "TMs"},
  tps = option{name = "tps", default = 4, min = 1, max = 64,
               doc = "thread processors in a TM"},
  block = 32, hop = 4, partitions = 1, slices = 2, stripe = 4096,
  tp = {harts = 2, scratch = 4096, turn = 50,
        fetch_buffer = fetch.buffer, fetch_ahead = fetch.ahead},
  l1 = {size = 16384, ways = 4, banks = 4, latency = 4, mshrs = 32},
  icache = icache == 1 and {size = 4096, ways = 2, line = 64, latency = 2,
                            mshrs = 4} or nil,
  l2 = {size = 65536, ways = 8, latency = 8, mshrs = 32},
  dram = {device = "ddr4-3200", channels = 1},
  paging = paging_option(),
  rtcore = {max_rays = 16}, rt_queues = 2,
  sfu_int = {share = 4, latency = 2},
  sfu_float = {share = 4, latency = 6},
  sfu_box = {latency = 3},
  sfu_tri = {latency = 22},
}
