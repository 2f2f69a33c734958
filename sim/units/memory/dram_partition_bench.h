/*
 * What the tests of the dram unit share: the unit with some settings and
 * clients, its requests, its clock and its device.
 */
#ifndef SIM_DRAM_PARTITION_BENCH_H
#define SIM_DRAM_PARTITION_BENCH_H

#include "sim/core/clock.h"
#include "sim/dram/dram.h"
#include "sim/units/common/bench.h"
#include "sim/units/memory/dram_partition.h"

#define FRONT 13u
#define BACK 29u

/* A parameter and its value, as chip descriptions write it. */
struct text_setting {
    const char *param, *value;
};

/* A chip's DRAM: what differs from the defaults. */
struct trial {
    struct text_setting settings[12];
    unsigned clients, requests;
};

static inline void set(struct bench *b, struct unit *u, const char *param,
                       const char *value)
{
    struct error e;
    if (!chip_set_text(b->chip, u, param, value, &e))
        fail_msg("%s", e.text);
}

static inline struct unit *
memory(struct bench *b, const struct text_setting *settings, unsigned clients)
{
    struct unit *m = bench_unit(b, "dram", "dram");
    bench_set(b, m, "front", FRONT);
    bench_set(b, m, "back", BACK);
    for (; settings->param; settings++)
        set(b, m, settings->param, settings->value);
    for (unsigned i = 0; i < clients; i++)
        bench_driver(b, m, "cpu", "reply");
    return m;
}

static inline unsigned fill(struct driver *d, uint64_t at, uint64_t addr)
{
    struct msg m = {.op = MEM_FILL, .addr = addr, .size = SECTOR};
    return driver_ask(d, at, m, NULL);
}

static inline void write_back(struct driver *d, uint64_t at, uint64_t addr)
{
    struct msg m = {.op = MEM_WRITEBACK, .addr = addr, .size = SECTOR};
    driver_ask(d, at, m, NULL);
}

static inline struct clock_ratio clock_of(struct unit *u)
{
    return clock_ratio_of((uint64_t)bench_param(u, "clock"),
                          (uint64_t)bench_param(u, "core_clock"));
}

static inline struct dram_device *device_of(struct unit *u)
{
    struct error e;
    struct dram_device *d =
        dram_device_new(dram_device_names()[bench_param(u, "device")], &e);
    if (!d)
        fail_msg("%s", e.text);
    return d;
}

/* A fixed sequence of numbers that look random. */
static inline uint32_t noise(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

#endif
