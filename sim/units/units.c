/* The list of kinds of units as an array, for chip_new. */
#include "sim/units/units.h"

#define POINTER(name) &name##_kind,
const struct unit_kind *const unit_kinds[] = {UNIT_KINDS(POINTER) NULL};
