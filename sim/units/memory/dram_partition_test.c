/*
 * The dram unit: what it adds to the controllers, to the cycle, under clocks
 * that are no multiples of each other; nothing lost, nothing early. The
 * controllers themselves are tested in sim/dram.
 */
#include "sim/units/memory/dram_partition_bench.h"
#include <inttypes.h>

/* ---- one request at a time ---- */

static const struct trial plain = {
    .settings = {{"core_clock", "1515000"}, {"refresh", "off"}}};

static void build_latency(struct bench *b)
{
    const struct trial *t = b->scenario->with;
    memory(b, t->settings, 1);
    for (unsigned i = 0; i < 12; i++)
        fill(b->drivers[0], 1001 * i, 0);
}

/* Requests that do not overlap: from taking them to their answers, none of
 * the buses is idle. */
static void check_under_way(const struct bench *b)
{
    struct unit *u = b->units[0];
    uint64_t cycles = 0;
    for (unsigned i = 0; i < b->drivers[0]->count; i++)
        cycles += driver_took(b->drivers[0], i) - 2 * LINK;
    assert_int_equal(bench_stat(u, "busy") + bench_stat(u, "waiting"),
                     cycles * bench_param(u, "channels"));
}

/* A command can be issued in the clock after that of the request. */
static void check_latency(struct bench *b)
{
    struct unit *u = b->units[0];
    struct dram_device *d = device_of(u);
    struct clock_ratio r = clock_of(u);
    uint64_t activate = (uint64_t)dram_device_parameter(d, "nRCDRD", -1);
    for (unsigned i = 0; i < 12; i++) {
        uint64_t taken = b->drivers[0]->asks[i].sent + LINK;
        uint64_t done = tick_of(&r, taken + FRONT) + 1 + d->read_latency;
        if (i == 0)
            done += activate;
        uint64_t expected = cycle_of(&r, done) + BACK + LINK;
        assert_int_equal(driver_answer(b->drivers[0], i)->at, expected);
    }
    check_under_way(b);
    assert_stat(u, "read_misses", 1);
    assert_stat(u, "read_hits", 11);
    assert_stat(u, "bytes_read", 12 * d->transaction);
    assert_stat(u, "cmd_RD", 12);
    dram_device_free(d);
}

static void a_read_takes_the_pipelines_and_the_device_s_latency(void **state)
{
    static const struct trial slow = {
        .settings = {{"clock", "1000001"}, {"refresh", "off"}}};
    static const struct trial fast = {.settings = {{"clock", "3500000"},
                                                   {"core_clock", "1515000"},
                                                   {"refresh", "off"}}};
    bench_test_with(build_latency, check_latency, &plain);
    bench_test_with(build_latency, check_latency, &slow);
    bench_test_with(build_latency, check_latency, &fast);
}

/* ---- transactions and sectors ---- */

static const struct text_setting wide[] = {
    {"device", "ddr4-3200"}, {"refresh", "off"}, {NULL, NULL}};

static void build_joining(struct bench *b)
{
    memory(b, wide, 2);
    fill(b->drivers[0], 0, 0);
    fill(b->drivers[1], 0, SECTOR);
    fill(b->drivers[0], 4, 0);                 /* data is on its way */
    fill(b->drivers[1], 500, 0);               /* it is gone */
    fill(b->drivers[0], 1000, 128);            /* another one */
    fill(b->drivers[1], 1000, 0);              /* not that */
    write_back(b->drivers[0], 1500, 0x100000); /* waits for its row */
    write_back(b->drivers[1], 1500, 0x100000 + SECTOR);
    fill(b->drivers[0], 1501, 0);
}

static void check_joining(struct bench *b)
{
    const struct driver *d = b->drivers[0], *e = b->drivers[1];
    uint64_t first = driver_answer(d, 0)->at;
    assert_int_equal(driver_answer(e, 0)->at, first + 1); /* 1 a cycle */
    assert_int_equal(driver_answer(d, 1)->at, first + 2);
    assert_true(driver_answer(e, 1)->at > 500);
    assert_stat(b->units[0], "joined", 3);
    assert_stat(b->units[0], "cmd_RD", 5);
    assert_stat(b->units[0], "cmd_WR", 1);
    assert_stat(b->units[0], "reads", 7);
    assert_stat(b->units[0], "writes", 2);
}

static void a_sector_joins_a_transaction_whose_data_is_to_come(void **state)
{
    bench_test(build_joining, check_joining);
}

#define CROWD 300u

static void build_same(struct bench *b)
{
    bench_set(b, memory(b, wide, 1), "answers", 4);
    for (unsigned i = 0; i < CROWD; i++)
        fill(b->drivers[0], i, SECTOR * (uint64_t)(i % 2));
}

/* All requests that come while data is under way share it, and none gets data
 * that was read before it came. */
