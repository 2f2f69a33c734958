-- rtx3070: a chip like NVIDIA's RTX 3070, with the numbers of the Arches code
include "arches.lua"

arches{
  clock = 1500, tms = 46, tps = 128, harts = 12, scratch = 512,
  l1 = {size = 131072, ways = 32, banks = 4, latency = 39, mshrs = 384,
        targets = 48, replacement = "fifo"},
  partitions = 8, slices = 4, slice = 131072, l2_latency = 187, l2_mshrs = 192,
  drams = {"arches", "gddr6"}, dram_latency = 127, max_rays = 128,
}
