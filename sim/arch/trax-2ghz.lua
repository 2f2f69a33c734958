-- trax-2ghz: dual-streaming-rt without streams, RT cores
include "sources.lua"

local chip = source_chip(coherent_version())
chip.rtcore = source_rtcore()
gpu(chip)
