/*
 * The Mandelbrot set: arithmetic without memory traffic, harts that finish at
 * very different times. Four points a pixel against jagged edges.
 */
#include "../common/frame.h"

enum { ITERATIONS = 256, GRID = 2 };

/* The part of the plane to show: 2.6 high, around (-0.7, 0). */
static const float centre_x = -0.7f, centre_y = 0, extent = 2.6f;

struct colour {
    float red, green, blue;
};

/* Iterations of z -> z^2 + c until z leaves the circle of radius 2. */
static int escape_time(float cx, float cy)
{
    float x = 0, y = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4)
            return i;
        y = 2 * x * y + cy;
        x = xx - yy + cx;
    }
    return ITERATIONS;
}

/* Black inside; outside from deep blue over gold to white. */
static void add_colour(struct colour *sum, int time)
{
    if (time == ITERATIONS)
        return;
    float t = (float)time / (float)(time + 16);
    sum->red += t * t * (3 - 2 * t) * 1.15f;
    sum->green += t * t * (0.6f + 0.5f * t);
    sum->blue += 0.18f + 2.2f * t * (1 - t) * (1 - t) + t * t * t * 0.7f;
}

static void kernel(void *arg)
{
    const struct frame *frame = arg;
    const float step = extent / (float)frame->height;
    const float left = centre_x - 0.5f * step * (float)frame->width;
    const float bottom = centre_y - 0.5f * step * (float)frame->height;
    const float share = 1.0f / (GRID * GRID);
    struct pixel at;
    while (frame_next(frame, &at)) {
        struct colour sum = {0, 0, 0};
        for (int i = 0; i < GRID * GRID; i++) {
            float x = (float)at.x + ((float)(i % GRID) + 0.5f) / GRID;
            float y = (float)at.y + ((float)(i / GRID) + 0.5f) / GRID;
            add_colour(&sum, escape_time(left + step * x, bottom + step * y));
        }
        frame_set(frame, &at, sum.red * share, sum.green * share,
                  sum.blue * share);
    }
}

int main(int argc, char **argv)
{
    struct options options = {.program = "mandelbrot"};
    struct frame frame;
    options_parse(&options, 0, argc, argv);
    frame_init(&frame, &options);
    frame_render(&frame, kernel, &frame);
    frame_finish(&frame, &options);
    return 0;
}
