/* Managed memory: where its ranges lie, what is refused, and what the unit that
 * moves pages is asked for. */
#include "runtime/include/corbel/abi.h"
#include "runtime/include/corbel/managed.h"
#include "sim/core/paging_role.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/toy_core.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define MIB ((uint64_t)1 << 20)
enum { SYNC_CYCLES = 5000, RAM_MIB = 64 };

/* ---- a unit that moves pages: it notes what it is asked for ---- */

static struct {
    unsigned added, prefetches, synchronised, launches;
    uint64_t address, bytes, at;
    bool blank;       /* the range */
    bool refuses;     /* ranges and prefetches */
    bool finished;    /* there was nothing to put back */
    uint64_t latency; /* of launches */
} asked;

struct pager {
    struct unit unit;
    struct {
        char none;
    } params, stats;
    uint64_t done; /* the cycle in which all is back, 0: none */
};

static bool note_add(struct unit *u, uint64_t now, uint64_t address,
                     uint64_t bytes, bool blank, struct error *error)
{
    asked.added++;
    asked.blank = blank;
    asked.address = address;
    asked.bytes = bytes;
    return !asked.refuses || error_set(error, "too much of it");
}

static bool note_prefetch(struct unit *u, uint64_t now, uint64_t address,
                          uint64_t bytes, struct error *error)
{
    asked.prefetches++;
    asked.address = address;
    asked.bytes = bytes;
    return !asked.refuses || error_set(error, "many wait");
}

static bool note_synchronise(struct unit *u, uint64_t now)
{
    asked.synchronised++;
    asked.at = now;
    if (asked.finished)
        return false;
    ((struct pager *)u)->done = now + SYNC_CYCLES;
    unit_wake(u, now + SYNC_CYCLES);
    return true;
}

static uint64_t note_launch(struct unit *u)
{
    asked.launches++;
    return asked.latency;
}

static uint64_t send(struct unit *u, uint64_t now)
{
    struct pager *p = (struct pager *)u;
    if (p->done && now >= p->done) {
        unit_request_service(u, now, 0);
        p->done = 0;
    }
    return p->done ? p->done : CYCLE_NEVER;
}

static void sum(const struct unit *u, struct corbel_managed_stats *stats)
{
    stats->faults += 7;
    stats->remote_reads += 11;
}

static const struct paging_role role = {.add = note_add,
                                        .prefetch = note_prefetch,
                                        .synchronise = note_synchronise,
                                        .launch = note_launch,
                                        .sum = sum};
static const struct unit_kind pager_kind = {
    .name = "pager",
    .meaning = "moves pages",
    .size = sizeof(struct pager),
    .params = offsetof(struct pager, params),
    .stats = offsetof(struct pager, stats),
    .send = send,
    .paging = &role,
};
static const struct unit_kind *const kinds[] = {&toy_kind, &pager_kind, NULL};

/* ---- the host around it ---- */

struct fixture {
    struct host host;
    struct options options;
    struct toy *toy;
    struct hart hart;
    unsigned first_hart;
};

/* The core's one instruction is a call, then comes one that it does not have,
 * which ends the run. */
static void begin(struct fixture *f, bool pages)
{
    struct error e;
    struct host *host = &f->host;
    static const uint8_t code[] = {CALL, 9};
    *f = (struct fixture){.options = {.quiet = true, .max_cycles = 100000}};
    memset(&asked, 0, sizeof asked);
    f->options.engine.threads = 1;
    host->options = &f->options;
    host->clock_mhz = 1000;
    host->log.stream = open_memstream(&host->log.text, &host->log.size);
    host->programs.all[0] = (struct program){
        .core = &toy_core, .path = "toy.elf", .entry = CODE, .xlen = 64};
    host->programs.count = 1;
    host->programs.first = &host->programs.all[0];
    host->machine.profile.xlen = 64;
    assert_true(memory_reserve(&host->machine, RAM_MIB * MIB, &e));
    host->layout.heap_start = host->layout.heap_end = 1 * MIB + PAGE;
    host->layout.ceiling = RAM_MIB * MIB;
    memcpy(machine_at(&host->machine, CODE), code, sizeof code);
    host->chip = chip_new(kinds, &host->machine);
    struct tile *tile = chip_tile(host->chip, "t");
    f->toy =
        (struct toy *)chip_unit(host->chip, tile, "toy", "core0", NULL, &e);
    assert_non_null(f->toy);
    if (pages)
        assert_non_null(
            chip_unit(host->chip, tile, "pager", "pager0", NULL, &e));
    if (!chip_finish(host->chip, &e))
        fail_msg("%s", e.text);
    f->toy = (struct toy *)chip_find(host->chip, "core0");
    host->harts = host->machine.hart_count;
    host->machine.harts = &f->hart;
    host->first_hart = &f->first_hart;
    cores_assign(host);
    assert_true(programs_load(host, &e));
    cores_reset(host);
}

