/* Migration takes of DRAM's bandwidth: which sectors are asked for, when, and
 * what ends later for it. */
#include "sim/units/paging/paging_bench.h"

#define SECTORS (PAGE / SECTOR)
#define STRIPE 256u

/* When PCIe begins the transfer of a fault asked for in this cycle. */
#define BEGINS(asked) ((asked) + JUDGED + 1 + LINK)

static void one_load(struct bench *b)
{
    load_at(b->drivers[0], 0, 0x12340);
}

/* Sector i comes with its part of the transfer, but the GMMU does not know of
 * that before PCIe has told. */
static void check_sectors(struct bench *b)
{
    const uint64_t begin = BEGINS(b->drivers[0]->asks[1].sent);
    unsigned next[2] = {0, 0};
    for (unsigned i = 0; i < SECTORS; i++) {
        uint64_t address = 0x12000 + SECTOR * i;
        unsigned part = (unsigned)(address / STRIPE % 2);
        const struct seen *s = &b->belows[1 + part]->seen[next[part]++];
        uint64_t due = i * (uint64_t)PAGE_CYCLES / SECTORS;
        assert_int_equal(s->msg.op, MEM_WRITEBACK);
        assert_int_equal(s->msg.aux, CLIENT_PAGES);
        assert_int_equal(s->msg.addr, address);
        assert_int_equal(s->msg.size, SECTOR);
        assert_int_equal(s->at, begin + (due < LINK ? LINK : due) + LINK);
    }
    assert_int_equal(b->belows[1]->count, next[0]);
    assert_int_equal(b->belows[2]->count, next[1]);
    assert_int_equal(driver_took(b->drivers[0], 1), FAULT_TIME);
    assert_stat(b->units[GMMU], "dram_written", PAGE);
    assert_stat(b->units[GMMU], "dram_read", 0);
    assert_stat(b->units[GMMU], "dram_wait", 0);
}

static void what_comes_is_written_to_its_partition(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .partitions = 2,
                                 .gmmu = SETTINGS({"hardware_prefetch", 0},
                                                  {"map_parts", 2},
                                                  {"map_stride", STRIPE}),
                                 .script = one_load,
                                 .check = check_sectors,
                                 .parts = ALL});
}

/* A DRAM that takes nothing until long after the transfer, then a sector a
 * cycle. Within a tile there is room for DEPTH and those of LINK - 1 cycles on
 * the way; between tiles for those of 2 LINK cycles, but a credit takes LINK to
 * come back. The last one is sent when all that have no room have been taken.
 */
#define OPENS (BEGIN + 10000ull)

static void closed(struct bench *b)
{
    one_load(b);
    b->belows[1]->closed_until = OPENS;
}

static void check_closed(struct bench *b)
{
    const uint64_t asked = b->drivers[0]->asks[1].sent;
    const uint64_t room = DEPTH + (b->together ? LINK - 1 : 2 * LINK);
    const uint64_t lands =
        OPENS + SECTORS - room - 1 + (b->together ? 0 : LINK);
    assert_int_equal(driver_took(b->drivers[0], 1), lands - asked + RETURNED);
    assert_stat(b->units[GMMU], "dram_wait",
                lands - BEGINS(asked) - PAGE_CYCLES);
}

static void a_page_is_there_when_dram_has_taken_it(void **state)
{
    paging_test(&(struct paging){.tlbs = 1,
                                 .partitions = 1,
                                 .gmmu = SETTINGS({"hardware_prefetch", 0}),
                                 .script = closed,
                                 .check = check_closed,
                                 .parts = ALL});
}

/* Memory of 512 pages, and two more that are asked for. */
static void overfull(struct bench *b)
{
    for (unsigned i = 0; i < 514; i++)
        load_at(b->drivers[0], 3000ull * i, i * PAGE);
}

/* The last sector of a page that leaves is asked for 127/128 of the transfer
 * after its begin, as is that of the page that comes, which goes first; it has
 * to be back for the transfer to end. A fault does not wait. */
static void check_overfull(struct bench *b)
{
    const unsigned latency = b->belows[1]->latency;
    const unsigned back =
        (SECTORS - 1) * PAGE_CYCLES / SECTORS + 1 + 2 * LINK + latency;
    const unsigned late = back > PAGE_CYCLES ? back - PAGE_CYCLES : 0;
    assert_int_equal(late, latency == BELOW ? 0 : 36);
    for (unsigned i = 1; i <= 514; i++)
        assert_int_equal(driver_took(b->drivers[0], i), FAULT_TIME);
    assert_stat(b->units[GMMU], "dram_written", 514 * PAGE);
    assert_stat(b->units[GMMU], "dram_read", 2 * PAGE);
    assert_stat(b->units[GMMU], "dram_wait", 2 * late);
    assert_stat(b->units[PCIE], "write_cycles", 2 * PAGE_CYCLES);
}

static void slowly(struct bench *b)
{
    overfull(b);
    b->belows[1]->latency = 50;
}

static void what_leaves_is_read_and_waited_for(void **state)
{
    for (unsigned slow = 0; slow < 2; slow++)
        paging_test(&(struct paging){.tlbs = 1,
                                     .partitions = 1,
                                     .gmmu = SETTINGS({"hardware_prefetch", 0},
                                                      {"eviction_policy", 5},
                                                      {"gddr_size", 2 * MB}),
                                     .script = slow ? slowly : overfull,
                                     .check = check_overfull,
                                     .parts = ALL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_is_written_to_its_partition),
        cmocka_unit_test(a_page_is_there_when_dram_has_taken_it),
        cmocka_unit_test(what_leaves_is_read_and_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
