/*
 * The scene buffer: treelets fetched and retired, requests of caches answered,
 * to the cycle; slots used again; what is a mistake is refused.
 */
#include "sim/units/common/bench.h"
#include "sim/units/common/stream.h"
#include "sim/units/streams/scenebuffer.h"
#include <corbel/scene.h>

#define SCENE 0x102000u
#define TREELET 1024u
#define TREELETS 12u
#define STRIDE 256u
#define PARTS 2u
#define MEMORY 40u /* latency */
#define LATENCY 4u
#define BANKS 8u
#define KERNEL 1u
#define BEGIN 500u /* the kernel has begun */

/* Drivers: 0 is the scheduler, the others are L1s. */
static struct driver *scheduler(const struct bench *b)
{
    return b->drivers[0];
}

static struct unit *buffer(struct bench *b, uint32_t slots, unsigned caches)
{
    struct unit *u = bench_unit(b, "scenebuffer", "scenebuffer");
    const struct setting set[] = {
        {"size", slots * TREELET}, {"banks", BANKS},     {"latency", LATENCY},
        {"map_stride", STRIDE},    {"map_parts", PARTS}, {NULL, 0}};
    bench_set_all(u, set);
    bench_driver(b, u, "command", "complete");
    for (unsigned i = 0; i < caches; i++)
        bench_driver(b, u, "cpu", "reply");
    for (unsigned i = 0; i < PARTS; i++)
        bench_below(b, u, "mem", "data", MEMORY);
    struct machine *m = &b->machine;
    m->treelets = (struct range){SCENE, SCENE + TREELETS * TREELET};
    m->treelet_bytes = TREELET;
    for (uint64_t a = SCENE; a < m->treelets.end; a += 8)
        *bench_word(b, a) = a * 3;
    driver_service(scheduler(b), 0);
    return u;
}

static unsigned command(struct bench *b, uint64_t at, enum stream_op op,
                        uint32_t segment)
{
    struct driver *d = scheduler(b);
    struct msg m = {.op = (uint8_t)op, .size = KERNEL};
    unsigned n = driver_ask(d, at, m, NULL);
    d->asks[n].msg.tag = segment;
    return n;
}

static unsigned read(struct bench *b, unsigned cache, uint64_t at,
                     uint64_t address)
{
    struct msg m = {.op = MEM_READ, .addr = address, .size = SECTOR};
    return driver_ask(b->drivers[cache], at, m, NULL);
}

static uint64_t treelet(uint32_t segment)
{
    return SCENE + segment * TREELET;
}

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

static void play(void (*build)(struct bench *), void (*check)(struct bench *))
{
    bench_play(
        &(struct scenario){.build = build, .check = check, .serve = launch});
}

static unsigned asked(const struct bench *b)
{
    return b->belows[0]->count + b->belows[1]->count;
}

static void assert_complete(const struct bench *b, unsigned n,
                            enum mem_op op_or_stream, uint32_t segment)
{
    const struct answer *a = &scheduler(b)->answers[n];
    assert_true(n < scheduler(b)->answered);
    assert_int_equal(a->msg.op, op_or_stream);
    assert_int_equal(a->msg.tag, segment);
    assert_int_equal(a->msg.size, KERNEL);
}

/* ---- a fetch ---- */

static void build_fetch(struct bench *b)
{
    buffer(b, 4, 1);
    command(b, BEGIN, STREAM_FETCH, 5);
}

/* A partition is asked for its stripes in order; it takes one sector a cycle.
 */
static void check_partition(const struct bench *b, unsigned part)
{
    const struct below *m = b->belows[part];
    uint64_t first = scheduler(b)->asks[1].sent + 2 * LINK;
    assert_int_equal(m->count, TREELET / SECTOR / PARTS);
    for (unsigned i = 0; i < m->count; i++) {
        uint64_t at = treelet(5) + i % 8 * SECTOR +
                      (i / 8 * PARTS + part) * (uint64_t)STRIDE;
        assert_int_equal(m->seen[i].msg.op, MEM_FILL);
        assert_int_equal(m->seen[i].msg.aux, CLIENT_SCENE);
        assert_int_equal(m->seen[i].msg.addr, at);
        assert_int_equal(m->seen[i].at, first + i);
    }
}

