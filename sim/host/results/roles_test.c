/*
 * What readers of results rely on of the kinds' tables: each bucket has its
 * role, no two of a kind are the same wait, and cycles of nothing to do are
 * told wherever cycles are.
 */
#include "sim/units/units.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void a_bucket_has_a_role_and_a_counter_none(void **state)
{
    for (const struct unit_kind *const *k = unit_kinds; *k; k++) {
        for (unsigned i = 0; i < (*k)->bucket_count; i++)
            if ((*k)->bucket_rows[i].role == STAT_COUNTS)
                fail_msg("%s.%s has no role", (*k)->name,
                         (*k)->bucket_rows[i].name);
        for (unsigned i = 0; i < (*k)->stat_count; i++)
            assert_int_equal((*k)->stat_rows[i].role, STAT_COUNTS);
    }
}

static void only_waits_have_targets_and_each_once(void **state)
{
    for (const struct unit_kind *const *k = unit_kinds; *k; k++)
        for (unsigned i = 0; i < (*k)->bucket_count; i++) {
            const struct stat_row *row = &(*k)->bucket_rows[i];
            if (!row->target)
                continue;
            assert_true(row->role == STAT_WAITS || row->role == STAT_FULL);
            for (unsigned j = 0; j < i; j++) {
                const struct stat_row *other = &(*k)->bucket_rows[j];
                if (other->target && other->role == row->role)
                    assert_string_not_equal(other->target, row->target);
            }
        }
}

static void where_cycles_are_told_idle_ones_are(void **state)
{
    for (const struct unit_kind *const *k = unit_kinds; *k; k++) {
        unsigned idle = 0;
        for (unsigned i = 0; i < (*k)->bucket_count; i++)
            idle += (*k)->bucket_rows[i].role == STAT_IDLE;
        if (!idle != !(*k)->bucket_count)
            fail_msg("%s has no idle cycles", (*k)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_has_a_role_and_a_counter_none),
        cmocka_unit_test(only_waits_have_targets_and_each_once),
        cmocka_unit_test(where_cycles_are_told_idle_ones_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
