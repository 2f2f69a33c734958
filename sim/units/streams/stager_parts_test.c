/*
 * The staging buffer between scripts: when it asks for buckets, hands items out
 * and says that buckets are complete; what is refused; what a new kernel
 * changes.
 */
#include "sim/units/common/bench.h"
#include "sim/units/common/served_words.h"
#include "sim/units/common/stream.h"
#include <corbel/streams.h>

#define SECOND_GENERATION 0x800u /* in `from` of a request of a hit updater */

enum { CORE, CLERK, KEEPER, RT_CORE };

/* A staging buffer and the scripts around it. */
static void build_parts(struct bench *b, bool rtcore)
{
    struct unit *u = bench_unit(b, "stager", "stager");
    bench_driver(b, u, "op", "done");
    bench_driver(b, u, "bucket", "sched");
    bench_driver(b, u, "record", "hit");
    if (rtcore)
        bench_driver(b, u, "item", "work");
}

/* An instruction of a hart, with up to two words. */
static void core_asks(struct bench *b, uint64_t at, uint32_t hart, uint8_t op,
                      uint64_t words)
{
    struct driver *d = b->drivers[CORE];
    unsigned n =
        driver_ask(d, at, (struct msg){.op = op, .value = words}, NULL);
    d->asks[n].msg.tag = hart << WORDS_HART;
}

static void core_stores(struct bench *b, uint64_t at, uint32_t hart,
                        uint64_t address)
{
    struct driver *d = b->drivers[CORE];
    struct payload p = {{0}};
    memcpy(p.bytes, &address, sizeof address);
    unsigned n = driver_ask(d, at, (struct msg){.op = ISA_CLASS_cshit}, &p);
    d->asks[n].msg.tag = hart << WORDS_HART;
}

static void tell(struct bench *b, unsigned who, uint64_t at, struct msg m,
                 const struct payload *p)
{
    unsigned n = driver_ask(b->drivers[who], at, m, p);
    b->drivers[who]->asks[n].msg.tag = m.tag;
}

/* A bucket of rays 1, 2 ..., a message a cycle. */
static void give_bucket(struct bench *b, uint64_t at, uint32_t segment,
                        uint32_t count, uint8_t kernel)
{
    const struct payload ray = {{0}};
    struct msg m = {.op = STREAM_BUCKET,
                    .addr = 0x1000,
                    .tag = segment,
                    .value = count,
                    .size = kernel};
    tell(b, CLERK, at, m, NULL);
    for (uint32_t i = 1; i <= count; i++)
        tell(b, CLERK, at + i,
             (struct msg){
                 .op = STREAM_ITEM, .addr = i, .tag = segment, .size = kernel},
             &ray);
}

/* The nth message with this op that came to a driver. */
static const struct answer *came(const struct bench *b, unsigned who,
                                 uint8_t op, unsigned nth)
{
    const struct driver *d = b->drivers[who];
    for (unsigned i = 0; i < d->answered; i++)
        if (d->answers[i].msg.op == op && !nth--)
            return &d->answers[i];
    fail_msg("%s: message %d did not come", d->unit.name, op);
    return NULL;
}

static unsigned count(const struct bench *b, unsigned who, uint8_t op)
{
    const struct driver *d = b->drivers[who];
    unsigned n = 0;
    for (unsigned i = 0; i < d->answered; i++)
        n += d->answers[i].msg.op == op;
    return n;
}

/* ---- time ---- */

static void build_time(struct bench *b)
{
    build_parts(b, false);
    for (uint32_t i = 0; i < 8; i++)
        core_asks(b, i < 4 ? 0 : 60, i % 4, ISA_CLASS_lwi, 0);
    give_bucket(b, 10, 5, 2, 0);
    give_bucket(b, 30, 6, 2, 0);
    give_bucket(b, 40, 7, 1, 0);
}

