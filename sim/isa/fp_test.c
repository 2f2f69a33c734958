/*
 * Arithmetic against the host's: results and flags of the slow path for every
 * rounding mode that the host has, roundings to the greater magnitude against
 * exact products, and the fast path against the slow one.
 */
#include "sim/isa/fp.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { ROUNDS = 60000 };

static uint64_t state;

/* splitmix64 */
static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/*
 * Operands that provoke something: every exponent near a limit of the format,
 * significands of few ones or of many.
 */
static uint64_t operand(struct fp_format f)
{
    uint64_t greatest = 2 * (uint64_t)f.bias + 1, bias = (uint64_t)f.bias;
    uint64_t exponents[] = {0,
                            0,
                            1,
                            2,
                            greatest,
                            bias,
                            bias + 1,
                            bias - 1,
                            bias / 2,
                            bias + 8,
                            bias - (uint64_t)f.fraction,
                            bias + (uint64_t)f.fraction,
                            greatest - 1};
    size_t count = sizeof exponents / sizeof *exponents;
    uint64_t exponent = next() % (count + 6) < count ? exponents[next() % count]
                                                     : next() % (greatest + 1);
    uint64_t mask = (1ull << f.fraction) - 1, fraction = next();
    switch (next() % 6) {
    case 0:
        fraction = 0;
        break;
    case 1:
        fraction = mask;
        break;
    case 2:
        fraction = 1ull << next() % (unsigned)f.fraction;
        break;
    case 3:
        fraction = mask << next() % (unsigned)f.fraction;
        break;
    case 4:
        fraction = 1;
        break;
    default:
        break;
    }
    return (next() & 1) * (greatest + 1) << f.fraction |
           exponent << f.fraction | (fraction & mask);
}

static uint8_t host_flags(void)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);
    return (uint8_t)((raised & FE_INEXACT ? FP_NX : 0) |
                     (raised & FE_UNDERFLOW ? FP_UF : 0) |
                     (raised & FE_OVERFLOW ? FP_OF : 0) |
                     (raised & FE_DIVBYZERO ? FP_DZ : 0) |
                     (raised & FE_INVALID ? FP_NV : 0));
}

enum operation { ADD, MUL, DIV, SQRT, FMA, OPERATIONS };

static const char *const names[] = {"add", "mul", "div", "sqrt", "fma"};

/* volatile: neither moved out of the chosen rounding nor computed early */
#define ON_HOST(F, TYPE, BITS, M, NAN_BITS)                                    \
    static uint64_t F##_on_host(enum operation operation, uint64_t ua,         \
                                uint64_t ub, uint64_t uc)                      \
    {                                                                          \
        volatile TYPE a = F##_value((BITS)ua), b = F##_value((BITS)ub);        \
        volatile TYPE c = F##_value((BITS)uc), r = 0;                          \
        switch (operation) {                                                   \
        case ADD:                                                              \
            r = a + b;                                                         \
            break;                                                             \
        case MUL:                                                              \
            r = a * b;                                                         \
            break;                                                             \
        case DIV:                                                              \
            r = a / b;                                                         \
            break;                                                             \
        case SQRT:                                                             \
            r = sqrt##M(a);                                                    \
            break;                                                             \
        default:                                                               \
            r = fma##M(a, b, c);                                               \
            break;                                                             \
        }                                                                      \
        return r == r ? F##_bits(r) : NAN_BITS;                                \
    }
ON_HOST(f32, float, uint32_t, f, F32_NAN)
ON_HOST(f64, double, uint64_t, , 0x7ff8000000000000)

static uint64_t slow(enum operation operation, struct fp_format f,
                     uint8_t *flags, unsigned rm, const uint64_t v[3])
{
    switch (operation) {
    case ADD:
        return fp_add(f, flags, rm, v[0], v[1]);
    case MUL:
        return fp_mul(f, flags, rm, v[0], v[1]);
    case DIV:
        return fp_div(f, flags, rm, v[0], v[1]);
    case SQRT:
        return fp_sqrt(f, flags, rm, v[0]);
    default:
        return fp_fma(f, flags, rm, v[0], v[1], v[2]);
    }
}

