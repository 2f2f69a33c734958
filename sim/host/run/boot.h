/*
 * The boot block, which crt0 reads at reset (runtime/include/corbel/abi.h): how
 * many harts there are, where heap and stack lie, arguments and environment.
 */
#ifndef SIM_HOST_RUN_BOOT_H
#define SIM_HOST_RUN_BOOT_H

#include "sim/host/host.h"

/* Is there room for all of it below the program? */
bool boot_fits(const struct host *host, struct error *error);
/* Once the memory is laid out; notes where the program's name lies. */
void boot_write(struct host *host);

#endif
