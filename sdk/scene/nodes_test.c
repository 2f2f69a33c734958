/*
 * Every node format of the table against random nodes: what is read back are
 * the references that were written and boxes around the real ones, whatever
 * their sizes and places. Says too how much larger the boxes of each become.
 */
#include "ci/tests/runs.h"

#include <corbel/nodes.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NODES 200000    /* of each format, as usual */
#define GRAIN_UNITS 3u  /* units of a grain of some leaf format */
#define FORMAT_MAX 255u /* ids fit into a byte */
#define NODE_BYTES_MAX 256
#define LIMIT 0x1p41f /* a scene's +-2^40, padded */

static uint64_t seed;
static int nodes; /* random ones of each format */

/* xorshift64*: the same nodes everywhere. */
static uint32_t random_bits(void)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (uint32_t)(seed * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

static unsigned random_below(unsigned n)
{
    return random_bits() % n;
}

static float uniform(float low, float high)
{
    return low + (high - low) * (float)random_bits() * 0x1p-32f;
}

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Any float within the limits, of either sign, zeros and denormals too. */
static float any_float(void)
{
    float f = float_of(random_bits());
    return fabsf(f) <= LIMIT ? f : uniform(-LIMIT, LIMIT);
}

/* A float that nodes with short anchors can just write, or just not. */
static float near_short_float(void)
{
    float f = any_float();
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    bits = (bits & ~UINT32_C(0xff)) + random_below(5) - 2;
    f = float_of(bits);
    return fabsf(f) <= LIMIT ? f : 0;
}

/* How the boxes of a node are made. */
struct kind {
    float (*place)(void);
    float size; /* of the node, relative to its place; 0: flat boxes */
};

static float ordinary_place(void)
{
    return uniform(-10, 10);
}

static float at_zero(void)
{
    return random_below(2) ? 0.0f : -0.0f;
}

static float denormal(void)
{
    return float_of(random_below(1u << 23) | random_below(2) << 31);
}

static const struct kind kinds[] = {
    {ordinary_place, 1},
    {ordinary_place, 1e-6f},
    {ordinary_place, 0},
    {any_float, 1},
    {any_float, 1e-4f},
    {any_float, 0},
    {near_short_float, 0},
    {near_short_float, 1},
    {near_short_float, 1e-7f},
    {near_short_float, 300},
    {at_zero, 0},
    {denormal, 1},
    {denormal, 0},
    {any_float, 1e20f},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static float clamp(float f)
{
    return f > LIMIT ? LIMIT : f < -LIMIT ? -LIMIT : f;
}

/* One axis of all children, within a node of that kind. */
static void random_planes(const struct kind *kind,
                          struct corbel_node_children *c, int axis)
{
    const float place = clamp(kind->place());
    const float size = fabsf(place) * kind->size;
    for (unsigned i = 0; i < c->count; i++) {
        float a = clamp(place + uniform(0, size));
        float b = clamp(random_below(4) ? place + uniform(0, size) : a);
        c->box[i].min[axis] = a < b ? a : b;
        c->box[i].max[axis] = a < b ? b : a;
    }
}

/* A reference of a node that `units` units may follow: where nodes are of a
 * multiple of 64 bytes, it is at a multiple of 64. */
static uint32_t random_node(uint32_t format, unsigned units)
{
    const unsigned step = corbel_node_bytes(format) % 64 ? 1 : 4;
    return step * (1 + random_below((CORBEL_REF_UNITS_MAX - units) / step - 1));
}

/* Nodes side by side, leaves, and roots of treelets, as the contract of
 * encode() says. */
static void random_refs(uint32_t format, struct corbel_node_children *c)
{
    const bool treelets = corbel_node_knows_treelets(format);
    const uint32_t stride = 4 * (1 + random_below(1u << random_below(19)));
    uint32_t node = random_node(format, 128), leaf = random_node(format, 256);
    uint32_t treelet = random_node(format, 8 * stride);
    if (corbel_node_has_parent(format))
        c->parent = random_bits();
    for (unsigned i = 0; i < c->count; i++) {
        const unsigned grains = 1 + random_below(corbel_node_grains(format));
        if (treelets && random_below(3) == 0) {
            c->ref[i] = CORBEL_REF_TREELET | treelet;
            treelet += stride;
        } else if (random_below(2)) {
            c->ref[i] = node;
            node += corbel_node_bytes(format) / CORBEL_REF_UNIT;
        } else {
            c->ref[i] = corbel_ref_leaf(leaf, grains);
            leaf += grains * GRAIN_UNITS;
        }
    }
}

static void random_children(uint32_t format, struct corbel_node_children *c)
{
    memset(c, 0, sizeof *c);
    c->count = 1 + random_below(corbel_node_width(format));
    const struct kind *kind = &kinds[random_below(KINDS)];
    for (int axis = 0; axis < 3; axis++)
        random_planes(random_below(4) ? kind : &kinds[random_below(KINDS)], c,
                      axis);
    random_refs(format, c);
}

/* Where a node is written: guarded, and aligned as in a scene. */
struct place {
    _Alignas(16) uint8_t before[16];
    uint8_t node[NODE_BYTES_MAX];
    uint8_t after[16];
};

static void encode(uint32_t format, const struct corbel_node_children *c,
                   struct place *place)
{
    const unsigned bytes = corbel_node_bytes(format);
    memset(place, 0xa5, sizeof *place);
    memset(place->node, 0, bytes);
    assert_true(corbel_node_encode(format, c, place->node));
    for (unsigned i = 0; i < sizeof place->before; i++)
        assert_int_equal(place->before[i], 0xa5);
    for (unsigned i = bytes; i < NODE_BYTES_MAX; i++)
        assert_int_equal(place->node[i], 0xa5);
}

static bool contains(const struct corbel_box *outer,
                     const struct corbel_box *inner)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(outer->min[axis] <= inner->min[axis] &&
              inner->max[axis] <= outer->max[axis]))
            return false;
    return true;
}

