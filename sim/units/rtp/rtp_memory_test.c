/* rtp_memory: each port takes an access in a cycle, in order; a thread's memory
 * is its own. */
#include "sim/units/rtp/rtp_bench.h"

#define THREAD(n) ((uint64_t)(n)*RTP_LOCAL_BYTES)

static void store(struct driver *d, uint64_t at, uint64_t addr, uint32_t value)
{
    struct payload p = {{0}};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t word = value + i;
        memcpy(p.bytes + 4 * i, &word, 4);
    }
    rtp_bench_send(
        d, at, (struct msg){.addr = addr, .size = 16, .op = RTP_MEM_WRITE}, &p);
}

static void load(struct driver *d, uint64_t at, uint64_t addr, uint32_t tag)
{
    const struct msg m = {
        .addr = addr, .size = 16, .op = RTP_MEM_READ, .tag = tag};
    rtp_bench_send(d, at, m, NULL);
}

static void build_accesses(struct bench *b)
{
    rtp_bench_machine(b, 1);
    struct unit *u = bench_unit(b, "rtp_memory", "memory");
    struct driver *d = rtp_bench_both(b, u, "port", "data"),
                  *e = rtp_bench_both(b, u, "port", "data");
    store(d, 0, THREAD(3) + 16, 100);
    load(d, 1, THREAD(3) + 16, 7);
    load(d, 2, THREAD(4) + 16, 8);
    store(d, 3, THREAD(31) + RTP_LOCAL_BYTES - 8, 200); /* wraps */
    load(d, 4, THREAD(31) + RTP_LOCAL_BYTES - 8, 9);
    load(d, 5, THREAD(31), 10);
    load(e, 1, THREAD(3) + 16, 5);
}

static void check_accesses(struct bench *b)
{
    static const struct {
        uint64_t at;
        uint32_t tag, first, third;
    } expected[] = {
        {3, 7, 100, 102}, {4, 8, 0, 0}, {6, 9, 200, 202}, {7, 10, 202, 0}};
    const struct driver *d = b->drivers[0];
    assert_int_equal(d->answered, TABLE_COUNT(expected));
    for (unsigned i = 0; i < d->answered; i++) {
        assert_int_equal(d->answers[i].at, expected[i].at);
        assert_int_equal(d->answers[i].msg.tag, expected[i].tag);
        assert_int_equal(rtp_bench_word(&d->answers[i].payload, 0),
                         expected[i].first);
        assert_int_equal(rtp_bench_word(&d->answers[i].payload, 2),
                         expected[i].third);
    }
    assert_int_equal(b->drivers[1]->answered, 1);
    assert_int_equal(b->drivers[1]->answers[0].at, 3);
    assert_int_equal(rtp_bench_word(&b->drivers[1]->answers[0].payload, 3),
                     103);
    assert_stat(b->units[0], "reads", 5);
    assert_stat(b->units[0], "writes", 2);
    assert_stat(b->units[0], "read_bytes", 80);
    assert_stat(b->units[0], "written_bytes", 32);
}

static void accesses_of_a_port_keep_their_order(void **state)
{
    bench_test(build_accesses, check_accesses);
}

static void ports_come_in_pairs(void **state)
{
    static const struct built half = {
        .links = {{"port", "rtp_core", "mem", false}},
        .error = "1 port links but 0 data links"};
    expect_not_built("rtp_memory", &half);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_of_a_port_keep_their_order),
        cmocka_unit_test(ports_come_in_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
