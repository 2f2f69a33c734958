/*
 * Decoding: fields, masks and classes, what is refused; that no two rows
 * overlap; what custom instructions hand over and compute; what the
 * disassembler says. What rows compute: rows_*_test.c.
 */
#include "sim/isa/tests/alone.h"

#include "corbel/semantics.h"

#include <stdio.h>

#define BOX(v) (0xffffffff00000000u | (v))

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
        assert_true(
            isa_decode(word_of_row(cases[i].op, 0), profile_of(64), &insn));
        assert_int_equal(insn.cls, cases[i].cls);
        assert_int_equal(insn.reads, cases[i].reads);
        assert_int_equal(insn.writes, cases[i].writes);
    }
    assert_string_equal(isa_class_name(ISA_CLASS_fma), "fma");
    assert_string_equal(isa_class_name(ISA_CLASS_traceray), "traceray");
}

/* By class and reads: what the masks say of each row, whose registers differ
 * here and are not x0. */
static void operands_are_those_of_each_row(void **unused)
{
    for (unsigned op = OP_illegal + 1; op < OP_ROWS; op++) {
        struct isa_insn insn;
        const struct isa_row *row = &isa_rows[op];
        if (op == OP_hint)
            continue; /* its registers are x0 */
        if (!isa_decode(word_of_row((enum isa_op)op, 0),
                        profile_of(row->xlen ? row->xlen : 64), &insn))
            fail_msg("%s", row->name);
        assert_in_range(isa_reads_of[insn.op], 0, ISA_READS - 1);
        struct isa_operands o = isa_operands(insn.cls, isa_reads_of[insn.op]);
        if (o.reads != __builtin_popcountll(insn.reads) ||
            o.writes != __builtin_popcountll(insn.writes))
            fail_msg("%s: %d, %d", row->name, o.reads, o.writes);
    }
    assert_int_equal(isa_operands(ISA_CLASS_alu, 0).writes, 1); /* lui */
    assert_int_equal(
        isa_operands(ISA_CLASS_lwi, isa_reads_of[OP_custom_lwi]).writes, 10);
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

/* Words of the public Arches simulator (lwi f0, swi f0, cshit f15, lhit f28),
 * and of the forms with 16 words. */
static void ray_streams_have_the_public_encodings(void **unused)
{
    static const struct {
        uint32_t word;
        uint16_t cls;
        int32_t imm;
        uint64_t reads, writes;
    } cases[] = {
        {0x0000100b, ISA_CLASS_lwi, 0, 0, 0x3ffull << 32},
        {0x1000200b, ISA_CLASS_swi, 256, 0x3ffull << 32, 0},
        {0x00f5300b, ISA_CLASS_cshit, 0, X(10) | 0xfull << 47, 0},
        {0x81cfb00b, ISA_CLASS_cshit, -2048, X(31) | 0xfull << 60, 0},
        {0x00054e0b, ISA_CLASS_lhit, 0, X(10), 0xfull << 60},
        {0x7fffc00b, ISA_CLASS_lhit, 2047, X(31), 0xfull << 32},
        {0x4000180b, ISA_CLASS_lwr, 0, 0, 0xffffull << 48},
        {0x40151d8b, ISA_CLASS_lhr, 0, X(10), 0x1full << 59},
        {0x4100200b, ISA_CLASS_swr, 0, 0xffffull << 48, 0},
    };
    struct isa_insn insn;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(isa_decode(cases[i].word, profile_of(64), &insn));
        assert_int_equal(insn.cls, cases[i].cls);
        assert_int_equal(insn.imm, cases[i].imm);
        assert_int_equal(insn.reads, cases[i].reads);
        assert_int_equal(insn.writes, cases[i].writes);
    }
    assert_false(isa_decode(0x00001b8b, profile_of(64), &insn)); /* rd = 23 */
    assert_false(isa_decode(0x4110200b, profile_of(64), &insn)); /* rs2 = 17 */
    assert_false(isa_decode(0x4020100b, profile_of(64), &insn)); /* no row */
}

/* A word that is an instruction of both rows, on one XLEN. */
static bool overlap(const struct isa_row *a, const struct isa_row *b)
{
    uint32_t common = a->mask & b->mask;
    bool together = !a->xlen || !b->xlen || a->xlen == b->xlen;
    return together && ((a->match ^ b->match) & common) == 0;
}

/* Narrower, and of the same text. */
static bool special_case(const struct isa_row *a, const struct isa_row *b)
{
    return (a->mask & b->mask) == b->mask && !strcmp(a->name, b->name) &&
           !strcmp(a->operands, b->operands);
}

/* Rows may narrow rows without a name, and those of the same name, which stand
 * after them. */
static void rows_do_not_overlap(void **unused)
{
    for (int a = OP_illegal + 1; a < OP_ROWS; a++) {
        const struct isa_row *row = &isa_rows[a];
        assert_int_equal(row->match & ~row->mask, 0);
        assert_int_equal(row->mask & row->match & 3, 3); /* not compressed */
        assert_int_not_equal(row->match & 0x1c, 0x1c);   /* not longer */
        for (int b = a + 1; b < OP_ROWS; b++)
            if (*isa_rows[b].name && overlap(row, &isa_rows[b]) &&
                !special_case(row, &isa_rows[b]))
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
        cmocka_unit_test(what_is_no_instruction_faults),
        cmocka_unit_test(compressed_instructions_are_short_base_instructions),
        cmocka_unit_test(register_masks_and_classes),
        cmocka_unit_test(operands_are_those_of_each_row),
        cmocka_unit_test(box_tests_are_the_shared_semantics),
        cmocka_unit_test(triangle_tests_are_the_shared_semantics),
        cmocka_unit_test(custom_instructions_for_units),
        cmocka_unit_test(ray_streams_have_the_public_encodings),
        cmocka_unit_test(rows_do_not_overlap),
        cmocka_unit_test(custom_rows_stay_in_custom_0),
        cmocka_unit_test(text_is_objdumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
