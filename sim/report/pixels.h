/* Costs of pixels (sim-run --cost-images), for the page and as pictures. */
#ifndef SIM_REPORT_PIXELS_H
#define SIM_REPORT_PIXELS_H

#include "sim/report/run.h"
#include <stdio.h>

/*
 * Writes null, or {"about": pixels.json, "each": N, "across", "down": pixels
 * shown, "values": of each cost a list from the top left on, or null if it is 0
 * everywhere}. A pixel shown is the mean of N x N; a picture has at most 256
 * each way. False: a cost-NAME.pfm is missing, or not as pixels.json says.
 */
bool pixels_put(FILE *out, const struct run *run, struct error *error);

/* The picture cost-NAME.png of a cost, as sim-run writes it (heat_map.h).
 * False: the run has no such cost, it is 0 everywhere, or as for pixels_put. */
bool pixels_heat_map(FILE *out, const struct run *run, const char *name,
                     struct error *error);

#endif
