-- rtp-4x8: the small ray-tracing processor, 4 RT and 8 intersection cores
include "rtp.lua"
rtp{n_rt = 4, n_ic = 8}
