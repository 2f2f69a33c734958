/*
 * The RT core finds what corbel_traverse finds, by the same steps, whatever
 * its stack, scheduler, pipelines and formats and the order in which its memory
 * answers; and each part takes the time that docs/rtcore.md says.
 */
#include "sdk/scene/mesh.h"
#include "sdk/scene/tree.h"
#include "sim/units/bench.h"
#include "sim/units/rtcore_private.h"
#include "sim/units/units.h"
#include <math.h>
#include <stdlib.h>

#define RAYS 96u
#define CORES 3u  /* thread processors */
#define QUEUES 2u /* of the L1, usually */

#define SCENE_ADDRESS (BENCH_READ_ONLY + 0x1000)

struct sums;

struct setting {
    const char *name; /* of a parameter, NULL: the last one was before */
    int64_t value;
};

#define SETTINGS 16

/* What a test is played with. */
struct view {
    const struct corbel_scene *scene;
    struct corbel_ray ray[RAYS];
    uint8_t flags[RAYS];
    unsigned stack, max_rays;
    struct setting set[SETTINGS];
    uint64_t begin;        /* of asking */
    uint64_t closed_until; /* of the memory */
    unsigned queues;
    unsigned latency, spread; /* of the memory at port q: latency + q spread */
    /* Tests of the slowest part: where rays wait, and how long it is busy. */
    const char *state;
    uint64_t (*busy)(const struct view *v, const struct sums *sums);
};

static int64_t setting(const struct view *v, const char *name,
                       int64_t otherwise)
{
    for (unsigned i = 0; i < SETTINGS && v->set[i].name; i++)
        if (!strcmp(v->set[i].name, name))
            return v->set[i].value;
    return otherwise;
}

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

static struct corbel_scene *make_scene(uint32_t nodes, uint32_t leaves)
{
    struct mesh mesh;
    struct tree tree;
    srand(7);
    make_mesh(&mesh);
    tree_build(&mesh, QUALITY_HIGH, &tree);
    struct corbel_scene *scene = scene_encode(
        &mesh, &tree, &(struct layout){nodes, leaves, 4}, QUALITY_HIGH);
    tree_free(&tree);
    mesh_free(&mesh);
    assert_true(scene->bytes < BENCH_MEMORY - SCENE_ADDRESS);
    return scene;
}

/* From inside and outside, one of no direction. */
static void make_rays(struct view *v)
{
    static const uint8_t flags[] = {
        CORBEL_ANY,
        CORBEL_CLOSEST,
        CORBEL_CULL_BACK,
        CORBEL_CULL_FRONT,
        CORBEL_COUNTS,
        CORBEL_ANY | CORBEL_CULL_BACK,
        CORBEL_ANY | CORBEL_CULL_FRONT,
        CORBEL_ANY | CORBEL_COUNTS,
        CORBEL_CULL_BACK | CORBEL_CULL_FRONT,
    };
    srand(8);
    for (unsigned i = 0; i < RAYS; i++) {
        struct corbel_ray *ray = &v->ray[i];
        float from = i % 3 ? 1 : 4;
        *ray = (struct corbel_ray){.tmax = i % 5 ? INFINITY : .5f};
        for (int k = 0; k < 3; k++) {
            ray->o[k] = uniform(-from, from);
            ray->d[k] = uniform(-1, 1) - ray->o[k];
        }
        v->flags[i] = flags[i % TABLE_COUNT(flags)];
    }
    memset(v->ray[9].d, 0, sizeof v->ray[9].d);
}

/* A view of rays and a scene; free(v.scene) when done. */
static struct view make_view(uint32_t nodes, uint32_t leaves)
{
    struct view v = {.scene = make_scene(nodes, leaves),
                     .stack = 4,
                     .max_rays = 48,
                     .queues = QUEUES,
                     .latency = 5,
                     .spread = 20};
    make_rays(&v);
    return v;
}

static void free_view(struct view *v)
{
    free((void *)(uintptr_t)v->scene);
}

/* ---- the bench ---- */

