/* A wall of numbers, and the cheapest ways through it row by row. Shared by
 * samples/uvm and samples/gpu. */
#ifndef SAMPLES_UVM_PATHFINDER_H
#define SAMPLES_UVM_PATHFINDER_H

#include "../common/random.h"

#include <stddef.h>
#include <stdint.h>

enum { WALL = 1, MOST = 10 };

static inline int32_t number(uint32_t i)
{
    return (int32_t)random_below(WALL, i, MOST);
}

static inline int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The costs of the last row: in one of the two places. */
static inline const int32_t *pathfinder_serial(uint32_t columns, uint32_t rows,
                                               int32_t *from, int32_t *to)
{
    const int32_t last = (int32_t)columns;
    for (int32_t x = 0; x < last; x++)
        from[x] = number((uint32_t)x);
    for (uint32_t r = 1; r < rows; r++) {
        for (int32_t x = 0; x < last; x++) {
            int32_t above = from[x];
            for (int32_t k = x ? x - 1 : x; k <= x + 1 && k < last; k++)
                above = least(above, from[k]);
            to[x] = number(r * columns + (uint32_t)x) + above;
        }
        int32_t *c = from;
        from = to;
        to = c;
    }
    return from;
}

/* What was expected instead of such columns and rows, NULL: they can be run. */
static inline const char *pathfinder_refuses(const uint32_t size[2],
                                             uint32_t cells)
{
    return size[1] < 2                           ? "2 rows and more"
           : (uint64_t)size[0] * size[1] < cells ? NULL
                                                 : "fewer cells";
}

#endif
