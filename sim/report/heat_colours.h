/*
 * Colours for values from the least, nearly black, by purple, red and orange to
 * the greatest, a light yellow. Steps look alike everywhere: neighbours are
 * equally far apart in OKLab (Ottosson, 2020), but for what rounding to 8 bits
 * takes. Lightness grows throughout, so the map also serves in print without
 * colours, and readers who see few of them.
 */
#ifndef SIM_REPORT_HEAT_COLOURS_H
#define SIM_REPORT_HEAT_COLOURS_H

#include <stdint.h>

#define COLOURS 256

/* Red, green, blue of sRGB, by value. */
struct colours {
    uint8_t rgb[COLOURS][3];
};

void colours_compute(struct colours *c);

#endif
