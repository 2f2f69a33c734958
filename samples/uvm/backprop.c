/*
 * One step of learning of a layer: 16 hidden neurons, each with a weight for
 * every input and one for the bias, which is input 0 and always 1.
 *
 * Forward: a work index is 16 inputs by 16 neurons; the products of a neuron
 * take the place of a copy of its weights and are added pairwise, and each
 * index leaves one partial sum a neuron. Hart 0 adds these and finds what each
 * neuron has to change. Update: each weight, and its last change, by that. Rows
 * of weights are 17 floats apart. The kernels touch three arrays of weights, as
 * those of UVMSmart do.
 */
#include "uvm.h"

#include <stdlib.h>

enum { HIDDEN = 16, INPUTS = 16 /* of a work index */, ROW = HIDDEN + 1 };
enum { GROUP_FLOATS = INPUTS + INPUTS * HIDDEN };
enum { VALUES = 1, WEIGHTS, CHANGES, OUTPUT };

struct layer {
    uint32_t inputs; /* without the bias */
    float *value;    /* [inputs + 1] */
    float *weight;   /* [inputs + 1][ROW], column 0 is not used */
    float *product;  /* likewise: weights, then each times its input */
    float *change;   /* likewise: what was added to it last */
    float *partial;  /* [inputs / INPUTS][HIDDEN] */
    float *delta;    /* [HIDDEN] */
};

static float first_value(uint32_t i)
{
    return i ? random_float(VALUES, i) : 1;
}

static float first_weight(uint32_t at)
{
    return random_float(WEIGHTS, at) - 0.5f;
}

static float first_change(uint32_t at)
{
    return 0.01f * random_float(CHANGES, at);
}

static void make_kernel(void *arg)
{
    const struct layer *l = arg;
    EACH_CHUNK(index, l->inputs + 1)
    EACH_ITEM(i, index, l->inputs + 1)
    {
        l->value[i] = first_value(i);
        for (uint32_t at = i * ROW; at < (i + 1) * ROW; at++) {
            l->product[at] = l->weight[at] = first_weight(at);
            l->change[at] = first_change(at);
        }
    }
}

/* The sum of 16 numbers, pairwise: neighbours first. */
static inline float sum_of(float *p)
{
    for (unsigned width = 1; width < INPUTS; width *= 2)
        for (unsigned i = 0; i < INPUTS; i += 2 * width)
            p[i] += p[i + width];
    return p[0];
}

static void forward_kernel(void *arg)
{
    const struct layer *l = arg;
    for (uint32_t index; (index = corbel_next()) < l->inputs / INPUTS;) {
        const float *value = l->value + 1 + index * INPUTS;
        float *row = l->product + (1 + index * INPUTS) * ROW;
        for (unsigned j = 0; j < HIDDEN; j++) {
            float products[INPUTS];
            for (unsigned i = 0; i < INPUTS; i++)
                products[i] = row[i * ROW + 1 + j] *= value[i];
            l->partial[index * HIDDEN + j] = sum_of(products);
        }
    }
}

/* The new change of a weight. */
static inline float change_of(float delta, float value, float last)
{
    return 0.3f * delta * value + 0.3f * last;
}

static void update_kernel(void *arg)
{
    const struct layer *l = arg;
    for (uint32_t index; (index = corbel_next()) < l->inputs / INPUTS;) {
        uint32_t first = index ? 1 + index * INPUTS : 0;
        for (uint32_t i = first; i < 1 + (index + 1) * INPUTS; i++)
            for (unsigned j = 0; j < HIDDEN; j++) {
                uint32_t at = i * ROW + 1 + j;
                float c = change_of(l->delta[j], l->value[i], l->change[at]);
                l->weight[at] += c;
                l->change[at] = c;
            }
    }
}

/* The same by groups of 16 x 16: a member for each product, whose inputs and
 * products lie in group memory. */
static void forward_group(void *arg)
{
    const struct layer *l = arg;
    float *value = corbel_group_memory(sizeof(float) * GROUP_FLOATS);
    float *products = value + INPUTS;
    const uint32_t lane = corbel_lane(), i = lane / HIDDEN, j = lane % HIDDEN;
    const uint32_t input = 1 + corbel_group() * INPUTS + i;
    if (j == 0)
        value[i] = l->value[input];
    corbel_group_sync();
    products[lane] = l->product[input * ROW + 1 + j] * value[i];
    corbel_group_sync();
    l->product[input * ROW + 1 + j] = products[lane];
    for (unsigned width = 1; width < INPUTS; width *= 2) {
        if (i % (2 * width) == 0)
            products[lane] += products[lane + width * HIDDEN];
        corbel_group_sync();
    }
    if (i == 0)
        l->partial[corbel_group() * HIDDEN + j] = products[lane];
}

