/*
 * Decoding and execution, group by group: what each row computes on chosen
 * operands, what it asks of the memory, how it faults; that no two rows
 * overlap; what the disassembler says.
 */
#include "sim/isa/rows.h"

#include "corbel/semantics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BOX(v) (0xffffffff00000000u | (v))

/* The instruction of a row with rd = 3, rs1 = 1, rs2 = 2, rs3 = 4. */
static uint32_t word_of(enum isa_op op, uint32_t imm)
{
    const struct isa_row *row = &isa_rows[op];
    uint32_t fields = 3u << 7 | 1u << 15 | 2u << 20 | 4u << 27;
    if (strpbrk(row->operands, "jo><"))
        fields = 3u << 7 | 1u << 15 | imm << 20;
    if (strchr(row->operands, 'm'))
        fields |= imm << 12;
    return row->match | (fields & ~row->mask);
}

/* Everything. */
static const struct isa_profile *profile_of(unsigned xlen)
{
    static const struct isa_profile profiles[] = {{ISA_ALL_EXTENSIONS, 32},
                                                  {ISA_ALL_EXTENSIONS, 64}};
    return &profiles[xlen == 64];
}

static struct isa_hart new_hart(unsigned xlen)
{
    struct isa_hart hart;
    isa_hart_reset(&hart, profile_of(xlen), 7, 0x1000);
    return hart;
}

static enum isa_outcome execute(struct isa_hart *hart, uint32_t word,
                                struct isa_effect *effect)
{
    struct isa_insn insn;
    struct isa_profile profile = {hart->extensions, hart->xlen};
    isa_decode(word, &profile, &insn);
    return isa_execute(hart, &insn, effect);
}

/* Rows of results: x1 op x2 (or immediate, in column b) = x3. */
struct integer_case {
    enum isa_op op;
    uint64_t a, b, result;
};

static void check_integers(unsigned xlen, const struct integer_case *cases,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct integer_case *c = &cases[i];
        struct isa_hart hart = new_hart(xlen);
        struct isa_effect effect;
        hart.x[1] = c->a;
        hart.x[2] = c->b;
        uint32_t word = word_of(c->op, (uint32_t)c->b & 0xfff);
        if (execute(&hart, word, &effect) != ISA_DONE || hart.x[3] != c->result)
            fail_msg("rv%u %s %#llx, %#llx: %#llx instead of %#llx", xlen,
                     isa_rows[c->op].name, (unsigned long long)c->a,
                     (unsigned long long)c->b, (unsigned long long)hart.x[3],
                     (unsigned long long)c->result);
        assert_int_equal(hart.pc, 0x1004);
        assert_int_equal(hart.instret, 1);
    }
}

#define ONES UINT64_MAX
#define MIN64 0x8000000000000000u
#define MIN32 0xffffffff80000000u

static void integer_instructions_of_rv64(void **unused)
{
    static const struct integer_case cases[] = {
        {OP_addi, ONES, 1, 0},
        {OP_addi, 5, 0xfff, 4},
        {OP_slti, ONES, 0, 1},
        {OP_sltiu, ONES, 0, 0},
        {OP_sltiu, 5, 0xfff, 1},
        {OP_xori, 5, 0xfff, ~5ull},
        {OP_ori, 0x10, 0x0f, 0x1f},
        {OP_andi, 0x1234, 0xf0, 0x30},
        {OP_slli, 1, 63, MIN64},
        {OP_srli, ONES, 63, 1},
        {OP_srai, MIN64, 63, ONES},
        {OP_add, ONES, 2, 1},
        {OP_sub, 0, 1, ONES},
        {OP_sll, 1, 65, 2},
        {OP_slt, MIN64, 0, 1},
        {OP_sltu, MIN64, 0, 0},
        {OP_xor, 6, 3, 5},
        {OP_srl, MIN64, 63, 1},
        {OP_sra, MIN64, 127, ONES},
        {OP_or, 6, 3, 7},
        {OP_and, 6, 3, 2},
        {OP_addiw, 0x7fffffff, 1, MIN32},
        {OP_slliw, 1, 31, MIN32},
        {OP_srliw, ONES, 1, 0x7fffffff},
        {OP_sraiw, 0x80000000, 4, 0xfffffffff8000000},
        {OP_addw, 0x7fffffff, 1, MIN32},
        {OP_subw, 0x100000000, 1, ONES},
        {OP_sllw, 1, 63, MIN32},
        {OP_srlw, ONES, 32, ONES},
        {OP_sraw, 0x80000000, 31, ONES},
        {OP_mul, MIN64, 3, MIN64},
        {OP_mulh, ONES, ONES, 0},
        {OP_mulh, MIN64, MIN64, 0x4000000000000000},
        {OP_mulhu, ONES, ONES, ONES - 1},
        {OP_mulhsu, ONES, ONES, ONES},
        {OP_div, 7, ONES - 1, ONES - 2},
        {OP_div, 7, 0, ONES},
        {OP_div, MIN64, ONES, MIN64},
        {OP_divu, 7, 0, ONES},
        {OP_divu, ONES, 2, INT64_MAX},
        {OP_rem, ONES - 6, 2, ONES},
        {OP_rem, 7, 0, 7},
        {OP_rem, MIN64, ONES, 0},
        {OP_remu, 7, 0, 7},
        {OP_mulw, 0x10000, 0x8000, MIN32},
        {OP_divw, 0x80000000, ONES, MIN32},
        {OP_divw, 1, 0x100000000, ONES},
        {OP_divuw, 0xffffffff, 1, ONES},
        {OP_divuw, 1, 0, ONES},
        {OP_remw, 0x80000000, ONES, 0},
        {OP_remw, 0x180000000, 0, MIN32},
        {OP_remuw, 0xffffffff, 0, ONES},
        {OP_sh1add, 3, 4, 10},
        {OP_sh2add, 3, 4, 16},
        {OP_sh3add, 3, 4, 28},
        {OP_add_uw, ONES, 1, 0x100000000},
        {OP_sh1add_uw, ONES, 0, 0x1fffffffe},
        {OP_sh2add_uw, ONES, 0, 0x3fffffffc},
        {OP_sh3add_uw, ONES, 0, 0x7fffffff8},
        {OP_slli_uw, ONES, 32, 0xffffffff00000000},
        {OP_andn, 7, 2, 5},
        {OP_orn, 1, ~6ull, 7},
        {OP_xnor, 5, 5, ONES},
        {OP_clz, 1, 0, 63},
        {OP_clz, 0, 0, 64},
        {OP_ctz, MIN64, 0, 63},
        {OP_ctz, 0, 0, 64},
        {OP_cpop, ONES, 0, 64},
        {OP_clzw, 0x100000001, 0, 31},
        {OP_ctzw, 0x100000000, 0, 32},
        {OP_cpopw, ONES, 0, 32},
        {OP_min, ONES, 1, ONES},
        {OP_minu, ONES, 1, 1},
        {OP_max, ONES, 1, 1},
        {OP_maxu, ONES, 1, ONES},
        {OP_sext_b, 0x180, 0, 0xffffffffffffff80},
        {OP_sext_h, 0x18000, 0, 0xffffffffffff8000},
        {OP_zext_h, ONES, 0, 0xffff},
        {OP_rol, MIN64, 1, 1},
        {OP_rol, 5, 64, 5},
        {OP_ror, 1, 1, MIN64},
        {OP_rori, 1, 63, 2},
        {OP_rolw, 0x80000000, 1, 1},
        {OP_rorw, 1, 1, MIN32},
        {OP_roriw, 1, 1, MIN32},
        {OP_orc_b, 0x0100800000100001, 0, 0xff00ff0000ff00ff},
        {OP_rev8, 0x0102030405060708, 0, 0x0807060504030201},
    };
    check_integers(64, cases, sizeof cases / sizeof *cases);
}

