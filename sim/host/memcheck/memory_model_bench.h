/*
 * For tests of the check of memory: a model of four harts with two caches, and
 * records made by hand.
 */
#ifndef SIM_HOST_MEMCHECK_MEMORY_MODEL_BENCH_H
#define SIM_HOST_MEMCHECK_MEMORY_MODEL_BENCH_H

#include "sim/host/memcheck/memory_model.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum { BYTES = 4096, HARTS = 4, CACHES = 2 };

static uint8_t memory[BYTES];
static struct model_difference found;

/* Harts 0 and 1 share cache 0, 2 and 3 cache 1; neither has one below. */
static inline struct memory_model *start_with(uint64_t history,
                                              uint64_t longest)
{
    static const uint32_t first[HARTS] = {0, 0, 1, 1};
    static const uint8_t below[CACHES * CACHES];
    for (unsigned i = 0; i < BYTES; i++)
        memory[i] = (uint8_t)i;
    return model_new(&(struct model_config){.memory = memory,
                                            .harts = HARTS,
                                            .caches = CACHES,
                                            .first_cache = first,
                                            .below = below,
                                            .history = history,
                                            .longest = longest});
}

static inline struct memory_model *start(uint64_t history)
{
    return start_with(history, 0);
}

/* ---- records by hand ---- */

static inline struct check_record store(uint64_t cycle, uint32_t hart,
                                        uint64_t addr, uint64_t value,
                                        uint8_t size)
{
    return (struct check_record){.kind = CHECK_STORE,
                                 .cycle = cycle,
                                 .hart = hart,
                                 .addr = addr,
                                 .value = value,
                                 .size = size,
                                 .unit = MODEL_NO_CACHE};
}

static inline struct check_record performed(uint64_t cycle, uint32_t hart,
                                            uint64_t addr, uint64_t value,
                                            uint8_t size)
{
    struct check_record r = store(cycle, hart, addr, value, size);
    r.kind = CHECK_PERFORMED;
    return r;
}

static inline struct check_record
amo(uint64_t cycle, uint32_t hart, uint64_t addr, uint64_t value, uint8_t size)
{
    struct check_record r = performed(cycle, hart, addr, value, size);
    r.mask = 1;
    return r;
}

static inline struct check_record
old(uint64_t cycle, uint32_t hart, uint64_t addr, uint64_t value, uint8_t size)
{
    struct check_record r = store(cycle, hart, addr, value, size);
    r.kind = CHECK_OLD;
    return r;
}

static inline struct check_record updated(uint64_t cycle, uint32_t hart,
                                          uint64_t addr, uint64_t value,
                                          uint8_t mask)
{
    struct check_record r = store(cycle, hart, addr, value, 8);
    r.kind = CHECK_UPDATED;
    r.mask = mask;
    return r;
}

static inline struct check_record load(uint64_t issued, uint64_t cycle,
                                       uint32_t hart, uint64_t addr,
                                       uint64_t value, uint8_t size)
{
    struct check_record r = store(cycle, hart, addr, value, size);
    r.kind = CHECK_LOAD;
    r.issued = issued;
    return r;
}

static inline struct check_record drop(uint64_t cycle, uint32_t cache)
{
    return (struct check_record){
        .kind = CHECK_DROPPED, .cycle = cycle, .unit = cache};
}

#define GOOD 99

/* All records but the last pass; the last one has the fault, or GOOD. */
static inline void expect(unsigned fault, const struct check_record *records,
                          size_t count)
{
    struct memory_model *m = start(0);
    for (size_t i = 0; i < count; i++) {
        bool good = model_take(m, &records[i], &found);
        if (good != (i + 1 < count || fault == GOOD))
            fail_msg("record %zu: %s", i, good ? "passes" : "does not pass");
    }
    if (fault != GOOD)
        assert_int_equal(found.fault, fault);
    model_free(m);
}

#define EXPECT(fault, ...)                                                     \
    do {                                                                       \
        const struct check_record records[] = {__VA_ARGS__};                   \
        expect(fault, records, sizeof records / sizeof *records);              \
    } while (0)

#endif
