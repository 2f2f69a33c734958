/*
 * The cheapest ways through a wall of numbers, from its first row down: each
 * cell's cost is its number and the least cost of the three above.
 *
 * A launch does up to `pyramid` rows: 256 columns are computed by themselves,
 * over and over what their neighbours compute too, and all but `pyramid` of
 * them on either side are kept.
 */
#include "pathfinder_rows.h"
#include "uvm.h"

#include <stdlib.h>

struct wall {
    uint32_t columns, pyramid;
    uint32_t row, rows; /* of this launch: the first below the last costs */
    int32_t *numbers;   /* of rows 1, 2, .. */
    int32_t *from, *to; /* costs of a row */
    uint32_t *local;    /* two rows of 256 a hart */
};

struct input {
    uint32_t columns, count; /* count: of all numbers but those of row 0 */
    int32_t *numbers, *costs, *other;
};

static void make_kernel(void *arg)
{
    const struct input *in = arg;
    EACH_CHUNK(index, in->count)
    EACH_ITEM(i, index, in->count)
    {
        in->numbers[i] = number(in->columns + i);
        if (i >= in->columns)
            continue;
        in->costs[i] = number(i);
        in->other[i] = 0;
    }
}

/* One row of the columns [first, end), which has costs from `first - rim` to
 * `end + rim`; local rows begin with column `at`. */
static void go_down(const int32_t *numbers, int32_t first, int32_t end,
                    int32_t at, int32_t last, const int32_t *from, int32_t *to)
{
    for (int32_t x = first; x < end; x++) {
        int32_t above = from[x - at];
        if (x > 0)
            above = least(above, from[x - 1 - at]);
        if (x < last)
            above = least(above, from[x + 1 - at]);
        to[x - at] = numbers[x] + above;
    }
}

static int32_t from_edge(int32_t x)
{
    return x < 0 ? 0 : x;
}

static uint32_t blocks_of(const struct wall *w)
{
    uint32_t kept = CHUNK - 2 * w->pyramid;
    return ceil_div(w->columns, kept);
}

static void block(const struct wall *w, int32_t at, int32_t *a, int32_t *b)
{
    int32_t columns = (int32_t)w->columns, rim = (int32_t)w->pyramid;
    for (int32_t x = from_edge(at); x < least(at + CHUNK, columns); x++)
        a[x - at] = w->from[x];
    for (int32_t r = 1; r <= (int32_t)w->rows; r++) {
        const int32_t *numbers =
            w->numbers + (size_t)(w->row + (uint32_t)r - 1) * w->columns;
        go_down(numbers, from_edge(at + r), least(at + CHUNK - r, columns), at,
                columns - 1, a, b);
        int32_t *c = a;
        a = b;
        b = c;
    }
    for (int32_t x = from_edge(at + rim); x < least(at + CHUNK - rim, columns);
         x++)
        w->to[x] = a[x - at];
}

static void blocks_kernel(void *arg)
{
    const struct wall *w = arg;
    int32_t *local =
        (int32_t *)(w->local + (size_t)corbel_hart() * LOCAL_WORDS);
    uint32_t blocks = blocks_of(w), kept = CHUNK - 2 * w->pyramid;
    for (uint32_t i; (i = corbel_next()) < blocks;)
        block(w, (int32_t)(i * kept - w->pyramid), local, local + CHUNK);
}

/* By groups, or by harts. */
static void launch(const struct uvm *uvm, struct wall *w)
{
    struct wall_rows rows = {.columns = w->columns,
                             .pyramid = w->pyramid,
                             .row = w->row,
                             .rows = w->rows,
                             .numbers = w->numbers,
                             .from = w->from,
                             .to = w->to};
    if (!uvm->lanes) {
        uvm_launch(blocks_kernel, w, blocks_of(w));
        return;
    }
    corbel_group_memory(COLUMNS * sizeof(int32_t));
    corbel_launch_grid(rows_kernel, &rows, rows_groups(&rows), COLUMNS);
}

static void check(struct uvm *uvm, const int32_t *result)
{
    int32_t *from = uvm_plain(uvm->size[0], sizeof *from);
    int32_t *to = uvm_plain(uvm->size[0], sizeof *to);
    const int32_t *expected =
        pathfinder_serial(uvm->size[0], uvm->size[1], from, to);
    uvm_compare(uvm, "cost of column", result, expected, uvm->size[0]);
    free(from);
    free(to);
}

static void run(struct uvm *uvm)
{
    uint32_t rows = uvm->size[1] - 1;
    struct wall w = {.columns = uvm->size[0], .pyramid = uvm->size[2]};
    struct input in = {.columns = w.columns, .count = rows * w.columns};
    in.numbers = uvm_array(uvm, in.count, sizeof(int32_t));
    in.costs = uvm_array(uvm, w.columns, sizeof(int32_t));
    in.other = uvm_array(uvm, w.columns, sizeof(int32_t));
    uvm_need_local(uvm);
    w.local = uvm->local;
    w.numbers = in.numbers;
    w.from = in.costs;
    w.to = in.other;
    uvm_phase(make_kernel, &in, in.count);
    if (uvm->spoil)
        in.numbers[in.count / 2] = -100 * MOST;
    uvm_begin(uvm);
    for (w.row = 0; w.row < rows; w.row += w.rows) {
        w.rows = smaller(w.pyramid, rows - w.row);
        launch(uvm, &w);
        int32_t *computed = w.to;
        w.to = w.from;
        w.from = computed;
    }
    uvm_end(uvm);
    uvm_digest(uvm, w.from, w.columns);
    if (uvm->check)
        check(uvm, w.from);
}

static const char *refuses(const uint32_t size[NUMBERS])
{
    return pathfinder_refuses(size, UINT32_MAX / 2);
}

const struct benchmark pathfinder = {
    .name = "pathfinder",
    .numbers = "columns,rows,pyramid",
    .report = {1000, 20, 5},
    .large = {50000, 200, 10},
    .most = {1 << 28, 100000000, CHUNK / 2 - 1},
    .refuses = refuses,
    .run = run,
};
