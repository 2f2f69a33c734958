/*
 * Rays that move: each exists once, and goes from treelet to treelet with its
 * hit and its state, by way of the ray store (corbel/streams.h), as STRaTA
 * does. No more rays are under way than the store has room for: a
 * new one is sent when one has come back finished.
 */
/* A moving ray keeps no stack. */
#define CORBEL_STACK_MAX 1

#include "streams.h"

#include <corbel/traverse_moves.h>

/* Sends the ray of an index, which has not been anywhere. */
static inline void send_ray(const struct job *job, uint32_t index)
{
    const size_t place = place_of(job, index);
    struct corbel_stored_ray ray = {
        .ray = job->buffer.rays[place],
        .ref = job->scene->root,
        .word = corbel_ray_word((uint32_t)place, CORBEL_RAY_DOWN),
    };
    ray.hit = (struct corbel_hit){ray.ray.tmax, 0, 0, CORBEL_MISS};
    corbel_ray_store(&ray);
}

/* Takes any ray that is finished. last: no hart waits to send another one. */
static inline void take_finished(const struct job *job, bool last)
{
    struct corbel_ray_end end;
    corbel_ray_finished(last, &end);
    job->pixels[end.id] = raybuffer_colour(&end.hit);
    if (job->keeps)
        job->records[end.id] = end.hit;
}

/* Takes a finished ray, and sends a new one in its place if any is left. Which
 * one is said now and not before, so that no ray waits for a hart that waits
 * for a ray itself. True: it was the last one. */
static inline bool follow(struct job *job, bool last)
{
    take_finished(job, last);
    const uint32_t before =
        __atomic_fetch_add(&job->finished, 1, __ATOMIC_RELAXED);
    const uint32_t next = job->live + before;
    if (next < job->buffer.count)
        send_ray(job, next);
    return before + 1 == job->buffer.count;
}

/* ---- RT cores traverse ---- */

/* The first indices are those of rays that there is room for; each one behind
 * them stands for a finished ray. */
void moving_rtcores(void *arg)
{
    struct job *job = arg;
    const uint32_t count = job->buffer.count, live = job->live;
    uint32_t i;
    while ((i = corbel_next()) < live)
        send_ray(job, i);
    for (; i - live < count; i = corbel_next())
        follow(job, i >= count);
}

/* ---- harts traverse ---- */

/* A ray in registers and in a treelet: the same words, but for its number. */
union travelling {
    struct corbel_stored_ray stored;
    struct corbel_moving moving;
};

/* The ray goes on in its treelet, until it leaves it or is finished. */
static inline void move(const struct corbel_scene *scene, union travelling *ray)
{
    const uint32_t id = corbel_ray_id(&ray->stored);
    struct corbel_move m;
    struct corbel_traversal t;
    ray->moving.state = (uint8_t)corbel_ray_state(&ray->stored);
    corbel_move_begin(&m, &t, scene, &ray->moving);
    while (t.ref != CORBEL_REF_NONE &&
           (corbel_ref_is_leaf(t.ref) || !(t.ref & CORBEL_REF_TREELET)))
        corbel_move_step(&m, &t, scene, CORBEL_BY_PARENTS);
    corbel_move_end(&m, &t, &ray->moving);
    ray->stored.word = corbel_ray_word(id, ray->moving.state);
}

void moving_software(void *arg)
{
    struct job *job = arg;
    union travelling ray;
    for (uint32_t i; (i = corbel_next()) < job->live;)
        send_ray(job, i);
    while (job->live > 0 && corbel_ray_load(&ray.stored)) {
        move(job->scene, &ray);
        corbel_ray_store(&ray.stored);
        if (corbel_ray_state(&ray.stored) == CORBEL_RAY_OVER &&
            follow(job, false))
            corbel_ray_close();
    }
}

const char *moving_refuses(const struct job *job)
{
    const struct corbel_scene *scene = job->scene;
    if (scene->max_depth > CORBEL_MOVE_LEVELS)
        return "has too many levels of nodes for rays that move, expected 21 "
               "at most (wider nodes)";
    if (!job->rtcores && !corbel_node_has_parent(scene->format))
        return "has nodes without references to their parents, expected "
               "--nodes bvh2 .. bvh7 or cwbvh5t";
    return NULL;
}
