/*
 * The way of an access through the chip, from a core to memory,
 * as far as the links tell: what the check of memory says in its messages.
 */
#ifndef SIM_HOST_MEMCHECK_ACCESS_PATH_H
#define SIM_HOST_MEMCHECK_ACCESS_PATH_H

#include "sim/core/chip.h"
#include <stddef.h>
#include <stdint.h>

#define PATH_UNKNOWN 0xffu

/*
 * "tm0.tp1 -> tm0.l1 (miss) -> part0.l2.1 (hit)": up to the cache that had it.
 * served: MEM_DEPTH and MEM_JOINED of the answer, PATH_UNKNOWN: up to memory.
 */
void path_text(struct unit *core, uint64_t address, unsigned served, char *text,
               size_t size);

#endif
