/*
 * What the parts of measure share: the functions, the two formats, and the one
 * that is asked for.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST_ARGUMENTS = 3 };

typedef int reference(mpfr_t result, mpfr_t *x);

enum kind { KIND_ONE, KIND_TWO, KIND_ORDER, KIND_THREE, KIND_POWER };

/* A row of functions.def. */
struct row {
    const char *name;
    enum kind kind;
    reference *of;
};

struct format {
    int digits;       /* of the significand */
    long least, most; /* exponents, as MPFR counts them, of normal numbers */
};

/* What is asked for: a function in one of the two formats. */
struct task {
    const struct row *row;
    const struct format *format;
    int is_float, count, coarse; /* coarse: few special points are looked for */
    mpfr_t x[MOST_ARGUMENTS], exact;
    uint64_t state; /* of the generator */
};

/* reference.c: says so on stderr where there is no such function */
int find(struct task *t, const char *name);
void show_names(void);
/* The exact result as a double; with more digits it is in t->exact. */
double exact_of(struct task *t, const double *x);

/* draw.c: arguments of the function to a file */
int draw_all(struct task *t, long count, FILE *to);

#endif
