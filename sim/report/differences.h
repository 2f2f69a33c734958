/* What differs between what two runs were made of, by their manifest.json. */
#ifndef SIM_REPORT_DIFFERENCES_H
#define SIM_REPORT_DIFFERENCES_H

#include "sim/report/run.h"

/* Texts of what one of the runs has and the other does not; "" is nothing. */
struct difference {
    const char *what; /* chip, settings, ... */
    char *a, *b;
};

/* For differences_free; *count: how many. A run without manifest.json differs
 * in that alone. */
struct difference *differences_find(const struct run *a, const struct run *b,
                                    unsigned *count);
void differences_free(struct difference *list, unsigned count);

/* How the run ended, if not by the program's end; for free(). NULL: it did, or
 * there is no manifest. */
char *run_unfinished(const struct run *run);

#endif
