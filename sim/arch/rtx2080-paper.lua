-- rtx2080-paper: the RTX 2080 chip of the Arches paper, table 1 to the letter
include "paper.lua"

table1{rtcore = true}
