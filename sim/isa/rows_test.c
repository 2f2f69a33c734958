/*
 * What each row computes, asks of the memory and faults with, on operands
 * chosen from the manual: 0, -1, extremes, NaNs, limits of conversions, on both
 * XLENs and in both executors. The last test tells rows that no other test has
 * executed.
 */
#include "sim/isa/csr.h"
#include "sim/isa/tests/both.h"

#include <stdio.h>

#define ONES UINT64_MAX
#define MIN64 0x8000000000000000u
#define MIN32 0xffffffff80000000u
#define BOX(v) (0xffffffff00000000u | (v))

/* Ops that a test has executed. */
static bool tested[2 * OP_ROWS];

static struct both *start(unsigned xlen)
{
    struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)xlen};
    return both_start(&profile);
}

static enum isa_stop execute(struct both *both, uint32_t word)
{
    struct isa_profile profile = {both->step.hart.extensions,
                                  both->step.hart.xlen};
    struct isa_insn insn;
    isa_decode(word, &profile, &insn);
    tested[insn.op] = true;
    return both_step(both, word);
}

static bool has_row(unsigned xlen, enum isa_op op)
{
    return !isa_rows[op].xlen || isa_rows[op].xlen == xlen;
}

/* As registers of this XLEN are kept. */
static uint64_t reg(unsigned xlen, uint64_t value)
{
    return xlen == 64 ? value : (uint64_t)(int64_t)(int32_t)value;
}

/* ---- integers ---- */

/* x1 op x2 (or immediate, in column b) = x3. */
struct integer_case {
    enum isa_op op;
    uint64_t a, b, result;
};

static void check_integer(unsigned xlen, const struct integer_case *c)
{
    struct both *both = start(xlen);
    struct isa_hart *hart = &both->step.hart;
    hart->x[1] = c->a;
    hart->x[2] = c->b;
    enum isa_stop stop =
        execute(both, word_of_row(c->op, (uint32_t)c->b & 0xfff));
    if (stop != ISA_STOP_LIMIT || hart->x[3] != c->result)
        fail_msg("rv%u %s %#llx, %#llx: %#llx instead of %#llx", xlen,
                 isa_rows[c->op].name, (unsigned long long)c->a,
                 (unsigned long long)c->b, (unsigned long long)hart->x[3],
                 (unsigned long long)c->result);
    assert_int_equal(hart->pc, BOTH_CODE + 4);
    assert_int_equal(hart->instret, 1);
    both_end(both);
}

static const struct integer_case of_rv64[] = {
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
    {OP_ctzw, MIN64, 0, 32},
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

    {OP_slti, MIN64, 0x800, 1},
    {OP_slti, 0x800, 0x7ff, 0},
    {OP_sltiu, ONES, 0xfff, 0},
    {OP_sltiu, 0, 1, 1},
    {OP_slt, 0, MIN64, 0},
    {OP_sltu, 0, MIN64, 1},
    {OP_sll, 1, 63, MIN64},
    {OP_srl, ONES, 64, ONES},
    {OP_sra, MIN64, 64, MIN64},
    {OP_addiw, 0xffffffff, 1, 0},
    {OP_sraiw, 0x7fffffff, 31, 0},
    {OP_mulh, ONES, 1, ONES},
    {OP_mulhsu, 1, ONES, 0},
    {OP_mulhu, MIN64, 2, 1},
    {OP_div, ONES, ONES, 1},
    {OP_div, 0, 0, ONES},
    {OP_divu, MIN64, ONES, 0},
    {OP_rem, ONES - 6, ONES - 1, ONES},
    {OP_rem, MIN64, 0, MIN64},
    {OP_remu, ONES, 10, 5},
    {OP_divw, 7, 0, ONES},
    {OP_divuw, ONES, 2, 0x7fffffff},
    {OP_remw, 7, ONES - 2, 1},
    {OP_remuw, ONES, 10, 5},
    {OP_ctzw, MIN32, 0, 31},
    {OP_clzw, 0, 0, 32},
    {OP_cpop, 0, 0, 0},
    {OP_sext_b, 0x7f, 0, 0x7f},
    {OP_rol, 1, 63, MIN64},
    {OP_ror, 5, 64, 5},
    {OP_rori, 5, 0, 5},
    {OP_rolw, ONES, 0, ONES},
    {OP_rorw, 0x80000000, 0, MIN32},
    {OP_orc_b, 0, 0, 0},
};

