/*
 * What kernels do by comparing and exchanging, in loops that retry, that leave
 * when a comparison fails, or that go elsewhere:
 *
 *   max, min, fmax   the extreme of COUNT numbers; most leave after a look
 *   add              COUNT times 1 to one word
 *   bounds           box of COUNT points: six floats in one sector
 *   zbuffer          the nearest of COUNT fragments, of 64 pixels
 *   lock             COUNT times 1 to a word under a lock taken by 0 -> 1
 *   try              the same, doing something else whenever it is taken
 *   hash             COUNT different keys into an open table, half of it free
 *   push             COUNT nodes on one stack
 *   stack            the same, and each is taken off again
 *
 *   patterns WAY COUNT [SALT]    work is drawn item by item; SALT: other
 * numbers
 *
 * The last line says what came of it; status 1: not what should have; 2: usage.
 */
#include <corbel/corbel.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 128
#define PIXELS 64u

/* Of a line each. */
static struct {
    _Alignas(LINE) _Atomic uint32_t most;
    _Alignas(LINE) _Atomic uint32_t least;
    _Alignas(LINE) _Atomic float fmost;
    _Alignas(LINE) _Atomic uint32_t sum;
    _Alignas(LINE) _Atomic uint32_t lock;
    _Alignas(LINE) volatile uint32_t guarded;
    _Alignas(LINE) _Atomic uint64_t head; /* node + 1, and a count of changes */
    _Alignas(LINE) _Atomic float box[6];
    _Alignas(LINE) _Atomic uint64_t pixels[PIXELS];
} s;
static _Atomic uint32_t *table, *next;
static uint32_t count, mask, salt;

static uint32_t random_of(uint32_t i)
{
    i = (i + salt) * 2654435761u;
    i ^= i >> 15;
    return (i * 2246822519u) >> 8;
}

static void max_of(uint32_t i)
{
    uint32_t mine = random_of(i);
    uint32_t old = atomic_load_explicit(&s.most, memory_order_relaxed);
    while (old < mine && !atomic_compare_exchange_weak(&s.most, &old, mine))
        ;
}

static void min_of(uint32_t i)
{
    uint32_t mine = random_of(i);
    uint32_t old = atomic_load_explicit(&s.least, memory_order_relaxed);
    while (old > mine && !atomic_compare_exchange_strong_explicit(
                             &s.least, &old, mine, memory_order_relaxed,
                             memory_order_relaxed))
        ;
}

static void float_max(_Atomic float *at, float mine)
{
    float old = atomic_load_explicit(at, memory_order_relaxed);
    while (old < mine && !atomic_compare_exchange_weak(at, &old, mine))
        ;
}

static void fmax_of(uint32_t i)
{
    float_max(&s.fmost, (float)random_of(i));
}

static void add(uint32_t i)
{
    (void)i;
    uint32_t old = atomic_load_explicit(&s.sum, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&s.sum, &old, old + 1))
        ;
}

/* The box of upper ends of x, y, z and -x, -y, -z. */
static void bound(uint32_t i)
{
    for (uint32_t axis = 0; axis < 6; axis++) {
        float x = (float)random_of(3 * i + axis % 3);
        float_max(&s.box[axis], axis < 3 ? x : 16777216.0f - x);
    }
}

/* Depth above the number of the fragment. */
static void fragment(uint32_t i)
{
    uint64_t mine = (uint64_t)random_of(i) << 32 | i;
    _Atomic uint64_t *at = &s.pixels[i % PIXELS];
    uint64_t old = atomic_load_explicit(at, memory_order_relaxed);
    while (old > mine && !atomic_compare_exchange_weak(at, &old, mine))
        ;
}

static void guard(void)
{
    s.guarded++;
    atomic_store_explicit(&s.lock, 0, memory_order_release);
}

static bool take_lock(void)
{
    uint32_t free = 0;
    return atomic_compare_exchange_strong_explicit(
        &s.lock, &free, 1, memory_order_acquire, memory_order_relaxed);
}

static void lock(uint32_t i)
{
    (void)i;
    while (!take_lock())
        ;
    guard();
}

static void try(uint32_t i)
{
    volatile uint32_t something = 0;
    (void)i;
    while (!take_lock())
        for (uint32_t n = 0; n < 50; n++)
            something += n;
    guard();
}

