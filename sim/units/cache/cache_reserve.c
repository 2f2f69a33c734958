/*
 * Reservations (lr, sc) where atomics are performed, and turns: why every loop
 * of lr and sc succeeds in the end.
 *
 * A hart has a reservation of its own, however many harts there are; it lasts
 * until another writes to the sector. So the first sc after a write whose lr
 * was after it, too, succeeds: not all of them can fail for ever.
 *
 * A hart's first lr does not wait, since the hart may only look: a comparison
 * fails, and it leaves. If it has not succeeded and comes again, it gets a turn
 * of `hold` cycles. The lr of others do not reserve meanwhile: those of harts
 * that come again, too, wait, first come first served, and the others are
 * answered, their sc to fail. Its own do reserve, so that a comparison that
 * fails can be tried again with the new value. A turn ends when the hart's sc
 * succeeds, when it reserves something else, or when its time is over; then the
 * next lr is looked up. Reservations outlive turns.
 *
 * A turn whose time is over is wasted: no other begins for REST times as long,
 * so that harts which leave never cost the others more than a part of their
 * time; those that wait are answered. Then turns begin with the hart that has
 * tried most often. A hart that comes after its turn, without success, had
 * too short a one: turns are doubled, and so are its own. These are long enough
 * in the end, and each hart succeeds in its own. Loads, stores and other
 * atomics do not wait for turns.
 */
#include "sim/units/cache/cache_private.h"

#define HOLD_MOST 65536u /* cycles */
#define REST 7u          /* times a wasted turn */
#define TRIES_MOST ((1u << 24) - 1)

/* A sector that harts have reserved or wait to reserve. Harts and sectors are
 * numbered from 1, as all begins zeroed: 0 is none. */
struct reserved {
    uint64_t sector;
    uint64_t from, until;    /* of the turn */
    uint32_t holder;         /* whose turn it is */
    uint32_t members;        /* list of the harts with a reservation */
    struct msg_list waiting; /* lr */
    uint32_t next;           /* with the same hash; of free ones: the next */
    uint32_t sooner, later;  /* turns by their ends; sooner of the first: 0 */
};

/* A hart has to do with one sector at a time. */
struct claim {
    uint32_t sector;       /* reserved, or its turn */
    uint32_t before, next; /* in members */
    uint32_t tries : 24;   /* lr since it succeeded, or its turn was over */
    uint32_t late : 5;     /* turns that were too short since */
    uint32_t reserved : 1; /* it is in members */
    uint32_t ended : 1; /* its last turn was over, and it has not come since */
};

