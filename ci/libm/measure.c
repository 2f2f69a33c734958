/*
 * Errors of <math.h> in units of the last place, against MPFR.
 *
 *   measure names                    the functions, one a line
 *   measure draw NAME COUNT SEED     arguments for evaluate, to stdout
 *   measure same NAME RESULTS RESULTS
 *                                    are these the same bits, but for NaNs?
 *   measure compare NAME ARGUMENTS RESULTS...
 *                                    for each file of results a line: the
 *                                    largest error, the number of results of
 *                                    the wrong kind, where the error is largest
 *
 * An error is |result - exact| / u, where u is the distance of neighbouring
 * numbers of the format at the exact result; infinity counts as the number
 * after the largest. Wrong kind is a NaN in place of a number, or the reverse,
 * and an infinity or a zero of the wrong sign.
 */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int get(const struct task *t, double *d, FILE *from)
{
    float f = 0;
    int ok = t->is_float ? fread(&f, sizeof f, 1, from) == 1
                         : fread(d, sizeof *d, 1, from) == 1;

    if (t->is_float)
        *d = f;
    return ok;
}

/* The error, or -1 for a result of the wrong kind; t->exact is the right one.
 */
static double error_of(const struct task *t, double result)
{
    mpfr_t r;
    double error;
    long e;

    if (mpfr_nan_p(t->exact) || isnan(result))
        return mpfr_nan_p(t->exact) && isnan(result) ? 0 : -1;
    if (mpfr_inf_p(t->exact) && isinf(result))
        return mpfr_signbit(t->exact) == !!signbit(result) ? 0 : -1;
    if (result == 0 && mpfr_signbit(t->exact) != !!signbit(result))
        return -1;
    if (mpfr_inf_p(t->exact))
        return -1;
    mpfr_init2(r, 200);
    if (isinf(result))
        mpfr_set_si_2exp(r, result > 0 ? 1 : -1, t->format->most, MPFR_RNDN);
    else
        mpfr_set_d(r, result, MPFR_RNDN);
    e = mpfr_zero_p(t->exact) ? t->format->least : mpfr_get_exp(t->exact);
    if (isinf(result) && e > t->format->most) {
        mpfr_clear(r);
        return mpfr_signbit(t->exact) == !!signbit(result) ? 0 : -1;
    }
    e = e < t->format->least ? t->format->least : e;
    mpfr_sub(r, r, t->exact, MPFR_RNDN);
    mpfr_mul_2si(r, r, t->format->digits - e, MPFR_RNDN);
    error = fabs(mpfr_get_d(r, MPFR_RNDN));
    mpfr_clear(r);
    return error;
}

struct worst {
    double error, x[MOST_ARGUMENTS], wrong_x[MOST_ARGUMENTS];
    long wrong;
};

static void account(struct worst *w, double error, const double *x)
{
    if (error < 0) {
        if (!w->wrong++)
            memcpy(w->wrong_x, x, sizeof w->wrong_x);
    } else if (error > w->error) {
        w->error = error;
        memcpy(w->x, x, sizeof w->x);
    }
}

static void show_arguments(const struct task *t, const double *x)
{
    for (int i = 0; i < t->count; i++)
        printf(" %.*g", t->is_float ? 9 : 17, x[i]);
}

static void show(const struct task *t, const struct worst *w, long count)
{
    printf("%s%s %ld %.3f %ld", t->row->name, t->is_float ? "f" : "", count,
           w->error, w->wrong);
    show_arguments(t, w->x);
    if (w->wrong) {
        printf(" wrong:");
        show_arguments(t, w->wrong_x);
    }
    putchar('\n');
}

static int compare(struct task *t, char **names, int files)
{
    enum { MOST_FILES = 8 };
    FILE *in[MOST_FILES];
    struct worst worst[MOST_FILES] = {0};
    double x[MOST_ARGUMENTS] = {0}, result;
    long count = 0;

    for (int i = 0; i < files; i++)
        if (files > MOST_FILES || !(in[i] = fopen(names[i], "rb"))) {
            fprintf(stderr, "measure: %s: expected a file\n", names[i]);
            return 2;
        }
    for (;; count++) {
        for (int j = 0; j < t->count; j++)
            if (!get(t, &x[j], in[0]))
                goto end;
        exact_of(t, x);
        for (int i = 1; i < files; i++) {
            if (!get(t, &result, in[i])) {
                fprintf(stderr, "measure: %s: fewer results than arguments\n",
                        names[i]);
                return 1;
            }
            account(&worst[i], error_of(t, result), x);
        }
    }
end:
    for (int i = 1; i < files; i++)
        show(t, &worst[i], count);
    return 0;
}

static int same(const struct task *t, char **names)
{
    FILE *a = fopen(names[0], "rb"), *b = fopen(names[1], "rb");
    double x = 0, y = 0;
    int more;
    long i = 0;

    if (!a || !b) {
        fprintf(stderr, "measure: %s, %s: expected files\n", names[0],
                names[1]);
        return 2;
    }
    for (;; i++) {
        more = get(t, &x, a);
        if (more != get(t, &y, b) || !more)
            break;
        if (memcmp(&x, &y, sizeof x) && !(isnan(x) && isnan(y)))
            break;
    }
    fclose(a);
    fclose(b);
    if (more)
        printf("result %ld: %.17g is not %.17g\n", i, x, y);
    return more;
}

static void prepare(struct task *t)
{
    mpfr_set_emin(-40000);
    mpfr_set_emax(40000);
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        mpfr_init2(t->x[i], 53);
    mpfr_init2(t->exact, t->format->digits + 50);
}

int main(int argc, char **argv)
{
    struct task task = {0};

    if (argc == 2 && !strcmp(argv[1], "names")) {
        show_names();
        return 0;
    }
    if (argc < 5) {
        fprintf(stderr, "measure: expected names, draw NAME COUNT SEED, "
                        "same NAME RESULTS RESULTS or "
                        "compare NAME ARGUMENTS RESULTS...\n");
        return 2;
    }
    if (!find(&task, argv[2]))
        return 2;
    prepare(&task);
    if (!strcmp(argv[1], "draw")) {
        task.state = strtoull(argv[4], NULL, 0);
        return draw_all(&task, atol(argv[3]), stdout);
    }
    if (!strcmp(argv[1], "same"))
        return same(&task, argv + 3);
    return compare(&task, argv + 3, argc - 3);
}
