/*
 * One ray a pixel. The picture shows the normal of the surface: red, green and
 * blue are its x, y and z. With --hits the triangle and the distance of each
 * hit are written as well, to be compared with a reference.
 */
#include "../common/frame.h"
#include "../common/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record of the --hits file, bottom row first; distance -1 is a miss. */
struct record {
    uint32_t triangle;
    float distance;
};

struct job {
    struct view view;
    struct frame frame;
    struct record *records; /* NULL: not wanted */
};

static void shade(const struct job *job, const struct pixel *at,
                  const struct corbel_ray *ray, const struct corbel_hit *hit)
{
    float n[3];
    if (hit->index == CORBEL_MISS) {
        frame_set(&job->frame, at, 0, 0, 0);
        return;
    }
    view_normal(&job->view, ray, hit, n);
    frame_set(&job->frame, at, 0.5f + 0.5f * n[0], 0.5f + 0.5f * n[1],
              0.5f + 0.5f * n[2]);
}

static void record(const struct job *job, const struct pixel *at,
                   const struct corbel_hit *hit)
{
    struct record *r = &job->records[at->y * job->frame.width + at->x];
    r->triangle = hit->index;
    r->distance = hit->index == CORBEL_MISS ? -1 : hit->t;
}

static void kernel(void *arg)
{
    const struct job *job = arg;
    struct pixel at;
    while (frame_next(&job->frame, &at)) {
        struct corbel_ray ray;
        struct corbel_hit hit;
        corbel_camera_ray(&job->view.camera, (float)at.x + 0.5f,
                          (float)at.y + 0.5f, &ray);
        view_trace(&job->view, &ray, CORBEL_CLOSEST, &hit);
        shade(job, &at, &ray, &hit);
        if (job->records)
            record(job, &at, &hit);
    }
}

static struct record *new_records(const struct options *options)
{
    struct record *records =
        calloc((size_t)options->width * options->height, sizeof *records);
    if (!records)
        options_die(options, "no memory for the hit records",
                    "expected a smaller --size");
    return records;
}

static void write_records(const struct job *job, const struct options *options)
{
    size_t count = (size_t)options->width * options->height;
    FILE *file = fopen(options->hits, "wb");
    if (!file)
        options_die(options, options->hits, strerror(errno));
    size_t written = fwrite(job->records, sizeof *job->records, count, file);
    if (fclose(file) || written != count)
        options_die(options, options->hits, strerror(errno));
}

int main(int argc, char **argv)
{
    struct options options = {.program = "primary"};
    struct job job = {.records = NULL};
    options_parse(&options, OPTIONS_SCENE | OPTIONS_HITS, argc, argv);
    view_open(&job.view, &options);
    frame_init(&job.frame, &options);
    if (options.hits)
        job.records = new_records(&options);
    frame_render(&job.frame, kernel, &job);
    frame_finish(&job.frame, &options);
    if (job.records)
        write_records(&job, &options);
    free(job.records);
    return 0;
}
