/*
 * How the RT core takes rays into its slots, which of them goes on, and how
 * results return.
 */
#include "sim/units/rtcore/rtcore_bench.h"
#include "sim/units/rtcore/rtcore_private.h"
#include <math.h>

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
        .build = build_view, .check = check_slots, .limit = 1000, .with = &v});
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
    bench_test_with(build_view, check_cores, &v);
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
    bench_test_with(build_view, check_results, &v);
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
    check_view(b);
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
    bench_test_with(build_view, check_no_batches, &v);
    v.set[0] = (struct setting){"drain", 1};
    bench_test_with(build_view, check_batches, &v);
    free_view(&v);
}

/* ---- schedulers ---- */

enum { SLOTS = 100 }; /* more than one word, less than two */

/* What a scheduler should do, by looking at everything. */
struct model {
    bool ready[SLOTS];
    uint64_t age[SLOTS], since[SLOTS]; /* taken, ready */
    uint32_t turn, last;
    uint64_t last_warp;
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
    uint32_t slot = m->turn, best = NONE;
    switch (schedule) {
    case 0:
        return least(m, m->since);
    case 1:
        return least(m, m->age);
    case 2:
        while (!m->ready[slot % SLOTS])
            slot++;
        return slot % SLOTS;
    case 4:
        return least(m, m->age);
    case 5:
        for (uint32_t i = 0; i < SLOTS; i++)
            if (m->ready[i] && m->age[i] / RTCORE_LANES == m->last_warp &&
                (best == NONE || m->age[i] < m->age[best]))
                best = i;
        return best != NONE ? best : least(m, m->age);
    default:
        return m->last != NONE && m->ready[m->last] ? m->last
                                                    : least(m, m->age);
    }
}

/* Rays become ready and go on at random; now and then a slot's ray is new. */
static void play_schedule(struct ready *ready, int64_t schedule)
{
    struct model m = {.last = NONE, .last_warp = UINT64_MAX};
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
        m.last_warp = m.age[slot] / RTCORE_LANES;
        count--;
    }
}

static void schedulers_choose_as_they_are_called(void **state)
{
    static const struct unit_kind *const kinds[] = {&rtcore_kind, NULL};
    struct chip *chip = chip_new(kinds, NULL);
    srand(9);
    for (int64_t schedule = 0; schedule < 6; schedule++) {
        struct rtcore r = {.unit = {.chip = chip}};
        r.slot_count = SLOTS;
        r.params.schedule = schedule;
        ready_new(&r.ready, &r);
        play_schedule(&r.ready, schedule);
    }
    chip_free(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_are_taken_from_each_core_in_turn),
        cmocka_unit_test(no_more_rays_are_taken_than_there_are_slots),
        cmocka_unit_test(results_are_returned_one_a_cycle),
        cmocka_unit_test(drain_takes_rays_in_batches),
        cmocka_unit_test(schedulers_choose_as_they_are_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
