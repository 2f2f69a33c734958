-- The small ray-tracing processor with 4 RT and 8 intersection cores.
include "rtp.lua"
rtp{n_rt = 4, n_ic = 8}