static void end(struct fixture *f)
{
    engine_free(f->host.engine);
    chip_free(f->host.chip);
    memory_release(&f->host.machine);
    free(f->host.managed.ranges);
    free(f->host.sleep.sleepers);
    fclose(f->host.log.stream);
    free(f->host.log.text);
}

/* The call with that number and argument, by the core. Its result. */
static uint64_t call(struct fixture *f, uint64_t number, uint64_t argument)
{
    struct error e;
    f->toy->r0 = argument;
    f->toy->r1 = number;
    if (!timing_run(&f->host, &e))
        fail_msg("%s", e.text);
    assert_int_equal(f->host.ended.how, ENDING_FAULT);
    return f->toy->r0;
}

/* ---- tests ---- */

static void trees_are_whole_roots_and_a_power_of_two_of_blocks(void **state)
{
    static const struct {
        uint64_t bytes, trees; /* KiB */
    } rows[] = {{4288, 4352}, {2240, 2304}, {168, 256},   {1, 64},
                {6144, 6144}, {64, 64},     {1025, 2048}, {2049, 2112}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(corbel_managed_trees(rows[i].bytes << 10),
                         rows[i].trees << 10);
    assert_int_equal(corbel_managed_trees(1), 64 << 10);
    assert_int_equal(corbel_managed_trees((4 << 20) + 1),
                     (4 << 20) + (64 << 10));
}

static void ranges_stand_in_the_table_in_order_below_each_other(void **state)
{
    struct fixture f;
    begin(&f, false);
    static const uint64_t bytes[] = {3, 2 * MIB, 4 * MIB + 192 * 1024, MIB};
    uint64_t above = f.host.layout.ceiling;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t at = (uint64_t)host_managed_alloc(&f.host, bytes[i]);
        assert_int_equal(at % CORBEL_MANAGED_ROOT, 0);
        assert_true(at + corbel_managed_trees(bytes[i]) <= above);
        assert_int_equal(f.host.managed.count, i + 1);
        assert_int_equal(f.host.managed.ranges[i].start, at);
        assert_int_equal(f.host.managed.ranges[i].end, at + bytes[i]);
        assert_int_equal(f.host.layout.ceiling, at);
        above = at;
    }
    end(&f);
}

static void the_table_has_room_for_as_many_as_memory_has(void **state)
{
    struct fixture f;
    begin(&f, false);
    unsigned count = 0;
    while (host_managed_alloc(&f.host, 1) > 0)
        count++;
    /* Roots from 4 MiB to the end: that at 2 MiB would not leave the heap what
     * it keeps. */
    assert_int_equal(count, RAM_MIB / 2 - 2);
    assert_int_equal(f.host.managed.count, count);
    assert_int_equal(f.host.managed.ranges[0].start, (RAM_MIB - 2) * MIB);
    assert_int_equal(f.host.layout.ceiling, 4 * MIB);
    end(&f);
}

static void nothing_and_too_much_are_refused_without_effect(void **state)
{
    struct fixture f;
    begin(&f, false);
    const uint64_t much[] = {RAM_MIB * MIB, (RAM_MIB - 1) * MIB, UINT64_MAX / 2,
                             UINT64_MAX};
    assert_int_equal(host_managed_alloc(&f.host, 0), -EINVAL);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(host_managed_alloc(&f.host, much[i]), -ENOMEM);
    f.host.machine.tohost = 61 * MIB;
    assert_int_equal(host_managed_alloc(&f.host, 4 * MIB), -ENOMEM);
    assert_int_equal(f.host.managed.count, 0);
    assert_int_equal(f.host.layout.ceiling, RAM_MIB * MIB);
    fflush(f.host.log.stream);
    assert_non_null(strstr(f.host.log.text, "managed memory: 64 MiB do not fit "
                                            "in memory, see --memory\n"));
    end(&f);
}

