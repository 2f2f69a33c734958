-- RTX3070: what simt-golden/results.csv ran as SM86_RTX3070
include "golden.lua"

golden{
  clock = 1132, tms = 46, warps = 12, groups = 32,
  l1_latency = 30, l2_latency = 165, dram_latency = 254,
  partitions = 16, slices = 2, l2_size = 131072, l2_ways = 16, bandwidth = 12367, hash = "xor",
}
