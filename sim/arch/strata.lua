-- strata: rays move between treelets through an on-chip store, software traversal
include "moving.lua"

strata{rtcore = false, bytes = 16 << 20, policy = "idle_first", l2_mib = 72,
       l2_ways = 18, stripe = 2048}
