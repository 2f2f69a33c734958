-- Streaming multiprocessors (SMs) of four generations of NVIDIA's GPUs, which differ by numbers
-- alone; no chip of its own. docs/reference/chips.md has the chips around them.

-- After each number: where it is from, and how sure that is, as in turing.lua. Besides these:
--   GS    the tested configurations of GPGPU-Sim 4: TITAN X, QV100, RTX2060, RTX3070
--   S25   the simulator of Huerta et al., MICRO 2025: its configuration of an RTX 3080 Ti
--   JV    Jia et al. 2018, V100, P4
--   U     UVMSmart's configuration of a GTX 1080 Ti
local generations = {
  pascal = { -- GP102
    warps = 16, -- 2048 threads: NV H
    -- Cores of 32 lanes do integers, too (GS M); 8 SFUs, 8 LSUs a sub-core: NV H
    fp_lanes = 32, sfu_lanes = 8, mem_lanes = 8,
    alu_unit = "fp", imul_unit = "fp", branch_unit = "fp", jump_unit = "fp",
    scratch_latency = 24, shared_latency = 24, -- GS M
    group_memory = 98304, groups = 32,         -- 96 KB: NV H; GS H
    -- JV H: 6. Products of integers are several instructions there: G
    alu_latency = 6, imul_latency = 18, fadd_latency = 6, fmul_latency = 6, fma_latency = 6,
    fcmp_latency = 6, fmove_latency = 6, fcvt_latency = 8,
    branch_latency = 6, jump_latency = 6, -- G
  },
  volta = {
    warps = 16,                                                    -- 2048 threads: NV H
    int_lanes = 16, fp_lanes = 16, sfu_lanes = 4, mem_lanes = 8,   -- 32 LSUs a SM: NV H
    scratch_latency = 19, shared_latency = 19, -- JV H
    group_memory = 98304, groups = 32,         -- of 128 KB with the L1: NV H; GS H
  },
  turing = {
    warps = 8,                                                     -- 1024 threads: NV H
    int_lanes = 16, fp_lanes = 16, sfu_lanes = 4, mem_lanes = 4,   -- 16 LSUs a SM: NV H
    scratch_latency = 23, shared_latency = 23, -- SJF M
    group_memory = 65536, groups = 16,         -- of 96 KB with the L1: NV H; GS H
    l0_sets = 4,                               -- 16 KB: S25 M
  },
  ampere = { -- GA102, GA104
    warps = 12, -- 1536 threads: NV, S25 H
    -- Half of the FP lanes are those of integers, too: here they are 32 always. 16 LSUs: NV H
    int_lanes = 16, fp_lanes = 32, sfu_lanes = 4, mem_lanes = 4,
    scratch_latency = 29, shared_latency = 29, -- GS M
    group_memory = 102400, groups = 32,        -- of 128 KB with the L1: NV H; GS H
    l0_sets = 8,                               -- 32 KB: S25 M
  },
}

-- What all have unless the generation has its own.
local common = {
  subcores = 4, warp = 32,           -- NV H
  requests_width = 4, mem_queue = 8, -- 4 tags a cycle: NV H; S25 M
  mem_entries = 128,                 -- S25 M
  scratch = 1024,                    -- as rtx2080; scratch memory is as fast as shared memory
  shared_banks = 32,                 -- SJF H
  barrier_latency = 4,               -- G
  l0_sets = 3, l0_ways = 32, fetch_ahead = 8, -- 12 KB: JV H; S25 M
  -- SJF, JIA, JV H: dependent integer and floating-point instructions follow after 4
  alu_latency = 4, imul_latency = 5, fadd_latency = 4, fmul_latency = 4, fma_latency = 4,
  fcmp_latency = 4, fmove_latency = 4, fcvt_latency = 6,
  branch_latency = 4, jump_latency = 4,                     -- G
  idiv_latency = 39, fdiv_latency = 39, fsqrt_latency = 39, -- AS M, as of rtx2080
  boxisect_latency = 21, triisect_latency = 44,             -- G: sequences of instructions
}

-- The instruction cache of an SM behind those of its sub-cores: 128 KB, 39 cycles away (S25 M).
local icache = option{name = "icache", default = 0, min = 0, max = 1,
                      doc = "instruction caches in each SM, 0: fetch is free"}
function sm_icache()
  return icache == 1 and {size = 131072, ways = 16, latency = 36, mshrs = 32} or nil
end

-- A table of all that is in these, the later ones first.
local function merged(...)
  local t = {}
  for _, part in ipairs{...} do
    for name, value in pairs(part) do t[name] = value end
  end
  return t
end

-- The parameters of an SM (gpu{simt = ...}). more: what a chip has instead.
function sm(generation, more)
  local t = merged(common, generations[generation], more or {})
  t.l0_sets = t.l0_sets * icache
  t.scheduler = option{name = "scheduler", default = t.scheduler or "cggty",
                       choices = {"lrr", "gto", "oldest", "two_level", "cggty"},
                       doc = "which warp issues"} -- S25 M
  t.reconvergence = option{name = "reconvergence", default = "independent",
                           choices = {"independent", "min_sp_pc", "ipdom"},
                           doc = "which path of a warp goes on"} -- all lanes get on: NV H
  return t
end

-- What all chips of SMs have unless they have their own: what GPGPU-Sim's configurations have in
-- common, else what rtx2080 has.
local frame = {tps = 1, mem_ports = 4, -- tags a cycle: NV H
               block = 32, stripe = 256, hop = 16, crossbar_depth = 8, hash = "xor"}
local levels = {
  l1 = {banks = 4, misses = 4, header = 0, replacement = "plru", allocate = "yes"},
  l2 = {size = 131072, ways = 16, mshrs = 192, targets = 4, reply_width = 40,
        replacement = "plru"},
  dram = {channels = 1, refresh = "bank", read_queue = 64, write_queue = 64},
}

-- chip: what gpu{} takes; clock and tms are defaults of options.
function sm_chip(chip)
  local whole = merged(frame, chip)
  whole.clock = option{name = "clock", default = chip.clock, min = 1, max = 10000,
                       doc = "core clock, MHz"}
  whole.tms = option{name = "tms", default = chip.tms, min = 1, max = 256, doc = "SMs"}
  whole.icache = sm_icache()
  for name, level in pairs(levels) do whole[name] = merged(level, chip[name]) end
  return gpu(whole)
end
