/* rtp_core: instructions take the hardware's cycles, wait for data and flags,
 * and leave with a request; what cannot go on is told to the host. */
#include "sim/units/rtp/rtp_bench.h"

enum { JOBS, RESULTS, ENDS, REQUESTS, RAYS };
enum { THREAD = 3, PIXEL = 77 };

#define INSN(op, d, a, imm)                                                    \
    ((uint32_t)RTP_OP_##op << 26 | (d) << 21 | (a) << 16 |                     \
     ((uint32_t)(imm)&0xffff))
#define REGISTERS(op, a, b) INSN(op, 0, a, (b) << 11)

struct program {
    uint32_t words[12];
    unsigned count, strict;
};

static void job(struct bench *b, uint64_t at, uint32_t pc)
{
    const struct msg m = {.addr = PIXEL, .tag = THREAD};
    struct payload p =
        rtp_job_payload((struct rtp_job){pc, rtp_stack(THREAD), 0});
    rtp_bench_send(b->drivers[JOBS], at, m, &p);
}

static void build_core(struct bench *b)
{
    const struct program *program = b->scenario->with;
    if (!b->together) /* its messages of later cycles stay in a tile */
        b->tile = chip_tile(b->chip, "all");
    b->together = true;
    struct rtp_machine *m = rtp_bench_machine(b, 1);
    rtp_bench_program(m, program->words, program->count);
    m->constants[1] = 42;
    struct unit *u = bench_unit(b, "rtp_core", "core"),
                *memory = bench_unit(b, "rtp_memory", "memory");
    bench_set(b, u, "strict", program->strict);
    bench_far_link(b, u, "mem", memory, "port", 1, 8);
    bench_far_link(b, memory, "data", u, "data", 4, 8);
    rtp_bench_from(b, u, "job");
    rtp_bench_from(b, u, "result");
    rtp_bench_from(b, u, "end");
    rtp_bench_to(b, u, "request");
    rtp_bench_to(b, u, "ray");
    job(b, 0, 0);
}

static void check_request(struct bench *b, unsigned i, uint64_t at, unsigned op,
                          uint32_t pc)
{
    const struct driver *d = b->drivers[REQUESTS];
    assert_true(d->answered > i);
    assert_int_equal(d->answers[i].at, at);
    assert_int_equal(d->answers[i].msg.op, op);
    assert_int_equal(d->answers[i].msg.tag, THREAD);
    assert_int_equal((uint32_t)d->answers[i].msg.value, pc);
}

static const uint32_t *local_of(struct bench *b)
{
    return rtp_machine_of(&b->machine)->local +
           (size_t)THREAD * RTP_LOCAL_BYTES / 4;
}

/* ---- a turn, its ray, the next turn ---- */

static const struct program traces = {
    {
        INSN(s_write_low, 2, 0, 5),       /* EX 7, 1 cycle */
        INSN(ii_addi, 3, 2, 2),           /* 8 to 10 */
        INSN(s_store_4byte, 3, 29, 8),    /* 11 to 13 */
        INSN(s_load_4byte, 4, 29, 8),     /* 14 to 16, asks in 17, data in 22 */
        INSN(ii_addi, 5, 4, 1),           /* 24 to 26: behind the load's MEM */
        INSN(s_store_4byte, 5, 29, 12),   /* 27 to 29 */
        INSN(s_store_4byte, 1, 29, 16),   /* 30 to 32 */
        INSN(trace, 0, 0, 0),             /* 33, WB in 35 */
        INSN(v_store_16byte, 14, 29, 32), /* 8 * 4: the second turn */
        INSN(fin, 0, 0, 0),
    },
    10,
    0,
};

static void build_turns(struct bench *b)
{
    struct payload result = {{0}};
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t word = 100 + i;
        memcpy(result.bytes + 4 * i, &word, 4);
    }
    build_core(b);
    job(b, 60, 8 * 4);
    rtp_bench_send(b->drivers[RESULTS], 61, (struct msg){0}, &result);
}

