-- A core with two small caches, one behind the other: the chip of the target warm.
local here = tile("core")
local tp = unit{tile = here, kind = "tp", name = "tp", harts = 1}
local l1 = unit{tile = here, kind = "cache", name = "l1", group = "l1",
                size = 1024, ways = 4, mshrs = 4}
local l2 = unit{tile = here, kind = "cache", name = "l2", group = "l2", owner = "owner",
                size = 2048, ways = 8, mshrs = 4}
local dram = unit{tile = here, kind = "memory", name = "dram", group = "dram"}
both(tp, "mem", l1, "cpu", "reply", "data", 1, 8)
both(l1, "mem", l2, "cpu", "reply", "fill", 1, 8)
both(l2, "mem", dram, "cpu", "reply", "fill", 1, 16)
