-- Managed memory that is paged on demand, as an option of a chip of gpu.lua:
-- a TLB in each TM, a GMMU, PCIe. What they do is in sim/uvm and docs/reference/units.md.

-- UVMSmart's configuration of a GTX 1080 Ti, where it differs from the units'
-- defaults; pages, walks (in core cycles) and PCIe are theirs.
local shipped = {migrate_threshold = 8, multiply_dma_penalty = 2,
                 hwprefetch_oversub = "tbn"}

-- What gpu{paging = ...} takes, or nil without the option.
function paging_option(default)
  local on = option{name = "uvm", default = default or "off",
                    choices = {"off", "on"},
                    doc = "managed memory that is paged on demand"}
  local place = option{name = "uvm_tlb", default = "core",
                       choices = {"core", "crossbar"},
                       doc = "the TLBs are before the L1s, or behind them"}
  local files = option{name = "managed", default = "none",
                       choices = {"none", "scene", "rays", "file", "all"},
                       doc = "files of programs that are managed memory"}
  local charge = option{name = "charge_dram", default = "off",
                        choices = {"off", "on"},
                        doc = "migration takes of the DRAMs' bandwidth"}
  if on == "off" and files ~= "none" then
    error("chip.managed=" .. files .. ": expected chip.uvm=on", 0)
  elseif on == "off" and charge == "on" then
    error("chip.charge_dram=on: expected chip.uvm=on", 0)
  end
  shipped.managed_files = files == "none" and "" or
                          files == "all" and "scene,rays,file" or files
  return on == "on" and {place = place, gmmu = shipped,
                        charge_dram = charge == "on"} or nil
end
