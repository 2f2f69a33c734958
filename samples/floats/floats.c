/*
 * What exact flags and roundings cost: a body of no weight falls around two
 * heavy ones, in binary32. Each result depends on the one before, and on every
 * rounding on the way: the checksum differs from mode to mode, but natively
 * and on the target it is the same.
 *
 * How flags are treated after each operation:
 *
 *   keep    not at all, as programs do
 *   clear   cleared by fsflags: the next inexact result raises one again
 *   set     inexact is raised by fsflags: as many instructions as clear
 *
 * Natively flags are left alone; they have no influence on results.
 */
#include "../common/rounds.h"
#include "../common/say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef __riscv
#include <fenv.h>
#endif

enum { ROUNDS = 1000, STEPS = 100 };

enum rounding { NEAR, ZERO, DOWN, UP, ROUNDINGS };
enum flags { KEEP, CLEAR, SET, FLAG_WAYS };

static const char *const rounding_names[] = {"near", "zero", "down", "up"};
static const char *const flag_names[] = {"keep", "clear", "set"};

struct way {
    enum rounding rounding;
    enum flags flags;
};

struct body {
    float x, y, vx, vy;
};

/* To this hart; enum rounding has the values of the register frm. */
static void set_rounding(enum rounding rounding)
{
#ifdef __riscv
    __asm__ volatile("fsrm %0" ::"r"(rounding) : "memory");
#else
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                FE_UPWARD};
    fesetround(modes[rounding]);
#endif
}

/* After an operation: x is computed before, what uses it after. */
static inline __attribute__((always_inline)) float after(enum flags flags,
                                                         float x)
{
#ifdef __riscv
    if (flags == CLEAR)
        __asm__ volatile("fsflags zero" : "+f"(x));
    else if (flags == SET)
        __asm__ volatile("fsflagsi 1" : "+f"(x));
#endif
    return x;
}

/* What a centre at (cx, cy) adds to the speed in a time dt. */
static inline __attribute__((always_inline)) void
pull(enum flags flags, struct body *b, float cx, float cy, float dt)
{
#define OP(x) after(flags, x)
    float dx = OP(cx - b->x), dy = OP(cy - b->y);
    float square = OP(fmaf(dy, dy, OP(dx * dx)));
    square = OP(square + 0.01f); /* softened: no body comes too close */
    float cube = OP(square * OP(sqrtf(square)));
    float strength = OP(dt / cube);
    b->vx = OP(fmaf(strength, dx, b->vx));
    b->vy = OP(fmaf(strength, dy, b->vy));
}

static inline __attribute__((always_inline)) void fall(enum flags flags,
                                                       struct body *b)
{
    const float dt = 0.003f;
    for (int i = 0; i < STEPS; i++) {
        pull(flags, b, -0.7f, 0.1f, dt);
        pull(flags, b, 0.7f, -0.1f, dt);
        b->x = OP(fmaf(dt, b->vx, b->x));
        b->y = OP(fmaf(dt, b->vy, b->y));
    }
#undef OP
}

static __attribute__((noinline)) void fall_keep(struct body *b)
{
    fall(KEEP, b);
}

static __attribute__((noinline)) void fall_clear(struct body *b)
{
    fall(CLEAR, b);
}

static __attribute__((noinline)) void fall_set(struct body *b)
{
    fall(SET, b);
}

static uint32_t bits(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static uint32_t one_round(uint32_t round, enum flags flags)
{
    uint32_t seed = round;
    struct body b = {
        .x = (float)(rounds_random(&seed) % 256) * 0x1p-7f - 1,
        .y = (float)(rounds_random(&seed) % 256) * 0x1p-7f + 0.5f,
        .vx = 0.5f,
    };
    if (flags == CLEAR)
        fall_clear(&b);
    else if (flags == SET)
        fall_set(&b);
    else
        fall_keep(&b);
    return rounds_mix(bits(b.x), bits(b.y));
}

static void kernel(void *arg)
{
    struct rounds *rounds = arg;
    const struct way way = *(const struct way *)rounds->kernel_arg;
    uint32_t sum = 0;
    set_rounding(way.rounding);
    for (uint32_t i; (i = corbel_next()) < rounds->count;)
        sum += one_round(i, way.flags);
    set_rounding(NEAR);
    rounds_add(rounds, sum);
}

/* The number of the name, or ends the program. */
static unsigned choose(const char *name, const char *const *names,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return i;
    say("floats",
        "%s: expected near, zero, down or up, then keep, clear or set", name);
    exit(2);
}

int main(int argc, char **argv)
{
    struct way way = {NEAR, KEEP};
    struct rounds rounds = {.program = "floats",
                            .count = ROUNDS,
                            .state_size = 1,
                            .kernel_arg = &way};
    rounds_parse(&rounds, argc, argv, "floats [ROUNDS [ROUNDING [FLAGS]]]");
    if (argc > 2)
        way.rounding = choose(argv[2], rounding_names, ROUNDINGS);
    if (argc > 3)
        way.flags = choose(argv[3], flag_names, FLAG_WAYS);
    return rounds_run(&rounds, kernel);
}
