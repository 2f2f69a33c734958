/*
 * Heat in a chip, as in samples/uvm: a group is a tile of 16 x 16 cells, which
 * goes up to `pyramid` steps by itself in group memory.
 */
#include "gpu.h"

#include "../uvm/hotspot_tile.h"

static void check(struct gpu *gpu, const float *result)
{
    uint32_t count = gpu->size[0] * gpu->size[0];
    float *from = ARRAY(float, count), *to = ARRAY(float, count);
    gpu_compare(gpu, "temperature", result,
                hotspot_serial(gpu->size[0], gpu->size[2], from, to), count);
}

static void run(struct gpu *gpu)
{
    struct tile_grid g = {.cells = gpu->size[0], .pyramid = gpu->size[1]};
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
        gpu_launch(gpu, "step", tile_kernel, &g,
                   tile_count(&g) * tile_count(&g), TILE_CELLS,
                   TILE_CELLS * sizeof(float));
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
    .most = {16384, TILE_SIDE / 2 - 1, 1000000},
    .run = run,
};