static void set_all(struct bench *b, struct unit *r, const struct view *v)
{
    bench_set(b, r, "stack", v->stack);
    bench_set(b, r, "max_rays", v->max_rays);
    for (unsigned i = 0; i < SETTINGS && v->set[i].name; i++)
        bench_set(b, r, v->set[i].name, v->set[i].value);
}

/* The rays and their scene. */
static void make_asks(struct bench *b, const struct view *v)
{
    for (unsigned i = 0; i < CORES; i++)
        bench_driver(b, b->units[0], "ray", "hit");
    for (unsigned i = 0; i < RAYS; i++) {
        struct payload p;
        memcpy(p.bytes, &v->ray[i], sizeof p.bytes);
        struct msg m = {.addr = v->flags[i]};
        driver_ask(b->drivers[i % CORES], v->begin, m, &p);
    }
    struct machine *m = &b->machine;
    memcpy(machine_at(m, SCENE_ADDRESS), v->scene, v->scene->bytes);
    m->scene_address = SCENE_ADDRESS;
    m->scene =
        (const struct corbel_scene *)(const void *)machine_at(m, SCENE_ADDRESS);
}

static void build(struct bench *b)
{
    const struct view *v = b->scenario->with;
    struct unit *r = bench_unit(b, "rtcore", "rtcore");
    set_all(b, r, v);
    for (unsigned i = 0; i < v->queues; i++) {
        struct below *m =
            bench_below(b, r, "mem", "data", v->latency + v->spread * i);
        m->closed_until = v->closed_until;
    }
    make_asks(b, v);
}

static const struct answer *answer_of(const struct bench *b, unsigned ray)
{
    return driver_answer(b->drivers[ray % CORES], ray / CORES);
}

/* ---- the same done here ---- */

static struct corbel_traversal_setup setup_of(const struct view *v)
{
    return (struct corbel_traversal_setup){
        v->stack ? v->stack : corbel_stack_full(v->scene),
        setting(v, "pop_cull", 1)};
}

/* Different sectors of 32 bytes that a fetch reads, in order of address. */
static unsigned sectors_of(const struct corbel_fetch *f, uint64_t *all)
{
    uint64_t sector[2 * CORBEL_LEAF_BYTES_MAX], from = 0;
    unsigned count = 0, different = 0;
    for (unsigned i = 0; i < f->pieces; i++)
        for (uint64_t s = f->offset[i] / SECTOR;
             s <= (f->offset[i] + f->bytes - 1) / SECTOR; s++)
            sector[count++] = s;
    *all += count;
    for (;; different++) {
        uint64_t least = UINT64_MAX;
        for (unsigned i = 0; i < count; i++)
            if (sector[i] >= from && sector[i] < least)
                least = sector[i];
        if (least == UINT64_MAX)
            return different;
        from = least + 1;
    }
}

struct sums {
    uint64_t nodes, leaves, triangles, restarts, hits;
    uint64_t requests, sectors, stack_max;
    uint64_t pushed, ahead, ahead_sum;                  /* see count_ahead */
    uint64_t ray_request, ray_memory, ray_box, ray_tri; /* of rays alone */
    uint64_t box_initiations, tri_initiations;
};

static unsigned rounded_up(unsigned n, int64_t width)
{
    return width && width < n ? (n + (unsigned)width - 1) / (unsigned)width : 1;
}

/* The initiations begin at all pipelines at once. */
static uint64_t pipe_time(const struct view *v, const char *prefix,
                          unsigned count)
{
    char name[32];
    int64_t part[3];
    static const char *const parts[] = {"pipes", "interval", "latency"};
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s_%s", prefix, parts[i]);
        part[i] = setting(v, name, 1);
    }
    return (uint64_t)((count - 1) / part[0] * part[1] + part[2]);
}

