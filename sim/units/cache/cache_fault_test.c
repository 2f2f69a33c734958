/*
 * A request that fails below is answered by MEM_FAULT at every level, to all
 * that wait for it, and the caches keep nothing of it.
 */
#include "sim/units/common/bench.h"

#define SECTOR_AT 0x40000u /* writable */
#define REFUSED_UNTIL 400u
#define AFTER 1000u

/* The driver, a cache with these settings, maybe an owner, and a memory that
 * fails at first. */
struct chain {
    struct setting settings[3];
    bool two; /* an owner below */
};

static struct unit *build_chain(struct bench *b)
{
    const struct chain *k = b->scenario->with;
    struct unit *c = bench_unit(b, "cache", "first"), *last = c;
    bench_set_all(c, k->settings);
    bench_driver(b, c, "cpu", "reply");
    if (k->two) {
        last = bench_unit(b, "cache", "last");
        bench_set(b, last, "owner", 1);
        bench_link(b, c, "mem", last, "cpu", DEPTH);
        bench_link(b, last, "reply", c, "fill", 0);
    }
    struct below *m = bench_below(b, last, "mem", "fill", 50);
    m->refused = SECTOR_AT;
    m->refused_until = REFUSED_UNTIL;
    return c;
}

static void assert_fault(const struct bench *b, unsigned tag, enum mem_op op,
                         uint64_t address)
{
    const struct msg *m = &driver_answer(b->drivers[0], tag)->msg;
    assert_int_equal(m->op, MEM_FAULT);
    assert_int_equal(m->aux, op);
    assert_int_equal(m->addr, address);
    assert_int_equal(m->value, b->belows[0]->unit.id);
}

static const struct chain chains[] = {
    {{{NULL, 0}}, false},
    {{{"owner", 1}}, false},
    {{{NULL, 0}}, true},
    {{{"write", 2}, {"allocate", 2}}, true},
    {{{"reply_width", 32}}, false},
    {{{"sector", 128}}, true},
};

static void play(void (*build)(struct bench *b), void (*check)(struct bench *b),
                 const struct chain *k)
{
    bench_test_with(build, check, k);
}

/* ---- loads ---- */

static void build_loads(struct bench *b)
{
    build_chain(b);
    *bench_word(b, SECTOR_AT + 8) = 77;
    driver_load(b->drivers[0], 0, SECTOR_AT);
    driver_load(b->drivers[0], 0, SECTOR_AT + 8);
    driver_load(b->drivers[0], AFTER, SECTOR_AT + 8);
}

static void check_loads(struct bench *b)
{
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_fault(b, 0, MEM_READ, SECTOR_AT);
    assert_fault(b, 1, MEM_READ, SECTOR_AT + 8);
    assert_int_equal(driver_value(b->drivers[0], 2), 77);
    assert_stat(b->units[0], "joined", 1);
    assert_stat(b->units[0], "misses_read", 2);
    assert_stat(b->units[0], "hits", 0);
}

static void a_fault_reaches_all_that_wait_and_nothing_is_kept(void **state)
{
    for (unsigned i = 0; i < TABLE_COUNT(chains); i++)
        play(build_loads, check_loads, &chains[i]);
}

/* ---- requests that are passed on ---- */

static void build_passed(struct bench *b)
{
    struct msg past = {.op = MEM_READ,
                       .addr = SECTOR_AT + 16,
                       .size = 8,
                       .flags = 2}; /* levels that keep no copy */
    build_chain(b);
    driver_atomic(b->drivers[0], 0, SECTOR_AT, ISA_AMOADD, 5);
    driver_ask(b->drivers[0], 150, past, NULL);
    driver_load(b->drivers[0], AFTER, SECTOR_AT);
}

static void check_passed(struct bench *b)
{
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_fault(b, 0, MEM_ATOMIC, SECTOR_AT);
    assert_fault(b, 1, MEM_READ, SECTOR_AT + 16);
    assert_int_equal(driver_value(b->drivers[0], 2), 0);
}

static void so_it_does_where_requests_pass_by(void **state)
{
    for (unsigned i = 0; i < TABLE_COUNT(chains); i++)
        play(build_passed, check_passed, &chains[i]);
}

/* ---- stores through a copy ---- */

/* The copy has taken the bytes when it learns that they went nowhere. */
static void build_store(struct bench *b)
{
    build_chain(b);
    driver_store(b->drivers[0], 0, SECTOR_AT, 9);
    driver_load(b->drivers[0], AFTER, SECTOR_AT);
}

static void check_store(struct bench *b)
{
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_fault(b, 0, MEM_WRITE, SECTOR_AT);
    assert_int_equal(driver_value(b->drivers[0], 1), 0);
}

static void a_copy_forgets_what_was_not_written(void **state)
{
    static const struct chain through = {{{"allocate", 2}}, false};
    play(build_store, check_store, &through);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_reaches_all_that_wait_and_nothing_is_kept),
        cmocka_unit_test(so_it_does_where_requests_pass_by),
        cmocka_unit_test(a_copy_forgets_what_was_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
