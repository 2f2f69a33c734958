/*
 * <math.h> of edge values. Functions whose results are exact are compared bit
 * by bit, others to 6 digits, float to 4: last bits differ between libraries.
 */
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double values[] = {
    0.0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    -1.5,
    2.5,
    -2.5,
    3,
    -3,
    2,
    -2,
    10,
    0.1,
    1e-10,
    -1e-10,
    1e10,
    -1e10,
    1e300,
    -1e300,
    1e-300,
    DBL_MAX,
    -DBL_MAX,
    DBL_MIN,
    DBL_TRUE_MIN,
    -DBL_TRUE_MIN,
    INFINITY,
    -INFINITY,
    NAN,
    0x1p52,
    0x1p52 + 1,
    0x1p53,
    -0x1p53,
    0x1p63,
    -0x1p63,
    4503599627370495.5,
    0.49999999999999994,
    -0.49999999999999994,
    0x1p-1030,
    100,
    709.5,
    710,
    -745,
    -746,
    0x1p31,
    -0x1p31 - 1,
    3.141592653589793,
    1e22,
    0x1p1023,
    7,
    -7,
    1 + DBL_EPSILON,
    -5e-21,
    12487314,
};

/* In bits: %a of a subnormal is each library's own. A NaN's sign and payload
 * are not promised by any standard. */
static unsigned long long bits(double x)
{
    unsigned long long word;

    if (isnan(x))
        return 0x7ff8ULL << 48;
    memcpy(&word, &x, sizeof word);
    return word;
}

static void exact(const char *name, double x, double y, double result)
{
    printf("%s %g %g = %llx\n", name, x, y, bits(result));
}

static void rough(const char *name, double x, double y, double result)
{
    printf("%s %g %g = %.6g\n", name, x, y, isnan(result) ? NAN : result);
}

static void rough_f(const char *name, double x, double y, double result)
{
    printf("%s %g %g = %.4g\n", name, x, y, isnan(result) ? NAN : result);
}

#define EXACT1(name) {#name, name, #name "f", name##f},
#define ROUGH1(name) EXACT1(name)
static const struct unary {
    const char *name;
    double (*of)(double);
    const char *name_f;
    float (*of_f)(float);
} exact1[] = {EXACT1(fabs) EXACT1(floor) EXACT1(ceil) EXACT1(trunc) EXACT1(
    round) EXACT1(rint) EXACT1(nearbyint) EXACT1(sqrt) EXACT1(logb)},
  rough1[] = {ROUGH1(sin) ROUGH1(cos) ROUGH1(tan) ROUGH1(asin) ROUGH1(acos)
                  ROUGH1(atan) ROUGH1(sinh) ROUGH1(cosh) ROUGH1(tanh)
                      ROUGH1(asinh) ROUGH1(acosh) ROUGH1(atanh) ROUGH1(exp)
                          ROUGH1(exp2) ROUGH1(expm1) ROUGH1(log) ROUGH1(log2)
                              ROUGH1(log10) ROUGH1(log1p) ROUGH1(cbrt)
                                  ROUGH1(erf) ROUGH1(erfc) ROUGH1(lgamma)
                                      ROUGH1(tgamma) ROUGH1(gamma) ROUGH1(j0)
                                          ROUGH1(j1) ROUGH1(y0) ROUGH1(y1)};

static const struct binary {
    const char *name;
    double (*of)(double, double);
    const char *name_f;
    float (*of_f)(float, float);
} exact2[] = {EXACT1(fmod) EXACT1(remainder) EXACT1(fmin) EXACT1(fmax)
                  EXACT1(fdim) EXACT1(copysign) EXACT1(nextafter)},
  rough2[] = {EXACT1(pow) EXACT1(atan2) EXACT1(hypot)};

typedef void show_function(const char *name, double x, double y, double result);

static void unary(const struct unary *f, size_t count, show_function *show,
                  show_function *show_f)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < COUNT(values); j++) {
            float x = (float)values[j];
            show(f[i].name, values[j], 0, f[i].of(values[j]));
            show_f(f[i].name_f, x, 0, f[i].of_f(x));
        }
}