static void add_times(const struct view *v, const struct corbel_traversal *t,
                      const struct corbel_fetch *f, struct sums *sums)
{
    unsigned sectors = sectors_of(f, &sums->sectors);
    unsigned count;
    sums->requests += sectors;
    sums->ray_request += sectors - 1;
    sums->ray_memory += 2 * LINK + v->latency;
    if (f->kind == CORBEL_FETCH_NODE) {
        count = rounded_up(corbel_node_width(v->scene->format),
                           setting(v, "box_width", 0));
        sums->box_initiations += count;
        sums->ray_box += pipe_time(v, "box", count);
    } else if (f->kind == CORBEL_FETCH_VERTICES ||
               !corbel_leaf_apart(v->scene->leaf_format)) {
        count = rounded_up(corbel_traversal_triangles(t, v->scene),
                           setting(v, "tri_width", 1));
        sums->tri_initiations += count;
        sums->ray_tri += pipe_time(v, "tri", count);
    }
}

/*
 * What is fetched ahead after a step: of the entries that it leaves on an empty
 * stack with room for all, the last ones, so many as the ray's own stack keeps.
 */
static void count_ahead(const struct view *v, struct corbel_traversal t,
                        struct sums *sums)
{
    unsigned most = (unsigned)setting(v, "prefetch", 0);
    if (t.entries < most)
        most = t.entries;
    t.entries = 64;
    t.held = t.top = 0;
    corbel_traversal_step(&t, v->scene);
    for (unsigned i = 0; i < t.held && i < most; i++) {
        uint32_t ref = corbel_traversal_below(&t, i);
        unsigned bytes = corbel_node_bytes(v->scene->format);
        if (corbel_ref_is_leaf(ref))
            bytes = corbel_ref_grains(ref) *
                    corbel_leaf_grain(v->scene->leaf_format);
        uint64_t first = corbel_ref_offset(ref) / SECTOR * SECTOR;
        for (; first < corbel_ref_offset(ref) + bytes; first += SECTOR) {
            sums->ahead++;
            sums->ahead_sum += SCENE_ADDRESS + first;
        }
    }
}

/* The ray's steps. */
static struct corbel_traversal trace(const struct view *v, unsigned ray,
                                     struct sums *sums)
{
    struct corbel_traversal t;
    struct corbel_fetch fetch;
    const struct corbel_traversal_setup setup = setup_of(v);
    unsigned deepest = 0;
    corbel_traversal_start(&t, v->scene, &v->ray[ray], v->flags[ray], &setup);
    while (corbel_traversal_fetch(&t, v->scene, &fetch)) {
        add_times(v, &t, &fetch, sums);
        if (fetch.kind == CORBEL_FETCH_NODE)
            count_ahead(v, t, sums);
        corbel_traversal_step(&t, v->scene);
        if (t.held > deepest)
            deepest = t.held;
    }
    sums->nodes += t.counts.nodes;
    sums->leaves += t.counts.leaves;
    sums->triangles += t.counts.triangles;
    sums->restarts += t.counts.restarts;
    sums->hits += t.hit.index != CORBEL_MISS;
    sums->stack_max += deepest;
    return t;
}

static struct sums trace_all(const struct view *v)
{
    struct sums sums = {0};
    for (unsigned i = 0; i < RAYS; i++)
        trace(v, i, &sums);
    return sums;
}

/* ---- hits and counters ---- */

/* Those of any stack; what CORBEL_COUNTS brings is that of this one. */
static void check_hits(struct bench *b)
{
    const struct view *v = b->scenario->with;
    const struct corbel_traversal_setup setup = setup_of(v);
    for (unsigned i = 0; i < RAYS; i++) {
        struct corbel_hit expected;
        if (v->flags[i] & CORBEL_COUNTS)
            corbel_traverse_by(&setup, v->scene, &v->ray[i], v->flags[i],
                               &expected);
        else
            corbel_traverse(v->scene, &v->ray[i], v->flags[i], &expected);
        assert_memory_equal(answer_of(b, i)->payload.bytes, &expected,
                            sizeof expected);
    }
}

