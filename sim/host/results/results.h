/* What a run leaves behind: the hash, the summary and the files of --outdir. */
#ifndef SIM_HOST_RESULTS_RESULTS_H
#define SIM_HOST_RESULTS_RESULTS_H

#include "sim/host/host.h"
#include <time.h>

/* Host time that a run took, in seconds. */
struct effort {
    double wall, cpu;
};

/* What the files of --outdir tell beside the machine's state. */
struct outcome {
    uint64_t hash;
    struct effort effort;
};

/* A clock of the host, for speeds. */
double clock_seconds(clockid_t clock);

/*
 * XXH64 over the number of cycles, the exit status and the number of
 * instructions, then all statistics in the order of the units (timed runs),
 * then every page of memory that is not zero with its address, and what kinds
 * of cores say that their programs have left elsewhere.
 */
uint64_t results_hash(const struct host *host);

void results_summary(const struct host *host, const struct effort *effort);

/* Cycles within all regions of interest that have ended. */
uint64_t results_region(const struct host *host);

/* Simulated time that cycles take. */
double results_seconds(const struct host *host, uint64_t cycles);

/* Bytes of the program's memory, scenes included, in pages not all zero. */
uint64_t results_memory(const struct host *host);

/* Instructions executed by all harts. */
uint64_t results_instructions(const struct host *host);

/* One of the files of --outdir; true without it. */
bool output_log(struct host *host, const struct outcome *outcome,
                struct error *error);
bool output_stats(struct host *host, const struct outcome *outcome,
                  struct error *error);
/* After output_stats. */
bool output_stats_text(struct host *host, const struct outcome *outcome,
                       struct error *error);
bool output_manifest(struct host *host, const struct outcome *outcome,
                     struct error *error);

/* A file of outdir, which there is, as a function writes it. */
bool output_file(const struct host *host, const char *name,
                 void (*write)(const struct host *, FILE *),
                 struct error *error);

/* A file of outdir. The tree stays the caller's. */
struct cJSON;
bool output_json(const char *outdir, const char *name, const struct cJSON *json,
                 struct error *error);

#endif
