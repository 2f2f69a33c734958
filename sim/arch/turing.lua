-- A chip like NVIDIA's RTX 2080, but for its cores: Arches' table 1 and public evidence. The
-- presets include this file and call turing{...}.
include "gpu.lua"
include "paging.lua"
include "rtcores.lua"

-- After each number: where it is from, and how sure that is. H: vendor's document or
-- measurement on this family; M: a tuned simulator, a sister chip or a firm inference; G: a
-- guess. docs/studies/calibration.md says what each does to the speed.
--   P     Arches paper, table 1           AC  public code of Arches
--   AS    Accel-Sim's SM75_RTX2060        VS  Vulkan-Sim's
--   SJF   sjfeng1999's microbenchmarks of an RTX 2070
--   JIA   Jia et al. 2019, T4             TE  te42kyfo's gpu-benches, V100
--   NV    NVIDIA: white paper, forum      MIC Micron's GDDR6 brief, MT61K256M32
--   PAT   NVIDIA's patents 9552664, 10984049, 11450057
--   CNT   what follows from the counters of the card in the paper's tables 2 to 5

-- What can stand in the place of the GDDR6: each partition is one channel.
-- Lines of 128 B lie in one row, neighbouring lines in different bank groups;
-- banks are refreshed one by one where the standard can.
local drams = {
  -- 8 Gb devices, 14 Gb/s, CK 1750 MHz (NV, MIC H): 448 GB/s; rows of 2 KB, 16384 in each
  -- of 16 banks in 4 groups, refresh by bank, tREFI 1.95 us (MIC H; that it is used: M);
  -- times as gddr6-14000 (Ramulator 2.1, M); lines to bank groups and banks in turn (G)
  gddr6 = {device = "gddr6-14000-8gb", refresh = "bank",
           mapping = "RoCoBaBgCo2"},
  -- 410 GB/s, transactions of 64 B
  ddr4 = {device = "ddr4-3200", mapping = "RoCoBaBgCo1"},
  -- two stacks, 512 GB/s
  hbm2 = {device = "hbm2-2000", refresh = "bank", mapping = "RoCoBaBgPcCo2"},
}
local dram = drams[option{name = "dram", default = "gddr6",
                          choices = {"gddr6", "ddr4", "hbm2"},
                          doc = "the DRAM behind the L2"}]
dram.channels = 1
-- 184 cycles, so that a load from an idle DRAM that finds its row closed takes 311 ns: TE M
-- has 310, in a chain (P, VS 100 cycles and AS 96 here give 255 and 253). Requests queued,
-- FR-FCFS: AS, VS M.
dram.front, dram.back = 92, 92
dram.read_queue, dram.write_queue = 64, 64

-- more: what a preset has besides, or instead.
function turing(more)
  local chip = {
    clock = option{name = "clock", default = 1515, min = 1, max = 10000,
                   doc = "core clock, MHz"},
    -- P, CNT H: its L2 counters fit 1024 B a cycle at 1515 to 2 %, 1710 and 1800 miss by 15 %
    tms = option{name = "tms", default = 46, min = 1, max = 256,
                 doc = "TMs"}, -- P, NV H
    tps = more.simt and 1 or
          option{name = "tps", default = 64, min = 1, max = 128,
                 doc = "thread processors in a TM"}, -- one for each FP32 lane: P, NV H
    block = 32, -- a warp: NV H

    -- 16 channels of 16 bits and two slices (AS, MIC H), 256 B to a channel (AS M), hashed
    -- (AS, JIA M); P and AC have 4096, not hashed.
    partitions = 16, slices = 2,
    stripe = option{name = "stripe", default = 256, min = 128, max = 65536,
                    doc = "bytes in a row to one memory partition"},
    hash = option{name = "hash", default = "xor", choices = {"stride", "xor"},
                  doc = "how addresses are spread over L2 slices"},
    hop = 16, -- of the L2's latency, each way; the split is a guess
    crossbar_depth = 8, -- G

    tp = not more.simt and {
      harts = option{name = "harts", default = 16, min = 1, max = 64,
                     doc = "hardware threads of a processor"}, -- 1024 a TM: AS, VS H (P, AC 512)
      scratch = 1024, -- AC
      turn = 1,       -- AS M: loose round robin
      -- AS M
      alu_latency = 4, imul_latency = 4, fadd_latency = 4, fmul_latency = 4,
      fma_latency = 4, fcmp_latency = 4, fcvt_latency = 4, fmove_latency = 4,
      idiv_latency = 21,
    },
    sfu_float = {share = 4, latency = 39}, -- 16 a TM, division: AS M

    l1 = {
      size = 65536, ways = 128, -- NV, AS H; four sets: AS, JIA M (P: 16 x 32, a guess)
      banks = 4, misses = 4,    -- P, AS, VS; four tags a cycle: NV H
      latency = 30,             -- 32 load to use, two are the ports': SJF, AS H (P 20); the
                                -- same for the RT core, where 20 to 32 are possible: G
      reply_width = 64, header = 0, -- 64 B a cycle to all, half of the next generation's: NV M
      mshrs = 256, targets = 32,    -- AS M
      replacement = "plru",         -- not true LRU: JIA M (AS, VS model LRU)
      allocate = "yes",             -- of stores, which are written through: AS M
    },
    l2 = {
      size = 131072, ways = 16, -- 32 x 128 KiB: P, AS H
      latency = 172,    -- 236 load to use, 32 in the L1, 32 in the crossbar: SJF H; JIA 188,
                        -- AS 194 beyond the L1 (P: 160 for L2 and crossbar)
      -- fetches of 32 B: CNT sees no more, 64 are seen in pointer chases, M
      replacement = "plru",     -- not true LRU: JIA M
      mshrs = 192, targets = 4, -- AS, VS G
      reply_width = 40,         -- flits of 32 B and 8 B of header: AS, CNT H
    },
    dram = dram,
    paging = paging_option(),
    rtcore = rtcore_of("turing"),
    rt_queues = 2, -- the L1's 64 B: NV M (AC 4)
    -- The card has none; as in trax, for programs that ask.
    sfu_box = {share = 32, latency = 3},
    sfu_tri = {latency = 22},
  }
  for name, value in pairs(more) do chip[name] = value end
  return gpu(chip)
end