static void check_same_data(struct bench *b)
{
    struct dram_device *d = device_of(b->units[0]);
    struct clock_ratio r = clock_of(b->units[0]);
    uint64_t least = cycle_of(&r, d->read_latency) - 1;
    for (unsigned i = 0; i < CROWD; i++)
        assert_true(driver_took(b->drivers[0], i) > FRONT + BACK + 2 * LINK);
    assert_true(bench_stat(b->units[0], "cmd_RD") <= CROWD / least + 1);
    assert_true(bench_stat(b->units[0], "cmd_RD") >= CROWD / (least + 40));
    dram_device_free(d);
}

static void data_is_shared_until_it_is_there(void **state)
{
    bench_test(build_same, check_same_data);
}

static const struct text_setting narrow[] = {{"device", "gddr6-2000-stock"},
                                             {"refresh", "off"},
                                             {"channels", "1"},
                                             {NULL, NULL}};

static void build_halves(struct bench *b)
{
    memory(b, narrow, 1);
    for (unsigned i = 0; i < 50; i++)
        fill(b->drivers[0], 3 * i, SECTOR * i);
    for (unsigned i = 0; i < 50; i++)
        write_back(b->drivers[0], 3 * i, SECTOR * i);
}

static void check_halves(struct bench *b)
{
    struct dram_device *d = device_of(b->units[0]);
    unsigned parts = SECTOR / d->transaction;
    assert_true(parts > 1);
    assert_stat(b->units[0], "cmd_RD", 50 * parts);
    assert_stat(b->units[0], "cmd_WR", 50 * parts);
    assert_stat(b->units[0], "reads", 50);
    for (unsigned i = 0; i < 50; i++)
        assert_int_equal(driver_answer(b->drivers[0], i)->msg.addr, SECTOR * i);
    dram_device_free(d);
}

static void a_sector_takes_several_small_transactions(void **state)
{
    bench_test(build_halves, check_halves);
}

/* ---- many clients ---- */

#define CLIENTS 5u
#define EACH 400u

static void build_crowd(struct bench *b)
{
    const struct trial *t = b->scenario->with;
    memory(b, t->settings, CLIENTS);
    uint32_t seed = 3;
    for (unsigned n = 0; n < CLIENTS; n++)
        for (unsigned i = 0; i < EACH; i++) {
            uint64_t addr = noise(&seed) % 0x300000 & ~31u;
            if (noise(&seed) % 3)
                fill(b->drivers[n], noise(&seed) % 500, addr);
            else
                write_back(b->drivers[n], noise(&seed) % 500, addr);
        }
}

static unsigned asked(const struct bench *b, unsigned op)
{
    unsigned sum = 0;
    for (unsigned n = 0; n < CLIENTS; n++)
        for (unsigned i = 0; i < EACH; i++)
            sum += b->drivers[n]->asks[i].msg.op == op;
    return sum;
}

static const int64_t from[] = {DRAM_LATENCY_EDGES};

/* The ranges hold all reads, and their borders the sum of the latencies. */
static void check_ranges(struct unit *u, uint64_t reads)
{
    uint64_t took = 0, least = 0, most = 0;
    for (unsigned i = 0; i < DRAM_LATENCY_RANGES; i++) {
        char name[32];
        snprintf(name, sizeof name, "took_%" PRId64, from[i]);
        uint64_t here = bench_stat(u, name);
        took += here;
        least += here * (uint64_t)from[i];
        most += here * (uint64_t)(from[i + 1] - 1);
    }
    assert_int_equal(took, reads);
    assert_in_range(bench_stat(u, "latency"), least, most);
    assert_true(most - least <= least / 8);
}

static void each_range_lies_between_its_edges(void **state)
{
    for (unsigned i = 0; i < DRAM_LATENCY_RANGES; i++) {
        assert_int_equal(dram_latency_range((uint32_t)from[i]), i);
        assert_int_equal(dram_latency_range((uint32_t)(from[i + 1] - 1)), i);
    }
    assert_int_equal(from[DRAM_LATENCY_RANGES] - 1, UINT32_MAX);
}

/* Each read is answered once; each transaction goes over the bus once. */
static void check_crowd(struct bench *b)
{
    struct unit *u = b->units[0];
    uint64_t moved = bench_stat(u, "cmd_RD") + bench_stat(u, "cmd_WR");
    unsigned reads = asked(b, MEM_FILL), writes = asked(b, MEM_WRITEBACK);
    for (unsigned n = 0; n < CLIENTS; n++)
        for (unsigned i = 0; i < EACH; i++)
            if (b->drivers[n]->asks[i].msg.op == MEM_FILL)
                driver_answer(b->drivers[n], i);
    assert_stat(u, "reads", reads);
    assert_stat(u, "writes", writes);
    assert_int_equal(moved + bench_stat(u, "read_forwarded") +
                         bench_stat(u, "write_merged") +
                         bench_stat(u, "joined"),
                     reads + writes);
    check_ranges(u, reads);
}

