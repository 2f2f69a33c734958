/*
 * Speckle-reducing anisotropic diffusion, as in samples/uvm, with the sums of
 * Rodinia's srad_v1: those of all pixels and of their squares are found by
 * groups that halve them in group memory, in as many launches as it takes.
 */
#include "gpu.h"

#include "../uvm/srad.h"

enum { MEMBERS = 512 };

struct diffusion {
    struct image image;
    uint32_t count, sums; /* of all pixels; that are left to add */
    float *sum, *square;  /* of each group; before the first sum each pixel's */
};

static void prepare_kernel(void *arg)
{
    const struct diffusion *m = arg;
    uint32_t i = member_index();
    if (i >= m->count)
        return;
    const float pixel = m->image.pixel[i];
    m->sum[i] = pixel;
    m->square[i] = pixel * pixel;
}

/* The sums of groups go behind the numbers that are added. */
static void reduce_kernel(void *arg)
{
    const struct diffusion *m = arg;
    float *sum = corbel_group_memory(MEMBERS * sizeof *sum);
    float *square = corbel_group_memory(MEMBERS * sizeof *square);
    const uint32_t lane = corbel_lane(), i = member_index();
    sum[lane] = i < m->sums ? m->sum[i] : 0;
    square[lane] = i < m->sums ? m->square[i] : 0;
    corbel_group_sync();
    for (uint32_t width = MEMBERS / 2; width; width /= 2) {
        if (lane < width) {
            sum[lane] += sum[lane + width];
            square[lane] += square[lane + width];
        }
        corbel_group_sync();
    }
    if (lane == 0) {
        m->sum[m->count + corbel_group()] = sum[0];
        m->square[m->count + corbel_group()] = square[0];
    }
}

static void edges_kernel(void *arg)
{
    const struct diffusion *m = arg;
    const uint32_t i = member_index();
    if (i < m->count)
        find_edges(&m->image, i);
}

static void smooth_kernel(void *arg)
{
    const struct diffusion *m = arg;
    const uint32_t i = member_index();
    if (i < m->count)
        smooth_pixel(&m->image, i);
}

static void find_noise(struct gpu *gpu, struct diffusion *m)
{
    gpu_launch(gpu, "prepare", prepare_kernel, m, ceil_div(m->count, MEMBERS),
               MEMBERS, 0);
    for (m->sums = m->count; m->sums > 1;) {
        uint32_t groups = ceil_div(m->sums, MEMBERS);
        gpu_launch(gpu, "reduce", reduce_kernel, m, groups, MEMBERS,
                   2 * MEMBERS * sizeof(float));
        memcpy(m->sum, m->sum + m->count, groups * sizeof(float));
        memcpy(m->square, m->square + m->count, groups * sizeof(float));
        m->sums = groups;
    }
    m->image.noise = noise_by(m->sum[0], m->square[0], m->count);
}

/* Serially, in the same order: n numbers, which are lost. */
static float sum_of(float *numbers, uint32_t n)
{
    for (; n > 1; n = ceil_div(n, MEMBERS))
        for (uint32_t g = 0; g < ceil_div(n, MEMBERS); g++) {
            float part[MEMBERS];
            for (uint32_t k = 0; k < MEMBERS; k++)
                part[k] = g * MEMBERS + k < n ? numbers[g * MEMBERS + k] : 0;
            for (uint32_t width = MEMBERS / 2; width; width /= 2)
                for (uint32_t k = 0; k < width; k++)
                    part[k] += part[k + width];
            numbers[g] = part[0];
        }
    return numbers[0];
}

static void check(struct gpu *gpu, const struct diffusion *result)
{
    uint32_t count = result->count;
    float *from = ARRAY(float, count), *to = ARRAY(float, count);
    float *sums = ARRAY(float, count), *squares = ARRAY(float, count);
    for (uint32_t i = 0; i < count; i++)
        from[i] = first_pixel(i);
    for (uint32_t k = 0; k < gpu->size[2]; k++) {
        for (uint32_t i = 0; i < count; i++) {
            sums[i] = from[i];
            squares[i] = from[i] * from[i];
        }
        float sum = sum_of(sums, count);
        smooth(from, to, gpu->size[0], gpu->size[1],
               noise_by(sum, sum_of(squares, count), count));
        float *c = from;
        from = to;
        to = c;
    }
    gpu_compare(gpu, "pixel", result->image.pixel, from, count);
}

static void run(struct gpu *gpu)
{
    struct diffusion m = {.count = gpu->size[0] * gpu->size[1]};
    struct image *image = &m.image;
    uint32_t groups = ceil_div(m.count, MEMBERS);
    image->rows = gpu->size[0];
    image->columns = gpu->size[1];
    image->pixel = ARRAY(float, m.count);
    image->coefficient = ARRAY(float, m.count);
    m.sum = ARRAY(float, m.count + groups);
    m.square = ARRAY(float, m.count + groups);
    for (unsigned d = 0; d < DIRECTIONS; d++)
        image->difference[d] = ARRAY(float, m.count);
    for (uint32_t i = 0; i < m.count; i++)
        image->pixel[i] = first_pixel(i);
    if (gpu->spoil)
        image->pixel[m.count / 2] += 1;
    gpu_begin(gpu);
    for (uint32_t k = 0; k < gpu->size[2]; k++) {
        find_noise(gpu, &m);
        gpu_launch(gpu, "edges", edges_kernel, &m, groups, MEMBERS, 0);
        gpu_launch(gpu, "smooth", smooth_kernel, &m, groups, MEMBERS, 0);
    }
    gpu_end(gpu);
    gpu_digest(gpu, image->pixel, m.count);
    if (gpu->check)
        check(gpu, &m);
}

const struct benchmark srad = {
    .name = "srad",
    .numbers = "rows,columns,iterations",
    .what = "diffusion that keeps edges",
    .small = {23, 31, 3},
    .source = {502, 458, 100},
    .most = {16384, 16384, 1000000},
    .run = run,
};
