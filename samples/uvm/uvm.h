/*
 * Kernels whose data lie in managed memory. What they share: a benchmark makes
 * its input in a launch, so that it is the same everywhere, gives it back to
 * the host, works in phases of a launch each, and is compared with a plain
 * serial version of itself.
 *
 * Work indices are chunks of 256 items, or tiles of 16 x 16: a hart takes one
 * and does its items one after the other. With --lanes an item is a work index,
 * and a tile a group with a member for each item, as on a GPU. Results do not
 * depend on which hart did what: harts write items of their own, or all the
 * same value.
 */
#ifndef SAMPLES_UVM_H
#define SAMPLES_UVM_H

#include <stdint.h>

extern uint32_t uvm_items; /* of a work index */
#define CHUNK_ITEMS uvm_items

#include "../common/chunks.h"
#include "../common/numbers.h"
#include "../common/random.h"
#include "../common/results.h"

#include <corbel/corbel.h>
#include <corbel/group.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    ARRAYS = 8,              /* of a benchmark, at most */
    LOCAL_WORDS = 2 * CHUNK, /* that a hart has in ordinary memory */
};

/* A run: what the command line says, and what is allocated for it. */
struct uvm {
    const struct benchmark *benchmark;
    uint32_t size[NUMBERS];
    bool check, prefetch, spoil;
    bool lanes;     /* an item for each lane */
    uint32_t delay; /* cycles between touches of a micro-benchmark */
    struct {
        void *start;
        size_t bytes;
    } arrays[ARRAYS]; /* managed ones, in the order of their allocation */
    unsigned array_count;
    uint32_t *local; /* LOCAL_WORDS of each hart, NULL: not asked for */
    struct digest digest;
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

#endif