/* RISC-V alone calls infinity times zero plus a quiet NaN invalid. */
static bool differs_by_definition(enum operation operation, uint64_t host,
                                  uint8_t ours, uint8_t theirs, uint64_t c,
                                  struct fp_format f)
{
    bool c_is_nan = f.fraction == 23 ? f32_is_nan((uint32_t)c) : f64_is_nan(c);
    (void)host;
    return operation == FMA && c_is_nan && ours == FP_NV && theirs == 0;
}

static void compare(struct fp_format f, enum operation operation, unsigned rm)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                FE_UPWARD};
    bool single = f.fraction == 23;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t v[3] = {operand(f), operand(f), operand(f)};
        uint8_t flags = 0;
        uint64_t ours = slow(operation, f, &flags, rm, v);
        fesetround(modes[rm]);
        feclearexcept(FE_ALL_EXCEPT);
        uint64_t host = single ? f32_on_host(operation, v[0], v[1], v[2])
                               : f64_on_host(operation, v[0], v[1], v[2]);
        uint8_t raised = host_flags();
        fesetround(FE_TONEAREST);
        if (ours != host ||
            (flags != raised &&
             !differs_by_definition(operation, host, flags, raised, v[2], f)))
            fail_msg("%s rm %u of %#llx %#llx %#llx: %#llx flags %#x, host "
                     "%#llx flags %#x",
                     names[operation], rm, (unsigned long long)v[0],
                     (unsigned long long)v[1], (unsigned long long)v[2],
                     (unsigned long long)ours, flags, (unsigned long long)host,
                     raised);
    }
}

static void slow_path_agrees_with_the_host(void **unused)
{
    for (unsigned rm = FP_RNE; rm <= FP_RUP; rm++)
        for (enum operation operation = ADD; operation < OPERATIONS;
             operation++) {
            compare(fp_f32, operation, rm);
            compare(fp_f64, operation, rm);
        }
}

static void conversions_agree_with_the_host(void **unused)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                FE_UPWARD};
    for (int i = 0; i < 4 * ROUNDS; i++) {
        unsigned rm = (unsigned)i % 4;
        uint8_t flags[3] = {0};
        uint64_t wide = operand(fp_f64);
        int64_t integer = (int64_t)next() >> next() % 64;
        uint64_t narrow = fp_convert(fp_f32, fp_f64, &flags[0], rm, wide);
        uint32_t single = f32_from_i64(&flags[1], rm, integer);
        uint64_t twice = f64_from_u64(&flags[2], rm, (uint64_t)integer);
        volatile double source = f64_value(wide);
        volatile int64_t number = integer;
        fesetround(modes[rm]);
        feclearexcept(FE_ALL_EXCEPT);
        volatile float result = (float)source;
        uint8_t raised = host_flags();
        volatile float from_integer = (float)number;
        volatile double from_unsigned = (double)(uint64_t)number;
        fesetround(FE_TONEAREST);
        assert_int_equal(narrow, result == result ? f32_bits(result) : F32_NAN);
        assert_int_equal(flags[0], raised);
        assert_int_equal(single, f32_bits(from_integer));
        /* Compilers' sequences for unsigned are made for RNE alone. */
        if (rm == FP_RNE)
            assert_int_equal(twice, f64_bits(from_unsigned));
    }
}

static void integers_round_as_nearbyint_does(void **unused)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                FE_UPWARD};
    for (int i = 0; i < 4 * ROUNDS; i++) {
        unsigned rm = (unsigned)i % 4;
        volatile double value = f64_value(operand(fp_f64));
        if (next() & 1)
            value = (double)((int64_t)next() >> next() % 64) / 4;
        fesetround(modes[rm]);
        volatile double whole = nearbyint(value);
        fesetround(FE_TONEAREST);
        uint8_t flags = 0;
        int64_t ours = f64_to_i64(&flags, rm, f64_bits(value));
        if (whole >= -0x1p63 && whole < 0x1p63) {
            assert_int_equal(ours, (int64_t)whole);
            assert_int_equal(flags, whole == value ? 0 : FP_NX);
        } else {
            assert_int_equal(ours, whole < 0 ? INT64_MIN : INT64_MAX);
            assert_int_equal(flags, FP_NV);
        }
    }
}

