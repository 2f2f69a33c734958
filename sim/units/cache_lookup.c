/*
 * What each request does at the end of its bank. docs/caches.md has it as a
 * table.
 */
#include "sim/units/cache_private.h"

/* ---- passing on ---- */

static uint16_t take_passed(struct cache *c, uint32_t port, const struct msg *m)
{
    uint16_t index = c->free_passed;
    struct passed *p = &c->passed[index];
    c->free_passed = p->next_free;
    c->passed_used++;
    p->port = (uint16_t)port;
    p->tag = m->tag;
    p->from = (uint32_t)m->from;
    return index;
}

static bool may_pass(const struct cache *c)
{
    return c->free_passed != NO_ENTRY && room_below(c);
}

/* An lr may wait long for its turn: each hart has an entry of its own for it,
 * and takes none from those that the turn has to wait for. */
static bool may_pass_atomic(const struct cache *c, const struct msg *m)
{
    if (m->aux != ISA_LR)
        return may_pass(c);
    return !c->reserving[m->from].next_free && room_below(c);
}

static uint32_t take_reserving(struct cache *c, uint32_t port,
                               const struct msg *m)
{
    c->reserving[m->from] = (struct passed){
        .port = (uint16_t)port, .next_free = 1, .tag = m->tag, .from = m->from};
    c->passed_used++;
    return TAG_RESERVING | (uint32_t)m->from;
}

/* The levels below that shall not keep the data are one fewer. */
static uint8_t flags_below(const struct msg *m)
{
    uint8_t bypass = m->flags & MEM_BYPASS;
    return (uint8_t)((m->flags & MSG_PAYLOAD) | (bypass ? bypass - 1 : 0));
}

/* The request goes on as it is; its answer will be sent up. */
static void pass_on(struct cache *c, uint32_t port, const struct msg *m)
{
    bool reserves = m->op == MEM_ATOMIC && m->aux == ISA_LR;
    uint32_t index =
        reserves ? take_reserving(c, port, m) : take_passed(c, port, m);
    struct msg on = *m;
    on.flags = flags_below(m);
    if (m->op == MEM_UPDATE)
        on.from = FROM_PASSED | index;
    else
        on.tag = m->op == MEM_READ ? TAG_PASSED | index : index;
    push_below(c, &on);
}

/* ---- loads ---- */

/*
 * A load that misses and shall leave no copy. The owner captures the answer
 * now, in the order of requests, and gives it when memory has answered.
 */
static enum verdict pass_by(struct cache *c, uint32_t port, const struct msg *m)
{
    if (!may_pass(c))
        return NO_ROOM;
    c->stats.bypassed++;
    if (!c->owner) {
        pass_on(c, port, m);
        return LOOKED_UP;
    }
    uint16_t index = take_passed(c, port, m);
    c->captured[index] = cache_capture(c, m);
    struct msg fetch = {.op = MEM_FILL,
                        .addr = m->addr & ~(uint64_t)(SECTOR - 1),
                        .from = m->from,
                        .size = SECTOR,
                        .tag = TAG_PASSED | index};
    push_below(c, &fetch);
    return LOOKED_UP;
}

static enum verdict miss(struct cache *c, struct line *l, uint32_t piece,
                         const struct msg *m)
{
    bool some = l && l->partial >> piece & 1;
    if (m->flags & MEM_BYPASS && m->op == MEM_READ && !some)
        return pass_by(c, port_of(m), m);
    return cache_fetch(c, l, m);
}

/* Loads, and atomics where they are performed. */
static enum verdict look_up_load(struct cache *c, const struct msg *m,
                                 struct line *l)
{
    uint32_t piece = piece_of(c, m->addr);
    if (!l)
        l = cache_find_in_set(c, set_of(c, likely_of(c, m)), m->addr);
    if (!l)
        return miss(c, l, piece, m);
    if (l->pending >> piece & 1)
        return cache_join(c, l, piece, m);
    if (!has_bytes(c, l, piece, m))
        return miss(c, l, piece, m);
    cache_touch(c, l);
    if (l->ahead >> piece & 1)
        cache_ahead_used(c, l, (uint8_t)(1u << piece));
    if (c->shadow)
        shadow_use(c->shadow, line_number(c, l->base), (uint8_t)(1u << piece));
    c->stats.hits += m->op == MEM_READ;
    cache_perform(c, m, l, 0);
    return LOOKED_UP;
}

/* What an atomic writes goes below by and by, or through at once. */
static enum verdict perform_atomic(struct cache *c, const struct msg *m)
{
    if (!c->back && !room_below(c))
        return NO_ROOM;
    return look_up_load(c, m, NULL);
}

/* ---- stores ---- */

/* Do the bytes written stay here? Stores that miss take a line or pass by. */
static bool stays(const struct cache *c, const struct line *l, uint32_t piece,
                  const struct msg *m)
{
    if (l && (l->valid | l->partial) >> piece & 1)
        return true;
    return c->allocate && !(m->flags & MEM_BYPASS);
}

/* The line is there, or gets a way. */
static enum verdict have_line(struct cache *c, struct line **l,
                              const struct msg *m)
{
    if (!*l && !room_below(c))
        return NO_ROOM;
    if (!*l && !(*l = cache_allocate(c, m->addr)))
        return NO_WAY;
    cache_touch(c, *l);
    if (c->shadow)
        shadow_use(c->shadow, line_number(c, (*l)->base), 0);
    return LOOKED_UP;
}

