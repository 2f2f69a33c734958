/* rtp_controller: each block takes the time of its lines; results come from
 * main memory, four threads a line, and lie in the patch's place. */
#include "sim/units/rtp/rtp_bench.h"

enum { PATCH = 1, VALUE = 1000 };

struct block {
    unsigned op;
    uint64_t cycles, lines;
    uint32_t words; /* of the program */
};

static struct unit *build_controller(struct bench *b)
{
    struct unit *u = bench_unit(b, "rtp_controller", "controller"),
                *memory = bench_unit(b, "rtp_memory", "memory");
    for (unsigned i = 0; i < 4; i++) {
        bench_far_link(b, u, "mem", memory, "port", 1, 8);
        bench_far_link(b, memory, "data", u, "data", 4, 8);
    }
    rtp_bench_from(b, u, "command");
    rtp_bench_to(b, u, "done");
    return memory;
}

/* ---- loading ---- */

static void build_block(struct bench *b)
{
    const struct block *block = b->scenario->with;
    struct rtp_machine *m = rtp_bench_machine(b, 1);
    m->code_words = block->words;
    rtp_bench_triangles(m, 5);
    m->scene.vertices = 3;
    build_controller(b);
    rtp_bench_send(b->drivers[0], 0, (struct msg){.op = (uint8_t)block->op},
                   NULL);
}

static void check_block(struct bench *b)
{
    const struct block *block = b->scenario->with;
    const struct driver *done = b->drivers[1];
    uint64_t end = 1 + 20 + block->cycles; /* the bench's DMA begins */
    assert_int_equal(done->answered, 1);
    assert_int_equal(done->answers[0].at, end + 1);
    assert_int_equal(done->answers[0].msg.value, end);
    assert_int_equal(done->answers[0].msg.op, block->op);
    assert_stat(b->units[0], "lines_in", block->lines);
    assert_stat(b->units[0], "load", end);
}

static void a_block_takes_the_time_of_its_lines(void **state)
{
    static const struct block blocks[] = {
        {RTP_BLOCK_COUNT, 4, 1},
        {RTP_BLOCK_PROGRAM, 2 * 19, 2, 17},
        {RTP_BLOCK_PROGRAM, 2 * 19, 2, 32},
        {RTP_BLOCK_CONSTANTS, 19, 1}, /* none: a line all the same */
        /* 5 triangles, the end of their list, 3 vertices and theirs: */
        {RTP_BLOCK_TRIANGLES, (3 + 4 * 4) + (3 + 4 + 1 + 1) + (3 + 4), 3},
    };
    for (unsigned i = 0; i < TABLE_COUNT(blocks); i++)
        bench_test_with(build_block, check_block, &blocks[i]);
}

/* ---- writing ---- */

static void build_results(struct bench *b)
{
    rtp_bench_machine(b, 2 * RTP_THREADS);
    struct unit *memory = build_controller(b);
    struct driver *d = rtp_bench_both(b, memory, "port", "data");
    for (uint32_t t = 0; t < RTP_THREADS; t++) {
        struct payload p = {{0}};
        const struct msg m = {.addr =
                                  t * (uint64_t)RTP_LOCAL_BYTES + RTP_RESULT,
                              .size = 16,
                              .op = RTP_MEM_WRITE};
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t word = VALUE + 4 * t + i;
            memcpy(p.bytes + 4 * i, &word, 4);
        }
        rtp_bench_send(d, t, m, &p);
    }
    rtp_bench_send(b->drivers[0], 99,
                   (struct msg){.op = RTP_WRITE_OUT, .tag = PATCH}, NULL);
}

/* A line is asked for every 6 cycles from 100 on; the last one is there 6
 * later, and 5 later it is at the host. */
static void check_results(struct bench *b)
{
    const struct rtp_machine *m = rtp_machine_of(&b->machine);
    const struct driver *done = b->drivers[1];
    assert_int_equal(done->answered, 1);
    assert_int_equal(done->answers[0].at, 100 + 7 * 6 + 6 + 5);
    assert_int_equal(done->answers[0].msg.tag, PATCH);
    for (uint32_t t = 0; t < RTP_THREADS; t++)
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(m->results[PATCH][t][i], VALUE + 4 * t + i);
            assert_int_equal(m->results[0][t][i], 0);
        }
    assert_stat(b->units[0], "lines_out", 8);
    assert_stat(b->units[1], "reads", RTP_THREADS);
    assert_explained(b->units[0], "");
}

static void results_are_read_and_written_in_lines(void **state)
{
    bench_test(build_results, check_results);
}

static void it_has_four_ports_of_memory(void **state)
{
    static const struct built one = {
        .links = {{"command", "rtp_patcher", "command", false},
                  {"done", "rtp_patcher", "loaded", true},
                  {"mem", "rtp_memory", "port", true},
                  {"data", "rtp_memory", "data", false}},
        .error = "expected 4 mem and data links"};
    expect_not_built("rtp_controller", &one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_takes_the_time_of_its_lines),
        cmocka_unit_test(results_are_read_and_written_in_lines),
        cmocka_unit_test(it_has_four_ports_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
