-- trax-rt: rtx2080-paper that reads uncompressed nodes, table 6
include "paper.lua"

table1{rtcore = true, nodes = "bvh6", triangles = "plain"}
