/* The status line: one line on a terminal, at most five times a second. */
#include "sim/host/host.h"
#include "sim/host/totals.h"
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void show_work(const struct host *host, double elapsed)
{
    uint64_t done = host->work_total ? totals_finished(host) : 0;
    if (!done)
        return;
    double part = (double)done / (double)host->work_total;
    fprintf(stderr, ", work %.0f %%", part * 100);
    if (part < 1)
        fprintf(stderr, ", %.0f s left", elapsed / part - elapsed);
}

/* Called often; looks at the clock and does nothing most of the time. Nothing
 * is shown if stderr is no terminal or takes the log of commits. */
void status_show(struct host *host)
{
    double now = seconds();
    bool log_there = host->commits && !host->options->log;
    if (host->options->quiet || log_there || !isatty(STDERR_FILENO))
        return;
    if (!host->status_start)
        host->status_start = host->status_time = now;
    if (host->work_total != host->status_work) {
        host->status_work = host->work_total;
        host->work_start = now;
    }
    if (now - host->status_time < 0.2)
        return;
    fprintf(stderr, "\r\033[K%s %" PRIu64 ", %.0f/s",
            host->engine ? "cycle" : "instruction", host->now,
            (double)(host->now - host->status_now) / (now - host->status_time));
    show_work(host, now - host->work_start);
    fflush(stderr);
    host->status_time = now;
    host->status_now = host->now;
    host->status_shown = true;
}

void status_clear(struct host *host)
{
    if (!host->status_shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    host->status_shown = false;
}
