/*
 * Bessel functions of any order.
 */
#include <math.h>

double __ieee754_jn(int n, double x);
double __ieee754_yn(int n, double x);

double jn(int n, double x)
{
    return __ieee754_jn(n, x);
}

double yn(int n, double x)
{
    return __ieee754_yn(n, x);
}