static void check_turns(struct bench *b)
{
    const uint32_t *local = local_of(b);
    check_request(b, 0, 38, RTP_REQUEST_TRACE, 8 * 4);
    /* EX in 67 to 69 and 70, WB of fin in 72 */
    check_request(b, 1, 73, RTP_REQUEST_FIN, 10 * 4);
    assert_int_equal(b->drivers[RAYS]->answered, 1);
    assert_int_equal(b->drivers[RAYS]->answers[0].at, 38);
    assert_int_equal(local[2], 7);
    assert_int_equal(local[3], 8);
    assert_int_equal(local[4], PIXEL);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(local[8 + i], 100 + i);
    assert_stat(b->units[0], "instructions", 10);
    assert_stat(b->units[0], "starts", 2);
    assert_stat(b->units[0], "traces", 1);
    assert_stat(b->units[0], "ended", 1);
    assert_stat(b->units[0], "loads", 1);
    assert_stat(b->units[0], "stores", 4);
    assert_explained(b->units[0], "");
}

static void a_thread_traces_and_goes_on(void **state)
{
    bench_test_with(build_turns, check_turns, &traces);
}

/* ---- branches and constants ---- */

static const struct program loops = {
    {
        INSN(s_write_high, 6, 0, 0x2000),
        INSN(s_load_4byte, 7, 6, 4), /* the second constant */
        INSN(s_store_4byte, 7, 29, 0),
        INSN(s_write_low, 2, 0, 3),
        INSN(ii_subi, 2, 2, 1), /* three times */
        REGISTERS(cmp_i, 2, 0),
        INSN(bne, 0, 0, -12),
        INSN(fin, 0, 0, 0),
    },
    8,
    0,
};

static void check_loops(struct bench *b)
{
    assert_int_equal(b->drivers[REQUESTS]->answered, 1);
    assert_int_equal(local_of(b)[0], 42);
    assert_stat(b->units[0], "instructions", 4 + 3 * 3 + 1);
    assert_stat(b->units[0], "branches", 2);
    assert_stat(b->units[0], "constants", 1);
    assert_stat(b->units[0], "loads", 0);
    assert_stat(b->units[0], "flags", 3); /* a comparison's 3 cycles of EX end
                                             a cycle before its branch's DE */
    assert_stat(b->units[0], "flush", 2);
}

static void a_branch_waits_for_its_flags(void **state)
{
    bench_test_with(build_core, check_loops, &loops);
}

/* ---- the host ---- */

static bool note_service(struct bench *b, uint64_t now,
                         const struct service_request *request)
{
    return false;
}

static void check_fault(struct bench *b)
{
    assert_int_equal(b->service_count, 1);
    assert_int_equal(b->machine.harts[0].event, HART_FAULT);
    assert_int_equal(b->drivers[REQUESTS]->answered, 0);
    assert_stat(b->units[0], "instructions", 1);
}

static void what_cannot_run_is_a_fault(void **state)
{
    static const struct program unused = {
        {INSN(s_write_low, 2, 0, 5), 0x1fu << 26}, 2, 0};
    static const struct program undefined = {
        {INSN(s_write_low, 2, 0, 5), INSN(ii_addi, 3, 9, 1)}, 2, 1};
    static const struct program short_one = {
        {INSN(s_write_low, 2, 0, 5)}, 1, 0};
    const struct program *const programs[] = {&unused, &undefined, &short_one};
    for (unsigned i = 0; i < TABLE_COUNT(programs); i++)
        bench_play(&(struct scenario){.build = build_core,
                                      .check = check_fault,
                                      .serve = note_service,
                                      .with = programs[i]});
}

static void build_end(struct bench *b)
{
    build_core(b);
    b->drivers[JOBS]->count = 0;
    rtp_bench_send(b->drivers[ENDS], 9, (struct msg){0}, NULL);
}

static void check_end(struct bench *b)
{
    assert_int_equal(b->service_count, 1);
    assert_int_equal(b->machine.harts[0].event, HART_DONE);
}

static void the_image_s_end_is_the_program_s(void **state)
{
    bench_play(&(struct scenario){.build = build_end,
                                  .check = check_end,
                                  .serve = note_service,
                                  .with = &loops});
}

static void check_stuck(struct bench *b)
{
    assert_int_equal(b->drivers[REQUESTS]->answered, 0);
    assert_explained(b->units[0], "core: thread 3 at PC 0x0, ret by R0, which "
                                  "is never written\n");
}

static void a_ret_by_r0_hangs(void **state)
{
    static const struct program stuck = {{INSN(ret, 0, 0, 0)}, 1, 0};
    bench_test_with(build_core, check_stuck, &stuck);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_traces_and_goes_on),
        cmocka_unit_test(a_branch_waits_for_its_flags),
        cmocka_unit_test(what_cannot_run_is_a_fault),
        cmocka_unit_test(the_image_s_end_is_the_program_s),
        cmocka_unit_test(a_ret_by_r0_hangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
