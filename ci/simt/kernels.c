/*
 * Runs a kernel of simt-golden/kernels as a GPU does: what a member is, where
 * its group's memory lies and how members meet costs no accesses to memory, as
 * registers hold it. So what a run with the kernel counts beyond one without is
 * the kernel's own.
 *
 *     kernels with|count|without KERNEL GROUPS SIZE [ARGUMENT...]
 *
 * count: with it, wherever its arrays are. Arrays are written before, in the
 * order of the kernel's arguments, by all harts: what the L2 keeps of them the
 * kernel finds there. All groups that run first begin in the same cycle; others
 * follow where one has ended, in turn. Prints how many cycles passed until the
 * last member had ended with all of its accesses, of all launches.
 */
#include <corbel/abi.h>
#include <corbel/corbel.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ci/simt/golden compiles with -ffixed-s6 ... -ffixed-s11. */
register unsigned char *group_base __asm__("s6");
register long group_first __asm__("s7");
register unsigned char *group_free __asm__("s8");
register long group_tid __asm__("s9");
register long group_cta __asm__("s10");
register long group_ntid __asm__("s11");

int simt_tid(void);
int simt_cta(void);
int simt_ntid(void);
void simt_barrier(void);
void *simt_shared(unsigned slot, unsigned bytes);
inline __attribute__((always_inline)) int simt_tid(void)
{
    return (int)group_tid;
}
inline __attribute__((always_inline)) int simt_cta(void)
{
    return (int)group_cta;
}
inline __attribute__((always_inline)) int simt_ntid(void)
{
    return (int)group_ntid;
}
inline __attribute__((always_inline)) void simt_barrier(void)
{
    register long a0 __asm__("a0") = (long)group_base,
                     a1 __asm__("a1") = group_first,
                     a2 __asm__("a2") = group_ntid, a3 __asm__("a3") = 0,
                     a7 __asm__("a7") = CORBEL_SYS_BARRIER;
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a7)
                     : "memory");
}
inline __attribute__((always_inline)) void *simt_shared(unsigned slot,
                                                        unsigned bytes)
{
    void *at = group_free;
    group_free += bytes;
    return at;
}

#include "kern.c"
#include "micro.c"

enum { WORDS = 1 << 21, ARGUMENTS = 4, BARRIER = 128 };

static _Alignas(4096) int in[WORDS], other[WORDS], out[WORDS], unused[WORDS];
static volatile int argument[ARGUMENTS];
static volatile float number[2] = {0.99f, 0.5f};
static volatile int with;
static volatile uint32_t expected;
static uint32_t arrived, begin, first, last; /* cycles of 32 bits */
static volatile int groups;
static int size;

#define FLOATS(array) ((float *)(void *)(array))

/* name, bytes of group memory, call, words of in and other that it reads */
#define KERNELS(X)                                                             \
    X(vecadd, 0, (FLOATS(in), FLOATS(other), FLOATS(out), a0), a0, a0)         \
    X(hotspot, 1296, (FLOATS(in), FLOATS(other), FLOATS(out), a0, a0), a0 *a0, \
      a0 *a0)                                                                  \
    X(matmul, 2048, (FLOATS(in), FLOATS(other), FLOATS(out), a0), a0 *a0,      \
      a0 *a0)                                                                  \
    X(nn, 0, (FLOATS(in), FLOATS(out), a0, f0, f1), 2 * a0, 0)                 \
    X(pathfinder, 2048, (in, other, out, a0, a3, a2), a0 *a1, a0)              \
    X(reduce, 1024, (in, out, a0), a0, 0)                                      \
    X(transpose_naive, 0, (FLOATS(in), FLOATS(out), a0), a0 *a0, 0)            \
    X(backprop, 1088, (FLOATS(in), FLOATS(other), FLOATS(out), 16), a0,        \
      16 * a0)                                                                 \
    X(fma_dep, 0, (FLOATS(out), a0, f0, f1), 0, 0)                             \
    X(imad_dep, 0, (out, a0, a1, a2), 0, 0)                                    \
    X(alu_dep, 0, (out, a0, a1, a2), 0, 0)                                     \
    X(fma_ilp4, 0, (FLOATS(out), a0, f0, f1), 0, 0)                            \
    X(mix_ilp, 0, (out, a0, a1, f0), 0, 0)                                     \
    X(dfma_dep, 0, (FLOATS(out), a0, f0, f1), 0, 0)                            \
    X(rsqrt_dep, 0, (FLOATS(out), a0), 0, 0)                                   \
    X(sqrt_dep, 0, (FLOATS(out), a0), 0, 0)                                    \
    X(idiv_dep, 0, (out, a0, a1 + 3), 0, 0)                                    \
    X(div_loop, 0, (out, a0, a1, a2 + 5), 0, 0)                                \
    X(nest, 0, (out, a0, a1, a2 + 5), 0, 0)                                    \
    X(early, 0, (out, a0, a2 + 5), 0, 0)                                       \
    X(chase, 0, ((u32 *)out, (u32 *)in, a2, a3), a0, 0)                        \
    X(stride_ld, 0, (out, in, a0, a1, a2, (1 << a3) - 1), 1 << a3, 0)          \
    X(stride_st, 0, (out, a0, a1, a2, (1 << a3) - 1), 0, 0)                    \
    X(bcast_ld, 0, (out, in, a0), a0, 0)                                       \
    X(smem_ld, 8192, (out, a0, a1), 0, 0)                                      \
    X(barr, 0, (out, a0, a1 + 5), 0, 0)                                        \
    X(atom_add, 0, (out, other, a0 - 1, a1), 0, 1024)                          \
    X(occ8k, 8192, (out, a0, a1 + 5), 0, 0)                                    \
    X(occ32k, 32768, (out, a0, a1 + 5), 0, 0)

