/*
 * What the units do that instructions are served by: for each row of
 * isa/served.def the function corbel_serve_<id>, and for its unit the struct
 * corbel_<state> that it works on. Natively there is one unit of each kind, all
 * zeroes at first, and harts are threads, so a function has to be safe where
 * several call it at once. A simulator without timing calls it with the state
 * of the unit that serves the hart.
 *
 *   immediate  of the instruction
 *   sent       the words that it sends
 *   received   the words of the answer, to be filled in
 *
 * Before the include, CORBEL_STACK_MAX may be defined (traverse.h).
 */
#ifndef CORBEL_SERVE_H
#define CORBEL_SERVE_H

#include <corbel/traverse.h>
#include <string.h>

/* The thread schedulers of a chip share one counter. */
struct corbel_scheduler {
    uint32_t *next; /* the work index that nobody has */
};

static inline void corbel_serve_fchthrd(struct corbel_scheduler *scheduler,
                                        uint32_t immediate,
                                        const uint32_t *sent,
                                        uint32_t *received)
{
    (void)immediate, (void)sent;
    received[0] = __atomic_fetch_add(scheduler->next, 1, __ATOMIC_RELAXED);
}

/* The scene that rays are traced in, and how. */
struct corbel_rtcore {
    const struct corbel_scene *scene;
    struct corbel_traversal_setup setup;
};

static inline void corbel_serve_traceray(struct corbel_rtcore *rtcore,
                                         uint32_t flags, const uint32_t *sent,
                                         uint32_t *received)
{
    struct corbel_ray ray;
    struct corbel_hit hit;
    const struct corbel_scene *scene =
        __atomic_load_n(&rtcore->scene, __ATOMIC_RELAXED);
    memcpy(&ray, sent, sizeof ray);
    corbel_traverse_by(&rtcore->setup, scene, &ray, flags, &hit);
    memcpy(received, &hit, sizeof hit);
}

#endif
