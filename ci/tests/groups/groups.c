/*
 * Groups that need all that they have: barriers in a loop that differs by
 * group, group memory in two pieces, floating-point values and other registers
 * that live over barriers, lanes that write for others. Prints one number.
 *
 *     groups GROUPS SIZE ROUNDS
 */
#include <corbel/corbel.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    uint32_t groups, size, rounds;
    uint32_t *results; /* of each member */
    uint32_t wrong;
};

static uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Serially: what a member of a group has after all rounds. */
static void expect(const struct job *job, uint32_t group, uint32_t *now,
                   uint32_t *next)
{
    for (uint32_t i = 0; i < job->size; i++)
        now[i] = mix(group * job->size + i);
    for (uint32_t r = 0; r < job->rounds + group % 3; r++) {
        for (uint32_t i = 0; i < job->size; i++)
            next[i] = mix(now[i] + now[(i + 1 + r) % job->size]);
        for (uint32_t i = 0; i < job->size; i++)
            now[i] = next[i];
    }
    for (uint32_t i = 0; i < job->size; i++)
        now[i] += (uint32_t)(0.5f * (float)(job->rounds + group % 3)) + i;
}

static void kernel(void *arg)
{
    struct job *job = arg;
    const uint32_t lane = corbel_lane(), group = corbel_group();
    const uint32_t size = corbel_group_size();
    uint32_t *now = corbel_group_memory(size * sizeof *now + 4);
    uint32_t *next = corbel_group_memory(size * sizeof *next);
    float half = 0;

    if (size != job->size || corbel_groups() != job->groups ||
        next < now + size || (uintptr_t)next % 16)
        __atomic_fetch_add(&job->wrong, 1, __ATOMIC_RELAXED);
    now[lane] = mix(group * size + lane);
    corbel_group_sync();
    for (uint32_t r = 0; r < job->rounds + group % 3; r++) {
        next[lane] = mix(now[lane] + now[(lane + 1 + r) % size]);
        half += 0.5f;
        corbel_group_sync();
        now[(lane + r) % size] = next[(lane + r) % size];
        corbel_group_sync();
    }
    job->results[group * size + lane] = now[lane] + (uint32_t)half + lane;
}

static void alone(void *arg)
{
    struct job *job = arg;
    job->results[corbel_group() * job->size + corbel_lane()] += corbel_group();
}

int main(int argc, char **argv)
{
    struct job job = {(uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]),
                      (uint32_t)atoi(argv[3]), NULL, 0};
    uint32_t count = job.groups * job.size, sum = 0;
    uint32_t *now = malloc(8 * job.size), *next = now + job.size;

    job.results = malloc(4 * count);
    corbel_launch_grid(kernel, &job, job.groups, job.size);
    if (corbel_group_memory(8 * job.size + 32))
        job.wrong++;
    corbel_launch_grid(kernel, &job, job.groups, job.size);
    corbel_launch_grid(alone, &job, job.groups, job.size);
    corbel_launch_grid(alone, &job, 0, job.size);
    for (uint32_t g = 0; g < job.groups; g++) {
        expect(&job, g, now, next);
        for (uint32_t i = 0; i < job.size; i++) {
            job.wrong += job.results[g * job.size + i] != now[i] + g;
            sum = mix(sum + job.results[g * job.size + i]);
        }
    }
    printf("%lu groups of %lu: %08lx, %lu wrong\n", (unsigned long)job.groups,
           (unsigned long)job.size, (unsigned long)sum,
           (unsigned long)job.wrong);
    free(now);
    free(job.results);
    return job.wrong != 0 || corbel_group() || corbel_lane();
}
