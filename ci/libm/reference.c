/*
 * The functions that are measured, as MPFR has them.
 */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#define CALLS_ONE(name, of)                                                    \
    static int call_##name(mpfr_t r, mpfr_t *x)                                \
    {                                                                          \
        return of(r, x[0], MPFR_RNDN);                                         \
    }
#define CALLS_TWO(name, of)                                                    \
    static int call_##name(mpfr_t r, mpfr_t *x)                                \
    {                                                                          \
        return of(r, x[0], x[1], MPFR_RNDN);                                   \
    }
#define CALLS_THREE(name, of)                                                  \
    static int call_##name(mpfr_t r, mpfr_t *x)                                \
    {                                                                          \
        return of(r, x[0], x[1], x[2], MPFR_RNDN);                             \
    }

static int reference_lgamma(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
    int sign;

    return mpfr_lgamma(r, &sign, x, rounding);
}

typedef int of_one(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding);
typedef int of_order(mpfr_t r, long n, const mpfr_t x, mpfr_rnd_t rounding);

/* The function of order n, from those of orders 0 and 1; n is below x. */
static int by_recurrence(mpfr_t r, long n, const mpfr_t x, of_one *zero,
                         of_one *one)
{
    enum { BITS = 400 };
    mpfr_t f[2], t;
    long size = labs(n);

    mpfr_inits2(BITS, f[0], f[1], t, (mpfr_ptr)0);
    zero(f[0], x, MPFR_RNDN);
    one(f[1], x, MPFR_RNDN);
    for (long i = 1; i < size; i++) {
        mpfr_mul_si(t, f[i & 1], 2 * i, MPFR_RNDN);
        mpfr_div(t, t, x, MPFR_RNDN);
        mpfr_sub(f[~i & 1], t, f[~i & 1], MPFR_RNDN);
    }
    mpfr_set(r, f[size & 1], MPFR_RNDN);
    if (n < 0 && size % 2)
        mpfr_neg(r, r, MPFR_RNDN);
    mpfr_clears(f[0], f[1], t, (mpfr_ptr)0);
    return 0;
}

/* MPFR's own functions of an order take for ever at large numbers. */
static int of_any_order(mpfr_t r, const mpfr_t n, const mpfr_t x, of_order *of,
                        of_one *zero, of_one *one)
{
    if (mpfr_number_p(x) && mpfr_cmpabs(x, n) > 0 && mpfr_get_exp(x) > 8)
        return by_recurrence(r, mpfr_get_si(n, MPFR_RNDN), x, zero, one);
    return of(r, mpfr_get_si(n, MPFR_RNDN), x, MPFR_RNDN);
}

static int reference_jn(mpfr_t r, const mpfr_t n, const mpfr_t x,
                        mpfr_rnd_t rounding)
{
    (void)rounding;
    return of_any_order(r, n, x, mpfr_jn, mpfr_j0, mpfr_j1);
}

static int reference_yn(mpfr_t r, const mpfr_t n, const mpfr_t x,
                        mpfr_rnd_t rounding)
{
    (void)rounding;
    return of_any_order(r, n, x, mpfr_yn, mpfr_y0, mpfr_y1);
}

#define mpfr_rint mpfr_rint_of /* to nearest, ties to even */
static int mpfr_rint_of(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
    return mpfr_rint_roundeven(r, x, rounding);
}

#define ONE(name, of) CALLS_ONE(name, of)
#define TWO(name, of, near) CALLS_TWO(name, of)
#define ORDER(name, of) CALLS_TWO(name, of)
#define THREE(name, of) CALLS_THREE(name, of)
#include "functions.def"
#undef ONE
#undef TWO
#undef ORDER
#undef THREE

static const int arguments_of[] = {1, 2, 2, 3, 2};

#define NEAR_ANY KIND_TWO
#define NEAR_POWER KIND_POWER
#define ONE(name, of) {#name, KIND_ONE, call_##name},
#define TWO(name, of, near) {#name, near, call_##name},
#define ORDER(name, of) {#name, KIND_ORDER, call_##name},
#define THREE(name, of) {#name, KIND_THREE, call_##name},
static const struct row rows[] = {
#include "functions.def"
};

static const struct format formats[] = {{53, -1021, 1024}, {24, -125, 128}};

double exact_of(struct task *t, const double *x)
{
    for (int i = 0; i < t->count; i++)
        mpfr_set_d(t->x[i], x[i], MPFR_RNDN);
    t->row->of(t->exact, t->x);
    return mpfr_get_d(t->exact, MPFR_RNDN);
}

int find(struct task *t, const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].name);
        if (strncmp(rows[i].name, name, n) ||
            (name[n] && strcmp(name + n, "f")))
            continue;
        t->row = &rows[i];
        t->is_float = name[n] == 'f';
        t->format = &formats[t->is_float];
        t->count = arguments_of[rows[i].kind];
        return 1;
    }
    fprintf(stderr, "measure: %s: expected one of `measure names`\n", name);
    return 0;
}

void show_names(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("%s\n%sf\n", rows[i].name, rows[i].name);
}
