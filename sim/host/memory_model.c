#include "sim/host/memory_model.h"
#include "sim/core/heap.h"
#include <stdlib.h>
#include <string.h>

enum { WORD = 8 };

#define HISTORY_MAX (2u << 20) /* writes: at most some 250 MB */

/* Cycles; no access takes longer, so histories may forget what is older. */
#define LONGEST (1u << 18)

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
 * 8 bytes of memory that were written within somebody's reach. Mostly it is
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
    uint64_t writes, sweep_at; /* in all words; sweep when there are so many */
    uint64_t now;
    uint64_t launched;  /* the last kernel */
    uint64_t forgotten; /* what was before this cycle is not known */
};

/* ---- construction ---- */

static void *grown(void *array, uint32_t *room, size_t size)
{
    *room = *room ? 2 * *room : 1;
    return heap_resize(array, *room, size, "the memory check");
}

static void *zeroed(size_t count, size_t size)
{
    return heap_new(count + 1, size, "the memory check");
}

static bool fetches_from(const struct memory_model *m, uint32_t c, uint32_t d)
{
    return m->config.below[(size_t)c * m->config.caches + d];
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

static void add_drop(struct cache *c, uint64_t cycle, uint64_t start)
{
    if (c->count == c->room)
        c->drops = grown(c->drops, &c->room, sizeof *c->drops);
    c->drops[c->count++] = (struct drop){cycle, start};
}

struct memory_model *model_new(const struct model_config *config)
{
    enum { FIRST_ROOM = 1 << 12, FIRST_SWEEP = 1 << 16 };
    struct memory_model *m = zeroed(1, sizeof *m);
    m->config = *config;
    if (!m->config.history)
        m->config.history = HISTORY_MAX;
    if (!m->config.longest)
        m->config.longest = LONGEST;
    m->caches = zeroed(config->caches, sizeof *m->caches);
    m->domain = zeroed(config->caches, sizeof *m->domain);
    m->waiting = zeroed(config->harts, sizeof *m->waiting);
    for (uint32_t c = 0; c < config->caches; c++)
        add_drop(&m->caches[c], 0, 0);
    find_domains(m);
    m->room = FIRST_ROOM;
    m->words = zeroed(m->room, sizeof *m->words);
    m->sweep_at =
        FIRST_SWEEP < m->config.history ? FIRST_SWEEP : m->config.history;
    return m;
}

static void free_word(struct word *w)
{
    free(w->done.writes);
    free(w->waiting.writes);
}

void model_free(struct memory_model *m)
{
    if (!m)
        return;
    for (uint64_t i = 0; i < m->room; i++)
        free_word(&m->words[i]);
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

/* ---- words ---- */

static uint64_t place_of(const struct memory_model *m, uint64_t number)
{
    uint64_t at = number * 0x9e3779b97f4a7c15u >> 20 & (m->room - 1);
    while (m->words[at].number && m->words[at].number != number)
        at = (at + 1) & (m->room - 1);
    return at;
}

static uint64_t *memory_word(const struct memory_model *m, uint64_t number)
{
    return (uint64_t *)(void *)(m->config.memory + (number - 1) * WORD);
}

/* NULL: not written within reach. */
static struct word *find_word(const struct memory_model *m, uint64_t address)
{
    struct word *w = &m->words[place_of(m, address / WORD + 1)];
    return w->number ? w : NULL;
}

/* Makes a table of this room of the words that have a history. */
static void rehash(struct memory_model *m, uint64_t room)
{
    struct word *old = m->words;
    uint64_t old_room = m->room;
    m->words = zeroed(room, sizeof *m->words);
    m->room = room;
    m->used = 0;
    for (uint64_t i = 0; i < old_room; i++) {
        if (old[i].done.count || old[i].waiting.count) {
            m->words[place_of(m, old[i].number)] = old[i];
            m->used++;
        } else {
            free_word(&old[i]);
        }
    }
    free(old);
}

static struct word *make_word(struct memory_model *m, uint64_t address)
{
    uint64_t number = address / WORD + 1;
    struct word *w = &m->words[place_of(m, number)];
    if (w->number)
        return w;
    if (2 * ++m->used > m->room) {
        rehash(m, 2 * m->room);
        w = &m->words[place_of(m, number)];
        m->used++;
    }
    *w = (struct word){.number = number, .base = *memory_word(m, number)};
    return w;
}

static uint64_t bytes_of(uint8_t mask)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < WORD; i++)
        bytes |= mask >> i & 1 ? 0xffull << 8 * i : 0;
    return bytes;
}