static const struct integer_case of_rv32[] = {
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

    {OP_addi, 0, 0xfff, ONES},
    {OP_slti, MIN32, 0x800, 1},
    {OP_slti, 0, 0xfff, 0},
    {OP_sltiu, 0x7fffffff, 0xfff, 1},
    {OP_sltiu, ONES, 0xfff, 0},
    {OP_xori, 0x7fffffff, 0xfff, MIN32},
    {OP_ori, MIN32, 1, MIN32 | 1},
    {OP_andi, ONES, 0x800, 0xfffffffffffff800},
    {OP_xor, MIN32, ONES, 0x7fffffff},
    {OP_or, MIN32, 1, MIN32 | 1},
    {OP_and, MIN32, 0x7fffffff, 0},
    {OP_sltu, 0, MIN32, 1},
    {OP_mulhu, MIN32, 2, 1},
    {OP_mulhsu, MIN32, MIN32, 0xffffffffc0000000},
    {OP_mul, ONES, ONES, 1},
    {OP_divu, MIN32, 3, 0x2aaaaaaa},
    {OP_rem, 7, 0, 7},
    {OP_sh1add, MIN32, 1, 1},
    {OP_sh2add, 0x20000000, 0, MIN32},
    {OP_sh3add, 3, 4, 28},
    {OP_andn, ONES, 0x7fffffff, MIN32},
    {OP_orn, 0, 0x7fffffff, MIN32},
    {OP_xnor, 0x7fffffff, 0, MIN32},
    {OP_min, MIN32, 1, MIN32},
    {OP_minu, MIN32, 1, 1},
    {OP_max, MIN32, 1, 1},
    {OP_maxu, MIN32, 1, MIN32},
    {OP_sext_b, 0x80, 0, 0xffffffffffffff80},
    {OP_sext_h, 0x8000, 0, 0xffffffffffff8000},
    {OP_ctz, MIN32, 0, 31},
    {OP_rori, 1, 1, MIN32},
    {OP_rol, 5, 32, 5},
    {OP_ror, 5, 32, 5},
    {OP_clz, ONES, 0, 0},
};

static void integer_instructions(void **unused)
{
    for (size_t i = 0; i < sizeof of_rv64 / sizeof *of_rv64; i++)
        check_integer(64, &of_rv64[i]);
    for (size_t i = 0; i < sizeof of_rv32 / sizeof *of_rv32; i++)
        check_integer(32, &of_rv32[i]);
}

static void x0_stays_zero(void **unused)
{
    static const uint32_t words[] = {
        0x00500013, /* li zero,5 */
        0x0000a003, /* lw zero,0(ra) */
        0x0020a02f, /* amoadd.w zero,sp,(ra) */
        0xf1402073, /* csrr zero,mhartid */
        0x0040006f, /* jal zero,.+4 */
        0xc0000053, /* fcvt.w.s zero,ft0 */
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            struct both *both = start(xlen);
            both->step.hart.x[1] = BOTH_DATA;
            memset(both->step.bytes + BOTH_DATA, 0x55, 8);
            assert_int_equal(execute(both, words[i]), ISA_STOP_LIMIT);
            assert_int_equal(both->step.hart.x[0], 0);
            both_end(both);
        }
}

/* ---- jumps ---- */

static void upper_immediates_and_jumps(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct both *both = start(xlen);
        struct isa_hart *hart = &both->step.hart;
        execute(both, 0x800001b7); /* lui gp,0x80000 */
        assert_int_equal(hart->x[3], MIN32);
        execute(both, 0x00001197); /* auipc gp,0x1 */
        assert_int_equal(hart->x[3], BOTH_CODE + 0x1004);
        execute(both, 0xfffff197); /* auipc gp,0xfffff */
        assert_int_equal(hart->x[3], BOTH_CODE - 0x1000 + 8);
        execute(both, 0xff9ff1ef); /* jal gp,.-8 */
        assert_int_equal(hart->x[3], BOTH_CODE + 16);
        assert_int_equal(hart->pc, BOTH_CODE + 4);
        hart->x[1] = 0x2001;
        execute(both, 0x004080e7); /* jalr ra,4(ra): old ra, bit 0 off */
        assert_int_equal(hart->pc, 0x2004);
        assert_int_equal(hart->x[1], BOTH_CODE + 8);
        hart->pc = BOTH_CODE + 2;
        execute(both, 0x9082); /* c.jalr ra: link after 2 bytes */
        assert_int_equal(hart->pc, BOTH_CODE + 8);
        assert_int_equal(hart->x[1], BOTH_CODE + 4);
        both_end(both);
    }
}

static void addresses_of_rv32_wrap(void **unused)
{
    struct both *both = start(32);
    struct isa_hart *hart = &both->step.hart;
    hart->x[1] = MIN32;
    assert_int_equal(execute(both, word_of_row(OP_lw, 0xfff)), ISA_STOP_FAULT);
    assert_int_equal(both->step.effect.address, 0x7fffffff);
    hart->x[1] = ONES;
    assert_int_equal(execute(both, 0x001080e7), ISA_STOP_LIMIT); /* jalr */
    assert_int_equal(hart->pc, 0);
    both_end(both);
    struct isa_hart alone;
    struct isa_profile profile = {ISA_ALL_EXTENSIONS, 32};
    struct isa_insn nop;
    struct isa_effect effect;
    isa_hart_reset(&alone, &profile, 0, 0xfffffffc);
    isa_decode(0x00000013, &profile, &nop);
    assert_int_equal(isa_execute(&alone, &nop, &effect), ISA_DONE);
    assert_int_equal(alone.pc, 0);
}

static bool taken(unsigned xlen, enum isa_op op, uint64_t a, uint64_t b)
{
    struct both *both = start(xlen);
    both->step.hart.x[1] = reg(xlen, a);
    both->step.hart.x[2] = reg(xlen, b);
    uint32_t word = isa_rows[op].match | 1u << 15 | 2u << 20 | 0x800; /* +16 */
    assert_int_equal(execute(both, word), ISA_STOP_LIMIT);
    uint64_t pc = both->step.hart.pc;
    both_end(both);
    assert_true(pc == BOTH_CODE + 4 || pc == BOTH_CODE + 16);
    return pc == BOTH_CODE + 16;
}

