-- Chips of Arches' public history that trace ray streams, and what they have
-- apart from these; no chip of its own. A version is a table of what differs.
-- docs/reference/streams.md says which number is from where.
include "arches.lua"

-- 16 controllers of 32 bits, each 64 bytes in a burst of four clocks. The clock
-- is twice the core's; in the version of June 2025 four times.
local function pseudo_channel(clock)
  return {device = "gddr6-16000-arches-pch", channels = 1, clock = clock,
          rules = "arches", scheduler = "first_ready", read_queue = 65,
          write_queue = 65, active_queue = 65, write_high = 700,
          write_low = 300, front = 1, back = 0, accepts = 2, answers = 2}
end

-- Half a controller of rtx2080-arches, for comparisons.
local function half(kind)
  return arches_memory(kind, 46, 1)
end

local function memory(name)
  return name == "source" and pseudo_channel(4000000) or
         name == "source-x4" and pseudo_channel(8000000) or half(name)
end

-- The run whose log was published: commit 6081689, September 2024. Its own
-- simulator of GDDR5, which had 16 channels, is stood in for. Items are
-- collected by treelet; rays and hits lie on the chip.
function log_version()
  return {tms = 64, tps = 64, harts = 4, stripe = 4096, hop = 4, way = 4,
          l1 = {size = 131072, ways = 4, banks = 8, latency = 1},
          l2 = {mib = 32, ways = 8, banks = 4, latency = 2, mshrs = 64},
          bank_by = "segment", order = "dfs", weight = "average",
          rays = "chip", hits = "chip", early = 1}
end

-- The last version whose parts fit together: commit 225fa11, January 2025.
function coherent_version()
  return {tms = 128, tps = 128, harts = 4, stripe = 2048, hop = 16, way = 8,
          l1 = {size = 131072, ways = 16, banks = 4, latency = 30},
          l2 = {mib = 72, ways = 18, banks = 2, latency = 138, mshrs = 192},
          bank_by = "tm", order = "bfs", weight = "total",
          rays = "dram", hits = "dram", early = 0}
end

-- What gpu{} takes, without RT cores and streams.
function source_chip(version)
  local l1, l2 = version.l1, version.l2
  return {
    clock = option{name = "clock", default = 2000, min = 1, max = 10000,
                   doc = "core clock, MHz"},
    tms = option{name = "tms", default = version.tms, min = 1, max = 128,
                 doc = "TMs"},
    tps = option{name = "tps", default = version.tps, min = 1, max = 128,
                 doc = "thread processors in a TM"},
    block = 64,
    -- Of the L2's cycles `hop` each way are the crossbar's.
    hop = version.hop, partitions = 16, slices = 1,
    stripe = option{name = "stripe", default = version.stripe, min = 256,
                    max = 65536, doc = "bytes in one partition, at least a bucket"},
    crossbar_depth = 64, port_depth = 64,
    hash = option{name = "hash", default = "stride",
                  choices = {"stride", "xor"},
                  doc = "how addresses are spread over partitions"},
    -- Arches' 512 B do not hold the frame of a compiled traversal.
    tp = {harts = version.harts, scratch = 1024, turn = 1 << 30,
          store_bypass = 3},
    -- As many requests wait as the source's reorder buffers hold.
    l1 = {size = l1.size, ways = l1.ways, line = 64, sector = 64,
          banks = l1.banks, latency = l1.latency, mshrs = 256, targets = 512},
    l2 = {size = l2.mib << 16, ways = l2.ways, line = 64, sector = 64,
          banks = l2.banks, latency = l2.latency, mshrs = l2.mshrs,
          targets = 384},
    dram = memory(option{name = "dram", default = "source",
                         choices = {"source", "source-x4", "arches", "gddr6"},
                         doc = "the DRAM of a partition"}),
    -- Two sectors of 32 bytes are the source's request of 64.
    rt_queues = 2,
    sfu_int = {share = 8, latency = 1},
    sfu_float = {share = 16, latency = 6},
    sfu_box = {share = 32, latency = 3},
    sfu_tri = {latency = 22, interval = 8},
  }
end

-- It begins a node and a triangle a cycle. Its stack has 32 x 5 entries.
function source_rtcore()
  return {max_rays = option{name = "max_rays", default = 256, min = 1,
                            max = 1024, doc = "rays in an RT core"},
          ops = 1, stack = 160, schedule = "fcfs", prefetch = 0, drain = 0,
          box_latency = 3, box_interval = 1, box_pipes = 1, box_width = 0,
          tri_latency = 22, tri_interval = 1, tri_pipes = 1, tri_width = 1}
end
