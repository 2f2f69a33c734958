/* Times of transfers: the published table of each model. */
#include "sim/uvm/fixture.h"

static void times_of_the_atan_curve_are_those_published(void **state)
{
    static const struct {
        uint64_t kb, cycles;
    } expected[] = {{4, 2605},      {8, 2800},     {12, 3086},   {16, 3430},
                    {32, 5074},     {48, 6865},    {60, 8240},   {64, 8702},
                    {124, 15695},   {128, 16163},  {192, 23672}, {252, 30723},
                    {256, 31193},   {508, 60836},  {512, 61307}, {1020, 121089},
                    {1024, 121560}, {2048, 242080}};
    struct uvm_curve c = uvm_curve_default(CLOCK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(uvm_curve_cycles(&c, expected[i].kb * KB),
                         expected[i].cycles);
}

static void other_clocks_and_links_have_their_times(void **state)
{
    struct uvm_curve c = uvm_curve_default(CLOCK);
    c.a = 24;
    assert_int_equal(uvm_curve_cycles(&c, 4 * KB), 1302);
    c.a = 48;
    assert_int_equal(uvm_curve_cycles(&c, 4 * KB), 651);
    c = uvm_curve_default(1200);
    assert_int_equal(uvm_curve_cycles(&c, 4 * KB), 2111);
    c = uvm_curve_default(1312);
    assert_int_equal(uvm_curve_cycles(&c, 4 * KB), 2308);
    assert_int_equal(uvm_curve_cycles(&c, 64 * KB), 7709);
}

static void a_table_is_straight_between_its_points(void **state)
{
    struct uvm_curve c = uvm_curve_default(CLOCK);
    c.model = UVM_TABLE;
    assert_int_equal(uvm_curve_cycles(&c, 4 * KB), 1882);
    assert_int_equal(uvm_curve_cycles(&c, 1 * KB), 1882);
    assert_int_equal(uvm_curve_cycles(&c, 60 * KB), 10855);
    assert_int_equal(uvm_curve_cycles(&c, 64 * KB), 11449);
    assert_int_equal(uvm_curve_cycles(&c, 252 * KB), 36449);
    assert_int_equal(uvm_curve_cycles(&c, 508 * KB), 70930);
    assert_int_equal(uvm_curve_cycles(&c, 1020 * KB), 137855);
    /* Constant above the last point: twice the bytes take twice as long. */
    assert_in_range(uvm_curve_cycles(&c, 4 * MB),
                    2 * uvm_curve_cycles(&c, 2 * MB),
                    2 * uvm_curve_cycles(&c, 2 * MB) + 1);
}

/* Per cent by which the curve's bandwidth is off the table's, at the points of
 * the table; docs/reference/paging.md has them. */
static void the_atan_curve_is_off_the_table(void **state)
{
    static const struct {
        uint64_t kb;
        double off;
    } expected[] = {
        {4, -27.7}, {16, 9.8}, {64, 31.6}, {256, 18.4}, {1024, 13.8}};
    struct uvm_curve c =
        uvm_curve_default(1e6); /* whole cycles matter little */
    struct uvm_curve table = c;
    table.model = UVM_TABLE;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint64_t bytes = expected[i].kb * KB;
        double off = 100 * ((double)uvm_curve_cycles(&table, bytes) /
                                (double)uvm_curve_cycles(&c, bytes) -
                            1);
        assert_float_equal(off, expected[i].off, 0.05);
    }
}

static void a_line_has_a_latency_and_a_bandwidth(void **state)
{
    struct uvm_curve c = uvm_curve_default(1000);
    c.model = UVM_LINEAR;
    c.latency = 500;
    c.bandwidth = 8;
    assert_int_equal(uvm_curve_cycles(&c, 8000), 1500);
    assert_int_equal(uvm_curve_cycles(&c, 80000), 10500);
    c = uvm_curve_default(1000);
    c.model = UVM_LINEAR; /* 7.2 % of the measured 3.2219 GB/s at 4 KB */
    assert_in_range(uvm_curve_cycles(&c, 4 * KB), 1271, 1271 * 108 / 100);
}

static void points_of_a_table_are_checked(void **state)
{
    static const char *const wrong[] = {"",           "4:3",       "4:3 16",
                                        "4:3 16:",    "16:3 4:5",  "4:3 4:5",
                                        "4:0 16:5",   "-4:3 16:5", "4:3 16:5x",
                                        "4:nan 16:5", "a:3 16:5",  "0:3 16:5"};
    struct uvm_curve c = uvm_curve_default(CLOCK);
    struct error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (uvm_curve_points(&c, wrong[i], &error))
            fail_msg("'%s' is taken", wrong[i]);
    assert_non_null(strstr(error.text, "ascending sizes"));
    assert_true(uvm_curve_points(&c, "4:2  8:4", &error));
    c.model = UVM_TABLE;
    c.mhz = 1000; /* 8192 bytes at 4 bytes a ns */
    assert_int_equal(uvm_curve_cycles(&c, 8 * KB), 2048);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_the_atan_curve_are_those_published),
        cmocka_unit_test(other_clocks_and_links_have_their_times),
        cmocka_unit_test(a_table_is_straight_between_its_points),
        cmocka_unit_test(the_atan_curve_is_off_the_table),
        cmocka_unit_test(a_line_has_a_latency_and_a_bandwidth),
        cmocka_unit_test(points_of_a_table_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
