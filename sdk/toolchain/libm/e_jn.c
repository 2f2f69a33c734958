/*
 * Bessel functions of all orders, in numbers of 128 bits: next to a zero the
 * result has only so many right digits as the calculation has more than a
 * double. j0, j1, y0 and y1 come here behind their first zeros (w_j0.c,
 * w_j1.c), other orders always; newlib's own had no right digit there.
 *
 * Numbers of formulas are those of the NIST handbook of mathematical functions
 * (dlmf.nist.gov). Below 40, or the order, J is computed from high orders down
 * (3.6, Miller's algorithm), scaled so that 10.12.4 holds, and Y_0, Y_1 are
 * Neumann's series 10.23.16. Elsewhere Hankel's expansions 10.17.3 and 10.17.4
 * of orders 0 and 1 are exact to e^-2x. The recurrence 10.6.1 leads upward
 * where it is stable, for J up to x and for Y.
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

int __kernel_rem_pio2(double *x, double *y, int e0, int nx, int precision,
                      const int32_t *two_over_pi);
extern const int32_t __two_over_pi[];
double __ieee754_jn(int n, double x);
double __ieee754_yn(int n, double x);
double __bessel_j(int n, double x);
double __bessel_y(int n, double x);

static const quad pi = Q(3.14159265358979323846264338327950288420),
                  ln_2 = Q(0.693147180559945309417232121458176568076),
                  euler = Q(0.577215664901532860606512090082402431042);

/* ln(1 + s)/(1 - s) is 2 (s + s^3/3 + ...). */
static quad log_of(double x)
{
    int e;
    double m = frexp(x, &e);
    quad s, square, power, sum;

    if (m < 0.7071) {
        m *= 2;
        e--;
    }
    s = ((quad)m - 1) / ((quad)m + 1);
    square = s * s;
    sum = power = s;
    for (int i = 3; i < 49; i += 2) {
        power *= square;
        sum += power / i;
    }
    return 2 * sum + e * ln_2;
}

struct downward {
    quad next, now, whole, y[2], j[2], wanted;
};

/* All of it smaller, before it overflows. */
static void scale(struct downward *d)
{
    const quad by = Q(0x1p-8000);

    d->next *= by;
    d->now *= by;
    d->whole *= by;
    d->y[0] *= by;
    d->y[1] *= by;
    d->j[0] *= by;
    d->j[1] *= by;
    d->wanted *= by;
}

/* Takes the function of order k into the sums. */
static void account(struct downward *d, long long k, long long n)
{
    long long half = k / 2;
    int negative = half % 2 != 0;

    if (k == n)
        d->wanted = d->now;
    if (k < 2)
        d->j[k] = d->now;
    if (k % 2 == 0) {
        d->whole += k ? 2 * d->now : d->now;
        if (k)
            d->y[0] += (negative ? -d->now : d->now) / half;
    } else if (k > 1) {
        d->y[1] += (negative ? -d->now : d->now) * k / (half * (half + 1));
    }
}

/* J_0, J_1 and J_n; y are the sums of Y's series. */
static void go_down(struct downward *d, double x, long long n)
{
    long long most = (long long)(x > n ? x : n) + 40 + (long long)(0.8 * x);
    quad by = 2 / (quad)x;

    *d = (struct downward){.now = 1};
    for (long long k = most; k >= 0; k--) {
        quad before = (k + 1) * by * d->now - d->next;
        d->next = d->now;
        d->now = before;
        if (before > Q(0x1p8000) || before < Q(-0x1p8000))
            scale(d);
        account(d, k, n);
    }
    d->j[0] /= d->whole;
    d->j[1] /= d->whole;
    d->wanted /= d->whole;
    d->y[0] /= d->whole;
    d->y[1] /= d->whole;
}

static void y_below(double x, quad *y)
{
    struct downward d;
    quad log = log_of(x / 2) + euler;

    go_down(&d, x, 0);
    y[0] = 2 / pi * (log * d.j[0] - 2 * d.y[0]);
    y[1] = 2 / pi * ((log - 1) * d.j[1] - d.y[1] - d.j[0] / x);
}

