/* Parts that are alike are one, and what finds no room is told as others. */
#include "sim/verdict/verdict.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static struct verdict v;

static void add(unsigned number, double cycles)
{
    struct part part = {.group = "tp",
                        .cycles = cycles,
                        .lever = VERDICT_NONE,
                        .slots = VERDICT_NONE};
    snprintf(part.name, sizeof part.name, "part %u", number);
    verdict_add_part(&v, &part);
}

static void parts_that_are_alike_are_one(void **state)
{
    v = (struct verdict){.cycles = 1};
    add(1, 2);
    add(2, 3);
    add(1, 4);
    add(3, 0);
    assert_int_equal(v.part_count, 2);
    assert_true(v.parts[0].cycles == 6 && v.busy == 9);
}

static void no_cycles_are_lost_when_there_are_too_many(void **state)
{
    const unsigned many = VERDICT_PARTS + 100;
    double sum = 0;
    v = (struct verdict){.cycles = 1};
    for (unsigned i = 0; i < many; i++)
        add(i, 1);
    add(5, 1);
    assert_int_equal(v.part_count, VERDICT_PARTS);
    for (unsigned i = 0; i < v.part_count; i++)
        sum += v.parts[i].cycles;
    assert_true(sum == many + 1 && v.busy == sum);
    const struct part *last = &v.parts[VERDICT_PARTS - 1];
    assert_string_equal(last->name, "other parts");
    assert_true(last->cycles == 101 && v.parts[5].cycles == 2);
    assert_int_equal(last->lever, VERDICT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_are_alike_are_one),
        cmocka_unit_test(no_cycles_are_lost_when_there_are_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
