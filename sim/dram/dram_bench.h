/*
 * For tests of the DRAM controller: a run of random traffic on a device under a
 * policy, and all that is seen of it.
 */
#ifndef SIM_DRAM_BENCH_H
#define SIM_DRAM_BENCH_H

#include "sim/dram/dram.h"
#include "sim/dram/stats.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REQUESTS 260
#define MOST_COMMANDS 20000
#define PATIENCE 400000 /* clocks until the last request must be done */

/* ---- a run and what is seen of it ---- */

struct issued {
    uint64_t clock, tag;
    uint8_t command;
    struct dram_address at;
};

struct request {
    uint64_t offer, address, accept;
    bool write, accepted;
    unsigned times_done;
    struct dram_done done;
};

struct run {
    const struct dram_device *device;
    struct dram_options options;
    struct request requests[REQUESTS];
    struct issued *log;
    unsigned count;
    uint64_t end; /* clock at which all was done */
    struct dram_stats stats;
    char problem[256];
};

static inline uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 29;
    return x * 0xbf58476d1ce4e5b9u >> 16;
}

/* Dense and sparse stretches, near and far addresses, repetitions. */
static inline void make_traffic(struct run *r, uint64_t seed)
{
    uint64_t bytes = dram_device_bytes(r->device) * r->options.channels;
    uint64_t offer = 0, address = 0, size = r->device->transaction;
    for (unsigned i = 0; i < REQUESTS; i++) {
        struct request *q = &r->requests[i];
        uint64_t dice = next_random(&seed) % 100;
        if (dice < 35)
            address = next_random(&seed) % (bytes / size) * size;
        else if (dice < 75)
            address = (address + size) % bytes;
        else if (i > 8)
            address = r->requests[i - 1 - dice % 8].address;
        offer += i / 40 % 3 == 2 ? next_random(&seed) % 700 : dice % 2;
        *q = (struct request){.offer = offer,
                              .address = address,
                              .write = next_random(&seed) % 100 <
                                       (i / 60 % 2 ? 70u : 20u)};
    }
}

static inline void note_command(void *context, uint64_t clock,
                                enum dram_command command,
                                const struct dram_address *at, uint64_t tag)
{
    struct run *r = context;
    assert_true(r->count < MOST_COMMANDS);
    r->log[r->count++] = (struct issued){clock, tag, (uint8_t)command, *at};
}

static inline unsigned collect(struct run *r, struct dram *m)
{
    struct dram_done done;
    unsigned count = 0;
    while (dram_pop(m, &done)) {
        assert_true(done.tag < REQUESTS);
        r->requests[done.tag].done = done;
        r->requests[done.tag].times_done++;
        if (done.done > r->end)
            r->end = done.done;
        count++;
    }
    return count;
}

/* The next state in which something is to be done. */
static inline uint64_t next_state(const struct run *r, const struct dram *m,
                                  uint64_t state, unsigned offered,
                                  bool refused, bool every_clock)
{
    if (every_clock)
        return state + 1;
    uint64_t next = dram_next(m);
    assert_true(next > state);
    if (offered < REQUESTS && !refused) {
        uint64_t offer = r->requests[offered].offer;
        offer = offer > state + 1 ? offer : state + 1;
        next = offer < next ? offer : next;
    }
    return next;
}

static inline void run_traffic(struct run *r, struct dram *m, bool every_clock)
{
    uint64_t state = 0;
    for (unsigned offered = 0, left = REQUESTS; left;) {
        struct request *q = &r->requests[offered];
        bool refused = false;
        if (offered < REQUESTS && q->offer <= state) {
            q->accepted = dram_offer(m, state, q->write, q->address, offered);
            q->accept = state;
            refused = !q->accepted;
            offered += q->accepted;
        }
        left -= collect(r, m);
        if (state > PATIENCE) {
            snprintf(r->problem, sizeof r->problem, "%u requests starve", left);
            return;
        }
        state = next_state(r, m, state, offered, refused, every_clock);
        dram_run(m, state);
        left -= collect(r, m);
    }
    dram_run(m, r->end);
    assert_int_equal(dram_pending(m), 0);
}

static inline struct run *run_new(const struct dram_device *device,
                                  const struct dram_policy *policy,
                                  uint32_t channels, uint64_t seed,
                                  bool every_clock)
{
    struct error error = {{0}};
    struct run *r = calloc(1, sizeof *r);
    r->device = device;
    r->log = calloc(MOST_COMMANDS, sizeof *r->log);
    r->options = (struct dram_options){
        .device = device, .policy = *policy, .channels = channels};
    make_traffic(r, seed);
    struct dram *m = dram_new(&r->options, &error);
    if (!m)
        fail_msg("%s: %s", device->name, error.text);
    dram_on_command(m, note_command, r);
    run_traffic(r, m, every_clock);
    dram_statistics(m, r->end, &r->stats);
    dram_free(m);
    return r;
}

static inline void run_free(struct run *r)
{
    free(r->log);
    free(r);
}

#endif
