/*
 * Ways through a wall, as in samples/uvm: a group is 256 columns, which go down
 * up to `pyramid` rows by themselves in group memory.
 */
#include "gpu.h"

#include "../uvm/pathfinder_rows.h"

static void check(struct gpu *gpu, const int32_t *result)
{
    uint32_t columns = gpu->size[0];
    int32_t *from = ARRAY(int32_t, columns), *to = ARRAY(int32_t, columns);
    gpu_compare(gpu, "cost of column", result,
                pathfinder_serial(columns, gpu->size[1], from, to), columns);
}

static void run(struct gpu *gpu)
{
    struct wall_rows w = {.columns = gpu->size[0], .pyramid = gpu->size[2]};
    uint32_t rows = gpu->size[1], count = w.columns * rows;
    int32_t *numbers = ARRAY(int32_t, count);
    int32_t *from = ARRAY(int32_t, w.columns);
    w.to = ARRAY(int32_t, w.columns);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = number(i);
    w.numbers = numbers + w.columns;
    memcpy(from, numbers, w.columns * sizeof *from);
    if (gpu->spoil)
        numbers[count / 2] = -100 * MOST;
    gpu_begin(gpu);
    for (w.row = 0; w.row + 1 < rows; w.row += w.rows) {
        w.from = from;
        w.rows = smaller(w.pyramid, rows - 1 - w.row);
        gpu_launch(gpu, "rows", rows_kernel, &w, rows_groups(&w), COLUMNS,
                   COLUMNS * sizeof(int32_t));
        from = w.to;
        w.to = (int32_t *)w.from;
    }
    gpu_end(gpu);
    gpu_digest(gpu, from, w.columns);
    if (gpu->check)
        check(gpu, from);
}

static const char *refuses(const uint32_t size[NUMBERS])
{
    return pathfinder_refuses(size, UINT32_MAX / 8);
}

const struct benchmark pathfinder = {
    .name = "pathfinder",
    .numbers = "columns,rows,pyramid",
    .what = "cheapest ways through a wall, row by row",
    .small = {500, 11, 4},
    .source = {100000, 100, 20},
    .most = {1 << 24, 1000000, COLUMNS / 2 - 1},
    .refuses = refuses,
    .run = run,
};