static void conversions_stop_at_their_limits(void **unused)
{
    static const struct {
        double value;
        int64_t i32, i64;
        uint64_t u32, u64;
    } rows[] = {
        {0.0, 0, 0, 0, 0},
        {-0.0, 0, 0, 0, 0},
        {-0.75, 0, 0, 0, 0},
        {-1.0, -1, -1, 0, 0},
        {2147483647.5, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX},
        {2147483648.0, INT32_MAX, 2147483648, 2147483648, 2147483648},
        {-2147483648.5, INT32_MIN, -2147483648, 0, 0},
        {-2147483649.0, INT32_MIN, -2147483649, 0, 0},
        {4294967295.5, INT32_MAX, 4294967295, UINT32_MAX, UINT32_MAX},
        {4294967296.0, INT32_MAX, 4294967296, UINT32_MAX, 4294967296},
        {0x1p63, INT32_MAX, INT64_MAX, UINT32_MAX, 1ull << 63},
        {-0x1p63, INT32_MIN, INT64_MIN, 0, 0},
        {0x1p64, INT32_MAX, INT64_MAX, UINT32_MAX, UINT64_MAX},
        {INFINITY, INT32_MAX, INT64_MAX, UINT32_MAX, UINT64_MAX},
        {-INFINITY, INT32_MIN, INT64_MIN, 0, 0},
        {NAN, INT32_MAX, INT64_MAX, UINT32_MAX, UINT64_MAX},
        {-NAN, INT32_MAX, INT64_MAX, UINT32_MAX, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t flags = 0;
        uint64_t bits = f64_bits(rows[i].value);
        assert_int_equal(f64_to_i32(&flags, FP_RTZ, bits), rows[i].i32);
        assert_int_equal(f64_to_i64(&flags, FP_RTZ, bits), rows[i].i64);
        assert_int_equal(f64_to_u32(&flags, FP_RTZ, bits), rows[i].u32);
        assert_int_equal(f64_to_u64(&flags, FP_RTZ, bits), rows[i].u64);
    }
}

/*
 * Ties go to the greater magnitude. The product of two singles is exact in a
 * double, so is the middle between its neighbours.
 */
static void ties_round_to_the_greater_magnitude(void **unused)
{
    unsigned ties = 0;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        uint32_t a = (uint32_t)operand(fp_f32), b = (uint32_t)operand(fp_f32);
        uint8_t flags = 0, same = 0;
        uint32_t r = (uint32_t)fp_mul(fp_f32, &flags, FP_RMM, a, b);
        uint32_t low = (uint32_t)fp_mul(fp_f32, &same, FP_RTZ, a, b);
        double exact = fabs((double)f32_value(a) * f32_value(b));
        double below = fabs((double)f32_value(low));
        if (!(flags & FP_NX) || below >= 0x1.fffffep127)
            continue;
        double above = fabs((double)f32_value(low + 1));
        ties += exact == (below + above) / 2;
        assert_int_equal(r, exact >= (below + above) / 2 ? low + 1 : low);
    }
    assert_true(ties > 100);
    uint8_t flags = 0;
    assert_int_equal(f64_to_i64(&flags, FP_RMM, f64_bits(2.5)), 3);
    assert_int_equal(f64_to_i64(&flags, FP_RMM, f64_bits(-2.5)), -3);
    assert_int_equal(f64_to_i64(&flags, FP_RNE, f64_bits(2.5)), 2);
}