static void insert(uint32_t i)
{
    uint32_t key = i + 1, at = random_of(i);
    for (uint32_t none = 0;
         !atomic_compare_exchange_strong(&table[at & mask], &none, key);
         none = 0)
        at++;
}

static void push(uint32_t i)
{
    uint64_t old = atomic_load_explicit(&s.head, memory_order_relaxed);
    do
        atomic_store_explicit(&next[i], (uint32_t)old, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&s.head, &old,
                                         ((old >> 32) + 1) << 32 | (i + 1)));
}

static void push_and_pop(uint32_t i)
{
    push(i);
    uint64_t old = atomic_load_explicit(&s.head, memory_order_acquire);
    uint32_t below;
    do
        below = atomic_load_explicit(&next[(uint32_t)old - 1],
                                     memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&s.head, &old,
                                         ((old >> 32) + 1) << 32 | below));
    atomic_fetch_add_explicit(&s.sum, 1, memory_order_relaxed);
}

static const struct way {
    const char *name;
    void (*item)(uint32_t i);
} ways[] = {
    {"max", max_of},         {"min", min_of},
    {"fmax", fmax_of},       {"add", add},
    {"bounds", bound},       {"zbuffer", fragment},
    {"lock", lock},          {"try", try},
    {"hash", insert},        {"push", push},
    {"stack", push_and_pop},
};

static void kernel(void *way)
{
    void (*item)(uint32_t) = ((const struct way *)way)->item;
    for (uint32_t i; (i = corbel_next()) < count;)
        item(i);
}

/* ---- what should have come of it, one item after another ---- */

static uint32_t good_keys(void)
{
    uint32_t good = 0, key;
    for (uint32_t at = 0; at <= mask; at++)
        if ((key = table[at]))
            for (uint32_t i = random_of(key - 1); table[i & mask]; i++)
                if (table[i & mask] == key) {
                    good++;
                    break;
                }
    return good;
}

static uint32_t length(void)
{
    uint32_t n = 0;
    for (uint32_t at = (uint32_t)s.head; at; at = next[at - 1])
        n++;
    return n;
}

/* The shared words after all items have been done by one hart. */
static uint64_t digest(void)
{
    uint64_t d = s.most * 3 + s.least * 5 + (uint64_t)s.fmost * 7;
    for (uint32_t i = 0; i < 6; i++)
        d = d * 11 + (uint64_t)s.box[i];
    for (uint32_t i = 0; i < PIXELS; i++)
        d = d * 13 + s.pixels[i];
    return d;
}

static void begin(void)
{
    s.most = 0;
    s.least = UINT32_MAX;
    s.fmost = 0;
    for (uint32_t i = 0; i < 6; i++)
        s.box[i] = 0;
    for (uint32_t i = 0; i < PIXELS; i++)
        s.pixels[i] = UINT64_MAX;
}

static bool is(const char *name, const char *other)
{
    return !strcmp(name, other);
}

/* Of what the way leaves, how much is right: count, if all is. */
static uint32_t good(const struct way *w)
{
    if (is(w->name, "add"))
        return s.sum;
    if (is(w->name, "lock") || is(w->name, "try"))
        return s.guarded;
    if (is(w->name, "hash"))
        return good_keys();
    if (is(w->name, "push"))
        return length();
    if (is(w->name, "stack"))
        return length() ? 0 : s.sum;
    uint64_t got = digest();
    begin();
    for (uint32_t i = 0; i < count; i++)
        w->item(i);
    return got == digest() ? count : 0;
}

int main(int argc, char **argv)
{
    const struct way *w = ways, *end = ways + sizeof ways / sizeof *ways;
    while (w < end && !is(w->name, argc > 2 ? argv[1] : ""))
        w++;
    if (w == end)
        return 2;
    count = (uint32_t)atoi(argv[2]);
    salt = argc > 3 ? (uint32_t)atoi(argv[3]) << 20 : 0;
    for (mask = 1; mask < 2 * count; mask = 2 * mask + 1)
        ;
    table = calloc(mask + 1, sizeof *table);
    next = calloc(count, sizeof *next);
    begin();
    corbel_roi_begin();
    corbel_launch(kernel, (void *)(uintptr_t)w);
    corbel_roi_end();
    uint32_t n = good(w);
    printf("%s: %u of %u\n", w->name, (unsigned)n, (unsigned)count);
    return n != count;
}
