/* The headers' functions against the C library and libxxhash. */
#include <corbel/hash.h>
#include <corbel/math.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <xxhash.h>

#include <cmocka.h>

static void the_hash_is_xxh64(void **state)
{
    uint8_t bytes[300];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 37 + 11);
    for (size_t length = 0; length <= sizeof bytes; length++)
        assert_int_equal(corbel_hash(bytes, length, length * 3),
                         XXH64(bytes, length, length * 3));
}

static void sine_and_cosine_are_within_their_error(void **state)
{
    for (int i = -300000; i <= 300000; i++) {
        const float turns = (float)i / 98765;
        const double angle = 2 * 3.14159265358979323846 * (double)turns;
        float sine, cosine;
        corbel_sincos_turns(turns, &sine, &cosine);
        assert_true(fabs(sine - sin(angle)) < 2e-7);
        assert_true(fabs(cosine - cos(angle)) < 2e-7);
    }
}

static void logarithm_and_exponential_are_within_their_error(void **state)
{
    for (float x = 1e-30f; x < 1e30f; x *= 1.0007f) {
        const double log = log2((double)x);
        assert_true(fabs(corbel_log2(x) - log) <= 3e-7 * fmax(1, fabs(log)));
    }
    for (float x = -125; x < 126; x += 0.0013f)
        assert_true(fabs(corbel_exp2(x) / exp2((double)x) - 1) < 2e-7);
    for (float x = 1e-6f; x < 1e6f; x *= 1.003f)
        assert_true(fabs(corbel_pow(x, 2.4f) / pow((double)x, 2.4f) - 1) <
                    5e-6);
    assert_true(corbel_pow(0, 2) == 0);
}

static void srgb_grows_from_0_to_1(void **state)
{
    float last = 0;
    for (int i = 0; i <= 10000; i++) {
        float value = corbel_srgb((float)i / 10000);
        assert_true(value >= last && value <= 1);
        last = value;
    }
    assert_true(corbel_srgb(-1) == 0 && last == 1);
    assert_true(fabsf(corbel_srgb(0.5f) - 0.7353570f) < 1e-5f);
}

static void random_numbers_are_spread_evenly(void **state)
{
    enum { BINS = 64, COUNT = 1 << 18 };
    for (uint32_t which = 0; which < 3; which++) {
        int bin[BINS] = {0};
        double chi = 0, expected = (double)COUNT / BINS;
        for (uint32_t i = 0; i < COUNT; i++) {
            float x = corbel_random_float(
                which == 0 ? i : 5, which == 1 ? i : 6, which == 2 ? i : 7);
            assert_true(x >= 0 && x < 1);
            bin[(int)(x * BINS)]++;
        }
        for (int i = 0; i < BINS; i++)
            chi += (bin[i] - expected) * (bin[i] - expected) / expected;
        assert_true(chi > 25 && chi < 120); /* 63 +- 5 deviations */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_is_xxh64),
        cmocka_unit_test(sine_and_cosine_are_within_their_error),
        cmocka_unit_test(logarithm_and_exponential_are_within_their_error),
        cmocka_unit_test(srgb_grows_from_0_to_1),
        cmocka_unit_test(random_numbers_are_spread_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
