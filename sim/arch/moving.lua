-- Chips whose rays move: gpu.lua's, with a ray gate in each TM and a ray store.
-- No chip of its own; docs/reference/streams.md says how they work.
--
-- Numbers: STRaTA and STRaTA-RT in Arches' public history at commit 225fa11
-- (January 2025), which is the coherent version of sources.lua.
include "sources.lua"

local function ray_store(chip, tms)
  local s = chip.moving
  local store = unit{tile = tile("streams"), kind = "raystore",
                     name = "raystore", bytes = s.bytes, banks = 64,
                     latency = 100, order = s.order, policy = s.policy}
  for _, tm in ipairs(tms) do
    both(tm.gate, "store", store, "tm", "ray", "ray", chip.hop,
         chip.crossbar_depth)
  end
end

-- What waits in a treelet is part of a ray that moves, not of the stack.
local function moving_rtcore()
  local rtcore = source_rtcore()
  rtcore.policy = option{name = "traversal", default = "restarts",
                         choices = {"parents", "restarts", "climbs"},
                         doc = "how rays find back up"}
  rtcore.stack = 1
  return rtcore
end

-- variant: rtcore (false: traversal is software), bytes (of the ray store),
-- policy (how TMs get treelets), l2_ways, l2_mib, stripe.
function strata(variant)
  local version = coherent_version()
  version.stripe = variant.stripe
  version.l2.mib, version.l2.ways = variant.l2_mib, variant.l2_ways
  local chip = source_chip(version)
  chip.block = 32
  chip.rt_queues = 1
  chip.rtcore = variant.rtcore and moving_rtcore() or nil
  chip.moving = {
    bytes = option{name = "buffer", default = variant.bytes, min = 64,
                   max = 1 << 30, doc = "bytes of the ray store, 64 a ray"},
    policy = option{name = "treelets", default = variant.policy,
                    choices = {"idle_first", "batch"},
                    doc = "how TMs get another treelet"},
    order = option{name = "order",
                   default = variant.policy == "batch" and "fifo" or "lifo",
                   choices = {"lifo", "fifo"},
                   doc = "which ray of a treelet goes first"},
  }
  ray_store(chip, (gpu(chip)))
end
