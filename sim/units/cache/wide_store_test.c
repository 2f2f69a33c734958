/*
 * Stores of up to a sector travel through every cache to its owner, and from
 * there to any memory.
 */
#include "sim/units/common/bench.h"

#define SECTOR_AT 0x40000u /* writable */

/* The caches from the first to the owner, and what is behind it. */
struct way {
    int64_t write; /* of the copy: 1 through, 2 back */
    int64_t allocate;
    int64_t reply_width;
    bool copy, owner;
    const char *memory; /* NULL: the bench's */
};

static struct unit *add_cache(struct bench *b, struct unit *above, bool owner)
{
    struct unit *c = bench_unit(b, "cache", owner ? "owner" : "copy");
    bench_set(b, c, "owner", owner);
    if (!above) {
        bench_driver(b, c, "cpu", "reply");
        return c;
    }
    bench_link(b, above, "mem", c, "cpu", DEPTH);
    bench_link(b, c, "reply", above, "fill", 0);
    return c;
}

/* Each byte of what is written has a value of its own. */
static struct payload bytes_to_write(void)
{
    struct payload p;
    for (unsigned i = 0; i < SECTOR; i++)
        p.bytes[i] = (uint8_t)(i + 1);
    return p;
}

static const struct {
    unsigned at, size;
} parts[] = {{0, 32}, {4, 24}, {16, 16}, {3, 11}};
#define PARTS (unsigned)(sizeof parts / sizeof *parts)

static void build_way(struct bench *b)
{
    const struct way *w = b->scenario->with;
    struct unit *c = NULL;
    if (w->copy) {
        c = add_cache(b, NULL, false);
        bench_set(b, c, "write", w->write);
        bench_set(b, c, "allocate", w->allocate);
        bench_set(b, c, "reply_width", w->reply_width);
    }
    if (w->owner)
        c = add_cache(b, c, true);
    if (w->memory) {
        struct unit *m = bench_unit(b, w->memory, "memory");
        bench_link(b, c, "mem", m, "cpu", DEPTH);
        bench_link(b, m, "reply", c, "fill", 0);
    } else {
        bench_below(b, c, "mem", "fill", 50);
    }
    struct payload bytes = bytes_to_write();
    struct driver *d = b->drivers[0];
    for (unsigned i = 0; i < PARTS; i++)
        driver_ask(d, 0,
                   (struct msg){.op = MEM_WRITE,
                                .addr = SECTOR_AT + i * 1024 + parts[i].at,
                                .size = (uint8_t)parts[i].size},
                   &bytes);
    for (unsigned i = 0; i < PARTS; i++)
        driver_load(d, 1000, SECTOR_AT + i * 1024 + 8);
    driver_invalidate(d, 2000);
    driver_ask(d, 3000, (struct msg){.op = MEM_FLUSH}, NULL);
}

static uint8_t expected(unsigned part, unsigned at)
{
    bool in = at >= parts[part].at && at < parts[part].at + parts[part].size;
    return in ? (uint8_t)(at + 1) : 0;
}

/* Loads see what was stored, and so does the memory after the fence. */
static void check_way(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    assert_int_equal(driver_unanswered(d), 0);
    for (unsigned i = 0; i < PARTS; i++) {
        uint64_t word = driver_value(d, PARTS + i);
        assert_int_equal(driver_answer(d, i)->msg.op, MEM_DONE);
        for (unsigned k = 0; k < 8; k++)
            assert_int_equal((uint8_t)(word >> 8 * k), expected(i, 8 + k));
        const uint8_t *at =
            (const uint8_t *)bench_word(b, SECTOR_AT + i * 1024);
        for (unsigned k = 0; k < SECTOR; k++)
            assert_int_equal(at[k], expected(i, k));
    }
}

static void stores_of_a_sector_go_everywhere(void **state)
{
    static const struct way ways[] = {
        {1, 1, 0, true, false, NULL},  {1, 2, 0, true, false, NULL},
        {2, 1, 0, true, false, NULL},  {2, 2, 0, true, false, NULL},
        {0, 0, 0, false, true, NULL},  {0, 0, 0, true, true, NULL},
        {2, 2, 32, true, true, NULL},  {0, 0, 0, true, true, "memory"},
        {2, 2, 0, true, true, "dram"}, {0, 0, 0, false, true, "dram"},
    };
    for (unsigned i = 0; i < TABLE_COUNT(ways); i++)
        bench_test_with(build_way, check_way, &ways[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_of_a_sector_go_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
