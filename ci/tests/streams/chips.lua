-- A preset with ray streams, or whose rays move, on other links: of latencies and
-- little depth drawn from a seed, with any number of partitions. All else are the
-- preset's options and parameters.
include "../random.lua"
local kind = option{name = "kind", default = "dual-streaming",
                    choices = {"dual-streaming", "dual-streaming-rt", "strata",
                               "strata-rt"}, doc = "which preset"}
local partitions = option{name = "partitions", default = 2, min = 1, max = 16,
                          doc = "memory partitions"}

include "streams.lua"
include "moving.lua"

-- What a preset includes is here, and stays as it is changed below.
local preset, connect, pair, build = include, link, both, gpu
function include() end

local function latency(usual) return pick{usual or 1, 1, 1, 2, 3, 7} end
-- An instruction that a unit serves, and a ray that moves, are up to two messages at
-- once.
local copied = kind:sub(1, 4) == "dual"
local least = {op = 2, item = copied and 1 or 2, store = 2}
local function depth(out) return draw(least[out] or 1, 4) end

function both(a, request, b, input, reply, answer, usual)
  pair(a, request, b, input, reply, answer, latency(usual), depth(request))
end

function link(settings)
  settings.latency, settings.depth = latency(settings.latency), depth()
  connect(settings)
end

function gpu(chip)
  chip.partitions = partitions
  return build(chip)
end

preset(kind .. ".lua")
