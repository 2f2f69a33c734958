/* rtp_triangles: the next triangle is fetched ahead, there is none behind the
 * last, and quirks miscount. */
#include "sim/rtp/quirks.h"
#include "sim/units/rtp/rtp_bench.h"

enum { LATENCY = 9 };

struct question {
    uint64_t at;
    uint32_t number;
    uint64_t took;
    bool none;
};

struct story {
    uint32_t triangles;
    const char *quirks;
    struct question questions[6];
    unsigned count;
    uint64_t ahead;
};

static void build_story(struct bench *b)
{
    const struct story *s = b->scenario->with;
    struct error e;
    rtp_bench_triangles(rtp_bench_machine(b, 1), s->triangles);
    struct unit *u = bench_unit(b, "rtp_triangles", "triangles");
    bench_set(b, u, "latency", LATENCY);
    if (s->quirks)
        assert_true(chip_set_text(b->chip, u, "rtl_quirks", s->quirks, &e));
    struct driver *d = rtp_bench_both(b, u, "fetch", "triangle");
    for (unsigned i = 0; i < s->count; i++)
        rtp_bench_send(d, s->questions[i].at,
                       (struct msg){.tag = s->questions[i].number}, NULL);
}

static void check_story(struct bench *b)
{
    const struct story *s = b->scenario->with;
    const struct driver *d = b->drivers[0];
    assert_int_equal(d->answered, s->count);
    for (unsigned i = 0; i < s->count; i++) {
        const struct question *q = &s->questions[i];
        const struct answer *a = &d->answers[i];
        assert_int_equal(a->msg.tag, q->number);
        assert_int_equal(a->msg.aux, q->none);
        assert_int_equal(a->at - d->asks[i].sent, q->took);
    }
    assert_stat(b->units[0], "requests", s->count);
    assert_stat(b->units[0], "ahead", s->ahead);
}

/* From the request's cycle to the answer's are the latency's cycles; what is
 * there is two cycles away. */
static void the_next_triangle_is_fetched_ahead(void **state)
{
    static const struct story story = {
        .triangles = 4,
        .questions = {{0, 0, LATENCY, false},
                      {40, 1, 2, false},
                      {44, 2, LATENCY, false}, /* 1's data left in 41 */
                      {80, 1, LATENCY, false},
                      {120, 2, 2, false},
                      {160, 3, 2, false}},
        .count = 6,
        .ahead = 3};
    bench_test_with(build_story, check_story, &story);
}

static void behind_the_last_there_is_none(void **state)
{
    static const struct story story = {.triangles = 2,
                                       .questions = {{0, 1, LATENCY, false},
                                                     {40, 2, 2, true},
                                                     {60, 9, 2, true}},
                                       .count = 3,
                                       .ahead = 1};
    static const struct story empty = {.questions = {{0, 0, 2, true}},
                                       .count = 1};
    bench_test_with(build_story, check_story, &story);
    bench_test_with(build_story, check_story, &empty);
}

static void quirks_miscount(void **state)
{
    static const struct story four = {
        .triangles = 4,
        .quirks = "tri_extra",
        .questions = {{0, 4, LATENCY, false}, {40, 5, 2, true}},
        .count = 2,
        .ahead = 1};
    static const struct story five = {.triangles = 5,
                                      .quirks = "tri_extra",
                                      .questions = {{0, 5, 2, true}},
                                      .count = 1};
    static const struct story all = {
        .triangles = RTP_TRIANGLES_ROOM,
        .quirks = "tri_512",
        .questions = {{0, 0, LATENCY, false}, {40, 1, 2, true}},
        .count = 2,
        .ahead = 1};
    bench_test_with(build_story, check_story, &four);
    bench_test_with(build_story, check_story, &five);
    bench_test_with(build_story, check_story, &all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_triangle_is_fetched_ahead),
        cmocka_unit_test(behind_the_last_there_is_none),
        cmocka_unit_test(quirks_miscount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
