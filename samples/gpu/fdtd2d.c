/*
 * Finite differences in time of a field in two dimensions, after PolyBench's
 * fdtd-2d: in each step a kernel for each component of the electric field and
 * one for the magnetic one; a member has one place, a group 32 x 8 of them.
 */
#include "gpu.h"

enum { FIELD = 1, WIDTH = 32, HEIGHT = 8 };

struct field {
    uint32_t n, step;
    float *ex, *ey, *hz; /* [n][n + 1], [n + 1][n], [n][n] */
};

static float source_of(uint32_t step)
{
    return (float)step;
}

/* The member's place; false: it has none. */
static bool find_place(const struct field *f, uint32_t *x, uint32_t *y)
{
    const uint32_t across = ceil_div(f->n, WIDTH);
    const uint32_t lane = corbel_lane(), group = corbel_group();
    *x = group % across * WIDTH + lane % WIDTH;
    *y = group / across * HEIGHT + lane / WIDTH;
    return *x < f->n && *y < f->n;
}

static void ey_kernel(void *arg)
{
    const struct field *f = arg;
    uint32_t x, y, n = f->n;
    if (!find_place(f, &x, &y))
        return;
    if (y == 0)
        f->ey[x] = source_of(f->step);
    else
        f->ey[y * n + x] -= 0.5f * (f->hz[y * n + x] - f->hz[(y - 1) * n + x]);
}

static void ex_kernel(void *arg)
{
    const struct field *f = arg;
    uint32_t x, y, n = f->n;
    if (find_place(f, &x, &y) && x)
        f->ex[y * (n + 1) + x] -=
            0.5f * (f->hz[y * n + x] - f->hz[y * n + x - 1]);
}

static void hz_kernel(void *arg)
{
    const struct field *f = arg;
    uint32_t x, y, n = f->n;
    if (find_place(f, &x, &y))
        f->hz[y * n + x] -=
            0.7f * (f->ex[y * (n + 1) + x + 1] - f->ex[y * (n + 1) + x] +
                    f->ey[(y + 1) * n + x] - f->ey[y * n + x]);
}

static void fill(struct field *f, uint32_t n)
{
    *f = (struct field){.n = n};
    f->ex = ARRAY(float, n *(n + 1));
    f->ey = ARRAY(float, n *(n + 1));
    f->hz = ARRAY(float, n *n);
    for (uint32_t i = 0; i < n * (n + 1); i++) {
        f->ex[i] = random_float(FIELD, 3 * i);
        f->ey[i] = random_float(FIELD, 3 * i + 1);
        if (i < n * n)
            f->hz[i] = random_float(FIELD, 3 * i + 2);
    }
}

/* Row by row, in three passes a step. */
static void check(struct gpu *gpu, const struct field *result)
{
    struct field f;
    const uint32_t n = gpu->size[0];
    fill(&f, n);
    for (uint32_t t = 0; t < gpu->size[1]; t++) {
        for (uint32_t x = 0; x < n; x++)
            f.ey[x] = source_of(t);
        for (uint32_t i = n; i < n * n; i++)
            f.ey[i] -= 0.5f * (f.hz[i] - f.hz[i - n]);
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = 1; x < n; x++)
                f.ex[y * (n + 1) + x] -=
                    0.5f * (f.hz[y * n + x] - f.hz[y * n + x - 1]);
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = 0; x < n; x++) {
                float *ex = f.ex + y * (n + 1) + x, *ey = f.ey + y * n + x;
                f.hz[y * n + x] -= 0.7f * (ex[1] - ex[0] + ey[n] - ey[0]);
            }
    }
    gpu_compare(gpu, "ex", result->ex, f.ex, n * (n + 1));
    gpu_compare(gpu, "ey", result->ey, f.ey, n * (n + 1));
    gpu_compare(gpu, "hz", result->hz, f.hz, n * n);
}

static void run(struct gpu *gpu)
{
    struct field f;
    const uint32_t n = gpu->size[0];
    const uint32_t groups = ceil_div(n, WIDTH) * ceil_div(n, HEIGHT);
    fill(&f, n);
    if (gpu->spoil)
        f.hz[n / 2] += 1;
    gpu_begin(gpu);
    for (; f.step < gpu->size[1]; f.step++) {
        gpu_launch(gpu, "ey", ey_kernel, &f, groups, WIDTH * HEIGHT, 0);
        gpu_launch(gpu, "ex", ex_kernel, &f, groups, WIDTH * HEIGHT, 0);
        gpu_launch(gpu, "hz", hz_kernel, &f, groups, WIDTH * HEIGHT, 0);
    }
    gpu_end(gpu);
    gpu_digest(gpu, f.ex, n * (n + 1));
    gpu_digest(gpu, f.ey, n * (n + 1));
    gpu_digest(gpu, f.hz, n * n);
    if (gpu->check)
        check(gpu, &f);
}

const struct benchmark fdtd2d = {
    .name = "fdtd2d",
    .numbers = "side,steps",
    .what = "an electromagnetic field in two dimensions",
    .small = {37, 3},
    .source = {2048, 500},
    .most = {16384, 1000000},
    .run = run,
};
