/*
 * isa_execute_lanes does to each lane what isa_execute does to a hart alone:
 * every row, and compressed words, on lanes that differ, under masks of all
 * kinds. Lanes outside the mask stay as they are.
 */
#include "ci/tests/runs.h"
#include "sim/isa/lanes.h"
#include "sim/isa/tests/draws.h"

enum { PER_ROW = 24, PER_WORD = 2, GAP = 3 };

/* Lanes as a caller has them: each hart is part of something longer. */
struct slot {
    struct isa_hart hart;
    uint64_t more[GAP];
};

struct bench {
    struct slot before[ISA_LANES], after[ISA_LANES];
    struct isa_hart alone[ISA_LANES];
    enum isa_outcome outcome[ISA_LANES];
    struct isa_effect effect[ISA_LANES];
    struct isa_lanes lanes;
    struct isa_insn insn;
    unsigned by_lanes, by_alone; /* instructions */
};

/* All, one, a half, few, or side by side. */
static uint64_t random_mask(void)
{
    uint64_t mask;
    switch (random_below(5)) {
    case 0:
        return UINT64_MAX;
    case 1:
        return 1ull << random_below(64);
    case 2:
        mask = random_bits();
        break;
    case 3:
        // NOLINTNEXTLINE(misc-redundant-expression): each draws anew
        mask = random_bits() & random_bits() & random_bits();
        break;
    default:
        mask = (UINT64_MAX >> random_below(64)) << random_below(64);
        break;
    }
    return mask ? mask : 1;
}

static uint64_t random_pc(const struct isa_profile *profile)
{
    bool compressed = isa_has(profile->extensions, ISA_EXT_c);
    uint64_t pc = one_in(2) ? BOTH_CODE : random_integer(profile->xlen);
    pc &= compressed ? ~1ull : ~3ull;
    return profile->xlen == 32 ? (uint32_t)pc : pc;
}

/* Lanes that differ, or all alike but for their numbers. */
static void draw_lanes(struct bench *b, const struct isa_profile *profile)
{
    bool alike = one_in(8);
    b->lanes.pc = random_pc(profile);
    b->lanes.mask = random_mask();
    for (unsigned i = 0; i < ISA_LANES; i++) {
        struct isa_hart *hart = &b->before[i].hart;
        isa_hart_reset(hart, profile, i, b->lanes.pc);
        if (alike && i)
            memcpy(hart, &b->before[0].hart, sizeof *hart);
        else
            random_registers(hart);
        hart->id = i;
        hart->instret = random_bits();
        for (unsigned k = 0; k < GAP; k++)
            b->before[i].more[k] = random_bits();
    }
}

static void run_alone(struct bench *b)
{
    for (unsigned i = 0; i < ISA_LANES; i++) {
        memcpy(&b->alone[i], &b->before[i].hart, sizeof b->alone[i]);
        memset(&b->effect[i], 0, sizeof b->effect[i]);
        b->outcome[i] = isa_execute(&b->alone[i], &b->insn, &b->effect[i]);
    }
}

static void check_place(const struct bench *b, unsigned lane)
{
    const struct isa_hart *alone = &b->alone[lane];
    uint64_t behind = b->lanes.pc + b->insn.len;
    if (alone->xlen == 32)
        behind = (uint32_t)behind;
    bool jumped = b->lanes.jumped >> lane & 1;
    assert_int_equal(jumped ? b->lanes.at[lane] : behind, alone->pc);
}

static void check_fault(const struct bench *b, unsigned lane)
{
    assert_int_equal(b->lanes.cause, b->effect[lane].cause);
    assert_int_equal(b->lanes.at[lane], b->effect[lane].tval);
    assert_int_equal(b->lanes.jumped >> lane & 1, 0);
}

static void check_access(const struct bench *b, unsigned lane)
{
    const struct isa_effect *e = &b->effect[lane];
    const uint64_t high = ~0ull << (8 * e->size - 1) << 1;
    assert_int_equal(b->lanes.access, e->access);
    assert_int_equal(b->lanes.size, e->size);
    assert_int_equal(b->lanes.at[lane], e->address);
    assert_int_equal(b->lanes.value[lane] & ~high, e->value & ~high);
}

