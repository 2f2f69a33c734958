-- The chips of the public Arches simulator, by what differs between them; no
-- chip of its own. docs/reference/chips.md compares wire by wire.
include "gpu.lua"

-- GDDR6 as Arches has it, behind a pipeline that is clocked once for each of
-- the partition's two channels: half of the latency that its code names.
local function arches_dram(front)
  return {device = "gddr6-14000-arches", channels = 2, clock = 3500000,
          mapping = "RoBgBaRaChCo", rules = "arches",
          scheduler = "first_ready", read_queue = 65, write_queue = 65,
          active_queue = 65, write_high = 700, write_low = 300,
          front = front, back = 0, accepts = 2, answers = 1}
end

-- The corrected device of the same speed, its lines spread over bank groups.
local function gddr6(front)
  return {device = "gddr6-14000", channels = 2, refresh = "bank",
          mapping = "RoCoBaBgChCo2", front = front, back = 0,
          accepts = 2, answers = 1}
end

local function gddr6x(front)
  return {device = "gddr6x-21000", channels = 2, refresh = "bank",
          mapping = "RoCoBaBgChCo2", front = front, back = 0,
          accepts = 2, answers = 1}
end

local drams = {arches = arches_dram, gddr6 = gddr6, gddr6x = gddr6x}

-- The memory of a partition: one of these, with `channels` channels.
function arches_memory(kind, front, channels)
  local dram = drams[kind](front)
  dram.channels = channels
  return dram
end

-- chip: clock, tms, tps, harts, scratch; l1; partitions, slices, slice (bytes),
-- l2_latency, l2_mshrs, prefetch; drams (names, the usual one first) and
-- dram_latency (cycles, each way together); max_rays, nodes, triangles.
function arches(chip)
  local kind = option{name = "dram", default = chip.drams[1],
                      choices = chip.drams, doc = "the DRAM behind the L2"}
  gpu{
    clock = option{name = "clock", default = chip.clock, min = 1, max = 10000,
                   doc = "core clock, MHz"},
    tms = option{name = "tms", default = chip.tms, min = 1, max = 256,
                 doc = "TMs"},
    tps = option{name = "tps", default = chip.tps, min = 1, max = 128,
                 doc = "thread processors in a TM"},
    block = 32,
    -- Arches' crossbar has a register each way: 2 of hop's 32 cycles, the
    -- other 30 are taken from the L2's.
    hop = 16, partitions = chip.partitions, slices = chip.slices,
    stripe = 4096, crossbar_depth = 64, port_depth = 64,
    hash = option{name = "hash", default = "stride",
                  choices = {"stride", "xor"},
                  doc = "how addresses are spread over L2 slices"},
    -- Another hart issues when this one cannot. Stores pass by all caches.
    tp = {harts = chip.harts, scratch = chip.scratch, turn = 1 << 30,
          store_bypass = 3},
    l1 = chip.l1,
    l2 = {size = chip.slice, ways = 16, latency = chip.l2_latency - 30,
          mshrs = chip.l2_mshrs, targets = 4, prefetch = chip.prefetch},
    dram = drams[kind](chip.dram_latency),
    -- All is stepped twice a core cycle: two rays leave the scheduler, two
    -- nodes of up to 8 boxes and two triangles are begun, 12 steps are 6
    -- cycles, 22 are 11.
    rtcore = {max_rays = chip.max_rays, ops = 2, stack = 32, pop_cull = 0,
              schedule = "fcfs", prefetch = 0, drain = 0,
              box_latency = 6, box_interval = 1, box_pipes = 2, box_width = 0,
              tri_latency = 11, tri_interval = 1, tri_pipes = 2, tri_width = 1,
              nodes = chip.nodes, triangles = chip.triangles},
    rt_queues = 4,
    sfu_int = {share = 8, latency = 1},
    sfu_float = {share = 16, latency = 6},
    -- Not in Arches' chips; as its trax has them, for programs that ask.
    sfu_box = {share = 32, latency = 3},
    sfu_tri = {latency = 22},
  }
end
