/*
 * Heat in a chip, as in samples/uvm: a group is a tile of 16 x 16 cells, which
 * goes up to `pyramid` steps by itself in group memory.
 */
#include "gpu.h"

#include "../uvm/hotspot.h"

enum { SIDE = 16, CELLS = SIDE * SIDE };

struct grid {
    uint32_t cells, pyramid, steps; /* of a row; steps: of this launch */
    const float *from, *power;
    float *to;
};

static uint32_t tiles_of(const struct grid *g)
{
    return ceil_div(g->cells, SIDE - 2 * g->pyramid);
}

/* A cell of a tile; those outside of the grid do not change. */
struct cell {
    int32_t x, y, rim; /* in the grid; cells to the tile's border */
    bool inside;
    uint32_t at; /* in the grid */
};

static struct cell cell_of(const struct grid *g, uint32_t group, int32_t x,
                           int32_t y)
{
    uint32_t tiles = tiles_of(g), kept = SIDE - 2 * g->pyramid;
    int32_t most = SIDE - 1, n = (int32_t)g->cells;
    struct cell c = {.x = (int32_t)(group % tiles * kept - g->pyramid) + x,
                     .y = (int32_t)(group / tiles * kept - g->pyramid) + y,
                     .rim = x < y ? x : y};
    c.rim = most - x < c.rim ? most - x : c.rim;
    c.rim = most - y < c.rim ? most - y : c.rim;
    c.inside = c.x >= 0 && c.x < n && c.y >= 0 && c.y < n;
    c.at = (uint32_t)(c.y * n + c.x);
    return c;
}

static void step_kernel(void *arg)
{
    const struct grid *g = arg;
    float *tile = corbel_group_memory(CELLS * sizeof *tile);
    const uint32_t lane = corbel_lane();
    const struct cell c =
        cell_of(g, corbel_group(), (int32_t)lane % SIDE, (int32_t)lane / SIDE);
    const int32_t most = (int32_t)g->cells - 1;
    float power = c.inside ? g->power[c.at] : 0;
    tile[lane] = c.inside ? g->from[c.at] : 0;
    corbel_group_sync();
    for (int32_t s = 1; s <= (int32_t)g->steps; s++) {
        bool active = c.inside && c.rim >= s;
        float now = tile[lane];
        if (active)
            now = next_of(now, c.y > 0 ? tile[lane - SIDE] : now,
                          c.y < most ? tile[lane + SIDE] : now,
                          c.x > 0 ? tile[lane - 1] : now,
                          c.x < most ? tile[lane + 1] : now, power);
        corbel_group_sync();
        tile[lane] = now;
        corbel_group_sync();
    }
    if (c.inside && c.rim >= (int32_t)g->pyramid)
        g->to[c.at] = tile[lane];
}

static void check(struct gpu *gpu, const float *result)
{
    uint32_t count = gpu->size[0] * gpu->size[0];
    float *from = ARRAY(float, count), *to = ARRAY(float, count);
    gpu_compare(gpu, "temperature", result,
                hotspot_serial(gpu->size[0], gpu->size[2], from, to), count);
}

static void run(struct gpu *gpu)
{
    struct grid g = {.cells = gpu->size[0], .pyramid = gpu->size[1]};
    uint32_t count = g.cells * g.cells;
    float *from = ARRAY(float, count), *power = ARRAY(float, count);
    g.to = ARRAY(float, count);
    for (uint32_t i = 0; i < count; i++) {
        from[i] = first_temperature(i);
        power[i] = first_power(i);
    }
    g.power = power;
    if (gpu->spoil)
        from[count / 2] += 100;
    gpu_begin(gpu);
    for (uint32_t left = gpu->size[2]; left; left -= g.steps) {
        g.from = from;
        g.steps = smaller(g.pyramid, left);
        gpu_launch(gpu, "step", step_kernel, &g, tiles_of(&g) * tiles_of(&g),
                   CELLS, CELLS * sizeof(float));
        from = g.to;
        g.to = (float *)g.from;
    }
    gpu_end(gpu);
    gpu_digest(gpu, from, count);
    if (gpu->check)
        check(gpu, from);
}

const struct benchmark hotspot = {
    .name = "hotspot",
    .numbers = "grid,pyramid,steps",
    .what = "heat in a chip, a stencil of five cells",
    .small = {29, 2, 5},
    .source = {512, 2, 2},
    .most = {16384, SIDE / 2 - 1, 1000000},
    .run = run,
};
