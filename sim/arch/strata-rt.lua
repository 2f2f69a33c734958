-- strata-rt: rays move between treelets through an on-chip store, RT cores
include "moving.lua"

strata{rtcore = true, bytes = 8 << 20, policy = "batch", l2_mib = 64,
       l2_ways = 16, stripe = 8192}
