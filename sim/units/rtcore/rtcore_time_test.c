/*
 * Each part of the RT core takes the time that docs/reference/rtcore.md says,
 * and the slowest one bounds it.
 */
#include "sim/units/rtcore/rtcore_bench.h"

/* ---- time ---- */

#define APART 12000u /* cycles between two rays */

/* One ray at a time. */
static void build_alone(struct bench *b)
{
    build_view(b);
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
    check_view(b);
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
    check_view(b);
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
        bench_test_with(build_view, check_bound, &v);
    }
    free_view(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_alone_takes_the_time_of_its_fetches_and_tests),
        cmocka_unit_test(asking_ahead_for_no_ray_is_no_idling),
        cmocka_unit_test(the_slowest_part_bounds_the_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
