/*
 * Sorting numbers, after Rodinia's hybridsort: they are counted into buckets of
 * a range each, moved to their bucket, and sorted there by merging, four
 * numbers by a member at first, then runs that double in each pass.
 *
 * In which order members move numbers into a bucket does not matter, as all of
 * it is sorted afterwards; a bucket begins at a multiple of 4, so that the four
 * of a member are of one bucket. Room that is left has numbers that come last.
 */
#include "gpu.h"

enum { BUCKETS = 1024, MEMBERS = 256, OWN = 4, NUMBER = 1 };
#define LAST 2.0f /* behind all numbers */

struct sorting {
    uint32_t count, places; /* numbers; places, with those between buckets */
    uint32_t run;           /* numbers that are sorted before this pass */
    const float *number;
    float *from, *to;
    uint32_t *size, *start, *taken; /* of each bucket; start: one more */
};

static inline uint32_t bucket_of(float x)
{
    return smaller((uint32_t)(x * BUCKETS), BUCKETS - 1);
}

static void count_kernel(void *arg)
{
    const struct sorting *s = arg;
    const uint32_t i = member_index();
    if (i < s->count)
        __atomic_fetch_add(&s->size[bucket_of(s->number[i])], 1,
                           __ATOMIC_RELAXED);
}

static void move_kernel(void *arg)
{
    const struct sorting *s = arg;
    const uint32_t i = member_index();
    if (i >= s->count)
        return;
    uint32_t b = bucket_of(s->number[i]);
    uint32_t at = __atomic_fetch_add(&s->taken[b], 1, __ATOMIC_RELAXED);
    s->from[s->start[b] + at] = s->number[i];
}

static void four_kernel(void *arg)
{
    const struct sorting *s = arg;
    const uint32_t first = member_index() * OWN;
    if (first >= s->places)
        return;
    float *x = s->from + first;
    for (unsigned i = 1; i < OWN; i++)
        for (unsigned k = i; k && x[k] < x[k - 1]; k--) {
            float larger = x[k - 1];
            x[k - 1] = x[k];
            x[k] = larger;
        }
}

/* The bucket in which a place lies. */
static uint32_t bucket_at(const struct sorting *s, uint32_t place)
{
    uint32_t low = 0, high = BUCKETS;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (s->start[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A member merges two runs of a bucket. Members whose place is no begin of two
 * runs have nothing to do. */
static void merge_kernel(void *arg)
{
    const struct sorting *s = arg;
    const uint32_t first = member_index() * OWN;
    if (first >= s->places)
        return;
    const uint32_t bucket = bucket_at(s, first), end = s->start[bucket + 1];
    if ((first - s->start[bucket]) % (2 * s->run))
        return;
    uint32_t a = first, b = smaller(first + s->run, end);
    const uint32_t a_end = b, b_end = smaller(first + 2 * s->run, end);
    for (uint32_t to = first; to < b_end; to++) {
        bool takes_a = b == b_end || (a < a_end && s->from[a] <= s->from[b]);
        s->to[to] = takes_a ? s->from[a++] : s->from[b++];
    }
}

/* Where buckets begin; the numbers of the largest one. */
static uint32_t find_starts(struct sorting *s)
{
    uint32_t largest = 0;
    s->places = 0;
    for (uint32_t b = 0; b < BUCKETS; b++) {
        s->start[b] = s->places;
        s->places += ceil_div(s->size[b], OWN) * OWN;
        largest = greater(largest, s->size[b]);
    }
    s->start[BUCKETS] = s->places;
    return largest;
}

static void sort(struct gpu *gpu, struct sorting *s)
{
    uint32_t groups = ceil_div(s->count, MEMBERS);
    gpu_launch(gpu, "count", count_kernel, s, groups, MEMBERS, 0);
    uint32_t largest = find_starts(s);
    gpu_launch(gpu, "move", move_kernel, s, groups, MEMBERS, 0);
    groups = ceil_div(s->places, MEMBERS * OWN);
    gpu_launch(gpu, "four", four_kernel, s, groups, MEMBERS, 0);
    for (s->run = OWN; s->run < largest; s->run *= 2) {
        gpu_launch(gpu, "merge", merge_kernel, s, groups, MEMBERS, 0);
        float *merged = s->to;
        s->to = s->from;
        s->from = merged;
    }
}

/* The numbers of all buckets without what lies between them. */
static float *close_up(const struct sorting *s)
{
    float *sorted = ARRAY(float, s->count);
    uint32_t at = 0;
    for (uint32_t b = 0; b < BUCKETS; b++)
        for (uint32_t i = 0; i < s->size[b]; i++)
            sorted[at++] = s->from[s->start[b] + i];
    return sorted;
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void check(struct gpu *gpu, const float *result)
{
    float *number = ARRAY(float, gpu->size[0]);
    for (uint32_t i = 0; i < gpu->size[0]; i++)
        number[i] = random_float(NUMBER, i);
    qsort(number, gpu->size[0], sizeof *number, by_size);
    gpu_compare(gpu, "number", result, number, gpu->size[0]);
}

static void run(struct gpu *gpu)
{
    struct sorting s = {.count = gpu->size[0]};
    const uint32_t room = s.count + BUCKETS * (OWN - 1);
    float *number = ARRAY(float, s.count);
    s.number = number;
    s.from = ARRAY(float, room);
    s.to = ARRAY(float, room);
    s.size = ARRAY(uint32_t, BUCKETS);
    s.taken = ARRAY(uint32_t, BUCKETS);
    s.start = ARRAY(uint32_t, BUCKETS + 1);
    for (uint32_t i = 0; i < s.count; i++)
        number[i] = random_float(NUMBER, i);
    for (uint32_t i = 0; i < room; i++)
        s.from[i] = LAST;
    if (gpu->spoil)
        number[s.count / 2] *= 0.5f;
    gpu_begin(gpu);
    sort(gpu, &s);
    gpu_end(gpu);
    float *sorted = close_up(&s);
    gpu_digest(gpu, sorted, s.count);
    if (gpu->check)
        check(gpu, sorted);
}

const struct benchmark hybridsort = {
    .name = "hybridsort",
    .numbers = "numbers",
    .what = "sorting by buckets and merging",
    .small = {3000},
    .source = {4194304},
    .most = {1 << 26},
    .run = run,
};
