/*
 * Takes the records of a run in their order and hands each to the part of the
 * model that judges it: loads here, stores in memory_stores.c. The words with a
 * history are in memory_words.c, what a load can reach is found by
 * memory_reach.c, and which values are possible by memory_possible.c.
 */
#include "sim/host/memcheck/memory_model.h"
#include "sim/core/heap.h"
#include "sim/host/memcheck/memory_model_private.h"
#include <stdlib.h>
#include <string.h>

#define HISTORY_MAX (2u << 20) /* writes: at most some 250 MB */

/* Cycles; no access takes longer, so histories may forget what is older. */
#define LONGEST (1u << 18)

/* ---- construction ---- */

void *model_grown(void *array, uint32_t *room, size_t size)
{
    *room = *room ? 2 * *room : 1;
    return heap_resize(array, *room, size, "the memory check");
}

void *model_zeroed(size_t count, size_t size)
{
    return heap_new(count + 1, size, "the memory check");
}

/* Caches that reach each other belong together. */
static void find_domains(struct memory_model *m)
{
    uint32_t n = m->config.caches;
    for (uint32_t c = 0; c < n; c++)
        m->domain[c] = c;
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t d = 0; d < n; d++) {
            uint32_t from = m->domain[c], to = m->domain[d];
            for (uint32_t i = 0; from != to && fetches_from(m, c, d) && i < n;
                 i++)
                if (m->domain[i] == from)
                    m->domain[i] = to;
        }
}

struct memory_model *model_new(const struct model_config *config)
{
    enum { FIRST_ROOM = 1 << 12, FIRST_SWEEP = 1 << 16 };
    struct memory_model *m = model_zeroed(1, sizeof *m);
    m->config = *config;
    if (!m->config.history)
        m->config.history = HISTORY_MAX;
    if (!m->config.longest)
        m->config.longest = LONGEST;
    m->caches = model_zeroed(config->caches, sizeof *m->caches);
    m->domain = model_zeroed(config->caches, sizeof *m->domain);
    m->waiting = model_zeroed(config->harts, sizeof *m->waiting);
    for (uint32_t c = 0; c < config->caches; c++)
        reach_add_drop(&m->caches[c], 0, 0);
    find_domains(m);
    m->room = FIRST_ROOM;
    m->words = model_zeroed(m->room, sizeof *m->words);
    m->sweep_at =
        FIRST_SWEEP < m->config.history ? FIRST_SWEEP : m->config.history;
    return m;
}

void model_free(struct memory_model *m)
{
    if (!m)
        return;
    for (uint64_t i = 0; i < m->room; i++)
        word_free(&m->words[i]);
    for (uint32_t c = 0; c < m->config.caches; c++)
        free(m->caches[c].drops);
    free(m->words);
    free(m->waiting);
    free(m->domain);
    free(m->caches);
    free(m);
}

struct model_counts model_counts(const struct memory_model *m)
{
    return m->counts;
}

/* ---- loads ---- */

/* A plain load, by its record. */
static struct load load_of(const struct memory_model *m,
                           const struct check_record *r)
{
    return (struct load){.hart = r->mask ? NO_HART : r->hart,
                         .domain = domain_of(m, r->hart),
                         .issued = r->issued,
                         .start = reach_start(m, r->hart, r->issued)};
}

/*
 * The load of an atomic. Where atomics are performed in a cache with copies
 * their value may be as old as a load's; when they were issued is not known.
 */
static struct load load_of_atomic(const struct memory_model *m,
                                  const struct check_record *r)
{
    bool copy = r->unit != MODEL_NO_CACHE;
    return (struct load){
        .hart = NO_HART,
        .domain = copy ? domain_of(m, r->hart) : MODEL_NO_CACHE,
        .issued = r->cycle,
        .start = copy ? reach_start(m, r->hart, long_ago(m)) : r->cycle};
}

/* Loads that reach further back than what is remembered are not decided. */
static bool check_load(struct memory_model *m, const struct check_record *r,
                       const struct load *l, enum model_fault fault,
                       struct model_difference *d)
{
    if (l->domain != MODEL_NO_CACHE)
        reach_use(m, r->hart);
    if (load_possible(m, r, l))
        return true;
    if (l->start >= m->forgotten && l->issued >= long_ago(m))
        return model_differs(m, fault, r, l, d);
    m->counts.undecided++;
    return true;
}

static bool take_load(struct memory_model *m, const struct check_record *r,
                      struct model_difference *d)
{
    struct load l = load_of(m, r);
    m->counts.loads++;
    return check_load(m, r, &l, MODEL_LOADED, d);
}

static bool take_old(struct memory_model *m, const struct check_record *r,
                     struct model_difference *d)
{
    struct load l = load_of_atomic(m, r);
    return check_load(m, r, &l, MODEL_OLD, d);
}

/* ---- records ---- */

bool model_take(struct memory_model *m, const struct check_record *r,
                struct model_difference *d)
{
    m->now = r->cycle;
    if (m->writes >= m->sweep_at)
        reach_sweep(m);
    switch ((enum check_kind)r->kind) {
    case CHECK_STORE:
        return store_issued(m, r);
    case CHECK_LOAD:
        return take_load(m, r, d);
    case CHECK_PERFORMED:
        return store_performed(m, r, d);
    case CHECK_UPDATED:
        return store_written_back(m, r, d);
    case CHECK_OLD:
        return take_old(m, r, d);
    case CHECK_DROPPED:
        if (r->unit != MODEL_NO_CACHE && !r->size)
            reach_drop(m, r->unit, r->cycle);
        return true;
    }
    return true;
}

/* ---- the host ---- */

void model_launched(struct memory_model *m, uint64_t cycle)
{
    m->launched = cycle;
    for (uint32_t c = 0; c < m->config.caches; c++)
        reach_add_drop(&m->caches[c], cycle - 1, cycle - 1);
}

void model_host_write(struct memory_model *m, uint64_t cycle, uint64_t address,
                      const uint8_t *data, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes;) {
        struct check_record r = {
            .addr = address + i, .size = 1, .cycle = cycle, .hart = MODEL_HOST};
        while (r.size < WORD - r.addr % WORD && i + r.size < bytes)
            r.size++;
        memcpy(&r.value, data + i, r.size);
        if (memcmp(&r.value, m->config.memory + r.addr, r.size))
            store_by_host(m, &r);
        i += r.size;
    }
}

bool model_drained(struct memory_model *m, uint32_t hart,
                   struct model_difference *d)
{
    const struct write *lost = NULL;
    const struct word *where = NULL;
    if (!m->waiting[hart])
        return true;
    for (uint64_t i = 0; i < m->room; i++)
        for (uint32_t k = 0; k < m->words[i].waiting.count; k++) {
            const struct write *x = &m->words[i].waiting.writes[k];
            if (x->hart == hart && !x->atomic && x->covered != x->mask &&
                (!lost || x->issued < lost->issued)) {
                lost = x;
                where = &m->words[i];
            }
        }
    return model_lost(where, lost, d);
}
