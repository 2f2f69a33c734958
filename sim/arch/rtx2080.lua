-- rtx2080: a chip like NVIDIA's RTX 2080: Arches' table 1 and public evidence
include "turing.lua"

turing{}
