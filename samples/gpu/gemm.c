/*
 * A product of matrices, in the size of DeepBench's gemm: a group has a tile of
 * 16 x 16 elements, each of its members one, and brings tiles of both factors
 * to group memory. The original is a closed library; this stands in for it.
 */
#include "matrices.h"

enum { TILE = 16 };

static void product_kernel(void *arg)
{
    const struct product *p = arg;
    float *a = corbel_group_memory(TILE * TILE * sizeof *a);
    float *b = corbel_group_memory(TILE * TILE * sizeof *b);
    const uint32_t lane = corbel_lane(), x = lane % TILE, y = lane / TILE;
    const uint32_t across = ceil_div(p->n, TILE), group = corbel_group();
    const uint32_t row = group / across * TILE + y;
    const uint32_t column = group % across * TILE + x;
    const bool inside = row < p->m && column < p->n;
    float sum = 0;
    for (uint32_t k = 0; k < p->k; k += TILE) {
        uint32_t width = smaller(TILE, p->k - k);
        if (row < p->m && x < width)
            a[lane] = p->a[row * p->k + k + x];
        if (column < p->n && y < width)
            b[lane] = p->b[(k + y) * p->n + column];
        corbel_group_sync();
        if (inside)
            for (uint32_t i = 0; i < width; i++)
                sum += a[y * TILE + i] * b[i * TILE + x];
        corbel_group_sync();
    }
    if (inside)
        p->c[row * p->n + column] = sum;
}

static void run(struct gpu *gpu)
{
    run_product(gpu, product_kernel, TILE, TILE * TILE,
                2 * TILE * TILE * sizeof(float));
}

const struct benchmark gemm = {
    .name = "gemm",
    .numbers = "m,n,k",
    .what = "a product of matrices in tiles (our own)",
    .small = {35, 30, 37},
    .source = {1760, 7000, 1760},
    .most = {8192, 8192, 8192},
    .run = run,
};
