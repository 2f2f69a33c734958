-- gtx1080ti: a chip like NVIDIA's GTX 1080 Ti with managed memory paged on demand
include "gpu.lua"
include "paging.lua"
include "sm.lua"

-- Sources as in turing.lua and sm.lua.
local paging = paging_option("on")
if paging then
  paging.gmmu.gpgpu_kernel_launch_latency = 222150 -- 150 us: U
end

sm_chip{
  clock = 1481, tms = 28,         -- U, NV H
  partitions = 11, slices = 2,    -- 352 bits, 2816 KiB: U, NV H
  hash = "stride",                -- U
  -- Requests are of blocks of 128 bytes (U), loads leave nothing in the L1 (U, GS M) but what all
  -- lanes load from one address: a kernel's arguments have a constant cache there (GS M).
  simt = sm("pascal", {scheduler = "gto", coalescer = "block128", translation = "request",
                       load_bypass = 1, uniform_bypass = 0}),
  l1 = {size = 49152, ways = 6,   -- NV H; U has 64 sets
        latency = 79,             -- 82 load to use, the ports take two, the TLB one: JV, GS H
        mshrs = 256, targets = 8, reply_width = 128}, -- GS M
  l2 = {latency = 102, mshrs = 256, targets = 64},    -- 216 load to use: JV M; GS M
  -- 484 GB/s. There is no GDDR5X here: GDDR6 of two channels of 16 bits takes its place, clocked
  -- at its rate of 11 Gb/s. 100 cycles besides the DRAM's own: U
  dram = {device = "gddr6-12000", channels = 2, clock = 1375000,
          mapping = "RoCoBaBgChCo2", front = 50, back = 50},
  paging = paging,
}