#define backprop backprop_fwd

/* ---- a member ---- */

static uint32_t cycle(void)
{
    unsigned long now;
    __asm__ volatile("rdcycle %0" : "=r"(now));
    return (uint32_t)now;
}

/* A group that is among the first waits for the others: its first member, for
 * all. Returns the cycle in which they begin. */
static uint32_t begin_with_others(void)
{
    enum { LEAD = 6000 };
    uint32_t when;
    if (__atomic_add_fetch(&arrived, 1, __ATOMIC_RELAXED) == expected)
        __atomic_fetch_or(&begin, (cycle() + LEAD) | 1, __ATOMIC_RELAXED);
    while (!(when = __atomic_fetch_or(&begin, 0, __ATOMIC_RELAXED)))
        for (unsigned i = 0, x = 1; i < 16; i++)
            __asm__ volatile("divu %0, %0, %0" : "+r"(x));
    return when;
}

/* What callers keep in these registers. */
struct kept {
    unsigned char *base, *free;
    long first, tid, cta, ntid;
};

/* In group memory: the cycle in which the group begins. */
static volatile uint32_t *when(void)
{
    return (volatile uint32_t *)(void *)(group_base + 64);
}

static void start(size_t bytes, struct kept *kept)
{
    *kept = (struct kept){group_base, group_free, group_first,
                          group_tid,  group_cta,  group_ntid};
    unsigned char *base = corbel_group_memory(BARRIER + bytes);
    group_tid = corbel_lane();
    group_cta = corbel_group();
    group_ntid = corbel_group_size();
    group_first = corbel_hart() - group_tid;
    group_base = base;
    group_free = base + BARRIER;
    if (group_tid == 0) {
        memset(base, 0, 8);
        *when() = begin_with_others();
    }
    corbel_group_sync();
}

static inline __attribute__((always_inline)) uint32_t wait(uint32_t begins)
{
    uint32_t now;
    do
        now = cycle();
    while ((int32_t)(begins - now) > 0);
    return now;
}

static void stop(const struct kept *kept, uint32_t began, uint32_t ended)
{
    if (group_tid == 0) {
        __asm__ volatile("amominu.w zero, %0, (%1)"
                         :
                         : "r"(began), "r"(&first)
                         : "memory");
        __asm__ volatile("amomaxu.w zero, %0, (%1)"
                         :
                         : "r"(ended), "r"(&last)
                         : "memory");
    }
    group_base = kept->base;
    group_free = kept->free;
    group_first = kept->first;
    group_tid = kept->tid;
    group_cta = kept->cta;
    group_ntid = kept->ntid;
}

#define X(name, bytes, call, ins, others)                                      \
    static void run_##name(void *nothing)                                      \
    {                                                                          \
        struct kept kept;                                                      \
        start(bytes, &kept);                                                   \
        const int a0 = argument[0], a1 = argument[1], a2 = argument[2],        \
                  a3 = argument[3];                                            \
        const float f0 = number[0], f1 = number[1];                            \
        (void)a0, (void)a1, (void)a2, (void)a3, (void)f0, (void)f1;            \
        const long goes = with, all = groups, step = expected;                 \
        const uint32_t began = wait(*when());                                  \
        uint32_t ended;                                                        \
        do {                                                                   \
            group_free = group_base + BARRIER;                                 \
            if (goes)                                                          \
                name call;                                                     \
            simt_barrier();                                                    \
            ended = cycle();                                                   \
            group_cta += step;                                                 \
        } while (group_cta < all);                                             \
        stop(&kept, began, ended);                                             \
    }                                                                          \
    static void words_##name(int *of_in, int *of_other)                        \
    {                                                                          \
        const int a0 = argument[0], a1 = argument[1], a2 = argument[2],        \
                  a3 = argument[3];                                            \
        (void)a0, (void)a1, (void)a2, (void)a3;                                \
        *of_in = ins;                                                          \
        *of_other = others;                                                    \
    }
