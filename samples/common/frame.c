/* Allocates, renders and writes the picture; see frame.h. */
#include "frame.h"
#include "picture.h"

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
    if (picture_write(options->out, frame->pixels, frame->width, frame->height))
        options_die(options, options->out, strerror(errno));
    free(frame->pixels);
    frame->pixels = NULL;
}
