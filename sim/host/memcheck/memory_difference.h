/* Where two memories of programs differ. */
#ifndef SIM_HOST_MEMCHECK_MEMORY_DIFFERENCE_H
#define SIM_HOST_MEMCHECK_MEMORY_DIFFERENCE_H

#include "sim/units/common/machine.h"

/* The first address at which they do, UINT64_MAX: nowhere. */
uint64_t memory_difference(const struct machine *a, const struct machine *b);

#endif
