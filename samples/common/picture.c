/* See picture.h. */
#include "picture.h"

#include <corbel/corbel.h>

#include <stdlib.h>
#include <string.h>

bool picture_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".png") || !strcmp(dot, ".ppm"));
}

static void put_pixel(uint8_t *rgb, uint32_t value)
{
    rgb[0] = value & 255;
    rgb[1] = value >> 8 & 255;
    rgb[2] = value >> 16 & 255;
}

enum { BATCH = 16 };

/* Loads of many pixels overlap on a simulated core; unrolled, for them to
 * stay in registers. */
static void put_row(uint8_t *rgb, const uint32_t *pixels, uint32_t width)
{
    uint32_t x = 0;
    for (; x + BATCH <= width; x += BATCH) {
        uint32_t batch[BATCH];
#pragma GCC unroll 16
        for (int i = 0; i < BATCH; i++)
            batch[i] = pixels[x + i];
#pragma GCC unroll 16
        for (int i = 0; i < BATCH; i++)
            put_pixel(rgb + 3 * (x + i), batch[i]);
    }
    for (; x < width; x++)
        put_pixel(rgb + 3 * x, pixels[x]);
}

int picture_write(const char *path, const uint32_t *pixels, uint32_t width,
                  uint32_t height)
{
    const size_t row = 3 * (size_t)width;
    uint8_t *rgb = malloc(row * height);
    if (!rgb)
        return -1;
    for (size_t y = 0; y < height; y++)
        put_row(rgb + row * y, pixels + (height - 1 - y) * width, width);
    int status = corbel_image_write(path, rgb, width, height);
    free(rgb);
    return status;
}
