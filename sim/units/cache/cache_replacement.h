/*
 * Which line of a set is replaced: the policies that a cache can have, a row
 * for each in CACHE_REPLACEMENTS, and what they may use of the store. A policy
 * is a file cache_replace_NAME.c with its row, cache_replace_NAME.
 *
 * The store asks for a victim where no way of the set is unused. It keeps, for
 * each way, when its line was allocated or, as the row says, last used; and for
 * each set as many words of the policy's as the row says, which are 0 in an
 * empty set and which snapshots and checkpoints have.
 */
#ifndef SIM_CACHE_REPLACEMENT_H
#define SIM_CACHE_REPLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#define CACHE_REPLACEMENTS(FIRST, X)                                           \
    FIRST(lru)                                                                 \
    X(fifo)                                                                    \
    X(random)                                                                  \
    X(plru)                                                                    \
    /* the end of the list: new ones come here */

struct store;

struct cache_replacement {
    bool by_use;    /* lines age from their last use, not from allocation */
    uint32_t words; /* of state for each set: store_words */
    /* The way was allocated or used (NULL: nothing to note). */
    void (*note_used)(struct store *s, uint32_t set, uint32_t way);
    /* The way at which the search for an unused one begins (NULL: the first).
     */
    uint32_t (*begin)(struct store *s);
    /* The way of the victim, which is not being filled, of a set whose ways are
     * all used; -1: all are being filled. begin: that of this search. */
    int (*victim)(struct store *s, uint32_t set, uint32_t begin);
};

#define CACHE_REPLACEMENT(name)                                                \
    extern const struct cache_replacement cache_replace_##name;
CACHE_REPLACEMENTS(CACHE_REPLACEMENT, CACHE_REPLACEMENT)

/* By the number of the choice. */
extern const struct cache_replacement *const cache_replacements[];

/* ---- for policies ---- */

/* The first way from `way` on, wrapping, that is not being filled; -1: none. */
int store_settled_from(const struct store *s, uint32_t set, uint32_t way);
/* The oldest of the ways that are not being filled; -1: there is none. */
int store_oldest(const struct store *s, uint32_t set);
/* A number at random, from the cache's own row of them. */
uint64_t store_random(struct store *s);

#endif