static void integer_instructions_of_rv32(void **unused)
{
    static const struct integer_case cases[] = {
        {OP_addi, 0x7fffffff, 1, MIN32},
        {OP_slli, 1, 31, MIN32},
        {OP_srli, ONES, 31, 1},
        {OP_srai, MIN32, 31, ONES},
        {OP_add, 0x7fffffff, 1, MIN32},
        {OP_sub, MIN32, 1, 0x7fffffff},
        {OP_sll, 1, 63, MIN32},
        {OP_srl, ONES, 32, ONES},
        {OP_sra, MIN32, 4, 0xfffffffff8000000},
        {OP_slt, MIN32, 0, 1},
        {OP_sltu, MIN32, 0x7fffffff, 0},
        {OP_mul, 0x10000, 0x8000, MIN32},
        {OP_mulh, MIN32, MIN32, 0x40000000},
        {OP_mulhu, ONES, ONES, ONES - 1},
        {OP_mulhsu, ONES, ONES, ONES},
        {OP_div, MIN32, ONES, MIN32},
        {OP_div, 3, 0, ONES},
        {OP_divu, ONES, 2, 0x7fffffff},
        {OP_divu, 3, 0, ONES},
        {OP_rem, MIN32, ONES, 0},
        {OP_remu, ONES, 0, ONES},
        {OP_remu, ONES, 16, 15},
        {OP_clz, 1, 0, 31},
        {OP_clz, 0, 0, 32},
        {OP_ctz, 0, 0, 32},
        {OP_cpop, ONES, 0, 32},
        {OP_rol, MIN32, 1, 1},
        {OP_ror, 1, 1, MIN32},
        {OP_zext_h32, ONES, 0, 0xffff},
        {OP_orc_b, 0x00100001, 0, 0x00ff00ff},
        {OP_rev8_32, 0x01020304, 0, 0x04030201},
        {OP_rev8_32, 0x010203f4, 0, 0xfffffffff4030201},
    };
    check_integers(32, cases, sizeof cases / sizeof *cases);
}

static void upper_immediates_and_jumps(void **unused)
{
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    execute(&hart, 0x800001b7, &effect); /* lui gp,0x80000 */
    assert_int_equal(hart.x[3], MIN32);
    execute(&hart, 0x00001197, &effect); /* auipc gp,0x1 */
    assert_int_equal(hart.x[3], 0x2004);
    execute(&hart, 0xff9ff1ef, &effect); /* jal gp,.-8 */
    assert_int_equal(hart.x[3], 0x100c);
    assert_int_equal(hart.pc, 0x1000);
    hart.x[1] = 0x2001;
    execute(&hart, 0x004080e7, &effect); /* jalr ra,4(ra): old ra, bit 0 off */
    assert_int_equal(hart.pc, 0x2004);
    assert_int_equal(hart.x[1], 0x1004);
    hart.pc = 0x1002;
    execute(&hart, 0x9082, &effect); /* c.jalr ra: link after 2 bytes */
    assert_int_equal(hart.pc, 0x1004);
    assert_int_equal(hart.x[1], 0x1004);
}

static void addresses_of_rv32_wrap(void **unused)
{
    struct isa_hart hart = new_hart(32);
    struct isa_effect effect;
    hart.pc = 0xfffffffc;
    execute(&hart, 0x00000013, &effect);
    assert_int_equal(hart.pc, 0);
    hart.x[1] = MIN32;
    assert_int_equal(execute(&hart, word_of(OP_lw, 0xfff), &effect),
                     ISA_ACCESS);
    assert_int_equal(effect.address, 0x7fffffff);
    hart.pc = 0x1000;
    execute(&hart, 0xfffff197, &effect); /* auipc gp,0xfffff */
    assert_int_equal(hart.x[3], 0);
}

static bool taken(enum isa_op op, uint64_t a, uint64_t b)
{
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    hart.x[1] = a;
    hart.x[2] = b;
    uint32_t word = isa_rows[op].match | 1u << 15 | 2u << 20 | 0x800; /* +16 */
    assert_int_equal(execute(&hart, word, &effect), ISA_DONE);
    assert_true(hart.pc == 0x1004 || hart.pc == 0x1010);
    return hart.pc == 0x1010;
}

