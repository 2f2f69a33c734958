/*
 * A path tracer in C++: paths of two segments with a cosine-weighted
 * bounce. At each point a ray towards the sun asks for its light; the sky's
 * comes with bounces that leave the scene. --spp paths for each pixel are
 * averaged.
 *
 * Scenes have no materials, so two rules colour them: a surface that lies in
 * the left or right side of the scene's bounds is red or green, as in the
 * Cornell box; all else is sandstone, paler where it faces up or down. What
 * longer paths would bring is a constant share of light at the second hit.
 */
#include "../common/frame.h"
#include "../common/sampling.h"
#include "../common/view.h"

namespace
{

constexpr unsigned SPP_DEFAULT = 4;
constexpr int SEGMENTS = 2;

struct Colour {
    float r, g, b;
};

Colour operator+(Colour a, Colour b)
{
    return {a.r + b.r, a.g + b.g, a.b + b.b};
}

Colour operator*(Colour a, Colour b)
{
    return {a.r * b.r, a.g * b.g, a.b * b.b};
}

Colour operator*(float s, Colour a)
{
    return {s * a.r, s * a.g, s * a.b};
}

/* s = 0 gives a, s = 1 gives b. */
Colour mix(Colour a, Colour b, float s)
{
    return (1 - s) * a + s * b;
}

constexpr Colour HORIZON = {0.66f, 0.62f, 0.56f};
constexpr Colour ZENITH = {0.28f, 0.42f, 0.70f};
constexpr Colour GROUND = {0.26f, 0.22f, 0.18f};
constexpr Colour SUNLIGHT = {1.9f, 1.55f,
                             1.12f}; /* on a surface that faces it */
constexpr Colour AMBIENT = {0.38f, 0.36f, 0.33f};
constexpr float SUN[3] = {-0.50f, 0.55f, 0.67f}; /* nearly a unit vector */
constexpr float SUN_RADIUS = 0.03f;              /* of a disc at distance 1 */

struct Job {
    view scene;
    frame picture;
    uint32_t spp;
};

/* Radiance of the sky: bluer upwards. */
Colour sky(const float d[3])
{
    if (d[1] < 0)
        return mix(HORIZON, GROUND, d[1] > -0.25f ? -4 * d[1] : 1);
    return mix(HORIZON, ZENITH, sqrtf(d[1]));
}

/* p: the point that was hit. */
Colour albedo(const Job &job, const float p[3], const float normal[3])
{
    const struct corbel_box &bounds = job.scene.scene->bounds;
    const float near = job.scene.shortest * 0.02f;
    if (normal[0] > 0.98f && p[0] - bounds.min[0] < near)
        return {0.66f, 0.12f, 0.10f};
    if (normal[0] < -0.98f && bounds.max[0] - p[0] < near)
        return {0.18f, 0.40f, 0.13f};
    return mix({0.80f, 0.64f, 0.46f}, {0.72f, 0.69f, 0.66f},
               normal[1] * normal[1]);
}

/* The sun's light at a point, seen from a random point of its disc. */
Colour sunlight(const Job &job, const corbel_ray &at, const float normal[3],
                sampler &random)
{
    float a, b, facing = 0;
    sampler_pair(&random, &a, &b);
    const float jitter[3] = {(2 * a - 1) * SUN_RADIUS, 0,
                             (2 * b - 1) * SUN_RADIUS};
    corbel_ray ray = at;
    corbel_hit blocker;
    for (int i = 0; i < 3; i++) {
        ray.d[i] = SUN[i] + jitter[i];
        facing = facing + normal[i] * ray.d[i];
    }
    if (facing <= 0)
        return {0, 0, 0};
    view_trace(&job.scene, &ray, CORBEL_ANY, &blocker);
    return (blocker.index == CORBEL_MISS ? facing : 0) * SUNLIGHT;
}

/* The light that arrives along the ray, which is used up. */
Colour radiance(const Job &job, corbel_ray &ray, sampler &random)
{
    Colour throughput = {1, 1, 1}, light = {0, 0, 0};
    for (int segment = 0; segment < SEGMENTS; segment++) {
        corbel_hit hit;
        float normal[3];
        view_trace(&job.scene, &ray, CORBEL_CLOSEST, &hit);
        if (hit.index == CORBEL_MISS)
            return light + throughput * sky(ray.d);
        view_normal(&job.scene, &ray, &hit, normal);
        view_move_to_hit(&ray, &hit, normal);
        throughput = throughput * albedo(job, ray.o, normal);
        light = light + throughput * sunlight(job, ray, normal, random);
        sampler_cosine(&random, normal, ray.d);
    }
    return light + throughput * AMBIENT;
}

/* Exposes, compresses highlights and encodes with a gamma of 2. */
float tone(float x)
{
    x = 1.6f * x;
    return sqrtf(x * (1 + x * 0.2f) / (1 + x));
}

Colour pixel_colour(const Job &job, const pixel &at)
{
    Colour sum = {0, 0, 0};
    for (uint32_t i = 0; i < job.spp; i++) {
        sampler random = sampler_start(at.x, at.y, i);
        corbel_ray ray;
        float dx, dy;
        sampler_pair(&random, &dx, &dy);
        corbel_camera_ray(&job.scene.camera, float(at.x) + dx, float(at.y) + dy,
                          &ray);
        sum = sum + radiance(job, ray, random);
    }
    return (1 / float(job.spp)) * sum;
}

void kernel(void *arg)
{
    const Job &job = *static_cast<const Job *>(arg);
    pixel at;
    while (frame_next(&job.picture, &at)) {
        const Colour c = pixel_colour(job, at);
        frame_set(&job.picture, &at, tone(c.r), tone(c.g), tone(c.b));
    }
}

} // namespace

int main(int argc, char **argv)
{
    options options = {};
    Job job = {};
    options.program = "path";
    options.spp = SPP_DEFAULT;
    options_parse(&options, OPTIONS_SCENE | OPTIONS_SPP, argc, argv);
    view_open(&job.scene, &options);
    frame_init(&job.picture, &options);
    job.spp = options.spp;
    frame_render(&job.picture, kernel, &job);
    frame_finish(&job.picture, &options);
    return 0;
}
