/*
 * Reservations, as the harts see them: when an sc stores and when it fails.
 */
#include "sim/units/cache/cache_bench.h"

/* ---- lr and sc ---- */

/* A story of two harts, a and b: what happens every 100 cycles. Without turns:
 * an lr does not wait. */
struct tries {
    const char *steps; /* "a:lr X" as "alX"; l lr, s sc, w store, m amoadd */
    const char *ends;  /* for each step: 0 sc stored, 1 it failed, . any */
};

static void build_tries(struct bench *b)
{
    const struct tries *s = b->scenario->with;
    struct unit *c = small_owner(b, 4);
    bench_set(b, c, "hold", 0);
    bench_driver(b, c, "cpu", "reply");
    unsigned number = 0;
    for (const char *at = s->steps; *at; at += 3, number++) {
        struct driver *d = b->drivers[at[0] - 'a'];
        uint64_t when = 100 * (number + 1), addr = at[2] == 'X' ? 0x40 : 0x80;
        if (at[1] == 'w')
            driver_store(d, when, addr + 8, 50 + number);
        else
            driver_atomic(d, when, addr,
                          at[1] == 'l'   ? ISA_LR
                          : at[1] == 's' ? ISA_SC
                                         : ISA_AMOADD,
                          10 + number);
    }
}

static void check_tries(struct bench *b)
{
    const struct tries *s = b->scenario->with;
    unsigned next[2] = {0}, number = 0;
    uint64_t stored = 0;
    for (const char *at = s->steps; *at; at += 3, number++) {
        unsigned hart = (unsigned)(at[0] - 'a');
        uint64_t value = driver_value(b->drivers[hart], next[hart]++);
        if (s->ends[number] != '.')
            assert_int_equal(value, s->ends[number] - '0');
        if (s->ends[number] == '0' && at[2] == 'X')
            stored = 10 + number;
        if (at[1] == 'm' && at[2] == 'X')
            stored += 10 + number;
    }
    assert_int_equal(*bench_word(b, 0x40), stored);
}

static void play_tries(const char *steps, const char *ends)
{
    struct tries s = {steps, ends};
    bench_test_with(build_tries, check_tries, &s);
}

static void sc_after_lr_stores(void **state)
{
    play_tries("alXasX", ".0");
    play_tries("alXblYasXbsY", "..00");
    play_tries("alXbwYasX", "..0");
}

static void sc_without_lr_fails(void **state)
{
    play_tries("asX", "1");
    play_tries("alXbsX", ".1");
    play_tries("alXasXasX", ".01");
}

static void a_reservation_is_lost_by_the_store_of_another(void **state)
{
    play_tries("alXbwXasX", "..1");
    play_tries("alXbmXasX", "..1");
    play_tries("alXblXbsXasX", "..01");
    play_tries("alXblXasXbsX", "..01");
}

static void a_reservation_is_lost_by_an_lr_elsewhere(void **state)
{
    play_tries("alXalYasX", "..1");
    play_tries("alXalYasY", "..0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sc_after_lr_stores),
        cmocka_unit_test(sc_without_lr_fails),
        cmocka_unit_test(a_reservation_is_lost_by_the_store_of_another),
        cmocka_unit_test(a_reservation_is_lost_by_an_lr_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
