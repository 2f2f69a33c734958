/*
 * What the tests of caches share: small caches between a driver and a memory,
 * how long these take, and stories, which are scenarios in the form of a table.
 */
#ifndef SIM_UNITS_CACHE_BENCH_H
#define SIM_UNITS_CACHE_BENCH_H

#include "sim/units/cache/cache.h"
#include "sim/units/common/bench.h"

#define FAR 50u /* latency of the memory below */
#define LATENCY 10u

/* From asking to the answer, where no other request is in the way. */
#define HIT (2 * LINK + LATENCY)
#define MISS (HIT + 2 * LINK + FAR)

#define WARM 300u /* the cycle by which first misses are answered */

#define CONSTANT (BENCH_READ_ONLY + 0x80) /* read-only memory */

/* A cache of one set of `ways` lines, of 128 bytes, with one client. */
struct unit *small_cache(struct bench *b, int64_t ways);
struct unit *small_owner(struct bench *b, int64_t ways);

/* ---- stories ---- */

/* What a cache is asked: one letter, an address, a value or option. */
struct step {
    char op; /* l load, s store, a amoadd, f fence, w flush, c clean block,
                x flush block, b bypassing load, t bypassing store, r lr,
                q sc */
    uint64_t addr, value;
};

/* A cache with these settings is asked this, a step every `every` cycles, and
 * asks the memory that. */
struct story {
    struct setting settings[10];
    struct step steps[16];
    const char *below;
    struct setting stats[8];  /* at the end */
    struct setting values[8]; /* of the answers, by number of the step */
    struct setting words[4];  /* of the memory image at the end, by address in
                                 hexadecimal */
    unsigned every;           /* 0: 200 */
};

/* Of a scenario that is made `with` a story. */
void build_story(struct bench *b);
void check_story(struct bench *b);
void play_story(struct story t);

#endif
