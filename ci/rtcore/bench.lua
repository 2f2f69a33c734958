-- rtbench: an RT core whose L1 has everything, to measure the core itself
--
-- Thread processors that only send rays (harts in turn, so that all are done at
-- about the same time), an RT core, and a cache that is never missed once it has
-- been filled. All is one tile.
local tps = option{name = "tps", default = 64, min = 1, max = 128,
                   doc = "thread processors"}
local harts = option{name = "harts", default = 8, min = 1, max = 64,
                     doc = "hardware threads of each"}
local queues = option{name = "rt_queues", default = 8, min = 1, max = 64,
                      doc = "ports of the RT core to its L1"}

local here = tile("tm")
-- Lines of one sector: the root, which all rays read, is spread over banks.
local l1 = unit{tile = here, kind = "cache", name = "l1", group = "l1",
                owner = "owner", size = "4M", ways = 16, line = 32, banks = 64,
                latency = 20}
local dram = unit{tile = here, kind = "memory", name = "dram", latency = 60,
                  bandwidth = 64000}
-- Everything wide: each measurement narrows what it is about.
local rtcore = unit{tile = here, kind = "rtcore", name = "rtcore",
                    max_rays = 64, stack = 0, pop_cull = 1, ops = 16,
                    box_latency = 6, box_pipes = 16, box_width = 0,
                    tri_latency = 22, tri_pipes = 16, tri_width = 0}
local scheduler = unit{tile = here, kind = "scheduler", name = "scheduler"}
local counter = unit{tile = here, kind = "workcounter", name = "workcounter"}

for i = 1, tps do
  local tp = unit{tile = here, kind = "tp", name = "tp" .. i - 1,
                  harts = harts, turn = 1, scratch = 1024}
  both(tp, "mem", l1, "cpu", "reply", "data", 1, 8)
  both(tp, "next", scheduler, "next", "index", "index", 1, 1)
  both(tp, "ray", rtcore, "ray", "hit", "hit", 1, 1)
end
for _ = 1, queues do both(rtcore, "mem", l1, "cpu", "reply", "data", 1, 8) end
both(l1, "mem", dram, "cpu", "reply", "fill", 1, 16)
both(scheduler, "ask", counter, "ask", "block", "block", 1, 1)
