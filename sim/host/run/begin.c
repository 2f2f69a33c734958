/* What a run does once nothing can refuse it any more, and before its first
 * cycle: files of earlier ones give way to its own. */
#include "sim/host/observer.h"
#include "sim/host/results/outdir.h"
#include "sim/host/state/checkpoint.h"

bool host_begin(struct host *host, struct error *error)
{
    const struct options *o = host->options;
    host->ended.status = STATUS_HOST;
    if ((o->outdir && !outdir_clear(o->outdir, o->serve, error)) ||
        !observers_begin(host, error))
        return false;
    if (host->ended.how == ENDING_NONE) /* no debugger has ended it */
        host->ended.status = 0;
    checkpoint_begin(host);
    return true;
}
