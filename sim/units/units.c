#include "sim/units/units.h"

const struct unit_kind *const unit_kinds[] = {
    &tp_kind,          &sfu_kind,    &scheduler_kind,
    &workcounter_kind, &cache_kind,  &memory_kind,
    &dram_kind,        &rtcore_kind, NULL,
};
