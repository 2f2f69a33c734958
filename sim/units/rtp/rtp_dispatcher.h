/*
 * Patch dispatcher: hands the threads of a patch to RT cores, and the rays of
 * threads that trace to intersection cores, by two queues of thread numbers.
 * It keeps PC, stack pointer and pixel of each thread. Threads that begin and
 * threads that come back share a queue, so none overtakes.
 *
 * All decisions of a cycle that the hardware makes at once are made here; that
 * data moves along with them the buffer is told in the same cycle.
 *
 * Ports: patch, done (of and to the patcher); job, request (a link for each RT
 * core); hit (a link for each intersection core); move (to the buffer).
 */
#ifndef SIM_RTP_DISPATCHER_H
#define SIM_RTP_DISPATCHER_H

#include "sim/units/rtp/rtp_machine.h"

/* A thread's cycles, from its loading to its end: each is in one of these. */
#define RTP_THREAD_CYCLES(X)                                                   \
    X(starting, "thread cycles", "a new thread waits for an RT core")          \
    X(running, "thread cycles", "it has one, until that asks to be rid of it") \
    X(tracing_wait, "thread cycles", "its ray waits for an intersection core") \
    X(tracing, "thread cycles", "its ray has one")                             \
    X(resuming, "thread cycles", "its ray is traced, it waits for an RT core")

#define RTP_DISPATCHER_STATS(X)                                                \
    X(patches, "patches", "patches taken")                                     \
    X(jobs, "threads", "threads given to RT cores")                            \
    X(rays, "rays", "rays given to intersection cores")                        \
    X(job_wait, "thread cycles", "threads in the queue for RT cores")          \
    X(ray_wait, "thread cycles",                                               \
      "threads in the queue for intersection "                                 \
      "cores")                                                                 \
    X(request_wait, "core cycles", "RT cores whose request has to wait")       \
    X(threads, "threads", "threads that have ended")                           \
    RTP_THREAD_CYCLES(X)

#define RTP_DISPATCHER_BUCKETS(X)                                              \
    X(busy, BUSY, "cycles", "a patch runs")                                    \
    X(idle, IDLE, "cycles", "no patch")

#endif
