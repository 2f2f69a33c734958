/*
 * A store from its issue to memory: it waits in its word until the owner
 * performs it, alone or as bytes of a write-back, which does not say whose they
 * are.
 */
#include "sim/host/memcheck/memory_model_private.h"

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
        struct word *w = word_make(m, shares[i].address);
        if (w->waiting.count >= CROWD && w->waiting.count == w->waiting.room)
            reach_forget_waiting(m, &w->waiting);
        write_add(m, &w->waiting, &x);
        m->waiting[r->hart] += !atomic;
    }
    reach_use(m, r->hart);
}

bool store_issued(struct memory_model *m, const struct check_record *r)
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
    struct word *w = word_find(m, s->address);
    uint32_t i = w ? next_waiting(&w->waiting, s, r->hart) : 0;
    if (!w || i == w->waiting.count)
        return model_differs(m, MODEL_WROTE, r, NULL, d);
    struct write x = w->waiting.writes[i];
    if (!is_share(&x, s))
        return model_lost(w, &x, d);
    m->waiting[r->hart] -= x.covered != x.mask;
    x.performed = r->cycle;
    write_remove(m, &w->waiting, i);
    word_perform(m, w, &x);
    return true;
}

/* A write that is performed as it is issued: of an atomic, or of the host. */
static void perform_now(struct memory_model *m, const struct check_record *r,
                        const struct share *s)
{
    struct write x = {.performed = r->cycle,
                      .issued = r->cycle,
                      .value = s->value,
                      .hart = r->hart,
                      .mask = s->mask,
                      .atomic = r->mask};
    word_perform(m, word_make(m, s->address), &x);
}

void store_by_host(struct memory_model *m, const struct check_record *r)
{
    struct share shares[2];
    unsigned count = shares_of(r, shares);
    for (unsigned i = 0; i < count; i++)
        perform_now(m, r, &shares[i]);
}

bool store_performed(struct memory_model *m, const struct check_record *r,
                     struct model_difference *d)
{
    struct share shares[2];
    unsigned count = shares_of(r, shares);
    m->counts.atomics += r->mask;
    for (unsigned i = 0; i < count; i++) {
        if (r->mask)
            perform_now(m, r, &shares[i]);
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
        word_perform(m, w, &x);
    }
}

/* By the owner, or, for the host to see, by the cache that keeps it dirty. */
bool store_written_back(struct memory_model *m, const struct check_record *r,
                        struct model_difference *d)
{
    struct word *w = word_find(m, r->addr);
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
            return model_differs(m, MODEL_WROTE, r, NULL, d);
    }
    perform_update(m, w, r, mask, origins);
    for (unsigned i = 0; i < WORD; i++)
        if (r->mask >> i & 1 && origins[i].found)
            cover(m, &w->waiting, i, origins[i], r);
    return true;
}