static void branches(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        uint64_t min = xlen == 32 ? MIN32 : MIN64;
        assert_true(taken(xlen, OP_beq, 3, 3));
        assert_false(taken(xlen, OP_beq, 3, 4));
        assert_true(taken(xlen, OP_bne, 3, 4));
        assert_false(taken(xlen, OP_bne, min, min));
        assert_true(taken(xlen, OP_blt, ONES, 0));
        assert_true(taken(xlen, OP_blt, min, ONES));
        assert_false(taken(xlen, OP_blt, 0, 0));
        assert_true(taken(xlen, OP_bge, 0, 0));
        assert_false(taken(xlen, OP_bge, ONES, 0));
        assert_false(taken(xlen, OP_bltu, ONES, 0));
        assert_true(taken(xlen, OP_bltu, 0, ONES));
        assert_true(taken(xlen, OP_bltu, min - 1, min));
        assert_true(taken(xlen, OP_bgeu, ONES, 0));
        assert_false(taken(xlen, OP_bgeu, 1, min));
    }
}

/* ---- memory ---- */

static void loads_extend_and_box(void **unused)
{
    static const struct {
        enum isa_op op;
        uint64_t result;
    } cases[] = {
        {OP_lb, 0xfffffffffffffff8},  {OP_lbu, 0xf8},
        {OP_lh, 0xfffffffffffff7f8},  {OP_lhu, 0xf7f8},
        {OP_lw, 0xfffffffff5f6f7f8},  {OP_lwu, 0xf5f6f7f8},
        {OP_ld, 0xf1f2f3f4f5f6f7f8},  {OP_flw, BOX(0xf5f6f7f8)},
        {OP_fld, 0xf1f2f3f4f5f6f7f8},
    };
    static const uint64_t stored = 0xf1f2f3f4f5f6f7f8;
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (!has_row(xlen, cases[i].op))
                continue;
            struct both *both = start(xlen);
            both->step.hart.x[1] = BOTH_DATA + 3; /* misaligned, offset -2 */
            memcpy(both->step.bytes + BOTH_DATA + 1, &stored, sizeof stored);
            assert_int_equal(execute(both, word_of_row(cases[i].op, 0xffe)),
                             ISA_STOP_LIMIT);
            bool floating = cases[i].op == OP_flw || cases[i].op == OP_fld;
            assert_int_equal(floating ? both->step.hart.f[3]
                                      : both->step.hart.x[3],
                             cases[i].result);
            both_end(both);
        }
}

static void stores_write_their_bytes_only(void **unused)
{
    static const struct {
        enum isa_op op;
        uint64_t memory; /* that held 0x1111111111111111 */
    } cases[] = {
        {OP_sb, 0x11111111111111f8},  {OP_sh, 0x111111111111f7f8},
        {OP_sw, 0x11111111f5f6f7f8},  {OP_sd, 0xf1f2f3f4f5f6f7f8},
        {OP_fsw, 0x11111111e5e6e7e8}, {OP_fsd, 0xe1e2e3e4e5e6e7e8},
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (!has_row(xlen, cases[i].op))
                continue;
            struct both *both = start(xlen);
            uint64_t memory;
            both->step.hart.x[1] = BOTH_DATA + 2;
            both->step.hart.x[2] = reg(xlen, 0xf1f2f3f4f5f6f7f8);
            both->step.hart.f[2] = 0xe1e2e3e4e5e6e7e8;
            memset(both->step.bytes + BOTH_DATA, 0x11, 16);
            uint32_t word = isa_rows[cases[i].op].match | 1u << 15 | 2u << 20 |
                            0x7fu << 25 | 0x1fu << 7; /* offset -1 */
            assert_int_equal(execute(both, word), ISA_STOP_LIMIT);
            memcpy(&memory, both->step.bytes + BOTH_DATA + 1, sizeof memory);
            assert_int_equal(memory, cases[i].memory);
            assert_int_equal(both->step.bytes[BOTH_DATA], 0x11);
            both_end(both);
        }
}

/* Old words of memory are sign-extended; the register's upper half is not
 * looked at. */
