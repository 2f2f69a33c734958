/*
 * dram-bench: how many requests a CPU second the DRAM model serves.
 *
 * The streams are those for which the reference's speed is known: one request
 * is offered in each clock, a refused one again as soon as there may be room,
 * so the queues are full; or one request is under way and the next one is
 * offered 3 clocks after its data. Addresses are made before the clock runs.
 */
#include "sim/dram/dram.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 5

enum stream { SEQUENTIAL, RANDOM, CHASE };
static const char *const stream_names[] = {"sequential", "random", "chase"};

/* reference: requests per CPU second of Ramulator 2, on another machine; 0:
 * not known. */
struct scenario {
    enum stream stream;
    const char *device;
    enum dram_rules rules;
    const char *mapping;
    uint32_t channels, requests;
    double reference;
};

#define MIXED "RoBaRaCoCh"
#define ARCHES "RoBgBaRaChCo"

static const struct scenario scenarios[] = {
    {SEQUENTIAL, "ddr4-3200", DRAM_RAMULATOR20, MIXED, 1, 400000, 149e3},
    {RANDOM, "ddr4-3200", DRAM_RAMULATOR20, MIXED, 1, 200000, 85e3},
    {CHASE, "ddr4-3200", DRAM_RAMULATOR20, MIXED, 1, 400000, 360e3},
    {SEQUENTIAL, "ddr4-3200", DRAM_RAMULATOR21, MIXED, 1, 400000, 317e3},
    {RANDOM, "ddr4-3200", DRAM_RAMULATOR21, MIXED, 1, 200000, 161e3},
    {CHASE, "ddr4-3200", DRAM_RAMULATOR21, MIXED, 1, 400000, 360e3},
    {SEQUENTIAL, "gddr6-14000-arches", DRAM_ARCHES, ARCHES, 2, 400000, 143e3},
    {RANDOM, "gddr6-14000-arches", DRAM_ARCHES, ARCHES, 2, 200000, 42e3},
    {CHASE, "gddr6-14000-arches", DRAM_ARCHES, ARCHES, 2, 400000, 220e3},
    {RANDOM, "gddr6-14000", DRAM_RAMULATOR21, MIXED, 16, 400000, 0},
    {RANDOM, "ddr5-4800", DRAM_RAMULATOR21, MIXED, 1, 200000, 0},
    {RANDOM, "hbm2-2000", DRAM_RAMULATOR21, MIXED, 1, 200000, 0},
    {RANDOM, "lpddr5-6400", DRAM_RAMULATOR21, MIXED, 1, 200000, 0},
};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t *make_addresses(const struct scenario *s,
                                const struct dram_device *d)
{
    uint64_t *addresses = calloc(s->requests, sizeof *addresses);
    uint64_t transactions = dram_device_bytes(d) / d->transaction * s->channels;
    uint64_t state = 88172645463325252;
    for (uint32_t i = 0; i < s->requests; i++) {
        uint64_t number =
            s->stream == SEQUENTIAL ? i : next_random(&state) >> 11;
        addresses[i] = number % transactions * d->transaction;
    }
    return addresses;
}

static void serve_full(struct dram *m, const uint64_t *addresses,
                       uint32_t requests)
{
    struct dram_done done;
    uint64_t state = 0;
    for (uint32_t offered = 0, left = requests; left;) {
        bool refused = false;
        if (offered < requests) {
            refused = !dram_offer(m, state, false, addresses[offered], offered);
            offered += !refused;
        }
        uint64_t next =
            refused || offered == requests ? dram_next(m) : state + 1;
        dram_run(m, next);
        state = next;
        while (dram_pop(m, &done))
            left--;
    }
}

static void serve_chase(struct dram *m, const uint64_t *addresses,
                        uint32_t requests)
{
    struct dram_done done;
    uint64_t state = 0;
    for (uint32_t i = 0; i < requests; i++) {
        dram_offer(m, state, false, addresses[i], i);
        while (!dram_pop(m, &done))
            dram_run(m, dram_next(m));
        state = done.done + 3;
        dram_run(m, state);
    }
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double measure(const struct scenario *s, const struct dram_device *d,
                      const uint64_t *addresses)
{
    struct error error;
    struct dram_options options = {.device = d,
                                   .policy = dram_policy_of(s->rules),
                                   .mapping = s->mapping,
                                   .channels = s->channels};
    struct dram *m = dram_new(&options, &error);
    if (!m) {
        fprintf(stderr, "dram-bench: %s\n", error.text);
        exit(1);
    }
    double start = cpu_seconds();
    (s->stream == CHASE ? serve_chase : serve_full)(m, addresses, s->requests);
    double seconds = cpu_seconds() - start;
    dram_free(m);
    return s->requests / seconds;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct prepared {
    struct dram_device *device;
    uint64_t *addresses;
    double speed[RUNS];
};

static bool prepare(const struct scenario *s, struct prepared *p)
{
    struct error error;
    p->device = dram_device_new(s->device, &error);
    if (p->device) {
        p->addresses = make_addresses(s, p->device);
        return true;
    }
    fprintf(stderr, "dram-bench: %s\n", error.text);
    return false;
}

static void report(const struct scenario *s, struct prepared *p)
{
    static const char *const rules[] = {
#define RULES_NAME(name, meaning) #name,
        DRAM_RULES(RULES_NAME)
#undef RULES_NAME
    };
    qsort(p->speed, RUNS, sizeof *p->speed, by_value);
    double median = p->speed[RUNS / 2];
    printf("%-11s %-19s %-12s %2u %10.0f", stream_names[s->stream], s->device,
           rules[s->rules], s->channels, median);
    if (s->reference > 0)
        printf(" %10.0f %7.1f", s->reference, median / s->reference);
    putchar('\n');
    free(p->addresses);
    dram_device_free(p->device);
}

/* All scenarios once, then all again: what else the machine does hits all
 * alike. */
int main(void)
{
    enum { COUNT = sizeof scenarios / sizeof *scenarios };
    struct prepared prepared[COUNT];
    for (unsigned i = 0; i < COUNT; i++)
        if (!prepare(&scenarios[i], &prepared[i]))
            return 1;
    for (unsigned run = 0; run < RUNS; run++)
        for (unsigned i = 0; i < COUNT; i++)
            prepared[i].speed[run] = measure(&scenarios[i], prepared[i].device,
                                             prepared[i].addresses);
    printf("Requests per CPU second, median of %d runs; reference: Ramulator 2 "
           "on one core of a 2.6 GHz Xeon\n",
           RUNS);
    printf("%-11s %-19s %-12s %2s %10s %10s %7s\n", "stream", "device", "rules",
           "ch", "req/s", "reference", "ratio");
    for (unsigned i = 0; i < COUNT; i++)
        report(&scenarios[i], &prepared[i]);
    return 0;
}
