/*
 * Products of matrices in the two sizes of CUTLASS' sgemm that the study of
 * parallel simulation has: a group has a tile of 128 x 128 elements, each of
 * its members 8 x 8 of them in registers. The original is templates of C++;
 * this is our own, of the same tile.
 */
#include "matrices.h"

enum { TILE = 128, OWN = 8, ACROSS = TILE / OWN, DEPTH = 8 };

/* Group memory: a tile of either factor, by its line along k. */
static void load(const struct product *p, uint32_t top, uint32_t left,
                 uint32_t k, float *a, float *b)
{
    for (uint32_t i = corbel_lane(); i < TILE * DEPTH; i += ACROSS * ACROSS) {
        uint32_t row = top + i / DEPTH, ka = k + i % DEPTH;
        uint32_t column = left + i % TILE, kb = k + i / TILE;
        a[i % DEPTH * TILE + i / DEPTH] =
            row < p->m && ka < p->k ? p->a[row * p->k + ka] : 0;
        b[i] = column < p->n && kb < p->k ? p->b[kb * p->n + column] : 0;
    }
}

static void add(const float *a, const float *b, uint32_t depth,
                float sum[OWN][OWN])
{
    const uint32_t y = corbel_lane() / ACROSS, x = corbel_lane() % ACROSS;
    for (uint32_t k = 0; k < depth; k++)
        for (uint32_t i = 0; i < OWN; i++)
            for (uint32_t j = 0; j < OWN; j++)
                sum[i][j] +=
                    a[k * TILE + i * ACROSS + y] * b[k * TILE + j * ACROSS + x];
}

static void product_kernel(void *arg)
{
    const struct product *p = arg;
    float *a = corbel_group_memory(TILE * DEPTH * sizeof *a);
    float *b = corbel_group_memory(TILE * DEPTH * sizeof *b);
    const uint32_t across = ceil_div(p->n, TILE);
    const uint32_t top = corbel_group() / across * TILE;
    const uint32_t left = corbel_group() % across * TILE;
    float sum[OWN][OWN] = {{0}};
    for (uint32_t k = 0; k < p->k; k += DEPTH) {
        load(p, top, left, k, a, b);
        corbel_group_sync();
        add(a, b, smaller(DEPTH, p->k - k), sum);
        corbel_group_sync();
    }
    const uint32_t y = corbel_lane() / ACROSS, x = corbel_lane() % ACROSS;
    for (uint32_t i = 0; i < OWN; i++)
        for (uint32_t j = 0; j < OWN; j++) {
            uint32_t row = top + i * ACROSS + y, column = left + j * ACROSS + x;
            if (row < p->m && column < p->n)
                p->c[row * p->n + column] = sum[i][j];
        }
}

static void run(struct gpu *gpu)
{
    run_product(gpu, product_kernel, TILE, ACROSS * ACROSS,
                2 * TILE * DEPTH * sizeof(float));
}

const struct benchmark cut_1 = {
    .name = "cut_1",
    .numbers = "m,n,k",
    .what = "a product of matrices in large tiles, one factor narrow (our own)",
    .small = {140, 5, 19},
    .source = {2560, 16, 2560},
    .most = {8192, 8192, 8192},
    .run = run,
};

const struct benchmark cut_2 = {
    .name = "cut_2",
    .numbers = "m,n,k",
    .what = "the same, both factors wide (our own)",
    .small = {70, 135, 21},
    .source = {2560, 1024, 2560},
    .most = {8192, 8192, 8192},
    .run = run,
};
