/* rtp_patcher: blocks are loaded one after another, then patches run, and no
 * results are written before the host has copied the last ones. */
#include "sim/units/rtp/rtp_bench.h"

enum { LOADED, DONE, COMMANDS, PATCHES, END };
enum { PIXELS = 40, HOST_COPY = 30, PROGRAM_AT = 19 };

static void ended(struct bench *b, uint64_t at, unsigned op, uint64_t value)
{
    const struct msg m = {.op = (uint8_t)op, .value = value};
    rtp_bench_send(b->drivers[LOADED], at, m, NULL);
}

static void build_patcher(struct bench *b)
{
    struct rtp_machine *m = rtp_bench_machine(b, PIXELS);
    struct unit *u = bench_unit(b, "rtp_patcher", "patcher");
    bench_set(b, u, "host_copy", HOST_COPY);
    rtp_bench_from(b, u, "loaded");
    rtp_bench_from(b, u, "done");
    rtp_bench_to(b, u, "command");
    rtp_bench_to(b, u, "patch");
    rtp_bench_to(b, u, "end");
    m->code_words = *(const uint32_t *)b->scenario->with;
}

static void build_image(struct bench *b)
{
    build_patcher(b);
    ended(b, 10, RTP_BLOCK_COUNT, 0);
    ended(b, 20, RTP_BLOCK_PROGRAM, PROGRAM_AT);
    ended(b, 30, RTP_BLOCK_CONSTANTS, 0);
    ended(b, 40, RTP_BLOCK_TRIANGLES, 0);
    ended(b, 60, RTP_WRITE_OUT, 0);
    ended(b, 100, RTP_WRITE_OUT, 0);
    rtp_bench_send(b->drivers[DONE], 50, (struct msg){0}, NULL);
    rtp_bench_send(b->drivers[DONE], 70, (struct msg){0}, NULL);
}

static void check_commands(const struct driver *d)
{
    static const struct {
        uint64_t at;
        unsigned op, patch;
    } rows[] = {{2, RTP_BLOCK_COUNT, 0},
                {12, RTP_BLOCK_PROGRAM, 0},
                {22, RTP_BLOCK_CONSTANTS, 0},
                {32, RTP_BLOCK_TRIANGLES, 0},
                {52, RTP_WRITE_OUT, 0}, /* written in 61, seen in 62 */
                {62 + HOST_COPY + 1, RTP_WRITE_OUT, 1}};
    assert_int_equal(d->answered, TABLE_COUNT(rows));
    for (unsigned i = 0; i < d->answered; i++) {
        assert_int_equal(d->answers[i].at, rows[i].at);
        assert_int_equal(d->answers[i].msg.op, rows[i].op);
        assert_int_equal(d->answers[i].msg.tag, rows[i].patch);
    }
}

static void check_image(struct bench *b)
{
    const struct driver *patches = b->drivers[PATCHES], *end = b->drivers[END];
    check_commands(b->drivers[COMMANDS]);
    assert_int_equal(patches->answered, 2);
    for (uint64_t i = 0; i < 2; i++) {
        const struct answer *a = &patches->answers[i];
        assert_int_equal(a->at, i ? 62 : 43);
        assert_int_equal(a->msg.addr, i * RTP_THREADS);
        assert_int_equal(a->msg.tag, i ? PIXELS - RTP_THREADS : RTP_THREADS);
        assert_int_equal(a->msg.value, PROGRAM_AT);
    }
    assert_int_equal(end->answered, 1);
    assert_int_equal(end->answers[0].at, 102);
    assert_stat(b->units[0], "patches", 2);
    assert_stat(b->units[0], "wait", 92 - 71);
    assert_explained(b->units[0], "");
}

static void an_image_is_loaded_run_and_written(void **state)
{
    bench_test_with(build_image, check_image, &(uint32_t){1});
}

static void check_nothing(struct bench *b)
{
    assert_int_equal(b->drivers[COMMANDS]->answered, 0);
    assert_stat(b->units[0], "patches", 0);
}

static void without_a_program_nothing_is_asked(void **state)
{
    bench_test_with(build_patcher, check_nothing, &(uint32_t){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_image_is_loaded_run_and_written),
        cmocka_unit_test(without_a_program_nothing_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
