/* Speckle-reducing anisotropic diffusion: an iteration in the two phases of the
 * kernels, and serially, pixel by pixel. Shared by samples/uvm and samples/gpu.
 */
#ifndef SAMPLES_UVM_SRAD_H
#define SAMPLES_UVM_SRAD_H

#include "../common/random.h"

#include <stdint.h>

enum { NORTH, SOUTH, WEST, EAST, DIRECTIONS };
enum { IMAGE = 1 };
#define LAMBDA 0.5f

static inline float first_pixel(uint32_t i)
{
    return 1 + random_float(IMAGE, i);
}

/* From the pixel and its four differences: 0 across an edge, 1 where it is
 * even. */
static inline float coefficient_of(float pixel, const float d[DIRECTIONS],
                                   float noise)
{
    float squares = d[NORTH] * d[NORTH] + d[SOUTH] * d[SOUTH] +
                    d[WEST] * d[WEST] + d[EAST] * d[EAST];
    float slope = squares / (pixel * pixel);
    float bend = (d[NORTH] + d[SOUTH] + d[WEST] + d[EAST]) / pixel;
    float below = 1 + 0.25f * bend;
    float speckle = (0.5f * slope - 0.0625f * (bend * bend)) / (below * below);
    float c = 1 / (1 + (speckle - noise) / (noise * (1 + noise)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

struct image {
    uint32_t rows, columns;
    float noise; /* of some pixels: their variance by their mean squared */
    float *pixel, *coefficient, *difference[DIRECTIONS];
};

/* An iteration's first phase: the differences of a pixel to its neighbours, and
 * its coefficient. */
static inline void find_edges(const struct image *m, uint32_t i)
{
    const uint32_t columns = m->columns, count = m->rows * columns;
    const uint32_t x = i % columns;
    const float *pixel = m->pixel;
    float d[DIRECTIONS] = {
        [NORTH] = pixel[i < columns ? i : i - columns] - pixel[i],
        [SOUTH] = pixel[i + columns < count ? i + columns : i] - pixel[i],
        [WEST] = pixel[x ? i - 1 : i] - pixel[i],
        [EAST] = pixel[x + 1 < columns ? i + 1 : i] - pixel[i]};
    for (unsigned k = 0; k < DIRECTIONS; k++)
        m->difference[k][i] = d[k];
    m->coefficient[i] = coefficient_of(pixel[i], d, m->noise);
}

/* The second one: the pixel by the differences and the coefficients of itself,
 * the one below and the one to the right. */
static inline void smooth_pixel(const struct image *m, uint32_t i)
{
    const uint32_t columns = m->columns, count = m->rows * columns;
    const float *c = m->coefficient;
    float south = c[i + columns < count ? i + columns : i];
    float east = c[i % columns + 1 < columns ? i + 1 : i];
    float sum = c[i] * m->difference[NORTH][i] +
                south * m->difference[SOUTH][i] +
                c[i] * m->difference[WEST][i] + east * m->difference[EAST][i];
    m->pixel[i] += 0.25f * LAMBDA * sum;
}

/* By the sums of some pixels and of their squares. */
static inline float noise_by(float sum, float squares, uint32_t count)
{
    float mean = sum / (float)count;
    return (squares / (float)count - mean * mean) / (mean * mean);
}

/* Pixel by pixel, with a function for each value instead of arrays of them. */
static inline float difference(const float *pixel, uint32_t rows,
                               uint32_t columns, uint32_t y, uint32_t x,
                               unsigned direction)
{
    uint32_t ny = y, nx = x;
    if (direction == NORTH && y > 0)
        ny--;
    if (direction == SOUTH && y + 1 < rows)
        ny++;
    if (direction == WEST && x > 0)
        nx--;
    if (direction == EAST && x + 1 < columns)
        nx++;
    return pixel[ny * columns + nx] - pixel[y * columns + x];
}

static inline float coefficient(const float *pixel, uint32_t rows,
                                uint32_t columns, float noise, uint32_t y,
                                uint32_t x)
{
    float d[DIRECTIONS];
    for (unsigned k = 0; k < DIRECTIONS; k++)
        d[k] = difference(pixel, rows, columns, y, x, k);
    return coefficient_of(pixel[y * columns + x], d, noise);
}

static inline void smooth(const float *from, float *to, uint32_t rows,
                          uint32_t columns, float noise)
{
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            uint32_t below = y + 1 < rows ? y + 1 : y;
            uint32_t right = x + 1 < columns ? x + 1 : x;
            float here = coefficient(from, rows, columns, noise, y, x);
            float c[DIRECTIONS] = {
                here, coefficient(from, rows, columns, noise, below, x), here,
                coefficient(from, rows, columns, noise, y, right)};
            float sum = 0;
            for (unsigned k = 0; k < DIRECTIONS; k++) {
                float flow = c[k] * difference(from, rows, columns, y, x, k);
                sum = k ? sum + flow : flow;
            }
            to[y * columns + x] = from[y * columns + x] + 0.25f * LAMBDA * sum;
        }
}

#endif
