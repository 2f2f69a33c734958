/*
 * Ambient occlusion: how much of the sky above a surface is open. From each
 * visible point --spp rays go out around the normal, as far as a fifth of the
 * scene's shortest side; each stops at the first hit found.
 */
#include "../common/frame.h"
#include "../common/sampling.h"
#include "../common/view.h"

enum { SPP_DEFAULT = 8 };

struct job {
    struct view view;
    struct frame frame;
    uint32_t spp;
};

/* The share of rays from the point that the ray hit that meet nothing. */
static float openness(const struct job *job, const struct pixel *at,
                      struct corbel_ray *ray, const struct corbel_hit *hit)
{
    float normal[3];
    uint32_t open = 0;
    view_normal(&job->view, ray, hit, normal);
    view_move_to_hit(ray, hit, normal);
    ray->tmax = job->view.shortest * 0.2f;
    for (uint32_t i = 0; i < job->spp; i++) {
        struct sampler sampler = sampler_start(at->x, at->y, i);
        struct corbel_hit blocker;
        sampler_cosine(&sampler, normal, ray->d);
        view_trace(&job->view, ray, CORBEL_ANY, &blocker);
        open += blocker.index == CORBEL_MISS;
    }
    return (float)open / (float)job->spp;
}

static void kernel(void *arg)
{
    const struct job *job = arg;
    struct pixel at;
    while (frame_next(&job->frame, &at)) {
        struct corbel_ray ray;
        struct corbel_hit hit;
        float grey = 1;
        corbel_camera_ray(&job->view.camera, (float)at.x + 0.5f,
                          (float)at.y + 0.5f, &ray);
        view_trace(&job->view, &ray, CORBEL_CLOSEST, &hit);
        if (hit.index != CORBEL_MISS)
            grey = openness(job, &at, &ray, &hit);
        frame_set(&job->frame, &at, grey, grey, grey);
    }
}

int main(int argc, char **argv)
{
    struct options options = {.program = "ao", .spp = SPP_DEFAULT};
    struct job job;
    options_parse(&options, OPTIONS_SCENE | OPTIONS_SPP, argc, argv);
    view_open(&job.view, &options);
    frame_init(&job.frame, &options);
    job.spp = options.spp;
    frame_render(&job.frame, kernel, &job);
    frame_finish(&job.frame, &options);
    return 0;
}
