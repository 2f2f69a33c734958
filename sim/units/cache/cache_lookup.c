/*
 * What each request does at the end of its bank: the probe (cache_private.h)
 * says what it finds, its kind what becomes of it. docs/reference/caches.md has
 * it as a table.
 */
#include "sim/units/cache/cache_private.h"

/* ---- loads ---- */

/* A load that misses and shall leave no copy. The owner captures the answer
 * now, in the order of requests, and gives it when memory has answered. */
static enum verdict pass_by(struct cache *c, const struct msg *m)
{
    if (!cache_may_pass(c, m))
        return NO_ROOM;
    c->stats.bypassed++;
    work_missed(c->machine, &c->unit, m);
    if (c->owner)
        cache_pass_by(c, m);
    else
        cache_pass_on(c, m);
    return LOOKED_UP;
}

static enum verdict miss(struct cache *c, struct probe p, const struct msg *m)
{
    bool some = p.line && p.line->partial & p.bit;
    if (m->flags & MEM_BYPASS && m->op == MEM_READ && !some)
        return pass_by(c, m);
    return cache_fetch(c, p.line, m);
}

static enum verdict hit(struct cache *c, struct probe p, const struct msg *m)
{
    struct line *l = p.line;
    store_touch(&c->store, l);
    if (l->ahead & p.bit)
        cache_ahead_used(c, l, p.bit);
    CACHE_SHADOWS(c, shadow_use, line_number(&c->store, l->base), p.bit);
    c->stats.hits += m->op == MEM_READ;
    cache_perform(c, m, l, 0);
    return LOOKED_UP;
}

/* Looks up a load, or an atomic where it is performed. */
static inline enum verdict look_up_load(struct cache *c, const struct msg *m)
{
    struct probe p = cache_probe(c, m);
    switch (p.says) {
    case SAYS_HIT:
        return hit(c, p, m);
    case SAYS_JOIN:
        cache_join(c, p, m);
        return LOOKED_UP;
    case SAYS_STAND:
        return p.stand;
    default:
        return miss(c, p, m);
    }
}

/* What an atomic writes goes below when it is evicted, or through at once. */
static enum verdict perform_atomic(struct cache *c, const struct msg *m)
{
    if (!c->writes_back && !room_below(c))
        return NO_ROOM;
    return look_up_load(c, m);
}

/* ---- stores ---- */

/*
 * Tells whether the bytes written stay here: stores that miss take a line or
 * pass by.
 */
static bool stays(const struct cache *c, struct probe p, const struct msg *m)
{
    if (p.line && (p.line->valid | p.line->partial) & p.bit)
        return true;
    return c->allocate && !(m->flags & MEM_BYPASS);
}

/* The line is there, or gets a way. */
static enum verdict have_line(struct cache *c, struct probe *p,
                              const struct msg *m)
{
    if (!p->line && !room_below(c))
        return NO_ROOM;
    if (!p->line && !(p->line = cache_allocate(c, m->addr)))
        return NO_WAY;
    store_touch(&c->store, p->line);
    CACHE_SHADOWS(c, shadow_use, line_number(&c->store, p->line->base), 0);
    return LOOKED_UP;
}

/* A copy that writes through takes the bytes written. */
static void write_into(struct cache *c, struct probe p, const struct msg *m)
{
    struct payload bytes = {{0}};
    if (m->flags & MSG_PAYLOAD)
        bytes = *unit_payload(&c->unit, m->value);
    else
        memcpy(bytes.bytes + m->addr % SECTOR, &m->value, m->size);
    cache_merge(c, p.line, p.piece, m->op == MEM_UPDATE ? m->tag : byte_mask(m),
                bytes.bytes);
}

/* In a copy that writes through, the bytes go below and into the copy. */
static enum verdict store_through(struct cache *c, struct probe *p,
                                  const struct msg *m)
{
    bool pending = probe_pending(*p);
    /* An atomic may wait for it, which is older and has not written yet. */
    if (pending && c->performs)
        return MUST_WAIT;
    if (!cache_may_pass(c, m))
        return NO_ROOM;
    if (c->reserved)
        cache_lose_reservations(c, m);
    if (pending) {
        p->line->stale |= p->bit;
    } else if (stays(c, *p, m)) {
        enum verdict v = have_line(c, p, m);
        if (v != LOOKED_UP)
            return v;
        write_into(c, *p, m);
    }
    cache_pass_on(c, m);
    return LOOKED_UP;
}

