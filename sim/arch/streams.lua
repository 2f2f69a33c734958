-- Chips with ray streams: gpu.lua's, with a staging buffer in each TM, a stream
-- scheduler, a hit updater in each memory partition and, if wanted, a scene
-- buffer. No chip of its own; docs/reference/streams.md says how they work.
--
-- Numbers: Arches' public history at commit 0d39d46 (June 2025), which has
-- dual streaming; where it says nothing, as in arches.lua.
include "arches.lua"

-- Hit records and main memory; on the chip they have a memory of their own.
local function hit_updater(chip, part, number, tms)
  local memory = part.dram
  local updater = unit{tile = part.tile, kind = "hitupdater",
                       group = "hitupdater", name = part.name .. ".hits",
                       records = chip.streams.records, part = number,
                       map_stride = chip.stripe, map_parts = chip.partitions,
                       map_hash = chip.hash}
  if chip.streams.hits == "chip" then
    memory = unit{tile = part.tile, kind = "memory", group = "hit_memory",
                  name = part.name .. ".hit_memory", latency = 1}
  end
  both(updater, "mem", memory, "cpu", "reply", "data", 1, 16)
  for _, tm in ipairs(tms) do
    both(tm.stager, "hit", updater, "hit", "record", "record", chip.hop, 8)
  end
  return updater
end

local function stream_scheduler(chip, tms, parts)
  local s = chip.streams
  local scheduler = unit{tile = tile("streams"), kind = "streamscheduler",
                         name = "streamscheduler", bucket = s.bucket,
                         banks = 32, order = s.order, weight = s.weight,
                         scene_buffer = s.scene_buffer > 0 and s.scene_buffer
                                        or nil,
                         stride = chip.stripe,
                         on_chip = s.rays == "chip" and 1 or 0}
  for _, tm in ipairs(tms) do
    both(tm.stager, "sched", scheduler, "tm", "bucket", "bucket", chip.hop, 8)
  end
  for i, part in ipairs(parts) do
    if s.rays ~= "chip" then
      both(scheduler, "mem", part.dram, "cpu", "reply", "data", chip.hop, 16)
    end
    link{from = scheduler, out = "flush",
         to = hit_updater(chip, part, i - 1, tms), inp = "flush",
         latency = chip.hop, depth = 1}
  end
  return scheduler
end

local function scene_buffer(chip, tms, parts, scheduler)
  local buffer = unit{tile = tile("scene"), kind = "scenebuffer",
                      name = "scenebuffer", size = chip.streams.scene_buffer,
                      banks = 32, latency = 4, map_stride = chip.stripe,
                      map_parts = chip.partitions, map_hash = chip.hash}
  both(scheduler, "command", buffer, "command", "complete", "complete",
       chip.hop, 16)
  for _, part in ipairs(parts) do
    both(buffer, "mem", part.dram, "cpu", "reply", "data", chip.hop, 16)
  end
  for _, tm in ipairs(tms) do
    both(tm.l1, "scene", buffer, "cpu", "reply", "fill", chip.hop,
         chip.crossbar_depth)
  end
end

-- chip: as gpu's; streams: bucket, scene_buffer (bytes, 0: none), order, weight,
-- rays and hits ("dram" or "chip"), records (of a hit updater).
function streaming(chip)
  local tms, parts = gpu(chip)
  local scheduler = stream_scheduler(chip, tms, parts)
  if chip.streams.scene_buffer > 0 then
    scene_buffer(chip, tms, parts, scheduler)
  end
end

local function stream_options()
  return {
    bucket = option{name = "bucket", default = 2048, min = 128, max = 8192,
                    doc = "bytes of a bucket of rays, a power of two"},
    scene_buffer = option{name = "scene_buffer", default = 0, min = 0,
                          max = 1 << 30, doc = "its bytes, 0: none"},
    order = option{name = "order", default = "bfs", choices = {"bfs", "dfs"},
                   doc = "in which treelets are traced"},
    weight = option{name = "weight", default = "total",
                    choices = {"total", "average", "none"},
                    doc = "dfs: of children, which comes first"},
    rays = option{name = "rays", default = "dram", choices = {"dram", "chip"},
                  doc = "where buckets of rays are kept"},
    hits = option{name = "hits", default = "dram", choices = {"dram", "chip"},
                  doc = "where hit records are kept"},
    records = option{name = "records", default = 65536, min = 8, max = 1 << 20,
                     doc = "hit records that a hit updater holds"},
  }
end

-- Arches' RT core begins a node and a triangle a cycle. Its stack has 32 x 5 entries.
local function stream_rtcore()
  return {max_rays = option{name = "max_rays", default = 256, min = 1,
                            max = 1024, doc = "rays in an RT core"},
          policy = "copy",
          early = option{name = "early", default = 0, min = 0, max = 1,
                         doc = "1: a ray's hit record is read before its item "
                               .. "is traced"},
          ops = 1, stack = 160, schedule = "fcfs", prefetch = 0, drain = 0,
          box_latency = 3, box_interval = 1, box_pipes = 1, box_width = 0,
          tri_latency = 22, tri_interval = 1, tri_pipes = 1, tri_width = 1}
end

-- variant: rtcore (false: traversal is software).
function dual_streaming(variant)
  local dram = option{name = "dram", default = "arches",
                      choices = {"arches", "gddr6"},
                      doc = "the DRAM of a partition"}
  streaming{
    clock = option{name = "clock", default = 2000, min = 1, max = 10000,
                   doc = "core clock, MHz"},
    tms = option{name = "tms", default = 64, min = 1, max = 128, doc = "TMs"},
    tps = option{name = "tps", default = 64, min = 1, max = 128,
                 doc = "thread processors in a TM"},
    block = 64,
    -- Of the L2's 170 cycles 16 each way are the crossbar's.
    hop = 16, partitions = 16, slices = 1, stripe = 8192, crossbar_depth = 64,
    port_depth = 64, hash = "stride",
    -- Arches' 512 B do not hold the frame of a compiled traversal.
    tp = {harts = 8, scratch = 1024, turn = 1 << 30, store_bypass = 3},
    l1 = {size = 65536, ways = 32, line = 64, sector = 64, banks = 4,
          latency = 20, mshrs = 256, targets = 16},
    l2 = {size = 262144, ways = 16, line = 64, sector = 64, banks = 2,
          latency = 138, mshrs = 192, targets = 4},
    -- One channel in each partition.
    dram = arches_memory(dram, 46, 1),
    rtcore = variant.rtcore and stream_rtcore() or nil,
    -- Two sectors of 32 bytes are the source's request of 64.
    rt_queues = 2,
    sfu_int = {share = 8, latency = 1},
    sfu_float = {share = 16, latency = 6},
    sfu_box = {share = 32, latency = 3},
    sfu_tri = {latency = 22, interval = 8},
    streams = stream_options(),
  }
end
