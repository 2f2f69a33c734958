/*
 * Bessel functions of order 1: newlib's own before their first zero; behind it,
 * where these have few right digits next to zeros and an error of 4 units of
 * the last place elsewhere, those of e_jn.c.
 */
#include <math.h>

double __ieee754_j1(double x);
double __ieee754_y1(double x);
double __bessel_j(int n, double x);
double __bessel_y(int n, double x);

double j1(double x)
{
    double size = fabs(x);

    if (!(size >= 2 && isfinite(x)))
        return __ieee754_j1(x);
    return copysign(1, x) * __bessel_j(1, size);
}

double y1(double x)
{
    if (!(x >= 0.5 && isfinite(x)))
        return __ieee754_y1(x);
    return __bessel_y(1, x);
}
