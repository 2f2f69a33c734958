/*
 * requests.csv: a line for each request to memory that was traced, in the order
 * in which answers were taken, with the cycles of all its legs.
 */
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/observe/traces.h"
#include "sim/units/common/request_log.h"
#include "sim/units/common/trip_legs.h"
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>

static const char what[] = "the trace of requests";

/* ---- before the run ---- */

static bool is_traced(const struct unit *u, const struct trace_window *w)
{
    return u->kind->trip_count && !fnmatch(w->units, u->name, 0);
}

/* Each tile has a log of its own, as tiles run at the same time. */
bool requests_begin(struct host *host)
{
    const struct trace_window *w = &host->traces[TRACE_REQUESTS];
    unsigned tiles = chip_tile_count(host->chip);
    bool any = false;
    if (!w->wanted)
        return true;
    bool *units = heap_new(chip_unit_count(host->chip), sizeof *units, what);
    struct request_log *logs = heap_new(tiles, sizeof *logs, what);
    for (unsigned i = 0; i < tiles; i++)
        logs[i] = (struct request_log){
            .window = w, .units = units, .full = CYCLE_NEVER};
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        units[i] = is_traced(u, w);
        any |= units[i];
    }
    host->machine.request_logs = logs;
    return any;
}

void requests_free(struct host *host)
{
    struct request_log *logs = host->machine.request_logs;
    if (!logs)
        return;
    for (unsigned i = 0; i < chip_tile_count(host->chip); i++)
        free(logs[i].records);
    free((void *)logs[0].units);
    free(logs);
}

/* ---- the file ---- */

/* Those of a unit are in the order of their answers already: its tile's log
 * is. */
static int by_answer(const void *a, const void *b)
{
    const struct request_record *x = *(const struct request_record *const *)a;
    const struct request_record *y = *(const struct request_record *const *)b;
    if (x->ended != y->ended)
        return x->ended < y->ended ? -1 : 1;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    return (x > y) - (x < y);
}

static const struct request_record **sorted(const struct host *host,
                                            uint64_t end, uint64_t *count)
{
    const struct request_log *logs = host->machine.request_logs;
    uint64_t all = 0;
    *count = 0;
    for (unsigned i = 0; i < chip_tile_count(host->chip); i++)
        all += logs[i].count;
    const struct request_record **list = heap_new(all, sizeof *list, what);
    for (unsigned i = 0; i < chip_tile_count(host->chip); i++)
        for (uint64_t r = 0; r < logs[i].count; r++)
            if (logs[i].records[r].ended < end)
                list[(*count)++] = &logs[i].records[r];
    qsort(list, *count, sizeof *list, by_answer);
    return list;
}

/* Legs that the request did not have are 0; of harts only cores know. */
static void write_record(const struct host *host,
                         const struct request_record *r, FILE *out)
{
#define NAME(name, ...) #name,
    static const char *const served[] = {TRIP_SERVED_BY(NAME, )};
#undef NAME
    const struct unit *u = chip_unit_at(host->chip, r->unit);
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",%s,%s,%s,0x%" PRIx64 ",", r->begun,
            r->ended, u->name, u->kind->trip_rows[r->kind].name,
            served[r->served], r->address);
    if (u->kind->core)
        fprintf(out, "%" PRIu32, r->hart);
    for (unsigned leg = 0; leg < LEGS; leg++)
        fprintf(out, ",%" PRIu32, r->legs[leg]);
    fputc('\n', out);
}

void traces_write_requests(const struct host *host, FILE *out)
{
    uint64_t count;
    const struct request_record **list =
        sorted(host, traces_end(host, TRACE_REQUESTS), &count);
    fputs("begun,ended,unit,kind,served,address,hart", out);
#define LEG(name, ...) fputs("," #name, out);
    TRIP_LEGS_OF(LEG, )
#undef LEG
    fputc('\n', out);
    for (uint64_t i = 0; i < count; i++)
        write_record(host, list[i], out);
    free(list);
}