static void a_32_bit_program_s_sizes_have_32_bits(void **state)
{
    struct fixture f;
    begin(&f, false);
    f.host.machine.profile.xlen = 32;
    assert_int_equal(host_managed_alloc(&f.host, 0xffffffff00000000), -EINVAL);
    assert_true(host_managed_alloc(&f.host, 0xffffffff00000001) > 0);
    assert_int_equal(
        f.host.managed.ranges[0].end - f.host.managed.ranges[0].start, 1);
    end(&f);
}

static void a_prefetch_lies_in_one_range(void **state)
{
    struct fixture f;
    begin(&f, false);
    uint64_t high = (uint64_t)host_managed_alloc(&f.host, 2 * MIB);
    uint64_t low = (uint64_t)host_managed_alloc(&f.host, 2 * MIB);
    assert_int_equal(low + 2 * MIB, high);
    assert_int_equal(host_managed_prefetch(&f.host, low, 2 * MIB), 0);
    assert_int_equal(host_managed_prefetch(&f.host, high + 2 * MIB - 1, 1), 0);
    assert_int_equal(host_managed_prefetch(&f.host, low, 0), -EINVAL);
    assert_int_equal(host_managed_prefetch(&f.host, low, 2 * MIB + 1), -EINVAL);
    assert_int_equal(host_managed_prefetch(&f.host, low + 1, UINT64_MAX),
                     -EINVAL);
    assert_int_equal(host_managed_prefetch(&f.host, low - 1, 2), -EINVAL);
    assert_int_equal(host_managed_prefetch(&f.host, high + 2 * MIB, 1),
                     -EINVAL);
    assert_int_equal(host_managed_prefetch(&f.host, CODE, 1), -EINVAL);
    fflush(f.host.log.stream);
    assert_non_null(strstr(f.host.log.text,
                           "prefetch of managed memory: 1 bytes at 0x20000, "
                           "expected a part of one allocation or managed "
                           "file\n"));
    end(&f);
}

static void the_unit_is_told_of_ranges_and_prefetches(void **state)
{
    struct fixture f;
    begin(&f, true);
    uint64_t start = call(&f, CORBEL_SYS_MANAGED_ALLOC, 3 * MIB);
    assert_int_equal(start, 60 * MIB);
    assert_int_equal(asked.added, 1);
    assert_true(asked.blank);
    assert_int_equal(asked.address, start);
    assert_int_equal(host_managed_prefetch(&f.host, start + 5, 100), 0);
    assert_int_equal(host_managed_prefetch(&f.host, start - 5, 100), -EINVAL);
    assert_int_equal(asked.prefetches, 1);
    assert_int_equal(asked.address, start + 5);
    assert_int_equal(asked.bytes, 100);
    end(&f);
}

static void what_the_unit_refuses_has_no_effect(void **state)
{
    struct fixture f;
    begin(&f, true);
    uint64_t start = call(&f, CORBEL_SYS_MANAGED_ALLOC, MIB);
    asked.refuses = true;
    assert_int_equal(host_managed_alloc(&f.host, MIB), -ENOMEM);
    assert_int_equal(f.host.managed.count, 1);
    assert_int_equal(f.host.layout.ceiling, start);
    assert_int_equal(host_managed_prefetch(&f.host, start, 5), -EAGAIN);
    fflush(f.host.log.stream);
    assert_non_null(
        strstr(f.host.log.text, "managed memory: too much of it\n"));
    assert_non_null(
        strstr(f.host.log.text, "prefetch of managed memory: many wait\n"));
    end(&f);
}

static void a_hart_that_synchronises_sleeps_until_it_is_done(void **state)
{
    struct fixture f;
    begin(&f, true);
    assert_int_equal(call(&f, CORBEL_SYS_MANAGED_SYNC, 1), 0);
    assert_int_equal(asked.synchronised, 1);
    assert_true(f.host.now >= asked.at + SYNC_CYCLES);
    assert_true(f.host.now < asked.at + SYNC_CYCLES + 200);
    end(&f);
}

