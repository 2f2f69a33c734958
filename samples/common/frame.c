/* Allocates, renders and writes the picture; see frame.h. */
#include "frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void frame_init(struct frame *frame, const struct options *options)
{
    uint32_t across = (options->width + TILE_WIDTH - 1) / TILE_WIDTH;
    uint32_t up = (options->height + TILE_HEIGHT - 1) / TILE_HEIGHT;
    *frame = (struct frame){
        .width = options->width,
        .height = options->height,
        .tiles_across = across,
        .indices = across * up * TILE_PIXELS,
    };
    frame->pixels =
        calloc((size_t)frame->width * frame->height, sizeof *frame->pixels);
    if (!frame->pixels)
        options_die(options, "no memory for the picture",
                    "expected a smaller --size");
}

void frame_render(const struct frame *frame, void (*kernel)(void *), void *arg)
{
    corbel_work((uint64_t)frame->width * frame->height);
    corbel_roi_begin();
    corbel_launch(kernel, arg);
    corbel_roi_end();
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

void frame_finish(struct frame *frame, const struct options *options)
{
    const size_t width = frame->width, height = frame->height;
    uint8_t *rgb = malloc(3 * width * height);
    if (!rgb)
        options_die(options, "no memory for the image file",
                    "expected a smaller --size");
    for (size_t y = 0; y < height; y++)
        put_row(rgb + 3 * width * y, frame->pixels + width * (height - 1 - y),
                frame->width);
    if (corbel_image_write(options->out, rgb, frame->width, frame->height))
        options_die(options, options->out, strerror(errno));
    free(rgb);
    free(frame->pixels);
    frame->pixels = NULL;
}
