#include "sim/core/policy.h"
#include "sim/core/heap.h"
#include "sim/core/host_clock.h"
#include "sim/core/host_load.h"
#include <stdlib.h>
#include <string.h>

/* Tiles are timed in every SAMPLING-th turn (an odd number: their order
 * alternates), and shared anew, if that pays, after SHARING epochs or more, or
 * when one thread goes on alone and a kernel begins. */
#define SAMPLING 7
#define SHARING 63

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
    static const char what[] = "host threads";
    unsigned threads = options->threads;
    *p = (struct policy){
        .host = options->host ? options->host : &this_host,
        .threads = threads,
        .measures = threads > 1 && options->schedule == SCHEDULE_MEASURED,
        .profiles = profiles,
        .barrier_ns = barrier_ns,
        .tile_ns = heap_new(tiles, sizeof *p->tile_ns, what),
        .shares = {.tiles = tiles, .threads = threads},
    };
    struct shares *s = &p->shares;
    s->weights = heap_new(tiles, sizeof *s->weights, what);
    s->owner = heap_new(tiles, sizeof *s->owner, what);
    s->loads = heap_new(threads, sizeof *s->loads, what);
    memcpy(s->weights, sizes, tiles * sizeof *sizes);
    share_first(s);
    memset(s->weights, 0, tiles * sizeof *s->weights);
    if (p->measures)
        share_mode_init(&p->mode);
}

void policy_free(struct policy *p)
{
    free(p->tile_ns);
    free(p->shares.weights);
    free(p->shares.owner);
    free(p->shares.loads);
}

unsigned policy_share(const struct policy *p, unsigned thread)
{
    unsigned count = 0;
    for (unsigned i = 0; i < p->shares.tiles; i++)
        count += p->shares.owner[i] == thread;
    return count;
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

/* One thread or several? most: ns an epoch of the one of several that would
 * have most. */
static void decide_threads(struct policy *p, uint64_t now, uint64_t most,
                           bool begun, unsigned awake)
{
    uint64_t all = share_time(share_all(&p->shares));
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
    p->changes += share_again(&p->shares);
    decide_threads(p, now, share_time(share_most(&p->shares)), begun, awake);
}

static bool too_slow(const struct policy *p, uint64_t now)
{
    return share_lost(&p->mode, now - p->decided_at,
                      p->epochs - p->decided_epoch, p->one_ns);
}

/* What tiles took in a turn becomes what they take in an epoch. True: a kernel
 * has begun. */
static bool weigh(struct policy *p, unsigned epochs)
{
    for (unsigned i = 0; i < p->shares.tiles; i++)
        p->tile_ns[i] /= epochs;
    return p->measures &&
           share_weigh(p->shares.weights, p->tile_ns, p->shares.tiles);
}

/* The turn that begins. */
static void time_next(struct policy *p)
{
    p->timed = ++p->turns % SAMPLING == 0;
    if (p->timed)
        memset(p->tile_ns, 0, p->shares.tiles * sizeof *p->tile_ns);
}

void policy_next_turn(struct policy *p, unsigned epochs, unsigned awake)
{
    p->epochs += epochs;
    if (!p->measures && !p->profiles)
        return;
    bool begun = p->timed && weigh(p, epochs) && p->mode.alone;
    time_next(p);
    if (!p->measures)
        return;
    bool due = begun || p->epochs - p->decided_epoch >= SHARING;
    uint64_t now = due || !p->mode.alone ? policy_ns(p) : 0;
    if (due || too_slow(p, now))
        decide(p, now, begun, awake);
}
