/*
 * The stream scheduler's policy alone, at random: trees, items, limits. Each
 * item is traced once, parents retire before their children, and it ends.
 */
#include "sim/units/streams/streamscheduler_bench.h"

struct random {
    uint64_t state;
};

static uint32_t pick(struct random *r, uint32_t count)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->state >> 33) % count;
}

/* A tree numbered breadth first. */
static uint32_t random_tree(struct random *r, uint32_t *children)
{
    uint32_t count = 1;
    memset(children, 0, SEGMENTS * sizeof *children);
    for (uint32_t s = 0; s < count; s++) {
        children[s] = pick(r, s ? 4 : 8);
        if (children[s] > SEGMENTS - count)
            children[s] = SEGMENTS - count;
        count += children[s];
    }
    return count;
}

/* Items go on to some of the children. */
static void trace(struct toy *t, struct random *r, uint32_t bucket)
{
    struct policy_segment *s = &t->segments[t->segment_of[bucket]];
    for (uint32_t i = 0; i < t->items_of[bucket]; i++)
        for (uint32_t c = 0, hint = 0; c < s->children; c++)
            if (!pick(r, 2))
                item(t, s->first_child + c, hint++);
}

/* A TM with up to two buckets. Returns when it is done; each bucket is read and
 * finished once, and parents retire before their children (retire). */
static void run_random(struct toy *t, struct random *r, uint32_t roots)
{
    uint32_t held[2], count = 0, read = 0;
    for (uint32_t idle = 0; !policy_is_done(&t->p); idle++) {
        assert_true(idle < 10000);
        *t->said = 0;
        if (roots && !pick(r, 2)) {
            item(t, 0, 0);
            if (!--roots)
                roots_seen(t);
        }
        cycle(t);
        uint32_t bucket = count < 2 ? load(t) : POLICY_NONE;
        if (bucket != POLICY_NONE) {
            held[count++] = bucket;
            read++;
        } else if (count && !pick(r, 3)) {
            bucket = held[0];
            held[0] = held[--count];
            trace(t, r, bucket);
            assert_true(policy_complete(&t->p, t->segment_of[bucket]));
        }
    }
    assert_int_equal(count, 0);
    assert_int_equal(read, t->written);
    assert_int_equal(t->p.ready + t->p.active + t->p.fetching, 0);
}

static void all_is_traced_once(void **state)
{
    struct random r = {1};
    for (unsigned round = 0; round < 2000; round++) {
        uint32_t children[SEGMENTS], count = random_tree(&r, children);
        struct toy *t = toy_new(pick(&r, 2), pick(&r, 3), 1 + pick(&r, 5),
                                1 + pick(&r, pick(&r, 2) ? 8 : SEGMENTS));
        toy_start(t, children, count);
        run_random(t, &r, 1 + pick(&r, 20));
        for (uint32_t s = 0; s < count; s++) {
            assert_int_equal(t->segments[s].opened, t->segments[s].finished);
            assert_int_equal(t->items[s], 0);
        }
        free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_traced_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