static void fast_path_agrees_with_the_slow_one(void **unused)
{
    for (int i = 0; i < 10 * ROUNDS; i++) {
        uint64_t v[3] = {operand(fp_f32), operand(fp_f32), operand(fp_f32)};
        uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1], c = (uint32_t)v[2];
        unsigned rm = (unsigned)(next() % 5);
        uint8_t before = next() & 1, f = before, s = before;
        assert_int_equal(f32_add(&f, rm, a, b), slow(ADD, fp_f32, &s, rm, v));
        assert_int_equal(f32_mul(&f, rm, a, b), slow(MUL, fp_f32, &s, rm, v));
        assert_int_equal(f32_div(&f, rm, a, b), slow(DIV, fp_f32, &s, rm, v));
        assert_int_equal(f32_sqrt(&f, rm, a), slow(SQRT, fp_f32, &s, rm, v));
        assert_int_equal(f32_fma(&f, rm, a, b, c),
                         slow(FMA, fp_f32, &s, rm, v));
        assert_int_equal(f32_to_i32(&f, rm, a),
                         fp_to_signed(fp_f32, &s, rm, 32, a));
        assert_int_equal(f, s);
    }
}

static void min_and_max_know_zeros_and_nans(void **unused)
{
    enum { QUIET = 0x7fc12345, SIGNALLING = 0x7f812345, ONE = 0x3f800000 };
    uint8_t flags = 0;
    assert_int_equal(f32_min(&flags, F32_SIGN, 0), F32_SIGN);
    assert_int_equal(f32_min(&flags, 0, F32_SIGN), F32_SIGN);
    assert_int_equal(f32_max(&flags, F32_SIGN, 0), 0);
    assert_int_equal(f32_max(&flags, 0, F32_SIGN), 0);
    assert_int_equal(f32_min(&flags, ONE | F32_SIGN, ONE), ONE | F32_SIGN);
    assert_int_equal(f32_max(&flags, QUIET, ONE), ONE);
    assert_int_equal(f32_min(&flags, ONE, QUIET), ONE);
    assert_int_equal(f32_min(&flags, QUIET, QUIET), F32_NAN);
    assert_int_equal(flags, 0);
    assert_int_equal(f32_max(&flags, SIGNALLING, ONE), ONE);
    assert_int_equal(flags, FP_NV);
}

static void comparisons_raise_invalid_for_nans(void **unused)
{
    enum { QUIET = 0x7fc00000, SIGNALLING = 0x7f800001, ONE = 0x3f800000 };
    uint8_t flags = 0;
    assert_false(f32_eq(&flags, QUIET, ONE));
    assert_true(f32_eq(&flags, 0, F32_SIGN));
    assert_true(f32_le(&flags, 0, F32_SIGN));
    assert_false(f32_lt(&flags, F32_SIGN, 0));
    assert_int_equal(flags, 0);
    assert_false(f32_eq(&flags, SIGNALLING, ONE));
    assert_int_equal(flags, FP_NV);
    flags = 0;
    assert_false(f32_lt(&flags, QUIET, ONE));
    assert_int_equal(flags, FP_NV);
}

static void classes_are_ten(void **unused)
{
    static const uint32_t values[] = {
        0xff800000, 0xbf800000, 0x80000001, 0x80000000, 0x00000000,
        0x007fffff, 0x00800000, 0x7f800000, 0x7f800001, 0x7fc00000};
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(f32_class(values[i]), 1 << i);
    assert_int_equal(f64_class(0x000fffffffffffff), 1 << 5);
    assert_int_equal(f64_class(0xfff0000000000000), 1 << 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_path_agrees_with_the_host),
        cmocka_unit_test(conversions_agree_with_the_host),
        cmocka_unit_test(integers_round_as_nearbyint_does),
        cmocka_unit_test(conversions_stop_at_their_limits),
        cmocka_unit_test(ties_round_to_the_greater_magnitude),
        cmocka_unit_test(fast_path_agrees_with_the_slow_one),
        cmocka_unit_test(min_and_max_know_zeros_and_nans),
        cmocka_unit_test(comparisons_raise_invalid_for_nans),
        cmocka_unit_test(classes_are_ten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
