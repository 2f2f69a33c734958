/* Options that only make sense together, or not together. */
#include "sim/host/options.h"
#include "sim/host/traces.h"

/* An option whose file in --outdir is about cycles, NULL: none is given. */
static const char *of_cycles(const struct options *o)
{
    return o->link_stats      ? "link-stats"
           : o->transfers     ? "transfers"
           : o->range_count   ? "stats-range"
           : o->profile       ? "profile"
           : o->pixels.width  ? "cost-images"
           : traces_wanted(o) ? "trace"
                              : NULL;
}

/* What keeps a state of its own is in no checkpoint. */
static bool checkpoints_agree(const struct options *o, struct error *error)
{
    const bool untimed = o->mode == MODE_FUNCTIONAL;
    const char *with = untimed && o->resume               ? "functional"
                       : o->check_memory                  ? "check-memory"
                       : o->log_commits                   ? "log-commits"
                       : o->pixels.width                  ? "cost-images"
                       : o->traces[TRACE_REQUESTS].wanted ? "trace requests"
                                                          : NULL;
    if ((o->checkpoint_every || o->checkpoint_seconds) && !o->checkpoint)
        return error_set(error, "--checkpoint-every needs --checkpoint FILE");
    if (untimed && (o->checkpoint_every || o->checkpoint_seconds))
        return error_set(error, "--checkpoint-every: not with --functional, "
                                "which saves where a region of interest, or "
                                "a kernel, begins");
    return !(o->checkpoint || o->resume) || !with ||
           error_set(error, "--%s: not with --%s",
                     o->resume ? "resume" : "checkpoint", with);
}

/* What would have to go from one way of execution to the other and back. */
static bool roi_agrees(const struct options *o, struct error *error)
{
    const char *with = o->mode == MODE_FUNCTIONAL ? "functional"
                       : o->check_memory          ? "check-memory"
                       : o->log_commits           ? "log-commits"
                                                  : NULL;
    if (o->roi_cold && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--roi-caches: not with --functional, which "
                                "has no caches");
    return !o->roi || !with ||
           error_set(error, "--timing roi: not with --%s", with);
}

bool options_agree(const struct options *o, struct error *error)
{
    if (o->interval && !o->outdir)
        return error_set(error, "--interval needs --outdir DIR to write to");
    if (o->interval_units && !o->interval)
        return error_set(error, "--interval-level: only with --interval");
    if (o->check_memory && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--check-memory: not with --functional, which "
                                "has no caches to check");
    if ((o->save_caches || o->warm_caches) && o->mode == MODE_FUNCTIONAL)
        return error_set(error,
                         "--%s-caches: not with --functional, which has "
                         "no caches",
                         o->save_caches ? "save" : "warm");
    if (of_cycles(o) && (o->mode == MODE_FUNCTIONAL || !o->outdir))
        return error_set(error, "--%s: needs --outdir and a timed run",
                         of_cycles(o));
    if (o->host_profile && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--host-profile: not with --functional, which "
                                "has no tiles");
    if (o->serve && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--serve: not with --functional, which has no "
                                "statistics to show");
    if (o->stalls && o->mode == MODE_FUNCTIONAL)
        return error_set(error, "--stalls: not with --functional, which has no "
                                "timing");
    if (o->log && !o->log_commits)
        return error_set(error, "--log %.80s: only with --log-commits", o->log);
    if (!checkpoints_agree(o, error) || !roi_agrees(o, error))
        return false;
    if (!o->program_argc && o->mode != MODE_DESCRIBE)
        return error_set(error, "no program given; "
                                "usage: sim-run [options] program.elf "
                                "[program arguments]");
    return true;
}
