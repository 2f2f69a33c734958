/*
 * How far back loads see: a copy in a cache is no older than the last time that
 * the cache dropped its copies, and what it fetched no older than the copies
 * below. Writes that no load to come can see are forgotten.
 */
#include "sim/core/heap.h"
#include "sim/host/memcheck/memory_model_private.h"
#include <stdlib.h>
#include <string.h>

void reach_add_drop(struct cache *c, uint64_t cycle, uint64_t start)
{
    if (c->count == c->room)
        c->drops = model_grown(c->drops, &c->room, sizeof *c->drops);
    c->drops[c->count++] = (struct drop){cycle, start};
}

/* How old a copy may be that a load meets which is issued in this cycle. */
uint64_t reach_start(const struct memory_model *m, uint32_t hart,
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

/* What a cache has fetched is no older than what is below was. */
void reach_drop(struct memory_model *m, uint32_t cache, uint64_t cycle)
{
    uint64_t start = cycle;
    for (uint32_t d = 0; d < m->config.caches; d++) {
        const struct cache *below = &m->caches[d];
        if (fetches_from(m, cache, d) &&
            below->drops[below->count - 1].start < start)
            start = below->drops[below->count - 1].start;
    }
    reach_add_drop(&m->caches[cache], cycle, start);
}

/* ---- forgetting ---- */

static void note_use_of(struct memory_model *m, uint32_t cache)
{
    m->caches[cache].last_use = m->now;
    for (uint32_t d = 0; d < m->config.caches; d++)
        if (fetches_from(m, cache, d))
            note_use_of(m, d);
}

void reach_use(struct memory_model *m, uint32_t hart)
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

/* How far back any load to come may see. A cache that was not used for as long
 * as an access can take, or since it dropped its copies, has no old ones. */
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

void reach_forget_waiting(struct memory_model *m, struct list *l)
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
        reach_forget_waiting(m, &m->words[i].waiting);
    }
}

/* Forgets what is out of reach. If too much is left, half of the remaining time
 * is forgotten, again and again: loads that reach further back than that cannot
 * be decided any more. */
void reach_sweep(struct memory_model *m)
{
    uint64_t reach = oldest_reach(m), most = m->config.history;
    forget(m, reach);
    while (m->writes > most / 2 && reach + 1 < m->now) {
        reach += (m->now - reach) / 2;
        m->forgotten = reach;
        forget(m, reach);
    }
    words_rehash(m, m->room);
    m->sweep_at = 2 * m->writes > 1 << 16 ? 2 * m->writes : 1 << 16;
    if (m->sweep_at > most)
        m->sweep_at = most;
}
