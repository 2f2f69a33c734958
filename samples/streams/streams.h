/* What the kernels of the two ways to stream rays share. */
#ifndef SAMPLES_STREAMS_H
#define SAMPLES_STREAMS_H

#include "../common/raybuffer.h"

struct job {
    struct raybuffer buffer;
    const struct corbel_scene *scene;
    struct corbel_hit *records;
    uint32_t *pixels;
    int early; /* enum early */
    bool rtcores, colours;

    /* of rays that move */
    bool keeps;    /* hits too, not only colours */
    uint32_t live; /* rays under way at a time, at most as many as there are */
    /* Rays that are finished: in a line of its own, as all harts add to it. */
    _Alignas(64) uint32_t finished;
};

static inline size_t place_of(const struct job *job, uint32_t index)
{
    return raybuffer_place_in_rows(index, job->buffer.width,
                                   job->buffer.row_scale);
}

/* Why rays cannot move in the scene, NULL: they can. */
const char *moving_refuses(const struct job *job);
/* The kernels: treelets are traversed by harts, or by RT cores. */
void moving_software(void *arg);
void moving_rtcores(void *arg);

#endif