static void check_fetch(struct bench *b)
{
    check_partition(b, 0);
    check_partition(b, 1);
    assert_complete(b, 0, (enum mem_op)STREAM_FETCHED, 5);
    assert_int_equal(scheduler(b)->answered, 1);
    assert_int_equal(scheduler(b)->answers[0].at,
                     scheduler(b)->asks[1].sent + 4 * LINK + MEMORY +
                         TREELET / SECTOR / PARTS - 1);
    /* Two sectors a cycle and partition are asked for; a report. */
    assert_stat(b->units[0], "busy", TREELET / SECTOR / PARTS / 2 + 1);
    assert_stat(b->units[0], "fills", 1);
    assert_stat(b->units[0], "bytes_in", TREELET);
    assert_stat(b->units[0], "writes", TREELET / SECTOR);
}

static void a_treelet_is_fetched_from_all_partitions(void **state)
{
    play(build_fetch, check_fetch);
}

/* ---- requests ---- */

static void build_reads(struct bench *b)
{
    buffer(b, 4, 1);
    command(b, BEGIN, STREAM_FETCH, 5);
    command(b, BEGIN + 400, STREAM_RETIRE, 5);
    read(b, 1, BEGIN + 20, treelet(5)); /* not all there */
    read(b, 1, BEGIN + 200, treelet(5) + TREELET - SECTOR);
    driver_load(b->drivers[1], BEGIN + 250, treelet(5) + 8);
    read(b, 1, BEGIN + 300, treelet(6));
    read(b, 1, BEGIN + 450, treelet(5));
}

static void assert_refused(const struct bench *b, unsigned tag)
{
    const struct msg *m = &driver_answer(b->drivers[1], tag)->msg;
    assert_int_equal(m->op, MEM_FAULT);
    assert_int_equal(m->aux, MEM_READ);
    assert_int_equal(m->value, b->units[0]->id);
}

static void check_reads(struct bench *b)
{
    struct driver *d = b->drivers[1];
    assert_refused(b, 0);
    assert_refused(b, 3);
    assert_refused(b, 4);
    for (unsigned i = 1; i <= 2; i++) {
        const struct msg *m = &driver_answer(d, i)->msg;
        assert_int_equal(m->op, MEM_DATA);
        assert_int_equal(m->flags, 0);
        assert_int_equal(m->addr, d->asks[i].msg.addr);
        assert_int_equal(driver_took(d, i), 2 * LINK + LATENCY);
    }
    assert_int_equal(driver_value(d, 2), (treelet(5) + 8) * 3);
    assert_stat(b->units[0], "reads", 5);
    assert_stat(b->units[0], "refused", 3);
    assert_stat(b->units[0], "bytes_out", SECTOR + 8);
    assert_stat(b->units[0], "retired", 1);
    assert_stat(b->units[0], "late", 0);
    assert_stat(b->units[0], "slot_cycles", 400);
}

static void caches_read_what_is_there(void **state)
{
    play(build_reads, check_reads);
}

#define CACHES 5u
#define EACH 40u

static void build_banks(struct bench *b)
{
    buffer(b, 4, CACHES);
    command(b, BEGIN, STREAM_FETCH, 0);
    for (unsigned c = 0; c < CACHES; c++)
        for (unsigned i = 0; i < EACH; i++) {
            read(b, 1 + c, BEGIN + 200, treelet(0)); /* all the same bank */
            read(b, 1 + c, BEGIN + 600, treelet(0) + 64 * c); /* each its own */
        }
}

/* One bank gives one answer a cycle, to all in turn; then no L1 waits. */
static void check_banks(struct bench *b)
{
    uint64_t wait = 0;
    for (unsigned c = 0; c < CACHES; c++) {
        const struct driver *d = b->drivers[1 + c];
        assert_int_equal(driver_unanswered(d), 0);
        for (unsigned i = 0; i < EACH; i++) {
            unsigned n = 2 * i;
            uint64_t took = driver_took(d, n) - 2 * LINK - LATENCY;
            wait += took;
            assert_true(took <= CACHES * EACH);
        }
    }
    assert_true(wait > 0);
    assert_stat(b->units[0], "bytes_out", 2 * CACHES * EACH * SECTOR);
}