static void check_held(struct bench *b)
{
    check_crowd(b);
    assert_true(bench_stat(b->units[0], "held_cycles") > 0);
}

static void no_request_is_lost_or_answered_twice(void **state)
{
    static const struct trial trials[] = {
        {.settings = {{"core_clock", "1515000"}}},
        {.settings = {{"device", "ddr4-3200"}, {"core_clock", "999983"}}},
        {.settings = {{"read_queue", "1"},
                      {"write_queue", "2"},
                      {"queue", "1"},
                      {"front", "0"},
                      {"back", "0"}}},
        {.settings = {{"accepts", "4"},
                      {"answers", "3"},
                      {"row_policy", "closed"},
                      {"core_clock", "400000"}}},
        {.settings = {{"rules", "arches"}, {"write_queue", "9"}}},
    };
    static const struct trial unlike[] = {
        {.settings = {{"clock", "20000000"}, {"core_clock", "40000"}}},
        {.settings = {{"clock", "100000"}, {"core_clock", "4000000"}}},
    };
    for (unsigned i = 0; i < TABLE_COUNT(trials); i++)
        bench_test_with(build_crowd, check_held, &trials[i]);
    for (unsigned i = 0; i < TABLE_COUNT(unlike); i++)
        bench_test_with(build_crowd, check_crowd, &unlike[i]);
}

static void build_fair(struct bench *b)
{
    static const struct text_setting off[] = {{"refresh", "off"}, {NULL, NULL}};
    memory(b, off, CLIENTS);
    for (unsigned n = 0; n < CLIENTS; n++)
        for (unsigned i = 0; i < EACH; i++)
            fill(b->drivers[n], 0, SECTOR * (n * (uint64_t)EACH + i));
}

/* No request is taken before an earlier one of another client. */
static void check_fair(struct bench *b)
{
    for (unsigned i = 0; i + 1 < EACH; i++)
        for (unsigned n = 0; n < CLIENTS; n++)
            for (unsigned m = 0; m < CLIENTS; m++)
                assert_true(b->drivers[n]->asks[i].sent <=
                            b->drivers[m]->asks[i + 1].sent);
}

static void clients_take_turns(void **state)
{
    bench_test(build_fair, check_fair);
}

/* ---- rates and cycles ---- */

static const struct text_setting in_step[] = {{"device", "gddr6-14000"},
                                              {"clock", "1000000"},
                                              {"channels", "2"},
                                              {"accepts", "4"},
                                              {"answers", "2"},
                                              {"refresh", "off"},
                                              {NULL, NULL}};

static void build_stream(struct bench *b)
{
    memory(b, in_step, 2);
    for (unsigned i = 0; i < 1000; i++)
        for (unsigned n = 0; n < 2; n++)
            fill(b->drivers[n], 0, SECTOR * (2 * (uint64_t)i + n));
}

/* The clocks being equal, each burst takes its cycles of a bus. */
static void check_stream(struct bench *b)
{
    struct dram_device *d = device_of(b->units[0]);
    unsigned at_once = 0;
    assert_stat(b->units[0], "busy", 2000 * d->burst);
    assert_stat(b->units[0], "data_busy", 2000 * d->burst);
    for (unsigned n = 0; n < 2; n++)
        for (unsigned i = 1; i < 1000; i++)
            at_once += b->drivers[n]->answers[i].at ==
                       b->drivers[n]->answers[i - 1].at;
    assert_true(at_once < 1000); /* two a cycle, not more */
    dram_device_free(d);
}

static void a_burst_takes_its_cycles_of_the_bus(void **state)
{
    bench_test(build_stream, check_stream);
}

static void build_refresh(struct bench *b)
{
    static const struct text_setting on[] = {{"refresh", "all"}, {NULL, NULL}};
    memory(b, on, 1);
    fill(b->drivers[0], 0, 0);
    fill(b->drivers[0], 100000, 0);
    struct unit *other = bench_unit(b, "dram", "other");
    fill(bench_driver(b, other, "cpu", "reply"), 200000, 0);
}

/* Refreshes in the pause happened, though they did not wake the unit. */
static void check_refresh(struct bench *b)
{
    struct unit *u = b->units[0];
    struct dram_device *d = device_of(u);
    struct clock_ratio r = clock_of(u);
    uint64_t due = tick_of(&r, b->cycles - 1) / d->refresh_interval;
    assert_stat(u, "refreshes", due * bench_param(u, "channels"));
    assert_stat(u, "read_misses", 2); /* a refresh closed the row */
    dram_device_free(d);
}

static void refreshes_go_on_while_the_unit_sleeps(void **state)
{
    bench_test(build_refresh, check_refresh);
}

