/*
 * Bandwidth. Harts make independent accesses, eight at a time, access i of the
 * row to
 *
 *     (i * stride) modulo bytes + shift * (rounds through bytes before it)
 *
 * Harts take groups of eight as work indices: each works once it has begun, and
 * all end at about the same time. What is stored in a word is its
 * address, so that every order of stores leaves the same memory.
 */
#include "microbench.h"

enum { GROUP = 8, SAMPLES = 64 };

/* All eight are under way before the first is waited for. */
#define ALL_HERE(v)                                                            \
    __asm__ volatile("" ::"r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]),          \
                     "r"(v[4]), "r"(v[5]), "r"(v[6]), "r"(v[7]))

static uint64_t group_offset(const struct job *job, uint64_t group)
{
    uint64_t at = group * GROUP * job->stride;
    uint64_t round = at >> __builtin_ctzll(job->bytes);
    return (at & (job->bytes - 1)) + round * job->shift;
}

uint64_t stream_slack(const struct job *job)
{
    uint64_t rounds = job->count * job->stride / job->bytes;
    return GROUP * job->stride + rounds * job->shift + sizeof(word);
}

static word *at(unsigned char *memory, uint64_t offset)
{
    return (word *)(memory + offset);
}

/* ---- a group of accesses ---- */

static word read_group(const unsigned char *from, uint64_t stride)
{
    word v[GROUP], sum = 0;
    for (unsigned i = 0; i < GROUP; i++)
        v[i] = *(const volatile word *)(from + i * stride);
    ALL_HERE(v);
    for (unsigned i = 0; i < GROUP; i++)
        sum |= v[i];
    return sum;
}

static void write_group(unsigned char *to, uint64_t stride)
{
    for (unsigned i = 0; i < GROUP; i++, to += stride)
        *(volatile word *)to = (word)to;
}

static void copy_group(unsigned char *to, const unsigned char *from,
                       uint64_t stride)
{
    word v[GROUP];
    for (unsigned i = 0; i < GROUP; i++)
        v[i] = *(const volatile word *)(from + i * stride);
    ALL_HERE(v);
    for (unsigned i = 0; i < GROUP; i++)
        *(volatile word *)(to + i * stride) = v[i];
}

static void add_group(unsigned char *to, uint64_t stride)
{
    for (unsigned i = 0; i < GROUP; i++, to += stride)
        atomic_fetch_add_explicit((_Atomic uint32_t *)to, 1,
                                  memory_order_relaxed);
}

static void clear_group(unsigned char *to, uint64_t stride)
{
    for (unsigned i = 0; i < GROUP; i++, to += stride)
        *(volatile uint32_t *)to = 0;
}

/* Where in the footprint the i-th random access goes (Steele's splitmix). */
static uint64_t random_offset(const struct job *job, uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) & (job->bytes - 1) & ~(uint64_t)(SECTOR - 1);
}

static word read_anywhere(const struct job *job, uint64_t group)
{
    uint64_t offsets[GROUP];
    word v[GROUP], sum = 0;
    for (unsigned i = 0; i < GROUP; i++)
        offsets[i] = random_offset(job, group * GROUP + i);
    for (unsigned i = 0; i < GROUP; i++)
        v[i] = *(const volatile word *)(job->memory + offsets[i]);
    ALL_HERE(v);
    for (unsigned i = 0; i < GROUP; i++)
        sum |= v[i];
    return sum;
}

/* ---- what a hart does ---- */

#define EACH_GROUP(g, first, job)                                              \
    for (uint32_t g = (first), end_ = (uint32_t)((job)->count / GROUP);        \
         g < end_; g = corbel_next())

static word work(const struct job *job, uint32_t first)
{
    word found = 0;
    uint64_t stride = job->stride;
    switch (job->pattern) {
    case READ:
        EACH_GROUP(g, first, job)
        found |= read_group(job->memory + group_offset(job, g), stride);
        break;
    case WRITE:
        EACH_GROUP(g, first, job)
        write_group(job->memory + group_offset(job, g), stride);
        break;
    case COPY:
        EACH_GROUP(g, first, job)
        {
            uint64_t offset = group_offset(job, g);
            copy_group(job->target + offset, job->memory + offset, stride);
        }
        break;
    case ATOMIC:
        EACH_GROUP(g, first, job)
        add_group(job->memory + group_offset(job, g), stride);
        break;
    default:
        EACH_GROUP(g, first, job)
        found |= read_anywhere(job, g);
    }
    return found;
}

/* COPY reads addresses, sums begin with 0; what is only read was never written,
 * and is 0. */
void stream_prepare(struct job *job)
{
    uint32_t first = corbel_next();
    if (job->pattern == COPY)
        EACH_GROUP(g, first, job)
    write_group(job->memory + group_offset(job, g), job->stride);
    if (job->pattern == ATOMIC)
        EACH_GROUP(g, first, job)
    clear_group(job->memory + group_offset(job, g), job->stride);
}

/* The chosen harts, job->harts of all, are evenly spread over the chip. */
static uint32_t chosen_before(const struct job *job, uint32_t hart)
{
    return (uint32_t)((uint64_t)hart * job->harts / corbel_harts());
}

void stream_measure(struct job *shared)
{
    uint32_t place = chosen_before(shared, corbel_hart());
    if (place == chosen_before(shared, corbel_hart() + 1))
        return;
    struct job job = *shared;
    __asm__ volatile("" : "+m"(job)); /* now, not where it is used */
    uint32_t first = corbel_next();
    uint64_t begin = corbel_cycles();
    word found = work(&job, first);
    /* Stores and atomics have to be done, too. (A fence empties the L1.) */
    if (job.pattern != READ && job.pattern != RANDOM)
        atomic_thread_fence(memory_order_seq_cst);
    bool worked = first < job.count / GROUP;
    job.spans[place] = (struct span){worked ? begin : UINT64_MAX,
                                     worked ? corbel_cycles() : 0};
    if (found)
        atomic_fetch_add(&shared->wrong, 1);
}

/* ---- afterwards, on hart 0 ---- */

static bool sums_right(const struct job *job)
{
    uint64_t end = job->bytes + stream_slack(job), step = sizeof(uint32_t);
    uint32_t sum = 0;
    if (!job->stride)
        step = end;
    else if (job->bytes % job->stride == 0)
        step = job->stride;
    for (uint64_t offset = 0; offset + sizeof sum <= end; offset += step)
        sum += *(uint32_t *)(job->memory + offset);
    return sum == (uint32_t)(job->count * job->launches);
}

bool stream_check(const struct job *job)
{
    if (job->pattern == ATOMIC)
        return sums_right(job);
    if (job->pattern != WRITE && job->pattern != COPY)
        return true;
    unsigned char *to = job->pattern == COPY ? job->target : job->memory;
    uint64_t groups = job->count / GROUP;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        uint64_t group = groups * i / SAMPLES;
        uint64_t offset = group_offset(job, group);
        if (*at(to, offset) != (word)(job->memory + offset))
            return false;
    }
    return true;
}
