-- rtx2060-simt: a chip like NVIDIA's RTX 2060 with SIMT cores
include "gpu.lua"
include "paging.lua"
include "sm.lua"
include "rtcores.lua"

-- Sources as in turing.lua and sm.lua.
sm_chip{
  clock = 1365, tms = 30,         -- GS H
  partitions = 12, slices = 2,    -- 192 bits of GDDR6, 3 MiB: GS H
  hash = "stride",                -- GS M
  simt = sm("turing"),
  l1 = {size = 65536, ways = 128, -- of 96 KiB: NV H; four sets: GS M
        latency = 30, mshrs = 256, targets = 32, -- 32 load to use: SJF, GS H
        reply_width = 64},        -- NV M
  l2 = {latency = 172},           -- 236 load to use, 32 in the L1, 32 in the crossbar: SJF H
  -- 336 GB/s: NV H; a load that finds its row closed takes 311 ns, as of rtx2080: TE M
  dram = {device = "gddr6-14000-8gb", mapping = "RoCoBaBgCo2", front = 71, back = 71},
  paging = paging_option(),
  rtcore = rtcore_of("turing"), rt_queues = 2,
}
