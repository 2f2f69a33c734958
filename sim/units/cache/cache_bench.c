/* Small caches and stories for the tests of caches: cache_bench.h. */
#include "sim/units/cache/cache_bench.h"
#include <stdlib.h>

struct unit *small_cache(struct bench *b, int64_t ways)
{
    struct unit *c = bench_unit(b, "cache", "cache");
    bench_set(b, c, "size", 128 * ways);
    bench_set(b, c, "ways", ways);
    bench_set(b, c, "latency", LATENCY);
    bench_driver(b, c, "cpu", "reply");
    bench_below(b, c, "mem", "fill", FAR);
    return c;
}

struct unit *small_owner(struct bench *b, int64_t ways)
{
    struct unit *c = small_cache(b, ways);
    bench_set(b, c, "owner", 1);
    return c;
}

/* ---- stories ---- */

static struct msg step_msg(const struct step *s)
{
    static const uint8_t ops[128] = {
        ['l'] = MEM_READ,   ['b'] = MEM_READ,       ['s'] = MEM_WRITE,
        ['t'] = MEM_WRITE,  ['a'] = MEM_ATOMIC,     ['r'] = MEM_ATOMIC,
        ['q'] = MEM_ATOMIC, ['f'] = MEM_INVALIDATE, ['w'] = MEM_FLUSH,
        ['c'] = MEM_BLOCK,  ['x'] = MEM_BLOCK,
    };
    struct msg m = {.op = ops[(int)s->op],
                    .addr = s->addr,
                    .size = 8,
                    .value = s->value,
                    .from = 1};
    if (s->op == 'b' || s->op == 't')
        m.flags = 1;
    if (m.op == MEM_ATOMIC)
        m.aux = s->op == 'a' ? ISA_AMOADD : s->op == 'r' ? ISA_LR : ISA_SC;
    if (m.op == MEM_BLOCK) {
        m.size = 64;
        m.aux = s->op == 'c' ? BLOCK_CLEAN : BLOCK_FLUSH;
    }
    return m;
}

void build_story(struct bench *b)
{
    const struct story *t = b->scenario->with;
    struct unit *c = bench_unit(b, "cache", "cache");
    bench_set(b, c, "size", 512);
    bench_set(b, c, "ways", 4);
    bench_set(b, c, "latency", LATENCY);
    bench_set_all(c, t->settings);
    struct driver *d = bench_driver(b, c, "cpu", "reply");
    bench_below(b, c, "mem", "fill", FAR);
    for (unsigned i = 0; i < 64; i++)
        *bench_word(b, 8 * i) = 100 + i;
    unsigned at = 0, every = t->every ? t->every : 200;
    for (const struct step *s = t->steps; s->op; s++, at += every)
        driver_ask(d, at, step_msg(s), NULL);
}

void check_story(struct bench *b)
{
    const struct story *t = b->scenario->with;
    const struct driver *d = b->drivers[0];
    assert_int_equal(driver_unanswered(d), 0);
    if (t->below)
        below_expect(b->belows[0], t->below);
    for (const struct setting *s = t->stats; s->name; s++)
        if (bench_stat(b->units[0], s->name) != (uint64_t)s->value)
            fail_msg("%s: %llu, expected %lld", s->name,
                     (unsigned long long)bench_stat(b->units[0], s->name),
                     (long long)s->value);
    for (const struct setting *s = t->values; s->name; s++)
        assert_int_equal(driver_value(d, (unsigned)atoi(s->name)), s->value);
    for (const struct setting *s = t->words; s->name; s++)
        assert_int_equal(*bench_word(b, strtoull(s->name, NULL, 16)), s->value);
}

void play_story(struct story t)
{
    bench_test_with(build_story, check_story, &t);
}
