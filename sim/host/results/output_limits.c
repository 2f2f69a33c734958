/*
 * Can the files be written that the command line names, and which output has
 * grown beyond --max-output: of those that are written as the run goes on, and
 * of what is kept in memory for a file at its end where that has no bound of
 * its own. Devices and pipes take what they want.
 */
#include "sdk/whole/reads.h"
#include "sdk/whole/whole.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/state/checkpoint.h"
#include <string.h>

static bool cannot_write(const char *option, const char *path,
                         struct error *error)
{
    return error_set(error, "%s: cannot write the file of --%s: %s", path,
                     option, whole_why());
}

/* Is it a file of an option before this one, of this program or another? */
static bool is_before(const struct host *host, unsigned program,
                      unsigned option, const char *path)
{
    for (unsigned i = 0; i <= program; i++) {
        const struct program *p = &host->programs.all[i];
        unsigned count = i < program ? p->core->option_count : option;
        for (unsigned k = 0; k < count; k++)
            if (!strcmp(p->core->options[k].argument, "FILE") &&
                reads_same(path, p->values[k].text))
                return true;
    }
    return false;
}

/* A kind of core that loads its program may have options that name files, which
 * it writes at the end. */
static bool programs_possible(const struct host *host, struct error *error)
{
    for (unsigned i = 0; i < host->programs.count; i++) {
        const struct program *p = &host->programs.all[i];
        for (unsigned k = 0; k < p->core->option_count; k++) {
            const struct core_option *row = &p->core->options[k];
            const char *path = p->values[k].text;
            if (!path || strcmp(row->argument, "FILE"))
                continue;
            if (reads_same(path, p->path))
                return error_set(error,
                                 "--%s %.200s: that is the program, expected "
                                 "another file",
                                 row->name, path);
            if (options_writes(host->options, path) ||
                is_before(host, i, k, path))
                return error_set(error,
                                 "--%s %.200s: that is the file of another "
                                 "option, expected another file",
                                 row->name, path);
            if (!whole_try(NULL, path))
                return cannot_write(row->name, path, error);
        }
    }
    return true;
}

bool outputs_possible(struct host *host, struct error *error)
{
    const struct options *o = host->options;
    return (!o->checkpoint || checkpoint_possible(host, error)) &&
           programs_possible(host, error);
}

const char *outputs_over(const struct host *host)
{
    const uint64_t most = host->options->max_output;
    uint64_t bytes;
    const char *path = whole_largest(&bytes);
    return path && bytes > most ? path : observers_over(host, most);
}