static void atomics(void **unused)
{
    static const struct {
        enum isa_op op;
        uint64_t old, operand, memory;
    } cases[] = {
        {OP_amoswap_w, 0x80000000, 0x7fffffff, 0x7fffffff},
        {OP_amoadd_w, 0xffffffff, 2, 1},
        {OP_amoxor_w, 0xff00ff00, ONES, 0x00ff00ff},
        {OP_amoand_w, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
        {OP_amoor_w, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
        {OP_amomin_w, 0x80000000, 1, 0x80000000},
        {OP_amomin_w, 1, MIN32, 0x80000000},
        {OP_amomax_w, 0x80000000, 1, 1},
        {OP_amominu_w, 0x80000000, 1, 1},
        {OP_amomaxu_w, 0x80000000, 1, 0x80000000},
        {OP_amomaxu_w, 1, ONES, 0xffffffff},
        {OP_amoswap_d, ONES, 5, 5},
        {OP_amoadd_d, ONES, 2, 1},
        {OP_amoxor_d, MIN64, ONES, INT64_MAX},
        {OP_amoand_d, MIN64 | 7, MIN64 | 8, MIN64},
        {OP_amoor_d, MIN64, 1, MIN64 | 1},
        {OP_amomin_d, MIN64, 1, MIN64},
        {OP_amomax_d, MIN64, 1, 1},
        {OP_amominu_d, MIN64, 1, 1},
        {OP_amomaxu_d, MIN64, 1, MIN64},
        {OP_lr_w, 0x80000000, 0, 0x80000000},
        {OP_lr_d, MIN64, 0, MIN64},
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            enum isa_op op = cases[i].op;
            if (!has_row(xlen, op))
                continue;
            struct both *both = start(xlen);
            bool word = !isa_rows[op].xlen;
            uint64_t memory = cases[i].old;
            both->step.hart.x[1] = BOTH_DATA;
            both->step.hart.x[2] = cases[i].operand;
            memcpy(both->step.bytes + BOTH_DATA, &memory, sizeof memory);
            if (execute(both, word_of_row(op, 0)) != ISA_STOP_LIMIT)
                fail_msg("%s stops", isa_rows[op].name);
            memcpy(&memory, both->step.bytes + BOTH_DATA, sizeof memory);
            if (memory != cases[i].memory)
                fail_msg("rv%u %s leaves %#llx", xlen, isa_rows[op].name,
                         (unsigned long long)memory);
            assert_int_equal(both->step.hart.x[3],
                             word ? reg(32, cases[i].old) : cases[i].old);
            both_end(both);
        }
}

static void sc_needs_lr(void **unused)
{
    static const enum isa_op pairs[][2] = {{OP_lr_w, OP_sc_w},
                                           {OP_lr_d, OP_sc_d}};
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < 2 && has_row(xlen, pairs[i][0]); i++) {
            struct both *both = start(xlen);
            struct isa_hart *hart = &both->step.hart;
            hart->x[1] = BOTH_DATA;
            hart->x[2] = 77;
            execute(both, word_of_row(pairs[i][1], 0));
            assert_int_equal(hart->x[3], 1);
            assert_int_equal(both->step.bytes[BOTH_DATA], 0);
            execute(both, word_of_row(pairs[i][0], 0));
            execute(both, word_of_row(pairs[i][1], 0));
            assert_int_equal(hart->x[3], 0);
            assert_int_equal(both->step.bytes[BOTH_DATA], 77);
            hart->x[2] = 78; /* an sc ends the reservation */
            execute(both, word_of_row(pairs[i][1], 0));
            assert_int_equal(hart->x[3], 1);
            assert_int_equal(both->step.bytes[BOTH_DATA], 77);
            both_end(both);
        }
}

static void misaligned_atomics_fault(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (int op = OP_illegal + 1; op < OP_ROWS; op++) {
            const struct isa_row *row = &isa_rows[op];
            if (row->cls != ISA_CLASS_amo || !has_row(xlen, (enum isa_op)op))
                continue;
            struct both *both = start(xlen);
            bool word = !row->xlen, lr = op == OP_lr_w || op == OP_lr_d;
            both->step.hart.x[1] = BOTH_DATA + (word ? 2 : 4);
            assert_int_equal(execute(both, word_of_row((enum isa_op)op, 0)),
                             ISA_STOP_FAULT);
            assert_int_equal(both->step.effect.cause,
                             lr ? ISA_CAUSE_LOAD_MISALIGNED
                                : ISA_CAUSE_STORE_MISALIGNED);
            assert_int_equal(both->step.effect.tval, both->step.hart.x[1]);
            assert_int_equal(both->step.hart.pc, BOTH_CODE);
            both_end(both);
        }
}

/* ---- floating point ---- */

/* f1 op f2 (op f4) = f3, or x3 where the row writes an integer. */
struct float_case {
    enum isa_op op;
    unsigned rm;
    uint64_t a, b, c, result;
    unsigned flags;
};

enum { NX = 1, UF = 2, OF = 4, DZ = 8, NV = 16 };

#define S1 BOX(0x3f800000)
#define S2 BOX(0x40000000)
#define S3 BOX(0x40400000)
#define NAN_S BOX(0x7fc00000)

static const struct float_case float_cases[] = {
    {OP_fadd_s, 0, S1, S2, 0, S3, 0},
    {OP_fadd_s, 0, S1, BOX(0x33800000), 0, S1, NX},
    {OP_fadd_s, 3, S1, BOX(0x33800000), 0, BOX(0x3f800001), NX},
    {OP_fadd_s, 4, S1, BOX(0x33800000), 0, BOX(0x3f800001), NX},
    {OP_fadd_s, 0, 0x3f800000, S1, 0, NAN_S, 0}, /* not boxed: NaN */
    {OP_fadd_s, 0, BOX(0x7f800001), S1, 0, NAN_S, NV},
    {OP_fsub_s, 0, S3, S2, 0, S1, 0},
    {OP_fsub_s, 2, S3, S3, 0, BOX(0x80000000), 0},
    {OP_fmul_s, 0, S2, S2, 0, BOX(0x40800000), 0},
    {OP_fmul_s, 0, BOX(0x7f7fffff), S2, 0, BOX(0x7f800000), OF | NX},
    {OP_fmul_s, 1, BOX(0x7f7fffff), S2, 0, BOX(0x7f7fffff), OF | NX},
    {OP_fmul_s, 0, BOX(0x00800001), BOX(0x3f000000), 0, BOX(0x00400000),
     UF | NX},
    {OP_fmul_s, 0, BOX(0x00800000), BOX(0x3f000000), 0, BOX(0x00400000), 0},
    {OP_fdiv_s, 0, S1, BOX(0), 0, BOX(0x7f800000), DZ},
    {OP_fdiv_s, 0, BOX(0), BOX(0), 0, NAN_S, NV},
    {OP_fdiv_s, 0, S1, S3, 0, BOX(0x3eaaaaab), NX},
    {OP_fsqrt_s, 0, BOX(0x40800000), 0, 0, S2, 0},
    {OP_fsqrt_s, 0, BOX(0xbf800000), 0, 0, NAN_S, NV},
    {OP_fmadd_s, 0, S2, S2, S1, BOX(0x40a00000), 0},
    {OP_fmsub_s, 0, S2, S2, S1, S3, 0},
    {OP_fnmsub_s, 0, S2, S2, S1, BOX(0xc0400000), 0},
    {OP_fnmadd_s, 0, S2, S2, S1, BOX(0xc0a00000), 0},
    {OP_fmadd_s, 0, BOX(0), BOX(0x7f800000), NAN_S, NAN_S, NV},
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
    {OP_fmadd_d, 0, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000,
     0x4014000000000000, 0},
    {OP_fmsub_d, 0, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000,
     0x4008000000000000, 0},
    {OP_fnmsub_d, 0, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000,
     0xc008000000000000, 0},
    {OP_fnmadd_d, 0, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000,
     0xc014000000000000, 0},
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

    /* NaNs: quiet ones pass, signaling ones raise invalid */
    {OP_feq_s, 0, NAN_S, S1, 0, 0, 0},
    {OP_feq_s, 0, BOX(0x7f800001), S1, 0, 0, NV},
    {OP_flt_s, 0, NAN_S, S1, 0, 0, NV},
    {OP_fle_s, 0, S1, NAN_S, 0, 0, NV},
    {OP_fmin_s, 0, NAN_S, S1, 0, S1, 0},
    {OP_fmax_s, 0, S1, BOX(0xffc00001), 0, S1, 0},
    {OP_fmin_s, 0, BOX(0x7f800001), S1, 0, S1, NV},
    {OP_fmax_s, 0, NAN_S, NAN_S, 0, NAN_S, 0},
    {OP_fmin_s, 0, BOX(0), BOX(0x80000000), 0, BOX(0x80000000), 0},
    {OP_fmax_s, 0, BOX(0x80000000), BOX(0), 0, BOX(0), 0},
    {OP_fmin_s, 0, 0x3f800000, S2, 0, S2, 0}, /* not boxed */
    {OP_fsgnj_s, 0, 0x3f800000, BOX(0x80000000), 0, BOX(0xffc00000), 0},
    {OP_fclass_s, 0, 0, 0, 0, 1 << 9, 0},
    {OP_fclass_s, 0, BOX(0xff800000), 0, 0, 1 << 0, 0},
    {OP_fclass_s, 0, BOX(0x80000001), 0, 0, 1 << 2, 0},
    {OP_fclass_s, 0, BOX(0x7f800001), 0, 0, 1 << 8, 0},
    {OP_fclass_d, 0, 0x7ff0000000000000, 0, 0, 1 << 7, 0},
    {OP_fclass_d, 0, 1, 0, 0, 1 << 5, 0},
    {OP_fclass_d, 0, 0x7ff8000000000000, 0, 0, 1 << 9, 0},
    {OP_fadd_s, 0, BOX(0x7f800000), BOX(0xff800000), 0, NAN_S, NV},
    {OP_fsub_s, 0, BOX(0x7f800000), BOX(0x7f800000), 0, NAN_S, NV},
    {OP_fmul_s, 0, BOX(0), BOX(0xff800000), 0, NAN_S, NV},
    {OP_fdiv_s, 0, BOX(0xbf800000), BOX(0), 0, BOX(0xff800000), DZ},
    {OP_fsqrt_s, 0, BOX(0x80000000), 0, 0, BOX(0x80000000), 0},
    {OP_fmadd_s, 0, S2, NAN_S, BOX(0x7f800001), NAN_S, NV},
    {OP_fadd_d, 0, 0x7ff0000000000001, 0, 0, 0x7ff8000000000000, NV},
    {OP_fdiv_d, 0, 0x3ff0000000000000, 0, 0, 0x7ff0000000000000, DZ},
    {OP_fsqrt_d, 0, 0xbff0000000000000, 0, 0, 0x7ff8000000000000, NV},
    {OP_feq_d, 0, 0x7ff8000000000000, 0, 0, 0, 0},
    {OP_flt_d, 0, 0x7ff8000000000000, 0, 0, 0, NV},
    {OP_fmin_d, 0, 0x7ff0000000000001, 1, 0, 1, NV},
    /* roundings, at ties and at the limits */
    {OP_fadd_s, 1, S1, BOX(0x33c00000), 0, S1, NX},
    {OP_fadd_s, 2, BOX(0xbf800000), BOX(0xb3800000), 0, BOX(0xbf800001), NX},
    {OP_fadd_d, 4, 0x3ff0000000000000, 0x3ca0000000000000, 0,
     0x3ff0000000000001, NX},
    {OP_fadd_d, 0, 0x3ff0000000000000, 0x3ca0000000000000, 0,
     0x3ff0000000000000, NX},
    {OP_fmul_s, 3, BOX(0xff7fffff), S2, 0, BOX(0xff7fffff), OF | NX},
    {OP_fmul_d, 2, 0x7fefffffffffffff, 0x4000000000000000, 0,
     0x7fefffffffffffff, OF | NX},
    {OP_fmul_s, 3, BOX(1), BOX(0x3f000000), 0, BOX(1), UF | NX},
    {OP_fmul_s, 0, BOX(1), BOX(0x3f000000), 0, BOX(0), UF | NX},
    /* tiny only before rounding: no underflow */
    {OP_fmul_s, 0, BOX(0x3f7fffff), BOX(0x00800001), 0, BOX(0x00800000), NX},
    {OP_fcvt_s_d, 0, 0x3ff0000010000000, 0, 0, S1, NX},
    {OP_fcvt_s_d, 3, 0x3ff0000010000000, 0, 0, BOX(0x3f800001), NX},
    {OP_fcvt_s_d, 0, 0x7fefffffffffffff, 0, 0, BOX(0x7f800000), OF | NX},
    {OP_fcvt_s_d, 0, 0x7ff0000000000001, 0, 0, NAN_S, NV},
    {OP_fcvt_s_d, 0, 0x36a0000000000000, 0, 0, BOX(1), 0},
    {OP_fcvt_d_s, 0, BOX(0xffc12345), 0, 0, 0x7ff8000000000000, 0},
    {OP_fcvt_d_s, 0, BOX(1), 0, 0, 0x36a0000000000000, 0},
    /* conversions at their limits */
    {OP_fcvt_w_s, 0, NAN_S, 0, 0, INT32_MAX, NV},
    {OP_fcvt_w_s, 0, BOX(0xff800000), 0, 0, MIN32, NV},
    {OP_fcvt_w_s, 0, BOX(0xcf000000), 0, 0, MIN32, 0},
    {OP_fcvt_w_s, 0, BOX(0x4f000000), 0, 0, INT32_MAX, NV},
    {OP_fcvt_wu_s, 0, NAN_S, 0, 0, ONES, NV},
    {OP_fcvt_wu_s, 1, BOX(0xbf7fffff), 0, 0, 0, NX},
    {OP_fcvt_wu_s, 0, BOX(0xbf800000), 0, 0, 0, NV},
    {OP_fcvt_l_s, 0, BOX(0xdf000000), 0, 0, MIN64, 0},
    {OP_fcvt_l_s, 0, NAN_S, 0, 0, INT64_MAX, NV},
    {OP_fcvt_lu_s, 0, BOX(0x7f800000), 0, 0, ONES, NV},
    {OP_fcvt_w_d, 4, 0x4004000000000000, 0, 0, 3, NX},
    {OP_fcvt_w_d, 2, 0xc1e0000000000001, 0, 0, MIN32, NV},
    {OP_fcvt_w_d, 1, 0xc1e00000001fffff, 0, 0, MIN32, NX},
    {OP_fcvt_wu_d, 0, 0x41efffffffffffff, 0, 0, ONES, NV},
    {OP_fcvt_l_d, 0, 0x43e0000000000000, 0, 0, INT64_MAX, NV},
    {OP_fcvt_lu_d, 0, 0xbff0000000000000, 0, 0, 0, NV},
    {OP_fcvt_lu_d, 2, 0xbfe0000000000000, 0, 0, 0, NV},
};

static void check_float(unsigned xlen, const struct float_case *c)
{
    struct both *both = start(xlen);
    struct isa_hart *hart = &both->step.hart;
    hart->f[1] = c->a;
    hart->f[2] = c->b;
    hart->f[4] = c->c;
    assert_int_equal(execute(both, word_of_row(c->op, c->rm)), ISA_STOP_LIMIT);
    bool integer = isa_rows[c->op].operands[0] == 'd';
    uint64_t result = integer ? hart->x[3] : hart->f[3];
    if (result != c->result || hart->fflags != c->flags)
        fail_msg("rv%u %s, %#llx, %#llx, %#llx, rounding %u: %#llx flags %#x "
                 "instead of %#llx flags %#x",
                 xlen, isa_rows[c->op].name, (unsigned long long)c->a,
                 (unsigned long long)c->b, (unsigned long long)c->c, c->rm,
                 (unsigned long long)result, hart->fflags,
                 (unsigned long long)c->result, c->flags);
    both_end(both);
}

static void floating_point(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof float_cases / sizeof *float_cases; i++)
            if (has_row(xlen, float_cases[i].op))
                check_float(xlen, &float_cases[i]);
}

