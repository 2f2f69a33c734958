/*
 * Reservations (lr, sc) where atomics are performed, and turns: why every loop
 * of lr and sc succeeds in the end.
 *
 * A hart has a reservation of its own, however many harts there are; it lasts
 * until another writes to the sector. So the first sc after a write whose lr
 * was after it, too, succeeds: not all of them can fail for ever.
 *
 * With the lr it also gets a turn of `hold` cycles. The lr of others for that
 * sector wait meanwhile, first come first served; the hart's own do not, so
 * that a comparison that fails can be tried again with the new value. A turn
 * ends when the hart's sc succeeds, when it reserves something else, or when
 * its time is over; then the next lr is looked up. Reservations outlive turns.
 * An sc that comes too late doubles the length of turns until the next kernel:
 * in the end they are long enough for all, and each hart succeeds in its own.
 * Loads, stores and other atomics do not wait for turns.
 */
#include "sim/units/cache_private.h"

#define HOLD_MOST 65536u /* cycles */

/* A sector that harts have reserved or wait to reserve. Harts and sectors are
 * numbered from 1, as all begins zeroed: 0 is none. */
struct reserved {
    uint64_t sector;
    uint64_t until;         /* end of the turn */
    uint32_t holder;        /* whose turn it is */
    uint32_t members;       /* list of the harts with a reservation */
    struct list waiting;    /* lr */
    uint32_t next;          /* with the same hash; of free ones: the next */
    uint32_t sooner, later; /* turns by their ends; sooner of the first: 0 */
};

/* A hart has to do with one sector at a time. */
struct claim {
    uint32_t sector;       /* reserved, or its turn */
    uint32_t before, next; /* in members */
    bool reserved;         /* it is in members */
};

struct reservations {
    struct reserved *sectors; /* [harts + 1] */
    struct claim *claims;     /* [harts + 1] */
    uint32_t *table;          /* [mask + 1]: sectors by hash */
    uint32_t mask;
    uint32_t used, free;      /* of sectors: ever used; list */
    uint32_t soonest, latest; /* turns */
    uint64_t hold, since;     /* of params, or doubled in that cycle */
};

#define STATE_STRUCT struct reservations
static const struct state_row pointers[] = {
    STATE_POINTER(table), STATE_POINTER(sectors), STATE_POINTER(claims)};

void cache_take_reservations(struct cache *c)
{
    struct chip *chip = c->unit.chip;
    size_t harts = cache_harts(c);
    struct reservations *r = chip_alloc(chip, 1, sizeof *r);
    for (r->mask = 63; r->mask < harts; r->mask = 2 * r->mask + 1)
        ;
    r->table = chip_alloc(chip, (size_t)r->mask + 1, sizeof *r->table);
    r->sectors = chip_alloc(chip, harts + 1, sizeof *r->sectors);
    r->claims = chip_alloc(chip, harts + 1, sizeof *r->claims);
    r->hold = (uint64_t)c->params.hold;
    c->reservations = r;
    chip_pointers(chip, r, sizeof *r, pointers, TABLE_COUNT(pointers));
}

void cache_shorten_turns(struct cache *c)
{
    if (c->performs)
        c->reservations->hold = (uint64_t)c->params.hold;
}

static uint32_t number_of(const struct cache *c, const struct msg *m)
{
    assert(m->from < cache_harts(c));
    return (uint32_t)m->from + 1;
}

/* ---- sectors ---- */

static uint32_t *chain_of(struct reservations *r, uint64_t sector)
{
    return &r->table[sector * 0x9e3779b97f4a7c15u >> 40 & r->mask];
}

static struct reserved *find(struct reservations *r, uint64_t sector)
{
    for (uint32_t at = *chain_of(r, sector); at; at = r->sectors[at].next)
        if (r->sectors[at].sector == sector)
            return &r->sectors[at];
    return NULL;
}

static struct reserved *find_or_add(struct cache *c, uint64_t sector)
{
    struct reservations *r = c->reservations;
    struct reserved *s = find(r, sector);
    if (s)
        return s;
    uint32_t *chain = chain_of(r, sector);
    uint32_t at = r->free ? r->free : ++r->used;
    s = &r->sectors[at];
    r->free = r->free ? s->next : 0;
    *s = (struct reserved){.sector = sector, .next = *chain};
    *chain = at;
    c->reserved++;
    return s;
}

/* Nobody has to do with the sector any more: its entry is free. */
static void release(struct cache *c, struct reserved *s)
{
    struct reservations *r = c->reservations;
    if (s->holder || s->members)
        return;
    uint32_t at = (uint32_t)(s - r->sectors);
    uint32_t *from = chain_of(r, s->sector);
    while (*from != at)
        from = &r->sectors[*from].next;
    *from = s->next;
    s->next = r->free;
    r->free = at;
    c->reserved--;
}

/* ---- members ---- */

static void add_member(struct reservations *r, struct reserved *s,
                       uint32_t hart)
{
    struct claim *h = &r->claims[hart];
    if (h->reserved)
        return;
    *h = (struct claim){(uint32_t)(s - r->sectors), 0, s->members, true};
    if (h->next)
        r->claims[h->next].before = hart;
    s->members = hart;
}

