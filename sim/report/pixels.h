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

/* Sums over the pixels that a shown one stands for, line by line from the top
 * left on. */
struct pixel_sums {
    uint32_t across, down, each;
    double *values; /* for free() */
};
/* Of a run with pixels.json: zeros; and the values of a cost times a number,
 * added. False: as for pixels_put. */
struct pixel_sums pixels_begin(const struct run *run);
bool pixels_add(struct pixel_sums *sums, const struct run *run,
                const char *cost, double times, struct error *error);

/* The picture cost-NAME.png of a cost, as sim-run writes it (heat_map.h).
 * False: the run has no such cost, it is 0 everywhere, or as for pixels_put. */
bool pixels_heat_map(FILE *out, const struct run *run, const char *name,
                     struct error *error);

#endif
