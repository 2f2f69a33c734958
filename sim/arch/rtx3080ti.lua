-- rtx3080ti: a chip like NVIDIA's RTX 3080 Ti, whose cores are SIMT
include "gpu.lua"
include "paging.lua"
include "sm.lua"
include "rtcores.lua"

-- Sources as in turing.lua and sm.lua. D: the table of the paper on parallel Accel-Sim, whose
-- numbers are S25's.
sm_chip{
  clock = 1365, tms = 80,          -- D
  partitions = 24, slices = 2,     -- 384 bits of GDDR6X, 6 MiB: D
  simt = sm("ampere"),             -- 48 warps: D
  l1 = {size = 131072, ways = 128, -- D; eight sets, S25 has four: M
        latency = 37, mshrs = 384, targets = 48, -- 39 load to use, as rtx3070-simt; S25 M
        reply_width = 128},        -- twice Turing's: NV M
  l2 = {latency = 172, targets = 96}, -- 204 beyond the L1, 32 in the crossbar: S25 M
  -- 912 GB/s at 9500 MHz: D; 255 cycles besides the DRAM's own: S25 M
  dram = {device = "gddr6x-19000", mapping = "RoCoBaBgCo2", front = 128, back = 127,
          read_queue = 224, write_queue = 224},
  paging = paging_option(),
  rtcore = rtcore_of("ampere"), rt_queues = 4,
}
