/*
 * How fast so many threads add at a time, each on a processor of its own.
 *
 *     adding THREADS     prints ns an addition, of the slowest part of 8 ms
 *
 * The additions do not wait for each other, so a core does as many at once as
 * it has units for. A processor of a virtual machine may be one of two that
 * share a core; while the other one has work, which may be a neighbour's and is
 * seen nowhere else, additions take up to twice as long.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHAINS 6
#define ROUNDS 4000000u /* of a part */
#define PARTS 3
#define THREADS_MOST 64

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* No compiler may join or leave out what is done in between. */
#define KEEP(x) __asm__ volatile("" : "+r"(x))

static double part(void)
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

static void *add(void *slowest)
{
    for (unsigned i = 0; i < PARTS; i++) {
        double ns = part();
        if (ns > *(double *)slowest)
            *(double *)slowest = ns;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    unsigned count = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    pthread_t threads[THREADS_MOST];
    double ns[THREADS_MOST] = {0}, slowest = 0;
    if (count < 1 || count > THREADS_MOST) {
        fprintf(stderr, "usage: adding THREADS (1..%u)\n", THREADS_MOST);
        return 2;
    }
    for (unsigned i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, add, &ns[i]))
            return 1;
    for (unsigned i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        slowest = ns[i] > slowest ? ns[i] : slowest;
    }
    printf("%.5f\n", slowest);
    return 0;
}