static void remove_member(struct reservations *r, struct reserved *s,
                          uint32_t hart)
{
    struct claim *h = &r->claims[hart];
    if (!h->reserved)
        return;
    h->reserved = false;
    if (h->next)
        r->claims[h->next].before = h->before;
    if (h->before)
        r->claims[h->before].next = h->next;
    else
        s->members = h->next;
    if (s->holder != hart)
        h->sector = 0;
}

/* ---- turns ---- */

static void begin_turn(struct reservations *r, struct reserved *s,
                       uint32_t hart, uint64_t now)
{
    uint32_t at = (uint32_t)(s - r->sectors);
    s->holder = hart;
    s->until = now + r->hold;
    s->sooner = r->latest;
    s->later = 0;
    if (r->latest)
        r->sectors[r->latest].later = at;
    else
        r->soonest = at;
    r->latest = at;
}

/* It is among the turns, if it has begun. */
static void leave_turns(struct reservations *r, struct reserved *s)
{
    if (s->until == CYCLE_NEVER)
        return;
    if (s->sooner)
        r->sectors[s->sooner].later = s->later;
    else
        r->soonest = s->later;
    if (s->later)
        r->sectors[s->later].sooner = s->sooner;
    else
        r->latest = s->sooner;
}

/* The next lr is to be looked up; its turn begins when it is performed. */
static void grant(struct cache *c, struct reserved *s)
{
    struct reservations *r = c->reservations;
    struct msg *pool = unit_pool(&c->unit);
    uint32_t index = list_take(pool, &s->waiting);
    s->holder = number_of(c, &pool[index]);
    s->until = CYCLE_NEVER;
    r->claims[s->holder].sector = (uint32_t)(s - r->sectors);
    c->parked--;
    list_add(pool, &c->granted, index);
    c->doing |= GRANTED;
}

static void end_turn(struct cache *c, struct reserved *s)
{
    struct claim *h = &c->reservations->claims[s->holder];
    leave_turns(c->reservations, s);
    s->holder = 0;
    if (!h->reserved)
        h->sector = 0;
    if (s->waiting.count)
        grant(c, s);
    else
        release(c, s);
}

void cache_end_turns(struct cache *c, uint64_t now)
{
    struct reservations *r = c->reservations;
    while (r->soonest && r->sectors[r->soonest].until <= now)
        end_turn(c, &r->sectors[r->soonest]);
}

uint64_t cache_turn_ends(const struct cache *c)
{
    const struct reservations *r = c->reservations;
    return r->soonest ? r->sectors[r->soonest].until : CYCLE_NEVER;
}

/* ---- lr, sc and stores ---- */

/* The hart has no more to do with the sector that it claims. */
static void leave(struct cache *c, uint32_t hart)
{
    struct reservations *r = c->reservations;
    struct reserved *s = &r->sectors[r->claims[hart].sector];
    remove_member(r, s, hart);
    if (s->holder == hart)
        end_turn(c, s);
    else
        release(c, s);
}

static bool claims(struct reservations *r, uint32_t hart, uint64_t sector)
{
    uint32_t at = r->claims[hart].sector;
    return at && r->sectors[at].sector == sector;
}

/* The lr that is c->front.request waits for its turn; it is counted when that
 * has come. */
static void park(struct cache *c, struct reserved *s)
{
    list_add(unit_pool(&c->unit), &s->waiting, cache_take_request(c));
    c->parked++;
    c->stats.atomics--;
}

bool cache_reserve(struct cache *c, const struct msg *m)
{
    struct reservations *r = c->reservations;
    uint64_t sector = m->addr / SECTOR, now = unit_now(&c->unit);
    uint32_t hart = number_of(c, m);
    cache_end_turns(c, now);
    if (r->claims[hart].sector && !claims(r, hart, sector))
        leave(c, hart);
    struct reserved *s = find_or_add(c, sector);
    if (s->holder && s->holder != hart) {
        remove_member(r, s, hart);
        park(c, s);
        return false;
    }
    if (!s->holder || s->until == CYCLE_NEVER)
        begin_turn(r, s, hart, now);
    add_member(r, s, hart);
    return true;
}

/* An sc has come too late: turns are longer from now on. */
static void lengthen_turns(struct cache *c)
{
    struct reservations *r = c->reservations;
    uint64_t now = unit_now(&c->unit);
    if (r->hold >= HOLD_MOST || now - r->since < r->hold)
        return;
    r->hold *= 2;
    r->since = now;
}

bool cache_may_store(struct cache *c, const struct msg *m)
{
    struct reservations *r = c->reservations;
    uint32_t hart = number_of(c, m);
    cache_end_turns(c, unit_now(&c->unit));
    if (claims(r, hart, m->addr / SECTOR))
        return r->claims[hart].reserved;
    lengthen_turns(c);
    return false;
}

void cache_end_reservation(struct cache *c, const struct msg *m)
{
    leave(c, number_of(c, m));
}

void cache_lose_reservations(struct cache *c, const struct msg *m)
{
    struct reservations *r = c->reservations;
    struct reserved *s = find(r, m->addr / SECTOR);
    uint32_t own = m->op == MEM_UPDATE ? 0 : number_of(c, m);
    if (!s)
        return;
    for (uint32_t hart = s->members, next; hart; hart = next) {
        next = r->claims[hart].next;
        if (hart != own)
            remove_member(r, s, hart);
    }
    release(c, s);
}
