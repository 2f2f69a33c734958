/*
 * What a load may return: the functional memory of --check-memory with its
 * recent past. Fed with the records of check.h in their order; says which
 * is the first that cannot be.
 *
 * For each byte the possible values of a load are
 * - what the owner held at any moment from when the hart's first cache last
 *   dropped its copies before the load was issued, up to the answer,
 * - stores of harts of the same first cache that are not performed yet;
 * and nothing older than the hart's own last store to the byte, nor its later
 * ones. Words that were not written within the reach of a load have one
 * possible value and no history here.
 */
#ifndef SIM_HOST_MEMCHECK_MEMORY_MODEL_H
#define SIM_HOST_MEMCHECK_MEMORY_MODEL_H

#include "sim/units/common/check_log.h"

#define MODEL_NO_CACHE UINT32_MAX
#define MODEL_HOST UINT32_MAX /* as hart: the image, or a system call */

struct model_config {
    uint8_t *memory; /* functional memory: guest address 0; as the image at
                        first, written by the model */
    uint32_t harts, caches; /* caches: those that keep copies */
    /* By hart: its first cache, MODEL_NO_CACHE if that is the owner. */
    const uint32_t *first_cache;
    /* By cache: [caches] flags of those that it fetches from directly. */
    const uint8_t *below;
    uint64_t history; /* writes to remember at most, 0: a sensible number */
    uint64_t longest; /* cycles that an access takes at most, 0: sensible */
};

enum model_fault {
    MODEL_LOADED,     /* a load returned what it could not */
    MODEL_OLD,        /* an atomic returned another value than memory's */
    MODEL_WROTE,      /* the owner wrote what no hart had stored */
    MODEL_LOST_STORE, /* a store was never performed */
};

/* The first thing that cannot be. */
struct model_difference {
    enum model_fault fault;
    struct check_record record; /* MODEL_LOST_STORE: the store */
    uint64_t expected;          /* the newest value that was possible */
    uint32_t writer;            /* hart that wrote it last, MODEL_HOST */
    uint64_t written;           /* in which cycle, 0: image */
};

struct model_counts {
    uint64_t loads, stores, atomics;
    uint64_t undecided; /* loads that depended on what was forgotten */
};

struct memory_model *model_new(const struct model_config *config);
void model_free(struct memory_model *model);

/* False: it cannot be. Records come in the order of their cycles; unit: the
 * number of the cache with copies that notes it, else MODEL_NO_CACHE. */
bool model_take(struct memory_model *model, const struct check_record *record,
                struct model_difference *difference);

/* A kernel starts in this cycle: no cache has copies or anything dirty. */
void model_launched(struct memory_model *model, uint64_t cycle);

/* The host wrote bytes at data to address, before all that happens in cycle. */
void model_host_write(struct memory_model *model, uint64_t cycle,
                      uint64_t address, const uint8_t *data, uint64_t bytes);

/* False: a store of the hart, all of whose accesses are said to have ended,
 * has not been performed. */
bool model_drained(struct memory_model *model, uint32_t hart,
                   struct model_difference *difference);

struct model_counts model_counts(const struct memory_model *model);

/* The byte's last writer, as far as it is known (else MODEL_HOST, 0). */
void model_writer(const struct memory_model *model, uint64_t address,
                  uint32_t *writer, uint64_t *cycle);

#endif
