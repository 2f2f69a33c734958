-- dual-streaming-rt: rays in buckets by treelet, traced by RT cores
include "streams.lua"

dual_streaming(coherent_version(), true)
