-- rtx2080-simt: the same chip with SIMT cores, as the card has
include "turing.lua"
include "sm.lua"

turing{mem_ports = 4, -- tags a cycle: NV H
       simt = sm("turing"), icache = sm_icache()}
