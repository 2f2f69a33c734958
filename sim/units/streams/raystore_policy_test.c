/*
 * The ray store's queues alone: in which order rays leave them, and which
 * treelet a TM takes rays of.
 */
#include "sim/units/streams/raystore_policy.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define TREELETS 130u
#define TMS 5u
#define PLACES 600u
#define BUSY 4u
#define BATCH 3u

/* Queues whose rays are numbered in the order in which they are put. */
struct toy {
    struct ray_queues q;
    struct ray_queue of[TREELETS];
    uint64_t open[(TREELETS + 63) / 64];
    struct ray_worker workers[TMS];
    uint32_t next[PLACES];
    uint32_t ray[PLACES], treelet[PLACES]; /* by place */
    uint32_t count;
};

static struct toy *toy_new(enum queues_policy policy, enum queues_order order)
{
    struct toy *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->q = (struct ray_queues){.order = order,
                               .policy = policy,
                               .batch = BATCH,
                               .busy = BUSY,
                               .tms = TMS,
                               .places = PLACES,
                               .of = t->of,
                               .open = t->open,
                               .workers = t->workers,
                               .next = t->next};
    queues_start(&t->q, TREELETS);
    return t;
}

static void put(struct toy *t, uint32_t treelet, unsigned rays)
{
    while (rays--) {
        uint32_t place = queues_put(&t->q, treelet);
        assert_true(place < PLACES);
        t->ray[place] = t->count++;
        t->treelet[place] = treelet;
    }
}

/* Takes a ray for a TM that wants many; it is one of this treelet. */
static uint32_t take(struct toy *t, uint32_t tm, uint32_t treelet)
{
    uint32_t place = queues_take(&t->q, tm, BATCH);
    assert_true(place < PLACES);
    assert_int_equal(t->treelet[place], treelet);
    return t->ray[place];
}

static void take_some(struct toy *t, uint32_t tm, uint32_t treelet,
                      unsigned rays)
{
    while (rays--)
        take(t, tm, treelet);
}

static void expect_none(struct toy *t, uint32_t tm, uint32_t wanted)
{
    assert_int_equal(queues_take(&t->q, tm, wanted), QUEUES_NONE);
}

static void back(struct toy *t, uint32_t tm, unsigned rays)
{
    while (rays--)
        queues_back(&t->q, tm);
}

/* ---- queues ---- */

static void the_last_ray_goes_first(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_lifo);
    put(t, 7, 3);
    assert_int_equal(take(t, 0, 7), 2);
    put(t, 7, 1);
    assert_int_equal(take(t, 0, 7), 3);
    assert_int_equal(take(t, 0, 7), 1);
    assert_int_equal(take(t, 0, 7), 0);
    free(t);
}

static void the_first_ray_goes_first(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_fifo);
    put(t, 7, 2);
    assert_int_equal(take(t, 0, 7), 0);
    put(t, 7, 1);
    assert_int_equal(take(t, 0, 7), 1);
    assert_int_equal(take(t, 0, 7), 2);
    put(t, 7, 1);
    assert_int_equal(take(t, 0, 7), 3);
    free(t);
}

static void finished_rays_leave_in_order(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_lifo);
    uint32_t first = queues_put_over(&t->q), second = queues_put_over(&t->q);
    assert_int_equal(t->q.held, 2);
    assert_int_equal(queues_take_over(&t->q), first);
    assert_int_equal(queues_take_over(&t->q), second);
    assert_int_equal(queues_take_over(&t->q), QUEUES_NONE);
    assert_int_equal(t->q.held, 0);
    free(t);
}

/* Waiting and finished rays share the places. */
static void places_are_bounded(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_lifo);
    put(t, 1, PLACES - 1);
    assert_true(queues_put_over(&t->q) < PLACES);
    assert_int_equal(queues_put(&t->q, 2), QUEUES_NONE);
    assert_int_equal(queues_put_over(&t->q), QUEUES_NONE);
    take(t, 0, 1);
    put(t, 2, 1);
    assert_int_equal(queues_put(&t->q, 2), QUEUES_NONE);
    free(t);
}

