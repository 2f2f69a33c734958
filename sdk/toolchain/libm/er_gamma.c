/*
 * The gamma function, in numbers of 128 bits: its logarithm is next to 0 on
 * both sides of each negative integer, and has only so many right digits there
 * as the function itself has more than a double. Newlib's own is
 * exp(lgamma(x)), which errs by 1,500 units of the last place, and by any
 * number near zeros.
 *
 * With n the whole number next to x, and t = x - n, the function is
 *     gamma(1 + t) (1 + t) ... (n - 1 + t)    or    gamma(1 + t) / t ... (n +
 * t) and 1 / gamma(1 + t) is the sum of c_k t^(k-1), which converges
 * everywhere: Abramowitz, Stegun, "Handbook of mathematical functions", 6.1.15
 * and 6.1.34, the coefficients to more digits by the recurrence of Bourguet,
 * 1883.
 */
#include <math.h>
#include <stdint.h>

#if __LDBL_MANT_DIG__ == 113
typedef long double quad;
#define Q(number) number##L
#else
typedef __float128 quad;
#define Q(number) number##Q
#endif

double __ieee754_gamma_r(double x, int *sign);
double __lgamma_negative(double x, int *sign);

static const quad terms[] = {
    Q(1.00000000000000000000000000000000000000e+00),
    Q(5.77215664901532860606512090082402431042e-01),
    Q(-6.55878071520253881077019515145390481280e-01),
    Q(-4.20026350340952355290039348754298187114e-02),
    Q(1.66538611382291489501700795102105235718e-01),
    Q(-4.21977345555443367482083012891873913017e-02),
    Q(-9.62197152787697356211492167234819897536e-03),
    Q(7.21894324666309954239501034044657270990e-03),
    Q(-1.16516759185906511211397108401838866681e-03),
    Q(-2.15241674114950972815729963053647806478e-04),
    Q(1.28050282388116186153198626328164323395e-04),
    Q(-2.01348547807882386556893914210218183823e-05),
    Q(-1.25049348214267065734535947383309224232e-06),
    Q(1.13302723198169588237412962033074494332e-06),
    Q(-2.05633841697760710345015413002057283651e-07),
    Q(6.11609510448141581786249868285534286728e-09),
    Q(5.00200764446922293005566504805999130304e-09),
    Q(-1.18127457048702014458812656543650557774e-09),
    Q(1.04342671169110051049154033231225019140e-10),
    Q(7.78226343990507125404993731136077722607e-12),
    Q(-3.69680561864220570818781587808576623657e-12),
    Q(5.10037028745447597901548132286323180273e-13),
    Q(-2.05832605356650678322242954485523741975e-14),
    Q(-5.34812253942301798237001731872793994899e-15),
    Q(1.22677862823826079015889384662242242817e-15),
    Q(-1.18125930169745876951376458684229783121e-16),
    Q(1.18669225475160033257977724292867407109e-18),
    Q(1.41238065531803178155580394756670903709e-18),
    Q(-2.29874568443537020659247858063369926028e-19),
    Q(1.71440632192733743338396337026725706681e-20),
    Q(1.33735173049369311486478139512226802288e-22),
    Q(-2.05423355176667278932502535135573379668e-22),
    Q(2.73603004860799984483150990433098201487e-23),
    Q(-1.73235644591051663905742845156477979907e-24),
    Q(-2.36061902449928728734345073542753100793e-26),
    Q(1.86498294171729443071841316187866689895e-26),
};

static quad gamma_of(double x)
{
    int n = (int)(x + (x < 0 ? -0.5 : 0.5));
    quad t = (quad)x - n, sum = 0, factors = 1;

    for (int k = sizeof terms / sizeof *terms - 1; k >= 0; k--)
        sum = sum * t + terms[k];
    for (int i = 1; i < n; i++)
        factors *= t + i;
    for (int i = 0; i >= n; i--)
        sum *= t + i;
    return factors / sum;
}

static const volatile double tiny = 0x1p-1022; /* its square underflows */

static int is_odd(double whole)
{
    return fmod(whole, 2) != 0;
}

/* The absolute value; x is no negative integer. */
double __ieee754_gamma_r(double x, int *sign)
{
    *sign = 1;
    if (!(x < 172)) /* also a NaN */
        return x > 0 ? x * 0x1p1023 : x;
    if (x < 0 && is_odd(floor(x)))
        *sign = -1;
    if (x < -184)
        return tiny * tiny;
    return fabs((double)gamma_of(x));
}

/* The logarithm of the absolute value for x from -40 to -2^-70, which is no
 * integer. */
double __lgamma_negative(double x, int *sign)
{
    quad size = gamma_of(x);

    *sign = size < 0 ? -1 : 1;
    if (size < 0)
        size = -size;
    if (size > 0.5 && size < 2)
        return log1p((double)(size - 1));
    return log((double)size);
}
