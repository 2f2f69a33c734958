-- Chips whose rays move: gpu.lua's, with a ray gate in each TM and a ray store.
-- No chip of its own; docs/reference/streams.md says how they work.
--
-- Numbers: STRaTA and STRaTA-RT in Arches' public history at commit 225fa11
-- (January 2025); where it says nothing, as in streams.lua.
include "arches.lua"

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

-- RT cores of 256 rays, which begin a node and a triangle a cycle. What waits in
-- a treelet is part of a ray that moves, not of the stack.
local function moving_rtcore(policy)
  return {max_rays = option{name = "max_rays", default = 256, min = 1,
                            max = 1024, doc = "rays in an RT core"},
          policy = policy,
          ops = 1, stack = 1, schedule = "fcfs", prefetch = 0, drain = 0,
          box_latency = 3, box_interval = 1, box_pipes = 1, box_width = 0,
          tri_latency = 22, tri_interval = 1, tri_pipes = 1, tri_width = 1}
end

-- variant: rtcore (false: traversal is software), bytes (of the ray store),
-- policy (how TMs get treelets), l2_ways, l2_mib, stripe.
function strata(variant)
  local tps = option{name = "tps", default = 128, min = 1, max = 128,
                     doc = "thread processors in a TM"}
  local dram = option{name = "dram", default = "arches",
                      choices = {"arches", "gddr6"},
                      doc = "the DRAM of a partition"}
  local climb = variant.rtcore and
                option{name = "traversal", default = "restarts",
                       choices = {"parents", "restarts", "climbs"},
                       doc = "how rays find back up"}
  local rtcore = variant.rtcore and moving_rtcore(climb) or nil
  local policy = option{name = "treelets", default = variant.policy,
                        choices = {"idle_first", "batch"},
                        doc = "how TMs get another treelet"}
  local chip = {
    clock = option{name = "clock", default = 2000, min = 1, max = 10000,
                   doc = "core clock, MHz"},
    tms = option{name = "tms", default = 128, min = 1, max = 128,
                 doc = "TMs"},
    tps = tps,
    block = 32,
    -- Of the L2's 170 cycles 16 each way are the crossbar's.
    hop = 16, partitions = 16, slices = 1, stripe = variant.stripe,
    crossbar_depth = 64, port_depth = 64, hash = "stride",
    -- Arches' 512 B do not hold the frame of a compiled traversal.
    tp = {harts = 4, scratch = 1024, turn = 1 << 30, store_bypass = 3},
    l1 = {size = 131072, ways = 16, line = 64, sector = 64, banks = 4,
          latency = 30, mshrs = 256, targets = 16},
    l2 = {size = variant.l2_mib << 16, ways = variant.l2_ways, line = 64,
          sector = 64, banks = 2, latency = 138, mshrs = 192, targets = 4},
    -- One channel in each partition.
    dram = arches_memory(dram, 46, 1),
    rtcore = rtcore,
    rt_queues = 1,
    sfu_int = {share = 8, latency = 1},
    sfu_float = {share = 16, latency = 6},
    sfu_box = {share = 32, latency = 3},
    sfu_tri = {latency = 22, interval = 8},
    moving = {
      bytes = option{name = "buffer", default = variant.bytes, min = 64,
                     max = 1 << 30, doc = "bytes of the ray store, 64 a ray"},
      policy = policy,
      order = option{name = "order",
                     default = variant.policy == "batch" and "fifo" or "lifo",
                     choices = {"lifo", "fifo"},
                     doc = "which ray of a treelet goes first"},
    },
  }
  ray_store(chip, (gpu(chip)))
end
