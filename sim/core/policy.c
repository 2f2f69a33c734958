#include "sim/core/policy.h"
#include "sim/core/heap.h"
#include "sim/core/host_clock.h"
#include "sim/core/host_load.h"
#include <stdlib.h>
#include <string.h>

/* Tiles are timed in every SAMPLING-th epoch (an odd number: their order
 * alternates), and shared anew, if that pays, after SHARING epochs, or when
 * one thread goes on alone and a kernel begins. */
#define SAMPLING 7
#define SHARING 63

/* A new split must take this share off the longest thread: tiles that move
 * come into the new core's cache line by line. */
#define GAIN 25 /* 1 / 25 */

/* ---- the host ---- */

static uint64_t this_ns(void *context)
{
    return host_ns();
}

static bool this_is_busy(void *context, unsigned threads, unsigned awake)
{
    return host_is_busy(threads, awake);
}

static const struct engine_host this_host = {
    .ns = this_ns, .tile_ns = this_ns, .is_busy = this_is_busy};

static bool is_busy(const struct policy *p, unsigned awake)
{
    return p->host->is_busy(p->host->context, p->threads, awake);
}

/* ---- construction ---- */

void policy_init(struct policy *p, const struct engine_options *options,
                 const uint64_t *sizes, unsigned tiles, bool profiles,
                 uint64_t barrier_ns)
{
    unsigned threads = options->threads;
    *p = (struct policy){
        .host = options->host ? options->host : &this_host,
        .threads = threads,
        .tiles = tiles,
        .measures = threads > 1 && options->schedule == SCHEDULE_MEASURED,
        .profiles = profiles,
        .barrier_ns = barrier_ns,
        .tile_ns = heap_new(tiles, sizeof *p->tile_ns, "host threads"),
        .weight = heap_new(tiles, sizeof *p->weight, "host threads"),
        .shares = heap_new(threads, sizeof *p->shares, "host threads"),
        .trial = heap_new(threads, sizeof *p->trial, "host threads"),
    };
    share_split(sizes, tiles, threads, p->shares);
    if (p->measures)
        share_mode_init(&p->mode);
}

void policy_free(struct policy *p)
{
    free(p->tile_ns);
    free(p->weight);
    free(p->shares);
    free(p->trial);
}

/* ---- decisions ---- */

void policy_begin(struct policy *p)
{
    p->decided_at = policy_ns(p);
    p->decided_epoch = p->epochs;
}

uint64_t policy_pause(const struct policy *p)
{
    return p->measures ? policy_ns(p) : 0;
}

void policy_resume(struct policy *p, uint64_t since)
{
    if (p->measures)
        p->decided_at += policy_ns(p) - since;
}

static uint64_t work_of_all(const struct policy *p)
{
    return share_time(share_most(p->weight, 1, &p->tiles));
}

/* One thread or several? most: ns an epoch of the one of several that would
 * have most. */
static void decide_threads(struct policy *p, uint64_t now, uint64_t most,
                           bool begun, unsigned awake)
{
    uint64_t all = work_of_all(p);
    uint64_t wall = (now - p->decided_at) / (p->epochs - p->decided_epoch);
    bool alone = p->mode.alone;
    if (begun) /* the time until now is of something else */
        share_begin(&p->mode, all, most, p->barrier_ns);
    else
        share_decide(&p->mode, wall, all, most, p->barrier_ns);
    if (alone && !p->mode.alone && is_busy(p, awake))
        share_put_off(&p->mode);
    p->decided_at = now;
    p->decided_epoch = p->epochs;
    p->one_ns = share_one(&p->mode, all);
}

/* One thread or several, and which tiles each of several has. begun: one was
 * alone, and a kernel has begun. */
static void decide(struct policy *p, uint64_t now, bool begun, unsigned awake)
{
    share_split(p->weight, p->tiles, p->threads, p->trial);
    uint64_t most = share_most(p->weight, p->threads, p->shares);
    uint64_t least = share_most(p->weight, p->threads, p->trial);
    decide_threads(p, now, share_time(least), begun, awake);
    if (most - least > most / GAIN)
        memcpy(p->shares, p->trial, p->threads * sizeof *p->shares);
}

static bool too_slow(const struct policy *p, uint64_t now)
{
    return share_lost(&p->mode, now - p->decided_at,
                      p->epochs - p->decided_epoch, p->one_ns);
}

void policy_next_epoch(struct policy *p, unsigned awake)
{
    bool timed = p->timed;
    p->epochs++;
    if (!p->measures && !p->profiles)
        return;
    p->timed = p->epochs % SAMPLING == 0;
    if (!p->measures)
        return;
    bool begun =
        timed && share_weigh(p->weight, p->tile_ns, p->tiles) && p->mode.alone;
    bool due = begun || p->epochs - p->decided_epoch == SHARING;
    uint64_t now = due || !p->mode.alone ? policy_ns(p) : 0;
    if (due || too_slow(p, now))
        decide(p, now, begun, awake);
}
