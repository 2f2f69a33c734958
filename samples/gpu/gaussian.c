/*
 * Gaussian elimination of a dense system, after Rodinia's gaussian: for each
 * row, one kernel finds the multipliers of the rows below, the other takes the
 * multiple of the row from each of them. Back substitution is not in a kernel.
 */
#include "matrices.h"

enum { MATRIX = 1, RIGHT, FAN1 = 512, TILE = 4 };

struct system {
    uint32_t n, row;
    float *a, *b, *m; /* matrix, right side, multipliers */
};

static void fan1_kernel(void *arg)
{
    const struct system *s = arg;
    uint32_t i = member_index(), row = s->row + 1 + i;
    if (row < s->n)
        s->m[row * s->n + s->row] =
            s->a[row * s->n + s->row] / s->a[s->row * s->n + s->row];
}

static void fan2_kernel(void *arg)
{
    const struct system *s = arg;
    const uint32_t n = s->n, t = s->row, across = ceil_div(n, TILE);
    uint32_t group = corbel_group(), lane = corbel_lane();
    uint32_t row = t + 1 + group % across * TILE + lane % TILE;
    uint32_t column = t + group / across * TILE + lane / TILE;
    if (row >= n || column >= n)
        return;
    float m = s->m[row * n + t];
    s->a[row * n + column] -= m * s->a[t * n + column];
    if (column == t)
        s->b[row] -= m * s->b[t];
}

static void substitute(const struct system *s, float *x)
{
    for (uint32_t i = s->n; i--;) {
        x[i] = s->b[i];
        for (uint32_t k = s->n - 1; k > i; k--)
            x[i] -= s->a[i * s->n + k] * x[k];
        x[i] /= s->a[i * s->n + i];
    }
}

static void fill(struct system *s, uint32_t n)
{
    *s = (struct system){.n = n};
    s->a = dominant_matrix(MATRIX, n);
    s->m = ARRAY(float, n *n);
    s->b = ARRAY(float, n);
    for (uint32_t i = 0; i < n; i++)
        s->b[i] = random_float(RIGHT, i);
}

static void check(struct gpu *gpu, const float *result)
{
    struct system s;
    uint32_t n = gpu->size[0];
    fill(&s, n);
    for (uint32_t t = 0; t + 1 < n; t++)
        for (uint32_t row = t + 1; row < n; row++) {
            float m = s.a[row * n + t] / s.a[t * n + t];
            for (uint32_t k = t; k < n; k++)
                s.a[row * n + k] -= m * s.a[t * n + k];
            s.b[row] -= m * s.b[t];
        }
    float *x = ARRAY(float, n);
    substitute(&s, x);
    gpu_compare(gpu, "unknown", result, x, n);
}

static void run(struct gpu *gpu)
{
    struct system s;
    uint32_t n = gpu->size[0], across = ceil_div(n, TILE);
    fill(&s, n);
    if (gpu->spoil)
        s.b[n / 2] += 1;
    gpu_begin(gpu);
    for (s.row = 0; s.row + 1 < n; s.row++) {
        gpu_launch(gpu, "fan1", fan1_kernel, &s, ceil_div(n, FAN1), FAN1, 0);
        gpu_launch(gpu, "fan2", fan2_kernel, &s, across * across, TILE * TILE,
                   0);
    }
    gpu_end(gpu);
    float *x = ARRAY(float, n);
    substitute(&s, x);
    gpu_digest(gpu, x, n);
    if (gpu->check)
        check(gpu, x);
}

const struct benchmark gaussian = {
    .name = "gaussian",
    .numbers = "rows",
    .what = "Gaussian elimination",
    .small = {18},
    .source = {256},
    .most = {16384},
    .run = run,
};
