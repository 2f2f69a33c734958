/*
 * Bessel functions of order 1 for floats, by way of double: next to a zero the
 * result has only so many right digits as the calculation has more than a
 * float.
 */
double __ieee754_j1(double x);
double __ieee754_y1(double x);
float __ieee754_j1f(float x);
float __ieee754_y1f(float x);

float __ieee754_j1f(float x)
{
    return (float)__ieee754_j1(x);
}

float __ieee754_y1f(float x)
{
    return (float)__ieee754_y1(x);
}
