-- rtx2080-simt: the same chip with SIMT cores, as the card has
include "turing.lua"

-- Sources as in turing.lua; S25: the simulator of Huerta et al., MICRO 2025.
turing{
  mem_ports = 4, -- tags a cycle: NV H
  simt = {
    subcores = 4, warps = 8, warp = 32,  -- 1024 threads: NV H
    scheduler = option{name = "scheduler", default = "cggty",
                       choices = {"lrr", "gto", "oldest", "two_level", "cggty"},
                       doc = "which warp issues"}, -- S25 M
    reconvergence = option{name = "reconvergence", default = "independent",
                           choices = {"independent", "min_sp_pc"},
                           doc = "which path of a warp goes on"}, -- all lanes get on: NV H
    int_lanes = 16, fp_lanes = 16, sfu_lanes = 4, -- NV H
    mem_lanes = 4,                                -- 16 LSUs a SM: NV H
    requests_width = 4, mem_queue = 8,            -- 4 tags a cycle: NV H; S25 M
    mem_entries = 128,                            -- S25 M
    scratch = 1024, scratch_latency = 23,         -- as shared memory: SJF M
    -- 64 of the 96 KB; 65536 registers, 16 groups an SM: NV, AS H; 32 registers a hart: G
    group_memory = 65536, shared_banks = 32, shared_latency = 23, -- SJF H
    barrier_latency = 4, groups = 16,             -- G; AS H
    -- SJF, JIA H: dependent integer and floating-point instructions follow after 4
    alu_latency = 4, imul_latency = 5, fadd_latency = 4, fmul_latency = 4, fma_latency = 4,
    fcmp_latency = 4, fmove_latency = 4, fcvt_latency = 6,
    branch_latency = 4, jump_latency = 4,         -- G
    idiv_latency = 39, fdiv_latency = 39, fsqrt_latency = 39, -- AS M, as of rtx2080
    boxisect_latency = 21, triisect_latency = 44,             -- G: sequences of instructions
  },
}
