/* rtp_buffer: rays and results move when the dispatcher says so, each queue in
 * its order. */
#include "sim/units/rtp/rtp_bench.h"

enum { CORES = 2, RAYS = 0, RESULTS = CORES, HITS = 2 * CORES, STARTS, MOVES };

static void put(struct driver *d, uint64_t at, uint32_t word)
{
    struct payload p = {{0}};
    memcpy(p.bytes, &word, sizeof word);
    rtp_bench_send(d, at, (struct msg){0}, &p);
}

static const struct rtp_moves nothing = {RTP_NOBODY, RTP_NOBODY, RTP_NOBODY,
                                         RTP_NOBODY, 0};

/* It is in force in the cycle after. */
static void move(struct bench *b, uint64_t at, struct rtp_moves moves)
{
    struct msg m = {0};
    memcpy(&m.value, &moves, sizeof moves);
    rtp_bench_send(b->drivers[MOVES], at, m, NULL);
}

static void build_ports(struct bench *b)
{
    rtp_bench_machine(b, 1);
    struct unit *u = bench_unit(b, "rtp_buffer", "buffer");
    for (unsigned i = 0; i < CORES; i++)
        rtp_bench_from(b, u, "ray");
    for (unsigned i = 0; i < CORES; i++)
        rtp_bench_to(b, u, "result");
    rtp_bench_from(b, u, "hit");
    rtp_bench_to(b, u, "start");
    rtp_bench_from(b, u, "move");
}

/* ---- rays ---- */

static void build_rays(struct bench *b)
{
    struct rtp_moves m = nothing;
    build_ports(b);
    put(b->drivers[RAYS], 0, 10);
    put(b->drivers[RAYS + 1], 0, 11);
    put(b->drivers[RAYS + 1], 1, 12);
    m.ray_from = 1;
    move(b, 5, m);
    m.ray_from = 0;
    move(b, 6, m);
    m.ray_from = 1, m.ray_to = 0;
    move(b, 9, m);
    m.ray_from = RTP_NOBODY;
    move(b, 12, m);
}

static void check_rays(struct bench *b)
{
    const struct driver *d = b->drivers[STARTS];
    assert_int_equal(d->answered, 2);
    for (unsigned i = 0; i < 2; i++) {
        static const uint64_t decided[] = {9, 12};
        static const uint32_t word[] = {11, 10};
        assert_int_equal(d->answers[i].at, decided[i] + 2);
        assert_int_equal(d->answers[i].msg.addr, decided[i]);
        assert_int_equal(rtp_bench_word(&d->answers[i].payload, 0), word[i]);
    }
    assert_stat(b->units[0], "rays", 3);
    assert_stat(b->units[0], "most_rays", 3);
    assert_stat(b->units[0], "results", 0);
    assert_explained(b->units[0], "buffer: 1 rays, 0 results\n");
}

static void rays_leave_in_the_order_of_the_moves(void **state)
{
    bench_test(build_rays, check_rays);
}

/* ---- results ---- */

static void build_results(struct bench *b)
{
    struct rtp_moves m = nothing;
    build_ports(b);
    put(b->drivers[HITS], 0, 20);
    put(b->drivers[HITS], 1, 21);
    m.result_from = 0;
    move(b, 4, m);
    move(b, 5, m);
    m.result_from = RTP_NOBODY;
    m.result_to = 1, m.keep = 1; /* a thread that starts */
    move(b, 8, m);
    m.keep = 0;
    move(b, 9, m);
    m.result_to = 0;
    move(b, 10, m);
}

static void check_results(struct bench *b)
{
    const struct driver *zero = b->drivers[RESULTS],
                        *one = b->drivers[RESULTS + 1];
    assert_int_equal(zero->answered, 1);
    assert_int_equal(one->answered, 2);
    assert_int_equal(rtp_bench_word(&one->answers[0].payload, 0), 20);
    assert_int_equal(rtp_bench_word(&one->answers[1].payload, 0), 20);
    assert_int_equal(rtp_bench_word(&zero->answers[0].payload, 0), 21);
    assert_int_equal(zero->answers[0].at, 12);
    assert_stat(b->units[0], "results", 2);
    assert_stat(b->units[0], "most_results", 2);
    assert_explained(b->units[0], "");
}

static void a_result_stays_for_a_thread_that_starts(void **state)
{
    bench_test(build_results, check_results);
}

static void its_links_come_in_pairs(void **state)
{
    static const struct built half = {
        .links = {{"move", "rtp_dispatcher", "move", false},
                  {"ray", "rtp_core", "ray", false}},
        .error = "ray and result, hit and start come in pairs"};
    expect_not_built("rtp_buffer", &half);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_leave_in_the_order_of_the_moves),
        cmocka_unit_test(a_result_stays_for_a_thread_that_starts),
        cmocka_unit_test(its_links_come_in_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
