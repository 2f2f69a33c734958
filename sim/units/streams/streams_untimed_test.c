/* Ray streams without timing: when there is no more work, who has to ask again,
 * which records are kept. */
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include "sim/units/streams/streams_untimed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum { RAM_START = 0x1000, RAM_END = 0x2000, RECORDS = 0x1800 };

static _Alignas(16) uint8_t memory[RAM_END];
static struct machine machine;

static struct corbel_hit *record(unsigned n)
{
    return (struct corbel_hit *)(memory + RECORDS) + n;
}

/* Streams of a machine that has just started a kernel. */
static struct corbel_streams *start(uint8_t xlen)
{
    machine_shared_free(&machine);
    machine = (struct machine){.memory = memory,
                               .ram_start = RAM_START,
                               .ram_end = RAM_END,
                               .profile.xlen = xlen};
    for (unsigned i = 0; i < 4; i++)
        *record(i) = (struct corbel_hit){100, 0, 0, CORBEL_MISS};
    return streams_untimed(&machine, false);
}

static void push(struct corbel_streams *s, uint32_t id, uint32_t segment,
                 float tmax)
{
    struct corbel_item item = {{{0}, 0, {0, 0, 1}, tmax}, id, segment};
    uint32_t words[10];
    memcpy(words, &item, sizeof words);
    corbel_serve_swi(s, &(struct corbel_request){.sent = words});
}

/* The segment that a hart is given; AGAIN goes with the request's flag. */
static uint32_t pop(struct corbel_streams *s, uint32_t hart)
{
    struct corbel_item item;
    uint32_t words[10];
    struct corbel_request request = {.hart = hart, .received = words};
    corbel_serve_lwi(s, &request);
    memcpy(&item, words, sizeof item);
    uint32_t segment = corbel_item_segment(&item);
    assert_int_equal(request.again, segment == CORBEL_SEGMENT_AGAIN);
    return segment;
}

/* cshit of a hart; what was refused. */
static struct corbel_request store(struct corbel_streams *s, uint64_t address,
                                   int32_t immediate, struct corbel_hit hit)
{
    uint32_t words[6] = {(uint32_t)address, (uint32_t)(address >> 32)};
    struct corbel_request request = {.immediate = (uint32_t)immediate,
                                     .sent = words};
    memcpy(words + 2, &hit, sizeof hit);
    corbel_serve_cshit(s, &request);
    return request;
}

static void work_ends_when_no_hart_has_any(void **unused)
{
    struct corbel_streams *s = start(64);
    assert_int_equal(pop(s, 2), CORBEL_SEGMENT_AGAIN);
    push(s, 0, 0, 1);
    assert_int_equal(pop(s, 0), 0);
    push(s, 2, CORBEL_SEGMENT_END, 0);
    assert_int_equal(pop(s, 2), CORBEL_SEGMENT_AGAIN);
    push(s, 0, 5, 1);  /* hart 0 sends on what it has */
    push(s, 1, 0, -1); /* a dead ray: counts, and no hart gets it */
    assert_int_equal(pop(s, 0), 5);
    assert_int_equal(pop(s, 0), CORBEL_SEGMENT_END);
    assert_int_equal(pop(s, 2), CORBEL_SEGMENT_END);
    assert_int_equal(pop(s, 0), CORBEL_SEGMENT_END);
    machine_shared_launch(&machine);
    assert_int_equal(pop(s, 0), CORBEL_SEGMENT_AGAIN);
}

static void an_item_counts_until_its_hart_asks_again(void **unused)
{
    struct corbel_streams *s = start(64);
    push(s, 1, CORBEL_SEGMENT_END, 0);
    push(s, 0, 0, 1);
    assert_int_equal(pop(s, 70), 0);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pop(s, 1), CORBEL_SEGMENT_AGAIN);
    assert_int_equal(pop(s, 70), CORBEL_SEGMENT_END);
    assert_int_equal(pop(s, 1), CORBEL_SEGMENT_END);
}

static void a_record_keeps_the_closer_hit(void **unused)
{
    struct corbel_streams *s = start(64);
    uint32_t words[4], address[2] = {RECORDS + 32, 0};
    store(s, RECORDS + 32, 0, (struct corbel_hit){5, 0.5f, 0, 7});
    store(s, RECORDS + 48, -16, (struct corbel_hit){5, 0, 0.5f, 8});
    assert_int_equal(record(2)->index, 7);
    store(s, RECORDS + 32, 0, (struct corbel_hit){5, 0, 0.5f, 6});
    store(s, RECORDS + 32, 0, (struct corbel_hit){6, 0, 0.5f, 1});
    corbel_serve_lhit(
        s, &(struct corbel_request){.sent = address, .received = words});
    assert_int_equal(words[3], 6);
    assert_int_equal(record(3)->index, CORBEL_MISS);
}

static void records_lie_in_memory(void **unused)
{
    const struct corbel_hit hit = {1, 0, 0, 1};
    struct corbel_streams *s = start(64);
    const uint64_t nowhere[] = {RECORDS + 8, RAM_START - 16, RAM_END,
                                RECORDS | 1ull << 32};
    for (unsigned i = 0; i < 4; i++) {
        const struct corbel_request r = store(s, nowhere[i], 0, hit);
        assert_true(r.refused);
        assert_int_equal(r.address, nowhere[i]);
    }
    assert_false(store(s, RAM_END - 16, 0, hit).refused);
    s = start(32); /* an integer register has a sign there, in its high word */
    assert_false(store(s, 0xffffffff00000000u | RECORDS, 0, hit).refused);
}

