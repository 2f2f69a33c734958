/*
 * The nearest records to a point, after Rodinia's nn: a member finds the
 * distance of one record; which are nearest is found outside of the kernel.
 */
#include "gpu.h"

enum { LATITUDE = 1, LONGITUDE, MEMBERS = 256, NEAREST = 10 };

struct records {
    uint32_t count;
    const float *places; /* two for each */
    float *distance;
    float latitude, longitude;
};

static float distance_to(float latitude, float longitude,
                         const struct records *r)
{
    float dx = latitude - r->latitude, dy = longitude - r->longitude;
    return __builtin_sqrtf(dx * dx + dy * dy);
}

static void distance_kernel(void *arg)
{
    const struct records *r = arg;
    uint32_t i = member_index();
    if (i < r->count)
        r->distance[i] = distance_to(r->places[2 * i], r->places[2 * i + 1], r);
}

/* The nearest records in order; of equal ones those before. */
static void find_nearest(const float *distance, uint32_t count,
                         uint32_t nearest[NEAREST])
{
    for (unsigned k = 0; k < NEAREST; k++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < count; i++) {
            bool taken = false;
            for (unsigned j = 0; j < k; j++)
                taken |= nearest[j] == i;
            if (!taken && (best == UINT32_MAX || distance[i] < distance[best]))
                best = i;
        }
        nearest[k] = best;
    }
}

static float place(uint32_t i)
{
    return i % 2 ? 360 * random_float(LONGITUDE, i / 2)
                 : 180 * random_float(LATITUDE, i / 2) - 90;
}

static void check(struct gpu *gpu, const struct records *r,
                  const uint32_t nearest[NEAREST])
{
    float *distance = ARRAY(float, r->count);
    uint32_t expected[NEAREST];
    for (uint32_t i = 0; i < r->count; i++)
        distance[i] = distance_to(place(2 * i), place(2 * i + 1), r);
    find_nearest(distance, r->count, expected);
    gpu_compare(gpu, "distance", r->distance, distance, r->count);
    gpu_compare(gpu, "nearest", nearest, expected, NEAREST);
}

static void run(struct gpu *gpu)
{
    struct records r = {gpu->size[0], NULL, NULL, 30, 90};
    uint32_t nearest[NEAREST];
    float *places = ARRAY(float, 2 * r.count);
    r.places = places;
    r.distance = ARRAY(float, r.count);
    for (uint32_t i = 0; i < 2 * r.count; i++)
        places[i] = place(i);
    if (gpu->spoil)
        places[r.count / 2] += 1;
    gpu_begin(gpu);
    gpu_launch(gpu, "distance", distance_kernel, &r, ceil_div(r.count, MEMBERS),
               MEMBERS, 0);
    gpu_end(gpu);
    find_nearest(r.distance, r.count, nearest);
    gpu_digest(gpu, r.distance, r.count);
    gpu_digest(gpu, nearest, NEAREST);
    if (gpu->check)
        check(gpu, &r, nearest);
}

const struct benchmark nn = {
    .name = "nn",
    .numbers = "records",
    .what = "the nearest records to a point",
    .small = {700},
    .source = {42764},
    .most = {1 << 28},
    .run = run,
};