static void check_counters(struct bench *b)
{
    const struct view *v = b->scenario->with;
    const struct unit *r = b->units[0];
    struct sums sums = trace_all(v);
    assert_in_range(sums.hits, RAYS / 4, RAYS - RAYS / 8);
    assert_true(v->stack != 1 || sums.restarts > RAYS / 8);
    assert_stat(r, "rays", RAYS);
    assert_stat(r, "hits", sums.hits);
    assert_stat(r, "nodes", sums.nodes);
    assert_stat(r, "leaves", sums.leaves);
    assert_stat(r, "triangles", sums.triangles);
    assert_stat(r, "restarts", sums.restarts);
    assert_stat(r, "requests", sums.requests);
    assert_stat(r, "sectors", sums.sectors);
    assert_stat(r, "box_initiations", sums.box_initiations);
    assert_stat(r, "tri_initiations", sums.tri_initiations);
    assert_stat(r, "stack_max", sums.stack_max);
    assert_stat(r, "latency", bench_stat(r, "ray_cycles"));
}

static void check_states(struct bench *b)
{
    const struct view *v = b->scenario->with;
    const struct unit *r = b->units[0];
    uint64_t ray_cycles = bench_stat(r, "ray_cycles"), sum = 0, rays = 0;
#define X(name, unit, meaning) sum += bench_stat(r, #name);
    RTCORE_STATES(X)
#undef X
#define X(name, unit, meaning) rays += bench_stat(r, #name);
    RTCORE_DEEPEST(X)
#undef X
    assert_int_equal(sum, ray_cycles);
    assert_int_equal(rays, RAYS);
    assert_in_range(ray_cycles, 1, v->max_rays * b->cycles);
}

/* The memory is asked for sectors of the scene only, all whole. */
static void check_requests(struct bench *b)
{
    const struct view *v = b->scenario->with;
    uint64_t seen = 0;
    for (unsigned q = 0; q < v->queues; q++)
        for (unsigned i = 0; i < b->belows[q]->count; i++, seen++) {
            const struct msg *m = &b->belows[q]->seen[i].msg;
            assert_int_equal(m->op, MEM_READ);
            assert_int_equal(m->addr % SECTOR, 0);
            assert_int_equal(m->size, SECTOR);
            assert_true(m->tag == NONE || m->tag % v->queues == q);
            assert_in_range(m->addr, SCENE_ADDRESS + sizeof *v->scene,
                            SCENE_ADDRESS + v->scene->bytes - SECTOR);
        }
    assert_int_equal(seen, bench_stat(b->units[0], "requests") +
                               bench_stat(b->units[0], "prefetches"));
}

static void check(struct bench *b)
{
    for (unsigned i = 0; i < CORES; i++)
        assert_int_equal(driver_unanswered(b->drivers[i]), 0);
    check_hits(b);
    check_counters(b);
    check_states(b);
    check_requests(b);
}

static const unsigned stacks[] = {1, 2, 4, 8, 0};

/* Each stack with another scheduler, and all pairs over the formats. */
static void play_stacks(uint32_t nodes, uint32_t leaves)
{
    struct view v = make_view(nodes, leaves);
    for (unsigned i = 0; i < TABLE_COUNT(stacks); i++) {
        v.stack = stacks[i];
        v.set[0] = (struct setting){"schedule", (i + nodes + leaves) % 4};
        bench_test_with(build, check, &v);
    }
    free_view(&v);
}

static void hits_and_steps_are_those_of_the_library(void **state)
{
    uint32_t nodes = 1, leaves = 1;
    for (; corbel_node_width(nodes); nodes++)
        play_stacks(nodes, CORBEL_LEAVES_plain);
    for (; corbel_leaf_grain(leaves); leaves++)
        play_stacks(CORBEL_NODES_cwbvh6, leaves);
    assert_true(nodes > 3 && leaves > 1);
}

static void any_scheduler_with_any_stack_will_do(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh4, CORBEL_LEAVES_plain);
    for (unsigned i = 0; i < TABLE_COUNT(stacks); i++)
        for (int64_t schedule = 0; schedule < 4; schedule++) {
            v.stack = stacks[i];
            v.set[0] = (struct setting){"schedule", schedule};
            v.set[1] = (struct setting){"pop_cull", schedule % 2};
            bench_test_with(build, check, &v);
        }
    free_view(&v);
}

