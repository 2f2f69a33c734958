/*
 * Harts with random scripts behind two or three levels of caches: each sees its
 * own stores, none sees an older value after a newer one, no addition is
 * lost; and these checks find faults that are made on purpose.
 */
#include "ci/tests/runs.h"
#include "sim/units/cache/cache_bench.h"

/* ---- random traffic ---- */

/*
 * Harts behind two L1s behind one owner. Each hart stores growing numbers to
 * words of its own, loads these and the words of others, and adds to common
 * counters. All words lie in few lines, so that everything meets.
 */
#define HARTS 6u
#define WORDS 4u /* of each hart */
#define COUNTERS 2u
#define OPERATIONS 250u

struct traffic {
    unsigned seed;
    unsigned levels; /* caches on the way to memory; 0: 2 */
    enum below_fault fault;
    const char *where, *what; /* a fault made on purpose in a cache */
    unsigned when;
    bool bare; /* harts right at the memory: where faults are tried */
    bool one;  /* all harts at one L1, which performs the atomics */
    bool expect_wrong;
    bool count_wrong; /* runs in which something was, in `found` */
};

static unsigned found;

/* Words of different harts share sectors. */
static uint64_t word_of(unsigned hart, unsigned word)
{
    return 8 * (word * HARTS + hart);
}

static uint64_t counter(unsigned n)
{
    return word_of(0, WORDS) + 8 + 48 * n;
}

static unsigned pick(unsigned *random, unsigned below)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 10) % below;
}

/* A fence, a flush, or an operation on the block around the word. */
static struct msg upkeep(uint64_t address, unsigned *random)
{
    switch (pick(random, 4)) {
    case 0:
        return (struct msg){.op = MEM_FLUSH};
    case 1:
        return (struct msg){.op = MEM_BLOCK,
                            .addr = address / 64 * 64,
                            .size = 64,
                            .aux = (uint8_t)pick(random, 3)};
    default:
        return (struct msg){.op = MEM_INVALIDATE};
    }
}

static void pass_by(struct msg *m, unsigned *random)
{
    if (m->op == MEM_READ || m->op == MEM_WRITE)
        m->flags = (uint8_t)(1 + pick(random, 3));
}

static void script(struct driver *d, unsigned hart, unsigned *random)
{
    uint64_t at = 0;
    unsigned whose;
    for (unsigned i = 0; i < OPERATIONS; i++) {
        uint64_t mine = word_of(hart, pick(random, WORDS));
        at += pick(random, 4) ? 0 : pick(random, 60);
        switch (pick(random, 8)) {
        case 0:
        case 1:
            driver_store(d, at, mine, i + 1);
            break;
        case 2:
            driver_atomic(d, at, counter(pick(random, COUNTERS)), ISA_AMOADD,
                          1);
            break;
        case 3:
            driver_atomic(d, at, mine, ISA_AMOSWAP, i + 1);
            break;
        case 4:
            if (pick(random, 6) == 0)
                driver_ask(d, at, upkeep(mine, random), NULL);
            break;
        case 5:
            whose = pick(random, HARTS);
            driver_load(d, at, word_of(whose, pick(random, WORDS)));
            break;
        default:
            driver_load(d, at, mine);
        }
        if (d->count && pick(random, 6) == 0)
            pass_by(&d->asks[d->count - 1].msg, random);
    }
}

static struct unit *traffic_l1(struct bench *b, const char *name,
                               unsigned *random)
{
    struct unit *c = bench_unit(b, "cache", name);
    bench_set(b, c, "line", 64 << pick(random, 2));
    bench_set(b, c, "ways", 1 << pick(random, 2));
    bench_set(b, c, "size", 512);
    bench_set(b, c, "banks", 1 << pick(random, 2));
    bench_set(b, c, "latency", 1 + pick(random, 8));
    bench_set(b, c, "mshrs", 1 + pick(random, 6));
    bench_set(b, c, "targets", 1 + pick(random, 4));
    bench_set(b, c, "pass", 1 + pick(random, 10));
    bench_set(b, c, "replacement",
              pick(random, CHOICE_COUNT(CACHE_REPLACEMENTS)));
    bench_set(b, c, "sector", 32 << pick(random, 2));
    bench_set(b, c, "fill", 64);
    bench_set(b, c, "mshrs", 2 + pick(random, 6));
    bench_set(b, c, "prefetch", pick(random, 3));
    bench_set(b, c, "write", pick(random, 3));
    bench_set(b, c, "allocate", pick(random, 3));
    bench_set(b, c, "updates", 8 + pick(random, 8));
    bench_set(b, c, "reply_width", 8 * pick(random, 3));
    bench_set(b, c, "mem_width", 16 * pick(random, 3));
    bench_set(b, c, "fill_width", 16 * pick(random, 3));
    bench_set(b, c, "classify", pick(random, 2));
    return c;
}

