/*
 * The RT core finds what corbel_traverse finds, by the same steps, whatever
 * its stack, the node format and the order in which its memory answers.
 */
#define CORBEL_STACK_MAX 64 /* as in the RT core */
#include "sdk/scene/mesh.h"
#include "sdk/scene/tree.h"
#include "sim/units/bench.h"
#include <corbel/scene.h>
#include <corbel/traverse.h>
#include <math.h>
#include <stdlib.h>

#define RAYS 160u
#define CORES 3u  /* thread processors */
#define QUEUES 2u /* of the L1 */

#define SCENE_ADDRESS (BENCH_READ_ONLY + 0x1000)

/* What a test is played with. */
struct view {
    const struct corbel_scene *scene;
    struct corbel_ray ray[RAYS];
    uint8_t flags[RAYS];
    unsigned stack, max_rays;
    uint64_t closed_until; /* of the memory */
};

/* ---- a scene ---- */

static float uniform(float low, float high)
{
    return low + (high - low) * (float)rand() / (float)RAND_MAX;
}

/* Small triangles everywhere and large ones through them. */
static void make_mesh(struct mesh *mesh)
{
    memset(mesh, 0, sizeof *mesh);
    for (unsigned i = 0; i < 600; i++) {
        float size = i % 8 ? .08f : 1, place[3], corner[3];
        uint32_t v[3];
        for (int k = 0; k < 3; k++)
            place[k] = uniform(-1, 1);
        for (int n = 0; n < 3; n++) {
            for (int k = 0; k < 3; k++)
                corner[k] = place[k] + uniform(-size, size);
            v[n] = mesh_add_vertex(mesh, corner);
        }
        mesh_add_face(mesh, v[0], v[1], v[2]);
    }
}

static struct corbel_scene *make_scene(uint32_t format)
{
    struct mesh mesh;
    struct tree tree;
    srand(7);
    make_mesh(&mesh);
    tree_build(&mesh, QUALITY_HIGH, &tree);
    struct corbel_scene *scene = scene_encode(
        &mesh, &tree, &(struct layout){format, CORBEL_LEAVES_plain, 4},
        QUALITY_HIGH);
    tree_free(&tree);
    mesh_free(&mesh);
    assert_true(scene->bytes < BENCH_MEMORY - SCENE_ADDRESS);
    return scene;
}

/* From inside and outside, one in four for any hit, one of no direction. */
static void make_rays(struct view *v)
{
    srand(8);
    for (unsigned i = 0; i < RAYS; i++) {
        struct corbel_ray *ray = &v->ray[i];
        float from = i % 3 ? 1 : 4;
        *ray = (struct corbel_ray){.tmax = i % 5 ? INFINITY : .5f};
        for (int k = 0; k < 3; k++) {
            ray->o[k] = uniform(-from, from);
            ray->d[k] = uniform(-1, 1) - ray->o[k];
        }
        v->flags[i] = i % 4 ? CORBEL_CLOSEST : CORBEL_ANY;
    }
    memset(v->ray[9].d, 0, sizeof v->ray[9].d);
}

/* ---- the bench ---- */

static void build(struct bench *b)
{
    const struct view *v = b->scenario->with;
    struct unit *r = bench_unit(b, "rtcore", "rtcore");
    bench_set(b, r, "stack", v->stack);
    bench_set(b, r, "max_rays", v->max_rays);
    for (unsigned i = 0; i < QUEUES; i++) {
        struct below *m = bench_below(b, r, "mem", "data", 5 + 20 * i);
        m->closed_until = v->closed_until;
    }
    for (unsigned i = 0; i < CORES; i++)
        bench_driver(b, r, "ray", "hit");
    for (unsigned i = 0; i < RAYS; i++) {
        struct payload p;
        memcpy(p.bytes, &v->ray[i], sizeof p.bytes);
        struct msg m = {.addr = v->flags[i]};
        driver_ask(b->drivers[i % CORES], 0, m, &p);
    }
    struct machine *m = &b->machine;
    memcpy(machine_at(m, SCENE_ADDRESS), v->scene, v->scene->bytes);
    m->scene_address = SCENE_ADDRESS;
    m->scene =
        (const struct corbel_scene *)(const void *)machine_at(m, SCENE_ADDRESS);
}

static const struct corbel_hit *hit_of(const struct bench *b, unsigned ray)
{
    const struct answer *a =
        driver_answer(b->drivers[ray % CORES], ray / CORES);
    return (const struct corbel_hit *)(const void *)a->payload.bytes;
}