static void a_bank_takes_one_request_a_cycle(void **state)
{
    play(build_banks, check_banks);
}

/* ---- slots ---- */

/* Each treelet in turn goes through the only slot. */
static void build_one_slot(struct bench *b)
{
    bench_set(b, buffer(b, 1, 1), "commands", 1);
    for (uint32_t s = 0; s < TREELETS; s++) {
        command(b, BEGIN + 200 * s, STREAM_FETCH, s);
        command(b, BEGIN + 200 * s + 150, STREAM_RETIRE, s);
        read(b, 1, BEGIN + 200 * s + 140, treelet(s));
    }
}

static void check_one_slot(struct bench *b)
{
    for (uint32_t s = 0; s < TREELETS; s++) {
        assert_complete(b, s, (enum mem_op)STREAM_FETCHED, s);
        assert_int_equal(driver_answer(b->drivers[1], s)->msg.op, MEM_DATA);
    }
    assert_int_equal(scheduler(b)->answered, TREELETS);
    assert_int_equal(asked(b), TREELETS * TREELET / SECTOR);
    assert_stat(b->units[0], "bytes_in", TREELETS * TREELET);
}

static void a_slot_is_used_again(void **state)
{
    play(build_one_slot, check_one_slot);
}

static void build_all_at_once(struct bench *b)
{
    buffer(b, 4, 1);
    for (uint32_t s = 0; s < 4; s++)
        command(b, BEGIN, STREAM_FETCH, 2 * s);
    command(b, BEGIN, STREAM_FETCH, 1); /* no slot */
    command(b, BEGIN, STREAM_RETIRE, 4);
    command(b, BEGIN, STREAM_FETCH, 11); /* in the place of 4 */
    command(b, BEGIN, STREAM_FETCH, 2);  /* is there */
    command(b, BEGIN, STREAM_RETIRE, 6);
    command(b, BEGIN, STREAM_FETCH, TREELETS); /* does not exist */
    for (uint32_t s = 0; s < TREELETS; s++)
        read(b, 1, BEGIN + 400, treelet(s));
}

static void check_all_at_once(struct bench *b)
{
    static const uint32_t refused[] = {1, 2, TREELETS};
    static const uint32_t there[] = {0, 2, 11};
    for (unsigned i = 0; i < 3; i++) {
        assert_complete(b, i, MEM_FAULT, refused[i]);
        assert_int_equal(scheduler(b)->answers[i].msg.value, b->units[0]->id);
        assert_complete(b, 3 + i, (enum mem_op)STREAM_FETCHED, there[i]);
    }
    assert_int_equal(scheduler(b)->answered, 6);
    for (uint32_t s = 0; s < TREELETS; s++)
        assert_int_equal(driver_answer(b->drivers[1], s)->msg.op,
                         s == 0 || s == 2 || s == 11 ? MEM_DATA : MEM_FAULT);
    assert_stat(b->units[0], "late", 2);
    assert_stat(b->units[0], "fills", 5);
}

static void fetches_that_are_mistakes_are_refused(void **state)
{
    play(build_all_at_once, check_all_at_once);
}

static void build_no_memory(struct bench *b)
{
    build_fetch(b);
    b->belows[0]->refused = treelet(5) + SECTOR;
}

static void check_no_memory(struct bench *b)
{
    const struct answer *a = scheduler(b)->answers;
    assert_complete(b, 0, MEM_FAULT, 5);
    assert_int_equal(a[0].msg.addr, treelet(5) + SECTOR);
    assert_int_equal(a[0].msg.value, b->belows[0]->unit.id);
    assert_int_equal(scheduler(b)->answered, 1);
    assert_stat(b->units[0], "bytes_in", TREELET - SECTOR);
}

static void a_sector_that_memory_refuses_is_told(void **state)
{
    play(build_no_memory, check_no_memory);
}

/* What comes for a slot that was freed does not count for its next treelet,
 * the same one. */
static void build_late(struct bench *b)
{
    buffer(b, 1, 1);
    command(b, BEGIN, STREAM_FETCH, 3);
    command(b, BEGIN + 20, STREAM_RETIRE, 3);
    command(b, BEGIN + 40, STREAM_FETCH, 3);
}

