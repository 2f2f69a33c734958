/*
 * LU decomposition in tiles of 16 x 16, after Rodinia's lud: for each tile of
 * the diagonal a group factors it, groups solve the tiles below and to the
 * right of it, and groups take their products from all others.
 *
 * An element becomes itself minus products one by one, in the order of a plain
 * loop, so that results are the same bit by bit.
 */
#include "matrices.h"

enum { TILE = 16, MATRIX = 1 };

struct matrix {
    uint32_t n, at; /* at: the first row of this round */
    float *a;
};

static void diagonal_kernel(void *arg)
{
    const struct matrix *m = arg;
    float *t = corbel_group_memory(TILE * TILE * sizeof *t);
    const uint32_t lane = corbel_lane();
    float *corner = m->a + (size_t)m->at * m->n + m->at;
    for (uint32_t y = 0; y < TILE; y++)
        t[y * TILE + lane] = corner[y * m->n + lane];
    corbel_group_sync();
    for (uint32_t k = 0; k + 1 < TILE; k++) {
        if (lane > k)
            t[lane * TILE + k] /= t[k * TILE + k];
        corbel_group_sync();
        if (lane > k)
            for (uint32_t x = k + 1; x < TILE; x++)
                t[lane * TILE + x] -= t[lane * TILE + k] * t[k * TILE + x];
        corbel_group_sync();
    }
    for (uint32_t y = 0; y < TILE; y++)
        corner[y * m->n + lane] = t[y * TILE + lane];
}

/* The first 16 members solve a tile to the right of the diagonal's, each a
 * column; the others one below, each a row. */
static void perimeter_kernel(void *arg)
{
    const struct matrix *m = arg;
    float *t = corbel_group_memory(TILE * TILE * sizeof *t);
    const uint32_t lane = corbel_lane() % TILE, n = m->n;
    const uint32_t away = (corbel_group() + 1) * TILE;
    const bool right = corbel_lane() < TILE;
    float *corner = m->a + (size_t)m->at * n + m->at;
    for (uint32_t y = right ? 0 : TILE / 2; y < (right ? TILE / 2 : TILE); y++)
        t[y * TILE + lane] = corner[y * n + lane];
    corbel_group_sync();
    float *line = right ? corner + away + lane : corner + (away + lane) * n;
    const uint32_t step = right ? n : 1;
    for (uint32_t i = 0; i < TILE; i++) {
        float x = line[i * step];
        for (uint32_t k = 0; k < i; k++)
            x -= right ? t[i * TILE + k] * line[k * step]
                       : line[k * step] * t[k * TILE + i];
        line[i * step] = right ? x : x / t[i * TILE + i];
    }
}

static void internal_kernel(void *arg)
{
    const struct matrix *m = arg;
    float *below = corbel_group_memory(TILE * TILE * sizeof *below);
    float *right = corbel_group_memory(TILE * TILE * sizeof *right);
    const uint32_t lane = corbel_lane(), x = lane % TILE, y = lane / TILE;
    const uint32_t n = m->n, across = (n - m->at) / TILE - 1;
    const uint32_t group = corbel_group();
    float *corner = m->a + (size_t)m->at * n + m->at;
    uint32_t row = (group / across + 1) * TILE + y;
    uint32_t column = (group % across + 1) * TILE + x;
    below[lane] = corner[row * n + x];
    right[lane] = corner[y * n + column];
    corbel_group_sync();
    float a = corner[row * n + column];
    for (uint32_t k = 0; k < TILE; k++)
        a -= below[y * TILE + k] * right[k * TILE + x];
    corner[row * n + column] = a;
}

static void check(struct gpu *gpu, const float *result)
{
    uint32_t n = gpu->size[0];
    float *a = dominant_matrix(MATRIX, n);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t y = k + 1; y < n; y++) {
            a[y * n + k] /= a[k * n + k];
            for (uint32_t x = k + 1; x < n; x++)
                a[y * n + x] -= a[y * n + k] * a[k * n + x];
        }
    gpu_compare(gpu, "element", result, a, n * n);
}

static void run(struct gpu *gpu)
{
    struct matrix m = {.n = gpu->size[0]};
    const size_t tile = TILE * TILE * sizeof(float);
    m.a = dominant_matrix(MATRIX, m.n);
    if (gpu->spoil)
        m.a[m.n / 2] += 1;
    gpu_begin(gpu);
    for (; m.at < m.n; m.at += TILE) {
        uint32_t rest = (m.n - m.at) / TILE - 1;
        gpu_launch(gpu, "diagonal", diagonal_kernel, &m, 1, TILE, tile);
        if (!rest)
            break;
        gpu_launch(gpu, "perimeter", perimeter_kernel, &m, rest, 2 * TILE,
                   tile);
        gpu_launch(gpu, "internal", internal_kernel, &m, rest * rest,
                   TILE * TILE, 2 * tile);
    }
    gpu_end(gpu);
    gpu_digest(gpu, m.a, m.n * m.n);
    if (gpu->check)
        check(gpu, m.a);
}

static const char *refuses(const uint32_t size[NUMBERS])
{
    return size[0] % TILE ? "a multiple of 16" : NULL;
}

const struct benchmark lud = {
    .name = "lud",
    .numbers = "rows",
    .what = "LU decomposition in tiles",
    .small = {48},
    .source = {256},
    .most = {16384},
    .refuses = refuses,
    .run = run,
};
