-- The small ray-tracing processor: rtp{n_rt =, n_ic =} makes one, all in one tile.
-- Sources: RTL, the processor's public RTL by module; bench, the host and the DMA of the test
-- bench that its reference cycles were recorded with; document, its description.
-- A link takes a cycle; the main memory answers 5 cycles after a request (RTL): 1 on
-- the way there and 4 on the way back.
local core_settings = {
  const_words = 8192,       -- document; RTL: 512, which repeat
  memory_map = "document",  -- RTL differs, see docs/reference/rtp-chip.md
}
local intersector_settings = {cycles = 51}  -- RTL, IC_v3: a fixed counter
local triangles_settings = {latency = 5}    -- RTL, mem_triangle
local controller_settings = {
  dma_latency = 20,                -- bench
  count_line = 4, word_line = 19,  -- RTL, the loader's states; recorded
  write_line = 6,                  -- recorded
  dma_write = 5,                   -- bench
}
local patcher_settings = {host_copy = 11}   -- bench

function rtp(chip)
  local n_rt = option{name = "n_rt", default = chip.n_rt, min = 1, max = 32, doc = "RT cores"}
  local n_ic = option{name = "n_ic", default = chip.n_ic, min = 1, max = 32,
                      doc = "intersection cores"}
  option{name = "clock", default = 200, -- RTL: its arithmetic blocks are built for that
         min = 1, max = 10000, doc = "core clock, MHz"}
  local here = tile("rtp")
  local function one(kind, name, settings)
    return unit({tile = here, kind = "rtp_" .. kind, name = name, group = kind}, settings or {})
  end
  local function many(n, kind, settings)
    local list = {}
    for i = 1, n do list[i] = one(kind, kind .. i - 1, settings) end
    return list
  end
  local patcher, controller = one("patcher", "patcher", patcher_settings),
    one("controller", "controller", controller_settings)
  local dispatcher, buffer = one("dispatcher", "dispatcher"), one("buffer", "buffer")
  local memory = one("memory", "memory")
  local cores = many(n_rt, "core", core_settings)
  local intersectors = many(n_ic, "intersector", intersector_settings)
  local memories = many(n_ic, "triangles", triangles_settings)
  local function wire(from, out, to, inp, latency)
    link{from = from, out = out, to = to, inp = inp, latency = latency or 1, depth = 8}
  end
  local function reads(who, out, inp)
    wire(who, out, memory, "port")
    wire(memory, "data", who, inp, 4)
  end
  wire(patcher, "command", controller, "command")
  wire(controller, "done", patcher, "loaded")
  wire(patcher, "patch", dispatcher, "patch")
  wire(dispatcher, "done", patcher, "done")
  wire(dispatcher, "move", buffer, "move")
  wire(patcher, "end", cores[1], "end")
  for _, core in ipairs(cores) do
    wire(dispatcher, "job", core, "job")
    wire(core, "request", dispatcher, "request")
    wire(core, "ray", buffer, "ray")
    wire(buffer, "result", core, "result")
    reads(core, "mem", "data")
  end
  for i, intersector in ipairs(intersectors) do
    wire(buffer, "start", intersector, "start")
    wire(intersector, "hit", buffer, "hit")
    wire(intersector, "done", dispatcher, "hit")
    wire(intersector, "fetch", memories[i], "fetch")
    wire(memories[i], "triangle", intersector, "triangle")
  end
  for _ = 1, 4 do reads(controller, "mem", "data") end
end
