/* Harts that sleep wake when their time has come, the earliest first, those of
 * one time in the order of their numbers. */
#include "sim/core/unit.h"
#include "sim/host/run/cores.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum { HARTS = 100 };

static uint64_t slept[HARTS];

static void note_slept(struct unit *core, unsigned slot, uint64_t cycles)
{
    slept[slot] += cycles;
}

static const struct core_kind core = {.name = "toy", .slept = note_slept};
static const struct unit_kind kind = {.name = "toy", .core = &core};
static struct unit unit = {.kind = &kind};
static struct hart harts[HARTS];

static void begin(struct host *host)
{
    *host = (struct host){.machine = {.harts = harts, .hart_count = HARTS}};
    for (unsigned i = 0; i < HARTS; i++) {
        harts[i] = (struct hart){.core = &unit, .slot = i};
        slept[i] = 0;
    }
}

static unsigned awake(void)
{
    unsigned count = 0;
    for (unsigned i = 0; i < HARTS; i++)
        count += harts[i].state == HART_RUNNING;
    return count;
}

static void harts_wake_in_the_order_of_their_times(void **state)
{
    struct host host;
    begin(&host);
    for (unsigned i = 0; i < HARTS; i++)
        assert_int_equal(sleep_until(&host, &harts[i], 1000 + i * 37 % HARTS),
                         0);
    assert_int_equal(awake(), 0);
    for (unsigned i = 0; i < HARTS; i++) {
        assert_int_equal(sleep_next(&host), 1000 + i);
        host.now = 1000 + i;
        sleep_wake(&host);
        assert_int_equal(awake(), i + 1);
    }
    assert_int_equal(sleep_next(&host), CYCLE_NEVER);
    free(host.sleep.sleepers);
}

static void all_of_one_time_wake_at_once(void **state)
{
    struct host host;
    begin(&host);
    for (unsigned i = HARTS; i-- > 0;)
        sleep_until(&host, &harts[i], 500);
    host.now = 499;
    sleep_wake(&host);
    assert_int_equal(awake(), 0);
    host.now = 510;
    sleep_wake(&host);
    assert_int_equal(awake(), HARTS);
    free(host.sleep.sleepers);
}

static void the_core_is_told_how_long_its_hart_slept(void **state)
{
    struct host host;
    begin(&host);
    host.now = 100;
    sleep_until(&host, &harts[7], 250);
    host.now = 260;
    sleep_wake(&host);
    assert_int_equal(slept[7], 160);
    assert_int_equal(slept[6], 0);
    free(host.sleep.sleepers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harts_wake_in_the_order_of_their_times),
        cmocka_unit_test(all_of_one_time_wake_at_once),
        cmocka_unit_test(the_core_is_told_how_long_its_hart_slept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
