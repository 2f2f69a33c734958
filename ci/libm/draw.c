/*
 * Arguments: a quarter are any bits, so that all exponents are equally
 * frequent; a quarter have magnitudes from 2^-20 to 2^12; half are next to what
 * find_special finds: zeros, poles, ends of the domain and of the range.
 */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SPECIAL = 20000 };

/* Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
 */
static uint64_t draw(struct task *t)
{
    uint64_t z = t->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double unit(struct task *t)
{
    return (double)(draw(t) >> 11) * 0x1p-53;
}

/* Numbers of the format in their order, as integers: 0 is +0, -1 is -0. */
static double number(const struct task *t, int64_t rank)
{
    uint64_t bits = (uint64_t)(rank < 0 ? -1 - rank : rank);
    double d;

    if (t->is_float) {
        uint32_t word = (uint32_t)bits;
        float f;
        memcpy(&f, &word, sizeof f);
        d = f;
    } else {
        memcpy(&d, &bits, sizeof d);
    }
    return rank < 0 ? -d : d;
}

static int64_t rank(const struct task *t, double d)
{
    uint64_t bits;

    if (t->is_float) {
        float f = (float)fabs(d);
        uint32_t word;
        memcpy(&word, &f, sizeof word);
        bits = word;
    } else {
        d = copysign(d, 1);
        memcpy(&bits, &d, sizeof bits);
    }
    return signbit(d) ? -1 - (int64_t)bits : (int64_t)bits;
}

static int64_t infinite(const struct task *t)
{
    return t->is_float ? (int64_t)0xff << 23 : (int64_t)0x7ff << 52;
}

static double any_bits(struct task *t)
{
    uint64_t bits = draw(t);
    int64_t most = infinite(t);
    int64_t magnitude = (int64_t)((bits >> 1) % (uint64_t)most);

    return number(t, bits & 1 ? -1 - magnitude : magnitude);
}

/* The nearest number of the format. */
static double in_format(const struct task *t, double d)
{
    return t->is_float ? (double)(float)d : d;
}

static double medium(struct task *t)
{
    double d = exp2(unit(t) * 32 - 20);

    if (draw(t) % 8 == 0)
        d = floor(d * 2) / 2;
    return in_format(t, draw(t) & 1 ? -d : d);
}

/* Special points: between two numbers that follow each other the function
 * changes its class. */
enum class {
    CLASS_NAN,
    CLASS_LOW,
    CLASS_NEGATIVE,
    CLASS_TINY,
    CLASS_POSITIVE,
    CLASS_HIGH
};

static enum class class_at(struct task *t, const double *before, double at) {
    double x[MOST_ARGUMENTS]; long e;

    memcpy(x, before, sizeof x);
    x[t->count - 1] = at;
    exact_of(t, x);
    if (mpfr_nan_p(t->exact)) return CLASS_NAN;
    if (mpfr_zero_p(t->exact)) return CLASS_TINY;
    e = mpfr_inf_p(t->exact) ? t->format->most + 1 : mpfr_get_exp(t->exact);
    if (e < t->format->least) return CLASS_TINY;
    if (mpfr_signbit(t->exact)) return e > t->format->most ? CLASS_LOW
                                                           : CLASS_NEGATIVE;
    return e > t->format->most ? CLASS_HIGH : CLASS_POSITIVE;
}

struct points {
    size_t count;
    int64_t at[MOST_SPECIAL];
};
/* Of functions with an order those of each order, from the least one on. */
enum { ORDER_LEAST = -2, ORDERS = 9 };
static struct points points_of[ORDERS], *special = points_of;

static void bisect(struct task *t, const double *before, int64_t low,
                   int64_t high)
{
    enum class a = class_at(t, before, number(t, low));

    if (a == class_at(t, before, number(t, high)))
        return;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (class_at(t, before, number(t, middle)) == a)
            low = middle;
        else
            high = middle;
    }
    if (special->count < MOST_SPECIAL)
        special->at[special->count++] = low;
}

