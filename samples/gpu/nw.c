/*
 * Needleman-Wunsch, the alignment of two sequences, after Rodinia's nw: a table
 * of scores is filled tile by tile of 16 x 16 along its diagonals, a launch for
 * each; within a tile 16 members go along its diagonals.
 */
#include "gpu.h"

enum { TILE = 16, EDGE = TILE + 1, FIRST = 1, SECOND, LETTERS = 24 };
enum { PENALTY = 10 };

struct table {
    uint32_t n, tiles;    /* scores of a row but the first; tiles of a row */
    uint32_t first, last; /* tiles of this launch: their columns */
    uint32_t diagonal;    /* column + row of its tiles */
    int32_t *score;       /* [n + 1][n + 1] */
    const int32_t *match; /* [n][n] */
};

/* Of two letters. */
static int32_t similarity(uint32_t a, uint32_t b)
{
    return a == b ? 5 : (int32_t)((a * 7 + b * 7) % 9) - 4;
}

static int32_t match_of(uint32_t y, uint32_t x)
{
    return similarity(random_below(FIRST, y, LETTERS),
                      random_below(SECOND, x, LETTERS));
}

static inline int32_t best_of(int32_t corner, int32_t above, int32_t before,
                              int32_t match)
{
    int32_t best = corner + match;
    best = above - PENALTY > best ? above - PENALTY : best;
    return before - PENALTY > best ? before - PENALTY : best;
}

static void tile_kernel(void *arg)
{
    const struct table *t = arg;
    int32_t *score = corbel_group_memory(EDGE * EDGE * sizeof *score);
    int32_t *match = corbel_group_memory(TILE * TILE * sizeof *match);
    const uint32_t lane = corbel_lane(), width = t->n + 1;
    const uint32_t column = t->first + corbel_group();
    const uint32_t row = t->diagonal - column;
    int32_t *corner = t->score + (size_t)row * TILE * width + column * TILE;
    const int32_t *from = t->match + (size_t)row * TILE * t->n + column * TILE;
    for (uint32_t y = 0; y < TILE; y++)
        match[y * TILE + lane] = from[y * t->n + lane];
    score[(lane + 1) * EDGE] = corner[(lane + 1) * width];
    score[lane + 1] = corner[lane + 1];
    if (lane == 0)
        score[0] = corner[0];
    corbel_group_sync();
    for (uint32_t d = 0; d < 2 * TILE - 1; d++) {
        uint32_t y = d - lane;
        if (lane <= d && y < TILE) {
            int32_t *s = score + y * EDGE + lane;
            s[EDGE + 1] = best_of(s[0], s[1], s[EDGE], match[y * TILE + lane]);
        }
        corbel_group_sync();
    }
    for (uint32_t y = 1; y <= TILE; y++)
        corner[y * width + lane + 1] = score[y * EDGE + lane + 1];
}

static void edges(int32_t *score, uint32_t n)
{
    for (uint32_t i = 0; i <= n; i++) {
        score[i] = -(int32_t)i * PENALTY;
        score[i * (n + 1)] = -(int32_t)i * PENALTY;
    }
}

static void check(struct gpu *gpu, const int32_t *result)
{
    uint32_t n = gpu->size[0], width = n + 1;
    int32_t *score = ARRAY(int32_t, width * width);
    edges(score, n);
    for (uint32_t y = 1; y <= n; y++)
        for (uint32_t x = 1; x <= n; x++)
            score[y * width + x] = best_of(
                score[(y - 1) * width + x - 1], score[(y - 1) * width + x],
                score[y * width + x - 1], match_of(y - 1, x - 1));
    gpu_compare(gpu, "score", result, score, width * width);
}

static void run(struct gpu *gpu)
{
    struct table t = {.n = gpu->size[0], .tiles = gpu->size[0] / TILE};
    int32_t *match = ARRAY(int32_t, t.n * t.n);
    t.score = ARRAY(int32_t, (t.n + 1) * (t.n + 1));
    edges(t.score, t.n);
    for (uint32_t i = 0; i < t.n * t.n; i++)
        match[i] = match_of(i / t.n, i % t.n);
    t.match = match;
    if (gpu->spoil)
        match[t.n / 2] += 100;
    gpu_begin(gpu);
    for (t.diagonal = 0; t.diagonal < 2 * t.tiles - 1; t.diagonal++) {
        t.first = t.diagonal < t.tiles ? 0 : t.diagonal - t.tiles + 1;
        t.last = smaller(t.diagonal, t.tiles - 1);
        gpu_launch(gpu, t.diagonal < t.tiles ? "growing" : "shrinking",
                   tile_kernel, &t, t.last - t.first + 1, TILE,
                   (EDGE * EDGE + TILE * TILE + 4) * sizeof(int32_t));
    }
    gpu_end(gpu);
    gpu_digest(gpu, t.score, (t.n + 1) * (t.n + 1));
    if (gpu->check)
        check(gpu, t.score);
}

static const char *refuses(const uint32_t size[NUMBERS])
{
    return size[0] % TILE ? "a multiple of 16" : NULL;
}

const struct benchmark nw = {
    .name = "nw",
    .numbers = "letters",
    .what = "alignment of two sequences",
    .small = {48},
    .source = {2048},
    .most = {16384},
    .refuses = refuses,
    .run = run,
};
