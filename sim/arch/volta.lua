-- A chip like NVIDIA's V100 with managed memory paged on demand, but for its cores. The presets
-- include this file and call uvm_v100(...).
include "gpu.lua"
include "paging.lua"

-- R: the report on the integration of UVM Smart, table 5 and listing 1 (clock,
-- SMs, L2, HBM; pages, faults, walks, PCIe). U: UVMSmart's configurations. JV:
-- Jia et al. 2018, the V100's latencies. NV: NVIDIA's V100 white paper. G: a
-- guess. docs/reference/chips.md.

-- cores(): what gpu{} takes of them, after the options of the chip.
function uvm_v100(cores)
  local clock = option{name = "clock", default = 1312, min = 1, max = 10000,
                       doc = "core clock, MHz"} -- R
  local paging = paging_option("on")
  if paging then
    paging.gmmu.gddr_size = 16 << 30                     -- R
    paging.gmmu.page_fault_latency = 45 * clock          -- R: 45 us
    paging.gmmu.page_table_walk_latency = 100            -- R
    paging.gmmu.gpgpu_kernel_launch_latency = 150 * clock -- U: 150 us
    -- U, and the report's simulator. What the report has measured, its table 1, is
    -- "table", from which the curve is up to a third off: docs/reference/paging.md.
    paging.pcie = {pcie_model = "atan"}
  end
  local chip = {
    clock = clock,
    tms = option{name = "tms", default = 84, min = 1, max = 256,
                 doc = "TMs"}, -- R
    block = 32, -- a warp
    -- Four stacks of eight channels, one L2 slice each: R. 256 B to a channel and
    -- the hash are those of rtx2080.
    partitions = 32, slices = 1, stripe = 256, hash = "xor",
    hop = 16, crossbar_depth = 8, -- G
    l1 = {
      size = 131072, ways = 64, banks = 4, misses = 4, -- NV
      latency = 25, -- 28 load to use, the ports take two, the TLB one: JV
      reply_width = 64, header = 0, mshrs = 256, targets = 32,
      replacement = "plru", allocate = "yes",
    },
    l2 = {
      size = 196608, ways = 24, -- R: 192 KiB
      latency = 133, -- 193 load to use, 28 before it, 32 in the crossbar: JV
      replacement = "lru", mshrs = 192, targets = 4, reply_width = 40,
    },
    -- 819 GB/s; the card's 900 lie between this and hbm2-2000.
    dram = {device = "hbm2-1600", refresh = "bank", mapping = "RoCoBaBgPcCo2",
            channels = 1, front = 92, back = 92, read_queue = 64,
            write_queue = 64},
    paging = paging,
  }
  for name, value in pairs(cores()) do chip[name] = value end
  return gpu(chip)
end
