-- The small ray-tracing processor: chip{n_rt =, n_ic =} makes one. All is one tile.
-- Latencies are those of its public RTL (docs/rtp.md): a link takes a cycle, the main
-- memory answers five cycles after a request.
function rtp(chip)
  local n_rt = option{name = "n_rt", default = chip.n_rt, min = 1, max = 32, doc = "RT cores"}
  local n_ic = option{name = "n_ic", default = chip.n_ic, min = 1, max = 32,
                      doc = "intersection cores"}
  option{name = "clock", default = 200, min = 1, max = 10000, doc = "core clock, MHz"}
  local here = tile("rtp")
  local function one(kind, name, settings)
    return unit({tile = here, kind = "rtp_" .. kind, name = name, group = kind}, settings or {})
  end
  local function many(n, kind, settings)
    local list = {}
    for i = 1, n do list[i] = one(kind, kind .. i - 1, settings) end
    return list
  end
  local patcher, controller = one("patcher", "patcher"), one("controller", "controller")
  local dispatcher, buffer = one("dispatcher", "dispatcher"), one("buffer", "buffer")
  local memory = one("memory", "memory")
  local cores = many(n_rt, "core")
  local intersectors, triangles = many(n_ic, "intersector"), many(n_ic, "triangles")
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
    wire(intersector, "fetch", triangles[i], "fetch")
    wire(triangles[i], "triangle", intersector, "triangle")
  end
  for _ = 1, 4 do reads(controller, "mem", "data") end
end
