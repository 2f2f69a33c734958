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

void frame_finish(struct frame *frame, const struct options *options)
{
    const uint32_t width = frame->width, height = frame->height;
    uint8_t *rgb = malloc((size_t)3 * width * height);
    if (!rgb)
        options_die(options, "no memory for the image file",
                    "expected a smaller --size");
    uint8_t *p = rgb;
    for (uint32_t y = height; y-- > 0;)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t value = frame->pixels[(size_t)y * width + x];
            *p++ = value & 255;
            *p++ = value >> 8 & 255;
            *p++ = value >> 16 & 255;
        }
    if (corbel_image_write(options->out, rgb, width, height))
        options_die(options, options->out, strerror(errno));
    free(rgb);
    free(frame->pixels);
    frame->pixels = NULL;
}
