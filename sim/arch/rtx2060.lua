-- rtx2060: a chip like NVIDIA's RTX 2060, with the numbers of the Arches code
include "arches.lua"

arches{
  clock = 1365, tms = 30, tps = 64, harts = 1, scratch = 512,
  l1 = {size = 65536, ways = 32, banks = 16, latency = 20, mshrs = 256,
        targets = 16},
  partitions = 6, slices = 4, slice = 131072, l2_latency = 160, l2_mshrs = 192,
  drams = {"arches", "gddr6"}, dram_latency = 46, max_rays = 64,
}
