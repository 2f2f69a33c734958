-- Table 1 of the Arches paper (HPG 2025) to the letter, with the paper's
-- guesses; what it does not say is as in the public code, but for the DRAM,
-- whose times are those of the device. No chip of its own.
include "gpu.lua"

-- Two channels in each partition. Lines of 128 B lie in one row, neighbouring
-- lines in different bank groups; banks are refreshed one by one where the
-- standard can, so that streams reach 96 % of the pins' bandwidth.
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

-- variant: rtcore (false: traversal is software) and its nodes and triangles.
function table1(variant)
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
    tps = option{name = "tps", default = 64, min = 1, max = 128,
                 doc = "thread processors in a TM"},
    block = 32,
    -- Of the L2's 160 cycles, 16 each way are the crossbar's.
    hop = 16, partitions = 8, slices = 4, stripe = 4096, crossbar_depth = 8,
    hash = option{name = "hash", default = "stride",
                  choices = {"stride", "xor"},
                  doc = "how addresses are spread over L2 slices"},
    -- Software traversal keeps its stack there: as the public trax.
    tp = {harts = 8, scratch = variant.rtcore and 1024 or 4096},
    -- 64 KiB, 32 ways (guess), 4 banks, 20 cycles.
    l1 = {size = 65536, ways = 32, banks = 4, latency = 20, mshrs = 256,
          targets = 16},
    -- 4 MiB in 32 slices, 16 ways, 160 cycles from the TM and back.
    l2 = {size = 131072, ways = 16, latency = 128, mshrs = 192, targets = 4},
    dram = dram,
    -- 64 rays (guess), node pipeline 3 (guess), triangle pipeline 22 (guess).
    rtcore = variant.rtcore and {
      max_rays = 64, ops = 2, stack = 32, pop_cull = 0, schedule = "fcfs",
      prefetch = 0, drain = 0,
      box_latency = 3, box_interval = 1, box_pipes = 2, box_width = 0,
      tri_latency = 22, tri_interval = 1, tri_pipes = 2, tri_width = 1,
      nodes = variant.nodes, triangles = variant.triangles} or nil,
    rt_queues = 4,
    sfu_int = {share = 8, latency = 1},
    sfu_float = {share = 16, latency = 6},
    -- Those of the public trax: two for boxes, one for triangles.
    sfu_box = {share = 32, latency = 3},
    sfu_tri = {latency = 22},
  }
end
