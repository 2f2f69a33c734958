/*
 * The check of memory on the records of a toy machine that does random things:
 * what is right passes, what is wrong does not, whatever was forgotten.
 */
#include "ci/tests/runs.h"
#include "sim/host/memcheck/memory_model_bench.h"

/* ---- a toy machine ---- */

enum { CELLS = 4, QUEUE = 6, STEPS = 4000 };

/* One byte for each cell, apart from the others or in one word. */
struct toy_cache {
    uint8_t copy[CELLS];
    bool valid[CELLS], dirty[CELLS];
    struct check_record queue[QUEUE]; /* to the owner */
    unsigned count;
};

struct toy {
    struct memory_model *model;
    struct toy_cache caches[CACHES];
    uint64_t now;
    unsigned stride;
    bool write_back;
    unsigned values; /* different ones that are stored */
    unsigned wrong;  /* per mille of loads that return what they should not */
    bool failed;
    uint64_t random;
};

static unsigned any(struct toy *t, unsigned below)
{
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(t->random >> 33) % below;
}

static void note(struct toy *t, struct check_record r)
{
    if (!model_take(t->model, &r, &found))
        t->failed = true;
}

static uint64_t address_of(const struct toy *t, unsigned cell)
{
    return 0x100 + (uint64_t)cell * t->stride;
}

/* The cache's oldest message reaches the owner. */
static void toy_perform(struct toy *t, struct toy_cache *c,
                        uint8_t owned[CELLS])
{
    if (!c->count)
        return;
    struct check_record r = c->queue[0];
    memmove(c->queue, c->queue + 1, --c->count * sizeof *c->queue);
    unsigned cell = (unsigned)((r.addr - 0x100) / t->stride);
    owned[cell] = (uint8_t)r.value;
    if (r.kind == CHECK_UPDATED)
        r = updated(t->now, r.hart, r.addr & ~7ull, r.value << 8 * (r.addr % 8),
                    (uint8_t)(1u << r.addr % 8));
    r.cycle = t->now;
    note(t, r);
}

static void toy_send(struct toy *t, struct toy_cache *c, uint32_t hart,
                     unsigned cell, uint8_t value, uint8_t kind)
{
    struct check_record r = performed(0, hart, address_of(t, cell), value, 1);
    r.kind = kind;
    c->queue[c->count++] = r;
}

static void toy_clean(struct toy *t, struct toy_cache *c, uint32_t hart,
                      unsigned cell, uint8_t owned[CELLS])
{
    while (c->count == QUEUE)
        toy_perform(t, c, owned);
    if (c->dirty[cell])
        toy_send(t, c, hart, cell, c->copy[cell], CHECK_UPDATED);
    c->dirty[cell] = false;
}

static void toy_load(struct toy *t, uint32_t hart, unsigned cell,
                     uint8_t owned[CELLS])
{
    struct toy_cache *c = &t->caches[hart / 2];
    uint64_t issued = t->now++;
    while (!c->valid[cell] && c->count)
        toy_perform(t, c, owned); /* its request goes behind them */
    if (!c->valid[cell])
        c->copy[cell] = owned[cell];
    c->valid[cell] = true;
    bool wrong = any(t, 1000) < t->wrong;
    note(t, load(issued, t->now + 1, hart, address_of(t, cell),
                 (uint8_t)(c->copy[cell] + wrong * (1 + any(t, 3))), 1));
    t->now++;
}

static void toy_store(struct toy *t, uint32_t hart, unsigned cell,
                      uint8_t owned[CELLS])
{
    struct toy_cache *c = &t->caches[hart / 2];
    uint8_t value = (uint8_t)any(t, t->values);
    note(t, store(t->now++, hart, address_of(t, cell), value, 1));
    while (c->count == QUEUE)
        toy_perform(t, c, owned);
    if (t->write_back && (c->valid[cell] || any(t, 2))) {
        c->valid[cell] = c->dirty[cell] = true;
        c->copy[cell] = value;
        return;
    }
    if (c->valid[cell])
        c->copy[cell] = value;
    toy_send(t, c, hart, cell, value, CHECK_PERFORMED);
}

static void toy_fence(struct toy *t, uint32_t hart, uint8_t owned[CELLS])
{
    struct toy_cache *c = &t->caches[hart / 2];
    for (unsigned i = 0; i < CELLS; i++)
        toy_clean(t, c, hart, i, owned);
    while (c->count)
        toy_perform(t, c, owned);
    memset(c->valid, 0, sizeof c->valid);
    note(t, drop(t->now++, hart / 2));
    if (!model_drained(t->model, hart, &found))
        t->failed = true;
}

