/*
 * A recurrent network, in a size of DeepBench's: in each step all units of a
 * layer, for a batch of inputs, add up what all units had before and what comes
 * in. A group has 16 units and 16 inputs. The original is a closed library;
 * this stands in for it, with x / (1 + |x|) for the hyperbolic tangent.
 */
#include "gpu.h"

enum { TILE = 16, WEIGHT = 1, INPUT };

struct network {
    uint32_t units, batch, step;
    const float *weight;   /* [units][units] */
    const float *input;    /* [batch][units], the same in all steps */
    float *before, *after; /* [batch][units] */
};

static void step_kernel(void *arg)
{
    const struct network *w = arg;
    float *weight = corbel_group_memory(TILE * TILE * sizeof *weight);
    float *before = corbel_group_memory(TILE * TILE * sizeof *before);
    const uint32_t lane = corbel_lane(), x = lane % TILE, y = lane / TILE;
    const uint32_t n = w->units, across = ceil_div(n, TILE);
    const uint32_t first = corbel_group() % across * TILE, unit = first + x;
    const uint32_t input = corbel_group() / across * TILE + y;
    const bool inside = unit < n && input < w->batch;
    float sum = 0;
    for (uint32_t k = 0; k < n; k += TILE) {
        if (first + y < n && k + x < n)
            weight[lane] = w->weight[(first + y) * n + k + x];
        if (input < w->batch && k + x < n)
            before[lane] = w->before[input * n + k + x];
        corbel_group_sync();
        if (inside)
            for (uint32_t i = 0; i < TILE && k + i < n; i++)
                sum += weight[x * TILE + i] * before[y * TILE + i];
        corbel_group_sync();
    }
    if (inside)
        w->after[input * n + unit] = squash(sum + w->input[input * n + unit]);
}

static void fill(struct network *w, const uint32_t size[NUMBERS], float **input)
{
    *w = (struct network){.units = size[0], .batch = size[1]};
    const uint32_t n = w->units, values = w->batch * n;
    float *weight = ARRAY(float, n *n);
    *input = ARRAY(float, values);
    w->before = ARRAY(float, values);
    w->after = ARRAY(float, values);
    for (uint32_t i = 0; i < n * n; i++)
        weight[i] = (random_float(WEIGHT, i) - 0.5f) * 0.25f;
    for (uint32_t i = 0; i < values; i++)
        (*input)[i] = random_float(INPUT, i) - 0.5f;
    w->weight = weight;
    w->input = *input;
}

static void turn(struct network *w)
{
    float *after = w->after;
    w->after = w->before;
    w->before = after;
    w->step++;
}

static void check(struct gpu *gpu, const float *result)
{
    struct network w;
    float *input;
    fill(&w, gpu->size, &input);
    const uint32_t n = w.units;
    while (w.step < gpu->size[2]) {
        for (uint32_t i = 0; i < w.batch * n; i++) {
            float sum = 0;
            for (uint32_t k = 0; k < n; k++)
                sum += w.weight[i % n * n + k] * w.before[i / n * n + k];
            w.after[i] = squash(sum + input[i]);
        }
        turn(&w);
    }
    gpu_compare(gpu, "value", result, w.before, w.batch * n);
}

static void run(struct gpu *gpu)
{
    struct network w;
    float *input;
    fill(&w, gpu->size, &input);
    if (gpu->spoil)
        input[w.units / 2] += 1;
    gpu_begin(gpu);
    while (w.step < gpu->size[2]) {
        gpu_launch(gpu, "step", step_kernel, &w,
                   ceil_div(w.units, TILE) * ceil_div(w.batch, TILE),
                   TILE * TILE, 2 * TILE * TILE * sizeof(float));
        turn(&w);
    }
    gpu_end(gpu);
    gpu_digest(gpu, w.before, w.batch * w.units);
    if (gpu->check)
        check(gpu, w.before);
}

const struct benchmark rnn = {
    .name = "rnn",
    .numbers = "units,batch,steps",
    .what = "a recurrent network (our own)",
    .small = {37, 5, 3},
    .source = {1760, 16, 50},
    .most = {8192, 1024, 100000},
    .run = run,
};
