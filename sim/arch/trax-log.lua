-- trax-log: dual-streaming-log without streams, RT cores
include "sources.lua"

local chip = source_chip(log_version())
chip.rtcore = source_rtcore()
gpu(chip)
