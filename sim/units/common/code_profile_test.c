/* Calls, returns, recursion and sums of profiles of code. */
#include "sim/units/common/code_profile.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAIN = 0x100, F = 0x200, G = 0x300 }; /* functions */

static const struct stat_row row = {"issued", "hart-cycles", "", 0};

static struct code_profile *new_profile(void)
{
    struct code_profile *p = code_profile_new();
    p->events[p->event_count++] = &row;
    p->buckets = 1;
    return p;
}

static void call(struct code_profile *p, struct call_stack *s, uint64_t site,
                 uint64_t entry)
{
    code_profile_call(p, s, site, entry, site + 4);
}

/* Counts n events at an address in the hart's call. */
static void count(struct code_profile *p, const struct call_stack *s,
                  uint64_t pc, uint64_t n)
{
    code_profile_add(p, code_profile_site(p, s->call, pc, UINT32_MAX), 0, n);
}

static uint64_t counted(const struct code_profile *p, uint32_t call,
                        uint64_t pc)
{
    for (uint32_t i = 0; i < p->site_count; i++)
        if (p->sites[i].call == call && p->sites[i].pc == pc)
            return p->counts[i];
    return 0;
}

static void calls_are_told_apart_by_their_paths(void **state)
{
    struct code_profile *p = new_profile();
    struct call_stack s = {0};
    call(p, &s, MAIN, F);
    count(p, &s, F, 1);
    uint32_t first = s.call;
    code_profile_return(&s, MAIN + 4, true);
    assert_int_equal(s.call, 0);
    call(p, &s, MAIN + 8, F);
    count(p, &s, F, 2);
    assert_int_not_equal(s.call, first);
    assert_int_equal(counted(p, first, F), 1);
    assert_int_equal(counted(p, s.call, F), 2);
    code_profile_return(&s, MAIN + 12, true);
    call(p, &s, MAIN, F);
    assert_int_equal(s.call, first);
    assert_int_equal(p->calls[first].calls, 2);
    free(s.frames);
    code_profile_free(p);
}

static void recursion_is_folded(void **state)
{
    struct code_profile *p = new_profile();
    struct call_stack s = {0};
    call(p, &s, MAIN, F);
    uint32_t outermost = s.call;
    call(p, &s, F + 8, G);
    uint32_t between = s.call;
    call(p, &s, G + 8, F);
    assert_int_equal(s.call, outermost);
    assert_int_equal(s.depth, 3);
    code_profile_return(&s, G + 12, true);
    assert_int_equal(s.call, between);
    code_profile_return(&s, F + 12, true);
    assert_int_equal(s.call, outermost);
    assert_int_equal(p->call_count, 4); /* and the root */
    assert_int_equal(p->calls[3].folded, outermost);
    free(s.frames);
    code_profile_free(p);
}

/* longjmp leaves several calls at once; a jump that only looks like a return
 * leaves none. */
static void returns_go_to_where_the_call_was_made(void **state)
{
    struct code_profile *p = new_profile();
    struct call_stack s = {0};
    call(p, &s, MAIN, F);
    call(p, &s, F + 8, G);
    uint32_t inner = s.call;
    code_profile_return(&s, MAIN + 40, true);
    assert_int_equal(s.call, inner);
    code_profile_return(&s, MAIN + 4, false);
    assert_int_equal(s.call, inner);
    code_profile_return(&s, MAIN + 4, true);
    assert_int_equal(s.call, 0);
    assert_int_equal(s.depth, 0);
    free(s.frames);
    code_profile_free(p);
}

static void calls_that_are_too_deep_belong_to_their_caller(void **state)
{
    struct code_profile *p = new_profile();
    struct call_stack s = {0};
    for (uint64_t i = 0; i < PROFILE_DEPTH_MAX; i++)
        call(p, &s, MAIN + 0x100 * i, MAIN + 0x100 * (i + 1));
    uint32_t last = s.call;
    call(p, &s, F, G);
    assert_int_equal(s.call, last);
    assert_int_equal(s.depth, PROFILE_DEPTH_MAX);
    free(s.frames);
    code_profile_free(p);
}

/* Two harts that meet functions in different orders. */
static void sums_do_not_depend_on_who_comes_first(void **state)
{
    struct code_profile *a = new_profile(), *b = new_profile(),
                        *sum = new_profile();
    struct call_stack s = {0};
    call(a, &s, MAIN, F);
    count(a, &s, F, 1);
    code_profile_return(&s, MAIN + 4, true);
    call(b, &s, MAIN + 8, G);
    count(b, &s, G, 10);
    code_profile_return(&s, MAIN + 12, true);
    call(b, &s, MAIN, F);
    count(b, &s, F, 100);
    code_profile_merge(sum, a);
    code_profile_merge(sum, b);
    assert_int_equal(sum->call_count, 3);
    assert_int_equal(counted(sum, 1, F), 101);
    assert_int_equal(counted(sum, 2, G), 10);
    assert_int_equal(sum->calls[1].calls, 2);
    free(s.frames);
    code_profile_free(a);
    code_profile_free(b);
    code_profile_free(sum);
}

/* Enough that tables grow several times. */
static void many_places_are_found_again(void **state)
{
    struct code_profile *p = new_profile();
    const struct call_stack s = {0};
    for (int round = 0; round < 2; round++)
        for (uint64_t pc = 0; pc < 4000; pc += 2)
            count(p, &s, pc, pc);
    assert_int_equal(p->site_count, 2000);
    for (uint64_t pc = 0; pc < 4000; pc += 2)
        assert_int_equal(counted(p, 0, pc), 2 * pc);
    code_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_told_apart_by_their_paths),
        cmocka_unit_test(recursion_is_folded),
        cmocka_unit_test(returns_go_to_where_the_call_was_made),
        cmocka_unit_test(calls_that_are_too_deep_belong_to_their_caller),
        cmocka_unit_test(sums_do_not_depend_on_who_comes_first),
        cmocka_unit_test(many_places_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
