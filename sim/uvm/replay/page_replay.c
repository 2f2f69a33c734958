/* The kinds of files that page-run replays, by the columns of their tables. */
#include "sim/uvm/replay/page_replay.h"
#include <string.h>

static const struct replay_kind *const kinds[] = {
    &replay_transfers, &replay_evictions, &replay_curve};

const struct replay_kind *replay_kind_of(const struct sheet *s)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (sheet_is(s, kinds[i]->columns, kinds[i]->count))
            return kinds[i];
    error_set(s->error,
              "%.200s:1: the first line has to be that of transfers "
              "(case,prefetcher,allocation_bytes,...), evictions "
              "(case,root_bytes,...) or a curve (transfer_bytes,...), not "
              "'%.40s'",
              s->path, s->names[0]);
    return NULL;
}

bool replay_run(const struct replay_kind *kind, struct sheet *s,
                const struct replay_options *options, FILE *out)
{
    for (unsigned i = 0; i < s->columns; i++)
        fprintf(out, "%s%s", i ? "," : "", s->names[i]);
    fputs(s->end, out);
    return kind->run(s, options, out);
}
