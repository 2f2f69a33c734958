/*
 * --trace: what harts did in a window of cycles, for viewers of others.
 *   harts      harts.pftrace, for Perfetto: TrackEvents in protobuf
 *   pipeline   pipeline.kanata, for Konata: its log, version 4
 */
#ifndef SIM_HOST_TRACES_H
#define SIM_HOST_TRACES_H

#include "sim/host/host.h"
#include "sim/units/hart_trace.h"

/* The value of the option: KIND[:UNITS[,FROM:TO[,SIZE]]]. */
bool traces_parse(struct options *o, const char *text, struct error *error);
/* Is any wanted? */
bool traces_wanted(const struct options *o);

/* Before the run: divides the memory among the cores that are traced. False: no
 * core is called as a pattern says. */
bool traces_begin(const struct host *host, struct error *error);

/* The trace of a unit, NULL: none. */
struct hart_trace *traces_of(struct unit *u, enum trace_kind kind);
/* The cycle at which all traces of the kind end. */
uint64_t traces_end(const struct host *host, enum trace_kind kind);
/* Says so where that is before what was asked for. */
void traces_tell(struct host *host);

/* The files. */
void traces_write_perfetto(const struct host *host, FILE *out);
void traces_write_konata(const struct host *host, FILE *out);

#endif