KERNELS(X)
#undef X

static const struct {
    const char *name;
    size_t bytes;
    void (*run)(void *);
    void (*words)(int *of_in, int *of_other);
} kernels[] = {
#define X(name, bytes, call, ins, others)                                      \
    {#name, bytes, run_##name, words_##name},
    KERNELS(X)
#undef X
};

/* ---- arrays ---- */

/* Words of an array from `first` on; `ring`: of links, the step of each. */
struct part {
    int *array;
    unsigned first, end, words, ring;
};

static void write_part(void *arg)
{
    const struct part *p = arg;
    for (unsigned i = p->first + corbel_hart(); i < p->end; i += corbel_harts())
        p->array[i] = (int)(p->ring ? (i + p->ring) % p->words : (i & 0xff));
}

static void read_part(void *arg)
{
    const struct part *p = arg;
    for (unsigned i = p->first + corbel_hart(); i < p->end; i += corbel_harts())
        (void)((volatile int *)p->array)[i];
}

/* Part by part: harts do not keep in step. */
static void in_parts(void (*kernel)(void *), int *array, int words,
                     unsigned ring)
{
    enum { PART = 1 << 16 };
    struct part p = {.array = array, .words = (unsigned)words, .ring = ring};
    for (; p.first < p.words; p.first = p.end) {
        p.end = p.words - p.first < PART ? p.words : p.first + PART;
        corbel_launch(kernel, &p);
    }
}

/* The L2 has the arrays as copies from a host leave them: clean, the last ones
 * where there is no room for all. */
static void fill(int of_in, int of_other, unsigned ring, bool cleanly)
{
    in_parts(write_part, in, of_in, ring);
    in_parts(write_part, other, of_other, 0);
    if (!cleanly)
        return;
    in_parts(read_part, unused, WORDS, 0);
    in_parts(read_part, in, of_in, 0);
    in_parts(read_part, other, of_other, 0);
}

/* How many groups run at a time. */
static uint32_t at_a_time(size_t bytes)
{
    register long a0 __asm__("a0") = CORBEL_GROUPS_TEAMS,
                     a1 __asm__("a1") = size, a2 __asm__("a2") = (long)bytes,
                     a7 __asm__("a7") = CORBEL_SYS_GROUPS;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    const long teams = a0;
    a0 = CORBEL_GROUPS_HARTS;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
    const long harts = a0;
    return (uint32_t)teams * (corbel_harts() / (uint32_t)harts);
}

static void launch(unsigned k)
{
    size_t bytes = BARRIER + kernels[k].bytes;
    uint32_t most = at_a_time(bytes);
    expected = (uint32_t)groups < most ? (uint32_t)groups : most;
    arrived = begin = last = 0;
    first = UINT32_MAX;
    corbel_group_memory(bytes);
    corbel_launch_grid(kernels[k].run, NULL, expected, (unsigned)size);
}

/* pathfinder goes down its wall, hotspot goes on in time. */
static unsigned run(unsigned k, bool timed)
{
    unsigned cycles = 0;
    int launches = 1, of_in, of_other;
    bool links = !strcmp(kernels[k].name, "chase");
    if (!strcmp(kernels[k].name, "pathfinder"))
        launches = argument[1] / argument[2];
    else if (!strcmp(kernels[k].name, "hotspot"))
        launches = argument[1];
    kernels[k].words(&of_in, &of_other);
    fill(of_in, of_other, links ? (unsigned)argument[1] : 0, timed);
    corbel_roi_begin();
    for (int i = 0; i < launches; i++) {
        if (!strcmp(kernels[k].name, "pathfinder"))
            argument[3] = i * argument[2];
        launch(k);
        cycles += last - first;
    }
    corbel_roi_end();
    return cycles;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    with = strcmp(argv[1], "without") != 0;
    groups = atoi(argv[3]);
    size = atoi(argv[4]);
    for (int i = 5; i < argc && i - 5 < ARGUMENTS; i++)
        argument[i - 5] = atoi(argv[i]);
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (!strcmp(kernels[k].name, argv[2])) {
            unsigned cycles = run(k, !strcmp(argv[1], "with"));
            printf("cycles %u\n", cycles);
            return 0;
        }
    return 2;
}
