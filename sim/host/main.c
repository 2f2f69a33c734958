/*
 * sim-run: runs a RISC-V program on a described chip. This file is the order
 * of events; what each of them is, host.h says.
 */
#include "sim/host/host.h"
#include "sim/host/results.h"
#include "sim/host/warm.h"
#include <inttypes.h>
#include <signal.h>

static int complain(int status, const struct error *error)
{
    fprintf(stderr, "sim-run: %s\n", error->text);
    return status;
}

static bool run(struct host *host, struct effort *effort, struct error *error)
{
    double wall = clock_seconds(CLOCK_MONOTONIC);
    double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    bool ok = host->options->mode == MODE_FUNCTIONAL
                  ? functional_run(host, error)
                  : timing_run(host, error);
    effort->wall = clock_seconds(CLOCK_MONOTONIC) - wall;
    effort->cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    status_clear(host);
    if (host->commits) {
        commits_end(host->commits);
        commits_written(host);
    }
    return ok;
}

static void tell_ending(struct host *host)
{
    host_log_end(host);
    if (host->ending == ENDING_EXIT)
        return;
    fprintf(stderr, "sim-run: %s\n", host->why);
    host_log(host, "%s", host->why);
    if (host->ending == ENDING_DEADLOCK || host->ending == ENDING_LIMIT)
        diagnose(host);
}

/* Results are told however the run ended. */
static int run_and_report(struct host *host)
{
    struct error error;
    struct effort effort;
    if (!run(host, &effort, &error))
        return complain(STATUS_INTERNAL, &error);
    tell_ending(host);
    const char *caches = host->options->save_caches;
    if (caches && !caches_save(host->chip, caches, &error))
        return complain(STATUS_HOST, &error);
    if (host->options->signature && !signature_write(host, &error))
        return complain(STATUS_HOST, &error);
    if (host->profile && !profile_finish(host->profile, &error))
        return complain(STATUS_HOST, &error);
    uint64_t hash = results_hash(host);
    if (host->options->outdir && !output_write(host, hash, &effort, &error))
        return complain(STATUS_HOST, &error);
    if (!host->options->quiet)
        results_summary(host, &effort);
    fprintf(stderr, "results hash: %016" PRIx64 "\n", hash);
    return host->status;
}

static int describe(const struct host *host)
{
    printf("%s: %u harts, %" PRIu64 " bytes of scratch memory each, %" PRId64
           " MHz\n",
           host->arch_path, host->machine.hart_count,
           host->machine.scratch_bytes, host->clock_mhz);
    chip_describe(host->chip, stdout);
    return 0;
}

static int prepare_and_run(const struct options *options)
{
    struct host host;
    struct error error;
    int status;
    if (options->outdir && !output_prepare(options->outdir, &error))
        return complain(STATUS_HOST, &error);
    if (!host_prepare(&host, options, &status, &error))
        complain(status, &error);
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
    struct options options;
    struct error error;
    signal(SIGPIPE, SIG_IGN); /* the program sees EPIPE */
    if (!options_parse(&options, argc, argv, &error))
        return complain(STATUS_USAGE, &error);
    if (options.mode == MODE_ANSWERED)
        return 0;
    return prepare_and_run(&options);
}