static void integers_to_floating_point(void **unused)
{
    static const struct {
        enum isa_op op;
        unsigned rm;
        uint64_t a, result;
        unsigned flags;
    } cases[] = {
        {OP_fcvt_s_w, 0, 0x1ffffffff, BOX(0xbf800000), 0},
        {OP_fcvt_s_w, 0, MIN32, BOX(0xcf000000), 0},
        {OP_fcvt_s_w, 0, INT32_MAX, BOX(0x4f000000), NX},
        {OP_fcvt_s_w, 1, INT32_MAX, BOX(0x4effffff), NX},
        {OP_fcvt_s_w, 2, 0, BOX(0), 0},
        {OP_fcvt_s_wu, 0, ONES, BOX(0x4f800000), NX},
        {OP_fcvt_s_wu, 1, ONES, BOX(0x4f7fffff), NX},
        {OP_fcvt_s_l, 0, MIN64, BOX(0xdf000000), 0},
        {OP_fcvt_s_l, 0, INT64_MAX, BOX(0x5f000000), NX},
        {OP_fcvt_s_lu, 0, MIN64, BOX(0x5f000000), 0},
        {OP_fcvt_s_lu, 0, ONES, BOX(0x5f800000), NX},
        {OP_fcvt_d_w, 0, ONES, 0xbff0000000000000, 0},
        {OP_fcvt_d_w, 0, MIN32, 0xc1e0000000000000, 0},
        {OP_fcvt_d_wu, 0, ONES, 0x41efffffffe00000, 0},
        {OP_fcvt_d_l, 0, ONES, 0xbff0000000000000, 0},
        {OP_fcvt_d_l, 1, INT64_MAX, 0x43dfffffffffffff, NX},
        {OP_fcvt_d_lu, 0, ONES, 0x43f0000000000000, NX},
        {OP_fmv_w_x, 0, 0x123456789, BOX(0x23456789), 0},
        {OP_fmv_d_x, 0, 0x123456789, 0x123456789, 0},
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (!has_row(xlen, cases[i].op))
                continue;
            struct both *both = start(xlen);
            both->step.hart.x[1] = reg(xlen, cases[i].a);
            execute(both, word_of_row(cases[i].op, cases[i].rm));
            if (both->step.hart.f[3] != cases[i].result)
                fail_msg("rv%u %s %#llx", xlen, isa_rows[cases[i].op].name,
                         (unsigned long long)cases[i].a);
            assert_int_equal(both->step.hart.fflags, cases[i].flags);
            both_end(both);
        }
}

