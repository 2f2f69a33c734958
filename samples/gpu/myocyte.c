/*
 * Cells of a heart muscle in time, after Rodinia's myocyte, whose 91 equations
 * for each cell come from a model of the published literature. Ours are 91
 * coupled equations of the same kind, rates that saturate and gates that open
 * by other variables; numbers are not those of a cell. A group of 32 has a
 * cell; its members take turns at the equations, and steps are of Runge and
 * Kutta's fourth order.
 */
#include "gpu.h"

enum { EQUATIONS = 91, MEMBERS = 32, STAGES = 4, FIRST = 1, RATE, LINK };
#define STEP 0.01f

struct cells {
    uint32_t count, steps;
    float *value; /* [count][EQUATIONS] */
};

struct equation {
    float rate, opens, closes;
    uint32_t by, from; /* other variables */
};

static inline struct equation equation_of(uint32_t i)
{
    return (struct equation){.rate = 0.2f + random_float(RATE, 3 * i),
                             .opens = 4 * random_float(RATE, 3 * i + 1),
                             .closes = 0.5f + random_float(RATE, 3 * i + 2),
                             .by = random_below(LINK, 2 * i, EQUATIONS),
                             .from = random_below(LINK, 2 * i + 1, EQUATIONS)};
}

/* How fast variable i changes. */
static inline float slope_of(uint32_t i, const float *value)
{
    const struct equation e = equation_of(i);
    float gate = 1 / (1 + power_of_e(e.opens * (0.5f - value[e.by])));
    return e.rate *
           (gate * (1 - value[i]) + 0.25f * squash(value[e.from] - value[i]) -
            e.closes * value[i] * (1 - gate));
}

/* What a stage adds to the value at which the next one looks, and its weight in
 * the step. */
static const float reach[STAGES] = {0.5f * STEP, 0.5f * STEP, STEP, 0};
static const float weight[STAGES] = {STEP / 6, STEP / 3, STEP / 3, STEP / 6};

static float first_value(uint32_t i)
{
    return random_float(FIRST, i);
}

static void steps_kernel(void *arg)
{
    const struct cells *c = arg;
    float *value = corbel_group_memory(EQUATIONS * sizeof *value);
    float *tried = corbel_group_memory(EQUATIONS * sizeof *tried);
    float *next = corbel_group_memory(EQUATIONS * sizeof *next);
    float *slope = corbel_group_memory(EQUATIONS * sizeof *slope);
    float *own = c->value + corbel_group() * EQUATIONS;
    const uint32_t lane = corbel_lane();
    for (uint32_t i = lane; i < EQUATIONS; i += MEMBERS)
        next[i] = own[i];
    for (uint32_t s = 0; s < c->steps; s++) {
        for (uint32_t i = lane; i < EQUATIONS; i += MEMBERS)
            tried[i] = value[i] = next[i];
        corbel_group_sync();
        for (unsigned k = 0; k < STAGES; k++) {
            for (uint32_t i = lane; i < EQUATIONS; i += MEMBERS) {
                slope[i] = slope_of(i, tried);
                next[i] += weight[k] * slope[i];
            }
            corbel_group_sync();
            for (uint32_t i = lane; i < EQUATIONS; i += MEMBERS)
                tried[i] = value[i] + reach[k] * slope[i];
            corbel_group_sync();
        }
    }
    for (uint32_t i = lane; i < EQUATIONS; i += MEMBERS)
        own[i] = next[i];
}

/* A cell alone; an array for each stage. */
static void step_cell(float *value)
{
    float slope[STAGES][EQUATIONS], tried[EQUATIONS];
    memcpy(tried, value, sizeof tried);
    for (unsigned k = 0; k < STAGES; k++) {
        for (uint32_t i = 0; i < EQUATIONS; i++)
            slope[k][i] = slope_of(i, tried);
        for (uint32_t i = 0; i < EQUATIONS; i++)
            tried[i] = value[i] + reach[k] * slope[k][i];
    }
    for (uint32_t i = 0; i < EQUATIONS; i++)
        for (unsigned k = 0; k < STAGES; k++)
            value[i] += weight[k] * slope[k][i];
}

static void check(struct gpu *gpu, const float *result)
{
    uint32_t count = gpu->size[0] * EQUATIONS;
    float *value = ARRAY(float, count);
    for (uint32_t i = 0; i < count; i++)
        value[i] = first_value(i);
    for (uint32_t cell = 0; cell < gpu->size[0]; cell++)
        for (uint32_t s = 0; s < gpu->size[1]; s++)
            step_cell(value + cell * EQUATIONS);
    gpu_compare(gpu, "variable", result, value, count);
}

static void run(struct gpu *gpu)
{
    struct cells c = {.count = gpu->size[0], .steps = gpu->size[1]};
    c.value = ARRAY(float, c.count *EQUATIONS);
    for (uint32_t i = 0; i < c.count * EQUATIONS; i++)
        c.value[i] = first_value(i);
    if (gpu->spoil)
        c.value[1] += 1;
    gpu_begin(gpu);
    gpu_launch(gpu, "steps", steps_kernel, &c, c.count, MEMBERS,
               4 * (EQUATIONS + 4) * sizeof(float));
    gpu_end(gpu);
    gpu_digest(gpu, c.value, c.count * EQUATIONS);
    if (gpu->check)
        check(gpu, c.value);
}

const struct benchmark myocyte = {
    .name = "myocyte",
    .numbers = "cells,steps",
    .what = "coupled equations in time",
    .small = {2, 3},
    .source = {2, 1000},
    .most = {65536, 1000000},
    .run = run,
};
