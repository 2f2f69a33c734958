/* The report: one page of HTML that holds all it shows. */
#ifndef SIM_REPORT_PAGE_H
#define SIM_REPORT_PAGE_H

#include "sim/report/run.h"
#include <stdio.h>

/*
 * Writes the page of the runs, the first of which the others are compared with.
 * images: paths of PNG files, one for each of the first runs. False: the error
 * says what is wrong with intervals.csv or an image; what was written then is
 * to be thrown away.
 */
bool page_write(FILE *out, const struct run *runs, unsigned count,
                char *const *images, unsigned image_count, struct error *error);

#endif
