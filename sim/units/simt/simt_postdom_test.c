/* Post-dominators of small pieces of code. */
#include "sim/units/simt/simt_postdom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { START = 0x1000, WORDS = 16, RETURNS = -1 };

#define NOP 0x00000013u
#define RET 0x00008067u
#define RET_T0 0x00028067u
#define JUMP_T1 0x00030067u /* as of a switch: not a return */
#define CALL_T1 0x000300e7u
/* Offsets in words. */
#define BEQ(to) (0x00000063u | branch_bits(4 * (to)))
#define J(to) (0x0000006fu | jump_bits(4 * (to)))
#define CALL(to) (0x000000efu | jump_bits(4 * (to)))

static uint32_t branch_bits(int offset)
{
    uint32_t u = (uint32_t)offset;
    return (u >> 12 & 1) << 31 | (u >> 5 & 63) << 25 | (u >> 1 & 15) << 8 |
           (u >> 11 & 1) << 7;
}

static uint32_t jump_bits(int offset)
{
    uint32_t u = (uint32_t)offset;
    return (u >> 20 & 1) << 31 | (u >> 1 & 0x3ff) << 21 | (u >> 11 & 1) << 20 |
           (u >> 12 & 0xff) << 12;
}

/* The word that post-dominates word n of the code. */
static int of(const uint32_t *words, unsigned count, unsigned n)
{
    const struct isa_profile profile = {ISA_ALL_EXTENSIONS, 64};
    struct isa_insn text[2 * WORDS] = {0};
    for (unsigned i = 0; i < count; i++)
        isa_decode(words[i], &profile, &text[2 * i]);
    struct postdom *p = postdom_new(text, START, 4 * count);
    uint64_t pc = postdom_of(p, START + 4 * n);
    postdom_free(p);
    return pc == POSTDOM_RETURNS ? RETURNS : (int)(pc - START) / 4;
}

#define EXPECT(words, n, expected)                                             \
    assert_int_equal(of(words, sizeof(words) / sizeof *(words), n), expected)

static void ways_meet(void **unused)
{
    /* if, with and without else; one within the other */
    const uint32_t either[] = {BEQ(3), NOP, J(2), NOP, NOP, RET};
    EXPECT(either, 0, 4);
    EXPECT(either, 1, 2);
    EXPECT(either, 2, 4);
    const uint32_t nested[] = {BEQ(5), BEQ(2), NOP, NOP, J(2), NOP, NOP, RET};
    EXPECT(nested, 0, 6);
    EXPECT(nested, 1, 3);
}

static void loops_end(void **unused)
{
    /* tested at the end, with a way out of its middle */
    const uint32_t loop[] = {NOP, BEQ(4), NOP, BEQ(-3), NOP, NOP, RET};
    EXPECT(loop, 3, 5);
    EXPECT(loop, 1, 5);
    const uint32_t plain[] = {NOP, BEQ(-1), NOP, RET};
    EXPECT(plain, 1, 2);
    const uint32_t onward[] = {NOP, BEQ(3), NOP, J(-3), NOP, RET};
    EXPECT(onward, 1, 4);
    EXPECT(onward, 3, 0);
}

static void functions_end(void **unused)
{
    const uint32_t returns[] = {BEQ(2), RET, NOP, RET};
    EXPECT(returns, 0, RETURNS);
    const uint32_t table[] = {BEQ(2), JUMP_T1, NOP, RET};
    EXPECT(table, 0, RETURNS);
    EXPECT(table, 2, 3);
    const uint32_t beyond[] = {BEQ(9), NOP, RET};
    EXPECT(beyond, 0, RETURNS);
    const uint32_t other[] = {BEQ(3), RET_T0, NOP, NOP, RET};
    EXPECT(other, 0, RETURNS);
}

static void calls_come_back(void **unused)
{
    const uint32_t calls[] = {BEQ(3), CALL(5), CALL_T1, NOP, NOP, RET, RET};
    EXPECT(calls, 0, 3);
    EXPECT(calls, 1, 2);
    /* a call of itself does not hide that it returns */
    const uint32_t itself[] = {BEQ(3), CALL(-1), NOP, NOP, RET};
    EXPECT(itself, 0, 3);
}

/* What never leaves is no way on. */
static void some_never_leave(void **unused)
{
    const uint32_t stops[] = {BEQ(2), CALL(4), NOP, NOP, RET, NOP, J(-1)};
    EXPECT(stops, 0, 2);
    EXPECT(stops, 5, RETURNS);
    const uint32_t spins[] = {BEQ(2), J(0), NOP, RET};
    EXPECT(spins, 0, 2);
    EXPECT(spins, 1, RETURNS);
    const uint32_t zeroes[] = {BEQ(2), 0, NOP, RET};
    EXPECT(zeroes, 0, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_meet),        cmocka_unit_test(loops_end),
        cmocka_unit_test(functions_end),    cmocka_unit_test(calls_come_back),
        cmocka_unit_test(some_never_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
