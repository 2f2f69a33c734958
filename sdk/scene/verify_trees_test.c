/*
 * Scenes of several trees: each fault is named, and what the verifier accepts
 * can be walked through without a read outside of it.
 */
#include "verify_bench.h"
#include "walk_bench.h"

#include "ci/tests/runs.h"

#define RUNS 300 /* as usual, of each pair of formats */

static unsigned accepted, refused;

static struct corbel_scene *make_levels(uint32_t nodes, uint32_t leaves)
{
    const struct layout layout = {nodes, leaves,
                                  corbel_node_grains(nodes) == 1 ? 1 : 4};
    struct model model = {0};
    srand(3);
    bench_trees(&model);
    model_add_extra(&model, "opacity", 8);
    model.geometry[0].texels_offset = CORBEL_SCENE_ALIGN;
    model.geometry[0].width = 4;
    model.geometry[0].height = 2;
    bench_instances(&model, 20, 10);
    struct corbel_scene *scene = model_encode(&model, &layout, QUALITY_MEDIUM);
    model_free(&model);
    return scene;
}

#define AT(type, offset) ((struct type *)((char *)scene + scene->offset))
#define TREE AT(corbel_tree, trees_offset)
#define LINE AT(corbel_instance, instances_offset)
#define PLACED AT(corbel_placement, placements_offset)
#define GEOMETRY AT(corbel_geometry, geometries_offset)
#define BOX AT(corbel_box_leaf, boxes_offset)

/* Of a tree, and for all of its instances. */
static void move_root(struct corbel_scene *scene, uint32_t tree, uint32_t root)
{
    TREE[tree].root = root;
    for (uint32_t i = 0; i < scene->instances; i++)
        if (PLACED[i].tree == tree)
            LINE[PLACED[i].line].root = root;
}

static void break_records(const struct corbel_scene *good,
                          struct corbel_scene *scene)
{
    REFUSED("no trees", scene->trees = 0);
    REFUSED("no trees", scene->root = 1);
    REFUSED("a section lies outside", scene->extras++);
    REFUSED("a section lies outside", scene->instances_offset += 4);
    REFUSED("a section lies outside", scene->placements_offset = 0);
    REFUSED("a section lies outside", scene->trees_offset = scene->bytes + 64);
    REFUSED("a section lies outside", scene->geometries = UINT32_MAX);
    REFUSED("a section lies outside", scene->boxes = UINT32_MAX);
    REFUSED("overlap", scene->trees_offset = scene->geometries_offset);
    REFUSED("depth is not that of two", scene->max_depth++);
    REFUSED("tree 1 at byte", TREE[1].kind = 3);
    REFUSED("two levels at most", TREE[1].kind = CORBEL_TREE_INSTANCES);
    REFUSED("has a root that is not", TREE[0].root++);
    REFUSED("has a root elsewhere", move_root(scene, 3, 64));
    REFUSED("leads to another tree", TREE[2].root = CORBEL_REF_NONE);
    REFUSED("tree 1 at byte", TREE[1].first_node++);
    REFUSED("other nodes or geom", TREE[4].nodes++);
    REFUSED("other nodes or geom", TREE[4].geometries--);
    REFUSED("does not begin where", TREE[1].first_geometry++);
    REFUSED("a widening that cannot", TREE[0].widen = 0);
    REFUSED("a widening that cannot", TREE[0].extent = NAN);
    REFUSED("bounds that are no box", TREE[1].bounds.min[1] = NAN);
    REFUSED("than the header says", TREE[1].max_depth = 64);
}

static void break_rest(const struct corbel_scene *good,
                       struct corbel_scene *scene)
{
    REFUSED("geometry 1 at byte", GEOMETRY[1].flags = 2);
    REFUSED("is opaque where its", GEOMETRY[1].flags ^= 1);
    REFUSED("is opaque where its", GEOMETRY[0].flags ^= 1);
    REFUSED("another tree than", GEOMETRY[1].tree = 2);
    REFUSED("does not begin where", GEOMETRY[1].first++);
    REFUSED("does not begin where", GEOMETRY[0].count++);
    REFUSED("geometries have other", GEOMETRY[3].count++);
    REFUSED("without texels", GEOMETRY[0].width = 0);
    REFUSED("a texture outside", GEOMETRY[0].width = 1 << 20);
    REFUSED("a texture outside", GEOMETRY[0].texels_offset = 64);
    REFUSED("corners outside", GEOMETRY[0].corners_offset = 64);
    REFUSED("instance 2 at byte", PLACED[2].tree = 0);
    REFUSED("of a tree that does", PLACED[2].tree = 5);
    REFUSED("outside of the inst", PLACED[2].line = scene->instances);
    REFUSED("where another one", PLACED[2].line = PLACED[3].line);
    REFUSED("leads to another", LINE[0].root++);
    REFUSED("leads to another", LINE[0].kind = 2);
    REFUSED("flags that do not", LINE[0].flags = 16);
    REFUSED("lies where", LINE[0].number = scene->instances);
    REFUSED("reaches less far", LINE[0].reach /= 2);
    REFUSED("a box without an", BOX[0].box.min[0] = NAN);
    REFUSED("is not its tree's", BOX[0].index = 1000);
    REFUSED("is opaque where", BOX[0].index ^= CORBEL_INDEX_NON_OPAQUE);
}

