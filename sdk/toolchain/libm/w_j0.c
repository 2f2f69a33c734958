/*
 * Bessel functions of order 0: newlib's own before their first zero; behind it,
 * where these have few right digits next to zeros and an error of 4 units of
 * the last place elsewhere, those of e_jn.c.
 */
#include <math.h>

double __ieee754_j0(double x);
double __ieee754_y0(double x);
double __bessel_j(int n, double x);
double __bessel_y(int n, double x);

double j0(double x)
{
    double size = fabs(x);

    if (!(size >= 2 && isfinite(x)))
        return __ieee754_j0(x);
    return __bessel_j(0, size);
}

double y0(double x)
{
    if (!(x >= 0.5 && isfinite(x)))
        return __ieee754_y0(x);
    return __bessel_y(0, x);
}
