/* PCIe: two channels, each in order; what ends when is told at once. */
#include "sim/units/common/bench.h"
#include "sim/units/paging/paging.h"

static unsigned ask(struct bench *b, uint64_t at, enum pcie_op op,
                    uint64_t value)
{
    struct msg m = {.op = (uint8_t)op, .value = value};
    return driver_ask(b->drivers[0], at, m, NULL);
}

static void expect_end(struct bench *b, unsigned tag, uint64_t asked,
                       uint64_t begin, uint64_t end)
{
    const struct answer *a = driver_answer(b->drivers[0], tag);
    assert_int_equal(a->msg.op, PCIE_DONE);
    assert_int_equal(a->msg.addr, begin);
    assert_int_equal(a->msg.value, end);
    assert_int_equal(a->at, asked + 2 * LINK);
}

static void build(struct bench *b)
{
    struct unit *p = bench_unit(b, "pcie", "pcie");
    if (b->scenario->with)
        bench_set_all(p, b->scenario->with);
    bench_driver(b, p, "ask", "done");
    ask(b, 0, PCIE_READ, 4096);
    ask(b, 10, PCIE_READ, 65536);
    ask(b, 20, PCIE_WRITE, 4096);
    ask(b, 30, PCIE_FAULT, 1000);
    ask(b, 40, PCIE_DMA, 0);
    ask(b, 50, PCIE_HOME, 2u << 20);
    ask(b, 20000, PCIE_READ, 2u << 20);
}

static void check(struct bench *b)
{
    const uint64_t page = 2605, leaf = 8702;
    const uint64_t fault = LINK + page + leaf, write = 20 + LINK;
    expect_end(b, 0, 0, LINK, LINK + page);
    expect_end(b, 1, 10, LINK + page, fault);
    expect_end(b, 2, 20, write, write + page);
    expect_end(b, 3, 30, fault, fault + 1000);
    expect_end(b, 4, 40, fault + 1000, fault + 1000 + 200);
    expect_end(b, 5, 50, write + page, write + page + 260453);
    expect_end(b, 6, 20000, 20000 + LINK, 20000 + LINK + 242080);
    const struct unit *p = b->units[0];
    assert_stat(p, "read_cycles", page + leaf + 242080);
    assert_stat(p, "read_cycles_1", page);
    assert_stat(p, "read_cycles_3", leaf + 242080);
    assert_stat(p, "fault_cycles", 1000);
    assert_stat(p, "dma_cycles", 200);
    assert_stat(p, "write_cycles", page + 260453);
    assert_stat(p, "home_bytes", 2u << 20);
    assert_stat(p, "home_cycles", 260453);
    /* Six transfers of 4 KB and one; those of 60 KB and more. */
    assert_stat(p, "write_cycles_1", 7 * page);
    assert_stat(p, "write_cycles_2", 0);
    assert_stat(p, "write_cycles_3", 260453 - 6 * page);
    assert_stat(p, "write_cycles_4", 0);
    /* 11.6 bytes a cycle; each transfer is rounded. */
    assert_stat(p, "read_full_cycles", 353 + 5650 + 180786);
    assert_in_range(bench_stat(p, "write_full_cycles"), 353 + 180780,
                    353 + 180792);
    /* The channels from cycle 3 to 12510 and from 20003 on, resp. from 23 on.
     */
    uint64_t read_ends = 20003 + 242080, write_ends = 23 + page + 260453;
    assert_stat(p, "reading", 20);
    assert_stat(p, "writing", 20003 - 12510 + write_ends - read_ends);
    assert_stat(p, "both", 12510 - 23 + read_ends - 20003);
}

static void channels_carry_one_transfer_at_a_time(void **state)
{
    bench_test(build, check);
}

/* ---- the other models ---- */

static void check_fast(struct bench *b)
{
    expect_end(b, 0, 0, LINK, LINK + 651);
}

static void check_table(struct bench *b)
{
    expect_end(b, 0, 0, LINK, LINK + 1882);
    expect_end(b, 1, 10, LINK + 1882, LINK + 1882 + 11449);
}

static void check_linear(struct bench *b)
{
    expect_end(b, 0, 0, LINK, LINK + 500 + 1000 * 4096 / 4096);
}

static void other_models_have_their_times(void **state)
{
    static const struct setting fast[] = {{"pcie_bandwidth", 2}, {0}},
                                table[] = {{"pcie_model", 1}, {0}},
                                line[] = {{"pcie_model", 2},
                                          {"core_clock", 1000000},
                                          {"latency", 500},
                                          {"rate", 4096},
                                          {0}};
    bench_test_with(build, check_fast, fast);
    bench_test_with(build, check_table, table);
    bench_test_with(build, check_linear, line);
}

/* ---- refused ---- */

static void it_has_one_client(void **state)
{
    static const struct built alone = {
        .links = {{"ask", "gmmu", "pcie", false}},
        .error = "1 ask links and 0 done links, not one each"};
    expect_not_built("pcie", &alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_carry_one_transfer_at_a_time),
        cmocka_unit_test(other_models_have_their_times),
        cmocka_unit_test(it_has_one_client),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
