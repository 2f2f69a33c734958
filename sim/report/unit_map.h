/* What each unit did over time, as coloured cells: unit-intervals.csv for the
 * page. */
#ifndef SIM_REPORT_UNIT_MAP_H
#define SIM_REPORT_UNIT_MAP_H

#include "sim/report/run.h"
#include <stdio.h>

/*
 * Most rows of a group (units, or means of neighbours), columns (intervals, or
 * means of neighbours), and cells of all statistics together, each of which is
 * a byte of the page: of more, columns are merged.
 */
enum { MAP_ROWS = 200, MAP_COLUMNS = 256, MAP_CELLS = 1800000 };

/*
 * Writes two members of JSON, unit_intervals of the whole run and
 * region_unit_intervals of its regions of interest, each an object
 *   begin, intervals, each, ends   as of charts
 *   levels    a text: its first letter is 0, its last the peak
 *   series    of each statistic that any unit has:
 *     group, name
 *     each    neighbouring units that a row is the mean of
 *     peak    of buckets a share of the cycles, of counters how many a cycle
 *     rows    texts with a letter for each interval; "": 0 throughout
 * or null: there is no interval. False: the error says what is wrong with the
 * file; what was written then is to be thrown away.
 */
bool unit_maps_put(FILE *out, const struct run *run, struct error *error);

#endif
