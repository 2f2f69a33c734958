-- RTX2060: what simt-golden/results.csv ran as SM75_RTX2060
include "golden.lua"

golden{
  clock = 1365, tms = 30, warps = 8, groups = 16,
  l1_latency = 23, l2_latency = 172, dram_latency = 96,
  partitions = 12, slices = 2, l2_size = 131072, l2_ways = 16, bandwidth = 10256, hash = "stride",
}