static void break_levels(uint32_t nodes, uint32_t leaves)
{
    struct corbel_scene *good = make_levels(nodes, leaves);
    struct corbel_scene *scene = aligned_alloc(64, good->bytes);
    assert_good(good);
    break_records(good, scene);
    break_rest(good, scene);
    free(scene);
    free(good);
}

static void each_fault_is_named(void **state)
{
    for_each_pair(break_levels);
}

/* Of the upper tree: all of its children are leaves. */
static struct corbel_bvh4 *last_node(struct corbel_scene *scene)
{
    return (void *)((char *)AT(corbel_bvh4, nodes_offset) +
                    (TREE[0].nodes - 1) * corbel_node_bytes(CORBEL_NODES_bvh4));
}

/* What only corbel-scene check finds: hits would be lost. */
static void check_tells_of_boxes(void **state)
{
    char why[CORBEL_WHY];
    struct corbel_scene *good =
        make_levels(CORBEL_NODES_bvh4, CORBEL_LEAVES_plain);
    struct corbel_scene *scene = aligned_alloc(64, good->bytes);
#define TOLD(because, ...)                                                     \
    do {                                                                       \
        memcpy(scene, good, good->bytes);                                      \
        __VA_ARGS__;                                                           \
        mutate_seal(scene, scene->bytes);                                      \
        if (!corbel_scene_verify(scene, scene->bytes, why))                    \
            fail_msg("%s", why);                                               \
        assert_false(info_verify(scene, why));                                 \
        assert_non_null(strstr(why, because));                                 \
    } while (0)
    TOLD("its box does not hold", last_node(scene)->max[0][0] -= 1e-4f);
    TOLD("grows too little", TREE[0].widen = CORBEL_TREE_PAD);
    TOLD("grows too little", TREE[0].extent *= 2);
    TOLD("bounds do not hold", TREE[0].bounds.max[0] /= 2);
    TOLD("no inverse", memset(LINE[0].inverse, 0, sizeof LINE[0].inverse));
    TOLD("the node's box does", BOX[0].box.max[2] += 3);
    TOLD("duplicates wrongly", scene->duplicates++);
    free(scene);
    free(good);
}

/* All events are answered: the box's primitive fills it. */
static void walk_all(const struct corbel_scene *scene)
{
    const unsigned stacks[] = {1, 3, corbel_stack_full(scene)};
    for (int i = 0; i < 4; i++) {
        const struct corbel_traversal_setup setup = {stacks[i % 3], i % 2};
        const struct corbel_ray ray = {
            {i == 1 ? NAN : 12, 11, (float)i}, 0, {-1, -.9f, .1f}, INFINITY};
        struct corbel_long_hit hit;
        struct corbel_walk w;
        unsigned events = 0;
        corbel_walk_start(&w, scene, &ray, i == 2 ? 2 : 0, 0xFF, &setup);
        while (corbel_walk_next(&w, scene) >= CORBEL_EVENT_TRIANGLE) {
            corbel_walk_candidate(&w, scene, &hit);
            if (events++ % 3 == 0)
                corbel_walk_report(&w, w.found.t, 0, 0);
            assert_true(events < 1000000);
        }
        corbel_walk_hit(&w, scene, &hit);
    }
}

static void mutate_levels(uint32_t nodes, uint32_t leaves)
{
    struct corbel_scene *good = make_levels(nodes, leaves);
    for (uint64_t i = 0; i < test_runs(RUNS); i++) {
        struct corbel_scene *scene = aligned_alloc(64, good->bytes);
        char why[CORBEL_WHY] = "";
        memcpy(scene, good, good->bytes);
        mutate(good, scene, (i * 256 + nodes) * 256 + leaves);
        if (corbel_scene_verify(scene, good->bytes, why)) {
            accepted++;
            walk_all(scene);
            info_verify(scene, why);
        } else {
            refused++;
        }
        free(scene);
    }
    free(good);
}

static void what_is_accepted_can_be_walked(void **state)
{
    for_each_pair(mutate_levels);
    print_message("%u changed scenes accepted, %u refused\n", accepted,
                  refused);
    assert_true(accepted > refused / 10 && refused > accepted / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_is_named),
        cmocka_unit_test(check_tells_of_boxes),
        cmocka_unit_test(what_is_accepted_can_be_walked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
