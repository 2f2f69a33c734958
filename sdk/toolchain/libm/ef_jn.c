/*
 * Bessel functions of any order for floats, by way of double: next to a zero
 * the result has only so many right digits as the calculation has more than a
 * float.
 */
double __ieee754_jn(int n, double x);
double __ieee754_yn(int n, double x);
float __ieee754_jnf(int n, float x);
float __ieee754_ynf(int n, float x);

float __ieee754_jnf(int n, float x)
{
    return (float)__ieee754_jn(n, x);
}

float __ieee754_ynf(int n, float x)
{
    return (float)__ieee754_yn(n, x);
}