/* A store that leaves nothing here goes below. */
static enum verdict store_past(struct cache *c, const struct msg *m)
{
    if (c->owner ? !room_below(c) : !cache_may_pass(c, m))
        return NO_ROOM;
    if (c->owner)
        cache_perform(c, m, NULL, 0);
    else
        cache_pass_on(c, m);
    return LOOKED_UP;
}

/* Looks up a store, or a write-back of a cache above. */
static enum verdict look_up_store(struct cache *c, const struct msg *m)
{
    struct probe p = cache_probe(c, m);
    if (!c->owner && !c->writes_back)
        return store_through(c, &p, m);
    if (p.says == SAYS_STAND)
        return p.stand;
    if (p.says == SAYS_JOIN) {
        cache_join(c, p, m);
        return LOOKED_UP;
    }
    if (!stays(c, p, m))
        return store_past(c, m);
    if (c->owner && !c->writes_back && !room_below(c))
        return NO_ROOM;
    enum verdict v = have_line(c, &p, m);
    if (v == LOOKED_UP)
        cache_perform(c, m, p.line, 0);
    return v;
}

/* ---- atomics that are performed below ---- */

/* What is dirty goes first, and the copy is out of date afterwards. */
static enum verdict pass_atomic(struct cache *c, const struct msg *m)
{
    struct probe p = cache_probe(c, m);
    struct line *l = p.line;
    bool pending = probe_pending(p);
    if (!cache_may_pass(c, m))
        return NO_ROOM;
    if (pending && c->writes_back)
        return MUST_WAIT;
    if (pending) {
        l->stale |= p.bit;
    } else if (l) {
        if (l->dirty & p.bit)
            cache_write_back(c, l, p.piece);
        cache_drop(c, l, p.bit);
    }
    if (l)
        cache_note_dropped(c, l->base + p.piece * SECTOR, SECTOR);
    cache_pass_on(c, m);
    return LOOKED_UP;
}

/* ---- cache-block operations ---- */

/* The block's sector of the address, as a request of its own. */
static struct probe probe_sector(const struct cache *c, uint64_t address)
{
    struct msg sector = {.addr = address, .size = SECTOR};
    return cache_probe(c, &sector);
}

static void do_block(struct cache *c, struct probe p, uint8_t operation)
{
    if (p.line->dirty & p.bit)
        cache_write_back(c, p.line, p.piece);
    if (operation != BLOCK_CLEAN)
        cache_drop(c, p.line, p.bit);
}

static void answer_done(struct cache *c, const struct msg *m)
{
    struct msg reply = {
        .op = MEM_DONE, .addr = m->addr, .tag = m->tag, .from = m->from};
    trip_goes_on(&reply, m);
    cache_answer(c, m->when, &reply, NULL);
}

static enum verdict look_up_block(struct cache *c, const struct msg *m)
{
    uint64_t first = m->addr & ~(uint64_t)(SECTOR - 1);
    uint64_t end = m->addr + m->size;
    for (uint64_t a = first; a < end; a += SECTOR) {
        struct probe p = probe_sector(c, a);
        if (probe_pending(p))
            return MUST_WAIT;
    }
    if (!cache_may_pass(c, m))
        return NO_ROOM;
    for (uint64_t a = first; a < end; a += SECTOR) {
        struct probe p = probe_sector(c, a);
        if (p.line)
            do_block(c, p, m->aux);
    }
    if (m->aux != BLOCK_CLEAN)
        cache_note_dropped(c, m->addr, m->size);
    if (c->owner)
        answer_done(c, m);
    else
        cache_pass_on(c, m);
    return LOOKED_UP;
}

/* ---- all ---- */

/* The store may be the one that is answered and forgotten. */
static enum verdict look_up_write(struct cache *c, const struct msg *m)
{
    if (!c->fault || !cache_fails(c, LOST_STORE))
        return look_up_store(c, m);
    if (m->flags & MSG_PAYLOAD)
        msg_payload(&c->unit, m);
    answer_done(c, m);
    return LOOKED_UP;
}

/*
 * This is kept apart, so that loads need not save the registers that it uses.
 */
static __attribute__((noinline)) enum verdict look_up_other(struct cache *c,
                                                            const struct msg *m)
{
    switch (m->op) {
    case MEM_WRITE:
        return look_up_write(c, m);
    case MEM_UPDATE:
        return look_up_store(c, m);
    case MEM_ATOMIC:
        return c->performs ? perform_atomic(c, m) : pass_atomic(c, m);
    case MEM_BLOCK:
        return look_up_block(c, m);
    default:
        return cache_begin_fence(c, m->when, m);
    }
}

enum verdict cache_look_up(struct cache *c, const struct msg *m)
{
    return m->op == MEM_READ ? look_up_load(c, m) : look_up_other(c, m);
}