static void it_goes_on_at_once_if_there_is_nothing_to_put_back(void **state)
{
    struct fixture f;
    begin(&f, true);
    asked.finished = true;
    assert_int_equal(call(&f, CORBEL_SYS_MANAGED_SYNC, 1), 0);
    assert_int_equal(asked.synchronised, 1);
    assert_true(f.host.now < 200);
    end(&f);
}

static void one_hart_synchronises_at_a_time(void **state)
{
    struct fixture f;
    begin(&f, true);
    struct hart other;
    f.host.managed.synchronising = &other;
    assert_int_equal(call(&f, CORBEL_SYS_MANAGED_SYNC, 1), -EBUSY);
    assert_int_equal(asked.synchronised, 0);
    end(&f);
}

static void a_kernel_does_not_synchronise(void **state)
{
    struct fixture f;
    begin(&f, true);
    f.host.kernels.runs = true;
    assert_int_equal(call(&f, CORBEL_SYS_MANAGED_SYNC, 1), -EBUSY);
    assert_int_equal(asked.synchronised, 0);
    assert_true(f.host.now < SYNC_CYCLES);
    end(&f);
}

/* The cycle in which a program ends that does nothing but launch a kernel. */
static uint64_t launched(uint64_t latency)
{
    struct fixture f;
    begin(&f, true);
    f.options.engine.watch = 10000; /* the wait is no stall */
    asked.latency = latency;
    assert_int_equal(call(&f, CORBEL_SYS_LAUNCH, CODE), 0);
    assert_int_equal(asked.launches, 1);
    assert_true(f.host.kernels.runs);
    uint64_t now = f.host.now;
    end(&f);
    return now;
}

static void a_kernel_begins_the_latency_later_to_the_cycle(void **state)
{
    uint64_t at_once = launched(0);
    assert_int_equal(launched(128), at_once + 128);
    assert_int_equal(launched(50048), at_once + 50048);
}

static void statistics_are_those_of_the_unit(void **state)
{
    const uint64_t to = 2 * MIB;
    for (int pages = 0; pages < 2; pages++) {
        struct fixture f;
        struct corbel_managed_stats stats;
        begin(&f, pages);
        memset(machine_at(&f.host.machine, to), 0xff, sizeof stats);
        assert_int_equal(call(&f, CORBEL_SYS_MANAGED_STATS, to), 0);
        memcpy(&stats, machine_at(&f.host.machine, to), sizeof stats);
        assert_int_equal(stats.faults, pages ? 7 : 0);
        assert_int_equal(stats.bytes_out, 0);
        assert_int_equal(stats.remote_reads, pages ? 11 : 0);
        assert_int_equal(host_managed_stats(&f.host, &f.hart, 0), -EFAULT);
        assert_int_equal(
            host_managed_stats(&f.host, &f.hart, RAM_MIB * MIB - 1), -EFAULT);
        end(&f);
    }
}

static void without_such_a_unit_nothing_takes_time(void **state)
{
    struct fixture f;
    begin(&f, false);
    assert_int_equal(call(&f, CORBEL_SYS_MANAGED_SYNC, 1), 0);
    assert_true(f.host.now < 200);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_whole_roots_and_a_power_of_two_of_blocks),
        cmocka_unit_test(ranges_stand_in_the_table_in_order_below_each_other),
        cmocka_unit_test(the_table_has_room_for_as_many_as_memory_has),
        cmocka_unit_test(nothing_and_too_much_are_refused_without_effect),
        cmocka_unit_test(a_32_bit_program_s_sizes_have_32_bits),
        cmocka_unit_test(a_prefetch_lies_in_one_range),
        cmocka_unit_test(the_unit_is_told_of_ranges_and_prefetches),
        cmocka_unit_test(what_the_unit_refuses_has_no_effect),
        cmocka_unit_test(a_hart_that_synchronises_sleeps_until_it_is_done),
        cmocka_unit_test(it_goes_on_at_once_if_there_is_nothing_to_put_back),
        cmocka_unit_test(one_hart_synchronises_at_a_time),
        cmocka_unit_test(a_kernel_does_not_synchronise),
        cmocka_unit_test(a_kernel_begins_the_latency_later_to_the_cycle),
        cmocka_unit_test(statistics_are_those_of_the_unit),
        cmocka_unit_test(without_such_a_unit_nothing_takes_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