static void add_write(struct memory_model *m, struct list *l,
                      const struct write *write)
{
    if (l->count == l->room)
        l->writes = grown(l->writes, &l->room, sizeof *l->writes);
    m->writes++;
    l->writes[l->count++] = *write;
}

static void remove_write(struct memory_model *m, struct list *l, uint32_t i)
{
    m->writes--;
    memmove(&l->writes[i], &l->writes[i + 1],
            (--l->count - i) * sizeof *l->writes);
}

/* Memory changes. Behind all that was performed before. */
static void perform(struct memory_model *m, struct word *w,
                    const struct write *write)
{
    uint64_t *memory = memory_word(m, w->number), bytes = bytes_of(write->mask);
    add_write(m, &w->done, write);
    *memory = (*memory & ~bytes) | (write->value & bytes);
}

/* An access's part in a word. */
struct share {
    uint64_t address; /* in the word */
    uint64_t value;   /* in the word's place */
    uint8_t mask;
};

/* Splits an access of up to 8 bytes into one or two. */
static unsigned shares_of(const struct check_record *r, struct share shares[2])
{
    unsigned first = r->addr % WORD, all = (1u << r->size) - 1;
    shares[0] =
        (struct share){r->addr, r->value << 8 * first, (uint8_t)(all << first)};
    if (first + r->size <= WORD)
        return 1;
    unsigned done = WORD - first;
    shares[1] = (struct share){r->addr + done, r->value >> 8 * done,
                               (uint8_t)(all >> done)};
    return 2;
}

/* ---- windows ---- */

/* How old a copy may be that a load meets which is issued in this cycle. */
static uint64_t window(const struct memory_model *m, uint32_t hart,
                       uint64_t issued)
{
    uint32_t cache = m->config.first_cache[hart];
    if (cache == MODEL_NO_CACHE)
        return issued;
    const struct cache *c = &m->caches[cache];
    uint32_t low = 0, high = c->count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (c->drops[middle].cycle <= issued)
            low = middle;
        else
            high = middle;
    }
    return c->drops[low].start;
}

static uint64_t long_ago(const struct memory_model *m)
{
    return m->now > m->config.longest ? m->now - m->config.longest : 0;
}

/* What a cache has fetched is no older than what is below was. */
static void dropped(struct memory_model *m, uint32_t cache, uint64_t cycle)
{
    uint64_t start = cycle;
    for (uint32_t d = 0; d < m->config.caches; d++) {
        const struct cache *below = &m->caches[d];
        if (fetches_from(m, cache, d) &&
            below->drops[below->count - 1].start < start)
            start = below->drops[below->count - 1].start;
    }
    add_drop(&m->caches[cache], cycle, start);
}

/* ---- forgetting ---- */

static void note_use_of(struct memory_model *m, uint32_t cache)
{
    m->caches[cache].last_use = m->now;
    for (uint32_t d = 0; d < m->config.caches; d++)
        if (fetches_from(m, cache, d))
            note_use_of(m, d);
}

static void note_use(struct memory_model *m, uint32_t hart)
{
    uint32_t cache = m->config.first_cache[hart];
    if (cache != MODEL_NO_CACHE && m->caches[cache].last_use != m->now)
        note_use_of(m, cache);
}

/* Keeps what a load still under way may need. */
static void forget_drops(struct cache *c, uint64_t horizon)
{
    uint32_t first = 0;
    while (first + 1 < c->count && c->drops[first + 1].cycle <= horizon)
        first++;
    c->count -= first;
    memmove(c->drops, c->drops + first, c->count * sizeof *c->drops);
}

/* How far back any load to come may see; a cache that nobody has used for
 * long, or since it dropped its copies, has none. */
static uint64_t oldest_reach(struct memory_model *m)
{
    uint64_t horizon = long_ago(m), reach = horizon;
    for (uint32_t i = 0; i < m->config.caches; i++) {
        struct cache *c = &m->caches[i];
        forget_drops(c, horizon);
        bool used =
            c->last_use + m->config.longest > c->drops[0].cycle && c->last_use;
        if (used && c->drops[0].start < reach)
            reach = c->drops[0].start;
    }
    return reach;
}

