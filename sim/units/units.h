/* The kinds of units that chips are made of. */
#ifndef SIM_UNITS_H
#define SIM_UNITS_H

#include "sim/core/chip.h"

extern const struct unit_kind tp_kind, sfu_kind, scheduler_kind,
    workcounter_kind, cache_kind, memory_kind, dram_kind, rtcore_kind;

/* All of them, NULL-terminated: the argument of chip_new. */
extern const struct unit_kind *const unit_kinds[];

#endif
