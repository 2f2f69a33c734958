/*
 * Speckle-reducing anisotropic diffusion of an image: it is smoothed, but less
 * so across edges, as the noise in one corner of it says what is an edge.
 *
 * An iteration is two phases over all pixels: the four differences to the
 * neighbours and the coefficient; then each pixel by the differences and the
 * coefficients of itself, the one below and the one to the right. Before them
 * hart 0 adds up the corner.
 */
#include "srad.h"
#include "uvm.h"

#include <stdlib.h>

static void make_kernel(void *arg)
{
    const struct image *m = arg;
    uint32_t count = m->rows * m->columns;
    EACH_CHUNK(index, count)
    EACH_ITEM(i, index, count)
    {
        m->pixel[i] = first_pixel(i);
        m->coefficient[i] = 0;
        for (unsigned d = 0; d < DIRECTIONS; d++)
            m->difference[d][i] = 0;
    }
}

static void edges_kernel(void *arg)
{
    const struct image *m = arg;
    uint32_t count = m->rows * m->columns;
    EACH_CHUNK(index, count)
    EACH_ITEM(i, index, count)
    find_edges(m, i);
}

static void smooth_kernel(void *arg)
{
    const struct image *m = arg;
    uint32_t count = m->rows * m->columns;
    EACH_CHUNK(index, count)
    EACH_ITEM(i, index, count)
    smooth_pixel(m, i);
}

/* Of the corner's pixels [0, side) x [0, side), row by row. */
static float noise_of(const float *pixel, uint32_t columns, uint32_t side)
{
    float sum = 0, squares = 0;
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            float p = pixel[y * columns + x];
            sum += p;
            squares += p * p;
        }
    return noise_by(sum, squares, side * side);
}

static void check(struct uvm *uvm, const struct image *result)
{
    struct image m = *result;
    uint32_t count = m.rows * m.columns;
    float *from = uvm_plain(count, sizeof *from);
    float *to = uvm_plain(count, sizeof *to);
    for (uint32_t i = 0; i < count; i++)
        from[i] = first_pixel(i);
    for (uint32_t k = 0; k < uvm->size[3]; k++) {
        m.noise = noise_of(from, m.columns, uvm->size[2] + 1);
        smooth(from, to, m.rows, m.columns, m.noise);
        float *c = from;
        from = to;
        to = c;
    }
    uvm_compare(uvm, "pixel", result->pixel, from, count);
    free(from);
    free(to);
}

static void run(struct uvm *uvm)
{
    struct image m = {.rows = uvm->size[0], .columns = uvm->size[1]};
    uint32_t count = m.rows * m.columns;
    m.pixel = uvm_array(uvm, count, sizeof(float));
    m.coefficient = uvm_array(uvm, count, sizeof(float));
    for (unsigned d = 0; d < DIRECTIONS; d++)
        m.difference[d] = uvm_array(uvm, count, sizeof(float));
    uvm_phase(make_kernel, &m, count);
    if (uvm->spoil)
        m.pixel[count / 2] += 1;
    uvm_begin(uvm);
    for (uint32_t k = 0; k < uvm->size[3]; k++) {
        m.noise = noise_of(m.pixel, m.columns, uvm->size[2] + 1);
        uvm_phase(edges_kernel, &m, count);
        uvm_phase(smooth_kernel, &m, count);
    }
    uvm_end(uvm);
    uvm_digest(uvm, m.pixel, count);
    if (uvm->check)
        check(uvm, &m);
}

static const char *refuses(const uint32_t size[NUMBERS])
{
    return size[2] < size[0] && size[2] < size[1]
               ? NULL
               : "a corner within the rows and columns";
}

const struct benchmark srad = {
    .name = "srad",
    .numbers = "rows,columns,corner,iterations",
    .report = {1024, 1024, 127, 4},
    .large = {1024, 1024, 127, 4},
    .most = {16384, 16384, 16383, 1000000},
    .refuses = refuses,
    .run = run,
};
