/*
 * The stream scheduler among toys: every item is traced once, by whatever TM,
 * no item comes after its segment, buckets balance, each has its own addresses.
 */
#include "sim/units/streams/streamscheduler_client_bench.h"

/* ---- what is to come of it ---- */

struct expected {
    uint64_t items, dead, hash, live;
};

static void expect_items(const struct bench *b, uint32_t ray, uint32_t segment,
                         struct expected *e)
{
    const struct toy_run *r = b->scenario->with;
    const struct corbel_treelet *t =
        corbel_scene_treelet(b->machine.scene, segment);
    e->items++;
    if (toy_is_dead(r, ray, segment)) {
        e->dead++;
        return;
    }
    e->live++;
    e->hash += toy_hash(ray, segment, 4);
    for (uint32_t i = 0; i < t->children; i++)
        if (toy_enters(ray, t->first_child + i))
            expect_items(b, ray, t->first_child + i, e);
}

static void check_items(const struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    struct expected e = {0};
    uint64_t hash = 0, live = 0;
    for (uint32_t ray = 0; ray < r->rays; ray++)
        expect_items(b, ray, 0, &e);
    for (uint32_t i = 0; i < r->tms; i++) {
        const struct toy *t = (const struct toy *)b->units[1 + i];
        assert_int_equal(t->left, 0);
        assert_int_equal(t->ends, r->ahead);
        assert_false(t->refused);
        hash += t->stats.hash;
        live += t->live;
    }
    assert_int_equal(live, e.live);
    assert_int_equal(hash, e.hash);
    assert_stat(b->units[0], "items", e.items);
    assert_stat(b->units[0], "dead", e.dead);
    assert_stat(b->units[0], "live", e.live);
    assert_stat(b->units[0], "roots", r->rays);
}

static void check_buckets(const struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    const struct unit *u = b->units[0];
    uint64_t opened = bench_stat(u, "opened");
    uint64_t live = bench_stat(u, "items") - bench_stat(u, "dead");
    uint64_t room = (r->bucket - 16) / 36;
    assert_stat(u, "written", opened);
    assert_stat(u, "read", opened);
    assert_stat(u, "retired", opened);
    assert_stat(u, "bytes_written", opened * r->bucket);
    assert_stat(u, "bytes_read", opened * r->bucket);
    assert_stat(u, "stored", live);
    assert_stat(u, "moved_out", live);
    uint64_t sectors = r->on_chip ? opened * r->bucket / SECTOR : 0;
    assert_stat(u, "on_chip_writes", sectors);
    assert_stat(u, "on_chip_reads", sectors);
    assert_true(opened >= (live + room - 1) / room);
    /* By segment one bucket of each is open at a time, of the roots one in each
     * bank. */
    uint64_t parts =
        r->by_segment ? r->segments - 1 + r->banks : r->banks * r->segments;
    assert_true(opened <= live / room + parts);
    live = bench_stat(u, "live_roots");
    opened = bench_stat(u, "written_roots");
    assert_in_range(opened, (live + room - 1) / room, live / room + r->banks);
    assert_int_equal(bench_stat(u, "fetched") + bench_stat(u, "culled"),
                     r->segments);
    assert_int_equal(((const struct toy *)b->units[1 + r->tms])->flushes, 1);
}

/* Each sector of the heap is written and read in turn, in its partition. */
static void check_addresses(const struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    static uint8_t written[1 << 16];
    uint64_t sectors = 0;
    memset(written, 0, sizeof written);
    for (uint32_t p = 0; p < b->below_count; p++)
        for (uint32_t i = 0; i < b->belows[p]->count; i++) {
            const struct msg *m = &b->belows[p]->seen[i].msg;
            uint64_t at = (m->addr - 0x200000) / SECTOR;
            assert_true(m->addr >= 0x200000 && at < sizeof written);
            assert_int_equal(m->addr / 8192 % r->partitions, p);
            assert_int_equal(m->size, SECTOR);
            assert_int_equal(m->aux, CLIENT_RAYS);
            assert_int_equal(m->op, written[at] ? MEM_FILL : MEM_WRITEBACK);
            written[at] = !written[at];
            sectors++;
        }
    for (uint32_t i = 0; i < sizeof written; i++)
        assert_false(written[i]);
    uint64_t bytes = r->on_chip ? 0 : 2 * bench_stat(b->units[0], "bytes_read");
    assert_int_equal(sectors * SECTOR, bytes);
}

