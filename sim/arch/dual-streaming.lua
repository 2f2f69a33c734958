-- dual-streaming: rays in buckets by treelet, software traversal
include "streams.lua"

dual_streaming(coherent_version(), false)
