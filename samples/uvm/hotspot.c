/*
 * Heat in a chip: the temperature of each cell of a square grid after some
 * steps, by those of its neighbours, its power, and the surroundings.
 *
 * A launch does up to `pyramid` steps: a tile of 16 x 16 cells with all that it
 * needs around is computed by itself, over and over what its neighbours compute
 * too, and keeps the (16 - 2 pyramid) squared cells in its middle.
 */
#include "hotspot_tile.h"
#include "uvm.h"

#include <stdlib.h>

enum { SIDE = 16 };

struct grid {
    uint32_t cells;          /* of a row, and rows */
    uint32_t pyramid, steps; /* of this launch */
    const float *from, *power;
    float *to;
    uint32_t *local; /* two tiles a hart */
};

struct input {
    uint32_t count;
    float *temperature, *power, *other;
};

static void make_kernel(void *arg)
{
    const struct input *in = arg;
    EACH_CHUNK(index, in->count)
    EACH_ITEM(i, index, in->count)
    {
        in->temperature[i] = first_temperature(i);
        in->power[i] = first_power(i);
        in->other[i] = 0;
    }
}

/* The cells [first, end) of a tile, counted in the grid from `at` on, that lie
 * in it. */
struct span {
    int32_t first, end;
};

static inline struct span inside(int32_t first, int32_t end, int32_t at,
                                 uint32_t cells)
{
    int32_t last = (int32_t)cells - at;
    struct span s = {first < -at ? -at : first, end > last ? last : end};
    return s;
}

static void load(const struct grid *g, int32_t top, int32_t left, float *tile)
{
    struct span ys = inside(0, SIDE, top, g->cells);
    struct span xs = inside(0, SIDE, left, g->cells);
    for (int32_t y = ys.first; y < ys.end; y++) {
        const float *row = g->from + (uint32_t)(top + y) * g->cells;
        for (int32_t x = xs.first; x < xs.end; x++)
            tile[y * SIDE + x] = row[left + x];
    }
}

/* One step within a tile: the cells that are `rim` and more from its border. */
static void step(const struct grid *g, int32_t top, int32_t left, int32_t rim,
                 const float *from, float *to)
{
    struct span ys = inside(rim, SIDE - rim, top, g->cells);
    struct span xs = inside(rim, SIDE - rim, left, g->cells);
    int32_t most = (int32_t)g->cells - 1;
    for (int32_t y = ys.first; y < ys.end; y++) {
        const float *power = g->power + (uint32_t)(top + y) * g->cells;
        for (int32_t x = xs.first; x < xs.end; x++) {
            const float *cell = from + y * SIDE + x;
            to[y * SIDE + x] =
                next_of(*cell, top + y > 0 ? cell[-SIDE] : *cell,
                        top + y < most ? cell[SIDE] : *cell,
                        left + x > 0 ? cell[-1] : *cell,
                        left + x < most ? cell[1] : *cell, power[left + x]);
        }
    }
}

static void keep(const struct grid *g, int32_t top, int32_t left,
                 const float *tile)
{
    int32_t rim = (int32_t)g->pyramid;
    struct span ys = inside(rim, SIDE - rim, top, g->cells);
    struct span xs = inside(rim, SIDE - rim, left, g->cells);
    for (int32_t y = ys.first; y < ys.end; y++) {
        float *row = g->to + (uint32_t)(top + y) * g->cells;
        for (int32_t x = xs.first; x < xs.end; x++)
            row[left + x] = tile[y * SIDE + x];
    }
}

static uint32_t tiles_of(const struct grid *g)
{
    uint32_t kept = SIDE - 2 * g->pyramid;
    return ceil_div(g->cells, kept);
}

static void step_kernel(void *arg)
{
    const struct grid *g = arg;
    uint32_t tiles = tiles_of(g), kept = SIDE - 2 * g->pyramid;
    float *a = (float *)(g->local + (size_t)corbel_hart() * LOCAL_WORDS);
    float *b = a + CHUNK;
    for (uint32_t i; (i = corbel_next()) < tiles * tiles;) {
        int32_t top = (int32_t)(i / tiles * kept - g->pyramid);
        int32_t left = (int32_t)(i % tiles * kept - g->pyramid);
        load(g, top, left, a);
        for (uint32_t s = 1; s <= g->steps; s++) {
            step(g, top, left, (int32_t)s, a, b);
            float *c = a;
            a = b;
            b = c;
        }
        keep(g, top, left, a);
    }
}

/* The same by groups. */
static void launch_tiles(const struct grid *g)
{
    struct tile_grid t = {.cells = g->cells,
                          .pyramid = g->pyramid,
                          .steps = g->steps,
                          .from = g->from,
                          .power = g->power,
                          .to = g->to};
    corbel_group_memory(TILE_CELLS * sizeof(float));
    corbel_launch_grid(tile_kernel, &t, tile_count(&t) * tile_count(&t),
                       TILE_CELLS);
}

/* The whole grid, step by step. */
static void check(struct uvm *uvm, const float *result)
{
    uint32_t n = uvm->size[0], count = n * n;
    float *from = uvm_plain(count, sizeof *from);
    float *to = uvm_plain(count, sizeof *to);
    const float *expected = hotspot_serial(n, uvm->size[2], from, to);
    uvm_compare(uvm, "temperature", result, expected, count);
    free(from);
    free(to);
}

static void run(struct uvm *uvm)
{
    struct grid g = {.cells = uvm->size[0], .pyramid = uvm->size[1]};
    struct input in = {.count = g.cells * g.cells};
    in.temperature = uvm_array(uvm, in.count, sizeof(float));
    in.power = uvm_array(uvm, in.count, sizeof(float));
    in.other = uvm_array(uvm, in.count, sizeof(float));
    uvm_need_local(uvm);
    g.local = uvm->local;
    g.power = in.power;
    g.from = in.temperature;
    g.to = in.other;
    uvm_phase(make_kernel, &in, in.count);
    if (uvm->spoil)
        in.temperature[in.count / 2] += 100;
    uvm_begin(uvm);
    for (uint32_t left = uvm->size[2]; left; left -= g.steps) {
        g.steps = smaller(g.pyramid, left);
        if (uvm->lanes)
            launch_tiles(&g);
        else
            uvm_launch(step_kernel, &g, tiles_of(&g) * tiles_of(&g));
        float *computed = g.to;
        g.to = (float *)g.from;
        g.from = computed;
    }
    uvm_end(uvm);
    uvm_digest(uvm, g.from, in.count);
    if (uvm->check)
        check(uvm, g.from);
}

const struct benchmark hotspot = {
    .name = "hotspot",
    .numbers = "grid,pyramid,steps",
    .report = {30, 6, 40},
    .large = {1024, 2, 8},
    .most = {16384, SIDE / 2 - 1, 1000000},
    .run = run,
};