static void flags_accumulate(void **unused)
{
    struct both *both = start(64);
    both->step.hart.f[1] = S1;
    both->step.hart.f[2] = BOX(0);
    both->step.hart.fflags = NV;
    execute(both, word_of_row(OP_fdiv_s, 0));
    assert_int_equal(both->step.hart.fflags, NV | DZ);
    both_end(both);
}

static void the_dynamic_rounding_mode_is_frm(void **unused)
{
    struct both *both = start(64);
    struct isa_hart *hart = &both->step.hart;
    hart->f[1] = S1;
    hart->f[2] = BOX(0x33000000);
    hart->frm = 3;
    assert_int_equal(execute(both, word_of_row(OP_fadd_s, 7)), ISA_STOP_LIMIT);
    assert_int_equal(hart->f[3], BOX(0x3f800001));
    for (hart->frm = 5; hart->frm <= 7; hart->frm++) {
        assert_int_equal(execute(both, word_of_row(OP_fadd_s, 7)),
                         ISA_STOP_FAULT);
        assert_int_equal(both->step.effect.cause, ISA_CAUSE_ILLEGAL);
        assert_int_equal(both->step.effect.tval, word_of_row(OP_fadd_s, 7));
    }
    hart->frm = 5; /* of no matter where the rounding mode is static */
    assert_int_equal(execute(both, word_of_row(OP_fadd_s, 0)), ISA_STOP_LIMIT);
    for (unsigned rm = 5; rm <= 6; rm++) {
        assert_int_equal(execute(both, word_of_row(OP_fadd_s, rm)),
                         ISA_STOP_FAULT);
        assert_int_equal(execute(both, word_of_row(OP_fcvt_d_s, rm)),
                         ISA_STOP_FAULT);
    }
    both_end(both);
}