static int by_rank(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Looks between the points of a grid: all exponents, whole and half numbers,
 * what lies just beside these. */
static void find_special(struct task *t, const double *before)
{
    enum { GRID = 6000 };
    int64_t grid[GRID];
    size_t n = 0;
    int step = t->coarse ? 10 : 1;

    for (int i = -1000; i <= 1000; i += step) {
        int64_t most = infinite(t) - 1;
        grid[n++] = i < 0 ? -1 + most / 1000 * i : most / 1000 * i;
        grid[n++] = rank(t, in_format(t, i * 0.25));
    }
    for (int i = -200; i <= 200; i += step)
        for (int side = -1; side <= 1; side += 2)
            grid[n++] = rank(t, in_format(t, i * 0.9 * (1 + side * 1e-5)));
    qsort(grid, n, sizeof *grid, by_rank);
    for (size_t i = 0; i + 1 < n; i++)
        bisect(t, before, grid[i], grid[i + 1]);
    for (int i = -2; i <= 2; i++)
        special->at[special->count++] = rank(t, i * 0.5);
}

/* Of one number next to a special point, at all distances up to 2^40 numbers.
 */
static double beside(struct task *t)
{
    int64_t at = special->at[draw(t) % special->count], most = infinite(t) - 1;
    int64_t by = (int64_t)(draw(t) >> (24 + draw(t) % 40));

    if (t->is_float)
        by &= 0x1fffff;
    at += draw(t) & 1 ? by : -by;
    return number(t, at > most ? most : at < -1 - most ? -1 - most : at);
}

static void draw_one(struct task *t, double *x)
{
    uint64_t how = draw(t) % 4;

    x[0] = how == 0 ? any_bits(t) : how == 1 ? medium(t) : beside(t);
}

static void draw_two(struct task *t, double *x)
{
    uint64_t how = draw(t) % 4;

    x[0] = how < 2 ? any_bits(t) : medium(t);
    x[1] = how % 2 ? any_bits(t) : in_format(t, x[0] * exp2(unit(t) * 20 - 10));
    if (draw(t) % 2)
        x[1] = -x[1];
}

/* log2 of the result is any number that the format has and some more; x is
 * anything, or next to 1. */
static void draw_power(struct task *t, double *x)
{
    double most = t->is_float ? 150 : 1080, goal;
    uint64_t how = draw(t) % 8;

    x[0] = how < 3 ? fabs(any_bits(t)) : how < 5 ? fabs(medium(t)) : 0;
    if (how >= 5)
        x[0] = number(t, rank(t, 1) +
                             (int64_t)(draw(t) >> (t->is_float ? 40 : 12) >>
                                       draw(t) % 50) *
                                 (draw(t) & 1 ? 1 : -1));
    goal = draw(t) % 2 ? (unit(t) * 2 - 1) * most
                       : most * exp2(-60 * unit(t)) * (draw(t) & 1 ? 1 : -1);
    x[1] = in_format(t, how == 2 ? any_bits(t) : goal / log2(x[0]));
    if (draw(t) % 8 == 0) {
        x[0] = -x[0];
        x[1] = rint(x[1]);
    }
}

/* Small orders with any numbers, in runs of one order, as special points are
 * those of an order, and are found once for each; and orders up to 100 with
 * numbers near them. */
static void draw_order(struct task *t, double *x)
{
    static int order = 0;
    static unsigned left = 0;

    if (left-- == 0) {
        unsigned which = (unsigned)(draw(t) % ORDERS);
        order = (int)which + ORDER_LEAST;
        x[0] = order;
        special = &points_of[which];
        if (!special->count)
            find_special(t, x);
        left = 12500;
    }
    x[0] = order;
    if (draw(t) % 4) {
        draw_one(t, x + 1);
        return;
    }
    x[0] = (double)(draw(t) % 100);
    x[1] = in_format(t, (x[0] + 2) * exp2(unit(t) * 8 - 3));
}

static void draw_three(struct task *t, double *x)
{
    draw_two(t, x);
    x[2] = draw(t) % 2 ? any_bits(t)
                       : in_format(t, -x[0] * x[1] * (1 + unit(t) * 1e-6));
}

static void draw_arguments(struct task *t, double *x)
{
    switch (t->row->kind) {
    case KIND_ONE:
        draw_one(t, x);
        break;
    case KIND_TWO:
        draw_two(t, x);
        break;
    case KIND_POWER:
        draw_power(t, x);
        break;
    case KIND_ORDER:
        draw_order(t, x);
        break;
    case KIND_THREE:
        draw_three(t, x);
        break;
    }
}

static void put(const struct task *t, double d, FILE *to)
{
    float f = (float)d;

    if (t->is_float)
        fwrite(&f, sizeof f, 1, to);
    else
        fwrite(&d, sizeof d, 1, to);
}

int draw_all(struct task *t, long count, FILE *to)
{
    double x[MOST_ARGUMENTS] = {0};

    t->coarse = count < 10000;
    if (t->row->kind == KIND_ONE)
        find_special(t, x);
    for (long i = 0; i < count; i++) {
        draw_arguments(t, x);
        for (int j = 0; j < t->count; j++)
            put(t, x[j], to);
    }
    return fflush(to) != 0;
}
