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

/* Compares c = a b: m x n, n x k numbers; products are added in order. */
static inline void check_product(struct gpu *gpu, const float *c, uint32_t m,
                                 uint32_t n, uint32_t k)
{
    const float *a = random_matrix(1, m * k), *b = random_matrix(2, k * n);
    float *expected = ARRAY(float, m *n);
    for (uint32_t y = 0; y < m; y++)
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t i = 0; i < k; i++)
                expected[y * n + x] += a[y * k + i] * b[i * n + x];
    gpu_compare(gpu, "element", c, expected, m * n);
}

#endif
