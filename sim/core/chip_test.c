/* What cannot be built is refused, with names. */
#include "sim/core/toys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void a_tile_has_a_limit(void **state)
{
    (void)state;
    struct error e;
    struct chip *chip = chip_new(toy_kinds, NULL);
    struct tile *tile = chip_tile(chip, "crowd");
    for (int i = 0; i <= 64 * WORDS_MOST; i++)
        chip_unit(chip, tile, "toy", "toy", NULL, &e);
    assert_false(chip_finish(chip, &e));
    assert_non_null(strstr(e.text, "tile crowd: too many units"));
    chip_free(chip);
}

static void expect_error(const char *setting, const char *text)
{
    struct error e;
    struct chip *chip = chip_new(toy_kinds, NULL);
    assert_true(chip_override(chip, setting, &e));
    struct tile *tile = chip_tile(chip, "t");
    struct unit *u = chip_unit(chip, tile, "toy", "toy0", "toys", &e);
    assert_true(chip_link(chip, u, "out", u, "in", 1, 1, &e));
    assert_false(chip_finish(chip, &e));
    if (!strstr(e.text, text))
        fail_msg("'%s' does not say '%s'", e.text, text);
    chip_free(chip);
}

static void overrides_that_fit_nothing_are_errors(void **state)
{
    (void)state;
    expect_error("toys.sead=3", "did you mean 'seed'");
    expect_error("tois.seed=3", "did you mean 'toys'");
    expect_error("toy0.seed=x", "not a number");
    expect_error("toy0.seed=-1", "outside 0..");
    expect_error("chip.tms=4", "no option 'tms'");
}

static void links_are_checked(void **state)
{
    (void)state;
    struct error e;
    struct chip *chip = chip_new(toy_kinds, NULL);
    struct tile *tile = chip_tile(chip, "t");
    struct unit *u = chip_unit(chip, tile, "toy", "toy0", NULL, &e);
    assert_false(chip_link(chip, u, "uot", u, "in", 1, 1, &e));
    assert_non_null(strstr(e.text, "did you mean 'out'"));
    assert_false(chip_link(chip, u, "out", u, "in", 0, 1, &e));
    assert_non_null(strstr(e.text, "latency 0 is outside"));
    assert_false(chip_link(chip, u, "out", u, "in", 1, 100000, &e));
    assert_false(chip_link(chip, u, "out", u, "in", 1 + (1ll << 32), 1, &e));
    assert_non_null(strstr(e.text, "latency 4294967297 is outside"));
    assert_false(chip_link(chip, u, "out", u, "in", 1, -1, &e));
    assert_non_null(strstr(e.text, "depth -1 is outside"));
    assert_null(chip_unit(chip, tile, "tou", "x", NULL, &e));
    assert_non_null(strstr(e.text, "did you mean 'toy'"));
    chip_free(chip);
}

static void more_rows_of_ports_than_fit_are_refused(void **state)
{
    (void)state;
    struct error e;
    struct port_row rows[UNIT_PORTS_MAX + 1];
    for (unsigned i = 0; i <= UNIT_PORTS_MAX; i++)
        rows[i] = toy_kinds[0]->port_rows[i & 1];
    struct unit_kind wide = *toy_kinds[0];
    wide.name = "wide";
    wide.port_rows = rows;
    wide.port_count = UNIT_PORTS_MAX + 1;
    const struct unit_kind *const all[] = {&wide, NULL};
    struct chip *chip = chip_new(all, NULL);
    struct tile *tile = chip_tile(chip, "t");
    struct unit *u = chip_unit(chip, tile, "wide", "wide0", NULL, &e);
    assert_false(chip_link(chip, u, "out", u, "in", 1, 1, &e));
    assert_false(chip_finish(chip, &e));
    char text[80];
    snprintf(text, sizeof text,
             "kind 'wide' has %d rows of ports, at most %d fit",
             UNIT_PORTS_MAX + 1, UNIT_PORTS_MAX);
    assert_string_equal(e.text, text);
    chip_free(chip);
}

static void a_unit_knows_who_is_beyond_a_link_and_its_numbers(void **state)
{
    (void)state;
    struct error e;
    struct chip *chip = chip_new(toy_kinds, NULL);
    assert_true(chip_override(chip, "toy1.seed=7", &e));
    struct tile *tile = chip_tile(chip, "t");
    struct unit *a = chip_unit(chip, tile, "toy", "toy0", NULL, &e);
    struct unit *b = chip_unit(chip, tile, "toy", "toy1", NULL, &e);
    assert_true(chip_link(chip, a, "out", b, "in", 1, 1, &e));
    assert_true(chip_link(chip, b, "out", a, "in", 1, 1, &e));
    assert_true(chip_finish(chip, &e));
    assert_ptr_equal(unit_beyond(a, "out", 0), b);
    assert_null(unit_beyond(a, "out", 1));
    assert_null(unit_beyond(a, "in", 0));
    assert_null(unit_beyond(a, "none", 0));
    assert_int_equal(unit_number(b, "seed", 3), 7);
    assert_int_equal(unit_number(b, "none", 3), 3);
    chip_free(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_has_a_limit),
        cmocka_unit_test(overrides_that_fit_nothing_are_errors),
        cmocka_unit_test(links_are_checked),
        cmocka_unit_test(more_rows_of_ports_than_fit_are_refused),
        cmocka_unit_test(a_unit_knows_who_is_beyond_a_link_and_its_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
