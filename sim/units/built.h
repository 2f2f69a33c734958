/*
 * For tests: what a unit says that cannot be built, and what a unit says that
 * waits.
 */
#ifndef SIM_UNITS_BUILT_H
#define SIM_UNITS_BUILT_H

#include "sim/units/bench.h"
#include "sim/units/units.h"
#include <stdio.h>

/* A link of a unit that is built: one of its outputs to an input of a
 * neighbour, or, if not output, the other way round. Any neighbour that has the
 * port will do, as the unit is built before it. */
struct built_link {
    const char *port, *kind, *port_there;
    bool output;
};

struct built {
    const char *param; /* NULL: all are as by default */
    int64_t value;
    struct built_link links[6];
    const char *error; /* after the unit's name; expected */
};

/* A chip of one unit of the kind cannot be finished, with one line of error. */
static inline void expect_not_built(const char *kind, const struct built *built)
{
    struct machine m = {.ram_end = BENCH_MEMORY};
    struct chip *chip = chip_new(unit_kinds, &m);
    struct tile *tile = chip_tile(chip, "all");
    struct error e = {""};
    char expected[300];
    struct unit *u = chip_unit(chip, tile, kind, "it", NULL, &e);
    if (built->param)
        assert_true(chip_set(chip, u, built->param, built->value, &e));
    for (const struct built_link *l = built->links; l->port; l++) {
        struct unit *there = chip_unit(chip, tile, l->kind, l->kind, NULL, &e);
        assert_true(
            l->output
                ? chip_link(chip, u, l->port, there, l->port_there, 1, 1, &e)
                : chip_link(chip, there, l->port_there, u, l->port, 1, 1, &e));
    }
    assert_false(chip_finish(chip, &e));
    snprintf(expected, sizeof expected, "it: %s", built->error);
    assert_string_equal(e.text, expected);
    chip_free(chip);
}

/* What the bench's first unit says after the run. */
static inline void expect_explained(const struct bench *b, const char *expected)
{
    char text[1000] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    b->units[0]->kind->explain(b->units[0], out);
    fclose(out);
    assert_string_equal(text, expected);
}

#endif
