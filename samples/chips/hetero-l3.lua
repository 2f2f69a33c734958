-- hetero-l3: large and small TMs in clusters with an L2 each, and one L3 for all
--
--   large TM, small TM -> L2 of cluster 0 -.   .-> L3, part 0 -> DDR5
--                                           >-X-<
--   large TM, small TM -> L2 of cluster 1 -'   '-> L3, part 1 -> DDR5
--
-- The L3 is owner of the memory behind it; L1s and L2s hold copies.
local clock = option{name = "clock", default = 1200, min = 100, max = 5000,
                     doc = "core clock, MHz"}
local large = option{name = "large", default = 2, min = 0, max = 32,
                     doc = "large TMs"}
local small = option{name = "small", default = 2, min = 0, max = 32,
                     doc = "small TMs"}
local rt_ports = option{name = "rt_ports", default = 2, min = 1, max = 32,
                        doc = "ports of an RT core to its L1"}
local hop = option{name = "hop", default = 8, min = 1, max = 1000,
                   doc = "cycles from a TM to the L2 of its cluster"}
local map = {map_stride = 4096, map_parts = 2}

local function with_map(settings)
  for name, value in pairs(map) do settings[name] = value end
  return settings
end

-- both(from, request, to, request, answer, answer, latency, depth): a link for
-- requests and one back for their answers.
local function below(upper, lower, latency, depth)
  both(upper, "mem", lower, "cpu", "reply", "fill", latency, depth)
end

local parts = {}
for i = 1, map.map_parts do
  local name = "part" .. i - 1
  local where = tile(name)
  local dram = unit(with_map{tile = where, kind = "dram", group = "dram",
                             name = name .. ".dram", device = "ddr5-4800",
                             channels = 1, core_clock = clock * 1000})
  parts[i] = unit(with_map{tile = where, kind = "cache", group = "l3",
                           name = name .. ".l3", owner = "owner", size = 1 << 20,
                           ways = 16, latency = 30, mshrs = 64})
  below(parts[i], dram, 1, 16)
end

local clusters = {}
for i = 1, 2 do
  local name = "cluster" .. i - 1
  clusters[i] = unit(with_map{tile = tile(name), kind = "cache", group = "l2",
                              name = name .. ".l2", size = 262144, ways = 8,
                              latency = 10, mshrs = 64})
  for _, part in ipairs(parts) do below(clusters[i], part, 4, 8) end
end

local counter = unit{tile = tile("counter"), kind = "workcounter",
                     name = "counter"}

-- A TM of `processors` thread processors of `harts` each, and an RT core.
local function tm(size, number, processors, harts, rays)
  local name = size .. number
  local where = tile(name)
  local l1 = unit(with_map{tile = where, kind = "cache", group = "l1",
                           name = name .. ".l1", size = 32768, ways = 8,
                           banks = 4, latency = 6, mshrs = 64})
  local rtcore = unit{tile = where, kind = "rtcore", group = size .. "_rt",
                      name = name .. ".rtcore", max_rays = rays}
  local scheduler = unit{tile = where, kind = "scheduler", group = "scheduler",
                         name = name .. ".scheduler"}
  for i = 0, processors - 1 do
    local tp = unit{tile = where, kind = "tp", group = size .. "_tp",
                    name = name .. ".tp" .. i, harts = harts, scratch = 2048,
                    fdiv_latency = 20, fsqrt_latency = 20}
    both(tp, "mem", l1, "cpu", "reply", "data", 1, 8)
    both(tp, "next", scheduler, "next", "index", "index", 1, 1)
    both(tp, "ray", rtcore, "ray", "hit", "hit", 1, 1)
  end
  for _ = 1, rt_ports do both(rtcore, "mem", l1, "cpu", "reply", "data", 1, 8) end
  both(scheduler, "ask", counter, "ask", "block", "block", hop, 2)
  below(l1, clusters[number % #clusters + 1], hop, 8)
end

for i = 0, large - 1 do tm("large", i, 16, 4, 32) end
for i = 0, small - 1 do tm("small", i, 8, 2, 8) end
