/*
 * The gamma function for floats, in doubles: er_gamma.c says how.
 */
#include <math.h>

float __ieee754_gammaf_r(float x, int *sign);
float __lgammaf_negative(float x, int *sign);

static const double terms[] = {
    1,
    0.57721566490153287,
    -0.6558780715202539,
    -0.042002635034095237,
    0.16653861138229148,
    -0.042197734555544333,
    -0.009621971527876973,
    0.0072189432466630999,
    -0.0011651675918590652,
    -0.00021524167411495098,
    0.0001280502823881162,
    -2.0134854780788239e-05,
    -1.2504934821426706e-06,
    1.1330272319816959e-06,
    -2.0563384169776071e-07,
    6.1160951044814161e-09,
    5.0020076444692229e-09,
    -1.18127457048702e-09,
    1.0434267116911005e-10,
    7.7822634399050708e-12,
    -3.696805618642206e-12,
};

static double gamma_of(float x)
{
    int n = (int)(x + (x < 0 ? -0.5f : 0.5f));
    double t = (double)x - n, sum = 0, factors = 1;

    for (int k = sizeof terms / sizeof *terms - 1; k >= 0; k--)
        sum = sum * t + terms[k];
    for (int i = 1; i < n; i++)
        factors *= t + i;
    for (int i = 0; i >= n; i--)
        sum *= t + i;
    return factors / sum;
}

static const volatile float tiny = 0x1p-126f; /* its square underflows */

/* The absolute value; x is no negative integer. */
float __ieee754_gammaf_r(float x, int *sign)
{
    *sign = 1;
    if (!(x < 36)) /* also a NaN */
        return x > 0 ? x * 0x1p127f : x;
    if (x < 0 && fmodf(floorf(x), 2) != 0)
        *sign = -1;
    if (x < -43)
        return tiny * tiny;
    return (float)fabs(gamma_of(x));
}

/* The logarithm of the absolute value for x from -40 to 0, which is no
 * integer. */
float __lgammaf_negative(float x, int *sign)
{
    double size = gamma_of(x);

    *sign = size < 0 ? -1 : 1;
    size = fabs(size);
    if (size > 0.5 && size < 2)
        return (float)log1p(size - 1);
    return (float)log(size);
}
