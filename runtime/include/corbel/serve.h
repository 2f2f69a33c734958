/*
 * What the units do that instructions are served by: for each row of
 * isa/served.def the function corbel_serve_<id>, and for its unit the struct
 * corbel_<state> that it works on. Natively there is one unit of each kind, all
 * zeroes at first, and harts are threads, so a function has to be safe where
 * several call it at once. A simulator without timing calls it with the state
 * of the unit that serves the hart.
 *
 * Before the include, CORBEL_STACK_MAX may be defined (traverse.h).
 */
#ifndef CORBEL_SERVE_H
#define CORBEL_SERVE_H

#include <corbel/walk.h>
#include <stddef.h>
#include <string.h>

/* What a hart asks of a unit. */
struct corbel_request {
    uint32_t hart;        /* its number */
    uint32_t immediate;   /* of the instruction */
    const uint32_t *sent; /* words that it sends */
    uint32_t *received;   /* words of the answer, to be filled in */

    /* Of the answer too: */
    bool again;       /* there is nothing yet, and the hart will ask again:
                         others should run before */
    bool refused;     /* an access to memory was, the words mean nothing */
    uint64_t address; /* of that access */
    const char *why;  /* it was refused, in a few words */
};

#include <corbel/serve_streams.h>

/* The thread schedulers of a chip share one counter. */
struct corbel_scheduler {
    uint32_t *next; /* the next work index to be given out */
};

static inline void corbel_serve_fchthrd(struct corbel_scheduler *scheduler,
                                        struct corbel_request *request)
{
    request->received[0] =
        __atomic_fetch_add(scheduler->next, 1, __ATOMIC_RELAXED);
}

/* The scene that rays are traced in, and how. */
struct corbel_rtcore {
    const struct corbel_scene *scene;
    struct corbel_traversal_setup setup;
};

static inline void corbel_serve_traceray(struct corbel_rtcore *rtcore,
                                         struct corbel_request *request)
{
    struct corbel_ray ray;
    struct corbel_hit hit;
    const struct corbel_scene *scene =
        __atomic_load_n(&rtcore->scene, __ATOMIC_RELAXED);
    memcpy(&ray, request->sent, sizeof ray);
    if (corbel_scene_has_trees(scene))
        corbel_walk_trace_by(&rtcore->setup, scene, &ray, request->immediate,
                             &hit);
    else
        corbel_traverse_by(&rtcore->setup, scene, &ray, request->immediate,
                           &hit);
    memcpy(request->received, &hit, sizeof hit);
}

#endif
