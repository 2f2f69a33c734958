/*
 * A symmetric update, C = alpha A A' + beta C, after PolyBench's syrk: a member
 * has one element, a group 32 x 8 of them.
 */
#include "gpu.h"

enum { FACTOR = 1, SUMMAND, WIDTH = 32, HEIGHT = 8 };
#define ALPHA 1.5f
#define BETA 1.25f

struct update {
    uint32_t n;
    const float *a;
    float *c;
};

static void update_kernel(void *arg)
{
    const struct update *u = arg;
    const uint32_t n = u->n, across = ceil_div(n, WIDTH);
    const uint32_t lane = corbel_lane(), group = corbel_group();
    const uint32_t x = group % across * WIDTH + lane % WIDTH;
    const uint32_t y = group / across * HEIGHT + lane / WIDTH;
    if (x >= n || y >= n)
        return;
    float c = u->c[y * n + x] * BETA;
    for (uint32_t k = 0; k < n; k++)
        c += ALPHA * u->a[y * n + k] * u->a[x * n + k];
    u->c[y * n + x] = c;
}

static void fill(struct update *u, float **a)
{
    uint32_t count = u->n * u->n;
    *a = ARRAY(float, count);
    u->c = ARRAY(float, count);
    u->a = *a;
    for (uint32_t i = 0; i < count; i++) {
        (*a)[i] = random_float(FACTOR, i) - 0.5f;
        u->c[i] = random_float(SUMMAND, i);
    }
}

static void check(struct gpu *gpu, const float *result)
{
    struct update u = {.n = gpu->size[0]};
    float *a;
    fill(&u, &a);
    for (uint32_t i = 0; i < u.n * u.n; i++)
        u.c[i] *= BETA;
    for (uint32_t y = 0; y < u.n; y++)
        for (uint32_t x = 0; x < u.n; x++)
            for (uint32_t k = 0; k < u.n; k++)
                u.c[y * u.n + x] += ALPHA * a[y * u.n + k] * a[x * u.n + k];
    gpu_compare(gpu, "element", result, u.c, u.n * u.n);
}

static void run(struct gpu *gpu)
{
    struct update u = {.n = gpu->size[0]};
    float *a;
    fill(&u, &a);
    if (gpu->spoil)
        a[u.n / 2] += 1;
    gpu_begin(gpu);
    gpu_launch(gpu, "update", update_kernel, &u,
               ceil_div(u.n, WIDTH) * ceil_div(u.n, HEIGHT), WIDTH * HEIGHT, 0);
    gpu_end(gpu);
    gpu_digest(gpu, u.c, u.n * u.n);
    if (gpu->check)
        check(gpu, u.c);
}

const struct benchmark syrk = {
    .name = "syrk",
    .numbers = "rows",
    .what = "a symmetric update of a matrix",
    .small = {37},
    .source = {1024},
    .most = {8192},
    .run = run,
};
