-- dual-streaming-log: dual-streaming-rt as in the run whose log was published
include "streams.lua"

dual_streaming(log_version(), true)
