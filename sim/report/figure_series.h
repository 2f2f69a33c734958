/* Figures over time, of the sums of each bin: computed here, and by no reader
 * of the page. */
#ifndef SIM_REPORT_FIGURE_SERIES_H
#define SIM_REPORT_FIGURE_SERIES_H

#include "sim/report/intervals.h"

/* A list of JSON: group, name and values of each ratio that has a counter which
 * grew; null where it would be divided by 0. */
void figure_series_put(FILE *out, const struct run *run,
                       const struct bins *bins);

#endif