/* ---- system ---- */

static void fences_and_traps(void **unused)
{
    static const struct {
        uint32_t word;
        enum isa_stop stop;
    } cases[] = {
        {0x00000073, ISA_STOP_ECALL},  /* ecall */
        {0x00100073, ISA_STOP_EBREAK}, /* ebreak */
        {0x00009002, ISA_STOP_EBREAK}, /* c.ebreak */
        {0x10500073, ISA_STOP_LIMIT},  /* wfi */
        {0x0ff0000f, ISA_STOP_LIMIT},  /* fence */
        {0x8330000f, ISA_STOP_LIMIT},  /* fence.tso */
        {0xfff0000f, ISA_STOP_LIMIT},  /* fence, reserved mode */
        {0x0010808f, ISA_STOP_LIMIT},  /* fence, reserved registers */
        {0x0000100f, ISA_STOP_LIMIT},  /* fence.i */
        {0x0010908f, ISA_STOP_LIMIT},  /* fence.i, reserved registers */
    };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct both *both = start(xlen);
            bool done = cases[i].stop == ISA_STOP_LIMIT;
            if (execute(both, cases[i].word) != cases[i].stop)
                fail_msg("rv%u %#x", xlen, cases[i].word);
            assert_int_equal(both->step.hart.pc, BOTH_CODE + (done ? 4 : 0));
            assert_int_equal(both->step.hart.instret, done);
            both_end(both);
        }
}