static void start(struct corbel_traversal *t, const struct view *v,
                  unsigned ray)
{
    const struct corbel_traversal_setup setup = {v->stack, true};
    corbel_traversal_start(t, v->scene, &v->ray[ray], v->flags[ray], &setup);
}

/* Sectors of 32 bytes from offset. */
static uint64_t sectors_of(uint64_t offset, uint64_t bytes)
{
    return (offset + bytes - 1) / SECTOR - offset / SECTOR + 1;
}

/* The ray's steps done here; sectors: what they read. */
static struct corbel_traversal trace(const struct view *v, unsigned ray,
                                     uint64_t *sectors)
{
    struct corbel_traversal t;
    struct corbel_fetch fetch;
    start(&t, v, ray);
    while (corbel_traversal_fetch(&t, v->scene, &fetch)) {
        *sectors += sectors_of(fetch.offset[0], fetch.bytes);
        corbel_traversal_step(&t, v->scene);
    }
    return t;
}

static void check_hits(struct bench *b)
{
    const struct view *v = b->scenario->with;
    for (unsigned i = 0; i < RAYS; i++) {
        struct corbel_hit expected;
        corbel_traverse(v->scene, &v->ray[i], v->flags[i], &expected);
        assert_memory_equal(hit_of(b, i), &expected, sizeof expected);
    }
}

static void check_counters(struct bench *b)
{
    const struct view *v = b->scenario->with;
    const struct unit *r = b->units[0];
    uint64_t nodes = 0, leaves = 0, triangles = 0, restarts = 0, sectors = 0;
    uint64_t hits = 0;
    for (unsigned i = 0; i < RAYS; i++) {
        struct corbel_traversal t = trace(v, i, &sectors);
        nodes += t.counts.nodes;
        leaves += t.counts.leaves;
        triangles += t.counts.triangles;
        restarts += t.counts.restarts;
        hits += t.hit.index != CORBEL_MISS;
    }
    assert_in_range(hits, RAYS / 4, RAYS - RAYS / 8);
    assert_true(v->stack > 2 || restarts > RAYS / 8);
    assert_stat(r, "rays", RAYS);
    assert_stat(r, "hits", hits);
    assert_stat(r, "nodes", nodes);
    assert_stat(r, "leaves", leaves);
    assert_stat(r, "triangles", triangles);
    assert_stat(r, "restarts", restarts);
    assert_stat(r, "requests", sectors);
}

/* The memory is asked for sectors of the tree only, all whole. */
static void check_requests(struct bench *b)
{
    const struct view *v = b->scenario->with;
    for (unsigned q = 0; q < QUEUES; q++)
        for (unsigned i = 0; i < b->belows[q]->count; i++) {
            const struct msg *m = &b->belows[q]->seen[i].msg;
            assert_int_equal(m->addr % SECTOR, 0);
            assert_int_equal(m->size, SECTOR);
            assert_int_equal(m->tag % QUEUES, q);
            assert_in_range(m->addr, SCENE_ADDRESS + sizeof *v->scene,
                            SCENE_ADDRESS + v->scene->bytes - SECTOR);
        }
}

static void check(struct bench *b)
{
    const struct view *v = b->scenario->with;
    uint64_t ray_cycles = bench_stat(b->units[0], "ray_cycles");
    for (unsigned i = 0; i < CORES; i++)
        assert_int_equal(driver_unanswered(b->drivers[i]), 0);
    check_hits(b);
    check_counters(b);
    check_requests(b);
    assert_in_range(ray_cycles, 1, v->max_rays * b->cycles);
}

static void play_stacks(uint32_t format)
{
    static const unsigned stacks[] = {1, 2, 4, 8, 64};
    struct corbel_scene *scene = make_scene(format);
    struct view v = {.scene = scene, .max_rays = 48};
    make_rays(&v);
    for (unsigned i = 0; i < TABLE_COUNT(stacks); i++) {
        v.stack = stacks[i];
        bench_test_with(build, check, &v);
    }
    free(scene);
}

static void hits_and_steps_are_those_of_the_library(void **state)
{
    uint32_t format = 1;
    for (; corbel_node_width(format); format++)
        play_stacks(format);
    assert_true(format > 3);
}

static void any_number_of_rays_in_flight_will_do(void **state)
{
    static const unsigned rays[] = {1, 2, 7, 1024};
    struct corbel_scene *scene = make_scene(1);
    struct view v = {.scene = scene, .stack = 4};
    make_rays(&v);
    for (unsigned i = 0; i < TABLE_COUNT(rays); i++) {
        v.max_rays = rays[i];
        bench_test_with(build, check, &v);
    }
    free(scene);
}

/* ---- time ---- */

