/*
 * Latency. A chain of accesses of which each needs the one before it takes, on
 * an in-order core, exactly the sum of their load-to-use latencies: from the
 * cycle in which a load issues to that of the first instruction that uses it.
 */
#include "microbench.h"

/* WARM: loads at least before measuring. By then the other harts of the L1
 * have left the kernel, each of which makes it drop its copies. */
enum { UNROLL = 8, WARM = 2048 };

/* ---- timing ---- */

#ifdef __riscv
/*
 * datum = what count accesses in a row make of it, when = from the cycle in
 * which the first one issues to that in which the last one's result is used. In
 * assembler, so that nothing stands between the two readings of the counter
 * but what hides behind the accesses, and the move, which waits for the
 * last one: the first access issues a cycle after the reading before it, the
 * move a cycle before the reading after it.
 */
#define ACCESSES(repeat, insn, place, datum, count, when)                      \
    do {                                                                       \
        word begin_, end_, used_, left_ = (word)(count) / (repeat);            \
        __asm__ volatile(                                                      \
            "rdcycle %[begin]\n"                                               \
            "1:\n\t"                                                           \
            ".rept " #repeat "\n\t" insn "\n\t.endr\n\t"                       \
            "addi %[left], %[left], -1\n\t"                                    \
            "bnez %[left], 1b\n\t"                                             \
            "mv %[used], %[value]\n\t"                                         \
            "rdcycle %[end]"                                                   \
            : [value] "+r"(datum), [left] "+r"(left_), [begin] "=&r"(begin_),  \
              [used] "=&r"(used_), [end] "=&r"(end_)                           \
            : [at] "r"(place)                                                  \
            : "memory");                                                       \
        (when) = (struct span){begin_ + 1, end_ - 1};                          \
    } while (0)

#if __riscv_xlen == 64
#define LOAD "ld %[value], 0(%[value])"
#else
#define LOAD "lw %[value], 0(%[value])"
#endif
#define LOADS(repeat, datum, count, when)                                      \
    ACCESSES(repeat, LOAD, 0, datum, count, when)
#define ADDITIONS(repeat, sum, datum, count, when)                             \
    ACCESSES(repeat, "amoadd.w %[value], %[value], (%[at])", sum, datum,       \
             count, when)
#else
#define ACCESSES(expression, datum, count, when)                               \
    do {                                                                       \
        uint64_t begin_ = corbel_cycles();                                     \
        for (uint64_t i_ = 0; i_ < (count); i_++)                              \
            (datum) = (expression);                                            \
        (when) = (struct span){begin_, corbel_cycles()};                       \
    } while (0)
#define LOADS(repeat, datum, count, when)                                      \
    ACCESSES(*(void *volatile *)(datum), datum, count, when)
#define ADDITIONS(repeat, sum, datum, count, when)                             \
    ACCESSES(atomic_fetch_add(sum, datum), datum, count, when)
#endif

static void note(struct extremes *e, const struct span *span)
{
    word cycles = (word)(span->end - span->begin);
    if (cycles < e->shortest)
        e->shortest = cycles;
    if (cycles > e->longest)
        e->longest = cycles;
}

/* ---- loads ---- */

/* The least power of two >= n. */
static uint32_t power_above(uint32_t n)
{
    uint32_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

/*
 * The node after node i of n. Scattered: a linear congruential generator
 * whose period is a power of two (Hull and Dobell: odd increment, multiplier 1
 * modulo 4), so that it visits each number once; those from n on are skipped.
 */
static uint32_t next_node(const struct job *job, uint32_t i, uint32_t n,
                          uint32_t power)
{
    if (!job->shuffled)
        return i + 1 == n ? 0 : i + 1;
    do
        i = (i * 0x9e3779b5u + 0x3c6ef373u) & (power - 1);
    while (i >= n);
    return i;
}

void chase_prepare(struct job *job)
{
    uint32_t n = (uint32_t)(job->bytes / job->stride), power = power_above(n);
    for (uint32_t i = corbel_hart(); i < n; i += corbel_harts()) {
        uint32_t next = next_node(job, i, n, power);
        *(void **)(job->memory + i * job->stride) =
            job->memory + next * job->stride;
    }
}

/* Warms up, measures the chain as a whole, then each load by itself. */
void chase_measure(struct job *job)
{
    uint64_t n = job->bytes / job->stride;
    uint64_t warm = n < WARM ? WARM : (n + UNROLL - 1) / UNROLL * UNROLL;
    void *p = job->memory;
    struct extremes extremes = {UINT32_MAX, 0};
    struct span all, span;
    uint64_t count = job->count; /* the job may leave the caches */
    if (corbel_hart())
        return;
    LOADS(8, p, warm, span);
    LOADS(8, p, count, all);
    for (uint64_t i = 0; i < count; i++) {
        LOADS(1, p, 1, span);
        note(&extremes, &span);
    }
    job->spans[0] = all;
    job->extremes = extremes;
    /* To the end of a round: the chain must be a circle of n nodes. */
    for (uint64_t at = (warm + 2 * count) % n; at && at < n; at++)
        p = *(void **)p;
    if (p != job->memory)
        atomic_fetch_add(&job->wrong, 1);
}

/* ---- atomics ---- */

/* Each adds what the one before has found: 1, 0 and on by Fibonacci. */
void chain_measure(struct job *job)
{
    _Atomic uint32_t *sum = (_Atomic uint32_t *)job->memory;
    uint32_t found = 0;
    struct extremes extremes = {UINT32_MAX, 0};
    struct span all, span;
    uint64_t count = job->count; /* the job may leave the caches */
    if (corbel_hart())
        return;
    atomic_store_explicit(sum, 1, memory_order_relaxed);
    ADDITIONS(8, sum, found, UNROLL, span);
    ADDITIONS(8, sum, found, count, all);
    for (uint64_t i = 0; i < count; i++) {
        ADDITIONS(1, sum, found, 1, span);
        note(&extremes, &span);
    }
    job->spans[0] = all;
    job->extremes = extremes;
}

bool chain_check(const struct job *job)
{
    uint32_t sum = 1, found = 0;
    for (uint64_t i = 0; i < UNROLL + 2 * job->count; i++) {
        uint32_t before = sum;
        sum += found;
        found = before;
    }
    return *(_Atomic uint32_t *)job->memory == sum;
}
