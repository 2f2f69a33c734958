/*
 * Why loads miss: a shadow of a cache's tags.
 *
 * Two memories beside the cache, that it never uses itself: a fully
 * associative LRU cache of as many lines, and all sectors of 32 bytes that
 * ever came. A load that begins a fetch is a
 *
 *   compulsory miss  its sector never was here,
 *   coherence miss   the sector was dropped (a fence, an atomic, a kernel's
 *                    start, a cache-block operation) and not fetched since,
 *   conflict miss    the fully associative cache would still have it,
 *   capacity miss    it would not, either.
 *
 * The first that fits counts. Lines are known by their number in the cache,
 * sectors by a mask of up to 8.
 */
#ifndef SIM_CACHE_SHADOW_H
#define SIM_CACHE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

struct shadow;
struct state; /* sim/core/state.h */

enum shadow_miss {
    MISS_COMPULSORY,
    MISS_COHERENCE,
    MISS_CONFLICT,
    MISS_CAPACITY
};

/* For a cache of that many lines; freed by shadow_free. */
struct shadow *shadow_new(uint32_t lines);
/* Saves it, or loads it into one for as many lines. */
void shadow_state(struct shadow *shadow, struct state *s);
void shadow_free(struct shadow *s);

/* Makes it as it was when it was new. */
void shadow_empty(struct shadow *s);

/* Why a load of the sector misses; asked before shadow_use. */
enum shadow_miss shadow_classify(const struct shadow *s, uint64_t line,
                                 unsigned sector);

/* An access to the sectors: the line is now the one used last. */
void shadow_use(struct shadow *s, uint64_t line, uint8_t sectors);

/* The sectors are here (or on their way). */
void shadow_fetched(struct shadow *s, uint64_t line, uint8_t sectors,
                    bool writable);

/* The sectors were dropped. */
void shadow_dropped(struct shadow *s, uint64_t line, uint8_t sectors);

/* All writable sectors that the fully associative cache has were dropped. */
void shadow_drop_writable(struct shadow *s);

#endif