static void branches(void **unused)
{
    assert_true(taken(OP_beq, 3, 3));
    assert_false(taken(OP_beq, 3, 4));
    assert_true(taken(OP_bne, 3, 4));
    assert_true(taken(OP_blt, ONES, 0));
    assert_false(taken(OP_blt, 0, 0));
    assert_true(taken(OP_bge, 0, 0));
    assert_false(taken(OP_bge, ONES, 0));
    assert_false(taken(OP_bltu, ONES, 0));
    assert_true(taken(OP_bltu, 0, ONES));
    assert_true(taken(OP_bgeu, ONES, 0));
}

static void x0_stays_zero(void **unused)
{
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    struct isa_insn insn;
    execute(&hart, 0x00500013, &effect); /* li zero,5 */
    assert_int_equal(hart.x[0], 0);
    assert_true(
        isa_decode(0x00002003, profile_of(64), &insn)); /* lw zero,0(zero) */
    isa_load_done(&hart, &insn, 77);
    assert_int_equal(hart.x[0], 0);
    assert_int_equal(insn.reads | insn.writes, 0);
}

static void loads_extend_and_box(void **unused)
{
    static const struct {
        enum isa_op op;
        unsigned size;
        uint64_t result;
    } cases[] = {
        {OP_lb, 1, 0xfffffffffffffff8},  {OP_lbu, 1, 0xf8},
        {OP_lh, 2, 0xfffffffffffff7f8},  {OP_lhu, 2, 0xf7f8},
        {OP_lw, 4, 0xfffffffff5f6f7f8},  {OP_lwu, 4, 0xf5f6f7f8},
        {OP_ld, 8, 0xf1f2f3f4f5f6f7f8},  {OP_flw, 4, BOX(0xf5f6f7f8)},
        {OP_fld, 8, 0xf1f2f3f4f5f6f7f8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_hart hart = new_hart(64);
        struct isa_effect effect;
        struct isa_insn insn;
        hart.x[1] = 0x2001;
        isa_decode(word_of(cases[i].op, 0xffe), profile_of(64), &insn);
        assert_int_equal(isa_execute(&hart, &insn, &effect), ISA_ACCESS);
        assert_int_equal(effect.access, ISA_LOAD);
        assert_int_equal(effect.address, 0x1fff);
        assert_int_equal(effect.size, cases[i].size);
        assert_int_equal(hart.pc, 0x1004);
        isa_load_done(&hart, &insn, 0xf1f2f3f4f5f6f7f8);
        bool floating = cases[i].op == OP_flw || cases[i].op == OP_fld;
        assert_int_equal(floating ? hart.f[3] : hart.x[3], cases[i].result);
    }
}

static void stores_hand_over_their_bytes(void **unused)
{
    static const struct {
        enum isa_op op;
        unsigned size;
        uint64_t value;
    } cases[] = {
        {OP_sb, 1, 0xf8},        {OP_sh, 2, 0xf7f8},
        {OP_sw, 4, 0xf5f6f7f8},  {OP_sd, 8, 0xf1f2f3f4f5f6f7f8},
        {OP_fsw, 4, 0xe5e6e7e8}, {OP_fsd, 8, 0xe1e2e3e4e5e6e7e8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_hart hart = new_hart(64);
        struct isa_effect effect;
        hart.x[1] = 0x2000;
        hart.x[2] = 0xf1f2f3f4f5f6f7f8;
        hart.f[2] = 0xe1e2e3e4e5e6e7e8;
        uint32_t word = isa_rows[cases[i].op].match | 1u << 15 | 2u << 20 |
                        0x7fu << 25 | 0x1fu << 7; /* offset -1 */
        assert_int_equal(execute(&hart, word, &effect), ISA_ACCESS);
        assert_int_equal(effect.access, ISA_STORE);
        assert_int_equal(effect.address, 0x1fff);
        assert_int_equal(effect.size, cases[i].size);
        assert_int_equal(effect.value, cases[i].value);
    }
}

static void a_refused_access_is_undone(void **unused)
{
    struct isa_hart hart = new_hart(64), before = hart;
    struct isa_effect effect;
    struct isa_insn insn;
    isa_decode(0x4108, profile_of(64), &insn); /* c.lw a0,0(a0) */
    assert_int_equal(isa_execute(&hart, &insn, &effect), ISA_ACCESS);
    isa_access_failed(&hart, &insn);
    assert_memory_equal(&hart, &before, sizeof hart);
}

static void atomics_compute_what_memory_will_hold(void **unused)
{
    assert_int_equal(isa_amo(ISA_AMOADD, 4, 0xffffffff, 2), 1);
    assert_int_equal(isa_amo(ISA_AMOADD, 8, ONES, 2), 1);
    assert_int_equal(isa_amo(ISA_AMOSWAP, 4, 5, 0x1ffffffff), 0xffffffff);
    assert_int_equal(isa_amo(ISA_AMOXOR, 8, 6, 3), 5);
    assert_int_equal(isa_amo(ISA_AMOAND, 8, 6, 3), 2);
    assert_int_equal(isa_amo(ISA_AMOOR, 8, 6, 3), 7);
    assert_int_equal(isa_amo(ISA_AMOMIN, 4, 0x80000000, 1), 0x80000000);
    assert_int_equal(isa_amo(ISA_AMOMAX, 4, 0x80000000, 1), 1);
    assert_int_equal(isa_amo(ISA_AMOMINU, 4, 0x80000000, 1), 1);
    assert_int_equal(isa_amo(ISA_AMOMAXU, 4, 0x80000000, 1), 0x80000000);
    assert_int_equal(isa_amo(ISA_AMOMIN, 8, MIN64, 1), MIN64);
    assert_int_equal(isa_amo(ISA_AMOMAXU, 8, MIN64, 1), MIN64);
}

static void misaligned_atomics_fault(void **unused)
{
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    hart.x[1] = 0x2002;
    assert_int_equal(execute(&hart, word_of(OP_lr_w, 0), &effect), ISA_FAULT);
    assert_int_equal(effect.cause, ISA_CAUSE_LOAD_MISALIGNED);
    assert_int_equal(effect.tval, 0x2002);
    assert_int_equal(execute(&hart, word_of(OP_sc_w, 0), &effect), ISA_FAULT);
    assert_int_equal(effect.cause, ISA_CAUSE_STORE_MISALIGNED);
    hart.x[1] = 0x2004;
    assert_int_equal(execute(&hart, word_of(OP_amoadd_d, 0), &effect),
                     ISA_FAULT);
    assert_int_equal(hart.pc, 0x1000);
    hart.x[2] = 0x1ffffffff;
    assert_int_equal(execute(&hart, word_of(OP_amoor_w, 0), &effect),
                     ISA_ACCESS);
    assert_int_equal(effect.access, ISA_AMOOR);
    assert_int_equal(effect.value, 0xffffffff);
    assert_int_equal(effect.size, 4);
}

static void atomics_sign_extend_the_old_word(void **unused)
{
    struct isa_hart hart = new_hart(64);
    struct isa_insn insn;
    isa_decode(word_of(OP_amomaxu_w, 0), profile_of(64), &insn);
    isa_load_done(&hart, &insn, 0x80000000);
    assert_int_equal(hart.x[3], MIN32);
    isa_decode(word_of(OP_lr_d, 0), profile_of(64), &insn);
    isa_load_done(&hart, &insn, MIN64);
    assert_int_equal(hart.x[3], MIN64);
}

/* f1 op f2 (op f4) = f3, or x3 where the row writes an integer. */
struct float_case {
    enum isa_op op;
    unsigned rm;
    uint64_t a, b, c, result;
    unsigned flags;
};

enum { NX = 1, UF = 2, OF = 4, DZ = 8, NV = 16 };

static void floating_point(void **unused)
{
#define S1 BOX(0x3f800000)
#define S2 BOX(0x40000000)
#define S3 BOX(0x40400000)
#define SNAN BOX(0x7fc00000)
    static const struct float_case cases[] = {
        {OP_fadd_s, 0, S1, S2, 0, S3, 0},
        {OP_fadd_s, 0, S1, BOX(0x33800000), 0, S1, NX},
        {OP_fadd_s, 3, S1, BOX(0x33800000), 0, BOX(0x3f800001), NX},
        {OP_fadd_s, 4, S1, BOX(0x33800000), 0, BOX(0x3f800001), NX},
        {OP_fadd_s, 0, 0x3f800000, S1, 0, SNAN, 0}, /* not boxed: NaN */
        {OP_fadd_s, 0, BOX(0x7f800001), S1, 0, SNAN, NV},
        {OP_fsub_s, 0, S3, S2, 0, S1, 0},
        {OP_fsub_s, 2, S3, S3, 0, BOX(0x80000000), 0},
        {OP_fmul_s, 0, S2, S2, 0, BOX(0x40800000), 0},
        {OP_fmul_s, 0, BOX(0x7f7fffff), S2, 0, BOX(0x7f800000), OF | NX},
        {OP_fmul_s, 1, BOX(0x7f7fffff), S2, 0, BOX(0x7f7fffff), OF | NX},
        {OP_fmul_s, 0, BOX(0x00800001), BOX(0x3f000000), 0, BOX(0x00400000),
         UF | NX},
        {OP_fmul_s, 0, BOX(0x00800000), BOX(0x3f000000), 0, BOX(0x00400000), 0},
        {OP_fdiv_s, 0, S1, BOX(0), 0, BOX(0x7f800000), DZ},
        {OP_fdiv_s, 0, BOX(0), BOX(0), 0, SNAN, NV},
        {OP_fdiv_s, 0, S1, S3, 0, BOX(0x3eaaaaab), NX},
        {OP_fsqrt_s, 0, BOX(0x40800000), 0, 0, S2, 0},
        {OP_fsqrt_s, 0, BOX(0xbf800000), 0, 0, SNAN, NV},
        {OP_fmadd_s, 0, S2, S2, S1, BOX(0x40a00000), 0},
        {OP_fmsub_s, 0, S2, S2, S1, S3, 0},
        {OP_fnmsub_s, 0, S2, S2, S1, BOX(0xc0400000), 0},
        {OP_fnmadd_s, 0, S2, S2, S1, BOX(0xc0a00000), 0},
        {OP_fmadd_s, 0, BOX(0), BOX(0x7f800000), SNAN, SNAN, NV},
        {OP_fsgnj_s, 0, S1, BOX(0x80000000), 0, BOX(0xbf800000), 0},
        {OP_fsgnjn_s, 0, S1, BOX(0x80000000), 0, S1, 0},
        {OP_fsgnjx_s, 0, BOX(0xbf800000), BOX(0x80000000), 0, S1, 0},
        {OP_fmin_s, 0, S1, S2, 0, S1, 0},
        {OP_fmax_s, 0, S1, S2, 0, S2, 0},
        {OP_feq_s, 0, S1, S1, 0, 1, 0},
        {OP_flt_s, 0, S1, S2, 0, 1, 0},
        {OP_fle_s, 0, S2, S1, 0, 0, 0},
        {OP_fclass_s, 0, S1, 0, 0, 1 << 6, 0},
        {OP_fcvt_w_s, 1, BOX(0xc0200000), 0, 0, ONES - 1, NX},
        {OP_fcvt_wu_s, 0, BOX(0x4f7fffff), 0, 0, 0xffffffffffffff00, 0},
        {OP_fcvt_l_s, 0, BOX(0x5f000000), 0, 0, INT64_MAX, NV},
        {OP_fcvt_lu_s, 0, BOX(0xbf800000), 0, 0, 0, NV},
        {OP_fmv_x_w, 0, BOX(0x80000000), 0, 0, MIN32, 0},
        {OP_fmv_x_w, 0, 0x1280000000, 0, 0, MIN32, 0}, /* raw bits */
        {OP_fadd_d, 0, 0x3ff0000000000000, 0x4000000000000000, 0,
         0x4008000000000000, 0},
        {OP_fsub_d, 0, 0x4008000000000000, 0x4000000000000000, 0,
         0x3ff0000000000000, 0},
        {OP_fmul_d, 0, 0x0010000000000000, 0x3fe0000000000000, 0,
         0x0008000000000000, 0},
        {OP_fdiv_d, 0, 0x3ff0000000000000, 0x4008000000000000, 0,
         0x3fd5555555555555, NX},
        {OP_fsqrt_d, 0, 0x4000000000000000, 0, 0, 0x3ff6a09e667f3bcd, NX},
        {OP_fmadd_d, 0, 0x4000000000000000, 0x4000000000000000,
         0x3ff0000000000000, 0x4014000000000000, 0},
        {OP_fmsub_d, 0, 0x4000000000000000, 0x4000000000000000,
         0x3ff0000000000000, 0x4008000000000000, 0},
        {OP_fnmsub_d, 0, 0x4000000000000000, 0x4000000000000000,
         0x3ff0000000000000, 0xc008000000000000, 0},
        {OP_fnmadd_d, 0, 0x4000000000000000, 0x4000000000000000,
         0x3ff0000000000000, 0xc014000000000000, 0},
        {OP_fsgnj_d, 0, 1, MIN64, 0, MIN64 | 1, 0},
        {OP_fsgnjn_d, 0, 1, MIN64, 0, 1, 0},
        {OP_fsgnjx_d, 0, MIN64, MIN64, 0, 0, 0},
        {OP_fmin_d, 0, MIN64, 0, 0, MIN64, 0},
        {OP_fmax_d, 0, MIN64, 0, 0, 0, 0},
        {OP_feq_d, 0, MIN64, 0, 0, 1, 0},
        {OP_flt_d, 0, MIN64, 0, 0, 0, 0},
        {OP_fle_d, 0, 0x7ff8000000000000, 0, 0, 0, NV},
        {OP_fclass_d, 0, MIN64, 0, 0, 1 << 3, 0},
        {OP_fcvt_s_d, 0, 0x3ff0000010000000, 0, 0, S1, NX},
        {OP_fcvt_d_s, 0, S3, 0, 0, 0x4008000000000000, 0},
        {OP_fcvt_w_d, 0, 0x4004000000000000, 0, 0, 2, NX},
        {OP_fcvt_wu_d, 0, 0x41efffffffe00000, 0, 0, ONES, 0},
        {OP_fcvt_l_d, 0, 0xc3e0000000000000, 0, 0, MIN64, 0},
        {OP_fcvt_lu_d, 0, 0x43efffffffffffff, 0, 0, 0xfffffffffffff800, 0},
        {OP_fmv_x_d, 0, 0x123456789abcdef0, 0, 0, 0x123456789abcdef0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct float_case *c = &cases[i];
        struct isa_hart hart = new_hart(64);
        struct isa_effect effect;
        hart.f[1] = c->a;
        hart.f[2] = c->b;
        hart.f[4] = c->c;
        assert_int_equal(execute(&hart, word_of(c->op, c->rm), &effect),
                         ISA_DONE);
        bool integer = isa_rows[c->op].operands[0] == 'd';
        uint64_t result = integer ? hart.x[3] : hart.f[3];
        if (result != c->result || hart.fflags != c->flags)
            fail_msg("%s: %#llx flags %#x instead of %#llx flags %#x",
                     isa_rows[c->op].name, (unsigned long long)result,
                     hart.fflags, (unsigned long long)c->result, c->flags);
    }
}

static void integers_to_floating_point(void **unused)
{
    static const struct {
        enum isa_op op;
        uint64_t a, result;
        unsigned flags;
    } cases[] = {
        {OP_fcvt_s_w, 0x1ffffffff, BOX(0xbf800000), 0},
        {OP_fcvt_s_wu, ONES, BOX(0x4f800000), NX},
        {OP_fcvt_s_l, MIN64, BOX(0xdf000000), 0},
        {OP_fcvt_s_lu, MIN64, BOX(0x5f000000), 0},
        {OP_fcvt_d_w, ONES, 0xbff0000000000000, 0},
        {OP_fcvt_d_wu, ONES, 0x41efffffffe00000, 0},
        {OP_fcvt_d_l, ONES, 0xbff0000000000000, 0},
        {OP_fcvt_d_lu, ONES, 0x43f0000000000000, NX},
        {OP_fmv_w_x, 0x123456789, BOX(0x23456789), 0},
        {OP_fmv_d_x, 0x123456789, 0x123456789, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_hart hart = new_hart(64);
        struct isa_effect effect;
        hart.x[1] = cases[i].a;
        execute(&hart, word_of(cases[i].op, 0), &effect);
        assert_int_equal(hart.f[3], cases[i].result);
        assert_int_equal(hart.fflags, cases[i].flags);
    }
}

static void the_dynamic_rounding_mode_is_frm(void **unused)
{
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    hart.f[1] = BOX(0x3f800000);
    hart.f[2] = BOX(0x33000000);
    hart.frm = 3;
    assert_int_equal(execute(&hart, word_of(OP_fadd_s, 7), &effect), ISA_DONE);
    assert_int_equal(hart.f[3], BOX(0x3f800001));
    for (hart.frm = 5; hart.frm <= 7; hart.frm++)
        assert_int_equal(execute(&hart, word_of(OP_fadd_s, 7), &effect),
                         ISA_FAULT);
    assert_int_equal(effect.cause, ISA_CAUSE_ILLEGAL);
    struct isa_insn insn;
    assert_false(isa_decode(word_of(OP_fadd_s, 5), profile_of(64), &insn));
    assert_false(isa_decode(word_of(OP_fcvt_d_s, 6), profile_of(64), &insn));
}

static void system_instructions(void **unused)
{
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    assert_int_equal(execute(&hart, 0x00100073, &effect), ISA_EBREAK);
    assert_int_equal(execute(&hart, 0x9002, &effect), ISA_EBREAK);
    assert_int_equal(hart.pc, 0x1000);
    assert_int_equal(execute(&hart, 0x10500073, &effect), ISA_DONE); /* wfi */
    assert_int_equal(execute(&hart, 0x0ff0000f, &effect), ISA_FENCE);
    assert_int_equal(execute(&hart, 0x0000100f, &effect), ISA_FENCE_I);
    assert_int_equal(execute(&hart, 0x8330000f, &effect), ISA_FENCE);
    assert_int_equal(hart.pc, 0x1010);
}

static void what_is_no_instruction_faults(void **unused)
{
    static const struct {
        uint32_t word;
        unsigned xlens, len;
    } cases[] = {
        {0x00000000, 96, 2}, {0xffffffff, 96, 4},
        {0x0000705b, 96, 4}, {0x00003003, 32, 4}, /* ld */
        {0x0000001b, 32, 4},                      /* addiw */
        {0x02001013, 32, 4},                      /* slli by 32 */
        {0x02005013, 32, 4},                      /* srli by 32 */
        {0x08006053, 96, 4}, /* fsub.s, reserved rounding */
        {0x00004002, 96, 2}, /* c.lwsp zero */
        {0x00006002, 64, 2}, /* c.ldsp zero */
        {0x00006001, 96, 2}, /* c.lui zero,0 */
        {0x00006101, 96, 2}, /* c.addi16sp 0 */
        {0x00002001, 64, 2}, /* c.addiw zero */
        {0x00009c01, 32, 2}, /* c.subw */
        {0x00008002, 96, 2}, /* c.jr zero */
        {0x00001002, 32, 2}, /* c.slli by 32 */
        {0x00009c41, 96, 2}, /* reserved */
        {0x10200073, 96, 4}, /* sret */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
            struct isa_hart hart = new_hart(xlen);
            struct isa_effect effect;
            struct isa_insn insn;
            if (!(cases[i].xlens & xlen))
                continue;
            assert_false(isa_decode(cases[i].word, profile_of(xlen), &insn));
            assert_int_equal(insn.len, cases[i].len);
            assert_int_equal(isa_execute(&hart, &insn, &effect), ISA_FAULT);
            assert_int_equal(effect.cause, ISA_CAUSE_ILLEGAL);
            assert_int_equal(effect.tval, cases[i].word);
            assert_int_equal(hart.pc, 0x1000);
        }
}

static void hints_do_nothing(void **unused)
{
    static const uint32_t hints[] = {
        0x0005,     /* c.nop 1 */
        0x0501,     /* c.addi a0,0 */
        0x4005,     /* c.li zero,1 */
        0x6005,     /* c.lui zero,1 */
        0x8006,     /* c.mv zero,ra */
        0x9006,     /* c.add zero,ra */
        0x0006,     /* c.slli zero,1 */
        0x0502,     /* c.slli64 a0 */
        0x0100000f, /* pause */
        0x00002013, /* slti zero,zero,0 */
        0xfff0000f, /* fence, reserved mode */
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        struct isa_hart hart = new_hart(64), before = hart;
        struct isa_effect effect;
        enum isa_outcome outcome = execute(&hart, hints[i], &effect);
        assert_true(outcome == ISA_DONE || outcome == ISA_FENCE);
        assert_memory_equal(hart.x, before.x, sizeof hart.x);
    }
}

static void compressed_instructions_are_short_base_instructions(void **unused)
{
    static const struct {
        uint32_t compressed, base;
        unsigned xlen;
    } pairs[] = {
        {0x1008, 0x02010513, 64}, /* addi a0,sp,32 */
        {0x2108, 0x00053507, 64}, /* fld fa0,0(a0) */
        {0x4548, 0x00c52503, 64}, /* lw a0,12(a0) */
        {0x6548, 0x00c52507, 32}, /* flw fa0,12(a0) */
        {0x6548, 0x08853503, 64}, /* ld a0,136(a0) */
        {0xc548, 0x00a52623, 64}, /* sw a0,12(a0) */
        {0xe548, 0x00a52627, 32}, /* fsw fa0,12(a0) */
        {0xe548, 0x08a53423, 64}, /* sd a0,136(a0) */
        {0x157d, 0xfff50513, 64}, /* addi a0,a0,-1 */
        {0x3ffd, 0xfffff0ef, 32}, /* jal .-2 */
        {0x357d, 0xfff5051b, 64}, /* addiw a0,a0,-1 */
        {0x557d, 0xfff00513, 64}, /* li a0,-1 */
        {0x713d, 0xfe010113, 64}, /* addi sp,sp,-32 */
        {0x757d, 0xfffff537, 64}, /* lui a0,0xfffff */
        {0x917d, 0x03f55513, 64}, /* srli a0,a0,63 */
        {0x957d, 0x43f55513, 64}, /* srai a0,a0,63 */
        {0x997d, 0xfff57513, 64}, /* andi a0,a0,-1 */
        {0x8d0d, 0x40b50533, 64}, /* sub a0,a0,a1 */
        {0x9d0d, 0x40b5053b, 64}, /* subw a0,a0,a1 */
        {0x9d2d, 0x00b5053b, 64}, /* addw a0,a0,a1 */
        {0xbffd, 0xfffff06f, 64}, /* j .-2 */
        {0xdd7d, 0xfe050fe3, 64}, /* beqz a0,.-2 */
        {0xfd7d, 0xfe051fe3, 64}, /* bnez a0,.-2 */
        {0x157e, 0x03f51513, 64}, /* slli a0,a0,63 */
        {0x4532, 0x00c12503, 64}, /* lw a0,12(sp) */
        {0x6532, 0x00c12507, 32}, /* flw fa0,12(sp) */
        {0x6532, 0x10813503, 64}, /* ld a0,264(sp) */
        {0x8502, 0x00050067, 64}, /* jr a0 */
        {0x852e, 0x00b00533, 64}, /* mv a0,a1 */
        {0x9502, 0x000500e7, 64}, /* jalr a0 */
        {0x952e, 0x00b50533, 64}, /* add a0,a0,a1 */
        {0xc62a, 0x00a12623, 64}, /* sw a0,12(sp) */
        {0xa62a, 0x10a13427, 64}, /* fsd fa0,264(sp) */
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct isa_insn compressed, base;
        assert_true(isa_decode(pairs[i].compressed, profile_of(pairs[i].xlen),
                               &compressed));
        assert_true(
            isa_decode(pairs[i].base, profile_of(pairs[i].xlen), &base));
        assert_int_equal(compressed.len, 2);
        compressed.len = base.len;
        compressed.raw = base.raw;
        if (memcmp(&compressed, &base, sizeof base))
            fail_msg("%#x is not %#x", pairs[i].compressed, pairs[i].base);
    }
}

static void register_masks_and_classes(void **unused)
{
#define X(n) (1ull << (n))
#define F(n) (1ull << (32 + (n)))
    static const struct {
        enum isa_op op;
        enum isa_class cls;
        uint64_t reads, writes;
    } cases[] = {
        {OP_add, ISA_CLASS_alu, X(1) | X(2), X(3)},
        {OP_addi, ISA_CLASS_alu, X(1), X(3)},
        {OP_lui, ISA_CLASS_alu, 0, X(3)},
        {OP_beq, ISA_CLASS_branch, X(1) | X(2), 0},
        {OP_jal, ISA_CLASS_jump, 0, X(3)},
        {OP_mul, ISA_CLASS_imul, X(1) | X(2), X(3)},
        {OP_rem, ISA_CLASS_idiv, X(1) | X(2), X(3)},
        {OP_lw, ISA_CLASS_load, X(1), X(3)},
        {OP_flw, ISA_CLASS_load, X(1), F(3)},
        {OP_sw, ISA_CLASS_store, X(1) | X(2), 0},
        {OP_fsw, ISA_CLASS_store, X(1) | F(2), 0},
        {OP_amoadd_w, ISA_CLASS_amo, X(1) | X(2), X(3)},
        {OP_lr_w, ISA_CLASS_amo, X(1), X(3)},
        {OP_fadd_s, ISA_CLASS_fadd, F(1) | F(2), F(3)},
        {OP_fmul_d, ISA_CLASS_fmul, F(1) | F(2), F(3)},
        {OP_fmadd_s, ISA_CLASS_fma, F(1) | F(2) | F(4), F(3)},
        {OP_fdiv_s, ISA_CLASS_fdiv, F(1) | F(2), F(3)},
        {OP_fsqrt_s, ISA_CLASS_fsqrt, F(1), F(3)},
        {OP_feq_s, ISA_CLASS_fcmp, F(1) | F(2), X(3)},
        {OP_fcvt_s_w, ISA_CLASS_fcvt, X(1), F(3)},
        {OP_fmv_x_w, ISA_CLASS_fmove, F(1), X(3)},
        {OP_csrrw, ISA_CLASS_alu, X(1), X(3)},
        {OP_csrrwi, ISA_CLASS_alu, 0, X(3)},
        {OP_fence, ISA_CLASS_fence, 0, 0},
        {OP_ecall, ISA_CLASS_system, 0, 0},
        {OP_custom_fchthrd, ISA_CLASS_fchthrd, 0, X(3)},
        {OP_custom_boxisect, ISA_CLASS_boxisect, 0x3fffull << 32, F(3)},
        {OP_custom_triisect, ISA_CLASS_triisect, 0x3fffffull << 32,
         0xfull << 49 | F(3)},
        {OP_custom_traceray, ISA_CLASS_traceray, 0x1feull << 32, 0x78ull << 32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_insn insn;
        assert_true(isa_decode(word_of(cases[i].op, 0), profile_of(64), &insn));
        assert_int_equal(insn.cls, cases[i].cls);
        assert_int_equal(insn.reads, cases[i].reads);
        assert_int_equal(insn.writes, cases[i].writes);
    }
    assert_string_equal(isa_class_name(ISA_CLASS_fma), "fma");
    assert_string_equal(isa_class_name(ISA_CLASS_traceray), "traceray");
}

static const struct corbel_ray ray = {{0, 0, -5}, 0, {0.25f, 0.25f, 1}, 100};

/* A record into registers first.., not boxed: only low halves count. */
static void put(struct isa_hart *hart, unsigned first, const void *record,
                size_t size)
{
    uint32_t words[9];
    memcpy(words, record, size);
    for (size_t i = 0; i < size / 4; i++)
        hart->f[first + i] = words[i];
}

static void assert_boxed(uint64_t reg, const void *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    assert_int_equal(reg, BOX(bits));
}

static void box_tests_are_the_shared_semantics(void **unused)
{
    static const struct corbel_box box = {{-1, -1, -1}, {1, 1, 1}};
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    put(&hart, 0, &ray, sizeof ray);
    put(&hart, 8, &box, sizeof box);
    assert_int_equal(execute(&hart, 0x0000898b, &effect), ISA_DONE); /* f19 */
    float entry = corbel_sem_boxisect(&ray, &box);
    assert_boxed(hart.f[19], &entry);
    assert_int_equal(hart.fflags, 0);
}

static void triangle_tests_are_the_shared_semantics(void **unused)
{
    static const struct corbel_triangle triangle = {
        {{-4, -4, 0}, {4, -4, 0}, {0, 8, 0}}};
    struct corbel_hit hit = {100, 0, 0, CORBEL_MISS};
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    put(&hart, 0, &ray, sizeof ray);
    put(&hart, 8, &triangle, sizeof triangle);
    put(&hart, 17, &hit, sizeof hit);
    hart.f[21] = 1234;
    assert_int_equal(execute(&hart, 0x0001018b, &effect), ISA_DONE); /* f3 */
    float t = corbel_sem_triisect(&ray, &triangle, 1234, &hit);
    assert_int_equal(hit.index, 1234);
    assert_boxed(hart.f[3], &t);
    assert_boxed(hart.f[17], &hit.t);
    assert_boxed(hart.f[18], &hit.b1);
    assert_boxed(hart.f[19], &hit.b2);
    assert_boxed(hart.f[20], &hit.index);
}

static void custom_instructions_for_units(void **unused)
{
    struct isa_hart hart = new_hart(64);
    struct isa_effect effect;
    struct isa_insn insn;
    assert_int_equal(execute(&hart, 0x0000018b, &effect), ISA_UNIT);
    assert_int_equal(hart.pc, 0x1004);
    assert_true(isa_decode(0x001c5e0b, profile_of(64),
                           &insn)); /* f28..f31, f24..f31, 1 */
    assert_int_equal(insn.reads, 0xffull << 56);
    assert_int_equal(insn.writes, 0xfull << 60);
    assert_int_equal(insn.imm, 1);
    assert_int_equal(isa_execute(&hart, &insn, &effect), ISA_UNIT);
    assert_false(isa_decode(0x001cde0b, profile_of(64), &insn)); /* rs1 = 25 */
    assert_false(isa_decode(0x001c5e8b, profile_of(64), &insn)); /* rd = 29 */
}

/* A word that is an instruction of both rows, on one XLEN. */
static bool overlap(const struct isa_row *a, const struct isa_row *b)
{
    uint32_t common = a->mask & b->mask;
    bool together = !a->xlen || !b->xlen || a->xlen == b->xlen;
    return together && ((a->match ^ b->match) & common) == 0;
}

/* Rows may narrow rows without a name, which stand after them. */
static void rows_do_not_overlap(void **unused)
{
    for (int a = OP_illegal + 1; a < OP_ROWS; a++) {
        const struct isa_row *row = &isa_rows[a];
        assert_int_equal(row->match & ~row->mask, 0);
        assert_int_equal(row->mask & row->match & 3, 3); /* not compressed */
        assert_int_not_equal(row->match & 0x1c, 0x1c);   /* not longer */
        for (int b = a + 1; b < OP_ROWS; b++)
            if (*isa_rows[b].name && overlap(row, &isa_rows[b]))
                fail_msg("%s and %s overlap", row->name, isa_rows[b].name);
    }
}

/* Custom rows live in major opcode custom-0, which the base leaves alone. */
static void custom_rows_stay_in_custom_0(void **unused)
{
    for (int op = OP_illegal + 1; op < OP_ROWS; op++) {
        bool custom = isa_rows[op].shape != SHAPE_base;
        assert_int_equal(isa_rows[op].mask & 0x7f, 0x7f);
        assert_int_equal((isa_rows[op].match & 0x7f) == 0x0b, custom);
    }
}

static void text_is_objdumps(void **unused)
{
    static const struct {
        uint32_t word;
        unsigned xlen;
        const char *text;
    } cases[] = {
        {0x00b50533, 64, "add a0,a0,a1"},
        {0xfff50513, 64, "add a0,a0,-1"},
        {0x00000013, 64, "nop"},
        {0x00500513, 64, "li a0,5"},
        {0x8082, 64, "ret"},
        {0xffdff06f, 64, "j 0x7c"},
        {0x00050463, 64, "beqz a0,0x88"},
        {0x0045a503, 64, "lw a0,4(a1)"},
        {0x00a5b423, 64, "sd a0,8(a1)"},
        {0x12345537, 64, "lui a0,0x12345"},
        {0x00c5f553, 64, "fadd.s fa0,fa1,fa2"},
        {0x00c58553, 64, "fadd.s fa0,fa1,fa2,rne"},
        {0x06c5a5af, 64, "amoadd.w.aqrl a1,a2,(a1)"},
        {0xf1402573, 64, "csrr a0,mhartid"},
        {0x0ff0000f, 64, "fence"},
        {0x2001, 32, "jal 0x80"},
        {0x0000850b, 64, "trav.boxisect fa0"},
        {0x00155e0b, 64, "trav.traceray ft8,fa0,1"},
        {0x00003003, 32, ".4byte 0x3003"},
        {0xffffffff, 64, ".4byte 0xffffffff"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        int n = isa_disassemble(cases[i].word, cases[i].xlen, 0x80, text,
                                sizeof text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(n, strlen(text));
    }
    char small[6];
    assert_int_equal(isa_disassemble(0x00b50533, 64, 0, small, sizeof small),
                     12);
    assert_string_equal(small, "add a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_instructions_of_rv64),
        cmocka_unit_test(integer_instructions_of_rv32),
        cmocka_unit_test(upper_immediates_and_jumps),
        cmocka_unit_test(addresses_of_rv32_wrap),
        cmocka_unit_test(branches),
        cmocka_unit_test(x0_stays_zero),
        cmocka_unit_test(loads_extend_and_box),
        cmocka_unit_test(stores_hand_over_their_bytes),
        cmocka_unit_test(a_refused_access_is_undone),
        cmocka_unit_test(atomics_compute_what_memory_will_hold),
        cmocka_unit_test(misaligned_atomics_fault),
        cmocka_unit_test(atomics_sign_extend_the_old_word),
        cmocka_unit_test(floating_point),
        cmocka_unit_test(integers_to_floating_point),
        cmocka_unit_test(the_dynamic_rounding_mode_is_frm),
        cmocka_unit_test(system_instructions),
        cmocka_unit_test(what_is_no_instruction_faults),
        cmocka_unit_test(hints_do_nothing),
        cmocka_unit_test(compressed_instructions_are_short_base_instructions),
        cmocka_unit_test(register_masks_and_classes),
        cmocka_unit_test(box_tests_are_the_shared_semantics),
        cmocka_unit_test(triangle_tests_are_the_shared_semantics),
        cmocka_unit_test(custom_instructions_for_units),
        cmocka_unit_test(rows_do_not_overlap),
        cmocka_unit_test(custom_rows_stay_in_custom_0),
        cmocka_unit_test(text_is_objdumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
