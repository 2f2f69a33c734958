/*
 * The hit of a ray through instances, masks, flags and questions is that of
 * loops over everything, bit for bit, whatever the formats and the stack.
 */
#include "walk_bench.h"

#include "ci/tests/runs.h"

#include <corbel/verify.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define RAYS 120 /* as usual */

/* One of the legal combinations of flags; a third have none. */
static unsigned random_flags(void)
{
    static const unsigned opacity[] = {0, 0, 0, 1, 2, 64, 128};
    static const unsigned sides[] = {0, 0, 16, 32};
    static const unsigned kinds[] = {0, 0, 0, 256, 512};
    if (rand() % 3 == 0)
        return 0;
    const unsigned kind = kinds[rand() % 5];
    return opacity[rand() % 7] | (kind == 256 ? 0 : sides[rand() % 4]) | kind |
           (rand() % 2 ? 8 : 0);
}

static void same(const struct corbel_long_hit *a,
                 const struct corbel_long_hit *b)
{
    if (memcmp(a, b, sizeof *a))
        print_message("t %a index %u instance %u kind %u, but "
                      "t %a index %u instance %u kind %u\n",
                      a->t, a->index, a->instance, a->kind, b->t, b->index,
                      b->instance, b->kind);
    assert_memory_equal(a, b, sizeof *a);
}

struct seen {
    unsigned hits, kinds[4];
};

static void compare(const struct model *model, const struct corbel_scene *scene,
                    float radius, int rays, struct seen *seen)
{
    static const unsigned stacks[] = {1, 2, 3, CORBEL_STACK_MAX};
    for (int i = 0; i < rays; i++) {
        const struct corbel_ray ray = bench_ray(scene, radius);
        const unsigned flags = random_flags();
        const unsigned mask = rand() % 3 ? 0xFF : 1u << rand() % 8;
        struct corbel_long_hit by_loops, by_walk;
        bench_loops(scene, &ray, flags, mask, model->box, &by_loops);
        bench_walk(scene, &ray, flags, mask, stacks[rand() % 4], model->box,
                   &by_walk);
        same(&by_walk, &by_loops);
        seen->hits += by_loops.kind != CORBEL_HIT_NONE;
        seen->kinds[by_loops.kind]++;
        bench_walk(scene, &ray, flags | CORBEL_RAY_FIRST, mask,
                   stacks[rand() % 4], model->box, &by_walk);
        assert_int_equal(by_walk.kind != 0, by_loops.kind != 0);
    }
}

static struct corbel_scene *encode(struct model *model, uint32_t nodes,
                                   uint32_t leaves)
{
    const bool short_leaves = corbel_node_grains(nodes) == 1;
    const struct layout layout = {nodes, leaves, short_leaves ? 1 : 4, 0,
                                  ORDER_DEPTH};
    char why[CORBEL_WHY] = "";
    struct corbel_scene *scene = model_encode(model, &layout, QUALITY_HIGH);
    if (!corbel_scene_verify(scene, scene->bytes, why))
        fail_msg("%s", why);
    return scene;
}

/* Every format of nodes and leaves that go together. */
static void test_formats(void **state)
{
    static const uint32_t nodes[] = {
#define X(id, ...) id,
        CORBEL_NODE_FORMATS(X)
#undef X
    };
    static const uint32_t leaves[] = {
#define X(id, ...) id,
        CORBEL_LEAF_FORMATS(X)
#undef X
    };
    struct seen seen = {0};
    struct model model = {0};
    srand(1);
    bench_trees(&model);
    bench_instances(&model, 30, 10);
    for (size_t n = 0; n < sizeof nodes / sizeof *nodes; n++)
        for (size_t k = 0; k < sizeof leaves / sizeof *leaves; k++) {
            if (corbel_node_grains(nodes[n]) == 1 &&
                leaves[k] == CORBEL_LEAVES_packed)
                continue; /* a triangle can take two grains */
            struct corbel_scene *scene = encode(&model, nodes[n], leaves[k]);
            compare(&model, scene, 10, test_runs(RAYS), &seen);
            free(scene);
        }
    print_message("%u hits, %u front, %u back, %u boxes\n", seen.hits,
                  seen.kinds[1], seen.kinds[2], seen.kinds[3]);
    assert_true(seen.kinds[1] > 0 && seen.kinds[2] > 0 && seen.kinds[3] > 0);
    model_free(&model);
}

/* One instance to many, small scenes and large ones. */
static void test_numbers(void **state)
{
    static const uint32_t count[] = {1, 2, 3, 10, 100, 1000};
    static const float radius[] = {1e-3f, 1, 1e3f};
    struct seen seen = {0};
    srand(2);
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        struct model model = {0};
        bench_trees(&model);
        bench_instances(&model, count[i], radius[i % 3]);
        struct corbel_scene *scene =
            encode(&model, i % 2 ? CORBEL_NODES_cwbvh8 : CORBEL_NODES_bvh4,
                   CORBEL_LEAVES_plain);
        compare(&model, scene, radius[i % 3],
                test_runs((int)(2 * RAYS / (1 + count[i] / 20))) + 2, &seen);
        free(scene);
        model_free(&model);
    }
    assert_true(seen.hits > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
