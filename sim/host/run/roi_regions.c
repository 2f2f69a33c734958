/*
 * Regions of interest: the cycles between corbel_roi_begin and corbel_roi_end,
 * as many as the program marks. A call that makes no sense changes nothing, and
 * the end of the run tells of it.
 */
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/results.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static void count_wrong(struct host *host, uint64_t *kind)
{
    struct regions *r = &host->regions;
    if (!r->nested && !r->unbegun)
        r->first_wrong = host->now;
    ++*kind;
}

static bool make_room(struct regions *r)
{
    if (r->count < r->room)
        return true;
    unsigned room = r->room ? 2 * r->room : 64;
    struct range *more = realloc(r->ranges, room * sizeof *more);
    if (!more)
        return false;
    r->ranges = more;
    r->room = room;
    return true;
}

/* Begins or ends a region now. cpu: the clock is subtracted at the beginning
 * and added at the end, so that the sum is the time within all regions. */
static void mark(struct host *host, bool begin)
{
    struct regions *r = &host->regions;
    double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    r->open = begin;
    r->cpu += begin ? -cpu : cpu;
    totals_region(host, begin);
    if (begin)
        r->ranges[r->count].start = host->now;
    else
        r->ranges[r->count++].end = host->now;
    observers_border(host, RANGE_OF_REGION, r->count + begin, begin);
    host_log(host, "region of interest %s", begin ? "begins" : "ends");
}

int64_t regions_mark(struct host *host, bool begin)
{
    struct regions *r = &host->regions;
    if (begin == r->open) {
        count_wrong(host, begin ? &r->nested : &r->unbegun);
        return -EINVAL;
    }
    if (begin && !roi_region(host))
        return -EBUSY;
    if (begin && (r->count == REGIONS_MOST || !make_room(r))) {
        r->left_out++;
        return -ENOMEM;
    }
    mark(host, begin);
    return 0;
}

void regions_end(struct host *host)
{
    struct regions *r = &host->regions;
    if (r->nested || r->unbegun)
        host_note(host,
                  "%" PRIu64 " corbel_roi_begin within a region and %" PRIu64
                  " corbel_roi_end outside of one had no effect, the first in "
                  "cycle %" PRIu64,
                  r->nested, r->unbegun, r->first_wrong);
    if (r->left_out)
        host_note(host,
                  "%" PRIu64 " regions of interest are left out: there are %u",
                  r->left_out, r->count);
    if (!r->open)
        return;
    host_note(host,
              "the region of interest that began in cycle %" PRIu64
              " is open, and counted up to the end",
              r->ranges[r->count].start);
    mark(host, false);
}

void regions_free(struct regions *r)
{
    free(r->ranges);
}
