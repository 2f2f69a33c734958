/*
 * What each hart has of its own: thread-local variables and the C library's
 * state. Natively and on the target this prints the same.
 */
#include "state.h"

#include <corbel/corbel.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HARTS_MAX = 2048, DRAWS = 512 };

static _Thread_local int seven = 7, zero;
static _Thread_local _Alignas(128) char aligned[3];
static __thread const char *text = "first";

static atomic_uint wrong, steps;
static int drawn[HARTS_MAX][DRAWS];

static void check(int right, const char *what)
{
    if (right || atomic_fetch_add(&wrong, 1) > 0)
        return;
    printf("wrong on hart %u: %s\n", corbel_hart(), what);
}

/* Until all harts have come. */
static void together(void)
{
    unsigned step = atomic_fetch_add(&steps, 1) / corbel_harts() + 1;
    while (atomic_load(&steps) < step * corbel_harts())
        ;
}

static void first(void *unused)
{
    int hart = (int)corbel_hart();

    check(seven == 7 && zero == 0 && !strcmp(text, "first"), "first values");
    check((uintptr_t)aligned % 128 == 0, "alignment");
    check(state_elsewhere == 11, "of another file");
    together();
    seven += hart;
    zero = -hart;
    text = hart % 2 ? "odd" : "even";
    state_elsewhere += hart;
    aligned[2] = (char)hart;
    together();
    check(seven == 7 + hart && zero == -hart, "what was stored");
    check(*state_address() == 11 + hart, "address from another file");
}

static void second(void *unused)
{
    int hart = (int)corbel_hart();

    check(seven == 7 + hart && zero == -hart && aligned[2] == (char)hart,
          "what the kernel before has stored");
    check(!strcmp(text, hart % 2 ? "odd" : "even"), "pointer");
}

/* From each of the generators in turn. Two threads that call the host's
 * lrand48 at once may get one number: natively getentropy stands for it. */
static int draw(int i)
{
    int bits;

    if (i % 3 == 0)
        return rand();
#ifdef __riscv
    if (i % 3 == 1)
        return (int)lrand48();
#endif
    return getentropy(&bits, sizeof bits) ? 0 : bits;
}

static void library(void *unused)
{
    int hart = (int)corbel_hart();
    char number[40];

    errno = 1000 + hart;
    together();
    check(errno == 1000 + hart, "errno");
    snprintf(number, sizeof number, "%.17g %f", 1.1 + hart, hart / 3.0);
    check(strtod(number, NULL) == 1.1 + hart, "snprintf and strtod of doubles");
    for (int i = 0; i < DRAWS; i++)
        drawn[hart][i] = draw(i);
    errno = 0;
    strtol("99999999999999999999999", NULL, 10);
    check(errno == ERANGE, "errno of strtol");
}

#ifdef __riscv
/* What the C library of the host has once for all threads. */
static void buffers(void *unused)
{
    time_t then = 86400 * (time_t)corbel_hart();
    char wanted[26], words[40];

    asctime_r(gmtime(&then), wanted);
    char *got = asctime(gmtime(&then));
    snprintf(words, sizeof words, "a,%s,c", wanted);
    strtok(words, ",");
    together();
    check(!strcmp(got, wanted), "asctime");
    check(!strcmp(strtok(NULL, ","), wanted), "strtok");
}
#endif

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static unsigned distinct(int *values, size_t n)
{
    unsigned found = n > 0;

    qsort(values, n, sizeof *values, ascending);
    for (size_t i = 1; i < n; i++)
        found += values[i] != values[i - 1];
    return found;
}

int main(void)
{
    unsigned harts = corbel_harts(), draws = harts * DRAWS;

    corbel_launch(first, NULL);
    corbel_launch(second, NULL);
    corbel_launch(library, NULL);
#ifdef __riscv
    corbel_launch(buffers, NULL);
#endif
    unsigned twice = draws - distinct(*drawn, draws);
    printf("%u wrong; rand: %s; main's seven is %d\n", (unsigned)wrong,
           twice * 1000 < draws ? "own numbers" : "the same numbers", seven);
    return wrong > 0;
}