static void check_scene_buffer(const struct bench *b)
{
    const struct toy_run *r = b->scenario->with;
    if (!r->slots)
        return;
    const struct toy *t = (const struct toy *)b->units[2 + r->tms];
    uint32_t fetched = 0;
    for (uint32_t s = 0; s < r->segments; s++)
        fetched += t->was_here[s];
    assert_stat(b->units[0], "fetched", fetched);
    assert_int_equal(t->held, 0);
}

static void build(struct bench *b)
{
    toy_chip(b, toy_begin);
}

static void check(struct bench *b)
{
    assert_int_equal(b->stop, ENGINE_DEADLOCK); /* nothing more to do */
    check_items(b);
    check_buckets(b);
    check_addresses(b);
    check_scene_buffer(b);
    assert_explained(b->units[0], "");
}

static void play(const struct toy_run *r)
{
    bench_play(&(struct scenario){
        .build = build, .check = check, .with = r, .toy = &toy_kind});
}

/* ---- runs ---- */

static const struct toy_run ordinary = {.tms = 3,
                                        .rays = 200,
                                        .segments = 20,
                                        .children = 4,
                                        .dead = 9,
                                        .ahead = 2,
                                        .partitions = 2,
                                        .banks = 2,
                                        .bucket = 512,
                                        .depth = 2,
                                        .jobs = 2,
                                        .low_water = 4};

/* An ordinary run but for what is said. */
#define PLAY(...)                                                              \
    do {                                                                       \
        struct toy_run r = ordinary;                                           \
        __VA_ARGS__;                                                           \
        play(&r);                                                              \
    } while (0)

static void all_items_are_traced(void **state)
{
    PLAY();
    PLAY(r.order = 1, r.weight = 1);
    PLAY(r.on_chip = true, r.weight = 2);
    PLAY(r.slots = 3);
    PLAY(r.slots = 2, r.active = 5);
    PLAY(r.by_segment = true);
    PLAY(r.by_segment = true, r.banks = 7, r.depth = 1, r.slots = 3);
}

static void edges(void **state)
{
    PLAY(r.rays = 0);
    PLAY(r.rays = 1);
    PLAY(r.dead = 1);
    PLAY(r.segments = 1);
    PLAY(r.slots = 1, r.order = 1);
    PLAY(r.active = 1, r.low_water = 1);
    PLAY(r.banks = 5, r.ahead = 4, r.depth = 1);
    PLAY(r.slots = 3, r.slow = 50, r.depth = 1);
}

/* More buckets than the heap has room for at a time. */
static void check_again(struct bench *b)
{
    check(b);
    assert_true(bench_stat(b->units[0], "opened") > 128);
}

static void places_are_used_again(void **state)
{
    struct toy_run r = ordinary;
    r.tms = r.banks = 8;
    r.segments = TOY_SEGMENTS;
    r.bucket = 8192;
    bench_play(&(struct scenario){
        .build = build, .check = check_again, .with = &r, .toy = &toy_kind});
}

struct random {
    uint64_t state;
};

static uint32_t pick(struct random *r, uint32_t least, uint32_t most)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return least + (uint32_t)(r->state >> 33) % (most - least + 1);
}

static void at_random(void **state)
{
    struct random x = {1};
    for (unsigned i = 0; i < 40; i++) {
        struct toy_run r = {.tms = pick(&x, 1, 8),
                            .rays = pick(&x, 0, 300),
                            .segments = pick(&x, 1, TOY_SEGMENTS),
                            .children = pick(&x, 1, 6),
                            .dead = pick(&x, 0, 6),
                            .pace = pick(&x, 0, 5),
                            .ahead = pick(&x, 1, 4),
                            .partitions = pick(&x, 1, 4),
                            .banks = pick(&x, 1, 8),
                            .bucket = 512u << pick(&x, 0, 4),
                            .depth = pick(&x, 1, 4),
                            .jobs = pick(&x, 1, 4),
                            .order = pick(&x, 0, 1),
                            .weight = pick(&x, 0, 2),
                            .low_water = pick(&x, 1, 16),
                            .on_chip = !pick(&x, 0, 3),
                            .reads_first = pick(&x, 0, 1),
                            .by_segment = pick(&x, 0, 1)};
        r.slots = pick(&x, 0, 1) ? pick(&x, 1, 8) : 0;
        r.active = r.slots ? 0 : pick(&x, 0, 4);
        play(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_items_are_traced),
        cmocka_unit_test(edges),
        cmocka_unit_test(places_are_used_again),
        cmocka_unit_test(at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
