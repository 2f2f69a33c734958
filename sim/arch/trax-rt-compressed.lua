-- trax-rt-compressed: rtx2080-paper that reads compressed nodes, table 6
include "paper.lua"

table1{rtcore = true, nodes = "cwbvh6", triangles = "plain"}
