/*
 * Command patcher: has the controller load all that an image needs, then hands
 * patches of 32 pixels to the dispatcher, one after another, and has the
 * results of each written out. The host starts it in cycle 0 if
 * there is a program.
 *
 * Of its register `condition` bit 0 says that the host's buffer is free: it is
 * cleared when a patch has been written, and set again by the host, who has
 * copied the buffer, `host_copy` cycles later. The next patch runs meanwhile,
 * but is not written before.
 *
 * Ports: patch / done (dispatcher); command / loaded (controller); end (an RT
 * core, which tells the host).
 */
#ifndef SIM_RTP_PATCHER_H
#define SIM_RTP_PATCHER_H

#include "sim/units/rtp/rtp_machine.h"

#define RTP_PATCHER_PARAMS(X)                                                  \
    X(host_copy, 11, 1, 1000000, "cycles",                                     \
      "until the host has copied a patch's results")

#define RTP_PATCHER_STATS(X) X(patches, "patches", "patches written out")

#define RTP_PATCHER_BUCKETS(X)                                                 \
    X(load, BUSY, "cycles", "program and data are loaded")                     \
    X(run, BUSY, "cycles", "a patch runs")                                     \
    X(wait, WAITS, "cycles", "a patch is done, the host's buffer not free")    \
    X(write, BUSY, "cycles", "results are written out")                        \
    X(idle, IDLE, "cycles", "the image is complete")

#endif
