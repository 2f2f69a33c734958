/*
 * Does this program have the processors that it runs on to itself, and the part
 * of the last cache that it needs?
 *
 *     alone THREADS
 *
 * prints ns an addition and ns a line, of the slowest part.
 *
 * Each thread adds, on a processor of its own: additions that do not wait for
 * each other, as many at once as a core has units for. A processor of a virtual
 * machine may be one of two that share a core; while the other one has work,
 * which may be a neighbour's and is seen nowhere else, they take up to twice as
 * long. Then it walks through memory in random order, 4 MiB for all threads, as
 * much as a chip's state: neighbours may leave it no room in the cache.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHAINS 6
#define ROUNDS 4000000u /* of a part: 8 ms on a fast host */
#define PARTS 3
#define THREADS_MOST 64
#define LINES 65536u /* of all threads */

struct line {
    _Alignas(64) struct line *next;
};

struct thread {
    pthread_t thread;
    uint32_t lines;
    double addition, step; /* ns */
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void note(double *slowest, double ns)
{
    *slowest = ns > *slowest ? ns : *slowest;
}

/* No compiler may join or leave out what is done in between. */
#define KEEP(x) __asm__ volatile("" : "+r"(x))

static double add(void)
{
    uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
    double start = now_ns();
    for (unsigned i = 0; i < ROUNDS; i++) {
        a++, b++, c++, d++, e++, f++;
        KEEP(a);
        KEEP(b);
        KEEP(c);
        KEEP(d);
        KEEP(e);
        KEEP(f);
    }
    return (now_ns() - start) / ROUNDS / CHAINS;
}

/* All lines in a ring, of random order (Sattolo's shuffle). */
static void make_ring(struct line *lines, uint32_t count)
{
    uint64_t random = 88172645463325252u;
    for (uint32_t i = 0; i < count; i++)
        lines[i].next = &lines[i];
    for (uint32_t i = count - 1; i > 0; i--) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        struct line *other = &lines[random % i], *next = other->next;
        other->next = lines[i].next;
        lines[i].next = next;
    }
}

static double walk(struct line *lines, uint32_t count)
{
    struct line *at = lines;
    double start = now_ns();
    for (uint32_t i = 0; i < count; i++)
        at = at->next;
    KEEP(at);
    return (now_ns() - start) / count;
}

static void *run(void *argument)
{
    struct thread *t = argument;
    struct line *lines = aligned_alloc(sizeof *lines, t->lines * sizeof *lines);
    if (!lines)
        abort();
    for (unsigned i = 0; i < PARTS; i++)
        note(&t->addition, add());
    make_ring(lines, t->lines);
    walk(lines, t->lines); /* they come into the cache */
    for (unsigned i = 0; i < PARTS; i++)
        note(&t->step, walk(lines, t->lines));
    free(lines);
    return NULL;
}

int main(int argc, char **argv)
{
    unsigned count = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    struct thread threads[THREADS_MOST] = {0};
    double addition = 0, step = 0;
    if (count < 1 || count > THREADS_MOST) {
        fprintf(stderr, "usage: alone THREADS (1..%u)\n", THREADS_MOST);
        return 2;
    }
    for (unsigned i = 0; i < count; i++) {
        threads[i].lines = LINES / count;
        if (pthread_create(&threads[i].thread, NULL, run, &threads[i]))
            return 1;
    }
    for (unsigned i = 0; i < count; i++) {
        pthread_join(threads[i].thread, NULL);
        note(&addition, threads[i].addition);
        note(&step, threads[i].step);
    }
    printf("%.5f %.3f\n", addition, step);
    return 0;
}
