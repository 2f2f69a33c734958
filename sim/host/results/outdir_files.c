/* The files of --outdir, each of them whole. Formats: docs/sim-run.md. */
#include "sim/core/paging_role.h"
#include "sim/core/unit.h"
#include "sim/host/observe/costs.h"
#include "sim/host/observe/traces.h"
#include "sim/host/results/json_text.h"
#include "sim/host/results/manifest.h"
#include "sim/host/results/outdir.h"
#include "sim/host/results/results.h"
#include "sim/host/results/stats_json.h"
#include <inttypes.h>
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

/* ---- transfers.csv ---- */

/* A line for each; the unit keeps them in the order of time. */
static void add_events(FILE *file, const struct unit *u)
{
#define NAME(what, name, meaning) [PAGING_##what] = name,
    static const char *const names[] = {PAGING_EVENTS(NAME)};
#undef NAME
    size_t count;
    const struct paging_event *e = u->kind->paging->events(u, &count);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%" PRIu64 ",%" PRIu64 ",%s,0x%" PRIx64 ",%" PRIu64 "\n",
                e[i].begin, e[i].end, names[e[i].kind], e[i].address,
                e[i].bytes);
}

bool output_transfers(struct host *host, const struct outcome *outcome,
                      struct error *error)
{
    const char *outdir = host->options->outdir;
    struct whole w;
    if (!host->options->transfers)
        return true;
    if (!outdir_open(&w, outdir, TRANSFERS, error))
        return false;
    fputs("begin,end,kind,address,bytes\n", w.file);
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        if (u->kind->paging && u->kind->paging->events)
            add_events(w.file, u);
    }
    return outdir_finish(&w, outdir, TRANSFERS, error);
}

/* ---- --profile, --trace ---- */

/* What is wanted of each, by option; the files do not depend on each other. */
bool output_watched(struct host *host, const struct outcome *outcome,
                    struct error *error)
{
    const struct options *o = host->options;
    const struct {
        bool wanted;
        const char *name;
        void (*write)(const struct host *, FILE *);
    } files[] = {
        {host->costs, PROFILE_TEXT, costs_write_text},
        {host->costs, PROFILE_JSON, costs_write_json},
        {host->costs, CALLGRIND, costs_write_callgrind},
        {o->traces[TRACE_HARTS].wanted, TRACE_PERFETTO, traces_write_harts},
        {o->traces[TRACE_PIPELINE].wanted, TRACE_KONATA, traces_write_konata},
        {o->traces[TRACE_RAYS].wanted, TRACE_PERFETTO_RAYS, traces_write_rays},
        {o->traces[TRACE_REQUESTS].wanted, TRACE_CSV, traces_write_requests},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct whole w;
        if (!files[i].wanted)
            continue;
        if (!outdir_open(&w, o->outdir, files[i].name, error))
            return false;
        files[i].write(host, w.file);
        if (!outdir_finish(&w, o->outdir, files[i].name, error))
            return false;
    }
    return true;
}

/* ---- the other files ---- */

/* The log was kept in memory (log.c): its stream is flushed, so that log_text
 * and log_size are up to date. */
bool output_log(struct host *host, const struct outcome *outcome,
                struct error *error)
{
    const char *outdir = host->options->outdir;
    struct whole w;
    if (!outdir)
        return true;
    fflush(host->log);
    if (!outdir_open(&w, outdir, LOG, error))
        return false;
    fwrite(host->log_text, 1, host->log_size, w.file);
    return outdir_finish(&w, outdir, LOG, error);
}

bool output_stats(struct host *host, const struct outcome *outcome,
                  struct error *error)
{
    const char *outdir = host->options->outdir;
    if (!outdir)
        return true;
    cJSON_Delete(host->stats);
    host->stats = stats_json(host);
    return output_json(outdir, STATS, host->stats, error);
}

/* Of a timed run. */
bool output_stats_text(struct host *host, const struct outcome *outcome,
                       struct error *error)
{
    const char *outdir = host->options->outdir;
    struct whole w;
    if (!host->stats || !host->engine)
        return true;
    if (!outdir_open(&w, outdir, STATS_TEXT, error))
        return false;
    stats_text(w.file, host->stats, host->options->interval_units);
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
