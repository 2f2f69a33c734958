/*
 * Bessel functions of order 0 for floats, by way of double: next to a zero the
 * result has only so many right digits as the calculation has more than a
 * float.
 */
double __ieee754_j0(double x);
double __ieee754_y0(double x);
float __ieee754_j0f(float x);
float __ieee754_y0f(float x);

float __ieee754_j0f(float x)
{
    return (float)__ieee754_j0(x);
}

float __ieee754_y0f(float x)
{
    return (float)__ieee754_y0(x);
}