static void any_number_of_rays_in_flight_will_do(void **state)
{
    static const unsigned rays[] = {1, 2, 7, 1024};
    struct view v = make_view(CORBEL_NODES_bvh2, CORBEL_LEAVES_plain);
    for (unsigned i = 0; i < TABLE_COUNT(rays); i++)
        for (int64_t variant = 0; variant < 4; variant++) {
            v.max_rays = rays[i];
            v.set[0] = (struct setting){"schedule", variant};
            v.set[1] = (struct setting){"drain", variant & 1};
            bench_test_with(build, check, &v);
        }
    free_view(&v);
}

static void entries_behind_the_hit_cost_nodes_and_change_no_hit(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain);
    uint64_t with = trace_all(&v).nodes;
    v.set[0] = (struct setting){"pop_cull", 0};
    assert_true(trace_all(&v).nodes > with);
    bench_test_with(build, check, &v);
    free_view(&v);
}

/* ---- ahead ---- */

static void check_ahead(struct bench *b)
{
    const struct view *v = b->scenario->with;
    const struct unit *r = b->units[0];
    struct sums expected = trace_all(v);
    uint64_t sum = 0;
    check(b);
    for (unsigned q = 0; q < v->queues; q++)
        for (unsigned i = 0; i < b->belows[q]->count; i++) {
            const struct msg *m = &b->belows[q]->seen[i].msg;
            sum += m->tag == NONE ? m->addr : 0;
        }
    assert_true(expected.ahead > RAYS);
    assert_int_equal(bench_stat(r, "prefetches") +
                         bench_stat(r, "prefetches_dropped"),
                     expected.ahead);
    if (!bench_stat(r, "prefetches_dropped"))
        assert_int_equal(sum, expected.ahead_sum);
}

static void children_after_the_nearest_are_fetched_ahead(void **state)
{
    static const uint32_t formats[] = {CORBEL_NODES_bvh2, CORBEL_NODES_bvh8};
    for (unsigned i = 0; i < TABLE_COUNT(formats); i++) {
        struct view v = make_view(formats[i], CORBEL_LEAVES_plain);
        v.stack = 0;
        for (int64_t children = 1; children <= 7; children += 3) {
            v.set[0] = (struct setting){"prefetch", children};
            bench_test_with(build, check_ahead, &v);
        }
        free_view(&v);
    }
}

static void short_stacks_prefetch_what_they_keep(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain);
    v.set[0] = (struct setting){"prefetch", 7};
    for (unsigned i = 0; i < TABLE_COUNT(stacks); i++) {
        v.stack = stacks[i];
        bench_test_with(build, check_ahead, &v);
    }
    free_view(&v);
}

/* ---- time ---- */

#define APART 12000u /* cycles between two rays */

/* One ray at a time. */
static void build_alone(struct bench *b)
{
    build(b);
    for (unsigned i = 0; i < RAYS; i++)
        b->drivers[i % CORES]->asks[i / CORES].at = APART * i;
}

/*
 * The first slot is free again each time, and so the first queue's. Sectors
 * are asked for one a cycle; when the last has come the test begins at once,
 * and at its end what is next is asked for in the same cycle.
 */
static void check_alone(struct bench *b)
{
    const struct view *v = b->scenario->with;
    const struct unit *r = b->units[0];
    struct sums all = {0};
    for (unsigned i = 0; i < RAYS; i++) {
        struct sums one = {0};
        trace(v, i, &one);
        trace(v, i, &all);
        assert_int_equal(driver_took(b->drivers[i % CORES], i / CORES),
                         2 * LINK + one.ray_request + one.ray_memory +
                             one.ray_box + one.ray_tri);
    }
    assert_stat(r, "ray_request", all.ray_request);
    assert_stat(r, "ray_memory", all.ray_memory);
    assert_stat(r, "ray_box", all.ray_box);
    assert_stat(r, "ray_tri", all.ray_tri);
    check(b);
    assert_stat(r, "latency",
                all.ray_request + all.ray_memory + all.ray_box + all.ray_tri);
}