static void check_time(struct bench *b)
{
    static const uint64_t items[] = {18, 19, 38, 39, 66},
                          loads[] = {6, 18, 38, 47};
    for (unsigned i = 0; i < TABLE_COUNT(items); i++)
        assert_int_equal(b->drivers[CORE]->answers[2 * i].at, items[i]);
    for (unsigned i = 0; i < TABLE_COUNT(loads); i++)
        assert_int_equal(came(b, CLERK, STREAM_LOAD, i)->at, loads[i]);
    assert_int_equal(count(b, CLERK, STREAM_LOAD), TABLE_COUNT(loads));
    /* Harts 0 and 1 ask again in cycles 63 and 64. */
    assert_int_equal(came(b, CLERK, STREAM_COMPLETE, 0)->at, 67);
    assert_int_equal(came(b, CLERK, STREAM_COMPLETE, 0)->msg.tag, 5);
    assert_int_equal(came(b, CLERK, STREAM_COMPLETE, 1)->at, 69);
    assert_int_equal(came(b, CLERK, STREAM_COMPLETE, 1)->msg.tag, 6);
    assert_stat(b->units[0], "handing", 5);
    assert_stat(b->units[0], "ahead", 0);
    assert_explained(b->units[0], "stager: 3 wait for an item, a bucket is "
                                  "asked for\n");
}

static void a_bucket_is_fetched_while_items_leave_one_a_cycle(void **state)
{
    bench_test(build_time, check_time);
}

static void build_ahead(struct bench *b)
{
    build_parts(b, false);
    core_asks(b, 0, 0, ISA_CLASS_lwi, 0);
    give_bucket(b, 10, 5, 2, 0);
    give_bucket(b, 30, 6, 1, 0);
    core_asks(b, 60, 1, ISA_CLASS_lwi, 0);
    core_asks(b, 61, 2, ISA_CLASS_lwi, 0);
}

static void check_ahead(struct bench *b)
{
    assert_stat(b->units[0], "ahead", 1);
    assert_int_equal(b->drivers[CORE]->answers[2].at, 66);
    assert_int_equal(b->drivers[CORE]->answers[4].at, 67);
    assert_int_equal(came(b, CLERK, STREAM_LOAD, 2)->at, 67);
    assert_stat(b->units[0], "starved", 12);
}

static void the_next_bucket_follows_without_a_pause(void **state)
{
    bench_test(build_ahead, check_ahead);
}

/* ---- hits before ends ---- */

static struct msg stored(uint32_t from)
{
    return (struct msg){.op = STREAM_STORED, .from = from};
}

static void build_hits(struct bench *b)
{
    build_parts(b, false);
    core_asks(b, 0, 0, ISA_CLASS_lwi, 0);
    give_bucket(b, 10, 5, 1, 0);
    core_stores(b, 30, 0, 0x1000);
    core_asks(b, 31, 0, ISA_CLASS_lwi, 0);
    core_stores(b, 90, 1, 0x1010);
    tell(b, KEEPER, 100, stored(SECOND_GENERATION), NULL);
    tell(b, KEEPER, 200, stored(0), NULL);
}

/* The end waits for the hit before it, and not for the one after it. */
static void check_hits(struct bench *b)
{
    assert_int_equal(came(b, CLERK, STREAM_COMPLETE, 0)->at, 100 + 2 * LINK);
    assert_int_equal(came(b, KEEPER, STREAM_HIT_STORE, 0)->msg.from,
                     SECOND_GENERATION);
    assert_int_equal(came(b, KEEPER, STREAM_HIT_STORE, 1)->msg.from, 0);
    assert_int_equal(b->drivers[CORE]->answers[2].at, 100 + 2 * LINK);
    assert_int_equal(b->drivers[CORE]->answers[3].at, 200 + 2 * LINK);
}

static void an_end_waits_for_earlier_hits_only(void **state)
{
    bench_test(build_hits, check_hits);
}

/* ---- what is refused ---- */

static void assert_refused(const struct answer *a, uint32_t hart,
                           uint64_t address, uint64_t unit)
{
    assert_int_equal(a->msg.op, MEM_FAULT);
    assert_int_equal(a->msg.tag >> WORDS_HART, hart);
    assert_int_equal(a->msg.addr, address);
    assert_int_equal(a->msg.value, unit);
}