static void join(struct bench *b, struct unit *above, struct unit *below,
                 unsigned *random)
{
    bench_link(b, above, "mem", below, "cpu", 1 + pick(random, 8));
    bench_link(b, below, "reply", above, "fill", 0);
}

static void make_fault(struct bench *b, struct unit *u, const struct traffic *t)
{
    struct error e;
    if (!chip_set_text(b->chip, u, "fault", t->what, &e))
        fail_msg("%s", e.text);
    bench_set(b, u, "fault_at", t->when);
}

static void build_caches(struct bench *b, unsigned *random)
{
    const struct traffic *t = b->scenario->with;
    struct unit *owner = bench_unit(b, "cache", "owner");
    bench_set(b, owner, "owner", 1);
    bench_set(b, owner, "size", 256);
    bench_set(b, owner, "ways", 2);
    bench_set(b, owner, "latency", 1 + pick(random, 12));
    bench_set(b, owner, "mshrs", 1 + pick(random, 4));
    bench_set(b, owner, "write", pick(random, 3));
    bench_set(b, owner, "allocate", pick(random, 3));
    struct unit *l1[] = {traffic_l1(b, "l1a", random),
                         traffic_l1(b, "l1b", random)};
    for (unsigned i = 0; i < 2; i++) {
        struct unit *below = owner;
        if (t->levels > 2) {
            below = traffic_l1(b, i ? "l2b" : "l2a", random);
            join(b, below, owner, random);
        }
        join(b, l1[i], below, random);
    }
    struct unit *memory = bench_unit(b, "memory", "memory");
    bench_set(b, memory, "latency", 1 + pick(random, 100));
    bench_set(b, memory, "bandwidth", 5000 + pick(random, 40000));
    bench_link(b, owner, "mem", memory, "cpu", 4);
    bench_link(b, memory, "reply", owner, "fill", 0);
    for (unsigned hart = 0; hart < HARTS; hart++)
        script(bench_driver(b, l1[t->one ? 0 : hart % 2], "cpu", "reply"), hart,
               random);
    if (t->one) {
        bench_driver(b, l1[1], "cpu", "reply");
        bench_set(b, l1[0], "atomics", 1);
    }
    for (unsigned i = 0; t->what && i < b->unit_count; i++)
        if (!strcmp(b->units[i]->name, t->where))
            make_fault(b, b->units[i], t);
}

/* Six harts in turn at one port of an ideal memory. */
static void build_bare(struct bench *b, unsigned *random)
{
    const struct traffic *t = b->scenario->with;
    struct unit *anchor = bench_unit(b, "cache", "unused");
    struct below *m = bench_below(b, anchor, "mem", "fill", 5);
    bench_driver(b, anchor, "cpu", "reply");
    b->driver_count = 0;
    m->fault = t->fault;
    m->faulty = 100;
    for (unsigned hart = 0; hart < HARTS; hart++)
        script(bench_driver(b, &m->unit, "in", "out"), hart, random);
}

static void build_traffic(struct bench *b)
{
    const struct traffic *t = b->scenario->with;
    unsigned random = t->seed;
    if (t->bare)
        build_bare(b, &random);
    else
        build_caches(b, &random);
}

/* The hart's own words, as its program must see them. */
static unsigned wrong_values(const struct driver *d, unsigned hart,
                             uint64_t *expected)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < d->count; i++) {
        const struct msg *m = &d->asks[i].msg;
        const struct answer *a = NULL;
        for (unsigned k = 0; k < d->answered && !a; k++)
            a = d->answers[k].msg.tag == i ? &d->answers[k] : NULL;
        if (!a || m->op == MEM_INVALIDATE || m->op == MEM_FLUSH ||
            m->op == MEM_BLOCK)
            continue;
        for (unsigned w = 0; w < WORDS; w++) {
            if (m->addr != word_of(hart, w))
                continue;
            wrong += m->op != MEM_WRITE && a->msg.value != expected[w];
            if (m->op != MEM_READ)
                expected[w] = m->value;
        }
    }
    return wrong;
}

/* Others' words: they only grow, and a hart never sees an older one again. */
static unsigned steps_back(const struct driver *d)
{
    uint64_t last[64] = {0};
    unsigned wrong = 0;
    for (unsigned i = 0; i < d->count; i++) {
        const struct msg *m = &d->asks[i].msg;
        if (m->op != MEM_READ)
            continue;
        for (unsigned k = 0; k < d->answered; k++) {
            const struct msg *a = &d->answers[k].msg;
            if (a->tag != i)
                continue;
            wrong += a->value < last[m->addr / 8 % 64];
            last[m->addr / 8 % 64] = a->value;
        }
    }
    return wrong;
}

