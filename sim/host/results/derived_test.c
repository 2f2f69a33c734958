/*
 * Figures that are derived from counters: ratios, rates, percentiles. A
 * misspelt counter does not compile, as COUNTER names a member.
 */
#include "sim/host/results/derived.h"
#include "sim/units/units.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define TOY_STATS(X)                                                           \
    X(hits, "reads", "found")                                                  \
    X(misses, "reads", "not found")                                            \
    X(bytes, "bytes", "moved")

struct toy_stats {
    TOY_STATS(STAT_FIELD)
    uint64_t took[3];
};

#define STAT_STRUCT struct toy_stats
static const int64_t took_edges[] = {0, 1, 10, 20};
static const struct stat_row stat_rows[] = {TOY_STATS(STAT_ROW) HISTOGRAM_ROW(
    took, took_edges, "reads", "cycles", "by their time")};
static const struct figure_row figures[] = {
    {.name = "hit_rate",
     .over = {COUNTER(hits)},
     .under = {COUNTER(hits), COUNTER(misses)},
     .said = "%.0f %% hits",
     .scale = 100},
    {.name = "rate", .unit = "GB/s", .over = {COUNTER(bytes)}, .scale = 1},
    {.name = "p50",
     .unit = "cycles",
     .histogram = COUNTER(took[0]),
     .per_mille = 500,
     .scale = 1},
    {.name = "p99",
     .unit = "cycles",
     .histogram = COUNTER(took[0]),
     .per_mille = 990,
     .scale = 1},
};
static const struct unit_kind toy_kind = {.name = "toy",
                                          .stat_rows = stat_rows,
                                          .stat_count = 4,
                                          .figure_rows = figures,
                                          .figure_count = 4};
static const struct group toys = {.name = "toys", .kind = &toy_kind};

static cJSON *derived_of(const uint64_t *values, double seconds)
{
    static cJSON *all;
    cJSON_Delete(all);
    all = cJSON_CreateObject();
    derived_add(all, &toys, values, seconds);
    return cJSON_GetObjectItem(all, "derived");
}

static double figure(const cJSON *derived, const char *name)
{
    const cJSON *number = cJSON_GetObjectItem(derived, name);
    assert_non_null(number);
    return number->valuedouble;
}

static void ratios_and_rates_are_of_the_counters_named(void **state)
{
    const uint64_t values[] = {3, 1, 4000000000, 0, 0, 0};
    const cJSON *d = derived_of(values, 2);
    assert_true(figure(d, "hit_rate") == 0.75);
    assert_true(figure(d, "rate") == 2);
    assert_null(cJSON_GetObjectItem(d, "p50")); /* nothing was counted */
}

static void percentiles_lie_within_the_range_that_holds_them(void **state)
{
    const uint64_t values[] = {0, 0, 0, 1, 90, 9};
    const cJSON *d = derived_of(values, 1);
    assert_true(figure(d, "p50") >= 1 && figure(d, "p50") < 10);
    assert_true(figure(d, "p99") >= 10 && figure(d, "p99") < 20);
    assert_null(cJSON_GetObjectItem(d, "hit_rate")); /* 0 of 0 */
}

static void a_line_for_people_has_what_is_worth_a_word(void **state)
{
    const uint64_t values[] = {3, 1, 5, 1, 1, 1};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    derived_print(out, "", &toys, values, 1);
    fclose(out);
    assert_string_equal(text, "toys          75 % hits\n");
    free(text);
}

static void the_schema_says_how_figures_are_computed(void **state)
{
    cJSON *schema = derived_schema(&toy_kind);
    char *text = cJSON_PrintUnformatted(schema);
    assert_string_equal(
        text,
        "{\"hit_rate\":{\"unit\":\"share\",\"over\":[\"hits\"],\"under\":["
        "\"hits\",\"misses\"]},\"rate\":{\"unit\":\"GB/s\",\"over\":["
        "\"bytes\"]},\"p50\":{\"unit\":\"cycles\",\"per_mille\":500,"
        "\"of\":\"took\"},"
        "\"p99\":{\"unit\":\"cycles\",\"per_mille\":990,"
        "\"of\":\"took\"}}");
    free(text);
    cJSON_Delete(schema);
}

/* value_of asserts that each member is a row. */
static void
the_figures_of_all_kinds_are_of_counters_that_are_written(void **state)
{
    for (unsigned i = 0; unit_kinds[i]; i++) {
        const struct unit_kind *kind = unit_kinds[i];
        const struct group group = {.name = "group", .kind = kind};
        uint64_t *values = calloc(kind_value_count(kind), sizeof *values);
        for (unsigned v = 0; v < kind_value_count(kind); v++)
            values[v] = v + 1;
        cJSON *all = cJSON_CreateObject();
        derived_add(all, &group, values, 1);
        const cJSON *derived = cJSON_GetObjectItem(all, "derived");
        assert_int_equal(cJSON_GetArraySize(derived), kind->figure_count);
        cJSON_Delete(all);
        free(values);
    }
}

/* What is a share is said in per cent; a percentile, and what is over a time,
 * is none. */
static void figures_of_all_kinds_have_units(void **state)
{
    for (unsigned i = 0; unit_kinds[i]; i++)
        for (unsigned k = 0; k < unit_kinds[i]->figure_count; k++) {
            const struct figure_row *f = &unit_kinds[i]->figure_rows[k];
            if (f->said)
                assert_int_equal(!f->unit, strstr(f->said, "%%") != NULL);
            if (f->histogram || !f->under[0])
                assert_non_null(f->unit);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_and_rates_are_of_the_counters_named),
        cmocka_unit_test(percentiles_lie_within_the_range_that_holds_them),
        cmocka_unit_test(a_line_for_people_has_what_is_worth_a_word),
        cmocka_unit_test(the_schema_says_how_figures_are_computed),
        cmocka_unit_test(
            the_figures_of_all_kinds_are_of_counters_that_are_written),
        cmocka_unit_test(figures_of_all_kinds_have_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
