/*
 * --cost-images: what each pixel of a picture has cost, where pixels are the
 * work indices of a kernel (sim/units/common/work_costs.h).
 *   pixels.json     sums, scales, the most costly pixels
 *   cost-NAME.pfm   the numbers as they are, floats
 *   cost-NAME.png   false colours, with a scale
 * Costs that are 0 everywhere have no pictures.
 */
#ifndef SIM_HOST_OBSERVE_COST_IMAGES_H
#define SIM_HOST_OBSERVE_COST_IMAGES_H

#include "sim/host/host.h"
#include "sim/units/common/work_costs.h"

/* Their costs, once the run is over; NULL: no --cost-images. */
struct pixels *pixels_of(const struct host *host);
/* Their files. */
struct outcome;
bool pixels_write(struct host *host, const struct outcome *outcome,
                  struct error *error);

#define PIXELS_HOTTEST 10

/* One cost of all pixels, line by line from the top left on. */
struct pixel_cost {
    uint64_t *values;
    uint64_t sum, rest; /* of the pixels; of all else */
    uint64_t scale;     /* what the last colour stands for, and all above */
    uint64_t most;
    uint32_t hottest[PIXELS_HOTTEST]; /* pixels, the most costly first */
    unsigned hottest_count;           /* those that cost anything */
};

struct pixels {
    uint32_t count; /* of pixels */
    struct pixel_cost costs[WORK_COST_COUNT];
};

/* The work index of a pixel. */
uint32_t pixels_index(const struct pixel_order *order, uint32_t pixel);

/* A row of WORK_COSTS, and the names of its files. */
extern const struct pixel_row {
    const char *name, *unit, *meaning, *pfm, *png;
} pixel_rows[WORK_COST_COUNT];

#endif
