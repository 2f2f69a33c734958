-- rtx2080: a chip like NVIDIA's RTX 2080, as the Arches paper describes it
-- (HPG 2025, table 1). "Guess" marks the paper's own guesses.
include "gpu.lua"

option{name = "clock", default = 1515, min = 1, max = 10000,
       doc = "core clock, MHz"}

gpu{
  tms = option{name = "tms", default = 46, min = 1, max = 256, doc = "TMs"},
  tps = option{name = "tps", default = 64, min = 1, max = 64,
               doc = "thread processors in a TM"},
  block = 32,
  -- Of the L2's 160 cycles, 16 each way are the crossbar's.
  hop = 16, partitions = 8, slices = 4, stripe = 4096, crossbar_depth = 8,
  tp = {harts = 8, scratch = 1024},
  -- 64 KiB, 32 ways (guess), 4 banks, 20 cycles.
  l1 = {size = 65536, ways = 32, banks = 4, latency = 20, mshrs = 256,
        targets = 16},
  -- 4 MiB in 32 slices, 16 ways, 160 cycles from the TM and back.
  l2 = {size = 131072, ways = 16, latency = 128, mshrs = 192, targets = 4},
  -- GDDR6 at 14 GT/s: 448 GB/s / 8 partitions / 1515 MHz = 36.964 B/clk.
  -- Controller latency 100 cycles, and 100 for the devices (interim).
  dram = {latency = 200, bandwidth = 36964},
  -- 64 rays (guess), node pipeline 3 (guess), triangle pipeline 22 (guess).
  rtcore = {max_rays = 64, stack = 8, box_latency = 3, tri_latency = 22},
  rt_queues = 4,
  sfu_int = {share = 8, latency = 1},
  sfu_float = {share = 16, latency = 6},
  sfu_box = {latency = 3},
  sfu_tri = {latency = 22},
}
