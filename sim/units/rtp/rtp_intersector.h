/*
 * Intersection core: tests a ray against all triangles, one after another; a
 * fixed counter gives each the same number of cycles. While one is tested the
 * next is asked for, so the triangle memory's latency is never seen. That there
 * is no next one ends the ray.
 *
 * With pipeline=doc, for studies, a triangle enters every `interval` cycles and
 * the last one takes `cycles`.
 *
 * Ports: start (of the buffer), triangle (of the triangle memory); fetch, hit
 * (to the buffer), done (to the dispatcher).
 */
#ifndef SIM_RTP_INTERSECTOR_H
#define SIM_RTP_INTERSECTOR_H

#include "sim/units/rtp/rtp_machine.h"

#define RTP_INTERSECTOR_PARAMS(X)                                              \
    X(cycles, 51, 4, 1000, "cycles", "of a triangle")                          \
    X(pipeline, 0, 0, 1, "=off|doc", "do the tests of triangles overlap?")     \
    X(interval, 13, 4, 1000, "cycles", "between triangles, pipeline=doc")      \
    X(two_sided, 0, 0, 1, "", "1: triangles are hit from both sides")          \
    X(ftz, 0, 0, 1, "", "1: subnormal floats are zeros")

#define RTP_INTERSECTOR_STATS(X)                                               \
    X(rays, "rays", "rays traced")                                             \
    X(hits, "rays", "of them, that hit a triangle")                            \
    X(tests, "tests", "triangles tested")

#define RTP_INTERSECTOR_BUCKETS(X)                                             \
    X(busy, BUSY, "cycles", "a ray is traced")                                 \
    X(idle, IDLE, "cycles", "no ray")

#endif