static void update_group(void *arg)
{
    const struct layer *l = arg;
    const uint32_t lane = corbel_lane(), i = lane / HIDDEN, j = lane % HIDDEN;
    const uint32_t input = 1 + corbel_group() * INPUTS + i;
    uint32_t at = input * ROW + 1 + j;
    float c = change_of(l->delta[j], l->value[input], l->change[at]);
    l->weight[at] += c;
    l->change[at] = c;
    if (corbel_group() || i)
        return;
    at = 1 + j; /* the bias, too */
    c = change_of(l->delta[j], l->value[0], l->change[at]);
    l->weight[at] += c;
    l->change[at] = c;
}

static void launch(const struct uvm *uvm, struct layer *l,
                   void (*kernel)(void *), void (*group)(void *))
{
    if (!uvm->lanes) {
        uvm_launch(kernel, l, l->inputs / INPUTS);
        return;
    }
    corbel_group_memory(sizeof(float) * GROUP_FLOATS);
    corbel_launch_grid(group, l, l->inputs / INPUTS, INPUTS * HIDDEN);
}

/* By the sums of the neurons: there is one output, which should be 0.5. */
static void find_deltas(const float sums[HIDDEN], float delta[HIDDEN])
{
    float output = 0;
    for (unsigned j = 0; j < HIDDEN; j++)
        output += squash(sums[j]) * (random_float(OUTPUT, j) - 0.5f);
    float error = 0.5f - squash(output);
    for (unsigned j = 0; j < HIDDEN; j++) {
        float h = squash(sums[j]);
        delta[j] = error * (random_float(OUTPUT, j) - 0.5f) * (1 - h * h);
    }
}

static void add_partials(struct layer *l)
{
    float sums[HIDDEN];
    for (unsigned j = 0; j < HIDDEN; j++)
        sums[j] = l->weight[1 + j];
    for (uint32_t index = 0; index < l->inputs / INPUTS; index++)
        for (unsigned j = 0; j < HIDDEN; j++)
            sums[j] += l->partial[index * HIDDEN + j];
    find_deltas(sums, l->delta);
}

/* Neuron by neuron; of the products 16 at a time are added as above. */
static void check(struct uvm *uvm, const struct layer *l)
{
    uint32_t count = (l->inputs + 1) * ROW;
    float *weight = uvm_plain(count, sizeof *weight);
    float *change = uvm_plain(count, sizeof *change);
    float *product = uvm_plain(count, sizeof *product);
    float sums[HIDDEN], delta[HIDDEN];
    for (unsigned j = 0; j < HIDDEN; j++) {
        sums[j] = first_weight(1 + j);
        for (uint32_t i = 1; i <= l->inputs; i += INPUTS) {
            float p[INPUTS];
            for (uint32_t k = 0; k < INPUTS; k++)
                p[k] = first_value(i + k) * first_weight((i + k) * ROW + 1 + j);
            sums[j] += (((p[0] + p[1]) + (p[2] + p[3])) +
                        ((p[4] + p[5]) + (p[6] + p[7]))) +
                       (((p[8] + p[9]) + (p[10] + p[11])) +
                        ((p[12] + p[13]) + (p[14] + p[15])));
        }
    }
    find_deltas(sums, delta);
    for (uint32_t at = 0; at < count; at++) {
        product[at] = weight[at] = first_weight(at);
        change[at] = first_change(at);
        if (at % ROW == 0)
            continue;
        change[at] =
            change_of(delta[at % ROW - 1], first_value(at / ROW), change[at]);
        weight[at] += change[at];
        if (at >= ROW) /* the bias is added by hart 0 */
            product[at] *= first_value(at / ROW);
    }
    uvm_compare(uvm, "weight", l->weight, weight, count);
    uvm_compare(uvm, "change", l->change, change, count);
    uvm_compare(uvm, "product", l->product, product, count);
    free(weight);
    free(change);
    free(product);
}

static void run(struct uvm *uvm)
{
    struct layer l = {.inputs = uvm->size[0]};
    uint32_t count = (l.inputs + 1) * ROW;
    l.value = uvm_array(uvm, l.inputs + 1, sizeof(float));
    l.weight = uvm_array(uvm, count, sizeof(float));
    l.product = uvm_array(uvm, count, sizeof(float));
    l.delta = uvm_array(uvm, HIDDEN, sizeof(float));
    l.partial = uvm_array(uvm, l.inputs, sizeof(float));
    l.change = uvm_array(uvm, count, sizeof(float));
    uvm_phase(make_kernel, &l, l.inputs + 1);
    if (uvm->spoil)
        l.value[l.inputs / 2] += 1;
    uvm_begin(uvm);
    launch(uvm, &l, forward_kernel, forward_group);
    add_partials(&l);
    launch(uvm, &l, update_kernel, update_group);
    uvm_end(uvm);
    uvm_digest(uvm, l.weight, count);
    uvm_digest(uvm, l.change, count);
    uvm_digest(uvm, l.product, count);
    if (uvm->check)
        check(uvm, &l);
}

static const char *refuses(const uint32_t size[NUMBERS])
{
    return size[0] % INPUTS ? "a multiple of 16" : NULL;
}

const struct benchmark backprop = {
    .name = "backprop",
    .numbers = "inputs",
    .report = {65536},
    .large = {131056},
    .most = {1 << 26},
    .refuses = refuses,
    .run = run,
};