static void blocks_are_managed_where_memory_is(void **unused)
{
    static const enum isa_op ops[] = {OP_cbo_inval, OP_cbo_clean, OP_cbo_flush};
    static const struct {
        uint64_t address;
        bool there;
    } cases[] = {{BOTH_DATA, true},      {BOTH_DATA + 37, true},
                 {BOTH_END - 1, true},   {BOTH_END, false},
                 {BOTH_CODE - 1, false}, {ONES, false}};
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < 3 * sizeof cases / sizeof *cases; i++) {
            struct both *both = start(xlen);
            uint64_t address = cases[i / 3].address;
            bool there = cases[i / 3].there;
            both->step.hart.x[1] = address;
            assert_int_equal(execute(both, word_of_row(ops[i % 3], 0)),
                             there ? ISA_STOP_LIMIT : ISA_STOP_FAULT);
            assert_int_equal(both->step.hart.pc, BOTH_CODE + (there ? 4 : 0));
            assert_int_equal(both->step.hart.instret, there);
            if (!there) {
                assert_int_equal(both->step.effect.cause,
                                 ISA_CAUSE_STORE_FAULT);
                assert_int_equal(both->step.effect.tval,
                                 xlen == 32 ? (uint32_t)address : address);
            }
            both_end(both);
        }
}

static void hints_only_advance(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (unsigned rs2 = 0; rs2 < 32; rs2++) {
            struct both *both = start(xlen);
            struct isa_hart *hart = &both->step.hart;
            for (unsigned i = 1; i < 32; i++)
                hart->x[i] = i;
            execute(both, 0x00000033 | rs2 << 20);
            if (rs2)
                execute(both, 0x9002 | rs2 << 2); /* c.add zero,... */
            assert_int_equal(hart->pc, BOTH_CODE + (rs2 ? 6 : 4));
            for (unsigned i = 0; i < 32; i++)
                assert_int_equal(hart->x[i], i);
            both_end(both);
        }
}

static void mret_goes_to_mepc(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct both *both = start(xlen);
        both->step.hart.mepc = 0x2002;
        assert_int_equal(execute(both, 0x30200073), ISA_STOP_LIMIT);
        assert_int_equal(both->step.hart.pc, 0x2002);
        both_end(both);
    }
}

static void the_six_csr_instructions(void **unused)
{
    static const struct {
        enum isa_op op;
        unsigned rs1;
        uint64_t result; /* of 0xf0f0, with 0xff00 in x1 */
    } cases[] = {
        {OP_csrrw, 1, 0xff00}, {OP_csrrs, 1, 0xfff0},  {OP_csrrc, 1, 0x00f0},
        {OP_csrrwi, 21, 21},   {OP_csrrsi, 3, 0xf0f3}, {OP_csrrci, 16, 0xf0e0},
    };
    enum { MSCRATCH = 0x340 };
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct both *both = start(xlen);
            both->step.hart.mscratch = 0xf0f0;
            both->step.hart.x[1] = 0xff00;
            execute(both, isa_rows[cases[i].op].match | MSCRATCH << 20 |
                              cases[i].rs1 << 15 | 3 << 7);
            assert_int_equal(both->step.hart.x[3], 0xf0f0);
            assert_int_equal(both->step.hart.mscratch, cases[i].result);
            /* rd and rs1 may be the same. */
            execute(both, 0x340090f3); /* csrrw ra,mscratch,ra */
            assert_int_equal(both->step.hart.x[1], cases[i].result);
            assert_int_equal(both->step.hart.mscratch, 0xff00);
            both_end(both);
        }
}

/* Custom instructions have their tests in isa_test.c. */
static void no_row_is_without_a_test(void **unused)
{
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (int op = OP_illegal + 1; op < OP_ROWS; op++) {
            const struct isa_row *row = &isa_rows[op];
            bool here = has_row(xlen, (enum isa_op)op) &&
                        row->extension != ISA_EXT_xtrav;
            if (here && !tested[op + (xlen == 32 ? OP_ROWS : 0)])
                fail_msg("rv%u: no test executes %s (match %#x)", xlen,
                         row->name, row->match);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_instructions),
        cmocka_unit_test(x0_stays_zero),
        cmocka_unit_test(upper_immediates_and_jumps),
        cmocka_unit_test(addresses_of_rv32_wrap),
        cmocka_unit_test(branches),
        cmocka_unit_test(loads_extend_and_box),
        cmocka_unit_test(stores_write_their_bytes_only),
        cmocka_unit_test(atomics),
        cmocka_unit_test(sc_needs_lr),
        cmocka_unit_test(misaligned_atomics_fault),
        cmocka_unit_test(floating_point),
        cmocka_unit_test(integers_to_floating_point),
        cmocka_unit_test(flags_accumulate),
        cmocka_unit_test(the_dynamic_rounding_mode_is_frm),
        cmocka_unit_test(fences_and_traps),
        cmocka_unit_test(blocks_are_managed_where_memory_is),
        cmocka_unit_test(hints_only_advance),
        cmocka_unit_test(mret_goes_to_mepc),
        cmocka_unit_test(the_six_csr_instructions),
        cmocka_unit_test(no_row_is_without_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
