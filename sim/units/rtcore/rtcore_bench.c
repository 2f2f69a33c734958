/*
 * An RT core with a scene and rays, and a memory that answers in any order:
 * rtcore_bench.h.
 */
#include "sim/units/rtcore/rtcore_bench.h"
#include "sdk/mesh/mesh.h"
#include "sdk/scene/tree.h"
#include "sim/units/rtcore/rtcore_private.h"
#include <math.h>
#include <stdlib.h>

int64_t setting(const struct view *v, const char *name, int64_t otherwise)
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

static struct corbel_scene *make_scene(uint32_t nodes, uint32_t leaves,
                                       uint32_t treelet_bytes)
{
    struct mesh mesh;
    struct tree tree;
    srand(7);
    make_mesh(&mesh);
    tree_build(&mesh, QUALITY_HIGH, &tree);
    struct corbel_scene *scene = scene_encode(
        &mesh, &tree, &(struct layout){nodes, leaves, 4, treelet_bytes},
        QUALITY_HIGH);
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

struct view make_treelet_view(uint32_t nodes, uint32_t leaves,
                              uint32_t treelet_bytes)
{
    struct view v = {.scene = make_scene(nodes, leaves, treelet_bytes),
                     .stack = 4,
                     .max_rays = 48,
                     .queues = QUEUES,
                     .latency = 5,
                     .spread = 20};
    make_rays(&v);
    return v;
}

struct view make_view(uint32_t nodes, uint32_t leaves)
{
    return make_treelet_view(nodes, leaves, 0);
}

void free_view(struct view *v)
{
    free((void *)(uintptr_t)v->scene);
}

/* ---- the bench ---- */

/* The rays and their scene. */
static void make_asks(struct bench *b, const struct view *v)
{
    for (unsigned i = 0; i < CORES; i++)
        bench_driver(b, b->units[0], "ray", "hit");
    for (unsigned i = 0; i < RAYS; i++) {
        struct payload p;
        memcpy(p.bytes, &v->ray[i], sizeof p.bytes);
        struct msg m = {.addr = v->flags[i], .size = (uint8_t)v->warp};
        driver_ask(b->drivers[i % CORES], 0, m, &p);
    }
    view_scene(b, v);
}

void view_scene(struct bench *b, const struct view *v)
{
    struct machine *m = &b->machine;
    memcpy(machine_at(m, SCENE_ADDRESS), v->scene, v->scene->bytes);
    m->scene_address = SCENE_ADDRESS;
    m->scene =
        (const struct corbel_scene *)(const void *)machine_at(m, SCENE_ADDRESS);
}

void build_view(struct bench *b)
{
    const struct view *v = b->scenario->with;
    struct unit *r = bench_unit(b, "rtcore", "rtcore");
    bench_set(b, r, "stack", v->stack);
    bench_set(b, r, "max_rays", v->max_rays);
    bench_set_all(r, v->set);
    for (unsigned i = 0; i < v->queues; i++) {
        struct below *m =
            bench_below(b, r, "mem", "data", v->latency + v->spread * i);
        m->closed_until = v->closed_until;
    }
    make_asks(b, v);
}

const struct answer *answer_of(const struct bench *b, unsigned ray)
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
 * stack with room for all, the last ones, as many as the ray's own stack keeps.
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

/* What a step pushes, however long the stack is, and what it takes: entries
 * that a short one forgets are pushed, too. */
static void count_stack(const struct view *v, struct corbel_traversal t,
                        struct sums *sums)
{
    struct corbel_traversal deep = t;
    deep.entries = 64;
    deep.held = deep.top = 0;
    corbel_traversal_step(&deep, v->scene);
    sums->stack_pushes += deep.held;
    uint16_t before = t.held;
    corbel_traversal_step(&t, v->scene);
    sums->stack_pops += t.held < before ? before - t.held : 0;
}

void trace(const struct view *v, unsigned ray, struct sums *sums)
{
    struct corbel_traversal t;
    struct corbel_fetch fetch;
    const struct corbel_traversal_setup setup = setup_of(v);
    unsigned deepest = 0;
    corbel_traversal_start(&t, v->scene, &v->ray[ray], v->flags[ray], &setup);
    while (corbel_traversal_fetch(&t, v->scene, &fetch)) {
        add_times(v, &t, &fetch, sums);
        count_stack(v, t, sums);
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
}

struct sums trace_all(const struct view *v)
{
    struct sums sums = {0};
    for (unsigned i = 0; i < RAYS; i++)
        trace(v, i, &sums);
    return sums;
}

/* ---- hits and counters ---- */

/* Hits are those of any stack; CORBEL_COUNTS brings the counts of this one. */
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
    assert_stat(r, "boxes", sums.nodes * corbel_node_width(v->scene->format));
    assert_stat(r, "stack_pushes", sums.stack_pushes);
    assert_stat(r, "stack_pops", sums.stack_pops);
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
    for (unsigned i = 0; i < RTCORE_DEEPEST_RANGES; i++)
        rays += ((const struct rtcore *)r)->stats.deepest[i];
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

void check_view(struct bench *b)
{
    for (unsigned i = 0; i < CORES; i++)
        assert_int_equal(driver_unanswered(b->drivers[i]), 0);
    check_hits(b);
    check_counters(b);
    check_states(b);
    check_requests(b);
}
