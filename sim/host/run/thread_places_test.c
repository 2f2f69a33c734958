/* Threads on hosts of many kinds, as hwloc describes them in HWLOC_SYNTHETIC,
 * and on this one. */
#include "sim/host/run/thread_places.h"
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static void check(const struct places *p, unsigned n, const char *processors,
                  unsigned node)
{
    char text[100];
    unsigned found;
    places_tell(p, n, text, sizeof text, &found);
    assert_string_equal(text, processors);
    assert_int_equal(found, node);
}

static void neighbours_share_what_is_nearest(void **state)
{
    (void)state;
    setenv("HWLOC_SYNTHETIC", "numa:2 l3:2 core:4 pu:2", 1);
    struct places *p = places_new(16); /* one of each core */
    assert_non_null(p);
    assert_int_equal(places_nodes(p), 2);
    check(p, 0, "0-7", 0);
    check(p, 3, "0-7", 0);
    check(p, 4, "8-15", 0);
    check(p, 8, "16-23", 1);
    check(p, 15, "24-31", 1);
    places_free(p);
    p = places_new(32); /* one of each processor */
    assert_non_null(p);
    check(p, 7, "0-7", 0);
    check(p, 8, "8-15", 0);
    check(p, 31, "24-31", 1);
    places_free(p);
    setenv("HWLOC_SYNTHETIC", "package:2 core:4 pu:1", 1);
    p = places_new(8);
    assert_non_null(p);
    check(p, 3, "0-3", 0);
    check(p, 4, "4-7", 0);
    places_free(p);
}

static void one_cache_is_one_place(void **state)
{
    (void)state;
    setenv("HWLOC_SYNTHETIC", "l3:1 core:8 pu:1", 1);
    assert_null(places_new(8));
}

static void who_takes_a_part_of_the_host_is_left_to_the_system(void **state)
{
    (void)state;
    setenv("HWLOC_SYNTHETIC", "numa:2 l3:2 core:4 pu:2", 1);
    static const unsigned threads[] = {1, 2, 8, 15, 17, 31, 33};
    for (unsigned i = 0; i < sizeof threads / sizeof *threads; i++)
        assert_null(places_new(threads[i]));
    places_take(NULL, 0);
    places_move(NULL, 0, NULL, 0);
    assert_int_equal(places_nodes(NULL), 1);
    places_free(NULL);
}

static unsigned processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return (unsigned)CPU_COUNT(&set);
}

/* As if two processors of this host had a last cache each. */
static void a_thread_of_this_host_has_its_place_and_is_free_again(void **state)
{
    (void)state;
    unsigned all = processors();
    setenv("HWLOC_SYNTHETIC", "l3:2 core:1 pu:1", 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    struct places *p = places_new(2);
    if (all < 2 || !p)
        skip();
    for (unsigned n = 0; n < 2; n++) {
        places_take(p, n);
        assert_int_equal(processors(), 1);
    }
    static char memory[1 << 16];
    memory[1 << 15] = 7;
    places_move(p, 0, memory, sizeof memory);
    assert_int_equal(memory[1 << 15], 7);
    places_free(p);
    assert_int_equal(processors(), all < 2 ? all : 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_share_what_is_nearest),
        cmocka_unit_test(one_cache_is_one_place),
        cmocka_unit_test(who_takes_a_part_of_the_host_is_left_to_the_system),
        cmocka_unit_test(a_thread_of_this_host_has_its_place_and_is_free_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
