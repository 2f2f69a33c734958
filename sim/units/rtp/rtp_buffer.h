/*
 * IC buffer: the data beside the dispatcher's queues. Rays go from RT cores to
 * intersection cores, results the other way, each through a ring of 32 entries
 * that moves in step with the dispatcher's queue of the same purpose.
 *
 * A thread that starts gets what is at the head of the results as well, though
 * it stays there: whatever that is, its program does not use it.
 *
 * Ports: move (of the dispatcher); ray, result (a link for each RT core);
 * start, hit (a link for each intersection core).
 */
#ifndef SIM_RTP_BUFFER_H
#define SIM_RTP_BUFFER_H

#include "sim/units/rtp/rtp_machine.h"

#define RTP_BUFFER_STATS(X)                                                    \
    X(rays, "rays", "rays queued")                                             \
    X(most_rays, "rays", "in the queue at once")                               \
    X(results, "results", "results queued")                                    \
    X(most_results, "results", "in the queue at once")

#endif
