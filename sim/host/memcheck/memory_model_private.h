/*
 * Inside of the memory model: for each word that was written within reach, the
 * writes that were performed and those that are still to be, and when which
 * cache dropped its copies.
 */
#ifndef SIM_HOST_MEMCHECK_MEMORY_MODEL_PRIVATE_H
#define SIM_HOST_MEMCHECK_MEMORY_MODEL_PRIVATE_H

#include "sim/host/memcheck/memory_model.h"

enum { WORD = 8 };

/* What a store, atomic or host writes to one word. */
struct write {
    uint64_t performed; /* cycle, once it is */
    uint64_t issued;    /* by the processor */
    uint64_t value;     /* in the word's place */
    uint64_t covered_at;
    uint32_t hart;
    uint8_t mask;
    bool atomic;     /* issued is not known: no later than said */
    bool update;     /* performed by a write-back */
    uint8_t covered; /* not performed: bytes that its cache has written back
                        since, so that they may have been overwritten there */
    uint8_t gone;    /* bytes of these that surely are */
};

struct list {
    struct write *writes;
    uint32_t count, room;
};

/*
 * 8 bytes of memory that were written within the reach of a load. Mostly it is
 * the newest write that a load has seen, so lists are searched from the end.
 */
struct word {
    uint64_t number;     /* address / 8, + 1 so that 0 is an empty place */
    uint64_t base;       /* before all the writes */
    uint64_t since;      /* when it was last written */
    struct list done;    /* performed, in that order */
    struct list waiting; /* to be performed, in the order of issue */
};

/* A cache dropped its copies; they are no older than start from then on. */
struct drop {
    uint64_t cycle, start;
};

struct cache {
    struct drop *drops; /* the first one: cycle 0 */
    uint32_t count, room;
    uint64_t last_use; /* by a load or store, 0: never */
};

struct memory_model {
    struct model_config config;
    struct model_counts counts;
    struct cache *caches;
    uint32_t *domain;   /* by cache: those of one share a cache below */
    uint64_t *waiting;  /* by hart: stores to be performed, by word */
    struct word *words; /* hash table, linear probing */
    uint64_t room, used;
    uint64_t writes, sweep_at; /* in all words; at how many it sweeps */
    uint64_t now;
    uint64_t launched;  /* the last kernel */
    uint64_t forgotten; /* what was before this cycle is not known */
};

/* An access's part in a word. */
struct share {
    uint64_t address; /* in the word */
    uint64_t value;   /* in the word's place */
    uint8_t mask;
};

/* A load, or an atomic's load. */
struct load {
    uint32_t hart; /* NO_HART: own stores are treated as those of others */
    uint32_t domain;
    uint64_t issued;
    uint64_t start; /* of its window */
};

#define NO_HART (UINT32_MAX - 1)

/* ---- memory_model.c ---- */

void *model_grown(void *array, uint32_t *room, size_t size);
void *model_zeroed(size_t count, size_t size);

/* ---- memory_words.c: words and their writes ---- */

/* The word that holds an address, NULL: not written within reach. */
struct word *word_find(const struct memory_model *m, uint64_t address);
/* Likewise, made if there is none. */
struct word *word_make(struct memory_model *m, uint64_t address);
void word_free(struct word *w);
/* Makes a table of this room of the words that have a history. */
void words_rehash(struct memory_model *m, uint64_t room);
void write_add(struct memory_model *m, struct list *l,
               const struct write *write);
void write_remove(struct memory_model *m, struct list *l, uint32_t i);
/* Memory changes. Behind all that was performed before. */
void word_perform(struct memory_model *m, struct word *w,
                  const struct write *write);
/* Splits an access of up to 8 bytes into one or two. */
unsigned shares_of(const struct check_record *r, struct share shares[2]);

/* ---- memory_reach.c: how far back loads see, and what may be forgotten ----
 */

void reach_add_drop(struct cache *c, uint64_t cycle, uint64_t start);
/* A cache drops its copies. */
void reach_drop(struct memory_model *m, uint32_t cache, uint64_t cycle);
/* How old a copy may be that a load meets which is issued in this cycle. */
uint64_t reach_start(const struct memory_model *m, uint32_t hart,
                     uint64_t issued);
/* A hart uses its first cache, and those below. */
void reach_use(struct memory_model *m, uint32_t hart);
void reach_forget_waiting(struct memory_model *m, struct list *l);
/* Forgets what no load can see any more; then what is the oldest, if that is
 * not enough. */
void reach_sweep(struct memory_model *m);

/* ---- memory_possible.c: what a load may return ---- */

bool load_possible(const struct memory_model *m, const struct check_record *r,
                   const struct load *l);
/* Both fill in the difference and return false. l: NULL: no hart's load. */
bool model_differs(const struct memory_model *m, enum model_fault fault,
                   const struct check_record *r, const struct load *l,
                   struct model_difference *d);
bool model_lost(const struct word *w, const struct write *x,
                struct model_difference *d);

/* ---- memory_stores.c: a store from issue to memory ---- */

bool store_issued(struct memory_model *m, const struct check_record *r);
bool store_performed(struct memory_model *m, const struct check_record *r,
                     struct model_difference *d);
bool store_written_back(struct memory_model *m, const struct check_record *r,
                        struct model_difference *d);

/* Bytes that the host writes. */
void store_by_host(struct memory_model *m, const struct check_record *r);

/* ---- small ones ---- */

static inline bool fetches_from(const struct memory_model *m, uint32_t c,
                                uint32_t d)
{
    return m->config.below[(size_t)c * m->config.caches + d];
}

static inline uint32_t domain_of(const struct memory_model *m, uint32_t hart)
{
    uint32_t cache =
        hart < m->config.harts ? m->config.first_cache[hart] : MODEL_NO_CACHE;
    return cache == MODEL_NO_CACHE ? MODEL_NO_CACHE : m->domain[cache];
}

static inline uint64_t long_ago(const struct memory_model *m)
{
    return m->now > m->config.longest ? m->now - m->config.longest : 0;
}

static inline uint64_t bytes_of(uint8_t mask)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < WORD; i++)
        bytes |= mask >> i & 1 ? 0xffull << 8 * i : 0;
    return bytes;
}

static inline bool has_byte(const struct write *w, unsigned byte)
{
    return w->mask >> byte & 1;
}

static inline bool has_value(const struct write *w, unsigned byte,
                             uint8_t value)
{
    return has_byte(w, byte) && (uint8_t)(w->value >> 8 * byte) == value;
}

#endif