/* The sine and cosine of x, which is positive. */
static void sine_cosine(double x, quad *sine, quad *cosine)
{
    double parts[3], rest[3], m;
    quad r, square, power = 1, s = 0, c = 0;
    int e, n, sign = 1;

    m = ldexp(frexp(x, &e), 24);
    for (int i = 0; i < 3; i++) {
        parts[i] = floor(m);
        m = (m - parts[i]) * 0x1p24;
    }
    n = __kernel_rem_pio2(parts, rest, e - 24, 3, 3, __two_over_pi);
    r = (quad)rest[2] + rest[1] + rest[0];
    square = r * r;
    for (int i = 0; i < 32; i += 2, sign = -sign) {
        c += sign * power;
        s += sign * power / (i + 1);
        power *= square / ((i + 1) * (i + 2));
    }
    s *= r;
    *sine = n & 1 ? c : s;
    *cosine = n & 1 ? -s : c;
    if (n & 2) {
        *sine = -*sine;
        *cosine = -*cosine;
    }
}

/* Hankel's P and Q of order n, which is 0 or 1. */
static void expand(double x, int n, quad *p, quad *q)
{
    quad by = 1 / (8 * (quad)x), term = 1;

    *p = *q = 0;
    for (int k = 0; k < 80 && (term > Q(1e-38) || term < Q(-1e-38)); k++) {
        quad *sum = k & 1 ? q : p;
        int odd = 2 * k + 1;
        *sum += k & 2 ? -term : term;
        term *= by * (4 * n * n - odd * odd) / (k + 1);
    }
}

/* j and y of orders 0 and 1, but for a factor of 1 / sqrt(pi x) */
static void above(double x, quad *j, quad *y)
{
    quad s, c, p, q, plus, minus;

    sine_cosine(x, &s, &c);
    plus = s + c;
    minus = s - c;
    expand(x, 0, &p, &q);
    j[0] = p * plus - q * minus;
    y[0] = p * minus + q * plus;
    expand(x, 1, &p, &q);
    j[1] = p * minus + q * plus;
    y[1] = q * minus - p * plus;
}

static double scaled(quad value, double x)
{
    quad root = 1 / sqrt(3.141592653589793 * x * 0x1p-4) * 0.25;

    if (x > 0x1p1000)
        root = Q(0.564189583547756286948079451560772586) / sqrt(x);
    else
        root *= Q(1.5) - Q(0.5) * pi * x * root * root;
    return (double)(value * root);
}

static quad upward(const quad *first, int n, double x)
{
    quad before = first[0], now = first[1], by = 2 / (quad)x;

    if (n == 0)
        return before;
    for (int k = 1; k < n && now - now == 0; k++) {
        quad next = k * by * now - before;
        before = now;
        now = next;
    }
    return now;
}

/* x is positive and finite, n not negative. */
double __bessel_j(int n, double x)
{
    struct downward d;
    quad j[2], y[2];

    if (x < 40 || x < n) {
        go_down(&d, x, n);
        return (double)d.wanted;
    }
    above(x, j, y);
    return scaled(upward(j, n, x), x);
}

double __bessel_y(int n, double x)
{
    quad j[2], y[2];

    if (x < 40) {
        y_below(x, y);
        return (double)upward(y, n, x);
    }
    above(x, j, y);
    return scaled(upward(y, n, x), x);
}

static double signed_by(int negative, double value)
{
    return negative ? -value : value;
}

double __ieee754_jn(int n, double x)
{
    int odd = n & 1, negative = odd && !signbit(x) != (n >= 0);
    unsigned size = n < 0 ? -(unsigned)n : (unsigned)n;

    if (isnan(x))
        return x + x;
    if (size == 0)
        return j0(x);
    if (size == 1)
        return signed_by(negative, j1(fabs(x)));
    if (x == 0 || isinf(x))
        return signed_by(negative, 0);
    return signed_by(negative, __bessel_j((int)size, fabs(x)));
}

double __ieee754_yn(int n, double x)
{
    int negative = n < 0 && (n & 1);
    unsigned size = n < 0 ? -(unsigned)n : (unsigned)n;

    if (isnan(x))
        return x + x;
    if (x == 0)
        return signed_by(negative, -1.0) / 0.0;
    if (x < 0)
        return (x - x) / 0.0;
    if (size == 0)
        return y0(x);
    if (size == 1)
        return signed_by(negative, y1(x));
    if (isinf(x))
        return 0;
    return signed_by(negative, __bessel_y((int)size, x));
}