static void forget_done(struct memory_model *m, struct word *w, uint64_t reach)
{
    struct list *l = &w->done;
    uint32_t first = 0;
    for (; first < l->count && l->writes[first].performed <= reach; first++) {
        uint64_t bytes = bytes_of(l->writes[first].mask);
        w->base = (w->base & ~bytes) | (l->writes[first].value & bytes);
        w->since = l->writes[first].performed;
    }
    if (!first)
        return;
    l->count -= first;
    m->writes -= first;
    memmove(l->writes, l->writes + first, l->count * sizeof *l->writes);
}

/* Has a later store of the hart overwritten it, wherever they are, long ago?
 */
static bool is_overwritten(const struct list *l, uint32_t i, uint64_t horizon)
{
    const struct write *x = &l->writes[i];
    for (uint32_t k = i + 1; k < l->count && l->writes[k].issued < horizon; k++)
        if (l->writes[k].hart == x->hart && !l->writes[k].atomic &&
            !(x->mask & ~l->writes[k].mask))
            return true;
    return false;
}

/* Nothing that is on its way, or dirty in a cache. */
static bool is_over(const struct memory_model *m, const struct write *x,
                    uint64_t horizon)
{
    if (x->gone == x->mask)
        return x->covered_at < horizon;
    return x->covered == x->mask && x->issued < m->launched &&
           m->launched < horizon;
}

static void forget_waiting(struct memory_model *m, struct list *l)
{
    uint64_t horizon = long_ago(m);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct write *x = &l->writes[i];
        if (!is_over(m, x, horizon) && !is_overwritten(l, i, horizon)) {
            l->writes[kept++] = *x;
            continue;
        }
        m->writes--;
        m->waiting[x->hart] -= x->covered != x->mask && !x->atomic;
    }
    l->count = kept;
}

static void forget(struct memory_model *m, uint64_t reach)
{
    for (uint64_t i = 0; i < m->room; i++) {
        forget_done(m, &m->words[i], reach);
        forget_waiting(m, &m->words[i].waiting);
    }
}

/* If nobody may forget so much, loads that reach further back cannot be
 * decided any more. */
static void sweep(struct memory_model *m)
{
    uint64_t reach = oldest_reach(m), most = m->config.history;
    forget(m, reach);
    while (m->writes > most / 2 && reach + 1 < m->now) {
        reach += (m->now - reach) / 2;
        m->forgotten = reach;
        forget(m, reach);
    }
    rehash(m, m->room);
    m->sweep_at = 2 * m->writes > 1 << 16 ? 2 * m->writes : 1 << 16;
    if (m->sweep_at > most)
        m->sweep_at = most;
}

/* ---- what a load may return ---- */

/* A load, or an atomic's load. */
struct load {
    uint32_t hart; /* NOBODY: own stores are as good as those of others */
    uint32_t domain;
    uint64_t issued;
    uint64_t start; /* of its window */
};

#define NOBODY (UINT32_MAX - 1)

static uint32_t domain_of(const struct memory_model *m, uint32_t hart)
{
    uint32_t cache =
        hart < m->config.harts ? m->config.first_cache[hart] : MODEL_NO_CACHE;
    return cache == MODEL_NO_CACHE ? MODEL_NO_CACHE : m->domain[cache];
}

static bool has_byte(const struct write *w, unsigned byte)
{
    return w->mask >> byte & 1;
}

static bool has_value(const struct write *w, unsigned byte, uint8_t value)
{
    return has_byte(w, byte) && (uint8_t)(w->value >> 8 * byte) == value;
}

/* The hart's last store to the byte before the load in the program, if it has
 * not been performed. */
static const struct write *own_waiting(const struct word *w, unsigned byte,
                                       const struct load *l)
{
    for (uint32_t i = w->waiting.count; i-- > 0;) {
        const struct write *x = &w->waiting.writes[i];
        if (has_byte(x, byte) && x->hart == l->hart && !x->atomic &&
            x->issued < l->issued)
            return x;
    }
    return NULL;
}

/* Does it end what the load can see of older ones? What was performed before
 * the window, and the hart's own. */
