/*
 * A scene that is accepted can be traversed: whatever is changed in a file at
 * random, a traversal of what is accepted stays inside of it and ends. Each
 * fault by its name: verify_faults_test.c.
 *
 * VERIFY_RUNS: changed files of each pair of formats.
 */
#include "verify_bench.h"

#define RUNS 300

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
    const char *given = getenv("VERIFY_RUNS");
    const uint64_t runs = given ? strtoull(given, NULL, 10) : RUNS;
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
        cmocka_unit_test(buffers_of_rays_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
