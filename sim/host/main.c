/*
 * sim-run: runs programs on a described chip. This file is the order
 * of events; what each of them is, host.h says.
 */
#include "runtime/include/corbel/tell.h"
#include "sim/core/tool.h"
#include "sim/host/host.h"
#include "sim/host/observe/stalls_program.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/outdir.h"
#include "sim/host/results/results.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/signals.h"
#include <inttypes.h>
#include <signal.h>
#include <string.h>

/* The run itself, with the host time that it took. False: a check of the
 * simulator has failed, and there are no results. */
static bool run(struct host *host, struct effort *effort, struct error *error)
{
    double wall = clock_seconds(CLOCK_MONOTONIC);
    double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    signals_attend(true);
    if (host->options->max_time)
        signals_alarm(host->options->max_time);
    bool ok = host->options->mode == MODE_FUNCTIONAL
                  ? functional_run(host, error)
                  : timing_run(host, error);
    effort->wall = clock_seconds(CLOCK_MONOTONIC) - wall;
    effort->cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    status_clear(host);
    return ok;
}

/* Nothing is to be said about a program that has ended by itself. */
static void tell_ending(struct host *host)
{
    host_log_end(host);
    if (host->ended.how == ENDING_EXIT || host->ended.how == ENDING_SAVED)
        return;
    corbel_tell("sim-run", CORBEL_ERROR, host->ended.why);
    host_log(host, "%s", host->ended.why);
    if (host->work.total)
        host_note(host,
                  "%" PRIu64 " of %" PRIu64
                  " announced work items are finished",
                  totals_finished(host), host->work.total);
    if (host->ended.how == ENDING_DEADLOCK || host->ended.how == ENDING_STALL ||
        host->ended.how == ENDING_LIMIT || host->ended.how == ENDING_SIGNAL)
        diagnose(host);
}

static bool save_programs(struct host *host, const struct outcome *outcome,
                          struct error *error)
{
    return programs_finish(host, error);
}

/* The run's own files, which are written after those of observers. */
static bool (*const own_files[])(struct host *, const struct outcome *,
                                 struct error *) = {
    save_programs, output_log, output_stats, output_stats_text, output_manifest,
};
enum { OWN_FILES = sizeof own_files / sizeof *own_files };

static bool write_file(struct host *host, unsigned number,
                       const struct outcome *outcome, struct error *error)
{
    const unsigned others = observers_count();
    return number < others ? observers_write(host, number, outcome, error)
                           : own_files[number - others](host, outcome, error);
}

/* Each of the files is tried, whatever became of the others. */
static int write_files(struct host *host, const struct outcome *outcome)
{
    int status = host->saving.failed ? host->saving.failed : host->ended.status;
    for (unsigned i = 0; i < observers_count() + OWN_FILES; i++) {
        struct error error;
        if (host->options->outdir)
            status_phase(host, PHASE_WRITE);
        if (write_file(host, i, outcome, &error))
            continue;
        status_clear(host);
        status = tool_complain(STATUS_HOST, &error);
    }
    status_clear(host);
    return status;
}

/* Results are told however the run ended. */
static int run_and_report(struct host *host)
{
    struct error error;
    struct outcome outcome;
    if (!run(host, &outcome.effort, &error))
        return tool_complain(
            host->ended.status ? host->ended.status : STATUS_INTERNAL, &error);
    regions_end(host);
    roi_end(host);
    tell_ending(host);
    observers_tell(host);
    outcome.hash = results_hash(host);
    int status = write_files(host, &outcome);
    if (!host->options->quiet)
        results_summary(host, &outcome.effort);
    fprintf(stderr, "results hash: %016" PRIx64 "\n", outcome.hash);
    observers_leave(host);
    signals_attend(false);
    return status;
}

/* --describe: the resolved chip as text; a program that was given was read, not
 * run. */
static int describe(const struct host *host)
{
    corbel_line_put(stdout, host->arch.path);
    printf(": %u harts, %" PRIu64 " bytes of scratch memory each, %" PRId64
           " MHz\n",
           host->machine.hart_count, host->machine.scratch_bytes,
           host->clock_mhz);
    chip_describe(host->chip, stdout);
    return tool_finish(0);
}

static int prepare_and_run(const struct options *options)
{
    struct host host;
    struct error error;
    int status;
    if (options->outdir && options->mode != MODE_DESCRIBE &&
        !outdir_prepare(options->outdir, &error))
        return tool_complain(STATUS_HOST, &error);
    bool ready = host_prepare(&host, options, &status, &error);
    status_clear(&host);
    if (!ready)
        tool_complain(status, &error);
    else if (options->mode == MODE_DESCRIBE)
        status = describe(&host);
    else
        status = run_and_report(&host);
    engine_free(host.engine);
    host_free(&host);
    return status;
}

int main(int argc, char **argv)
{
    static struct options options; /* what it holds stays until the end */
    struct error error;
    int status;
    tool_begin("sim-run", STATUS_HOST);
    signals_catch();
    signal(SIGPIPE, SIG_IGN); /* the program sees EPIPE */
    if (!options_parse(&options, argc, argv, &error))
        return tool_complain(STATUS_USAGE, &error);
    if (options.mode == MODE_ANSWERED)
        return tool_finish(0);
    if (options.resume && (status = options_resume(&options, &error)))
        return tool_complain(status, &error);
    const char *observed =
        options.stalls ? "stalls" : observers_need_stalls(&options);
    if (observed && !observed_take_over(argv, observed, &error))
        return tool_complain(STATUS_HOST, &error);
    return prepare_and_run(&options);
}