struct reservations {
    struct reserved *sectors; /* [harts + 1] */
    struct claim *claims;     /* [harts + 1] */
    uint32_t *table;          /* [mask + 1]: sectors by hash */
    uint32_t mask;
    uint32_t used, free;      /* of sectors: ever used; list */
    uint32_t soonest, latest; /* turns */
    uint64_t hold, since;     /* of params, or doubled in that cycle */
    uint64_t rests;           /* no turns begin before this cycle */
    uint32_t most;            /* tries of those that wait for it to end */
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
    struct reservations *r = c->reservations;
    if (!c->performs)
        return;
    r->hold = (uint64_t)c->params.hold;
    r->rests = 0;
    r->most = 0;
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

/* If no hart holds the sector or waits for it, its entry is free. */
static void release(struct cache *c, struct reserved *s)
{
    struct reservations *r = c->reservations;
    if (s->holder || s->members || s->waiting.count)
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
    h->sector = (uint32_t)(s - r->sectors);
    h->before = 0;
    h->next = s->members;
    h->reserved = true;
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

static uint64_t length_of_turn(const struct cache *c, uint32_t hart)
{
    const struct reservations *r = c->reservations;
    uint64_t own = (uint64_t)c->params.hold << r->claims[hart].late;
    own = own > r->hold ? own : r->hold;
    return own < HOLD_MOST ? own : HOLD_MOST;
}

/*
 * May the hart have the turn, which no other has? If not, as others have tried
 * more often, these may be gone: in time fewer tries are enough.
 */
static bool is_next(struct cache *c, uint32_t hart)
{
    struct reservations *r = c->reservations;
    uint32_t tries = r->claims[hart].tries;
    if (!tries || !c->params.hold)
        return false;
    if (tries >= r->most)
        r->most = tries;
    else if (unit_now(&c->unit) >= r->rests)
        r->most -= r->most / 64 + 1;
    return tries >= r->most && unit_now(&c->unit) >= r->rests;
}

/* They are in the order of their ends; most have one length. */
static void begin_turn(struct cache *c, struct reserved *s, uint32_t hart)
{
    struct reservations *r = c->reservations;
    uint32_t at = (uint32_t)(s - r->sectors), sooner = r->latest;
    s->holder = hart;
    s->from = unit_now(&c->unit);
    s->until = s->from + length_of_turn(c, hart);
    r->most = 0;
    r->claims[hart].sector = at;
    while (sooner && r->sectors[sooner].until > s->until)
        sooner = r->sectors[sooner].sooner;
    s->sooner = sooner;
    s->later = sooner ? r->sectors[sooner].later : r->soonest;
    *(s->sooner ? &r->sectors[s->sooner].later : &r->soonest) = at;
    *(s->later ? &r->sectors[s->later].sooner : &r->latest) = at;
}

/* Takes the sector out of the turns, if its turn has begun. */
static void leave_turns(struct reservations *r, struct reserved *s)
{
    if (s->until == CYCLE_NEVER)
        return;
    *(s->sooner ? &r->sectors[s->sooner].later : &r->soonest) = s->later;
    *(s->later ? &r->sectors[s->later].sooner : &r->latest) = s->sooner;
}

/*
 * It is no hart's turn: the next lr is to be looked up. If its hart is to have
 * a turn, that begins when the lr is performed; else the lr after it follows.
 */
static void grant(struct cache *c, struct reserved *s)
{
    struct reservations *r = c->reservations;
    struct msg *pool = unit_pool(&c->unit);
    uint32_t index = msg_list_pop_in(pool, &s->waiting);
    uint32_t hart = number_of(c, &pool[index]);
    if (unit_now(&c->unit) >= r->rests) {
        s->holder = hart;
        s->until = CYCLE_NEVER;
        r->claims[hart].sector = (uint32_t)(s - r->sectors);
    }
    c->parked--;
    msg_list_add_in(pool, &c->granted, index);
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

/* The time is over, and the hart has not succeeded. */
static void end_late(struct cache *c, struct reserved *s)
{
    struct reservations *r = c->reservations;
    struct claim *h = &r->claims[s->holder];
    uint64_t rests = s->until + REST * (s->until - s->from);
    h->ended = true;
    h->tries = 0;
    r->rests = r->rests > rests ? r->rests : rests;
    end_turn(c, s);
}

void cache_end_turns(struct cache *c, uint64_t now)
{
    struct reservations *r = c->reservations;
    while (r->soonest && r->sectors[r->soonest].until <= now)
        end_late(c, &r->sectors[r->soonest]);
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
    msg_list_add_in(unit_pool(&c->unit), &s->waiting, cache_take_request(c));
    c->parked++;
    c->stats.atomics--;
}

/* The hart comes, without success, after its turn: that was too short. */
static void lengthen_turns(struct cache *c, struct claim *h)
{
    struct reservations *r = c->reservations;
    uint64_t now = unit_now(&c->unit);
    h->ended = false;
    h->late += (uint64_t)c->params.hold << h->late < HOLD_MOST;
    if (r->hold >= HOLD_MOST || now - r->since < r->hold)
        return;
    r->hold *= 2;
    r->since = now;
}

/* The hart begins anew. */
static void forget(struct claim *h)
{
    h->tries = h->late = h->ended = 0;
}

/* The lr of the hart finds the turn of another one, or none. */
static bool waits(struct cache *c, struct reserved *s, uint32_t hart)
{
    struct reservations *r = c->reservations;
    if (!s->holder && is_next(c, hart))
        begin_turn(c, s, hart);
    if (!s->holder || s->holder == hart)
        return false;
    remove_member(r, s, hart);
    if (!r->claims[hart].tries)
        return false;
    park(c, s);
    return true;
}

bool cache_reserve(struct cache *c, const struct msg *m)
{
    struct reservations *r = c->reservations;
    uint64_t sector = m->addr / SECTOR;
    uint32_t hart = number_of(c, m);
    struct claim *h = &r->claims[hart];
    cache_end_turns(c, unit_now(&c->unit));
    if (h->sector && !claims(r, hart, sector)) {
        leave(c, hart);
        forget(h);
    }
    if (h->ended)
        lengthen_turns(c, h);
    struct reserved *s = find_or_add(c, sector);
    if (s->holder == hart && s->until == CYCLE_NEVER)
        begin_turn(c, s, hart);
    else if (s->holder != hart && waits(c, s, hart))
        return false;
    if (!s->holder || s->holder == hart)
        add_member(r, s, hart);
    h->tries += h->tries < TRIES_MOST;
    if (!s->holder && s->waiting.count)
        grant(c, s);
    return true;
}

bool cache_may_store(struct cache *c, const struct msg *m)
{
    struct reservations *r = c->reservations;
    uint32_t hart = number_of(c, m);
    struct claim *h = &r->claims[hart];
    cache_end_turns(c, unit_now(&c->unit));
    if (claims(r, hart, m->addr / SECTOR))
        return h->reserved;
    if (h->ended)
        lengthen_turns(c, h);
    return false;
}

void cache_end_reservation(struct cache *c, const struct msg *m)
{
    uint32_t hart = number_of(c, m);
    forget(&c->reservations->claims[hart]);
    leave(c, hart);
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
