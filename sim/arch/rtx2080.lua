-- rtx2080: a chip like NVIDIA's RTX 2080, as the Arches paper describes it
-- (HPG 2025, table 1). "Guess" marks the paper's own guesses.
include "gpu.lua"

-- What can stand in the place of the GDDR6; two channels in each partition.
-- Lines of 128 B lie in one row, neighbouring lines in different bank groups;
-- banks are refreshed one by one where the standard can, so that streams reach
-- 96 % of the pins' bandwidth (all banks at a time: 89 %).
local drams = {
  -- 14 GT/s: 448 GB/s
  gddr6 = {device = "gddr6-14000", channels = 2, refresh = "bank",
           mapping = "RoCoBaBgChCo2"},
  -- 410 GB/s, transactions of 64 B
  ddr4 = {device = "ddr4-3200", channels = 2, mapping = "RoCoBaBgChCo1"},
  -- two stacks, 512 GB/s
  hbm2 = {device = "hbm2-2000", channels = 2, refresh = "bank",
          mapping = "RoCoBaBgPcChCo2"},
}
local dram = drams[option{name = "dram", default = "gddr6",
                          choices = {"gddr6", "ddr4", "hbm2"},
                          doc = "the DRAM behind the L2"}]
-- The controller's 100 cycles. Two sectors a cycle each way: one would be
-- 388 GB/s.
dram.front, dram.back, dram.accepts, dram.answers = 50, 50, 2, 2

gpu{
  clock = option{name = "clock", default = 1515, min = 1, max = 10000,
                 doc = "core clock, MHz"},
  tms = option{name = "tms", default = 46, min = 1, max = 256, doc = "TMs"},
  tps = option{name = "tps", default = 64, min = 1, max = 64,
               doc = "thread processors in a TM"},
  block = 32,
  -- Of the L2's 160 cycles, 16 each way are the crossbar's.
  hop = 16, partitions = 8, slices = 4, stripe = 4096, crossbar_depth = 8,
  hash = option{name = "hash", default = "stride", choices = {"stride", "xor"},
                doc = "how addresses are spread over L2 slices"},
  tp = {harts = 8, scratch = 1024},
  -- 64 KiB, 32 ways (guess), 4 banks, 20 cycles.
  l1 = {size = 65536, ways = 32, banks = 4, latency = 20, mshrs = 256,
        targets = 16},
  -- 4 MiB in 32 slices, 16 ways, 160 cycles from the TM and back.
  l2 = {size = 131072, ways = 16, latency = 128, mshrs = 192, targets = 4},
  dram = dram,
  -- 64 rays (guess), node pipeline 3 (guess), triangle pipeline 22 (guess).
  rtcore = {max_rays = 64, stack = 8, box_latency = 3, tri_latency = 22},
  rt_queues = 4,
  sfu_int = {share = 8, latency = 1},
  sfu_float = {share = 16, latency = 6},
  sfu_box = {latency = 3},
  sfu_tri = {latency = 22},
}
