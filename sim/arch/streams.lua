-- Chips with ray streams: gpu.lua's, with a staging buffer in each TM, a stream
-- scheduler, a hit updater in each memory partition and, if wanted, a scene
-- buffer. No chip of its own; docs/reference/streams.md says how they work.
--
include "sources.lua"

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
    both(tm.stager, "hit", updater, "hit", "record", "record", chip.way, 8)
  end
  return updater
end

local function stream_scheduler(chip, tms, parts)
  local s = chip.streams
  local scheduler = unit{tile = tile("streams"), kind = "streamscheduler",
                         name = "streamscheduler", bucket = s.bucket,
                         banks = 32, bank_by = s.bank_by, order = s.order,
                         weight = s.weight,
                         scene_buffer = s.scene_buffer > 0 and s.scene_buffer
                                        or nil,
                         stride = chip.stripe,
                         on_chip = s.rays == "chip" and 1 or 0}
  for _, tm in ipairs(tms) do
    both(tm.stager, "sched", scheduler, "tm", "bucket", "bucket", chip.way, 8)
  end
  for i, part in ipairs(parts) do
    if s.rays ~= "chip" then
      both(scheduler, "mem", part.dram, "cpu", "reply", "data", chip.way, 16)
    end
    link{from = scheduler, out = "flush",
         to = hit_updater(chip, part, i - 1, tms), inp = "flush",
         latency = chip.way, depth = 1}
  end
  return scheduler
end

local function scene_buffer(chip, tms, parts, scheduler)
  local buffer = unit{tile = tile("scene"), kind = "scenebuffer",
                      name = "scenebuffer", size = chip.streams.scene_buffer,
                      banks = 32, latency = 4, map_stride = chip.stripe,
                      map_parts = chip.partitions, map_hash = chip.hash}
  both(scheduler, "command", buffer, "command", "complete", "complete",
       chip.way, 16)
  for _, part in ipairs(parts) do
    both(buffer, "mem", part.dram, "cpu", "reply", "data", chip.way, 16)
  end
  for _, tm in ipairs(tms) do
    both(tm.l1, "scene", buffer, "cpu", "reply", "fill", chip.hop,
         chip.crossbar_depth)
  end
end

-- chip: as gpu's; streams: bucket, scene_buffer (bytes, 0: none), order, weight,
-- rays and hits ("dram" or "chip"), bank_by, records (of a hit updater).
function streaming(chip)
  local tms, parts = gpu(chip)
  local scheduler = stream_scheduler(chip, tms, parts)
  if chip.streams.scene_buffer > 0 then
    scene_buffer(chip, tms, parts, scheduler)
  end
end

-- version: of sources.lua; its switches are the defaults.
local function stream_options(version)
  return {
    bank_by = option{name = "bank_by", default = version.bank_by,
                     choices = {"tm", "segment"},
                     doc = "an item's bank of the stream scheduler"},
    bucket = option{name = "bucket", default = 2048, min = 128, max = 8192,
                    doc = "bytes of a bucket of rays, a power of two"},
    scene_buffer = option{name = "scene_buffer", default = 0, min = 0,
                          max = 1 << 30, doc = "its bytes, 0: none"},
    order = option{name = "order", default = version.order,
                   choices = {"bfs", "dfs"},
                   doc = "in which treelets are traced"},
    weight = option{name = "weight", default = version.weight,
                    choices = {"total", "average", "none"},
                    doc = "dfs: of children, which comes first"},
    rays = option{name = "rays", default = version.rays,
                  choices = {"dram", "chip"},
                  doc = "where buckets of rays are kept"},
    hits = option{name = "hits", default = version.hits,
                  choices = {"dram", "chip"},
                  doc = "where hit records are kept"},
    records = option{name = "records", default = 65536, min = 8, max = 1 << 20,
                     doc = "hit records that a hit updater holds"},
  }
end

-- version: of sources.lua; rtcore: false, traversal is software.
function dual_streaming(version, rtcore)
  local chip = source_chip(version)
  chip.streams = stream_options(version)
  chip.stripe = math.max(chip.stripe, chip.streams.bucket)
  chip.way = option{name = "way", default = version.way, min = 1, max = 63,
                    doc = "cycles of the links between units of streams"}
  if rtcore then
    chip.rtcore = source_rtcore()
    chip.rtcore.policy = "copy"
    chip.rtcore.early = option{name = "early", default = version.early, min = 0,
                               max = 1, doc = "1: a ray's hit record is read "
                                              .. "before its item is traced"}
  end
  streaming(chip)
end