#define BOX_LATENCY 5u
#define TRI_LATENCY 9u
#define TRI_RATE 2u
#define APART 8000u /* cycles between two rays */

/* One ray at a time. */
static void build_alone(struct bench *b)
{
    build(b);
    bench_set(b, b->units[0], "box_latency", BOX_LATENCY);
    bench_set(b, b->units[0], "tri_latency", TRI_LATENCY);
    bench_set(b, b->units[0], "tri_rate", TRI_RATE);
    for (unsigned i = 0; i < RAYS; i++)
        b->drivers[i % CORES]->asks[i / CORES].at = APART * i;
}

/*
 * The sectors of a node are asked for one a cycle; when the last has come
 * they enter their pipeline at once, triangles TRI_RATE a cycle, and at its
 * end the next node is asked for in the same cycle.
 */
static uint64_t time_of(const struct bench *b, unsigned ray)
{
    const struct view *v = b->scenario->with;
    struct corbel_traversal t;
    struct corbel_fetch fetch;
    uint64_t time = 0;
    start(&t, v, ray);
    while (corbel_traversal_fetch(&t, v->scene, &fetch)) {
        time += sectors_of(fetch.offset[0], fetch.bytes) - 1 + 2 * LINK +
                b->belows[0]->latency;
        if (fetch.kind == CORBEL_FETCH_NODE)
            time += BOX_LATENCY;
        else
            time += (corbel_traversal_triangles(&t, v->scene) - 1) / TRI_RATE +
                    TRI_LATENCY;
        corbel_traversal_step(&t, v->scene);
    }
    return time;
}

/* The first slot is free again each time, and so the first queue's. */
static void check_alone(struct bench *b)
{
    uint64_t ray_cycles = 0;
    for (unsigned i = 0; i < RAYS; i++) {
        uint64_t time = time_of(b, i);
        assert_int_equal(driver_took(b->drivers[i % CORES], i / CORES),
                         2 * LINK + time);
        ray_cycles += time;
    }
    assert_stat(b->units[0], "ray_cycles", ray_cycles);
}

static void a_ray_alone_takes_the_time_of_its_fetches_and_tests(void **state)
{
    struct corbel_scene *scene = make_scene(3);
    struct view v = {.scene = scene, .stack = 2, .max_rays = 16};
    make_rays(&v);
    bench_test_with(build_alone, check_alone, &v);
    free(scene);
}

/* ---- slots ---- */

/* The run ends while the memory is still closed. */
static void check_slots(struct bench *b)
{
    const struct view *v = b->scenario->with;
    assert_int_equal(b->stop, ENGINE_LIMIT);
    assert_stat(b->units[0], "rays", v->max_rays);
    assert_stat(b->units[0], "idle", LINK);
    /* One came a cycle, then all stood in their slots. */
    uint64_t full = b->cycles - LINK - v->max_rays, filling = 0;
    for (unsigned n = 1; n <= v->max_rays; n++)
        filling += n;
    assert_stat(b->units[0], "ray_cycles", v->max_rays * full + filling);
}

static void no_more_rays_are_taken_than_there_are_slots(void **state)
{
    struct corbel_scene *scene = make_scene(1);
    struct view v = {
        .scene = scene, .stack = 4, .max_rays = 13, .closed_until = 10000};
    make_rays(&v);
    for (unsigned i = 0; i < 13 * 2; i++)
        for (int k = 0; k < 3; k++)
            v.ray[i].d[k] = 1; /* none is finished at once */
    bench_play(&(struct scenario){
        .build = build, .check = check_slots, .limit = 1000, .with = &v});
    free(scene);
}

/* Each core's ray number i before all cores' rays number i + 1. */
static void check_cores(struct bench *b)
{
    for (unsigned i = 1; i < RAYS; i++) {
        const struct answer *a =
            driver_answer(b->drivers[(i - 1) % CORES], (i - 1) / CORES);
        const struct answer *next =
            driver_answer(b->drivers[i % CORES], i / CORES);
        assert_true(a->at < next->at);
    }
}

static void rays_are_taken_from_each_core_in_turn(void **state)
{
    struct corbel_scene *scene = make_scene(2);
    struct view v = {.scene = scene, .stack = 4, .max_rays = 1};
    make_rays(&v);
    bench_test_with(build, check_cores, &v);
    free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_and_steps_are_those_of_the_library),
        cmocka_unit_test(any_number_of_rays_in_flight_will_do),
        cmocka_unit_test(a_ray_alone_takes_the_time_of_its_fetches_and_tests),
        cmocka_unit_test(rays_are_taken_from_each_core_in_turn),
        cmocka_unit_test(no_more_rays_are_taken_than_there_are_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
