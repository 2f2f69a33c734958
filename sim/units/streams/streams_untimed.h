/*
 * Ray streams without timing: what the units of a chip that serve their
 * instructions hand to --functional as their state (unit_kind.state). All units
 * of a chip share one pool of work items and one of stored rays.
 */
#ifndef SIM_STREAMS_UNTIMED_H
#define SIM_STREAMS_UNTIMED_H

#include "sim/units/common/machine.h"

#include <corbel/serve.h>

/* rtcores: they take the work items, not programs. */
struct corbel_streams *streams_untimed(struct machine *m, bool rtcores);
struct corbel_raystore *raystore_untimed(struct machine *m);

#endif
