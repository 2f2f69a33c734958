/* --csv: series of intervals.csv as a wide table. */
#ifndef SIM_REPORT_TABLE_H
#define SIM_REPORT_TABLE_H

#include "sim/report/run.h"
#include <stdio.h>

/*
 * Writes a row for each interval: the cycle at which it ends, then one column
 * for each series. patterns: GROUP.NAME of statistics or figures, with * ? []
 * as in a shell; statistics are what was counted in the interval, figures what
 * they are of it, empty where they would be divided by 0. False: the error says
 * which pattern matches nothing, or what is wrong with intervals.csv.
 */
bool table_write(FILE *out, const struct run *run, char *const *patterns,
                 unsigned count, struct error *error);

#endif
