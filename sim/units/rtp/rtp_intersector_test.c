/* rtp_intersector: all triangles are tested in their order at their pace, the
 * nearest hit is the result, and the dispatcher hears of it. */
#include "sim/units/rtp/rtp_bench.h"

enum { CYCLES = 20, INTERVAL = 6, RAY_AT = 5 };

struct story {
    uint32_t triangles, first; /* the first one's plane comes last */
    struct setting settings[4];
    uint64_t took; /* from the decision to the cycle that the dispatcher sees */
    uint32_t shader;
};

static void build_story(struct bench *b)
{
    const struct story *s = b->scenario->with;
    struct payload ray = rtp_bench_ray();
    struct rtp_machine *m = rtp_bench_machine(b, 1);
    rtp_bench_triangles(m, s->triangles);
    struct unit *u = bench_unit(b, "rtp_intersector", "ic"),
                *t = bench_unit(b, "rtp_triangles", "triangles");
    bench_set_all(u, s->settings);
    struct driver *d = rtp_bench_from(b, u, "start");
    rtp_bench_to(b, u, "hit");
    rtp_bench_to(b, u, "done");
    bench_far_link(b, u, "fetch", t, "fetch", 1, 8);
    bench_far_link(b, t, "triangle", u, "triangle", 1, 0);
    /* The buffer sends it in the cycle behind the dispatcher's decision. */
    rtp_bench_send(d, RAY_AT, (struct msg){.addr = RAY_AT - 1}, &ray);
    if (s->first) /* behind all others, and turned away from the ray */
        for (unsigned i = 0; i < 3; i++)
            m->scene.triangles[0].v[i].z = -1;
}

static void check_story(struct bench *b)
{
    const struct story *s = b->scenario->with;
    const struct driver *hit = b->drivers[1], *done = b->drivers[2];
    assert_int_equal(hit->answered, 1);
    assert_int_equal(done->answered, 1);
    assert_int_equal(done->answers[0].at - (RAY_AT - 1), s->took);
    assert_int_equal(hit->answers[0].at, done->answers[0].at);
    const struct payload *p = &hit->answers[0].payload;
    float z;
    memcpy(&z, p->bytes + 8, sizeof z);
    assert_int_equal(rtp_bench_word(p, 3), s->shader);
    assert_true(z == (float)s->shader); /* the plane */
    assert_stat(b->units[0], "rays", 1);
    assert_stat(b->units[0], "hits", s->shader != 0);
    assert_stat(b->units[0], "tests", s->triangles);
}

#define PACE                                                                   \
    {                                                                          \
        "cycles", CYCLES                                                       \
    }
static void each_triangle_takes_its_cycles(void **state)
{
    /* That there is none is heard two cycles after the ray has come. */
    static const struct story none = {.settings = {PACE}, .took = 5},
                              one = {.triangles = 1,
                                     .settings = {PACE},
                                     .took = 1 + CYCLES,
                                     .shader = 1},
                              many = {.triangles = 7,
                                      .settings = {PACE},
                                      .took = 1 + 7 * CYCLES,
                                      .shader = 1};
    bench_test_with(build_story, check_story, &none);
    bench_test_with(build_story, check_story, &one);
    bench_test_with(build_story, check_story, &many);
}

static void tests_overlap_in_a_pipeline(void **state)
{
    static const struct story many = {
        .triangles = 7,
        .settings = {PACE, {"pipeline", 1}, {"interval", INTERVAL}},
        .took = 1 + 6 * INTERVAL + CYCLES,
        .shader = 1};
    bench_test_with(build_story, check_story, &many);
}

static void what_lies_behind_the_ray_is_no_hit(void **state)
{
    static const struct story one = {.triangles = 1,
                                     .first = 1,
                                     .settings = {PACE},
                                     .took = 1 + CYCLES},
                              two = {.triangles = 2,
                                     .first = 1,
                                     .settings = {PACE},
                                     .took = 1 + 2 * CYCLES,
                                     .shader = 2};
    bench_test_with(build_story, check_story, &one);
    bench_test_with(build_story, check_story, &two);
}

static void an_interval_is_no_longer_than_a_test(void **state)
{
    static const struct built slow = {
        .param = "interval",
        .value = 52,
        .links = {{"start", "rtp_buffer", "start", false},
                  {"triangle", "rtp_triangles", "triangle", false},
                  {"fetch", "rtp_triangles", "fetch", true},
                  {"hit", "rtp_buffer", "hit", true},
                  {"done", "rtp_dispatcher", "hit", true}},
        .error = "interval: expected 51 at most, the cycles of a triangle"};
    expect_not_built("rtp_intersector", &slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_triangle_takes_its_cycles),
        cmocka_unit_test(tests_overlap_in_a_pipeline),
        cmocka_unit_test(what_lies_behind_the_ray_is_no_hit),
        cmocka_unit_test(an_interval_is_no_longer_than_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
