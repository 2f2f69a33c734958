/*
 * The picture: one 32-bit word a pixel, so that harts never share a word.
 *
 * Work indices run along tiles of 8 x 4 pixels: the 32 rays that neighbouring
 * harts trace at the same time go nearly the same way. Tiles at the right and
 * upper border may hang over; their outer pixels are skipped.
 */
#ifndef SAMPLES_FRAME_H
#define SAMPLES_FRAME_H

#include <corbel/corbel.h>
#include <stdbool.h>
#include <stdint.h>

#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TILE_WIDTH = 8, TILE_HEIGHT = 4, TILE_PIXELS = 32 };

struct frame {
    uint32_t width, height;
    uint32_t tiles_across;
    uint32_t indices; /* work indices 0 .. indices - 1 */
    uint32_t *pixels; /* red | green << 8 | blue << 16; row 0 is the bottom */
};

struct pixel {
    uint32_t x, y; /* y = 0 is the bottom row */
};

/* Of the size asked for, black. Ends the program when there is no memory. */
void frame_init(struct frame *frame, const struct options *options);

/* Launches kernel(arg) as the region of interest, one work item a pixel. */
void frame_render(const struct frame *frame, void (*kernel)(void *), void *arg);

/* Writes options->out and frees the pixels. Ends the program on failure. */
void frame_finish(struct frame *frame, const struct options *options);

/* Takes the next pixel to compute; false when none is left. */
static inline bool frame_next(const struct frame *frame, struct pixel *pixel)
{
    for (;;) {
        uint32_t index = corbel_next();
        if (index >= frame->indices)
            return false;
        uint32_t tile = index / TILE_PIXELS, in_tile = index % TILE_PIXELS;
        uint32_t row = tile / frame->tiles_across;
        uint32_t column = tile - row * frame->tiles_across;
        pixel->x = column * TILE_WIDTH + in_tile % TILE_WIDTH;
        pixel->y = row * TILE_HEIGHT + in_tile / TILE_WIDTH;
        if (pixel->x < frame->width && pixel->y < frame->height)
            return true;
    }
}

/* 0..1 to 0..255; values outside are clipped, not-a-number is black. */
static inline uint32_t frame_level(float value)
{
    if (!(value > 0))
        return 0;
    return value < 1 ? (uint32_t)(value * 255 + 0.5f) : 255;
}

static inline void frame_set(const struct frame *frame,
                             const struct pixel *pixel, float red, float green,
                             float blue)
{
    frame->pixels[pixel->y * frame->width + pixel->x] =
        frame_level(red) | frame_level(green) << 8 | frame_level(blue) << 16;
}

#ifdef __cplusplus
}
#endif
#endif