static void toy_step(struct toy *t, uint8_t owned[CELLS])
{
    uint32_t hart = any(t, HARTS);
    unsigned cell = any(t, CELLS), what = any(t, 100);
    struct toy_cache *c = &t->caches[hart / 2];
    t->now++;
    if (what < 40) {
        toy_load(t, hart, cell, owned);
    } else if (what < 75) {
        toy_store(t, hart, cell, owned);
    } else if (what < 90) {
        toy_perform(t, c, owned);
    } else if (what < 98) { /* replaced */
        toy_clean(t, c, hart ^ any(t, 2), cell, owned);
        c->valid[cell] = false;
    } else {
        toy_fence(t, hart, owned);
    }
}

/* True if all records passed. */
static bool toy_run(uint64_t seed, bool write_back, unsigned wrong,
                    uint64_t history, uint64_t longest,
                    struct model_counts *counts)
{
    struct toy t = {.random = seed,
                    .now = 1,
                    .write_back = write_back,
                    .stride = seed & 1 ? 1 : 8,
                    .values = seed & 4 ? 3 : 256,
                    .wrong = wrong};
    uint8_t owned[CELLS];
    t.model = start_with(history, longest);
    for (unsigned i = 0; i < CELLS; i++)
        owned[i] = (uint8_t)address_of(&t, i);
    for (unsigned i = 0; i < STEPS && !t.failed; i++)
        toy_step(&t, owned);
    for (unsigned i = 0; i < CELLS && !t.failed; i++)
        assert_int_equal(memory[address_of(&t, i)], owned[i]);
    *counts = model_counts(t.model);
    model_free(t.model);
    return !t.failed;
}

static void a_toy_machine_passes(void **state)
{
    struct model_counts counts;
    for (uint64_t seed = 0; seed < test_runs(16); seed++) {
        if (!toy_run(seed, seed & 2, 0, 0, 0, &counts))
            fail_msg("seed %u: fault %d at %llx", (unsigned)seed, found.fault,
                     (unsigned long long)found.record.addr);
        assert_int_equal(counts.undecided, 0);
    }
}

static void a_toy_machine_that_errs_does_not(void **state)
{
    struct model_counts counts;
    for (uint64_t seed = 0; seed < test_runs(16); seed++) {
        assert_false(toy_run(seed, seed & 2, 10, 0, 0, &counts));
        assert_int_equal(found.fault, MODEL_LOADED);
    }
}

/* Nothing passes that is not counted, nothing right fails. */
static void what_was_forgotten_is_not_decided(void **state)
{
    struct check_record s = store(1, 0, 0x10, 1, 1);
    struct check_record p = performed(2, 0, 0x10, 1, 1);
    struct check_record l = load(2, 3, 2, 0x10, 0x10, 1);
    struct memory_model *m = start(64);
    assert_true(model_take(m, &l, &found));
    for (unsigned i = 1; i < 1000; i++) {
        s.cycle = 10 * i;
        p.cycle = s.cycle + 5;
        s.value = p.value = i & 1;
        assert_true(model_take(m, &s, &found));
        assert_true(model_take(m, &p, &found));
    }
    l.issued = 20000;
    l.cycle = 20010;
    assert_true(model_take(m, &l, &found));
    assert_int_equal(model_counts(m).undecided, 1);
    l.value = 0xee; /* cannot be told from what was forgotten */
    assert_true(model_take(m, &l, &found));
    struct check_record dropped = drop(19000, 1);
    assert_true(model_take(m, &dropped, &found));
    assert_false(model_take(m, &l, &found));
    model_free(m);
    struct model_counts counts;
    for (uint64_t seed = 0; seed < test_runs(8); seed++)
        assert_true(toy_run(seed, seed & 2, 0, 16, 0, &counts));
}

static void forgetting_what_nobody_reaches_changes_nothing(void **state)
{
    struct model_counts counts;
    for (uint64_t seed = 0; seed < test_runs(16); seed++) {
        assert_true(toy_run(seed, seed & 2, 0, 1024, 500, &counts));
        assert_int_equal(counts.undecided, 0);
        assert_false(toy_run(seed, seed & 2, 10, 1024, 500, &counts));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_toy_machine_passes),
        cmocka_unit_test(a_toy_machine_that_errs_does_not),
        cmocka_unit_test(what_was_forgotten_is_not_decided),
        cmocka_unit_test(forgetting_what_nobody_reaches_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
