/* Expressions of conditions, by their bytes. */
#include "sim/host/gdb/agent.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

/* Register n is 100 + n; byte n of memory, of 16, is n. */
static bool get_register(void *context, unsigned number, uint64_t *value)
{
    (void)context;
    *value = 100 + number;
    return number < 32;
}

static bool get_memory(void *context, uint64_t address, void *bytes,
                       size_t count)
{
    uint8_t *to = bytes;
    (void)context;
    for (size_t i = 0; i < count; i++)
        to[i] = (uint8_t)(address + i);
    return address + count <= 16;
}

static const struct agent_target target = {NULL, get_register, get_memory};

#define RUN(value, ...)                                                        \
    agent_run((const uint8_t[]){__VA_ARGS__},                                  \
              sizeof((const uint8_t[]){__VA_ARGS__}), &target, value)
#define GIVES(expected, ...)                                                   \
    do {                                                                       \
        int64_t value_ = 0;                                                    \
        assert_true(RUN(&value_, __VA_ARGS__));                                \
        assert_true(value_ == (expected));                                     \
    } while (0)
#define FAILS(...)                                                             \
    do {                                                                       \
        int64_t value_;                                                        \
        assert_false(RUN(&value_, __VA_ARGS__));                               \
    } while (0)

static void registers_constants_and_memory_are_pushed(void **state)
{
    (void)state;
    GIVES(110, 0x26, 0, 10, 0x27);
    GIVES(0x1234, 0x23, 0x12, 0x34, 0x27);
    GIVES(0x12345678, 0x24, 0x12, 0x34, 0x56, 0x78, 0x27);
    GIVES(0x0504, 0x22, 4, 0x18, 0x27);
    GIVES(0x0b0a090807060504, 0x22, 4, 0x1a, 0x27);
    FAILS(0x26, 0, 32, 0x27);
    FAILS(0x22, 15, 0x18, 0x27);
}

static void operators_take_two_or_one(void **state)
{
    (void)state;
    GIVES(7 - 9, 0x22, 7, 0x22, 9, 0x03, 0x27);
    GIVES(1, 0x22, 7, 0x22, 9, 0x03, 0x22, 0, 0x14, 0x27);
    GIVES(0, 0x22, 7, 0x22, 9, 0x03, 0x22, 0, 0x15, 0x27);
    GIVES(-1, 0x22, 255, 0x16, 8, 0x27);
    GIVES(5, 0x22, 0xf5, 0x2a, 4, 0x27);
    GIVES(1, 0x22, 0, 0x0e, 0x27);
    GIVES(-4, 0x22, 0xf0, 0x16, 8, 0x22, 2, 0x0a, 0x27);
    GIVES(3, 0x22, 10, 0x22, 3, 0x06, 0x27);
    FAILS(0x22, 10, 0x22, 0, 0x06, 0x27);
}

static void the_stack_is_moved_about(void **state)
{
    (void)state;
    GIVES(2, 0x22, 1, 0x22, 2, 0x28, 0x29, 0x27);
    GIVES(1, 0x22, 1, 0x22, 2, 0x2b, 0x27);
    GIVES(1, 0x22, 1, 0x22, 2, 0x32, 1, 0x27);
    GIVES(2, 0x22, 1, 0x22, 2, 0x22, 3, 0x33, 0x27);
    FAILS(0x29, 0x27);
    FAILS(0x32, 0, 0x27);
}

static void jumps_go_where_they_say_and_not_for_ever(void **state)
{
    (void)state;
    GIVES(9, 0x22, 1, 0x20, 0, 8, 0x22, 7, 0x27, 0x22, 9, 0x27);
    GIVES(7, 0x22, 0, 0x20, 0, 8, 0x22, 7, 0x27, 0x22, 9, 0x27);
    FAILS(0x21, 0, 0);
    FAILS(0x21, 0, 200);
}

static void what_is_no_expression_has_no_value(void **state)
{
    int64_t value;
    (void)state;
    assert_false(agent_run(NULL, 0, &target, &value));
    FAILS(0x27);
    FAILS(0x22);
    FAILS(0x22, 1);
    FAILS(0x01, 0x27);
    FAILS(0xff, 0x27);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_constants_and_memory_are_pushed),
        cmocka_unit_test(operators_take_two_or_one),
        cmocka_unit_test(the_stack_is_moved_about),
        cmocka_unit_test(jumps_go_where_they_say_and_not_for_ever),
        cmocka_unit_test(what_is_no_expression_has_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
