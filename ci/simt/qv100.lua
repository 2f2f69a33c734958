-- QV100: what simt-golden/results.csv ran as SM7_QV100
include "golden.lua"

golden{
  clock = 1132, tms = 80, warps = 16, groups = 32,
  l1_latency = 11, l2_latency = 138, dram_latency = 100,
  partitions = 32, slices = 2, l2_size = 98304, l2_ways = 24, bandwidth = 24028, hash = "xor",
}
