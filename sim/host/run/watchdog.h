/* What ends a run that does not get on. */
#ifndef SIM_HOST_RUN_WATCHDOG_H
#define SIM_HOST_RUN_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

/* Cycles without progress after which a run is given up, if the command line
 * says nothing. */
#define WATCHDOG_CYCLES 10000000u

/*
 * engine_hooks.watch: false, and the run is over, if nothing has got on since
 * the last call: no hart has executed an instruction, no ray or piece of work
 * was taken or done, main memory and PCIe have brought nothing, and no hart is
 * asleep. context: the struct host.
 */
bool watchdog_looks(void *context, uint64_t now);

#endif