static void binary(const struct binary *f, size_t count, show_function *show,
                   show_function *show_f)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < COUNT(values); j++)
            for (size_t k = 0; k < COUNT(values); k++) {
                float x = (float)values[j], y = (float)values[k];
                show(f[i].name, values[j], values[k],
                     f[i].of(values[j], values[k]));
                show_f(f[i].name_f, x, y, f[i].of_f(x, y));
            }
}

static void scaling(double x)
{
    static const int by[] = {0,       1,     -1,     52,    -52,    1023,
                             -1023,   1074,  -1074,  1075,  -1075,  2098,
                             -2098,   50000, -50000, 50001, -50001, INT_MAX,
                             INT_MIN, -1022, 127,    -149};
    int e = 0;
    float e_f = (float)x;

    for (size_t i = 0; i < COUNT(by); i++) {
        exact("ldexp", x, by[i], ldexp(x, by[i]));
        exact("scalbn", x, by[i], scalbn(x, by[i]));
        exact("scalbln", x, by[i], scalbln(x, by[i]));
        exact("ldexpf", e_f, by[i], ldexpf(e_f, by[i]));
        exact("scalbnf", e_f, by[i], scalbnf(e_f, by[i]));
        exact("scalblnf", e_f, by[i], scalblnf(e_f, by[i]));
    }
    exact("frexp", x, 0, frexp(x, &e));
    exact(" ", 0, 0, isfinite(x) ? e : 0);
    exact("frexpf", e_f, 0, frexpf(e_f, &e));
    exact(" ", 0, 0, isfinite(e_f) ? e : 0);
    printf("ilogb %d\n", isnan(x) || isinf(x) || x == 0 ? 0 : ilogb(x));
}

static void parts(double x)
{
    double whole;
    float whole_f;

    exact("modf", x, 0, modf(x, &whole));
    exact(" ", x, 0, whole);
    exact("modff", x, 0, modff((float)x, &whole_f));
    exact(" ", x, 0, whole_f);
    printf("%d %d %d %d %d\n", isnan(x), isinf(x), isfinite(x), isnormal(x),
           !!signbit(isnan(x) ? 1 : x));
    if (fabs(x) < 0x1p62) {
        printf("llround %lld %lld\n", llround(x), llrint(x));
        printf("llroundf %lld %lld\n", llroundf((float)x), llrintf((float)x));
    }
    if (fabs(x) < 0x1p30)
        printf("lround %ld %ld\n", lround(x), lrint(x));
}

static void three(double x, double y)
{
    int quotient = 0;
    double rest = remquo(x, y, &quotient);

    exact("remquo", x, y, rest);
    printf(" %d\n", isnan(rest) ? 0 : quotient & 7);
    exact("fma", x, y, fma(x, y, 1));
    exact("fma", x, y, fma(x, y, -x));
    exact("fmaf", x, y, fmaf((float)x, (float)y, -1));
    printf("%d %d %d %d %d %d\n", isgreater(x, y), isless(x, y),
           isgreaterequal(x, y), islessequal(x, y), islessgreater(x, y),
           isunordered(x, y));
}

static void rounding(void)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                                FE_TOWARDZERO};
    for (size_t m = 0; m < COUNT(modes); m++) {
        for (size_t i = 0; i < COUNT(values); i++) {
            float x = (float)values[i];
            fesetround(modes[m]);
            float rint_x = rintf(x), nearbyint_x = nearbyintf(x);
            fesetround(FE_TONEAREST); /* printf rounds, too */
            exact("rintf", x, (double)m, rint_x);
            exact("nearbyintf", x, (double)m, nearbyint_x);
        }
    }
}

int main(void)
{
    unary(exact1, COUNT(exact1), exact, exact);
    unary(rough1, COUNT(rough1), rough, rough_f);
    binary(exact2, COUNT(exact2), exact, exact);
    binary(rough2, COUNT(rough2), rough, rough_f);
    for (size_t i = 0; i < COUNT(values); i++) {
        scaling(values[i]);
        parts(values[i]);
        for (size_t j = 0; j < COUNT(values); j++)
            three(values[i], values[j]);
    }
    rounding();
    return 0;
}