static double area(const struct corbel_box *b)
{
    double x = (double)b->max[0] - b->min[0], y = (double)b->max[1] - b->min[1];
    double z = (double)b->max[2] - b->min[2];
    return x * y + y * z + z * x;
}

static void for_each_format(void (*check)(uint32_t format))
{
    unsigned formats = 0;
    for (uint32_t format = 0; format <= FORMAT_MAX; format++)
        if (corbel_node_width(format) > 0) {
            seed = 0x9E3779B97F4A7C15 + format;
            check(format);
            formats++;
        }
    assert_true(formats > 0);
}

static void check_row(uint32_t format)
{
    assert_int_equal(corbel_node_bytes(format) % CORBEL_REF_UNIT, 0);
    assert_in_range(corbel_node_bytes(format), 1, NODE_BYTES_MAX);
    assert_in_range(corbel_node_width(format), 2, CORBEL_WIDTH_MAX);
    assert_in_range(corbel_node_grains(format), 1, CORBEL_GRAINS_MAX);
    assert_string_not_equal(corbel_node_name(format), "unknown");
    assert_in_range(corbel_node_parent_at(format), 0,
                    corbel_node_bytes(format) - sizeof(uint32_t));
}

static void the_rows_of_the_table_are_sound(void **state)
{
    for_each_format(check_row);
}

static void check_contents(uint32_t format)
{
    struct corbel_node_children c, read;
    struct place place;
    for (int n = 0; n < nodes; n++) {
        random_children(format, &c);
        encode(format, &c, &place);
        corbel_node_decode(format, place.node, GRAIN_UNITS, &read);
        assert_int_equal(read.count, c.count);
        assert_int_equal(read.parent, c.parent);
        for (unsigned i = 0; i < c.count; i++) {
            assert_int_equal(read.ref[i], c.ref[i]);
            assert_true(contains(&read.box[i], &c.box[i]));
        }
    }
}

static void a_node_has_its_references_and_boxes_around_the_real_ones(void **s)
{
    for_each_format(check_contents);
}

static void check_lanes(uint32_t format)
{
    struct corbel_node_children c, read;
    struct place place;
    struct corbel_boxes boxes;
    for (int n = 0; n < nodes / 4; n++) {
        random_children(format, &c);
        encode(format, &c, &place);
        corbel_node_decode(format, place.node, GRAIN_UNITS, &read);
        corbel_node_boxes(format, place.node, &boxes);
        for (unsigned i = 0; i < read.count; i++)
            for (int axis = 0; axis < 3; axis++) {
                assert_memory_equal(&boxes.min[axis][i], &read.box[i].min[axis],
                                    sizeof(float));
                assert_memory_equal(&boxes.max[axis][i], &read.box[i].max[axis],
                                    sizeof(float));
            }
    }
}

static void all_boxes_at_once_are_bit_by_bit_those_one_by_one(void **state)
{
    for_each_format(check_lanes);
}

