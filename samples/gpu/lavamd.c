/*
 * Forces between particles in boxes, after Rodinia's lavaMD: a group has a box
 * of 100 particles, and brings one after the other of the boxes around it, and
 * itself, to group memory. Coordinates are those of space; boxes only say who
 * is near.
 */
#include "gpu.h"

enum { PARTICLES = 100, MEMBERS = 128, PLACE = 1, CHARGE };
#define ALPHA 0.5f

struct vector {
    float v, x, y, z;
};

struct boxes {
    uint32_t side, count;    /* of boxes */
    const struct vector *at; /* of all particles, box by box; v: weight */
    const float *charge;
    struct vector *force;
};

/* The boxes around a box, itself included, in the order of their numbers. */
static unsigned neighbours(uint32_t side, uint32_t box, uint32_t near[27])
{
    const int32_t n = (int32_t)side, i = (int32_t)box;
    unsigned count = 0;
    for (int32_t z = i / n / n - 1; z <= i / n / n + 1; z++)
        for (int32_t y = i / n % n - 1; y <= i / n % n + 1; y++)
            for (int32_t x = i % n - 1; x <= i % n + 1; x++)
                if (x >= 0 && x < n && y >= 0 && y < n && z >= 0 && z < n)
                    near[count++] = (uint32_t)((z * n + y) * n + x);
    return count;
}

static inline void add_force(struct vector *f, struct vector a, struct vector b,
                             float charge)
{
    float squared = a.v + b.v - (a.x * b.x + a.y * b.y + a.z * b.z);
    float u = power_of_e(-2 * ALPHA * ALPHA * squared), s = 2 * u;
    f->v += charge * u;
    f->x += charge * (s * (a.x - b.x));
    f->y += charge * (s * (a.y - b.y));
    f->z += charge * (s * (a.z - b.z));
}

static void force_kernel(void *arg)
{
    const struct boxes *b = arg;
    struct vector *other = corbel_group_memory(PARTICLES * sizeof *other);
    float *charge = corbel_group_memory(PARTICLES * sizeof *charge);
    const uint32_t lane = corbel_lane(), box = corbel_group();
    const uint32_t own = box * PARTICLES + lane;
    uint32_t near[27];
    const unsigned count = neighbours(b->side, box, near);
    struct vector force = {0};
    for (unsigned k = 0; k < count; k++) {
        uint32_t at = near[k] * PARTICLES + lane;
        if (lane < PARTICLES) {
            other[lane] = b->at[at];
            charge[lane] = b->charge[at];
        }
        corbel_group_sync();
        if (lane < PARTICLES)
            for (unsigned i = 0; i < PARTICLES; i++)
                add_force(&force, b->at[own], other[i], charge[i]);
        corbel_group_sync();
    }
    if (lane < PARTICLES)
        b->force[own] = force;
}

static void fill(struct boxes *b, uint32_t side, struct vector **at)
{
    *b = (struct boxes){.side = side, .count = side * side * side};
    uint32_t particles = b->count * PARTICLES;
    float *charge = ARRAY(float, particles);
    *at = ARRAY(struct vector, particles);
    for (uint32_t i = 0; i < particles; i++) {
        (*at)[i] = (struct vector){
            0.1f + random_float(PLACE, 4 * i), random_float(PLACE, 4 * i + 1),
            random_float(PLACE, 4 * i + 2), random_float(PLACE, 4 * i + 3)};
        charge[i] = random_float(CHARGE, i);
    }
    b->at = *at;
    b->charge = charge;
    b->force = ARRAY(struct vector, particles);
}

static void check(struct gpu *gpu, const struct vector *result)
{
    struct boxes b;
    struct vector *at;
    fill(&b, gpu->size[0], &at);
    for (uint32_t i = 0; i < b.count * PARTICLES; i++) {
        uint32_t near[27];
        unsigned count = neighbours(b.side, i / PARTICLES, near);
        for (unsigned k = 0; k < count * PARTICLES; k++) {
            uint32_t j = near[k / PARTICLES] * PARTICLES + k % PARTICLES;
            add_force(&b.force[i], at[i], at[j], b.charge[j]);
        }
    }
    gpu_compare(gpu, "force", result, b.force, b.count * PARTICLES * 4);
}

static void run(struct gpu *gpu)
{
    struct boxes b;
    struct vector *at;
    fill(&b, gpu->size[0], &at);
    if (gpu->spoil)
        at[0].x += 1;
    gpu_begin(gpu);
    gpu_launch(gpu, "force", force_kernel, &b, b.count, MEMBERS,
               PARTICLES * (sizeof(struct vector) + sizeof(float)));
    gpu_end(gpu);
    gpu_digest(gpu, b.force, b.count * PARTICLES * 4);
    if (gpu->check)
        check(gpu, b.force);
}

const struct benchmark lavamd = {
    .name = "lavamd",
    .numbers = "boxes",
    .what = "forces between particles in boxes",
    .small = {2},
    .source = {10},
    .most = {64},
    .run = run,
};