static void a_ray_alone_takes_the_time_of_its_fetches_and_tests(void **state)
{
    static const struct {
        uint32_t nodes, leaves;
        struct setting set[SETTINGS];
    } rows[] = {
        {CORBEL_NODES_cwbvh6,
         CORBEL_LEAVES_plain,
         {{"box_latency", 5}, {"tri_latency", 9}, {"tri_pipes", 2}}},
        {CORBEL_NODES_bvh8,
         CORBEL_LEAVES_indexed,
         {{"box_width", 3},
          {"box_interval", 4},
          {"box_pipes", 1},
          {"box_latency", 7},
          {"tri_width", 2},
          {"tri_pipes", 1},
          {"tri_interval", 6},
          {"tri_latency", 3},
          {"prefetch", 3}}},
        {CORBEL_NODES_bvh5,
         CORBEL_LEAVES_packed,
         {{"box_width", 1},
          {"box_interval", 2},
          {"box_pipes", 2},
          {"box_latency", 4},
          {"tri_width", 0},
          {"tri_pipes", 3},
          {"tri_latency", 8},
          {"drain", 1},
          {"schedule", 3}}},
    };
    for (unsigned i = 0; i < TABLE_COUNT(rows); i++) {
        struct view v = make_view(rows[i].nodes, rows[i].leaves);
        v.stack = 2;
        memcpy(v.set, rows[i].set, sizeof v.set);
        bench_test_with(build_alone, check_alone, &v);
        free_view(&v);
    }
}

/* Cycles after its ray has left in which a sector is asked for ahead. */
static uint64_t asked_afterwards(const struct bench *b)
{
    const struct below *m = b->belows[0];
    uint64_t count = 0;
    for (unsigned i = 0; i < m->count; i++) {
        uint64_t cycle = m->seen[i].at - LINK;
        const struct answer *hit = answer_of(b, (unsigned)(cycle / APART));
        count += cycle > hit->at - LINK;
    }
    return count;
}

static void check_idle(struct bench *b)
{
    const struct unit *r = b->units[0];
    uint64_t afterwards = asked_afterwards(b);
    check(b);
    assert_true(afterwards);
    assert_stat(r, "idle",
                b->cycles - bench_stat(r, "ray_cycles") - RAYS - afterwards);
}

static void asking_ahead_for_no_ray_is_no_idling(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh8, CORBEL_LEAVES_plain);
    v.queues = 1;
    v.latency = 1;
    v.set[0] = (struct setting){"prefetch", 7};
    v.set[1] = (struct setting){"box_latency", 1};
    v.set[2] = (struct setting){"tri_latency", 1};
    bench_test_with(build_alone, check_idle, &v);
    free_view(&v);
}

/* ---- bounds ---- */

static uint64_t boxes_busy(const struct view *v, const struct sums *sums)
{
    return sums->box_initiations * (uint64_t)setting(v, "box_interval", 1) /
           (uint64_t)setting(v, "box_pipes", 2);
}

static uint64_t triangles_busy(const struct view *v, const struct sums *sums)
{
    return sums->tri_initiations * (uint64_t)setting(v, "tri_interval", 1) /
           (uint64_t)setting(v, "tri_pipes", 2);
}

/* Every fetch passes the scheduler, and every end of a ray. */
static uint64_t scheduler_busy(const struct view *v, const struct sums *sums)
{
    return (sums->nodes + sums->leaves + RAYS) / (uint64_t)setting(v, "ops", 2);
}

/* One sector a cycle at each port. */
static uint64_t ports_busy(const struct view *v, const struct sums *sums)
{
    return sums->requests / v->queues;
}

/* With all else fast the run takes little more than that. */
static void check_bound(struct bench *b)
{
    const struct view *v = b->scenario->with;
    const struct unit *r = b->units[0];
    struct sums sums = trace_all(v);
    uint64_t busy = v->busy(v, &sums);
    assert_in_range(b->cycles, busy, busy + busy / 6 + 100);
    assert_true(2 * bench_stat(r, v->state) > bench_stat(r, "ray_cycles"));
}

