-- rtx2080-arches: the RTX 2080 chip as the public Arches code has it
include "arches.lua"

arches{
  clock = 1515, tms = 46, tps = 64, harts = 8, scratch = 1024,
  l1 = {size = 65536, ways = 32, banks = 16, latency = 20, mshrs = 256,
        targets = 16},
  partitions = 8, slices = 4, slice = 131072, l2_latency = 160, l2_mshrs = 192,
  drams = {"arches", "gddr6"}, dram_latency = 46,
  max_rays = 64, nodes = "cwbvh7", triangles = "block128",
}
