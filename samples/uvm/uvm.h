/*
 * Kernels whose data lie in managed memory. What they share: a benchmark makes
 * its input in a launch, so that it is the same everywhere, gives it back to
 * the host, works in phases of a launch each, and is compared with a plain
 * serial version of itself.
 *
 * Work indices are chunks of 256 items, or tiles of 16 x 16: a hart takes one
 * and does its items one after the other. Results do not depend on which hart
 * did what: harts write items of their own, or all the same value.
 */
#ifndef SAMPLES_UVM_H
#define SAMPLES_UVM_H

#include <corbel/corbel.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CHUNK = 256,             /* items of a work index */
    NUMBERS = 4,             /* of a size, at most */
    ARRAYS = 8,              /* of a benchmark, at most */
    LOCAL_WORDS = 2 * CHUNK, /* that a hart has in ordinary memory */
};

/* A run: what the command line says, and what is allocated for it. */
struct uvm {
    const struct benchmark *benchmark;
    uint32_t size[NUMBERS];
    bool check, prefetch, spoil;
    uint32_t delay; /* cycles between touches of a micro-benchmark */
    struct {
        void *start;
        size_t bytes;
    } arrays[ARRAYS]; /* managed ones, in the order of their allocation */
    unsigned array_count;
    uint32_t *local; /* LOCAL_WORDS of each hart, NULL: not asked for */
    uint32_t digest[2];
    bool wrong; /* the check has found a difference */
};

struct benchmark {
    const char *name, *numbers; /* of its size, with commas between them */
    uint32_t report[NUMBERS], large[NUMBERS], most[NUMBERS];
    /* What was expected instead of this size, NULL: it can be run. Itself NULL:
     * all sizes can. */
    const char *(*refuses)(const uint32_t size[NUMBERS]);
    void (*run)(struct uvm *uvm);
};

extern const struct benchmark bfs, hotspot, pathfinder, backprop, srad;

/* ---- shared.c ---- */

/* A managed array, or one in ordinary memory; exit status 1 where there is no
 * room. */
void *uvm_array(struct uvm *uvm, size_t count, size_t size);
void *uvm_plain(size_t count, size_t size);
/* Ordinary memory for the harts: LOCAL_WORDS each, at uvm->local. */
void uvm_need_local(struct uvm *uvm);

/* One launch of a kernel over `items` items, or `indices` work indices. */
void uvm_phase(void (*kernel)(void *), void *arg, uint32_t items);
void uvm_launch(void (*kernel)(void *), void *arg, uint32_t indices);

/* All inputs are there: they go back to the host, from where the phases get
 * them. The region of interest begins. */
void uvm_begin(struct uvm *uvm);
/* It ends, and what was computed goes back to the host. */
void uvm_end(struct uvm *uvm);

/* Adds the words of a result to the digest. */
void uvm_digest(struct uvm *uvm, const void *words, uint32_t count);
/* Compares them with what the serial version has computed; says where the
 * first one differs. */
void uvm_compare(struct uvm *uvm, const char *what, const void *words,
                 const void *expected, uint32_t count);

/* ---- micro.c ---- */

/* Is it the name of a micro-benchmark? Then it runs, unless uvm is NULL. */
bool micro_run(struct uvm *uvm, const char *name);
/* A line on stdout for each. */
void micro_help(void);

/* ---- for kernels ---- */

/* The items [first, end) of a work index. */
#define EACH_CHUNK(index, items)                                               \
    for (uint32_t index;                                                       \
         (index = corbel_next()) < ((items) + CHUNK - 1) / CHUNK;)
#define EACH_ITEM(i, index, items)                                             \
    for (uint32_t i = (index)*CHUNK,                                           \
                  end_##i = uvm_smaller(i + CHUNK, (items));                   \
         i < end_##i; i++)

static inline uint32_t uvm_smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t uvm_greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* A number of 32 bits for each i, other ones for each stream (the finalizer of
 * MurmurHash3). */
static inline uint32_t uvm_random(uint32_t stream, uint32_t i)
{
    uint32_t x = i + stream * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Below n. */
static inline uint32_t uvm_random_below(uint32_t stream, uint32_t i, uint32_t n)
{
    return (uint32_t)((uint64_t)uvm_random(stream, i) * n >> 32);
}

/* 0 <= u < 1. */
static inline float uvm_random_float(uint32_t stream, uint32_t i)
{
    return (float)(uvm_random(stream, i) >> 8) * 0x1p-24f;
}

#endif