static bool hides_older(const struct write *x, const struct load *l)
{
    return x->performed <= l->start ||
           (x->hart == l->hart && x->issued < l->issued);
}

/* A hart does not see what it stores later. */
static bool is_later(const struct write *x, const struct load *l)
{
    return x->hart == l->hart && !x->atomic && x->issued >= l->issued;
}

static bool performed_possible(const struct word *w, unsigned byte,
                               uint8_t value, const struct load *l)
{
    for (uint32_t i = w->done.count; i-- > 0;) {
        const struct write *x = &w->done.writes[i];
        if (has_value(x, byte, value) && !is_later(x, l))
            return true;
        if (has_byte(x, byte) && hides_older(x, l))
            return false;
    }
    return (uint8_t)(w->base >> 8 * byte) == value;
}

/* May a performed write-back be what became of the hart's waiting store? If
 * it is not known whose it is, MODEL_HOST stands there. */
static bool may_hold(const struct memory_model *m, const struct write *x,
                     const struct load *l)
{
    return x->update &&
           (x->hart == MODEL_HOST || domain_of(m, x->hart) == l->domain);
}

/*
 * With a store of its own waiting, what was performed is hidden from a hart
 * but for that store itself, if it was overwritten in its cache by what has
 * been written back since, and what came later.
 */
static bool possible_behind(const struct memory_model *m, const struct word *w,
                            unsigned byte, uint8_t value, const struct load *l,
                            const struct write *own)
{
    bool seen = false, hidden = false;
    for (uint32_t i = w->done.count; i-- > 0;) {
        const struct write *x = &w->done.writes[i];
        if (x->performed <= own->issued)
            return false;
        seen |= !hidden && has_value(x, byte, value) && !is_later(x, l);
        if (has_byte(x, byte) && seen && may_hold(m, x, l))
            return true;
        hidden |= has_byte(x, byte) && hides_older(x, l);
    }
    seen |= !hidden && (uint8_t)(w->base >> 8 * byte) == value;
    return seen && own->covered >> byte & 1 && w->since > own->issued;
}

static bool waiting_visible(const struct memory_model *m, const struct write *x,
                            unsigned byte, const struct load *l,
                            const struct write *own)
{
    if (l->domain == MODEL_NO_CACHE || domain_of(m, x->hart) != l->domain)
        return false;
    if (x->gone >> byte & 1 && x->covered_at < l->issued)
        return false;
    return x->hart != l->hart || x == own || x->atomic;
}

static bool byte_possible(const struct memory_model *m, const struct word *w,
                          unsigned byte, uint8_t value, const struct load *l)
{
    const struct write *own = own_waiting(w, byte, l);
    if (!own && performed_possible(w, byte, value, l))
        return true;
    for (uint32_t i = w->waiting.count; i-- > 0;) {
        const struct write *x = &w->waiting.writes[i];
        if (has_value(x, byte, value) && waiting_visible(m, x, byte, l, own))
            return true;
    }
    return own && possible_behind(m, w, byte, value, l, own);
}

static bool load_possible(const struct memory_model *m,
                          const struct check_record *r, const struct load *l)
{
    for (unsigned i = 0; i < r->size; i++) {
        uint64_t at = r->addr + i;
        uint8_t value = (uint8_t)(r->value >> 8 * i);
        const struct word *w = find_word(m, at);
        if (w ? !byte_possible(m, w, at % WORD, value, l)
              : m->config.memory[at] != value)
            return false;
    }
    return true;
}

/* ---- differences ---- */

static const struct write *last_performed(const struct word *w, unsigned byte)
{
    for (uint32_t i = w ? w->done.count : 0; i-- > 0;)
        if (has_byte(&w->done.writes[i], byte))
            return &w->done.writes[i];
    return NULL;
}

void model_writer(const struct memory_model *m, uint64_t address,
                  uint32_t *writer, uint64_t *cycle)
{
    const struct write *x =
        last_performed(find_word(m, address), address % WORD);
    *writer = x ? x->hart : MODEL_HOST;
    *cycle = x ? x->performed : 0;
}

