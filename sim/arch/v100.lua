-- v100: a chip like NVIDIA's V100, whose cores are SIMT
include "gpu.lua"
include "paging.lua"
include "sm.lua"

-- Sources as in turing.lua and sm.lua.
sm_chip{
  clock = 1132, tms = 80,         -- the Quadro's, GS H (the Tesla's base clock is higher)
  partitions = 32, slices = 2,    -- four stacks of HBM2 with eight channels each, 6 MiB: GS H
  simt = sm("volta"),
  l1 = {size = 131072, ways = 128, -- NV H; eight sets, GS has four: M
        latency = 26, mshrs = 512, targets = 8, -- 28 load to use: JV H (GS 20)
        reply_width = 128},       -- NV M
  l2 = {size = 98304, ways = 24,  -- GS M
        latency = 133},           -- 193 load to use, 28 in the L1, 32 in the crossbar: JV H
  -- 870 GB/s at 850 MHz: GS H; a load that finds its row closed takes 313 ns: TE M has 310
  dram = {device = "hbm2-1600", clock = 850000, mapping = "RoCoBaBgPcCo2", front = 66,
          back = 66},
  paging = paging_option(),
}