/* Each value of a counter was seen by exactly one hart that added 1. */
static unsigned wrong_counts(struct bench *b, uint64_t addr)
{
    static unsigned times[HARTS * OPERATIONS + 1];
    unsigned adds = 0, wrong = 0;
    memset(times, 0, sizeof times);
    for (unsigned n = 0; n < b->driver_count; n++) {
        const struct driver *d = b->drivers[n];
        for (unsigned k = 0; k < d->answered; k++) {
            const struct answer *a = &d->answers[k];
            if (d->asks[a->msg.tag].msg.addr == addr &&
                a->msg.value <= HARTS * OPERATIONS)
                times[a->msg.value]++;
        }
        for (unsigned i = 0; i < d->count; i++)
            adds += d->asks[i].msg.addr == addr;
    }
    for (unsigned v = 0; v < adds; v++)
        wrong += times[v] != 1;
    return wrong + (*bench_word(b, addr) != adds);
}

/* Every load is counted once, every miss has one class where they have. */
static void check_counts(struct bench *b)
{
    for (unsigned i = 0; i < b->unit_count; i++) {
        const struct unit *u = b->units[i];
        if (u->kind != &cache_kind)
            continue;
        uint64_t misses = bench_stat(u, "misses_read");
        assert_stat(u, "reads",
                    bench_stat(u, "hits") + bench_stat(u, "joined") + misses +
                        bench_stat(u, "bypassed"));
        uint64_t classes =
            bench_stat(u, "miss_compulsory") + bench_stat(u, "miss_capacity") +
            bench_stat(u, "miss_conflict") + bench_stat(u, "miss_coherence");
        if (classes)
            assert_int_equal(classes, misses);
        assert_in_range(bench_stat(u, "prefetch_useful") +
                            bench_stat(u, "prefetch_useless"),
                        0, bench_stat(u, "prefetches"));
    }
}

static void check_traffic(struct bench *b)
{
    const struct traffic *t = b->scenario->with;
    unsigned wrong = 0;
    for (unsigned hart = 0; hart < HARTS; hart++) {
        const struct driver *d = b->drivers[hart];
        uint64_t expected[WORDS] = {0};
        wrong += driver_unanswered(d);
        wrong += wrong_values(d, hart, expected);
        wrong += steps_back(d);
        for (unsigned w = 0; w < WORDS; w++)
            wrong += *bench_word(b, word_of(hart, w)) != expected[w];
    }
    for (unsigned n = 0; n < COUNTERS; n++)
        wrong += wrong_counts(b, counter(n));
    check_counts(b);
    found += t->count_wrong && wrong;
    if (t->count_wrong)
        return;
    if (wrong && !t->expect_wrong)
        print_message("seed %u\n", t->seed); /* to play it alone */
    if (t->expect_wrong)
        assert_int_not_equal(wrong, 0);
    else
        assert_int_equal(wrong, 0);
}

static void play_traffic(struct traffic t)
{
    /* A client whose answer is lost may try again for ever. */
    bench_play(&(struct scenario){.build = build_traffic,
                                  .check = check_traffic,
                                  .with = &t,
                                  .limit = t.count_wrong ? 100000 : 0});
}

static void harts_see_their_own_stores_and_nothing_is_lost(void **state)
{
    for (unsigned seed = 1; seed <= test_runs(60); seed++)
        play_traffic((struct traffic){.seed = seed});
}

static void nor_with_caches_between_them(void **state)
{
    for (unsigned seed = 100; seed <= 100 + test_runs(60); seed++)
        play_traffic((struct traffic){.seed = seed, .levels = 3});
}

static void nor_where_the_copy_performs_atomics(void **state)
{
    for (unsigned seed = 200; seed <= 200 + test_runs(40); seed++)
        play_traffic((struct traffic){
            .seed = seed, .one = true, .levels = 2 + seed % 2});
}

/* A fault that befalls one event, another in each run, until one is found. */
static void expect_found(const char *what, const char *where)
{
    found = 0;
    for (unsigned seed = 1; seed <= 30 && !found; seed++)
        play_traffic((struct traffic){.seed = seed,
                                      .where = where,
                                      .what = what,
                                      .when = 4 * seed,
                                      .count_wrong = true});
    if (!found)
        fail_msg("%s in %s is never found", what, where);
}

/* Not all faults are found: some change nothing that a client reads. */
static void faults_of_caches_are_found(void **state)
{
    expect_found("flip", "l1a");
    expect_found("flip", "owner");
    expect_found("lost_store", "l1a");
    expect_found("lost_store", "owner");
    expect_found("swap", "l1a");
    expect_found("lost_answer", "l1a");
    expect_found("lost_answer", "owner");
}

static void these_checks_find_faults(void **state)
{
    for (unsigned seed = 1; seed <= 3; seed++) {
        struct traffic t = {.seed = seed, .bare = true};
        play_traffic(t);
        t.expect_wrong = true;
        for (t.fault = DROPPED; t.fault <= OLD_VALUE; t.fault++)
            play_traffic(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harts_see_their_own_stores_and_nothing_is_lost),
        cmocka_unit_test(nor_with_caches_between_them),
        cmocka_unit_test(nor_where_the_copy_performs_atomics),
        cmocka_unit_test(these_checks_find_faults),
        cmocka_unit_test(faults_of_caches_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
