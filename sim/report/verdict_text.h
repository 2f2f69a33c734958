/* --verdict: what limits a run, by what it has counted. */
#ifndef SIM_REPORT_VERDICT_TEXT_H
#define SIM_REPORT_VERDICT_TEXT_H

#include "sim/report/run.h"

/* The lines that sim-run ends with. False: the run has not saved what they are
 * made of, or no core has run; the error says which. */
bool verdict_text(FILE *out, const struct run *run, struct error *error);

#endif
