/* The status line: one line on a terminal, at most five times a second. */
#include "sim/host/host.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/results.h"
#include <string.h>
#include <unistd.h>

#define STATUS_SECONDS 0.2

/* By what the program has told: kernels, regions, work. */
static enum phase phase_of(const struct host *host)
{
    if (!host->programs.first->path || host->machine.tohost)
        return PHASE_RUN;
    if (host->kernels.waiting)
        return host->kernels.runs ? PHASE_DRAIN : PHASE_LAUNCH;
    if (host->kernels.runs && host->work.total &&
        totals_handed(host) - host->work.base >= host->work.total)
        return PHASE_DRAIN;
    if (host->regions.open)
        return PHASE_REGION;
    return host->kernels.runs ? PHASE_KERNEL : PHASE_MAIN;
}

struct sighting status_sighting(const struct host *host)
{
    struct sighting s = {
        .seconds = clock_seconds(CLOCK_MONOTONIC),
        .now = host->now,
        .phase = phase_of(host),
        .region = host->regions.open ? host->regions.count + 1 : 0,
        .part = host->work.part,
        .total = host->work.total,
        .finished = host->work.total ? totals_finished(host) : 0};
    memcpy(s.kernel, host->kernels.name, sizeof s.kernel);
    return s;
}

/* Nothing is shown if stderr is no terminal or takes the log of commits. */
static bool is_shown(const struct host *host)
{
    bool log_there = host->options->log_commits && !host->options->log;
    return !host->options->quiet && !log_there && isatty(STDERR_FILENO);
}

/* Replaces the line that is there, which may be longer. */
static void show(struct host *host, const struct sighting *s)
{
    char line[200];
    progress_look(&host->shown.seen, s);
    progress_line(&host->shown.seen, host->engine ? "cycle" : "instruction",
                  line, sizeof line);
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    host->shown.line = true;
}

void status_phase(struct host *host, enum phase phase)
{
    struct sighting s = host->shown.seen.last;
    if (!is_shown(host))
        return;
    s.phase = phase;
    s.seconds = clock_seconds(CLOCK_MONOTONIC);
    show(host, &s);
}

/* Called often; looks at the clock and does nothing most of the time. */
void status_show(struct host *host)
{
    double now = clock_seconds(CLOCK_MONOTONIC);
    if (now - host->shown.seen.last.seconds < STATUS_SECONDS || !is_shown(host))
        return;
    struct sighting s = status_sighting(host);
    show(host, &s);
}

void status_clear(struct host *host)
{
    if (!host->shown.line)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    host->shown.line = false;
}
