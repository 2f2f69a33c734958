/* The queue of records: which one a result belongs to. */
#include "sim/units/common/commit_queue.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum { AMOADD_A0 = 0x00b5252f }; /* amoadd.w a0,a1,(a0) */

static const struct isa_profile rv64 = {ISA_ALL_EXTENSIONS, 64};

struct fixture {
    struct commit_queue queue;
    struct isa_hart harts[2];
    struct isa_insn insn;
};

static struct fixture start(void)
{
    struct fixture f = {0};
    for (uint32_t i = 0; i < 2; i++)
        isa_hart_reset(&f.harts[i], &rv64, i, 0x1000);
    assert_true(isa_decode(AMOADD_A0, &rv64, &f.insn));
    return f;
}

/* An atomic of the hart at an address. */
static void issue(struct fixture *f, unsigned hart, uint64_t address,
                  uint64_t cycle)
{
    struct isa_effect effect;
    struct isa_hart *h = &f->harts[hart];
    h->x[10] = address;
    struct isa_commit *c = commit_queue_add(&f->queue, hart, cycle);
    isa_commit_begin(c, h, &f->insn);
    enum isa_outcome outcome = isa_execute(h, &f->insn, &effect);
    commit_queue_executed(&f->queue,
                          isa_commit_executed(c, h, outcome, &effect));
}

static void finish(struct fixture *f, unsigned hart, uint64_t address,
                   uint64_t value)
{
    commit_queue_finish(&f->queue, &f->harts[hart], &f->insn, address, value);
}

static uint64_t stored(const struct fixture *f, unsigned entry)
{
    assert_false(f->queue.entries[entry].waits);
    return f->queue.entries[entry].commit.value;
}

static void results_find_their_instruction_by_hart_and_address(void **state)
{
    struct fixture f = start();
    issue(&f, 0, 0x40, 1);
    issue(&f, 1, 0x40, 2);
    issue(&f, 0, 0x80, 3);
    finish(&f, 0, 0x80, 7);
    assert_int_equal(f.queue.waiting_count, 2);
    finish(&f, 1, 0x40, 8);
    finish(&f, 0, 0x40, 9);
    assert_int_equal(f.queue.waiting_count, 0);
    assert_int_equal(stored(&f, 0), 9);
    assert_int_equal(stored(&f, 1), 8);
    assert_int_equal(stored(&f, 2), 7);
    commit_queue_free(&f.queue);
}

static void of_equal_ones_the_oldest_is_done_first(void **state)
{
    struct fixture f = start();
    issue(&f, 0, 0x40, 1);
    issue(&f, 0, 0x40, 2);
    issue(&f, 0, 0x40, 3);
    commit_queue_finish_last(&f.queue, &f.harts[0], 5);
    assert_int_equal(stored(&f, 2), 5);
    finish(&f, 0, 0x40, 6);
    finish(&f, 0, 0x40, 7);
    assert_int_equal(stored(&f, 0), 6);
    assert_int_equal(stored(&f, 1), 7);
    commit_queue_free(&f.queue);
}

static void removing_the_first_keeps_the_rest(void **state)
{
    enum { COUNT = 1000, GONE = 600 };
    struct fixture f = start();
    for (uint64_t i = 0; i < COUNT; i++)
        issue(&f, 0, 64 * i, i);
    for (uint64_t i = 0; i < GONE; i++)
        finish(&f, 0, 64 * i, i);
    commit_queue_remove(&f.queue, GONE);
    assert_int_equal(f.queue.count, COUNT - GONE);
    assert_int_equal(f.queue.entries[f.queue.waiting[0]].cycle, GONE);
    finish(&f, 0, 64 * 999, 1);
    assert_int_equal(stored(&f, COUNT - GONE - 1), 1);
    commit_queue_free(&f.queue);
}

static void what_did_not_happen_is_taken_back(void **state)
{
    struct fixture f = start();
    issue(&f, 0, 0x40, 1);
    issue(&f, 0, 0x80, 2);
    commit_queue_drop(&f.queue);
    assert_int_equal(f.queue.count, 1);
    assert_int_equal(f.queue.waiting_count, 1);
    issue(&f, 0, 0x42, 3); /* misaligned: traps */
    assert_int_equal(f.queue.count, 1);
    commit_queue_free(&f.queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_find_their_instruction_by_hart_and_address),
        cmocka_unit_test(of_equal_ones_the_oldest_is_done_first),
        cmocka_unit_test(removing_the_first_keeps_the_rest),
        cmocka_unit_test(what_did_not_happen_is_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
