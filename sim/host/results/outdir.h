/*
 * The directory of --outdir, which belongs to one run at a time.
 */
#ifndef SIM_HOST_RESULTS_OUTDIR_H
#define SIM_HOST_RESULTS_OUTDIR_H

#include "sdk/whole/whole.h"
#include "sim/core/error.h"
#include <stdbool.h>

/* The files of a run. */
#define STATS "stats.json"
#define STATS_TEXT "stats.txt"
#define MANIFEST "manifest.json"
#define INTERVALS "intervals.csv"
#define UNIT_INTERVALS "unit-intervals.csv"
#define LINKS "links.csv"
#define TRANSFERS "transfers.csv"
#define LOG "log.txt"
#define SERVE_ADDRESS "serve.url" /* while --serve serves */
#define PIXELS "pixels.json"
#define COST_FILE(name, end) "cost-" #name "." end
#define PROFILE_TEXT "profile.txt"
#define PROFILE_JSON "profile.json"
#define CALLGRIND "callgrind.out"
#define TRACE_PERFETTO "harts.pftrace"
#define TRACE_PERFETTO_RAYS "rays.pftrace"
#define TRACE_CSV "requests.csv"
#define TRACE_KONATA "pipeline.kanata"

/* Makes the directory, takes it for this run until the process ends, and fails
 * early if it cannot be written, as the run may take long. */
bool outdir_prepare(const char *outdir, struct error *error);
/* The run begins: removes what an earlier one has left there of the files
 * above, but the address of a server that serves already. */
bool outdir_clear(const char *outdir, bool serves, struct error *error);

/* Is it the name of one of these files, or a temporary one? */
bool outdir_owns(const char *name);

/* A file of the run, which appears when it is finished (whole.h), so a run that
 * is killed leaves no half of one. False: it cannot be written, and is not
 * there. */
bool outdir_open(struct whole *w, const char *outdir, const char *name,
                 struct error *error);
bool outdir_finish(struct whole *w, const char *outdir, const char *name,
                   struct error *error);
/* Always false: a file cannot be written, for the reason that errno gives. */
bool outdir_lacks(const char *outdir, const char *name, struct error *error);

#endif
