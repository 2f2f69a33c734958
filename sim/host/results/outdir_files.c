/* The files of --outdir, each of them whole. Formats:
 * docs/reference/sim-run.md. */
#include "sim/host/results/json_text.h"
#include "sim/host/results/manifest.h"
#include "sim/host/results/outdir.h"
#include "sim/host/results/results.h"
#include "sim/host/results/stats_json.h"
#include <stdlib.h>

bool output_json(const char *outdir, const char *name, const cJSON *json,
                 struct error *error)
{
    struct whole w;
    if (!outdir_open(&w, outdir, name, error))
        return false;
    char *text = json_text(json);
    fputs(text, w.file);
    free(text);
    return outdir_finish(&w, outdir, name, error);
}

bool output_file(const struct host *host, const char *name,
                 void (*write)(const struct host *, FILE *),
                 struct error *error)
{
    const char *outdir = host->options->outdir;
    struct whole w;
    if (!outdir_open(&w, outdir, name, error))
        return false;
    write(host, w.file);
    return outdir_finish(&w, outdir, name, error);
}

/* The log was kept in memory (log.c): its stream is flushed, so that log_text
 * and log_size are up to date. */
bool output_log(struct host *host, const struct outcome *outcome,
                struct error *error)
{
    const char *outdir = host->options->outdir;
    struct whole w;
    if (!outdir)
        return true;
    fflush(host->log.stream);
    if (!outdir_open(&w, outdir, LOG, error))
        return false;
    fwrite(host->log.text, 1, host->log.size, w.file);
    return outdir_finish(&w, outdir, LOG, error);
}

bool output_stats(struct host *host, const struct outcome *outcome,
                  struct error *error)
{
    const char *outdir = host->options->outdir;
    if (!outdir)
        return true;
    cJSON_Delete(host->tables.stats);
    host->tables.stats = stats_json(host);
    return output_json(outdir, STATS, host->tables.stats, error);
}

/* Writes stats.txt of a timed run. */
bool output_stats_text(struct host *host, const struct outcome *outcome,
                       struct error *error)
{
    const char *outdir = host->options->outdir;
    struct whole w;
    if (!host->tables.stats || !host->engine)
        return true;
    if (!outdir_open(&w, outdir, STATS_TEXT, error))
        return false;
    stats_text(w.file, host->tables.stats, host->options->interval_units);
    return outdir_finish(&w, outdir, STATS_TEXT, error);
}

bool output_manifest(struct host *host, const struct outcome *outcome,
                     struct error *error)
{
    const char *outdir = host->options->outdir;
    if (!outdir)
        return true;
    cJSON *json = manifest_json(host, outcome->hash, &outcome->effort);
    bool good = output_json(outdir, MANIFEST, json, error);
    cJSON_Delete(json);
    return good;
}