static void expect_why(const struct bench *b, const char *why)
{
    const struct unit *u = b->units[0];
    char text[200] = "";
    u->kind->refusal(u, 0, text, sizeof text);
    assert_string_equal(text, why);
}

static void build_refused(struct bench *b)
{
    build_parts(b, false);
    core_asks(b, 0, 3, ISA_CLASS_lhit, 1ull << 44 | 0x20);
    core_stores(b, 1, 4, 1ull << 63 | 0x40);
    core_asks(b, 2, 5, ISA_CLASS_lhit, 0x60);
    struct msg fault = {.op = MEM_FAULT, .addr = 0x60, .value = 9};
    fault.tag = 5u << WORDS_HART;
    tell(b, KEEPER, 20, fault, NULL);
}

static void check_refused(struct bench *b)
{
    const struct answer *a = b->drivers[CORE]->answers;
    assert_refused(&a[0], 3, 0x20, b->units[0]->id);
    assert_refused(&a[1], 4, 0x40, b->units[0]->id);
    assert_refused(&a[2], 5, 0x60, 9);
    assert_int_equal(a[0].msg.aux, MEM_READ);
    assert_int_equal(a[1].msg.aux, MEM_WRITE);
    expect_why(b, "addresses of records have 44 bits");
    assert_int_equal(b->drivers[KEEPER]->answered, 1);
}

static void a_refused_record_is_its_harts_fault(void **state)
{
    bench_test(build_refused, check_refused);
}

/* ---- items ---- */

/* swi of an item of ray 7 in a segment, with what its first words hold. */
static void core_sends(struct bench *b, uint64_t at, uint32_t hart,
                       uint32_t segment, uint64_t first)
{
    struct driver *d = b->drivers[CORE];
    struct payload words = {{0}};
    struct msg m = {.op = ISA_CLASS_swi};
    memcpy(words.bytes, &first, sizeof first);
    unsigned n = driver_ask(d, at, m, &words);
    d->asks[n].msg.tag = hart << WORDS_HART;
    first = (uint64_t)segment << 32 | 7;
    memcpy(words.bytes, &first, sizeof first);
    m.aux = 1;
    n = driver_ask(d, at, m, &words);
    d->asks[n].msg.tag = hart << WORDS_HART;
    d->asks[n].along = true;
}

/* with: an RT core takes the items, which needs the records; else none is. */
static void build_wrong_way(struct bench *b)
{
    bool rtcore = *(const bool *)b->scenario->with;
    build_parts(b, rtcore);
    core_sends(b, 0, 3, CORBEL_SEGMENT_END, rtcore ? 0 : 0x1000);
    core_sends(b, 20, 4, CORBEL_SEGMENT_END, rtcore ? 0x1000 : 0);
}

static void check_wrong_way(struct bench *b)
{
    bool rtcore = *(const bool *)b->scenario->with;
    const struct answer *roots = came(b, CLERK, STREAM_ROOTS, 0);
    assert_refused(came(b, CORE, MEM_FAULT, 0), 3, rtcore ? 0 : 0x1000,
                   b->units[0]->id);
    assert_int_equal(came(b, CORE, MEM_FAULT, 0)->msg.aux, MEM_WRITE);
    assert_int_equal(count(b, CORE, MEM_FAULT), 1);
    assert_int_equal(count(b, CLERK, STREAM_ROOTS), 1);
    assert_int_equal(roots->msg.addr, rtcore ? 0x1000 : 0);
    assert_int_equal(roots->msg.tag, 7);
    expect_why(b, rtcore ? "the RT core takes the work items, "
                           "corbel_stream_roots() without the address of the "
                           "hit records"
                         : "no RT core takes the work items, "
                           "corbel_stream_roots() with an address of hit "
                           "records: programs say NULL and take them");
}

static void who_takes_items_is_not_the_programs_choice(void **state)
{
    for (int rtcore = 0; rtcore < 2; rtcore++)
        bench_test_with(build_wrong_way, check_wrong_way, &(bool){rtcore > 0});
}