static void check_effect(const struct bench *b, unsigned lane,
                         enum isa_outcome outcome)
{
    assert_int_equal(b->lanes.faulted >> lane & 1,
                     b->outcome[lane] == ISA_FAULT);
    if (b->outcome[lane] == ISA_FAULT) {
        check_fault(b, lane);
        return;
    }
    assert_int_equal(outcome, b->outcome[lane]);
    check_place(b, lane);
    if (outcome == ISA_ACCESS)
        check_access(b, lane);
    if (outcome == ISA_BLOCK) {
        assert_int_equal(b->lanes.access, b->effect[lane].access);
        assert_int_equal(b->lanes.at[lane], b->effect[lane].address);
    }
}

/* What the lane's slot must hold: registers as alone, but the caller has pc and
 * instret. */
static void check_slot(const struct bench *b, unsigned lane, bool executed)
{
    struct slot expected;
    memcpy(&expected, &b->before[lane], sizeof expected);
    if (executed) {
        memcpy(&expected.hart, &b->alone[lane], sizeof expected.hart);
        expected.hart.pc = b->before[lane].hart.pc;
        expected.hart.instret = b->before[lane].hart.instret;
    }
    if (memcmp(&expected, &b->after[lane], sizeof expected))
        fail_msg("rv%u %#x, lane %u of %#llx: lanes and isa_execute differ",
                 expected.hart.xlen, b->insn.raw, lane,
                 (unsigned long long)b->lanes.mask);
}

/* Only these read or change what the caller keeps for the lanes. */
static bool may_be_alone(const struct isa_insn *insn)
{
    const struct isa_row *row = &isa_rows[insn->op % OP_ROWS];
    return row->cls == ISA_CLASS_system || strchr(row->operands, 'E');
}

static void compare(struct bench *b)
{
    memcpy(b->after, b->before, sizeof b->after);
    b->lanes.harts = b->after;
    b->lanes.stride = sizeof *b->after;
    run_alone(b);
    enum isa_outcome outcome = isa_execute_lanes(&b->lanes, &b->insn);
    bool alone = outcome == ISA_LANES_ALONE;
    b->by_alone += alone;
    b->by_lanes += !alone;
    if (alone)
        assert_true(may_be_alone(&b->insn));
    assert_int_equal(b->lanes.jumped & ~b->lanes.mask, 0);
    assert_int_equal(b->lanes.faulted & ~b->lanes.mask, 0);
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        bool executes = !alone && b->lanes.mask >> lane & 1;
        if (executes)
            check_effect(b, lane, outcome);
        check_slot(b, lane, executes);
    }
}

static void compare_rows(struct bench *b, uint32_t extensions, unsigned xlen)
{
    const struct isa_profile profile = {extensions, (uint8_t)xlen};
    for (int op = OP_illegal; op < OP_ROWS; op++)
        for (unsigned i = 0;
             i < test_runs(PER_ROW) && has_row(xlen, (enum isa_op)op); i++) {
            isa_decode(random_word((enum isa_op)op), &profile, &b->insn);
            draw_lanes(b, &profile);
            compare(b);
        }
}

static void rows_agree(void **unused)
{
    struct bench *b = calloc(1, sizeof *b);
    random_state = 11;
    compare_rows(b, ISA_ALL_EXTENSIONS, 64);
    compare_rows(b, ISA_ALL_EXTENSIONS, 32);
    compare_rows(b, ISA_ALL_EXTENSIONS & ~(1u << ISA_EXT_c), 64);
    compare_rows(b, ISA_ALL_EXTENSIONS & ~(1u << ISA_EXT_c), 32);
    assert_true(b->by_lanes > 8 * b->by_alone);
    free(b);
}

/* All 2^16 now and then, but those of 4 bytes. */
static void compressed_words_agree(void **unused)
{
    struct bench *b = calloc(1, sizeof *b);
    random_state = 12;
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        const struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)xlen};
        for (uint32_t word = 0; word < 0x10000; word += 1 + random_below(32)) {
            if ((word & 3) == 3)
                continue;
            isa_decode(word, &profile, &b->insn);
            for (unsigned i = 0; i < test_runs(PER_WORD); i++) {
                draw_lanes(b, &profile);
                compare(b);
            }
        }
    }
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_agree),
        cmocka_unit_test(compressed_words_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