/* The newest value, and by whom: the hart's own store or memory's. */
static void fill_expected(const struct memory_model *m, const struct load *l,
                          struct model_difference *d)
{
    const struct check_record *r = &d->record;
    d->expected = 0;
    model_writer(m, r->addr, &d->writer, &d->written);
    for (unsigned i = 0; i < r->size; i++) {
        uint64_t at = r->addr + i;
        uint8_t byte = m->config.memory[at];
        const struct word *w = find_word(m, at);
        const struct write *own = w ? own_waiting(w, at % WORD, l) : NULL;
        if (own) {
            byte = (uint8_t)(own->value >> 8 * (at % WORD));
            d->writer = own->hart;
            d->written = own->issued;
        }
        d->expected |= (uint64_t)byte << 8 * i;
    }
}

static bool differs(const struct memory_model *m, enum model_fault fault,
                    const struct check_record *r, const struct load *l,
                    struct model_difference *d)
{
    static const struct load none = {.hart = NOBODY};
    *d = (struct model_difference){.fault = fault, .record = *r};
    fill_expected(m, l ? l : &none, d);
    return false;
}

/* A store is missing: record is made of it as it was issued. */
static bool is_lost(const struct word *w, const struct write *x,
                    struct model_difference *d)
{
    unsigned first = (unsigned)__builtin_ctz(x->mask);
    *d = (struct model_difference){
        .fault = MODEL_LOST_STORE,
        .record = {.kind = CHECK_STORE,
                   .cycle = x->issued,
                   .hart = x->hart,
                   .addr = (w->number - 1) * WORD + first,
                   .size = (uint8_t)__builtin_popcount(x->mask),
                   .value = (x->value & bytes_of(x->mask)) >> 8 * first}};
    return false;
}

/* ---- records ---- */

static bool take_load(struct memory_model *m, const struct check_record *r,
                      struct model_difference *d)
{
    struct load l = {.hart = r->mask ? NOBODY : r->hart,
                     .domain = domain_of(m, r->hart),
                     .issued = r->issued,
                     .start = window(m, r->hart, r->issued)};
    m->counts.loads++;
    note_use(m, r->hart);
    if (load_possible(m, r, &l))
        return true;
    if (l.start < m->forgotten || l.issued < long_ago(m)) {
        m->counts.undecided++;
        return true;
    }
    return differs(m, MODEL_LOADED, r, &l, d);
}

static void add_waiting(struct memory_model *m, const struct check_record *r,
                        bool atomic)
{
    enum { CROWD = 64 };
    struct share shares[2];
    unsigned count = shares_of(r, shares);
    for (unsigned i = 0; i < count; i++) {
        struct write x = {.issued = r->cycle,
                          .value = shares[i].value,
                          .hart = r->hart,
                          .mask = shares[i].mask,
                          .atomic = atomic};
        struct word *w = make_word(m, shares[i].address);
        if (w->waiting.count >= CROWD && w->waiting.count == w->waiting.room)
            forget_waiting(m, &w->waiting);
        add_write(m, &w->waiting, &x);
        m->waiting[r->hart] += !atomic;
    }
    note_use(m, r->hart);
}

static bool take_store(struct memory_model *m, const struct check_record *r)
{
    bool atomic = r->unit != MODEL_NO_CACHE;
    m->counts.stores += !atomic;
    m->counts.atomics += atomic;
    add_waiting(m, r, atomic);
    return true;
}

static bool is_share(const struct write *x, const struct share *s)
{
    return x->mask == s->mask && !((x->value ^ s->value) & bytes_of(x->mask));
}

/*
 * The hart's store to bytes of the share that is performed next: the oldest.
 * If that is another, one that a write-back seemed to have taken along, but
 * was still to come.
 */
static uint32_t next_waiting(const struct list *l, const struct share *s,
                             uint32_t hart)
{
    uint32_t covered = l->count;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct write *x = &l->writes[i];
        if (x->atomic || x->hart != hart || !(x->mask & s->mask))
            continue;
        if (x->covered != x->mask)
            return is_share(x, s) || covered == l->count ? i : covered;
        if (is_share(x, s) && x->gone != x->mask && covered == l->count)
            covered = i;
    }
    return covered;
}

