/*
 * Kernels of groups: programs of benchmark suites for GPUs, each written here
 * after its published description. A kernel's groups and members are those of
 * the original; its input is made by numbers that depend on the place alone.
 * Results are compared with a plain serial version bit by bit: members add up
 * in a fixed order, and where they race only the outcome that does not depend
 * on it is kept.
 */
#ifndef SAMPLES_GPU_H
#define SAMPLES_GPU_H

#include "../common/chunks.h"
#include "../common/numbers.h"
#include "../common/random.h"
#include "../common/results.h"

#include <corbel/corbel.h>
#include <corbel/math.h>
#include <stdlib.h>

enum { KERNELS = 8 }; /* of a benchmark, at most */

/* Launches of a kernel so far. */
struct kernel_count {
    const char *name;
    uint32_t launches, least, most, members; /* groups; members of a group */
};

struct gpu {
    const struct benchmark *benchmark;
    uint32_t size[NUMBERS];
    bool check, spoil;
    struct digest digest;
    bool wrong; /* the check has found a difference */
    struct kernel_count kernels[KERNELS];
};

struct benchmark {
    const char *name, *numbers, *what;
    uint32_t small[NUMBERS], source[NUMBERS], most[NUMBERS];
    /* What was expected instead of this size, NULL: it can be run. Itself NULL:
     * all sizes can. */
    const char *(*refuses)(const uint32_t size[NUMBERS]);
    void (*run)(struct gpu *gpu);
};

/* X(name), in the order of --help. */
#define BENCHMARKS(X)                                                          \
    X(gaussian)                                                                \
    X(hotspot)                                                                 \
    X(hybridsort)                                                              \
    X(lavamd)                                                                  \
    X(lud)                                                                     \
    X(myocyte)                                                                 \
    X(nn)                                                                      \
    X(nw)                                                                      \
    X(pathfinder)                                                              \
    X(srad)                                                                    \
    X(fdtd2d)                                                                  \
    X(syrk)                                                                    \
    X(mst)                                                                     \
    X(sssp)                                                                    \
    X(conv)                                                                    \
    X(gemm)                                                                    \
    X(rnn)                                                                     \
    X(cut_1)                                                                   \
    X(cut_2)

#define X(name) extern const struct benchmark name;
BENCHMARKS(X)
#undef X

/* An array of 0s; exit status 1 where there is no room. */
void *gpu_array(size_t count, size_t size);
#define ARRAY(type, count) ((type *)gpu_array(count, sizeof(type)))

/* A launch of a kernel whose groups have `bytes` of group memory each. */
void gpu_launch(struct gpu *gpu, const char *name, void (*kernel)(void *),
                void *arg, uint32_t groups, uint32_t members, size_t bytes);

/* Around the launches of a benchmark: the region of interest. */
void gpu_begin(struct gpu *gpu);
void gpu_end(struct gpu *gpu);

void gpu_digest(struct gpu *gpu, const void *words, uint32_t count);
void gpu_compare(struct gpu *gpu, const char *what, const void *words,
                 const void *expected, uint32_t count);

/* The member's number in the launch. */
static inline uint32_t member_index(void)
{
    return corbel_group() * corbel_group_size() + corbel_lane();
}

/* Keeps the smaller one; true: it is new. */
static inline bool keep_least(uint32_t *place, uint32_t value)
{
    uint32_t old = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (value < old)
        if (__atomic_compare_exchange_n(place, &old, value, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
    return false;
}

/* e^x */
static inline float power_of_e(float x)
{
    return corbel_exp2(x * 1.44269504f);
}

#endif
