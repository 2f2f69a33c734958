/*
 * Clients that ask at random (traffic_client_bench.c) and the check of what
 * they were answered (traffic_check_bench.c), for traffic_test.c.
 */
#ifndef SIM_UNITS_TRAFFIC_BENCH_H
#define SIM_UNITS_TRAFFIC_BENCH_H

#include "sim/units/common/bench.h"

#define WORDS 256u /* of writable memory, 8 bytes each */
#define CONSTANTS 64u
#define ASKS 220u
#define CLIENTS 9u

enum ask_kind {
    LOAD_PRIVATE,
    STORE_PRIVATE,
    LOAD_SHARED,
    STORE_SHARED,
    LOAD_COUNTER,
    COUNT,
    LOAD_RESERVED,
    STORE_CONDITIONAL,
    LOAD_CONSTANT,
    INVALIDATE,
    FLUSH,
};

struct record {
    uint64_t addr, value, expected;
    uint64_t sent, back;
    uint8_t kind, size;
    uint8_t times; /* answered */
};

/* A system, all of it from its seed. */
struct setup {
    uint64_t seed;
    unsigned l1s, clients_each, clients, slices, parts;
    int64_t line;      /* of all caches: slices are interleaved by it */
    bool middle;       /* another level of copies */
    bool atomics_here; /* in the L1 */
    bool hash;         /* of addresses over partitions and slices */
    bool bypasses;     /* some accesses do */
    unsigned pace;     /* cycles between a client's requests, on average */
    unsigned words;    /* in use */
    int64_t fault, fault_at; /* made by all caches, see CACHE_PARAMS */
};

struct client {
    struct unit unit;
    struct toy_stats stats;
    const struct setup *setup;
    uint64_t random;
    unsigned number, asked, answered;
    uint64_t next_at;
    bool alone;   /* the last one asked admits no other beside it */
    uint8_t kind; /* of the next one */
    struct record records[ASKS];
    uint8_t own[WORDS * 8];
    uint32_t version[WORDS]; /* of shared words that it writes */
    uint64_t successes[WORDS], counts[WORDS];
};

/* ---- random choices ---- */

static inline uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline unsigned below_n(uint64_t *state, unsigned n)
{
    return (unsigned)(next_random(state) % n);
}

/* ---- what words are for ---- */

enum { TO_SHARE, TO_COUNT, TO_LOCK, KINDS_SHARED };

static inline uint64_t address_of(unsigned word)
{
    return 0x1000 + 8u * word;
}

/* The client that owns a word, or clients + what it is for. */
static inline unsigned use_of(const struct setup *s, unsigned word)
{
    uint64_t r = s->seed + word * 0x51ed27u;
    return below_n(&r, s->clients + KINDS_SHARED);
}

static inline unsigned writer_of(const struct setup *s, unsigned word)
{
    return word % s->clients;
}

/* ---- what words hold ---- */

static inline uint64_t shared_value(unsigned word, uint32_t version)
{
    return version ? (uint64_t)(word + 1) << 32 | version : 0;
}

static inline uint64_t constant(unsigned i)
{
    uint64_t state = i;
    return next_random(&state);
}

/* ---- what is found ---- */

enum violation {
    NOTHING,
    LOST,
    DOUBLED,
    WRONG_PRIVATE,
    WRONG_CONSTANT,
    UNKNOWN_VERSION, /* never stored, or not yet */
    WENT_BACK,
    TOO_OLD, /* published before the reader dropped its copies */
    WRONG_COUNT,
    WRONG_LOCK,
    WRONG_IMAGE,
    NOT_DRAINED,
};

/* The first violation that was found. */
struct finding {
    enum violation what;
    char text[256];
};

extern const struct unit_kind traffic_client_kind;

/* Draws what the client asks next: an enum ask_kind. */
uint8_t traffic_choose(struct client *c);

/* Checks all answers and the memory left when the run is over. */
struct finding traffic_examine(const struct bench *b);

#endif