/* Stores of a hart to a byte are performed in their order. */
static bool perform_share(struct memory_model *m, const struct check_record *r,
                          const struct share *s, struct model_difference *d)
{
    struct word *w = find_word(m, s->address);
    uint32_t i = w ? next_waiting(&w->waiting, s, r->hart) : 0;
    if (!w || i == w->waiting.count)
        return differs(m, MODEL_WROTE, r, NULL, d);
    struct write x = w->waiting.writes[i];
    if (!is_share(&x, s))
        return is_lost(w, &x, d);
    m->waiting[r->hart] -= x.covered != x.mask;
    x.performed = r->cycle;
    remove_write(m, &w->waiting, i);
    perform(m, w, &x);
    return true;
}

static void perform_atomic(struct memory_model *m, const struct check_record *r,
                           const struct share *s)
{
    struct write x = {.performed = r->cycle,
                      .issued = r->cycle,
                      .value = s->value,
                      .hart = r->hart,
                      .mask = s->mask,
                      .atomic = true};
    perform(m, make_word(m, s->address), &x);
}

static bool take_performed(struct memory_model *m, const struct check_record *r,
                           struct model_difference *d)
{
    struct share shares[2];
    unsigned count = shares_of(r, shares);
    m->counts.atomics += r->mask;
    for (unsigned i = 0; i < count; i++) {
        if (r->mask)
            perform_atomic(m, r, &shares[i]);
        else if (!perform_share(m, r, &shares[i], d))
            return false;
    }
    return true;
}

/*
 * Where a byte of a write-back may come from. The owner does not know whose
 * write-back it performs; if several caches have stored the value, whose is
 * over is not decided.
 */
struct origin {
    uint32_t store;  /* the oldest, in the word's list */
    uint32_t domain; /* MODEL_NO_CACHE: of one of several */
    bool found;
};

static struct origin origin_of(const struct memory_model *m,
                               const struct list *l, unsigned byte,
                               const struct check_record *r)
{
    struct origin o = {.found = false};
    uint8_t value = (uint8_t)(r->value >> 8 * byte);
    bool known = r->unit != MODEL_NO_CACHE;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct write *x = &l->writes[i];
        uint32_t domain = domain_of(m, x->hart);
        if (x->gone >> byte & 1 || !has_value(x, byte, value) ||
            (known && domain != m->domain[r->unit]))
            continue;
        if (!o.found)
            o = (struct origin){i, domain, true};
        else if (domain != o.domain)
            o.domain = MODEL_NO_CACHE;
    }
    return o;
}

/* Is an earlier store over, together with the origin? The hart's own; others
 * may reach the cache in another order than they were issued. */
static bool ends_with(const struct memory_model *m, const struct write *x,
                      const struct write *origin)
{
    uint64_t late =
        x->hart == origin->hart && !x->atomic ? 0 : m->config.longest;
    return x == origin || x->issued + late < origin->issued;
}

/*
 * Stores of the cache that wrote the byte back are over, or may have been
 * overwritten there, or are still to come.
 */
static void cover(struct memory_model *m, struct list *l, unsigned byte,
                  struct origin o, const struct check_record *r)
{
    bool over = o.domain != MODEL_NO_CACHE && r->unit == MODEL_NO_CACHE;
    uint8_t bit = (uint8_t)(1u << byte);
    for (uint32_t i = 0; i < l->count; i++) {
        struct write *x = &l->writes[i];
        if (!has_byte(x, byte) ||
            (o.domain != MODEL_NO_CACHE && domain_of(m, x->hart) != o.domain))
            continue;
        bool whole = x->covered == x->mask;
        x->covered |= bit;
        x->covered_at = r->cycle;
        if (over && ends_with(m, x, &l->writes[o.store]))
            x->gone |= bit;
        if (!whole && x->covered == x->mask && !x->atomic)
            m->waiting[x->hart]--;
    }
}

/* What the host has been shown before, or has been performed just now, and
 * still is there, changes nothing. */
static bool is_shown(const struct memory_model *m, const struct word *w,
                     unsigned byte, struct origin o,
                     const struct check_record *r)
{
    uint8_t value = m->config.memory[r->addr + byte];
    return r->unit != MODEL_NO_CACHE &&
           (uint8_t)(r->value >> 8 * byte) == value &&
           (!o.found || w->waiting.writes[o.store].covered >> byte & 1);
}

