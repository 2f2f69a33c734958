/*
 * Main memory of the small ray-tracing processor: 64 KiB for each of the 32
 * threads of a patch, in banks of their own, so no two accesses are ever in
 * each other's way. A port takes an access each cycle and keeps their order;
 * the links' latencies are all that an access takes.
 *
 * Ports: port / data, a pair for each RT core and for the memory controller.
 */
#ifndef SIM_RTP_MEMORY_UNIT_H
#define SIM_RTP_MEMORY_UNIT_H

#include "sim/units/rtp/rtp_machine.h"

#define RTP_MEMORY_STATS(X)                                                    \
    X(reads, "accesses", "reads")                                              \
    X(writes, "accesses", "writes")                                            \
    X(read_bytes, "bytes", "read")                                             \
    X(written_bytes, "bytes", "written")

#endif
