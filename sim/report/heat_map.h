/* A picture of a value for each pixel, in false colours, as PNG. */
#ifndef SIM_REPORT_HEAT_MAP_H
#define SIM_REPORT_HEAT_MAP_H

#include <stdint.h>
#include <stdio.h>

struct heat_map {
    const float *values; /* of at least 0, line by line from the top left on */
    uint32_t width, height;
    double scale; /* the value of the last colour, more than 0 */
    double most;  /* of the values: is there more than the scale has? */
};

void heat_map_write(const struct heat_map *m, FILE *out);

#endif
