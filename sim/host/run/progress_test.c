/* What is said of a run by what was seen of it. */
#include "sim/host/run/progress.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void check_line(const struct progress *p, const char *expected)
{
    char text[200];
    progress_line(p, "cycle", text, sizeof text);
    assert_string_equal(text, expected);
}

static void phases_have_names(void **state)
{
    (void)state;
    static const struct {
        struct sighting seen;
        const char *said;
    } rows[] = {
        {{.phase = PHASE_LOAD}, "load"},
        {{.phase = PHASE_MAIN, .now = 7}, "main: cycle 7"},
        {{.phase = PHASE_RUN, .now = 7}, "run: cycle 7"},
        {{.phase = PHASE_LAUNCH, .now = 7}, "launch: cycle 7"},
        {{.phase = PHASE_KERNEL, .kernel = "trace"}, "kernel trace: cycle 0"},
        {{.phase = PHASE_KERNEL}, "kernel: cycle 0"},
        {{.phase = PHASE_KERNEL, .kernel = "a\033[31mb"},
         "kernel a\\e[31mb: cycle 0"},
        {{.phase = PHASE_KERNEL,
          .kernel = "a_name_that_is_far_too_long_for_it"},
         "kernel a_name_that_is_far_too_l: cycle 0"},
        {{.phase = PHASE_REGION, .region = 2}, "region 2: cycle 0"},
        {{.phase = PHASE_DRAIN}, "drain: cycle 0"},
        {{.phase = PHASE_DRAIN, .region = 3}, "region 3, drain: cycle 0"},
        {{.phase = PHASE_WRITE, .total = 5, .finished = 5}, "writing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct progress p = {.looks = 0};
        progress_look(&p, &rows[i].seen);
        check_line(&p, rows[i].said);
    }
}

static struct sighting seen(double seconds, uint64_t now, uint64_t finished)
{
    return (struct sighting){.seconds = seconds,
                             .now = now,
                             .phase = PHASE_REGION,
                             .region = 1,
                             .part = 1,
                             .total = 1000,
                             .finished = finished};
}

static void time_left_goes_by_finished_work(void **state)
{
    (void)state;
    struct progress p = {.looks = 0};
    struct sighting s = seen(10, 0, 0);
    progress_look(&p, &s);
    check_line(&p, "region 1: cycle 0, work 0.0 %");
    s = seen(12, 4000, 250); /* 250 in 2 s, 750 to go */
    progress_look(&p, &s);
    check_line(&p, "region 1: cycle 4000, 2000/s, work 25.0 %, 6 s left");
    s = seen(18, 8000, 1000);
    progress_look(&p, &s);
    check_line(&p, "region 1: cycle 8000, 667/s, work 100.0 %");
    assert_true(progress_left(&p) == 0);
}

static void little_work_says_nothing_of_the_rest(void **state)
{
    (void)state;
    struct progress p = {.looks = 0};
    struct sighting s = seen(0, 0, 0);
    progress_look(&p, &s);
    s = seen(3, 1, 9);
    progress_look(&p, &s);
    assert_true(progress_left(&p) < 0);
    s = seen(3, 1, 10);
    progress_look(&p, &s);
    assert_true(progress_left(&p) == 297);
}

static void all_is_finished_only_when_all_is(void **state)
{
    (void)state;
    struct progress p = {.looks = 0};
    struct sighting s = seen(1, 1, 999999);
    s.total = 1000000;
    progress_look(&p, &s);
    assert_true(progress_share(&p) == 0.999);
    s.finished++;
    progress_look(&p, &s);
    assert_true(progress_share(&p) == 1);
    s.total = 0;
    progress_look(&p, &s);
    assert_true(progress_share(&p) < 0 && progress_left(&p) < 0);
}

/* A second kernel has its own speed. */
static void a_part_is_measured_by_itself(void **state)
{
    (void)state;
    struct progress p = {.looks = 0};
    struct sighting s = seen(0, 0, 0);
    progress_look(&p, &s);
    s = seen(100, 10, 1000);
    progress_look(&p, &s);
    s = seen(100, 10, 0);
    s.part = 2;
    progress_look(&p, &s);
    assert_true(progress_left(&p) < 0);
    s = seen(101, 20, 100);
    s.part = 2;
    progress_look(&p, &s);
    assert_true(progress_left(&p) == 9);
}

/* Of the last one to two seconds, not of the whole run. */
static void the_rate_is_recent(void **state)
{
    (void)state;
    struct progress p = {.looks = 0};
    for (unsigned i = 0; i <= 100; i++) {
        struct sighting s = seen(i * 0.2, i < 50 ? i * 1000 : 50000 + i, 0);
        progress_look(&p, &s);
        assert_true(!i || i > 60 || progress_rate(&p) > 0);
    }
    assert_in_range((unsigned)(progress_rate(&p) + 0.5), 5, 5);
}

static void long_times_are_in_long_units(void **state)
{
    (void)state;
    static const struct {
        double took;
        const char *said;
    } rows[] = {
        {0.5, ", 5 s left"}, {30, ", 5 min left"}, {3600, ", 9.0 h left"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        struct progress p = {.looks = 0};
        struct sighting s = seen(0, 0, 0);
        progress_look(&p, &s);
        s = seen(rows[i].took, 1, 100);
        progress_look(&p, &s);
        progress_line(&p, "cycle", text, sizeof text);
        assert_non_null(strstr(text, rows[i].said));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_have_names),
        cmocka_unit_test(time_left_goes_by_finished_work),
        cmocka_unit_test(little_work_says_nothing_of_the_rest),
        cmocka_unit_test(all_is_finished_only_when_all_is),
        cmocka_unit_test(a_part_is_measured_by_itself),
        cmocka_unit_test(the_rate_is_recent),
        cmocka_unit_test(long_times_are_in_long_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
