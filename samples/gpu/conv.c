/*
 * A layer of a convolutional network: filters of 3 x 3 over the channels of a
 * square picture, in a size of DeepBench's. A group has 16 x 16 places of a
 * filter's result, and brings the part of each channel that they see to group
 * memory. The original is a closed library; this stands in for it.
 */
#include "gpu.h"

enum { TILE = 16, SEEN = TILE + 2, TAPS = 9, PICTURE = 1, FILTER };

struct layer {
    uint32_t side, channels, filters;
    const float *picture,
        *weight;   /* [channels][side][side], [filters][channels][3][3] */
    float *result; /* [filters][side][side] */
};

/* 0 outside of the picture. */
static inline float pixel_at(const struct layer *l, uint32_t channel, int32_t y,
                             int32_t x)
{
    const int32_t n = (int32_t)l->side;
    return y >= 0 && y < n && x >= 0 && x < n
               ? l->picture[(channel * l->side + (uint32_t)y) * l->side +
                            (uint32_t)x]
               : 0;
}

static void filter_kernel(void *arg)
{
    const struct layer *l = arg;
    float *seen = corbel_group_memory(SEEN * SEEN * sizeof *seen);
    const uint32_t across = ceil_div(l->side, TILE), lane = corbel_lane();
    const uint32_t tile = corbel_group() % (across * across);
    const uint32_t filter = corbel_group() / (across * across);
    const uint32_t top = tile / across * TILE, left = tile % across * TILE;
    const uint32_t y = top + lane / TILE, x = left + lane % TILE;
    float sum = 0;
    for (uint32_t channel = 0; channel < l->channels; channel++) {
        for (uint32_t i = lane; i < SEEN * SEEN; i += TILE * TILE)
            seen[i] = pixel_at(l, channel, (int32_t)(top + i / SEEN) - 1,
                               (int32_t)(left + i % SEEN) - 1);
        corbel_group_sync();
        const float *w = l->weight + (filter * l->channels + channel) * TAPS;
        for (uint32_t i = 0; i < TAPS; i++)
            sum +=
                w[i] * seen[(lane / TILE + i / 3) * SEEN + lane % TILE + i % 3];
        corbel_group_sync();
    }
    if (y < l->side && x < l->side)
        l->result[(filter * l->side + y) * l->side + x] = sum > 0 ? sum : 0;
}

static void fill(struct layer *l, const uint32_t size[NUMBERS], float **picture)
{
    *l = (struct layer){size[0], size[1], size[2], NULL, NULL, NULL};
    uint32_t pixels = l->side * l->side, taps = l->filters * l->channels * TAPS;
    float *weight = ARRAY(float, taps);
    *picture = ARRAY(float, l->channels *pixels);
    for (uint32_t i = 0; i < l->channels * pixels; i++)
        (*picture)[i] = random_float(PICTURE, i);
    for (uint32_t i = 0; i < taps; i++)
        weight[i] = random_float(FILTER, i) - 0.5f;
    l->picture = *picture;
    l->weight = weight;
    l->result = ARRAY(float, l->filters *pixels);
}

static void check(struct gpu *gpu, const float *result)
{
    struct layer l;
    float *picture;
    fill(&l, gpu->size, &picture);
    const uint32_t n = l.side;
    for (uint32_t i = 0; i < l.filters * n * n; i++) {
        const int32_t y = (int32_t)(i / n % n), x = (int32_t)(i % n);
        float sum = 0;
        for (uint32_t c = 0; c < l.channels; c++)
            for (int32_t k = 0; k < TAPS; k++)
                sum += l.weight[(i / n / n * l.channels + c) * TAPS +
                                (uint32_t)k] *
                       pixel_at(&l, c, y + k / 3 - 1, x + k % 3 - 1);
        l.result[i] = sum > 0 ? sum : 0;
    }
    gpu_compare(gpu, "value", result, l.result, l.filters * n * n);
}

static void run(struct gpu *gpu)
{
    struct layer l;
    float *picture;
    fill(&l, gpu->size, &picture);
    if (gpu->spoil)
        picture[l.side / 2] += 1;
    const uint32_t across = ceil_div(l.side, TILE);
    gpu_begin(gpu);
    gpu_launch(gpu, "filter", filter_kernel, &l, across * across * l.filters,
               TILE * TILE, SEEN * SEEN * sizeof(float));
    gpu_end(gpu);
    gpu_digest(gpu, l.result, l.filters * l.side * l.side);
    if (gpu->check)
        check(gpu, l.result);
}

const struct benchmark conv = {
    .name = "conv",
    .numbers = "side,channels,filters",
    .what = "a layer of a convolutional network (our own)",
    .small = {19, 3, 2},
    .source = {112, 64, 128},
    .most = {1024, 512, 512},
    .run = run,
};
