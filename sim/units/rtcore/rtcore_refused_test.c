/*
 * What the RT core refuses or cannot do: scenes in other formats, sectors that
 * the memory refuses, links that are missing; and what it says while it waits.
 */
#include "sim/units/rtcore/rtcore_bench.h"
#include "sim/units/rtcore/rtcore_items.h"

/* ---- formats ---- */

static void expect_read(int64_t nodes, int64_t triangles, const char *message)
{
    const struct corbel_scene scene = {.format = CORBEL_NODES_bvh2,
                                       .leaf_format = CORBEL_LEAVES_plain};
    struct rtcore r = {0};
    struct error error;
    r.params.nodes = nodes;
    r.params.triangles = triangles;
    assert_int_equal(rtcore_reads(&r.unit, &scene, &error), !message);
    if (message)
        assert_string_equal(error.text, message);
}

/* The number of the choice that names a format. */
static int64_t choice(const char *param, const char *name)
{
    struct error error;
    struct rtcore_params params;
    const struct param *row =
        param_find(rtcore_kind.param_rows, rtcore_kind.param_count, param);
    param_defaults(row, 1, &params);
    assert_int_equal(*param_field(&params, row), 0);
    assert_true(param_set_text(row, &params, name, &error));
    return *param_field(&params, row);
}

static void scenes_in_another_format_are_refused(void **state)
{
#define X(id, name, ...)                                                       \
    expect_read(                                                               \
        choice("nodes", #name), 0,                                             \
        CORBEL_NODES_##name == CORBEL_NODES_bvh2                               \
            ? NULL                                                             \
            : "nodes bvh2, the RT cores of this chip read " #name              \
              ": convert it with corbel-scene convert --nodes " #name);
    CORBEL_NODE_FORMATS(X)
#undef X
#define X(id, name, grain, apart, meaning)                                     \
    expect_read(                                                               \
        0, choice("triangles", #name),                                         \
        CORBEL_LEAVES_##name == CORBEL_LEAVES_plain                            \
            ? NULL                                                             \
            : "triangles plain, the RT cores of this chip read " #name         \
              ": convert it with corbel-scene convert --leaves " #name);
    CORBEL_LEAF_FORMATS(X)
#undef X
    expect_read(choice("nodes", "any"), choice("triangles", "any"), NULL);
}

/* policy: of rays that move; 0: they do not. */
static void expect_moves(uint8_t policy, uint32_t format, uint32_t depth,
                         const char *message)
{
    const struct corbel_scene scene = {
        .format = format, .max_depth = depth, .treelet_bytes = 512};
    struct items items = {.policy = policy};
    struct rtcore r = {.items = &items};
    struct error error;
    assert_int_equal(rtcore_reads(&r.unit, &scene, &error), !message);
    if (message)
        assert_string_equal(error.text, message);
}

static void scenes_that_rays_cannot_move_in_are_refused(void **state)
{
    static const char deep[] = "22 levels of nodes, the RT cores of this chip "
                               "go down 21: convert it with wider nodes";
    expect_moves(0, CORBEL_NODES_cwbvh6t, 22, NULL);
    for (uint8_t policy = 1; policy < 4; policy++) {
        expect_moves(policy, CORBEL_NODES_bvh6, 21, NULL);
        expect_moves(policy, CORBEL_NODES_bvh6, 22, deep);
    }
    expect_moves(1, CORBEL_NODES_cwbvh6t, 21,
                 "nodes cwbvh6t without references to their parents, which the "
                 "RT cores of this chip follow: convert it with corbel-scene "
                 "convert --nodes bvh6");
    expect_moves(2, CORBEL_NODES_cwbvh6t, 21, NULL);
}

/* The root's sectors cannot be had: each ray says so, once, and by whom. */
static void build_refusing(struct bench *b)
{
    const struct view *v = b->scenario->with;
    build_view(b);
    uint32_t root = ((const struct corbel_scene *)v->scene)->root;
    for (unsigned i = 0; i < v->queues; i++)
        b->belows[i]->refused = SCENE_ADDRESS + corbel_ref_offset(root);
}

/* The ray without a direction reads nothing of the scene. */
static void check_refused(struct bench *b)
{
    unsigned refused = 0;
    for (unsigned i = 0; i < RAYS; i++) {
        const struct msg *m = &answer_of(b, i)->msg;
        if (m->op != MEM_FAULT)
            continue;
        const struct below *by = (const struct below *)chip_unit_at(
            b->units[0]->chip, (unsigned)m->value);
        refused++;
        assert_int_equal(m->aux, MEM_READ);
        assert_int_equal(m->addr / SECTOR, by->refused / SECTOR);
    }
    assert_int_equal(refused, RAYS - 1);
    assert_stat(b->units[0], "nodes", 0);
    assert_stat(b->units[0], "rays", RAYS);
}

static void a_ray_whose_scene_is_refused_says_so(void **state)
{
    struct view v = make_view(CORBEL_NODES_cwbvh7, CORBEL_LEAVES_block128);
    bench_test_with(build_refusing, check_refused, &v);
    free_view(&v);
}

/* ---- links ---- */

static void what_is_missing_is_said_when_it_is_built(void **state)
{
    static const struct built all[] = {
        {.error = "0 ray links but 0 hit links"},
        {.links = {{"ray", "tp", "ray", false}},
         .error = "1 ray links but 0 hit links"},
        {.links = {{"ray", "tp", "ray", false}, {"hit", "tp", "hit", true}},
         .error = "0 mem links but 0 data links"},
        {.links = {{"ray", "tp", "ray", false},
                   {"hit", "tp", "hit", true},
                   {"mem", "cache", "cpu", true}},
         .error = "1 mem links but 0 data links"},
        {.param = "policy",
         .value = 1,
         .links = {{"mem", "cache", "cpu", true},
                   {"data", "cache", "reply", false},
                   {"item", "raygate", "item", true},
                   {"work", "raygate", "work", false}},
         .error = "a ray that moves is 2 messages at once, the item link "
                  "holds 1"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(all); i++)
        expect_not_built("rtcore", &all[i]);
}

/* ---- what it says ---- */

/* Two slots wait for the root's sectors, all others' rays at the ports. */
static void check_waiting(struct bench *b)
{
    assert_int_equal(b->stop, ENGINE_LIMIT);
    assert_explained(b->units[0],
                     "rtcore: 2 rays in flight, 2 waited for sectors, all "
                     "asked for\n");
}

static void check_silent(struct bench *b)
{
    assert_explained(b->units[0], "");
}

static void it_says_what_its_rays_wait_for(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh2, CORBEL_LEAVES_plain);
    v.max_rays = 2;
    v.queues = 1;
    for (int k = 0; k < 3; k++)
        v.ray[0].d[k] = v.ray[1].d[k] = 1; /* neither is finished at once */
    bench_test_with(build_view, check_silent, &v);
    v.latency = 1000;
    bench_play(&(struct scenario){
        .build = build_view, .check = check_waiting, .limit = 100, .with = &v});
    free_view(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_in_another_format_are_refused),
        cmocka_unit_test(scenes_that_rays_cannot_move_in_are_refused),
        cmocka_unit_test(a_ray_whose_scene_is_refused_says_so),
        cmocka_unit_test(what_is_missing_is_said_when_it_is_built),
        cmocka_unit_test(it_says_what_its_rays_wait_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