static void check_late(struct bench *b)
{
    assert_complete(b, 0, (enum mem_op)STREAM_FETCHED, 3);
    assert_int_equal(scheduler(b)->answered, 1);
    assert_true(scheduler(b)->answers[0].at > BEGIN + 40 + 4 * LINK + MEMORY);
    assert_stat(b->units[0], "bytes_in", 2 * TREELET);
    assert_stat(b->units[0], "late", 1);
}

static void what_comes_too_late_is_dropped(void **state)
{
    play(build_late, check_late);
}

/* ---- kernels ---- */

static void build_kernels(struct bench *b)
{
    buffer(b, 1, 1);
    command(b, BEGIN, STREAM_FETCH, 3);
    driver_service(scheduler(b), BEGIN + 20);
    command(b, BEGIN + 200, STREAM_FETCH, 4); /* of the first kernel */
    unsigned n = command(b, BEGIN + 300, STREAM_FETCH, 5);
    scheduler(b)->asks[n].msg.size = 2;
    read(b, 1, BEGIN + 600, treelet(3));
    read(b, 1, BEGIN + 600, treelet(5));
}

static void check_kernels(struct bench *b)
{
    assert_int_equal(scheduler(b)->answered, 1);
    assert_int_equal(scheduler(b)->answers[0].msg.tag, 5);
    assert_int_equal(scheduler(b)->answers[0].msg.size, 2);
    assert_refused(b, 0);
    assert_int_equal(driver_answer(b->drivers[1], 1)->msg.op, MEM_DATA);
}

static void a_kernel_begins_with_an_empty_buffer(void **state)
{
    play(build_kernels, check_kernels);
}

/* ---- what it says ---- */

static void check_explained(struct bench *b)
{
    assert_explained(b->units[0],
                     "scenebuffer: 1 of 4 slots in use, 0 commands waiting, 1 "
                     "treelets not all there, 0 requests under way\n");
}

static void a_fetch_under_way_is_explained(void **state)
{
    bench_play(&(struct scenario){.build = build_fetch,
                                  .check = check_explained,
                                  .serve = launch,
                                  .limit = BEGIN + 40});
}

static void check_scenes(struct bench *b)
{
    const struct unit *u = b->units[0];
    struct error e;
    struct corbel_scene scene = {.treelet_bytes = 4 * TREELET};
    assert_true(u->kind->reads(u, &scene, &e));
    scene.treelet_bytes += 64;
    assert_false(u->kind->reads(u, &scene, &e));
    assert_string_equal(
        e.text,
        "treelets of 4160 bytes, more than the scene buffer has (size 4096)");
}

static void a_treelet_fits_into_the_buffer(void **state)
{
    play(build_fetch, check_scenes);
}

static void what_is_connected_wrongly_is_not_built(void **state)
{
#define LINKS {"cpu", "cache", "mem", false}, {"reply", "cache", "fill", true}
    expect_not_built("scenebuffer",
                     &(struct built){.links = {{"cpu", "cache", "mem", false}},
                                     .error = "1 cpu links but 0 reply links"});
    expect_not_built(
        "scenebuffer",
        &(struct built){.links = {LINKS},
                        .error = "no link to and from the stream scheduler"});
    expect_not_built("scenebuffer",
                     &(struct built){.param = "banks",
                                     .value = 12,
                                     .links = {LINKS},
                                     .error = "banks: 12 is no power of two"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_treelet_is_fetched_from_all_partitions),
        cmocka_unit_test(caches_read_what_is_there),
        cmocka_unit_test(a_bank_takes_one_request_a_cycle),
        cmocka_unit_test(a_slot_is_used_again),
        cmocka_unit_test(fetches_that_are_mistakes_are_refused),
        cmocka_unit_test(a_sector_that_memory_refuses_is_told),
        cmocka_unit_test(what_comes_too_late_is_dropped),
        cmocka_unit_test(a_kernel_begins_with_an_empty_buffer),
        cmocka_unit_test(a_fetch_under_way_is_explained),
        cmocka_unit_test(a_treelet_fits_into_the_buffer),
        cmocka_unit_test(what_is_connected_wrongly_is_not_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
