/*
 * hotspot by groups: each is a tile of 16 x 16 cells, a member for each, which
 * goes up to `pyramid` steps by itself in group memory. Shared by samples/uvm
 * and samples/gpu.
 */
#ifndef SAMPLES_UVM_HOTSPOT_TILE_H
#define SAMPLES_UVM_HOTSPOT_TILE_H

#include "../common/arithmetic.h"
#include "hotspot.h"

#include <corbel/group.h>
#include <stdbool.h>

enum { TILE_SIDE = 16, TILE_CELLS = TILE_SIDE * TILE_SIDE };

struct tile_grid {
    uint32_t cells, pyramid, steps; /* of a row; steps: of this launch */
    const float *from, *power;
    float *to;
};

static inline uint32_t tile_count(const struct tile_grid *g)
{
    return ceil_div(g->cells, TILE_SIDE - 2 * g->pyramid);
}

/* A cell of a tile; those outside of the grid do not change. */
struct cell {
    int32_t x, y, rim; /* in the grid; cells to the tile's border */
    bool inside;
    uint32_t at; /* in the grid */
};

static inline struct cell cell_of(const struct tile_grid *g, uint32_t group,
                                  int32_t x, int32_t y)
{
    uint32_t tiles = tile_count(g), kept = TILE_SIDE - 2 * g->pyramid;
    int32_t most = TILE_SIDE - 1, n = (int32_t)g->cells;
    struct cell c = {.x = (int32_t)(group % tiles * kept - g->pyramid) + x,
                     .y = (int32_t)(group / tiles * kept - g->pyramid) + y,
                     .rim = x < y ? x : y};
    c.rim = most - x < c.rim ? most - x : c.rim;
    c.rim = most - y < c.rim ? most - y : c.rim;
    c.inside = c.x >= 0 && c.x < n && c.y >= 0 && c.y < n;
    c.at = (uint32_t)(c.y * n + c.x);
    return c;
}

static inline void tile_kernel(void *arg)
{
    const struct tile_grid *g = arg;
    float *tile = corbel_group_memory(TILE_CELLS * sizeof *tile);
    const uint32_t lane = corbel_lane();
    const struct cell c = cell_of(g, corbel_group(), (int32_t)lane % TILE_SIDE,
                                  (int32_t)lane / TILE_SIDE);
    const int32_t most = (int32_t)g->cells - 1;
    float power = c.inside ? g->power[c.at] : 0;
    tile[lane] = c.inside ? g->from[c.at] : 0;
    corbel_group_sync();
    for (int32_t s = 1; s <= (int32_t)g->steps; s++) {
        bool active = c.inside && c.rim >= s;
        float now = tile[lane];
        if (active)
            now = next_of(now, c.y > 0 ? tile[lane - TILE_SIDE] : now,
                          c.y < most ? tile[lane + TILE_SIDE] : now,
                          c.x > 0 ? tile[lane - 1] : now,
                          c.x < most ? tile[lane + 1] : now, power);
        corbel_group_sync();
        tile[lane] = now;
        corbel_group_sync();
    }
    if (c.inside && c.rim >= (int32_t)g->pyramid)
        g->to[c.at] = tile[lane];
}

#endif
