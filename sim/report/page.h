/* The report: one page of HTML that holds all it shows. */
#ifndef SIM_REPORT_PAGE_H
#define SIM_REPORT_PAGE_H

#include "sim/report/intervals.h"
#include <stdio.h>

/*
 * Writes the page of the runs, the first of which the others are compared with.
 * images: of each run, the path of a PNG file; NULL: what it has made.
 * left_out: lines about runs that could not be read, up to NULL. False: the
 * error says what is wrong with intervals.csv or an image; what was written
 * then is to be thrown away.
 */
bool page_write(FILE *out, const struct run *runs, unsigned count,
                char *const *images, char *const *left_out,
                struct error *error);

/*
 * A run that goes on, as JSON: it has its path, its statistics as text, its
 * values, and maybe its log; bins: its intervals so far, maybe none.
 */
void page_live_run(FILE *out, const struct run *run, const struct bins *bins);
/* The page that sim-run serves of it. run: text of page_live_run. */
void page_write_live(FILE *out, const char *run);

#endif