static void build_late_item(struct bench *b)
{
    build_parts(b, false);
    core_asks(b, 0, 3, ISA_CLASS_lwi, 0);
    tell(b, CLERK, 20, (struct msg){.op = STREAM_END}, NULL);
    core_sends(b, 40, 3, 2, 0);
}

static void check_late_item(struct bench *b)
{
    assert_int_equal(count(b, CLERK, STREAM_ITEM), 0);
    assert_refused(came(b, CORE, MEM_FAULT, 0), 3, 0, b->units[0]->id);
    expect_why(b, "a work item after all of them were finished");
}

static void an_item_after_the_end_is_refused(void **state)
{
    bench_test(build_late_item, check_late_item);
}

/* ---- what is refused to rays ---- */

static struct msg of_slot(uint8_t op, uint32_t slot)
{
    return (struct msg){.op = op, .from = slot, .addr = 1};
}

/* with: the hart waits for a record before, or asks for anything after. */
static void build_ray_refused(struct bench *b)
{
    bool before = *(const bool *)b->scenario->with;
    build_parts(b, true);
    core_asks(b, 0, 3, ISA_CLASS_lhit, 0x20);
    if (!before)
        b->drivers[CORE]->asks[0].msg.op = ISA_CLASS_lwi;
    tell(b, RT_CORE, 10, of_slot(STREAM_LOAD, 2), NULL);
    give_bucket(b, 20, 5, 1, 0);
    if (!before)
        give_bucket(b, 30, 5, 1, 0);
    struct msg fault = {.op = MEM_FAULT, .addr = 0x7000, .value = 17};
    tell(b, RT_CORE, 40, fault, NULL);
    tell(b, RT_CORE, 41, of_slot(STREAM_LOAD, 2), NULL);
    core_asks(b, 60, 4, ISA_CLASS_lhit, 0x30);
}

static void check_ray_refused(struct bench *b)
{
    bool before = *(const bool *)b->scenario->with;
    assert_int_equal(count(b, CORE, MEM_FAULT), 1);
    assert_refused(came(b, CORE, MEM_FAULT, 0), before ? 3 : 4, 0x7000, 17);
    assert_int_equal(came(b, CORE, MEM_FAULT, 0)->at,
                     (before ? 40 : 60) + 2 * LINK);
    assert_int_equal(count(b, CLERK, STREAM_COMPLETE), 0);
}

static void a_refused_access_of_a_ray_is_told_to_a_hart(void **state)
{
    for (int before = 0; before < 2; before++)
        bench_test_with(build_ray_refused, check_ray_refused,
                        &(bool){before > 0});
}

static void build_bucket_refused(struct bench *b)
{
    build_parts(b, false);
    core_asks(b, 0, 3, ISA_CLASS_lwi, 0);
    core_asks(b, 0, 4, ISA_CLASS_lwi, 0);
    struct msg fault = {.op = MEM_FAULT, .addr = 0x9000, .value = 21};
    tell(b, CLERK, 10, fault, NULL);
}

static void check_bucket_refused(struct bench *b)
{
    assert_int_equal(b->drivers[CORE]->answered, 1);
    assert_refused(&b->drivers[CORE]->answers[0], 3, 0x9000, 21);
    assert_int_equal(b->drivers[CORE]->answers[0].at, 10 + 2 * LINK);
    assert_int_equal(b->drivers[CLERK]->answered, 1);
}

static void a_refused_bucket_is_told_to_a_hart(void **state)
{
    bench_test(build_bucket_refused, check_bucket_refused);
}

/* The slots of an RT core wait before and behind the hart. */
static void build_slots_wait(struct bench *b)
{
    build_parts(b, true);
    core_sends(b, 0, 4, CORBEL_SEGMENT_END, 0x1000);
    tell(b, RT_CORE, 20, of_slot(STREAM_LOAD, 1), NULL);
    tell(b, RT_CORE, 21, of_slot(STREAM_LOAD, 2), NULL);
    core_asks(b, 30, 3, ISA_CLASS_lwi, 0);
    tell(b, RT_CORE, 40, of_slot(STREAM_LOAD, 3), NULL);
    struct msg fault = {.op = MEM_FAULT, .addr = 0x9000, .value = 21};
    tell(b, CLERK, 60, fault, NULL);
}