/* ---- what it waits for ---- */

static void check_explained(struct bench *b)
{
    assert_explained(b->units[0],
                     "dram: 1 requests, 0 on the way to the controllers, 1 "
                     "transactions in their queues, 0 answers\n"
                     "channel 0: 0 reads and 0 writes queued, 1 active, 0 "
                     "chores, serving writes, next event in clock 49\n"
                     "  bank 0: row 0 open, 1 active\n");
}

static void a_hang_is_explained(void **state)
{
    bench_play(&(struct scenario){.build = build_latency,
                                  .check = check_explained,
                                  .with = &plain,
                                  .limit = LINK + FRONT + 8});
}

static void check_quiet(struct bench *b)
{
    assert_explained(b->units[0], "");
}

static void and_nothing_is_said_when_all_is_answered(void **state)
{
    bench_test_with(build_latency, check_quiet, &plain);
}

/* ---- partitions ---- */

static void build_partition(struct bench *b)
{
    static const struct text_setting eighth[] = {
        {"map_parts", "8"}, {"device", "ddr4-3200"}, {"map_stride", "4k"},
        {"refresh", "off"}, {"channels", "1"},       {"mapping", "RoRaBaBgCo"},
        {NULL, NULL}};
    memory(b, eighth, 1);
    for (unsigned i = 0; i < 8; i++) /* one row in two stripes of 4 KiB */
        fill(b->drivers[0], 400 * i, 32768 * (uint64_t)(i / 4) + 64 * i);
}

static void check_partition(struct bench *b)
{
    struct dram_device *d = device_of(b->units[0]);
    assert_int_equal(d->columns * d->transaction, 8192);
    assert_stat(b->units[0], "read_hits", 7);
    dram_device_free(d);
}

static void the_bits_of_the_partition_are_left_out(void **state)
{
    bench_test(build_partition, check_partition);
}

/* ---- what makes no sense ---- */

static void refused(const char *name, const char *value, const char *expected)
{
    struct error e = {""};
    struct machine machine = {0};
    struct chip *chip = chip_new(unit_kinds, &machine);
    struct tile *tile = chip_tile(chip, "t");
    struct unit *u = chip_unit(chip, tile, "dram", "main", NULL, &e);
    struct unit *l2 = chip_unit(chip, tile, "cache", "l2", NULL, &e);
    bool good = chip_link(chip, l2, "mem", u, "cpu", 1, 4, &e) &&
                chip_link(chip, u, "reply", l2, "fill", 1, 0, &e) &&
                chip_set_text(chip, u, "device", "ddr4-3200", &e) &&
                chip_set_text(chip, u, name, value, &e) &&
                u->kind->build(u, &e);
    (void)good; /* links are connected by chip_finish only */
    chip_free(chip);
    if (!strstr(e.text, expected))
        fail_msg("%s=%s: \"%s\" does not say \"%s\"", name, value, e.text,
                 expected);
}

static void what_makes_no_sense_is_refused(void **state)
{
    refused("clock", "0", "clock: 0 is outside 1..");
    refused("core_clock", "0", "core_clock: 0 is outside 1..");
    refused("channels", "3", "channels: 3 is no power of two");
    refused("map_stride", "48", "map_stride: 48 is no power of two");
    refused("map_stride", "32", "map_stride: 32 is less than a transaction");
    refused("mapping", "RoBaXxCo", "mapping");
    refused("mapping", "RoBaRaCoCo", "mapping");
    refused("device", "ddr4-3201", "did you mean 'ddr4-3200'");
    refused("read_queue", "0", "read_queue: 0 is outside 1..");
    refused("write_low", "900", "write_low");
    refused("core_clock", "1", "neither may be more than 4096 times the other");
}

static void each_request_port_has_an_answer_port(void **state)
{
    expect_not_built("dram",
                     &(struct built){.links = {{"cpu", "cache", "mem", false}},
                                     .error = "1 cpu links but 0 reply links"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_takes_the_pipelines_and_the_device_s_latency),
        cmocka_unit_test(a_sector_joins_a_transaction_whose_data_is_to_come),
        cmocka_unit_test(data_is_shared_until_it_is_there),
        cmocka_unit_test(a_sector_takes_several_small_transactions),
        cmocka_unit_test(each_range_lies_between_its_edges),
        cmocka_unit_test(no_request_is_lost_or_answered_twice),
        cmocka_unit_test(clients_take_turns),
        cmocka_unit_test(a_burst_takes_its_cycles_of_the_bus),
        cmocka_unit_test(refreshes_go_on_while_the_unit_sleeps),
        cmocka_unit_test(a_hang_is_explained),
        cmocka_unit_test(and_nothing_is_said_when_all_is_answered),
        cmocka_unit_test(the_bits_of_the_partition_are_left_out),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(each_request_port_has_an_answer_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