static void the_slowest_part_bounds_the_core(void **state)
{
    static const struct view rows[] = {
        {.queues = 8,
         .state = "ray_box_queue",
         .busy = boxes_busy,
         .set = {{"box_pipes", 1}, {"box_interval", 12}}},
        {.queues = 8,
         .state = "ray_box_queue",
         .busy = boxes_busy,
         .set = {{"box_pipes", 3}, {"box_interval", 12}, {"box_width", 2}}},
        {.queues = 8,
         .state = "ray_tri_queue",
         .busy = triangles_busy,
         .set = {{"tri_pipes", 1}, {"tri_interval", 30}}},
        {.queues = 8,
         .state = "ray_tri_queue",
         .busy = triangles_busy,
         .set = {{"tri_pipes", 3}, {"tri_interval", 90}, {"tri_width", 0}}},
        {.queues = 8,
         .state = "ray_ready",
         .busy = scheduler_busy,
         .set = {{"ops", 1}}},
        {.queues = 1,
         .state = "ray_request",
         .busy = ports_busy,
         .set = {{"ops", 16}}},
    };
    struct view v = make_view(CORBEL_NODES_cwbvh6, CORBEL_LEAVES_plain);
    v.max_rays = 128;
    v.latency = 1;
    v.spread = 0;
    for (unsigned i = 0; i < TABLE_COUNT(rows); i++) {
        v.queues = rows[i].queues;
        v.state = rows[i].state;
        v.busy = rows[i].busy;
        memcpy(v.set, rows[i].set, sizeof v.set);
        bench_test_with(build, check_bound, &v);
    }
    free_view(&v);
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
    struct view v = make_view(CORBEL_NODES_bvh2, CORBEL_LEAVES_plain);
    v.max_rays = 13;
    v.closed_until = 10000;
    for (unsigned i = 0; i < 13 * 2; i++)
        for (int k = 0; k < 3; k++)
            v.ray[i].d[k] = 1; /* none is finished at once */
    bench_play(&(struct scenario){
        .build = build, .check = check_slots, .limit = 1000, .with = &v});
    free_view(&v);
}

/* Each core's ray number i before all cores' rays number i + 1. */
static void check_cores(struct bench *b)
{
    for (unsigned i = 1; i < RAYS; i++)
        assert_true(answer_of(b, i - 1)->at < answer_of(b, i)->at);
}

static void rays_are_taken_from_each_core_in_turn(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain);
    v.max_rays = 1;
    bench_test_with(build, check_cores, &v);
    free_view(&v);
}

/* ---- results ---- */

static void check_results(struct bench *b)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (unsigned i = 0; i < RAYS; i++) {
        uint64_t at = answer_of(b, i)->at;
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    assert_int_equal(last - first, RAYS - 1);
}

/* All wait for the root, which they miss: then more end than can return. */
static void results_are_returned_one_a_cycle(void **state)
{
    struct view v = make_view(CORBEL_NODES_cwbvh6, CORBEL_LEAVES_plain);
    v.max_rays = RAYS;
    v.queues = 8;
    v.spread = 0;
    v.closed_until = 1000;
    v.set[0] = (struct setting){"ops", 16};
    v.set[1] = (struct setting){"box_pipes", 16};
    for (unsigned i = 0; i < RAYS; i++)
        v.ray[i] = (struct corbel_ray){
            .o = {9, 9, 9}, .d = {1, 1, 1}, .tmax = INFINITY};
    bench_test_with(build, check_results, &v);
    free_view(&v);
}

/* ---- batches ---- */

#define BATCH 16u

/* Answers before an answer of an earlier batch. */
static unsigned early_answers(const struct bench *b)
{
    unsigned early = 0;
    uint64_t ended = 0, last = 0;
    for (unsigned i = 0; i < RAYS; i++) {
        uint64_t at = answer_of(b, i)->at;
        if (i % BATCH == 0)
            ended = last;
        if (at > last)
            last = at;
        early += at < ended;
    }
    return early;
}

static void check_batches(struct bench *b)
{
    check(b);
    assert_int_equal(early_answers(b), 0);
}

static void check_no_batches(struct bench *b)
{
    assert_true(early_answers(b) > RAYS / 10);
}

