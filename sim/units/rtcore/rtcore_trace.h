/* What the slots of an RT core do, event by event (--trace rays). */
#ifndef SIM_RTCORE_TRACE_H
#define SIM_RTCORE_TRACE_H

#include "sim/core/trip.h"
#include "sim/units/common/hart_trace.h"

struct ray_slot;
struct rtcore;

/* r->trace, NULL: rays are not traced, or not those of this unit. */
void rtcore_trace_new(struct rtcore *r);
/* Records where all slots are, in the window's first cycle, or when something
 * happens first. */
void rtcore_trace_begin(struct rtcore *r, uint64_t now);
/* The slot is about to enter a state; STATES: to be free. */
void rtcore_trace_move(struct rtcore *r, const struct ray_slot *s,
                       unsigned state, uint64_t now);
#if STALLS
#define RTCORE_TRACE(r, s, state, now)                                         \
    ((r)->trace ? rtcore_trace_move(r, s, state, now) : (void)0)
#else
#define RTCORE_TRACE(r, s, state, now) ((void)0)
#endif

#endif
