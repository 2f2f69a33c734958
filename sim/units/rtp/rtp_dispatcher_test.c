/* rtp_dispatcher: threads go to the lowest free RT core, in their order, and
 * come back after their rays; the buffer is told what moves. */
#include "sim/units/rtp/rtp_bench.h"

enum { PATCH, DONE, JOBS, REQUESTS = JOBS + 2, HITS = REQUESTS + 2, MOVES };
enum { PIXEL = 64, LOADED = 5, PC = 0x40, STACK = 7 };

static void asks(struct bench *b, unsigned core, uint64_t at, unsigned op,
                 uint32_t thread)
{
    const struct msg m = {
        .op = (uint8_t)op, .tag = thread, .value = rtp_pair(PC, STACK)};
    rtp_bench_send(b->drivers[REQUESTS + core], at, m, NULL);
}

/* A patch of three threads on two RT cores and an intersection core. */
static void build_patch(struct bench *b)
{
    rtp_bench_machine(b, PIXEL + 3);
    struct unit *u = bench_unit(b, "rtp_dispatcher", "dispatcher");
    rtp_bench_from(b, u, "patch");
    rtp_bench_to(b, u, "done");
    rtp_bench_to(b, u, "job");
    rtp_bench_to(b, u, "job");
    rtp_bench_from(b, u, "request");
    rtp_bench_from(b, u, "request");
    rtp_bench_from(b, u, "hit");
    rtp_bench_to(b, u, "move");
    rtp_bench_send(b->drivers[PATCH], 0,
                   (struct msg){.addr = PIXEL, .tag = 3, .value = LOADED},
                   NULL);
    asks(b, 0, 20, RTP_REQUEST_TRACE, 0);
    rtp_bench_send(b->drivers[HITS], 40, (struct msg){0}, NULL);
    asks(b, 1, 50, RTP_REQUEST_FIN, 1);
    asks(b, 0, 60, RTP_REQUEST_FIN, 2);
    asks(b, 1, 70, RTP_REQUEST_FIN, 0);
}

static void check_job(const struct answer *a, uint64_t at, uint32_t thread,
                      struct rtp_job expected)
{
    struct rtp_job job;
    memcpy(&job, a->payload.bytes, sizeof job);
    assert_int_equal(a->at, at);
    assert_int_equal(a->msg.tag, thread);
    assert_int_equal(a->msg.addr, PIXEL + thread);
    assert_int_equal(job.pc, expected.pc);
    assert_int_equal(job.stack, expected.stack);
    assert_int_equal(job.loaded, LOADED);
}

static void check_move(const struct answer *a, uint64_t at,
                       struct rtp_moves expected)
{
    assert_int_equal(a->at, at);
    assert_memory_equal(&a->msg.value, &expected, sizeof expected);
}

/* Threads are loaded in cycles 1 to 3, and given out one a cycle from then on.
 */
static void check_jobs(struct bench *b)
{
    const struct driver *zero = b->drivers[JOBS], *one = b->drivers[JOBS + 1];
    assert_int_equal(zero->answered, 2);
    assert_int_equal(one->answered, 2);
    check_job(&zero->answers[0], 5, 0, (struct rtp_job){0, rtp_stack(0), 0});
    check_job(&one->answers[0], 6, 1, (struct rtp_job){0, rtp_stack(1), 0});
    /* The request is seen in 21, its core is free from 23 on. */
    check_job(&zero->answers[1], 24, 2, (struct rtp_job){0, rtp_stack(2), 0});
    check_job(&one->answers[1], 53, 0, (struct rtp_job){PC, STACK, 0});
}

static void check_patch(struct bench *b)
{
    enum { NO = RTP_NOBODY };
    const struct driver *moves = b->drivers[MOVES], *done = b->drivers[DONE];
    check_jobs(b);
    assert_int_equal(moves->answered, 6);
    const struct answer *m = moves->answers;
    check_move(&m[0], 5, (struct rtp_moves){NO, NO, NO, 0, 1});
    check_move(&m[1], 6, (struct rtp_moves){NO, NO, NO, 1, 1});
    check_move(&m[2], 22, (struct rtp_moves){0, NO, NO, NO, 0});
    check_move(&m[3], 24, (struct rtp_moves){NO, 0, NO, 0, 1});
    check_move(&m[4], 42, (struct rtp_moves){NO, NO, 0, NO, 0});
    check_move(&m[5], 53, (struct rtp_moves){NO, NO, NO, 1, 0});
    assert_int_equal(done->answered, 1);
    assert_int_equal(done->answers[0].at, 72);
    assert_stat(b->units[0], "threads", 3);
    assert_stat(b->units[0], "jobs", 4);
    assert_stat(b->units[0], "rays", 1);
    assert_stat(b->units[0], "tracing_wait", 2);
    assert_stat(b->units[0], "tracing", 41 - 23);
    assert_stat(b->units[0], "resuming", 52 - 41);
    assert_stat(b->units[0], "busy", 71);
    assert_explained(b->units[0], "");
}

static void threads_run_trace_and_resume(void **state)
{
    bench_test(build_patch, check_patch);
}

static void build_ties(struct bench *b)
{
    build_patch(b);
    for (unsigned i = 0; i < b->driver_count; i++)
        b->drivers[i]->count = i == PATCH;
    asks(b, 1, 20, RTP_REQUEST_TRACE, 1);
    asks(b, 0, 20, RTP_REQUEST_TRACE, 0);
}

/* Two cores ask at once: the lower one's ray comes first. */
static void check_ties(struct bench *b)
{
    const struct answer *m = b->drivers[MOVES]->answers;
    assert_true(b->drivers[MOVES]->answered >= 4);
    assert_memory_equal(&m[2].msg.value, &(uint8_t){0}, 1);
    assert_int_equal(m[2].at, 22);
    assert_memory_equal(&m[3].msg.value, &(uint8_t){1}, 1);
    assert_int_equal(m[3].at, 23);
    assert_stat(b->units[0], "request_wait", 1);
    assert_explained(b->units[0],
                     "dispatcher: 0 of 3 threads have ended; 0 wait for RT "
                     "cores, 1 for intersection cores\n");
}

static void the_lower_core_is_served_first(void **state)
{
    bench_test(build_ties, check_ties);
}

static void requests_and_jobs_come_in_pairs(void **state)
{
    static const struct built half = {
        .links = {{"patch", "rtp_patcher", "patch", false},
                  {"done", "rtp_patcher", "done", true},
                  {"hit", "rtp_intersector", "done", false},
                  {"move", "rtp_buffer", "move", true},
                  {"request", "rtp_core", "request", false}},
        .error = "1 request links but 0 job links"};
    expect_not_built("rtp_dispatcher", &half);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_run_trace_and_resume),
        cmocka_unit_test(the_lower_core_is_served_first),
        cmocka_unit_test(requests_and_jobs_come_in_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
