/*
 * Memory controller: moves data between the host and the processor, in lines of
 * 64 bytes. It loads the pixel count, the program, constants and triangles, and
 * after a patch it reads the 32 results from the main memory and writes them to
 * the host, 4 threads a line.
 *
 * What is loaded is read in place (struct rtp_machine): a load takes its time,
 * and no data travels.
 *
 * Ports: command / done (of the patcher); mem / data, four pairs (of the
 * main memory).
 */
#ifndef SIM_RTP_CONTROLLER_H
#define SIM_RTP_CONTROLLER_H

#include "sim/units/rtp/rtp_machine.h"

#define RTP_CONTROLLER_PARAMS(X)                                               \
    X(dma_latency, 20, 1, 100000, "cycles", "from go to the first line",       \
      PARAM_SAFE)                                                              \
    X(count_line, 4, 1, 1000, "cycles", "for the line with the pixel count",   \
      PARAM_SAFE)                                                              \
    X(word_line, 19, 1, 1000, "cycles", "for a line of program or constants",  \
      PARAM_SAFE)                                                              \
    X(write_line, 6, 6, 1000, "cycles", "between lines of results")            \
    X(dma_write, 5, 1, 100000, "cycles", "from the last line to its end",      \
      PARAM_SAFE)

#define RTP_CONTROLLER_STATS(X)                                                \
    X(lines_in, "lines", "lines read from the host")                           \
    X(lines_out, "lines", "lines written to the host")

#define RTP_CONTROLLER_BUCKETS(X)                                              \
    X(load, BUSY, "cycles", "a block is loaded")                               \
    X(write, BUSY, "cycles", "results are written")                            \
    X(idle, IDLE, "cycles", "nothing to do")

#endif