static void drain_takes_rays_in_batches(void **state)
{
    struct view v = make_view(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain);
    v.max_rays = BATCH;
    bench_test_with(build, check_no_batches, &v);
    v.set[0] = (struct setting){"drain", 1};
    bench_test_with(build, check_batches, &v);
    free_view(&v);
}

/* ---- schedulers ---- */

enum { SLOTS = 100 }; /* more than one word, less than two */

/* What a scheduler should do, by looking at everything. */
struct model {
    bool ready[SLOTS];
    uint64_t age[SLOTS], since[SLOTS]; /* taken, ready */
    uint32_t turn, last;
};

static uint32_t least(const struct model *m, const uint64_t *of)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (m->ready[i] && (best == NONE || of[i] < of[best]))
            best = i;
    return best;
}

static uint32_t expected_slot(struct model *m, int64_t schedule)
{
    uint32_t slot = m->turn;
    switch (schedule) {
    case 0:
        return least(m, m->since);
    case 1:
        return least(m, m->age);
    case 2:
        while (!m->ready[slot % SLOTS])
            slot++;
        return slot % SLOTS;
    default:
        return m->last != NONE && m->ready[m->last] ? m->last
                                                    : least(m, m->age);
    }
}

/* Rays become ready and go on at random; now and then a slot's ray is new. */
static void play_schedule(struct ready *ready, int64_t schedule)
{
    struct model m = {.last = NONE};
    unsigned count = 0;
    for (uint64_t now = 1; now < 20000; now++) {
        uint32_t slot = (uint32_t)rand() % SLOTS;
        if (!m.ready[slot]) {
            m.ready[slot] = true;
            m.since[slot] = now;
            if (!m.age[slot] || rand() % 8 == 0)
                m.age[slot] = now;
            ready_add(ready, slot, m.age[slot]);
            count++;
        }
        assert_int_equal(ready->count, count);
        if (!count || rand() % 4 == 0)
            continue;
        slot = expected_slot(&m, schedule);
        assert_int_equal(ready_take(ready), slot);
        m.ready[slot] = false;
        m.turn = (slot + 1) % SLOTS;
        m.last = slot;
        count--;
    }
}

static void schedulers_choose_as_they_are_called(void **state)
{
    static const struct unit_kind *const kinds[] = {&rtcore_kind, NULL};
    struct chip *chip = chip_new(kinds, NULL);
    srand(9);
    for (int64_t schedule = 0; schedule < 4; schedule++) {
        struct rtcore r = {.unit = {.chip = chip}};
        r.slot_count = SLOTS;
        r.params.schedule = schedule;
        ready_new(&r.ready, &r);
        play_schedule(&r.ready, schedule);
    }
    chip_free(chip);
}

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
#define X(id, name, bytes, width, grains, meaning)                             \
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

/* The root's sectors cannot be had: each ray says so, once, and by whom. */
static void build_refusing(struct bench *b)
{
    const struct view *v = b->scenario->with;
    build(b);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_and_steps_are_those_of_the_library),
        cmocka_unit_test(any_scheduler_with_any_stack_will_do),
        cmocka_unit_test(any_number_of_rays_in_flight_will_do),
        cmocka_unit_test(entries_behind_the_hit_cost_nodes_and_change_no_hit),
        cmocka_unit_test(children_after_the_nearest_are_fetched_ahead),
        cmocka_unit_test(short_stacks_prefetch_what_they_keep),
        cmocka_unit_test(a_ray_alone_takes_the_time_of_its_fetches_and_tests),
        cmocka_unit_test(asking_ahead_for_no_ray_is_no_idling),
        cmocka_unit_test(the_slowest_part_bounds_the_core),
        cmocka_unit_test(rays_are_taken_from_each_core_in_turn),
        cmocka_unit_test(no_more_rays_are_taken_than_there_are_slots),
        cmocka_unit_test(results_are_returned_one_a_cycle),
        cmocka_unit_test(drain_takes_rays_in_batches),
        cmocka_unit_test(schedulers_choose_as_they_are_called),
        cmocka_unit_test(scenes_in_another_format_are_refused),
        cmocka_unit_test(a_ray_whose_scene_is_refused_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
