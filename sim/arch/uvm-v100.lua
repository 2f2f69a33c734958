-- uvm-v100: a chip like NVIDIA's V100 with managed memory paged on demand
include "volta.lua"

uvm_v100(function()
  return {
    tps = option{name = "tps", default = 64, min = 1, max = 128,
                 doc = "thread processors in a TM"}, -- NV
    tp = {
      harts = option{name = "harts", default = 32, min = 1, max = 64,
                     doc = "hardware threads of a processor"}, -- 2048 a TM: NV
      scratch = 1024, turn = 1,
      alu_latency = 4, imul_latency = 4, fadd_latency = 4, fmul_latency = 4,
      fma_latency = 4, fcmp_latency = 4, fcvt_latency = 4, fmove_latency = 4,
      idiv_latency = 21,
    },
    sfu_float = {share = 4, latency = 39},
    -- The card has none; as in trax, for programs that ask.
    sfu_box = {share = 32, latency = 3},
    sfu_tri = {latency = 22},
  }
end)
