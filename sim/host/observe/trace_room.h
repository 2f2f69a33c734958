/*
 * How much memory the records of a trace take. All units that are traced share
 * it: each takes what it needs, and when all together have more records than
 * fit, the trace of all ends at the cycle from which on they did.
 *
 * Which cycle that is depends on the run alone: units add records within an
 * epoch as they like, and only what all of them have done up to a cycle at
 * which all stand still is counted.
 */
#ifndef SIM_HOST_OBSERVE_TRACE_ROOM_H
#define SIM_HOST_OBSERVE_TRACE_ROOM_H

#include "sim/host/host.h"

/* Before the run, all traces being there. */
void trace_rooms_begin(struct host *host);
void trace_rooms_free(struct host *host);
/* All tiles stand still at that cycle, and have done all before it. */
void trace_rooms_look(struct host *host, uint64_t now);
/* As of an observer. */
bool trace_rooms_still(struct host *host, uint64_t now);
bool trace_rooms_watch(const struct host *host);
/* The cycle at which the trace ends, CYCLE_NEVER: all has fitted. */
uint64_t trace_room_end(const struct host *host, enum trace_kind kind);
/* Says which unit, or of requests which tile, has most of the records, or that
 * none has much more than others; returns text. */
const char *trace_room_filled(const struct host *host, enum trace_kind kind,
                              char *text, size_t size);

#endif