static void rt_cores_have_final_hits_only(void **unused)
{
    start(64);
    const struct corbel_item roots = {{{0}, 0, {0}, 0}, 1, CORBEL_SEGMENT_END};
    uint32_t words[10], address[2] = {RECORDS, 0}, hit[4];
    struct corbel_request load = {.sent = address, .received = hit};
    const uint64_t records = RECORDS;
    struct corbel_streams *s = streams_untimed(&machine, true);
    memcpy(words, &roots, sizeof words);
    memcpy(words, &records, sizeof records);
    corbel_serve_lhit(s, &load); /* before the roots are announced */
    assert_true(load.again);
    corbel_serve_swi(s, &(struct corbel_request){.sent = words});
    corbel_serve_lhit(s, &load);
    assert_true(load.again);
    assert_int_equal(hit[3], CORBEL_HIT_AGAIN);
    push(s, 0, 0, -1);
    corbel_serve_lhit(s, &load);
    assert_false(load.again);
    assert_int_equal(hit[3], CORBEL_MISS);
}

/* Sends an item of a segment whose first words hold an address. */
static struct corbel_request send(struct corbel_streams *s, uint32_t segment,
                                  uint64_t first)
{
    struct corbel_item item = {{{0}, 0, {0, 0, 1}, 1}, 1, segment};
    uint32_t words[10];
    memcpy(words, &item, sizeof words);
    memcpy(words, &first, sizeof first);
    struct corbel_request request = {.sent = words};
    corbel_serve_swi(s, &request);
    return request;
}

static void expect_refused(const struct corbel_request *request,
                           uint64_t address, const char *why)
{
    assert_true(request->refused);
    assert_int_equal(request->address, address);
    assert_string_equal(request->why, why);
}

static void who_takes_items_is_not_the_programs_choice(void **unused)
{
    struct corbel_streams *s = start(64);
    struct corbel_request r = send(s, CORBEL_SEGMENT_END, RECORDS);
    expect_refused(&r, RECORDS,
                   "no RT core takes work items, and corbel_stream_roots() "
                   "has hit records");
    assert_false(s->announced);
    s = streams_untimed(&machine, true);
    r = send(s, CORBEL_SEGMENT_END, 0);
    expect_refused(&r, 0,
                   "RT cores take the work items, and corbel_stream_roots() "
                   "has no hit records");
    assert_false(send(s, CORBEL_SEGMENT_END, RECORDS).refused);
}

static void items_are_of_treelets_of_the_scene(void **unused)
{
    start(64);
    struct corbel_scene *scene = (struct corbel_scene *)(memory + RAM_START);
    *scene = (struct corbel_scene){
        .treelets = 3, .treelet_bytes = 512, .nodes_offset = 8192};
    machine.scene = scene;
    struct corbel_streams *s = streams_untimed(&machine, false);
    assert_false(send(s, 2, 0).refused);
    struct corbel_request r = send(s, 3, 0);
    expect_refused(&r, RAM_START + 8192 + 3 * 512,
                   "a work item of a treelet that the scene does not have");
    assert_true(send(s, CORBEL_SEGMENT_AGAIN, 0).refused);
    assert_int_equal(s->open, 1);
}

static void finished_rays_leave_the_store(void **unused)
{
    struct corbel_stored_ray ray = {.hit = {2, 0, 0, 9},
                                    .word = corbel_ray_word(3, CORBEL_RAY_UP)};
    struct corbel_ray_end end;
    start(64);
    struct corbel_raystore *s = raystore_untimed(&machine);
    uint32_t words[16], last[1] = {0};
    struct corbel_request request = {.sent = words, .received = words};
    corbel_serve_lwr(s, &request);
    assert_true(request.again);
    assert_int_equal(words[13], CORBEL_RAY_NONE);
    memcpy(words, &ray, sizeof ray);
    corbel_serve_swr(s, &request);
    memset(words, 0, sizeof words);
    corbel_serve_lwr(s, &request);
    assert_false(request.again);
    assert_memory_equal(words, &ray, sizeof ray);
    ray.word = corbel_ray_word(3, CORBEL_RAY_OVER);
    memcpy(words, &ray, sizeof ray);
    corbel_serve_swr(s, &request);
    request.sent = last;
    corbel_serve_lhr(s, &request);
    memcpy(&end, words, sizeof end);
    assert_int_equal(end.id, 3);
    assert_int_equal(end.hit.index, 9);
    corbel_serve_lhr(s, &request);
    assert_true(request.again);
}

/* Rays that are there go first; a kernel begins with a store that is open. */
static void a_closed_store_lets_nobody_wait(void **unused)
{
    const struct corbel_stored_ray end = {.word = CORBEL_RAY_END};
    uint32_t words[16] = {0};
    struct corbel_request request = {.sent = words, .received = words};
    start(64);
    struct corbel_raystore *s = raystore_untimed(&machine);
    corbel_serve_swr(s, &request);
    memcpy(words, &end, sizeof end);
    corbel_serve_swr(s, &request);
    corbel_serve_lwr(s, &request);
    assert_int_equal(words[13], 0);
    corbel_serve_lwr(s, &request);
    assert_false(request.again);
    assert_int_equal(words[13], CORBEL_RAY_END);
    machine_shared_launch(&machine);
    corbel_serve_lwr(s, &request);
    assert_true(request.again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_ends_when_no_hart_has_any),
        cmocka_unit_test(an_item_counts_until_its_hart_asks_again),
        cmocka_unit_test(a_record_keeps_the_closer_hit),
        cmocka_unit_test(records_lie_in_memory),
        cmocka_unit_test(rt_cores_have_final_hits_only),
        cmocka_unit_test(who_takes_items_is_not_the_programs_choice),
        cmocka_unit_test(items_are_of_treelets_of_the_scene),
        cmocka_unit_test(finished_rays_leave_the_store),
        cmocka_unit_test(a_closed_store_lets_nobody_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
