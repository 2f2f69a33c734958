-- trax-software: rtx2080-paper without RT cores, table 6 of the Arches paper
include "paper.lua"

table1{rtcore = false}
