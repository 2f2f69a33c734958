/*
 * A scene that is accepted can be traversed: whatever is changed in a file at
 * random, a traversal of what is accepted stays inside of it and ends. Each
 * fault by its name: verify_faults_test.c.
 */
#include "verify_bench.h"

#include "ci/tests/runs.h"
#include <corbel/traverse_moves.h>
#include <corbel/traverse_treelet.h>

#define RUNS 300 /* of each pair of formats, as usual */

/* ---- anything ---- */

static unsigned accepted, refused;

/* As an RT core does it, by fetches, which lie in the scene; the steps of a
 * traversal that restarts for each entry that its stack forgot. */
static void trace(const struct corbel_scene *scene,
                  const struct corbel_ray *ray, unsigned flags, unsigned stack,
                  bool pop_cull)
{
    const struct corbel_traversal_setup setup = {stack, pop_cull};
    const uint64_t most =
        (scene->nodes + 2 * (uint64_t)scene->leaves + 1) * CORBEL_DEPTH_MAX;
    struct corbel_traversal t;
    struct corbel_fetch fetch;
    uint64_t steps = 0;
    corbel_traversal_start(&t, scene, ray, flags, &setup);
    while (corbel_traversal_fetch(&t, scene, &fetch)) {
        assert_true(fetch.pieces <= CORBEL_FETCH_PIECES);
        for (uint32_t i = 0; i < fetch.pieces; i++)
            assert_true(fetch.offset[i] + fetch.bytes <= scene->bytes);
        assert_true(++steps <= most);
        corbel_traversal_step(&t, scene);
    }
    const struct corbel_hit *hit = corbel_traversal_hit(&t);
    struct corbel_triangle triangle;
    if (hit->index != CORBEL_MISS)
        corbel_scene_triangle(scene, hit->index, &triangle);
}

/* ---- from treelet to treelet ---- */

static void move_in_treelet(const struct corbel_scene *scene,
                            struct corbel_moving *moving,
                            enum corbel_move_policy policy, uint64_t *left)
{
    const uint32_t treelet = corbel_treelet_of(scene, moving->node);
    struct corbel_traversal t;
    struct corbel_move m;
    corbel_move_begin(&m, &t, scene, moving);
    while (t.ref != CORBEL_REF_NONE && !corbel_ref_is_treelet(t.ref)) {
        assert_int_equal(corbel_treelet_of(scene, t.ref), treelet);
        assert_true((*left)-- > 0);
        corbel_move_step(&m, &t, scene, policy);
        assert_true(m.held <= sizeof m.stack / sizeof *m.stack);
    }
    corbel_move_end(&m, &t, moving);
}

static struct corbel_hit trace_moving(const struct corbel_scene *scene,
                                      const struct corbel_ray *ray,
                                      enum corbel_move_policy policy)
{
    uint64_t left =
        (scene->nodes + 2 * (uint64_t)scene->leaves + 1) * CORBEL_DEPTH_MAX;
    struct corbel_moving moving;
    corbel_moving_start(&moving, scene, ray);
    while (moving.state != CORBEL_MOVE_OVER)
        move_in_treelet(scene, &moving, policy, &left);
    return moving.hit;
}

/* Items that wait; a ray comes to each treelet at most once. */
static struct corbel_item *items;
static uint32_t items_sent, items_most;

void corbel_swi(const struct corbel_item *item)
{
    assert_true(items_sent < items_most);
    items[items_sent++] = *item;
}

static struct corbel_hit trace_items(const struct corbel_scene *scene,
                                     const struct corbel_ray *ray)
{
    struct corbel_hit closest = {ray->tmax, 0, 0, CORBEL_MISS}, hit;
    const struct corbel_item first = {*ray, 0, 0};
    struct corbel_treelet_rest rest;
    items = allocate(scene->treelets, sizeof *items);
    items_most = scene->treelets;
    items_sent = 0;
    corbel_stream_push(&first);
    for (uint32_t i = 0; i < items_sent; i++) {
        corbel_treelet_traverse(scene, &items[i], &hit, &rest);
        if (hit.index != CORBEL_MISS && corbel_hit_is_closer(&hit, &closest))
            closest = hit;
        corbel_treelet_send(scene, &items[i], hit.t, &rest);
    }
    free(items);
    return closest;
}

/* good: each way finds the plain hit. What boxes of other scenes leave out
 * depends on the way. */
static void trace_treelets(const struct corbel_scene *scene,
                           const struct corbel_ray *ray,
                           const struct corbel_hit *plain, bool good)
{
    struct corbel_hit hits[4] = {trace_items(scene, ray), *plain, *plain,
                                 *plain};
    if (scene->max_depth <= CORBEL_MOVE_LEVELS) {
        hits[1] = trace_moving(scene, ray, CORBEL_BY_RESTARTS);
        hits[2] = trace_moving(scene, ray, CORBEL_BY_CLIMBS);
        if (corbel_node_has_parent(scene->format))
            hits[3] = trace_moving(scene, ray, CORBEL_BY_PARENTS);
    }
    for (unsigned i = 0; good && i < 4; i++)
        assert_memory_equal(&hits[i], plain, sizeof *plain);
}

