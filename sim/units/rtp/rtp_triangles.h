/*
 * Triangle memory of an intersection core: an index memory of vertex numbers
 * and shader words, and three of coordinates. A request takes `latency` cycles,
 * or two if its triangle was fetched ahead: after each answer the next triangle
 * is. A number behind the last triangle is answered at once: there is none.
 *
 * The triangles themselves are read in place (struct rtp_machine).
 *
 * Ports: fetch / triangle.
 */
#ifndef SIM_RTP_TRIANGLES_H
#define SIM_RTP_TRIANGLES_H

#include "sim/units/rtp/rtp_machine.h"

#define RTP_TRIANGLES_PARAMS(X, T)                                             \
    X(latency, 5, 2, 60, "cycles", "from a request to the data")               \
    T(rtl_quirks, "", 127, "names", "defects of the hardware, or all")

#define RTP_TRIANGLES_STATS(X)                                                 \
    X(requests, "requests", "requests for triangles")                          \
    X(ahead, "requests", "of them, whose triangle had been fetched ahead")

#endif