static void a_kernel_starts_without_rays(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_lifo);
    put(t, 3, PLACES - 1);
    queues_put_over(&t->q);
    take_some(t, 0, 3, BUSY + 1);
    queues_start(&t->q, TREELETS - 1);
    expect_none(t, 0, BATCH);
    assert_int_equal(queues_take_over(&t->q), QUEUES_NONE);
    put(t, 128, PLACES);
    take(t, 0, 128);
    free(t);
}

/* ---- idle first ---- */

static void the_lowest_idle_treelet_is_chosen(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_lifo);
    expect_none(t, 0, 1);
    put(t, 129, 2);
    put(t, 70, 2);
    take(t, 0, 70);
    take(t, 1, 129);
    expect_none(t, 2, 1); /* a TM works there */
    put(t, 100, 1);
    take(t, 2, 100);
    assert_int_equal(t->q.switches, 3);
    free(t);
}

static void a_tm_stays_until_its_rays_are_back(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_lifo);
    put(t, 9, 2);
    take_some(t, 0, 9, 2);
    put(t, 3, 1);
    back(t, 0, 1);
    expect_none(t, 0, 100);
    put(t, 9, 1);
    take(t, 0, 9); /* before 3 */
    back(t, 0, 2);
    take(t, 0, 3);
    free(t);
}

/* One in which no TM works any more is idle at its next ray. */
static void a_treelet_becomes_idle_again(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_lifo);
    put(t, 5, 1);
    take(t, 0, 5);
    back(t, 0, 1);
    put(t, 6, 1);
    take(t, 0, 6);
    put(t, 5, 1);
    take(t, 1, 5);
    free(t);
}

static void busy_tms_are_joined(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_lifo);
    put(t, 20, BUSY + 2);
    put(t, 10, BUSY + 3);
    take(t, 0, 10);
    take_some(t, 1, 20, BUSY - 1);
    take_some(t, 0, 10, BUSY - 1);
    put(t, 2, 9);
    put(t, 1, 1);
    take(t, 2, 10); /* 1 and 2 are idle, the queue of 20 is as long */
    take_some(t, 1, 20, 1);
    take(t, 3, 10); /* both have 2 left: the lower one */
    take(t, 4, 20); /* 2 against 1 */
    assert_int_equal(t->of[10].tms, 3);
    assert_int_equal(t->of[20].tms, 2);
    take_some(t, 0, 10, 1);
    take_some(t, 1, 20, 1);
    back(t, 4, 1);
    take(t, 4, 1); /* nothing is left there: an idle one */
    free(t);
}

static void few_rays_out_are_not_busy(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_idle_first, QUEUES_ORDER_lifo);
    put(t, 10, 2 * BUSY);
    take_some(t, 0, 10, BUSY);
    back(t, 0, 1);
    put(t, 50, 1);
    take(t, 1, 50);
    free(t);
}

/* ---- batch ---- */

static void a_tm_waits_until_it_wants_a_batch(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_batch, QUEUES_ORDER_fifo);
    put(t, 8, 2);
    expect_none(t, 0, BATCH - 1);
    assert_true(queues_take(&t->q, 0, BATCH) < PLACES);
    assert_true(queues_take(&t->q, 0, 1) < PLACES); /* where it is, any */
    put(t, 4, 1);
    expect_none(t, 0, BATCH - 1);
    take(t, 0, 4); /* though its rays are out */
    free(t);
}

static void treelets_are_shared_if_their_queues_are_long(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_batch, QUEUES_ORDER_fifo);
    put(t, 8, BUSY);
    put(t, 64, 2 * BUSY + 1);
    take(t, 0, 8);
    take(t, 1, 64);           /* 3 in 8, for one TM */
    take(t, 2, 64);           /* 8 for one */
    expect_none(t, 3, BATCH); /* 7 for two */
    put(t, 64, 1);
    take(t, 3, 64);
    put(t, 128, 1);
    take(t, 4, 128);
    free(t);
}

static void a_tm_that_finds_nothing_stays(void **state)
{
    struct toy *t = toy_new(QUEUES_POLICY_batch, QUEUES_ORDER_fifo);
    put(t, 8, 1);
    take(t, 0, 8);
    expect_none(t, 0, BATCH);
    put(t, 8, 1);
    expect_none(t, 1, BATCH);
    assert_true(queues_take(&t->q, 0, 1) < PLACES);
    assert_int_equal(t->q.switches, 1);
    free(t);
}

