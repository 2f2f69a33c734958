-- random-chips: a chip drawn from a seed, valid but shaped like none that an
-- architect would build: units in any tiles, latencies of 1 to 63, answers that share
-- links of little depth. The same seed is the same chip.
include "random.lua"

local function latency() return pick{1, 1, 1, 2, 3, 4, 8, 17, 62, 63} end
local function depth() return pick{1, 1, 2, 3, 4, 8, 64, 4096} end

-- Half of the chips have plain links, as others are not what presets have.
local odd = chance(50)

local function connect(a, request, b, input, reply, answer)
  if not odd or chance(50) then
    both(a, request, b, input, reply, answer, latency(), depth())
    return
  end
  link{from = a, out = request, to = b, inp = input, latency = latency(),
       depth = depth()}
  link{from = b, out = reply, to = a, inp = answer, latency = latency(),
       depth = chance(80) and depth() or 0}
end

local tiles = {}
for i = 1, draw(1, 5) do tiles[i] = tile("t" .. i) end

local function make(kind, number, settings)
  settings.tile, settings.kind = pick(tiles), kind
  settings.name = kind .. number
  return unit(settings)
end

local slices = pick{1, 1, 2, 4}

local function make_cache(number, owner)
  return make("cache", number, {
    owner = owner, size = pick{4096, 16384}, ways = pick{1, 2, 4},
    line = 128, banks = pick{1, 2, 4}, latency = pick{1, 2, 5, 20},
    mshrs = pick{1, 2, 8, 64}, targets = pick{1, 2, 8},
    misses = pick{1, 2}, pass = pick{1, 2, 64}, updates = pick{8, 64},
    replacement = pick{"lru", "fifo", "random", "plru"},
    write = owner == 0 and pick{"usual", "through", "back"} or "usual",
    prefetch = pick{"none", "none", "block", "next"},
    map_slices = slices, map_line = 128,
    mem_width = chance(20) and draw(1, 64) or 0,
    fill_width = chance(20) and draw(1, 64) or 0,
    reply_width = chance(20) and draw(1, 64) or 0})
end

local function make_memory(number)
  if chance(50) then
    return make("memory", number, {latency = draw(1, 300),
                                   bandwidth = pick{1, 8, 32, 100, 4096}})
  end
  return make("dram", number, {device = pick{"ddr4-3200", "gddr6-14000", "hbm2-2000"},
                               core_clock = pick{300000, 1000000, 2100000},
                               front = draw(1, 40), back = draw(1, 40)})
end

local memory = make_memory(1)
local owners, copies = {}, {}
for i = 1, slices do
  owners[i] = make_cache(i, 1)
  connect(owners[i], "mem", memory, "cpu", "reply", "fill")
end
local cores = draw(1, 5)
local function some(most) return draw(1, math.min(most, cores)) end

for i = 1, some(3) do
  copies[i] = make_cache(slices + i, 0)
  for _, owner in ipairs(owners) do
    connect(copies[i], "mem", owner, "cpu", "reply", "fill")
  end
end

local counter = make("workcounter", 1, {})
local schedulers, shared, tracers = {}, {}, {}
for i = 1, some(2) do
  schedulers[i] = make("scheduler", i, {block = pick{1, 2, 3, 32}})
  connect(schedulers[i], "ask", counter, "ask", "block", "block")
end
local warps = chance(40)
for i = 1, warps and 0 or draw(0, 2) do
  shared[i] = make("sfu", i, {latency = pick{1, 2, 30}, interval = pick{1, 1, 3}})
end
if chance(60) then
  tracers[1] = make("rtcore", 1, {max_rays = pick{1, 2, 16}})
  local l1 = pick(copies)
  for _ = 1, draw(1, 4) do
    connect(tracers[1], "mem", l1, "cpu", "reply", "data")
  end
end

local classes = {"imul", "idiv", "fadd", "fmul", "fdiv", "fma", "fcmp", "branch"}
local icache = not warps and chance(30) and pick(copies)
-- The first ones see to it that no cache and no scheduler is without a client.
local function client_of(servers, i)
  return servers[i] or pick(servers)
end

local scratch = pick{4096, 8192, 65536}

-- A streaming multiprocessor.
local function make_sm(number)
  local settings = {
    warp = pick{1, 3, 4, 8, 32, 64}, warps = draw(1, 2), subcores = draw(1, 2),
    scheduler = pick{"lrr", "gto", "oldest", "two_level", "cggty"}, active_warps = draw(1, 2),
    reconvergence = pick{"independent", "min_sp_pc", "ipdom"}, path_turn = pick{1, 3, 200},
    coalescer = pick{"sector32", "block128"}, requests_width = pick{1, 2, 4, 64},
    mem_queue = pick{1, 2, 8}, mem_entries = pick{1, 2, 64}, serve_queue = pick{1, 4},
    int_lanes = pick{1, 16, 64}, mem_lanes = pick{1, 8}, scratch = scratch,
    scratch_latency = pick{1, 9}}
  for _, class in ipairs(classes) do
    if chance(40) then settings[class .. "_latency"] = pick{1, 2, 9, 40} end
    if chance(40) then settings[class .. "_unit"] = pick{"int", "fp", "sfu", "mem"} end
  end
  return make("simt", number, settings)
end

local function make_tp(number)
  local settings = {harts = pick{1, 1, 2, 4, 7}, scratch = scratch,
                    turn = pick{1, 10, 1000}, scratch_latency = pick{1, 1, 9}}
  if icache then settings.fetch_buffer = draw(2, 6) end
  for _, class in ipairs(classes) do
    if chance(40) then settings[class .. "_latency"] = pick{1, 2, 9, 40} end
    if #shared > 0 and chance(40) then settings[class .. "_unit"] = draw(1, #shared) end
  end
  return make("tp", number, settings)
end

for i = 1, cores do
  local tp = warps and make_sm(i) or make_tp(i)
  connect(tp, "mem", client_of(copies, i), "cpu", "reply", "data")
  connect(tp, "next", client_of(schedulers, i), "next", "index", "index")
  for _, sfu in ipairs(shared) do connect(tp, "op", sfu, "op", "done", "done") end
  if tracers[1] then connect(tp, "ray", tracers[1], "ray", "hit", "hit") end
  if icache then connect(tp, "fetch", icache, "cpu", "reply", "code") end
end