static void trace_all(const struct corbel_scene *scene)
{
    const unsigned full = corbel_stack_full(scene);
    const unsigned stacks[] = {1, 2, 5, full};
    const struct corbel_ray rays[] = {
        {{-2, 0.01f, 0.02f}, 0, {1, 0.001f, 0}, INFINITY},
        {{3, 0.1f, 5}, 0, {0.02f, 0, -1}, INFINITY},
        {{3, 0.1f, 0}, 0, {NAN, 0.5f, INFINITY}, INFINITY},
        {{900, 800, 700}, -1, {-9, -8, -7}, 1e30f},
    };
    assert_true(full <= CORBEL_STACK_MAX + 1);
    for (unsigned i = 0; i < sizeof rays / sizeof *rays; i++)
        for (unsigned k = 0; k < sizeof stacks / sizeof *stacks; k++) {
            struct corbel_hit hit;
            trace(scene, &rays[i], CORBEL_CLOSEST, stacks[k], true);
            trace(scene, &rays[i], CORBEL_CULL_BACK, stacks[k], false);
            trace(scene, &rays[i], CORBEL_ANY, stacks[k], k % 2);
            corbel_traverse(scene, &rays[i], CORBEL_CLOSEST, &hit);
            if (scene->treelets > 0 && k == 0)
                trace_treelets(scene, &rays[i], &hit, false);
        }
}

/* The copy is of the size of the file, so that a sanitizer sees its end. */
static void try_mutation(const struct corbel_scene *good, uint64_t seed)
{
    struct corbel_scene *scene = aligned_alloc(64, good->bytes);
    char why[CORBEL_WHY] = "";
    memcpy(scene, good, good->bytes);
    mutate(good, scene, seed);
    if (corbel_scene_verify(scene, good->bytes, why)) {
        accepted++;
        trace_all(scene);
        info_verify(scene, why);
    } else {
        refused++;
        assert_true(strlen(why) > 0 && strlen(why) < CORBEL_WHY - 1);
    }
    free(scene);
}

static void mutate_scene(struct corbel_scene *good)
{
    const uint64_t runs = test_runs(RUNS);
    for (uint64_t i = 0; i < runs; i++)
        try_mutation(good, (runs * good->format + i) * 256 + good->leaf_format);
    free(good);
}

static void mutate_pair(uint32_t nodes, uint32_t leaves)
{
    const unsigned limit = leaves % 2 ? 8 : 4;
    mutate_scene(make_scene(nodes, leaves, limit, 30));
    if (corbel_node_knows_treelets(nodes))
        mutate_scene(make_treelets(nodes, leaves, limit, 30, 1536));
}

static void what_is_accepted_can_be_traversed(void **state)
{
    for_each_pair(mutate_pair);
    print_message("%u changed scenes accepted, %u refused\n", accepted,
                  refused);
    assert_true(accepted > refused / 10 && refused > accepted / 10);
}

/* Rays along the clusters of the mesh. */
static void trace_good(uint32_t nodes, uint32_t leaves)
{
    if (!corbel_node_knows_treelets(nodes))
        return;
    struct corbel_scene *scene = make_treelets(nodes, leaves, 4, 300, 1536);
    assert_true(scene->max_depth <= CORBEL_MOVE_LEVELS);
    for (unsigned i = 0; i < 60; i++) {
        const struct corbel_ray ray = {
            {-2, uniform(-1, 1), uniform(-1, 1)},
            0,
            {1, uniform(-0.1f, 0.1f), uniform(-0.1f, 0.1f)},
            INFINITY};
        struct corbel_hit hit;
        corbel_traverse(scene, &ray, CORBEL_CLOSEST, &hit);
        trace_treelets(scene, &ray, &hit, true);
    }
    free(scene);
}

static void treelets_are_traced_as_the_tree_is(void **state)
{
    for_each_pair(trace_good);
}

/* ---- buffers of rays ---- */

static void buffers_of_rays_are_checked(void **state)
{
    enum { BYTES = sizeof(struct corbel_rays) + 6 * sizeof(struct corbel_ray) };
    _Alignas(64) char bytes[BYTES] = {0};
    struct corbel_rays *rays = (struct corbel_rays *)bytes;
    struct corbel_ray *ray = (struct corbel_ray *)(rays + 1);
    const char *why;
    *rays = (struct corbel_rays){.magic = CORBEL_RAYS_MAGIC,
                                 .version = CORBEL_RAYS_VERSION,
                                 .bytes = BYTES,
                                 .width = 3,
                                 .height = 2,
                                 .count = 6,
                                 .dead = 1};
    ray[4].tmax = CORBEL_RAYS_DEAD_TMAX;
    const struct corbel_rays good = *rays;
    rays->hash = corbel_rays_hash(rays);
    assert_true(corbel_rays_check(rays, BYTES, &why));
#define RAYS_REFUSED(because, ...)                                             \
    do {                                                                       \
        *rays = good;                                                          \
        __VA_ARGS__;                                                           \
        mutate_seal((struct corbel_scene *)bytes, BYTES);                      \
        assert_false(corbel_rays_check(rays, BYTES, &why));                    \
        assert_non_null(strstr(why, because));                                 \
    } while (0)
    RAYS_REFUSED("do not agree", rays->count++);
    RAYS_REFUSED("do not agree", rays->width = 0);
    RAYS_REFUSED("do not agree", rays->width = 1u << 31, rays->height = 2);
    RAYS_REFUSED("do not agree", rays->height = 20000);
    RAYS_REFUSED("truncated", rays->bytes += 32);
    RAYS_REFUSED("longer", rays->bytes -= 32);
    RAYS_REFUSED("kind of rays", rays->kind = 3);
    RAYS_REFUSED("normals", rays->normals = 2);
    RAYS_REFUSED("dead rays", rays->dead = 0);
    RAYS_REFUSED("dead rays", rays->dead = 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_accepted_can_be_traversed),
        cmocka_unit_test(treelets_are_traced_as_the_tree_is),
        cmocka_unit_test(buffers_of_rays_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