static void check_slots_wait(struct bench *b)
{
    assert_refused(came(b, CORE, MEM_FAULT, 0), 3, 0x9000, 21);
    assert_int_equal(came(b, CORE, MEM_FAULT, 0)->at, 60 + 2 * LINK);
    assert_explained(b->units[0],
                     "stager: 3 wait for an item, a bucket is asked for\n");
}

static void slots_that_wait_before_a_hart_are_passed_over(void **state)
{
    bench_test(build_slots_wait, check_slots_wait);
}

/* ---- kernels ---- */

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

/* The launch is done before cycle 300. */
static void build_launch(struct bench *b)
{
    build_parts(b, true);
    core_asks(b, 0, 1, ISA_CLASS_lhit, 0x40);
    tell(b, RT_CORE, 10, of_slot(STREAM_LOAD, 2), NULL);
    driver_service(b->drivers[CORE], 50);
    give_bucket(b, 380, 5, 1, 0);
    struct payload hit = {{0}};
    tell(b, RT_CORE, 390, of_slot(STREAM_HIT_STORE, 2), &hit);
    tell(b, RT_CORE, 391, of_slot(STREAM_HIT_LOAD, 2), NULL);
    tell(b, RT_CORE, 392, of_slot(STREAM_LOAD, 2), NULL);
    core_asks(b, 420, 1, ISA_CLASS_lwi, 0);
    give_bucket(b, 450, 6, 1, 1);
}

/* Of the first kernel only what a hart waits for is answered, and a record that
 * a ray waits for: by one that ends it. */
static void check_launch(struct bench *b)
{
    assert_int_equal(count(b, CLERK, STREAM_LOAD), 3);
    assert_int_equal(came(b, CLERK, STREAM_LOAD, 1)->at, 420 + 2 * LINK);
    assert_int_equal(came(b, CLERK, STREAM_LOAD, 1)->msg.size, 1);
    assert_int_equal(b->drivers[KEEPER]->answered, 1);
    assert_int_equal(came(b, KEEPER, STREAM_HIT_LOAD, 0)->msg.addr, 0x40);
    assert_int_equal(came(b, RT_CORE, STREAM_BEGIN, 0)->msg.size, 0);
    assert_int_equal(came(b, RT_CORE, STREAM_BEGIN, 1)->msg.size, 1);
    const struct answer *late = came(b, RT_CORE, STREAM_HIT, 0);
    assert_true(stream_hit(late->payload.bytes).t == 0);
    assert_int_equal(late->msg.from, 2);
    assert_int_equal(b->drivers[RT_CORE]->answered, 3);
    assert_int_equal(b->drivers[CORE]->answered, 2);
    assert_stat(b->units[0], "buckets", 1);
}

static void a_kernel_begins_without_anything_of_the_last(void **state)
{
    bench_play(&(struct scenario){
        .build = build_launch, .check = check_launch, .serve = launch});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_is_fetched_while_items_leave_one_a_cycle),
        cmocka_unit_test(the_next_bucket_follows_without_a_pause),
        cmocka_unit_test(an_end_waits_for_earlier_hits_only),
        cmocka_unit_test(a_refused_record_is_its_harts_fault),
        cmocka_unit_test(a_refused_access_of_a_ray_is_told_to_a_hart),
        cmocka_unit_test(a_refused_bucket_is_told_to_a_hart),
        cmocka_unit_test(slots_that_wait_before_a_hart_are_passed_over),
        cmocka_unit_test(who_takes_items_is_not_the_programs_choice),
        cmocka_unit_test(an_item_after_the_end_is_refused),
        cmocka_unit_test(a_kernel_begins_without_anything_of_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
