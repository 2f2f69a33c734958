-- core: one in-order core with a cache and memory, to run bare programs
--
-- A thread processor of 1 to 64 harts, its L1, memory behind it; nothing is
-- shared, so that what a program costs here is its own doing. The cache owns
-- the memory: atomics are done in it. A scheduler and a small RT core are
-- there for kernels. All is one tile: one host thread, no barriers.
option{name = "clock", default = 1000, min = 1, max = 10000,
       doc = "core clock, MHz"}
local harts = option{name = "harts", default = 1, min = 1, max = 64,
                     doc = "hardware threads of the core"}

local here = tile("core")
local tp = unit{
  tile = here, kind = "tp", name = "tp", harts = harts, turn = 50,
  scratch = 0, -- kernel stacks are in memory, as main's
  imul_latency = 3, idiv_latency = 20,
  fadd_latency = 4, fmul_latency = 4, fma_latency = 4,
  fdiv_latency = 16, fsqrt_latency = 20, fcmp_latency = 2, fcvt_latency = 3,
  boxisect_latency = 3, triisect_latency = 22,
}
local l1 = unit{tile = here, kind = "cache", name = "l1", group = "l1",
                owner = "owner",
                size = 32768, ways = 8, latency = 1, mshrs = 8}
local dram = unit{tile = here, kind = "memory", name = "dram", group = "dram",
                  latency = 60, bandwidth = 16000}
local rtcore = unit{tile = here, kind = "rtcore", name = "rtcore",
                    max_rays = 8}
local scheduler = unit{tile = here, kind = "scheduler", name = "scheduler"}
local counter = unit{tile = here, kind = "workcounter", name = "workcounter"}

both(tp, "mem", l1, "cpu", "reply", "data", 1, 8)
both(tp, "ray", rtcore, "ray", "hit", "hit", 1, 1)
both(rtcore, "mem", l1, "cpu", "reply", "data", 1, 8)
both(l1, "mem", dram, "cpu", "reply", "fill", 1, 16)
both(tp, "next", scheduler, "next", "index", "index", 1, 1)
both(scheduler, "ask", counter, "ask", "block", "block", 1, 1)
