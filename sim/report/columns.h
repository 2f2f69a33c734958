/* Series of a run that are chosen by patterns: statistics and figures. */
#ifndef SIM_REPORT_COLUMNS_H
#define SIM_REPORT_COLUMNS_H

#include "sim/report/run.h"

/* A statistic, or, where figure is set, a figure. */
struct column {
    unsigned value;
    const struct figure *figure;
};

struct columns {
    struct column *list;
    unsigned count;
};

/*
 * All whose GROUP.NAME matches one of the patterns, as in a shell, in the order
 * of the patterns and the run's, each once. False: a pattern matches none; the
 * error begins with the option. list is for free() all the same.
 */
bool columns_choose(struct columns *columns, const struct run *run,
                    const char *option, char *const *patterns, unsigned count,
                    struct error *error);

const char *column_group(const struct run *run, const struct column *c);
const char *column_name(const struct run *run, const struct column *c);

#endif
