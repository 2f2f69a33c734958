-- rtx3070-simt: a chip like NVIDIA's RTX 3070 with SIMT cores
include "gpu.lua"
include "paging.lua"
include "sm.lua"
include "rtcores.lua"

-- Sources as in turing.lua and sm.lua.
sm_chip{
  clock = 1500, tms = 46,          -- the base clock, NV H (GS 1132, its QV100's); NV, GS H
  partitions = 16, slices = 2,     -- 256 bits of GDDR6, 4 MiB: NV, GS H
  simt = sm("ampere"),
  l1 = {size = 131072, ways = 128, -- NV H; eight sets, GS has four: M
        latency = 37, mshrs = 384, targets = 48, -- 39 load to use: GS M
        reply_width = 128},        -- twice Turing's: NV M
  l2 = {latency = 158},            -- 190 beyond the L1, 32 in the crossbar: GS M
  -- 448 GB/s: NV H; 254 cycles besides the DRAM's own: GS M
  dram = {device = "gddr6-14000-8gb", mapping = "RoCoBaBgCo2", front = 127, back = 127},
  paging = paging_option(),
  rtcore = rtcore_of("ampere"), rt_queues = 4,
}
