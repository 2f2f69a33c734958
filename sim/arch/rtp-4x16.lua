-- rtp-4x16: the small ray-tracing processor, 4 RT and 16 intersection cores
include "rtp.lua"
rtp{n_rt = 4, n_ic = 16}