/* ---- at random ---- */

struct random {
    uint32_t state;
    uint32_t live, over;                /* rays in queues */
    uint32_t out[TMS], treelet_of[TMS]; /* of the last ray */
    uint32_t waits[TREELETS];
};

static uint32_t draw(struct random *r, uint32_t below)
{
    r->state = r->state * 1664525u + 1013904223u;
    return (r->state >> 8) % below;
}

static void random_put(struct toy *t, struct random *r)
{
    uint32_t treelet = draw(r, 4) ? draw(r, 6) : draw(r, TREELETS);
    if (r->live + r->over == PLACES) {
        assert_int_equal(queues_put(&t->q, treelet), QUEUES_NONE);
        return;
    }
    put(t, treelet, 1);
    r->waits[treelet]++;
    r->live++;
}

static void random_take(struct toy *t, struct random *r)
{
    uint32_t tm = draw(r, TMS);
    uint32_t place = queues_take(&t->q, tm, 1 + draw(r, BATCH));
    if (place == QUEUES_NONE)
        return;
    uint32_t treelet = t->treelet[place];
    assert_true(r->waits[treelet] > 0);
    /* It has left another one only when no ray waited there. */
    if (r->treelet_of[tm] != treelet && r->treelet_of[tm] != QUEUES_NONE) {
        assert_int_equal(r->waits[r->treelet_of[tm]], 0);
        assert_true(queues_batch(&t->q) || !r->out[tm]);
    }
    r->treelet_of[tm] = treelet;
    r->waits[treelet]--;
    r->out[tm]++;
    r->live--;
}

static void random_back(struct toy *t, struct random *r)
{
    uint32_t tm = draw(r, TMS);
    if (!r->out[tm] || r->live + r->over == PLACES)
        return;
    queues_back(&t->q, tm);
    r->out[tm]--;
    if (draw(r, 2)) {
        random_put(t, r);
    } else {
        assert_true(queues_put_over(&t->q) < PLACES);
        r->over++;
    }
}

static void random_step(struct toy *t, struct random *r)
{
    switch (draw(r, 5)) {
    case 0:
        random_put(t, r);
        break;
    case 1:
        random_back(t, r);
        break;
    case 2:
        if (r->over) {
            assert_true(queues_take_over(&t->q) < PLACES);
            r->over--;
        }
        break;
    default:
        random_take(t, r);
    }
    assert_int_equal(t->q.held, r->live + r->over);
}

static void play(enum queues_policy policy, enum queues_order order)
{
    struct toy *t = toy_new(policy, order);
    struct random r = {.state = 7};
    for (unsigned tm = 0; tm < TMS; tm++)
        r.treelet_of[tm] = QUEUES_NONE;
    for (unsigned i = 0; i < 100000; i++)
        random_step(t, &r);
    free(t);
}

static void random_runs_lose_no_ray(void **state)
{
    for (int policy = 0; policy < QUEUES_POLICY_COUNT; policy++)
        for (int order = 0; order < QUEUES_ORDER_COUNT; order++)
            play(policy, order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_ray_goes_first),
        cmocka_unit_test(the_first_ray_goes_first),
        cmocka_unit_test(finished_rays_leave_in_order),
        cmocka_unit_test(places_are_bounded),
        cmocka_unit_test(a_kernel_starts_without_rays),
        cmocka_unit_test(the_lowest_idle_treelet_is_chosen),
        cmocka_unit_test(a_tm_stays_until_its_rays_are_back),
        cmocka_unit_test(a_treelet_becomes_idle_again),
        cmocka_unit_test(busy_tms_are_joined),
        cmocka_unit_test(few_rays_out_are_not_busy),
        cmocka_unit_test(a_tm_waits_until_it_wants_a_batch),
        cmocka_unit_test(treelets_are_shared_if_their_queues_are_long),
        cmocka_unit_test(a_tm_that_finds_nothing_stays),
        cmocka_unit_test(random_runs_lose_no_ray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
