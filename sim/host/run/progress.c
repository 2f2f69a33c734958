/* Computes rates of what was seen of a run. */
#include "sim/host/run/progress.h"
#include "runtime/include/corbel/line.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Seconds that a rate is measured over: at least, and at most twice that. */
#define RATE_SECONDS 1.0

/* The share of the work that has to be finished before it tells how long the
 * rest takes. */
#define LEAST_SHARE 0.01

/* Longest name of a kernel that is shown. */
enum { NAME_MAX_SHOWN = 24 };

/* A new part of the work begins its own measure of the rate. */
void progress_look(struct progress *p, const struct sighting *s)
{
    if (!p->looks || s->part != p->last.part || s->total != p->last.total) {
        p->part_began = s->seconds;
        p->part_finished = s->finished;
    }
    if (!p->looks || s->now < p->last.now) {
        p->recent[0].seconds = p->recent[1].seconds = s->seconds;
        p->recent[0].now = p->recent[1].now = s->now;
    }
    if (s->seconds - p->recent[1].seconds >= RATE_SECONDS) {
        p->recent[0] = p->recent[1];
        p->recent[1].seconds = s->seconds;
        p->recent[1].now = s->now;
    }
    p->last = *s;
    p->looks++;
}

double progress_rate(const struct progress *p)
{
    double seconds = p->last.seconds - p->recent[0].seconds;
    return seconds > 0 ? (double)(p->last.now - p->recent[0].now) / seconds : 0;
}

double progress_share(const struct progress *p)
{
    const struct sighting *s = &p->last;
    if (!s->total)
        return -1;
    if (s->finished >= s->total)
        return 1;
    double share = (double)s->finished / (double)s->total;
    return fmin(floor(share * 1000) / 1000, 0.999);
}

double progress_left(const struct progress *p)
{
    const struct sighting *s = &p->last;
    double seconds = s->seconds - p->part_began;
    double done = (double)(s->finished - p->part_finished);
    if (!s->total || seconds <= 0 || done < LEAST_SHARE * (double)s->total)
        return -1;
    return seconds * (double)(s->total - s->finished) / done;
}

/* Region, kernel and what it is doing, as far as they are known. */
void progress_phase(const struct progress *p, char *text, size_t size)
{
    static const char *const names[] = {
        [PHASE_LOAD] = "load",     [PHASE_RUN] = "run",
        [PHASE_MAIN] = "main",     [PHASE_LAUNCH] = "launch",
        [PHASE_KERNEL] = "kernel", [PHASE_REGION] = "region",
        [PHASE_DRAIN] = "drain",   [PHASE_WRITE] = "writing",
    };
    const struct sighting *s = &p->last;
    char name[CORBEL_LINE_SIZE];
    corbel_line(name, sizeof name, s->kernel);
    if (s->phase == PHASE_REGION)
        snprintf(text, size, "region %u", s->region);
    else if (s->phase == PHASE_DRAIN && s->region)
        snprintf(text, size, "region %u, drain", s->region);
    else if (s->phase == PHASE_KERNEL && *name)
        snprintf(text, size, "kernel %.*s", NAME_MAX_SHOWN, name);
    else
        snprintf(text, size, "%s", names[s->phase]);
}

/* "45 s", "12 min", "3.4 h". */
static void print_time(double seconds, char *text, size_t size)
{
    if (seconds < 100)
        snprintf(text, size, "%.0f s", ceil(seconds));
    else if (seconds < 6000)
        snprintf(text, size, "%.0f min", ceil(seconds / 60));
    else
        snprintf(text, size, "%.1f h", seconds / 3600);
}

/* What is not known yet is left out: rate, share, time left. */
void progress_line(const struct progress *p, const char *what, char *text,
                   size_t size)
{
    char phase[64], rate[40] = "", work[40] = "", left[48] = "", time[32];
    double share = progress_share(p), seconds = progress_left(p);
    const bool going =
        p->last.phase != PHASE_LOAD && p->last.phase != PHASE_WRITE;
    progress_phase(p, phase, sizeof phase);
    if (!going) {
        snprintf(text, size, "%s", phase);
        return;
    }
    if (progress_rate(p) > 0)
        snprintf(rate, sizeof rate, ", %.0f/s", progress_rate(p));
    if (share >= 0)
        snprintf(work, sizeof work, ", work %.1f %%", share * 100);
    print_time(seconds, time, sizeof time);
    if (seconds > 0)
        snprintf(left, sizeof left, ", %s left", time);
    snprintf(text, size, "%s: %s %" PRIu64 "%s%s%s", phase, what, p->last.now,
             rate, work, left);
}
