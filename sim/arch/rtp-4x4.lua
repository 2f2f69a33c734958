-- rtp-4x4: the small ray-tracing processor, 4 RT and 4 intersection cores
include "rtp.lua"
rtp{n_rt = 4, n_ic = 4}
