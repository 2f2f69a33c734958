/*
 * evaluate NAME: applies a function of <math.h> to the arguments on stdin, as
 * measure draws them, and writes the results to stdout; both as they lie in
 * memory, floats where NAME ends in f. The same program is built for the
 * target, and natively with each of two libraries.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1024 };

union function {
    double (*one)(double);
    double (*two)(double, double);
    double (*order)(int, double);
    double (*three)(double, double, double);
    float (*one_f)(float);
    float (*two_f)(float, float);
    float (*order_f)(int, float);
    float (*three_f)(float, float, float);
};

enum kind { KIND_ONE, KIND_TWO, KIND_ORDER, KIND_THREE };

// clang-format off
#define ROWS(kind, field, name)         \
    {#name, kind, 0, {.field = name}},  \
    {#name "f", kind, 1, {.field##_f = name##f}},
// clang-format on
#define ONE(name, reference) ROWS(KIND_ONE, one, name)
#define TWO(name, reference, near) ROWS(KIND_TWO, two, name)
#define ORDER(name, reference) ROWS(KIND_ORDER, order, name)
#define THREE(name, reference) ROWS(KIND_THREE, three, name)
static const struct row {
    const char *name;
    enum kind kind;
    int is_float;
    union function of;
} rows[] = {
#include "functions.def"
};

static const int arguments_of[] = {1, 2, 2, 3};

static double apply(const struct row *row, const double *x)
{
    switch (row->kind) {
    case KIND_ONE:
        return row->of.one(x[0]);
    case KIND_TWO:
        return row->of.two(x[0], x[1]);
    case KIND_ORDER:
        return row->of.order((int)x[0], x[1]);
    default:
        return row->of.three(x[0], x[1], x[2]);
    }
}

static float apply_f(const struct row *row, const float *x)
{
    switch (row->kind) {
    case KIND_ONE:
        return row->of.one_f(x[0]);
    case KIND_TWO:
        return row->of.two_f(x[0], x[1]);
    case KIND_ORDER:
        return row->of.order_f((int)x[0], x[1]);
    default:
        return row->of.three_f(x[0], x[1], x[2]);
    }
}

static int evaluate(const struct row *row)
{
    static double in[BLOCK * 3], out[BLOCK];
    static float in_f[BLOCK * 3], out_f[BLOCK];
    size_t count = (size_t)arguments_of[row->kind], n;
    size_t size = row->is_float ? sizeof *in_f : sizeof *in;
    void *from = row->is_float ? (void *)in_f : (void *)in;
    const void *to = row->is_float ? (const void *)out_f : (const void *)out;

    while ((n = fread(from, size * count, BLOCK, stdin)) > 0) {
        for (size_t i = 0; i < n; i++)
            if (row->is_float)
                out_f[i] = apply_f(row, in_f + count * i);
            else
                out[i] = apply(row, in + count * i);
        if (fwrite(to, size, n, stdout) != n)
            return 1;
    }
    return fflush(stdout) != 0;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, argv[1]))
            return evaluate(&rows[i]);
    fprintf(stderr, "evaluate: expected a function's name\n");
    return 2;
}
