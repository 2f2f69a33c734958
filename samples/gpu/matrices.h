/* Matrices of numbers at random, for the programs that multiply them. */
#ifndef SAMPLES_GPU_MATRICES_H
#define SAMPLES_GPU_MATRICES_H

#include "gpu.h"

static inline float *random_matrix(uint32_t stream, uint32_t count)
{
    float *a = ARRAY(float, count);
    for (uint32_t i = 0; i < count; i++)
        a[i] = random_float(stream, i) - 0.5f;
    return a;
}

/* n x n numbers whose diagonal is so much larger that no row has to be
 * exchanged. */
static inline float *dominant_matrix(uint32_t stream, uint32_t n)
{
    float *a = random_matrix(stream, n * n);
    for (uint32_t i = 0; i < n; i++)
        a[i * (n + 1)] += (float)n;
    return a;
}

/* c = a b, of m x k and k x n numbers. */
struct product {
    uint32_t m, n, k;
    const float *a, *b;
    float *c;
};

/* Compares it; products are added in order. */
static inline void check_product(struct gpu *gpu, const struct product *p)
{
    const uint32_t m = p->m, n = p->n, k = p->k;
    const float *a = random_matrix(1, m * k), *b = random_matrix(2, k * n);
    float *expected = ARRAY(float, m *n);
    for (uint32_t y = 0; y < m; y++)
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t i = 0; i < k; i++)
                expected[y * n + x] += a[y * k + i] * b[i * n + x];
    gpu_compare(gpu, "element", p->c, expected, m * n);
}

/* By a kernel whose groups have a tile of c each. */
static inline void run_product(struct gpu *gpu, void (*kernel)(void *),
                               uint32_t tile, uint32_t members, size_t bytes)
{
    struct product p = {gpu->size[0], gpu->size[1], gpu->size[2], 0, 0, 0};
    float *a = random_matrix(1, p.m * p.k);
    p.a = a;
    p.b = random_matrix(2, p.k * p.n);
    p.c = ARRAY(float, p.m *p.n);
    if (gpu->spoil)
        a[p.k / 2] += 1;
    gpu_begin(gpu);
    gpu_launch(gpu, "product", kernel, &p,
               ceil_div(p.m, tile) * ceil_div(p.n, tile), members, bytes);
    gpu_end(gpu);
    gpu_digest(gpu, p.c, p.m * p.n);
    if (gpu->check)
        check_product(gpu, &p);
}

#endif
