/*
 * pathfinder by groups: each is 256 columns, which go down up to `pyramid` rows
 * by themselves in group memory. Shared by samples/uvm and samples/gpu.
 */
#ifndef SAMPLES_UVM_PATHFINDER_ROWS_H
#define SAMPLES_UVM_PATHFINDER_ROWS_H

#include "../common/arithmetic.h"
#include "pathfinder.h"

#include <corbel/group.h>
#include <stdbool.h>

enum { COLUMNS = 256, FAR = 1 << 28 };

struct wall_rows {
    uint32_t columns, pyramid, row, rows; /* of this launch: below row `row` */
    const int32_t *numbers;               /* of rows 1, 2, .. */
    const int32_t *from;                  /* costs of a row */
    int32_t *to;
};

static inline uint32_t rows_groups(const struct wall_rows *w)
{
    return ceil_div(w->columns, COLUMNS - 2 * w->pyramid);
}

static inline void rows_kernel(void *arg)
{
    const struct wall_rows *w = arg;
    int32_t *costs = corbel_group_memory(COLUMNS * sizeof *costs);
    const int32_t lane = (int32_t)corbel_lane(), rim = (int32_t)w->pyramid;
    const int32_t kept = COLUMNS - 2 * rim;
    const int32_t x = (int32_t)corbel_group() * kept - rim + lane;
    const bool inside = x >= 0 && x < (int32_t)w->columns;
    costs[lane] = inside ? w->from[x] : FAR;
    corbel_group_sync();
    for (int32_t r = 1; r <= (int32_t)w->rows; r++) {
        int32_t cost = costs[lane];
        if (inside && lane >= r && lane < COLUMNS - r) {
            int32_t above =
                least(least(costs[lane - 1], cost), costs[lane + 1]);
            uint32_t row = w->row + (uint32_t)r - 1;
            cost = above + w->numbers[row * w->columns + (uint32_t)x];
        }
        corbel_group_sync();
        costs[lane] = cost;
        corbel_group_sync();
    }
    if (inside && lane >= rim && lane < COLUMNS - rim)
        w->to[x] = costs[lane];
}

#endif