/* One write for the bytes that come from the same store. */
static void perform_update(struct memory_model *m, struct word *w,
                           const struct check_record *r, uint8_t mask,
                           const struct origin origins[WORD])
{
    for (unsigned i = 0; mask; i++) {
        if (!(mask >> i & 1))
            continue;
        struct write x = w->waiting.writes[origins[i].store];
        x.mask = 0;
        for (unsigned k = i; k < WORD; k++)
            if (mask >> k & 1 && origins[k].store == origins[i].store &&
                origins[k].domain == origins[i].domain)
                x.mask |= (uint8_t)(1u << k);
        mask &= (uint8_t)~x.mask;
        x.performed = r->cycle;
        x.value = r->value;
        x.update = true;
        if (origins[i].domain == MODEL_NO_CACHE)
            x.hart = MODEL_HOST;
        perform(m, w, &x);
    }
}

/* By the owner, or, for the host to see, by the cache that keeps it dirty. */
static bool take_updated(struct memory_model *m, const struct check_record *r,
                         struct model_difference *d)
{
    struct word *w = find_word(m, r->addr);
    struct origin origins[WORD];
    uint8_t mask = r->mask;
    for (unsigned i = 0; i < WORD; i++) {
        if (!(r->mask >> i & 1))
            continue;
        origins[i] = (struct origin){.found = false};
        if (w)
            origins[i] = origin_of(m, &w->waiting, i, r);
        if (is_shown(m, w, i, origins[i], r))
            mask &= (uint8_t) ~(1u << i);
        else if (!origins[i].found)
            return differs(m, MODEL_WROTE, r, NULL, d);
    }
    perform_update(m, w, r, mask, origins);
    for (unsigned i = 0; i < WORD; i++)
        if (r->mask >> i & 1 && origins[i].found)
            cover(m, &w->waiting, i, origins[i], r);
    return true;
}

/*
 * Where atomics are performed in a cache with copies their value may be as old
 * as a load's; when they were issued is not known.
 */
static bool take_old(struct memory_model *m, const struct check_record *r,
                     struct model_difference *d)
{
    bool copy = r->unit != MODEL_NO_CACHE;
    struct load l = {.hart = NOBODY,
                     .domain = copy ? domain_of(m, r->hart) : MODEL_NO_CACHE,
                     .issued = r->cycle,
                     .start =
                         copy ? window(m, r->hart, long_ago(m)) : r->cycle};
    if (copy)
        note_use(m, r->hart);
    if (load_possible(m, r, &l))
        return true;
    if (copy && l.start < m->forgotten) {
        m->counts.undecided++;
        return true;
    }
    return differs(m, MODEL_OLD, r, NULL, d);
}

bool model_take(struct memory_model *m, const struct check_record *r,
                struct model_difference *d)
{
    m->now = r->cycle;
    if (m->writes >= m->sweep_at)
        sweep(m);
    switch ((enum check_kind)r->kind) {
    case CHECK_STORE:
        return take_store(m, r);
    case CHECK_LOAD:
        return take_load(m, r, d);
    case CHECK_PERFORMED:
        return take_performed(m, r, d);
    case CHECK_UPDATED:
        return take_updated(m, r, d);
    case CHECK_OLD:
        return take_old(m, r, d);
    case CHECK_DROPPED:
        if (r->unit != MODEL_NO_CACHE && !r->size)
            dropped(m, r->unit, r->cycle);
        return true;
    }
    return true;
}

/* ---- the host ---- */

void model_launched(struct memory_model *m, uint64_t cycle)
{
    m->launched = cycle;
    for (uint32_t c = 0; c < m->config.caches; c++)
        add_drop(&m->caches[c], cycle - 1, cycle - 1);
}

void model_host_write(struct memory_model *m, uint64_t cycle, uint64_t address,
                      const uint8_t *data, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes;) {
        struct check_record r = {.addr = address + i, .size = 1};
        while (r.size < WORD - r.addr % WORD && i + r.size < bytes)
            r.size++;
        memcpy(&r.value, data + i, r.size);
        i += r.size;
        if (!memcmp(&r.value, m->config.memory + r.addr, r.size))
            continue;
        struct share s[2];
        shares_of(&r, s);
        struct write x = {.performed = cycle,
                          .issued = cycle,
                          .value = s[0].value,
                          .hart = MODEL_HOST,
                          .mask = s[0].mask};
        perform(m, make_word(m, r.addr), &x);
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
    return is_lost(where, lost, d);
}
