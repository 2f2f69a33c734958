-- uvm-v100-simt: the same chip with SIMT cores, as the card has
include "volta.lua"
include "sm.lua"

uvm_v100(function()
  return {tps = 1, mem_ports = 4, -- tags a cycle: NV
          simt = sm("volta", {translation = "request"})} -- as in UVMSmart
end)