/* A copy that writes through: the bytes go below, and into the copy. */
static enum verdict store_through(struct cache *c, uint32_t port,
                                  const struct msg *m, struct line *l)
{
    uint32_t piece = piece_of(c, m->addr);
    uint8_t bit = (uint8_t)(1u << piece);
    /* An atomic may wait for it, which is older and has not written yet. */
    if (l && l->pending & bit && c->performs)
        return MUST_WAIT;
    if (!may_pass(c))
        return NO_ROOM;
    if (c->reserved)
        cache_lose_reservations(c, m);
    if (l && l->pending & bit) {
        l->stale |= bit;
    } else if (stays(c, l, piece, m)) {
        enum verdict v = have_line(c, &l, m);
        if (v != LOOKED_UP)
            return v;
        struct payload bytes = {{0}};
        if (m->op == MEM_UPDATE)
            bytes = c->unit.tile->payloads[m->value];
        else
            memcpy(bytes.bytes + m->addr % SECTOR, &m->value, m->size);
        cache_merge(c, l, piece, m->op == MEM_UPDATE ? m->tag : byte_mask(m),
                    bytes.bytes);
    }
    pass_on(c, port, m);
    return LOOKED_UP;
}

/* Stores and the write-backs of caches above. */
static enum verdict look_up_store(struct cache *c, uint32_t port,
                                  const struct msg *m)
{
    struct line *l = cache_find_line(c, m->addr);
    uint32_t piece = piece_of(c, m->addr);
    if (!c->owner && !c->back)
        return store_through(c, port, m, l);
    if (l && l->pending >> piece & 1)
        return cache_join(c, l, piece, m);
    if (!stays(c, l, piece, m)) {
        if (c->owner ? !room_below(c) : !may_pass(c))
            return NO_ROOM;
        if (c->owner)
            cache_perform(c, m, NULL, 0);
        else
            pass_on(c, port, m);
        return LOOKED_UP;
    }
    if (c->owner && !c->back && !room_below(c))
        return NO_ROOM;
    enum verdict v = have_line(c, &l, m);
    if (v == LOOKED_UP)
        cache_perform(c, m, l, 0);
    return v;
}

/* ---- atomics that are performed below ---- */

/* What is dirty goes first, and the copy is out of date afterwards. */
static enum verdict pass_atomic(struct cache *c, uint32_t port,
                                const struct msg *m)
{
    struct line *l = cache_find_line(c, m->addr);
    uint32_t piece = piece_of(c, m->addr);
    uint8_t bit = (uint8_t)(1u << piece);
    if (!may_pass_atomic(c, m))
        return NO_ROOM;
    if (l && l->pending & bit && c->back)
        return MUST_WAIT;
    if (l && l->pending & bit)
        l->stale |= bit;
    else if (l) {
        if (l->dirty & bit)
            cache_write_back(c, l, piece);
        cache_drop(c, l, bit);
    }
    if (l)
        cache_note_dropped(c, l->base + piece * SECTOR, SECTOR);
    pass_on(c, port, m);
    return LOOKED_UP;
}

/* ---- cache-block operations ---- */

static void do_block(struct cache *c, struct line *l, uint32_t piece,
                     uint8_t operation)
{
    uint8_t bit = (uint8_t)(1u << piece);
    if (l->dirty & bit)
        cache_write_back(c, l, piece);
    if (operation != BLOCK_CLEAN)
        cache_drop(c, l, bit);
}

static enum verdict look_up_block(struct cache *c, uint32_t port,
                                  const struct msg *m)
{
    uint64_t first = m->addr & ~(uint64_t)(SECTOR - 1);
    uint64_t end = m->addr + m->size;
    for (uint64_t a = first; a < end; a += SECTOR) {
        const struct line *l = cache_find_line(c, a);
        if (l && l->pending >> piece_of(c, a) & 1)
            return MUST_WAIT;
    }
    if (!may_pass(c))
        return NO_ROOM;
    for (uint64_t a = first; a < end; a += SECTOR) {
        struct line *l = cache_find_line(c, a);
        if (l)
            do_block(c, l, piece_of(c, a), m->aux);
    }
    if (m->aux != BLOCK_CLEAN)
        cache_note_dropped(c, m->addr, m->size);
    if (!c->owner) {
        pass_on(c, port, m);
        return LOOKED_UP;
    }
    struct msg reply = {
        .op = MEM_DONE, .addr = m->addr, .tag = m->tag, .from = m->from};
    cache_answer(c, port, &reply, NULL);
    return LOOKED_UP;
}

/* ---- all ---- */

/* The store that is answered and forgotten. */
static enum verdict lose(struct cache *c, uint32_t port, const struct msg *m)
{
    struct msg reply = {
        .op = MEM_DONE, .addr = m->addr, .tag = m->tag, .from = m->from};
    cache_answer(c, port, &reply, NULL);
    return LOOKED_UP;
}

/* Kept apart, so that loads need not save the registers that it uses. */
static __attribute__((noinline)) enum verdict look_up_other(struct cache *c,
                                                            const struct msg *m)
{
    uint32_t port = port_of(m);
    switch (m->op) {
    case MEM_WRITE:
        if (c->fault && cache_fails(c, LOST_STORE))
            return lose(c, port, m);
        return look_up_store(c, port, m);
    case MEM_UPDATE:
        return look_up_store(c, port, m);
    case MEM_ATOMIC:
        return c->performs ? perform_atomic(c, m) : pass_atomic(c, port, m);
    case MEM_BLOCK:
        return look_up_block(c, port, m);
    default:
        return cache_begin_fence(c, port, m);
    }
}

enum verdict cache_look_up(struct cache *c, const struct msg *m, struct line *l)
{
    return m->op == MEM_READ ? look_up_load(c, m, l) : look_up_other(c, m);
}
