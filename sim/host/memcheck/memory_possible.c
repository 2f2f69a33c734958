/*
 * What a load may return, byte by byte: performed writes from the start of its
 * window on, stores of its own first cache that are still to be performed, and
 * nothing that its hart's own stores hide.
 */
#include "sim/host/memcheck/memory_model_private.h"

/* Has a later store of the hart to the byte been performed, and before the load
 * in the program? Then this one was, too, though which of those of one value a
 * cache wrote back is not known. */
static bool overtaken(const struct word *w, unsigned byte,
                      const struct write *x, const struct load *l)
{
    for (uint32_t i = w->done.count; i-- > 0;) {
        const struct write *y = &w->done.writes[i];
        if (has_byte(y, byte) && y->hart == x->hart && !y->atomic &&
            !y->update && y->issued > x->issued && y->issued < l->issued)
            return true;
    }
    return false;
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
            return overtaken(w, byte, x, l) ? NULL : x;
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

bool load_possible(const struct memory_model *m, const struct check_record *r,
                   const struct load *l)
{
    for (unsigned i = 0; i < r->size; i++) {
        uint64_t at = r->addr + i;
        uint8_t value = (uint8_t)(r->value >> 8 * i);
        const struct word *w = word_find(m, at);
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
        last_performed(word_find(m, address), address % WORD);
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
        const struct word *w = word_find(m, at);
        const struct write *own = w ? own_waiting(w, at % WORD, l) : NULL;
        if (own) {
            byte = (uint8_t)(own->value >> 8 * (at % WORD));
            d->writer = own->hart;
            d->written = own->issued;
        }
        d->expected |= (uint64_t)byte << 8 * i;
    }
}

bool model_differs(const struct memory_model *m, enum model_fault fault,
                   const struct check_record *r, const struct load *l,
                   struct model_difference *d)
{
    static const struct load none = {.hart = NO_HART};
    *d = (struct model_difference){.fault = fault, .record = *r};
    fill_expected(m, l ? l : &none, d);
    return false;
}

/* A store is missing: record is made of it as it was issued. */
bool model_lost(const struct word *w, const struct write *x,
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
