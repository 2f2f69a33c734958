/* A timed run that is executed again. */
#ifndef SIM_HOST_RUN_TIMING_H
#define SIM_HOST_RUN_TIMING_H

#include "sim/core/engine.h"
#include "sim/host/host.h"

/*
 * Runs on to a cycle, or until the debugger wants it to stop, which is asked
 * after each cycle if `each`. For a copy of the process: what looks at the run
 * from outside is not called, as it has seen all of this before.
 */
enum engine_stop timing_again(struct host *host, uint64_t limit, bool each);

#endif