/* As corbel_ray_invert() makes them, often through one of the boxes. */
static void random_ray(const struct corbel_node_children *c,
                       struct corbel_ray *ray_inv)
{
    const struct corbel_box *box = &c->box[random_below(c->count)];
    struct corbel_ray ray = {.tmin = random_below(2) ? 0 : uniform(0, 20)};
    ray.tmax = random_below(4) ? uniform(0, 1000) : INFINITY;
    for (int i = 0; i < 3; i++) {
        ray.o[i] = random_below(4) ? ordinary_place() : box->min[i];
        ray.d[i] = random_below(8) ? box->max[i] - ray.o[i] : at_zero();
        ray.d[i] = random_below(4) ? ray.d[i] : uniform(-1, 1);
    }
    if (!corbel_ray_invert(&ray, ray_inv))
        random_ray(c, ray_inv);
}

/* What cwbvh7 has of its own for hosts. */
static void a_ray_enters_the_same_children_at_once_as_one_by_one(void **state)
{
    const uint32_t format = CORBEL_NODES_cwbvh7;
    struct corbel_node_children c, read;
    struct place place;
    struct corbel_ray ray_inv;
    float entry[8];
    unsigned hits = 0, tests = 0;
    for (int n = 0; n < nodes; n++) {
        random_children(format, &c);
        encode(format, &c, &place);
        corbel_node_decode(format, place.node, GRAIN_UNITS, &read);
        random_ray(&read, &ray_inv);
        unsigned entered = corbel_cwbvh7_test(place.node, &ray_inv, entry);
        for (unsigned i = 0; i < read.count; i++, tests++) {
            float expected = corbel_box_test(&ray_inv, &read.box[i]);
            assert_int_equal(entered >> i & 1, expected < ray_inv.tmax);
            if (!(expected < ray_inv.tmax))
                continue;
            assert_memory_equal(&entry[i], &expected, sizeof expected);
            hits++;
        }
    }
    assert_true(hits > tests / 20 && hits < tests);
}

/* Neither what lies in memory nor on the stack gets into a node. */
static void check_bytes(uint32_t format)
{
    struct corbel_node_children c;
    struct place one, two;
    for (int n = 0; n < nodes / 8; n++) {
        random_children(format, &c);
        encode(format, &c, &one);
        for (unsigned i = c.count; i < CORBEL_WIDTH_MAX; i++) {
            c.ref[i] = random_bits();
            memset(&c.box[i], (int)random_below(256), sizeof c.box[i]);
        }
        encode(format, &c, &two);
        assert_memory_equal(&one, &two, sizeof one);
    }
}

static void the_bytes_of_a_node_depend_on_its_children_alone(void **state)
{
    for_each_format(check_bytes);
}

/* Boxes of children as builders make them: side by side along an axis. */
static void print_growth(uint32_t format)
{
    const struct kind kind = {ordinary_place, 1};
    double before = 0, after = 0;
    for (int n = 0; n < nodes / 8; n++) {
        struct corbel_node_children c = {.count = corbel_node_width(format)};
        struct corbel_node_children read;
        struct place place;
        for (int axis = 0; axis < 3; axis++)
            random_planes(&kind, &c, axis);
        random_refs(format, &c);
        encode(format, &c, &place);
        corbel_node_decode(format, place.node, GRAIN_UNITS, &read);
        for (unsigned i = 0; i < c.count; i++) {
            before += area(&c.box[i]);
            after += area(&read.box[i]);
        }
    }
    printf("%-8s %3u bytes, %u children: boxes' area grows by %.3f %%\n",
           corbel_node_name(format), corbel_node_bytes(format),
           corbel_node_width(format), 100 * (after / before - 1));
    assert_in_range((uint64_t)(100 * (after / before - 1)), 0, 10);
}

static void boxes_grow_little(void **state)
{
    for_each_format(print_growth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_of_the_table_are_sound),
        cmocka_unit_test(
            a_node_has_its_references_and_boxes_around_the_real_ones),
        cmocka_unit_test(all_boxes_at_once_are_bit_by_bit_those_one_by_one),
        cmocka_unit_test(a_ray_enters_the_same_children_at_once_as_one_by_one),
        cmocka_unit_test(the_bytes_of_a_node_depend_on_its_children_alone),
        cmocka_unit_test(boxes_grow_little),
    };
    nodes = (int)test_runs(NODES);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
