/*
 * manifest.json of --outdir: what was run, on which chip, with which files,
 * how the host ran it, and how it ended. docs/reference/sim-run.md has its
 * fields.
 */
#ifndef SIM_HOST_RESULTS_MANIFEST_H
#define SIM_HOST_RESULTS_MANIFEST_H

#include "sim/host/results/results.h"
#include <cjson/cJSON.h>

/* What is known of a run that goes on: what it was made of, and what it has
 * read so far. The caller frees what is returned. */
cJSON *manifest_begun(const struct host *host);
/* All of it. hash: the results hash. The caller frees what is returned. */
cJSON *manifest_json(const struct host *host, uint64_t hash,
                     const struct effort *effort);

#endif
