/*
 * --trace: what harts, rays and requests did in a window of cycles.
 *   harts      harts.pftrace, for Perfetto: TrackEvents in protobuf
 *   pipeline   pipeline.kanata, for Konata: its log, version 4
 *   rays       rays.pftrace, for Perfetto
 *   requests   requests.csv
 */
#ifndef SIM_HOST_OBSERVE_TRACES_H
#define SIM_HOST_OBSERVE_TRACES_H

#include "sim/host/host.h"
#include "sim/units/common/hart_trace.h"

/* Is any wanted? */
bool traces_wanted(const struct options *o);

/* The trace of a unit, NULL: none. */
struct hart_trace *traces_of(struct unit *u, enum trace_kind kind);
/* The cycle at which all traces of the kind end. */
uint64_t traces_end(const struct host *host, enum trace_kind kind);

/* The files. */
void traces_write_harts(const struct host *host, FILE *out);
void traces_write_rays(const struct host *host, FILE *out);
void traces_write_konata(const struct host *host, FILE *out);
void traces_write_requests(const struct host *host, FILE *out);

/* ---- trace_requests.c ---- */

/* False: they are wanted, and no unit is called so. */
bool requests_begin(struct host *host);
void requests_free(struct host *host);

#endif
