-- rtx4090: a chip like NVIDIA's RTX 4090, with the numbers of the Arches code
include "arches.lua"

arches{
  clock = 2235, tms = 128, tps = 128, harts = 12, scratch = 512,
  l1 = {size = 131072, ways = 32, banks = 8, latency = 39, mshrs = 512,
        targets = 16},
  partitions = 12, slices = 6, slice = 1 << 20, l2_latency = 187,
  l2_mshrs = 256, prefetch = "block",
  -- Arches' own GDDR6X: docs/reference/chips.md.
  drams = {"gddr6x", "gddr6"}, dram_latency = 127, max_rays = 64,
}
