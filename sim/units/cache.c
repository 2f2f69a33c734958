#include "sim/units/cache.h"
#include "sim/units/mem.h"
#include "sim/units/units.h"
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { CPU, FILL, REPLY, MEM };

static const struct port_row ports[] = {
    [CPU] = {"cpu", false, 256, "requests of the clients"},
    [FILL] = {"fill", false, 256, "answers from below"},
    [REPLY] = {"reply", true, 256, "answers to the clients, in cpu's order"},
    [MEM] = {"mem", true, 256, "requests below, one link for each slice"},
};

#define SECTORS_MAX 4

/* A line's state; its tag lies in the arrays for the search. */
struct line {
    uint64_t number;               /* map_line of its address */
    uint64_t base;                 /* guest address of its first byte */
    uint32_t used;                 /* when last used (or filled: fifo) */
    uint8_t valid;                 /* sectors that are all there */
    uint8_t pending;               /* sectors being fetched */
    uint8_t stale;                 /* pending ones that must not be kept */
    uint8_t dirty;                 /* owner: written since fetched */
    uint8_t by_value;              /* copy: sectors whose bytes are in data */
    uint16_t mshr[SECTORS_MAX];    /* of pending sectors */
    uint32_t written[SECTORS_MAX]; /* owner: bytes there without a fetch */
};

/* A request that waits for a sector. */
struct target {
    uint16_t next;
    uint16_t port;
    struct msg msg;
};

struct mshr {
    uint32_t line; /* index */
    uint8_t sector;
    uint8_t waiting;
    uint16_t first, last; /* targets */
    uint16_t next_free;
};

/* A store or atomic that was passed on: whom to answer. */
struct passed {
    uint16_t port;
    uint16_t next_free;
    uint32_t tag;
};

/* One stage walk: entries enter at tail, are looked up at head. */
struct bank {
    uint32_t head, count;
    uint16_t next_port; /* round robin */
};

struct pipe_entry {
    uint64_t exit;
    uint32_t port;
    struct msg msg;
};

/* A message to the level below. */
struct below {
    uint32_t link;
    struct msg msg;
};

/* Owner: a hart's lr that no store has ended yet. */
struct reservation {
    uint64_t sector;
    uint32_t hart;
};

#define RESERVATIONS 64 /* the oldest is lost beyond that: its sc will fail */

struct cache {
    struct unit unit;
    struct cache_params params;
    struct cache_stats stats;
    struct account account;
    struct machine *machine;
    struct address_map map; /* towards the slices below */
    struct address_map own; /* which lines come here */
    uint32_t sets, ways, tag_ways, sectors;
    uint8_t *tags;        /* [sets][tag_ways]: low bits, 0 invalid */
    struct line *lines;   /* [sets][ways] */
    struct payload *data; /* copy: [sets][ways][sectors] */
    uint32_t clock;       /* counts uses, for lru and fifo */
    uint64_t random;      /* xorshift state */
    struct bank *banks;
    uint64_t banks_busy;     /* with entries */
    uint64_t banks_wanted;   /* with requests at the ports */
    uint64_t *wanted;        /* [banks][cpu_words]: ports, by bank */
    uint64_t *sorted;        /* [cpu_words]: ports that are in wanted */
    uint32_t cpu_words;      /* of a mask over the cpu ports */
    uint32_t waiting;        /* ports in wanted */
    struct pipe_entry *pipe; /* [banks][depth] */
    uint32_t depth;
    uint32_t next_bank; /* round robin of misses */
    struct mshr *mshrs;
    struct target *targets;
    struct passed *passed;
    uint16_t free_mshr, free_target, free_passed;
    uint32_t mshrs_used, passed_used;
    struct below *queue; /* FIFO downwards */
    uint32_t queue_head, queue_count, queue_room;
    uint16_t replay; /* MSHR whose targets are being answered, or NO_ENTRY */
    uint16_t next_fill;
    struct msg relay; /* answer to something passed on, to be sent up */
    bool relaying;
    bool fetched;  /* something was fetched since the last invalidation */
    bool worked;   /* in this cycle, for the account */
    bool leftover; /* requests wait at the ports */
    struct reservation reservations[RESERVATIONS];
    uint32_t reservation_count;
};

#define NO_ENTRY UINT16_MAX

/* ---- construction ---- */

static bool check_params(struct cache *c, struct error *error)
{
    const struct cache_params *p = &c->params;
    if (!is_power_of_two(p->line))
        return error_set(error, "line: %d is no power of two", (int)p->line);
    if (!is_power_of_two(p->banks))
        return error_set(error, "banks: %d is no power of two", (int)p->banks);
    if (!is_power_of_two(p->map_stride) || p->map_stride < p->line)
        return error_set(error,
                         "map_stride: %d is no power of two >= line (%d)",
                         (int)p->map_stride, (int)p->line);
    if (!is_power_of_two(p->map_slices))
        return error_set(error, "map_slices: %d is no power of two",
                         (int)p->map_slices);
    int64_t sets = p->size / (p->line * p->ways);
    if (sets * p->line * p->ways != p->size || !is_power_of_two(sets))
        return error_set(error,
                         "size: %lld bytes are no power of two sets of %d "
                         "ways of %d bytes",
                         (long long)p->size, (int)p->ways, (int)p->line);
    if (p->mshrs * p->targets >= NO_ENTRY)
        return error_set(error, "targets: mshrs x targets must be below %d",
                         NO_ENTRY);
    return true;
}

static bool check_ports(struct cache *c, struct error *error)
{
    const struct unit *u = &c->unit;
    int64_t slices = c->params.map_parts * c->params.map_slices;
    if (!u->links[CPU] || u->links[CPU] != u->links[REPLY])
        return error_set(error, "%u cpu links but %u reply links",
                         u->links[CPU], u->links[REPLY]);
    if (u->links[MEM] != 1 && u->links[MEM] != slices)
        return error_set(error,
                         "%u mem links, expected 1 or map_parts x map_slices "
                         "= %d",
                         u->links[MEM], (int)slices);
    return u->links[FILL] || error_set(error, "no fill link");
}

/* On each way to memory there is one owner, and it is the last cache. */
static bool check_roles(struct cache *c, struct error *error)
{
    const struct unit *u = &c->unit;
    for (unsigned i = 0; i < u->links[MEM]; i++) {
        const struct outport *o = &u->out[MEM][i];
        const struct unit *below = o->tile->inports[o->port]->unit;
        if (c->params.owner && below->kind == &cache_kind)
            return error_set(error,
                             "owner: there is another cache, %s, below; only "
                             "the last one may be the owner",
                             below->name);
        if (!c->params.owner && below->kind == &memory_kind)
            return error_set(error,
                             "owner: no cache is below, so this one has to be "
                             "the owner, not copy");
    }
    return true;
}

static void make_lists(struct cache *c)
{
    uint32_t mshrs = (uint32_t)c->params.mshrs;
    uint32_t targets = mshrs * (uint32_t)c->params.targets;
    uint32_t passed = (uint32_t)c->params.pass;
    struct chip *chip = c->unit.chip;
    c->mshrs = chip_alloc(chip, mshrs, sizeof *c->mshrs);
    c->targets = chip_alloc(chip, targets, sizeof *c->targets);
    c->passed = chip_alloc(chip, passed, sizeof *c->passed);
    for (uint32_t i = 0; i < mshrs; i++)
        c->mshrs[i].next_free = i + 1 < mshrs ? (uint16_t)(i + 1) : NO_ENTRY;
    for (uint32_t i = 0; i < targets; i++)
        c->targets[i].next = i + 1 < targets ? (uint16_t)(i + 1) : NO_ENTRY;
    for (uint32_t i = 0; i < passed; i++)
        c->passed[i].next_free = i + 1 < passed ? (uint16_t)(i + 1) : NO_ENTRY;
}

static bool build(struct unit *u, struct error *error)
{
    struct cache *c = (struct cache *)u;
    const struct cache_params *p = &c->params;
    if (!check_params(c, error) || !check_ports(c, error) ||
        !check_roles(c, error))
        return false;
    c->machine = chip_context(u->chip);
    c->map = map_new(p->map_stride, p->map_parts, p->map_slices, p->line);
    c->own = p->owner ? c->map : map_new(p->map_stride, 1, 1, p->line);
    c->sets = (uint32_t)(p->size / (p->line * p->ways));
    c->ways = (uint32_t)p->ways;
    c->tag_ways = (c->ways + 15) / 16 * 16;
    c->sectors = (uint32_t)p->line / SECTOR;
    size_t lines = (size_t)c->sets * c->ways;
    c->tags = chip_alloc(u->chip, c->sets, c->tag_ways);
    c->lines = chip_alloc(u->chip, lines, sizeof *c->lines);
    if (!p->owner)
        c->data = chip_alloc(u->chip, lines * c->sectors, sizeof *c->data);
    size_t banks = (size_t)p->banks;
    c->depth = (uint32_t)p->latency + 1;
    c->banks = chip_alloc(u->chip, banks, sizeof *c->banks);
    c->pipe = chip_alloc(u->chip, banks * c->depth, sizeof *c->pipe);
    c->cpu_words = (u->links[CPU] + 63u) / 64;
    c->wanted = chip_alloc(u->chip, banks * c->cpu_words, sizeof *c->wanted);
    c->sorted = chip_alloc(u->chip, c->cpu_words, sizeof *c->sorted);
    make_lists(c);
    /* A miss may bring a write-back for each sector of its victim. */
    c->queue_room = 64 + SECTORS_MAX;
    c->queue = chip_alloc(u->chip, c->queue_room, sizeof *c->queue);
    c->random = 0x9e3779b97f4a7c15u + u->id;
    c->replay = NO_ENTRY;
    c->account.bucket = &c->stats.idle;
    return true;
}

/* ---- lines ---- */

static uint8_t partial_tag(const struct cache *c, uint64_t number)
{
    /* Seven bits above the set index, the top bit marks a tag in use. */
    return (uint8_t)(0x80 | (number / c->sets & 0x7f));
}

/* Ways of the set whose partial tag matches, as a mask of 16 from `way`. */
static inline unsigned match_ways(const uint8_t *tags, uint8_t tag)
{
#ifdef __SSE2__
    __m128i row = _mm_load_si128((const __m128i *)tags);
    return (unsigned)_mm_movemask_epi8(
        _mm_cmpeq_epi8(row, _mm_set1_epi8((char)tag)));
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < 16; i++)
        mask |= (unsigned)(tags[i] == tag) << i;
    return mask;
#endif
}

static struct line *find_line(struct cache *c, uint64_t number)
{
    uint32_t set = (uint32_t)(number & (c->sets - 1));
    const uint8_t *tags = &c->tags[(size_t)set * c->tag_ways];
    uint8_t tag = partial_tag(c, number);
    for (uint32_t way = 0; way < c->ways; way += 16)
        for (unsigned m = match_ways(tags + way, tag); m; m &= m - 1) {
            struct line *l = &c->lines[(size_t)set * c->ways + way +
                                       (unsigned)__builtin_ctz(m)];
            if (l->number == number)
                return l;
        }
    return NULL;
}

static uint64_t next_random(struct cache *c)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return c->random;
}

/* The way to replace: an unused one, else by policy; -1: all being filled. */
static int choose_way(struct cache *c, uint32_t set)
{
    const uint8_t *tags = &c->tags[(size_t)set * c->tag_ways];
    const struct line *lines = &c->lines[(size_t)set * c->ways];
    uint32_t shift =
        c->params.replacement == 2 ? (uint32_t)(next_random(c) % c->ways) : 0;
    int best = -1;
    for (uint32_t i = 0; i < c->ways; i++) {
        uint32_t way = (i + shift) % c->ways;
        if (!tags[way])
            return (int)way;
        if (lines[way].pending)
            continue;
        if (best < 0 || (c->params.replacement != 2 &&
                         (int32_t)(lines[way].used - lines[best].used) < 0))
            best = (int)way;
    }
    return best;
}

static uint32_t queue_free(const struct cache *c)
{
    return c->queue_room - c->queue_count;
}

static void push_below(struct cache *c, const struct msg *m)
{
    uint32_t at = (c->queue_head + c->queue_count++) % c->queue_room;
    c->queue[at].msg = *m;
    c->queue[at].link =
        c->unit.links[MEM] == 1 ? 0 : map_slice(&c->map, m->addr);
}

static void write_back(struct cache *c, const struct line *l)
{
    for (uint32_t s = 0; s < c->sectors; s++) {
        if (!(l->dirty >> s & 1))
            continue;
        struct msg m = {
            .op = MEM_WRITEBACK, .addr = l->base + s * SECTOR, .size = SECTOR};
        push_below(c, &m);
        c->stats.writebacks++;
    }
}

/* Gives the line a way; NULL if all ways of its set are being filled. */
static struct line *allocate_line(struct cache *c, uint64_t address,
                                  uint64_t number)
{
    uint32_t set = (uint32_t)(number & (c->sets - 1));
    int way = choose_way(c, set);
    if (way < 0)
        return NULL;
    struct line *l = &c->lines[(size_t)set * c->ways + (uint32_t)way];
    uint8_t *tag = &c->tags[(size_t)set * c->tag_ways + (uint32_t)way];
    if (*tag) {
        c->stats.evictions++;
        write_back(c, l);
    }
    *tag = partial_tag(c, number);
    *l = (struct line){.number = number,
                       .base = address & ~(uint64_t)(c->params.line - 1),
                       .used = ++c->clock};
    return l;
}

static void touch(struct cache *c, struct line *l)
{
    if (c->params.replacement == 0)
        l->used = ++c->clock;
}

static struct payload *line_data(struct cache *c, const struct line *l,
                                 uint32_t sector)
{
    return &c->data[(size_t)(l - c->lines) * c->sectors + sector];
}

static uint32_t sector_of(const struct cache *c, uint64_t address)
{
    return (uint32_t)(address & (uint64_t)(c->params.line - 1)) / SECTOR;
}

static uint32_t byte_mask(const struct msg *m)
{
    uint32_t bytes = m->size >= 32 ? ~0u : (1u << m->size) - 1;
    return bytes << (m->addr % SECTOR);
}

/* ---- answering ---- */

static void answer(struct cache *c, uint32_t port, struct msg *m)
{
    link_push(&c->unit.out[REPLY][port], m);
    c->worked = true;
}

static uint64_t read_bytes(const uint8_t *from, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, from, size);
    return value;
}

static void remove_reservation(struct cache *c, uint32_t index)
{
    c->reservation_count--;
    memmove(&c->reservations[index], &c->reservations[index + 1],
            (c->reservation_count - index) * sizeof c->reservations[0]);
}

/* Ends the reservation of the message's hart, or all others on its sector. */
static void end_reservations(struct cache *c, const struct msg *m, bool of_hart)
{
    for (uint32_t i = c->reservation_count; i-- > 0;) {
        const struct reservation *r = &c->reservations[i];
        bool own = r->hart == m->from;
        if (of_hart ? own : !own && r->sector == m->addr / SECTOR)
            remove_reservation(c, i);
    }
}

static void write_memory(struct cache *c, const struct msg *m, uint64_t value)
{
    if (c->reservation_count)
        end_reservations(c, m, false);
    memcpy(machine_at(c->machine, m->addr), &value, m->size);
}

static void reserve(struct cache *c, const struct msg *m)
{
    end_reservations(c, m, true);
    if (c->reservation_count == RESERVATIONS)
        remove_reservation(c, 0);
    c->reservations[c->reservation_count++] =
        (struct reservation){m->addr / SECTOR, (uint32_t)m->from};
}

/* 0: stored, 1: the reservation was lost. */
static uint64_t store_conditional(struct cache *c, const struct msg *m)
{
    for (uint32_t i = 0; i < c->reservation_count; i++) {
        const struct reservation *r = &c->reservations[i];
        if (r->hart != m->from || r->sector != m->addr / SECTOR)
            continue;
        remove_reservation(c, i);
        write_memory(c, m, m->value);
        return 0;
    }
    return 1;
}

/* The atomic on memory; returns what the instruction's rd gets. */
static uint64_t do_atomic(struct cache *c, const struct msg *m)
{
    if (m->aux == ISA_SC)
        return store_conditional(c, m);
    uint64_t old = read_bytes(machine_at(c->machine, m->addr), m->size);
    if (m->aux == ISA_LR)
        reserve(c, m);
    else
        write_memory(c, m, isa_amo(m->aux, m->size, old, m->value));
    return old;
}

/* Owner: the access happens now. */
static void answer_owner(struct cache *c, uint32_t port, const struct msg *m)
{
    struct msg reply = {.addr = m->addr, .tag = m->tag, .from = m->from};
    const uint8_t *at = machine_at(c->machine, m->addr);
    switch (m->op) {
    case MEM_WRITE:
        write_memory(c, m, m->value);
        reply.op = MEM_DONE;
        break;
    case MEM_ATOMIC:
        reply.op = MEM_OLD;
        reply.value = do_atomic(c, m);
        break;
    default:
        reply.op = MEM_DATA;
        if (m->size <= 8) {
            reply.value = read_bytes(at, m->size);
        } else if (!machine_read_only(c->machine, m->addr, m->size)) {
            struct payload sector;
            memcpy(sector.bytes, at, SECTOR);
            link_push_full(&c->unit.out[REPLY][port], &reply, &sector);
            c->worked = true;
            return;
        }
    }
    answer(c, port, &reply);
}

/* Copy: a load of bytes that are here, or read-only and so anywhere. */
static void answer_copy(struct cache *c, uint32_t port, const struct msg *m,
                        const uint8_t *sector)
{
    struct msg reply = {
        .op = MEM_DATA, .addr = m->addr, .tag = m->tag, .from = m->from};
    const uint8_t *at =
        sector ? sector + m->addr % SECTOR : machine_at(c->machine, m->addr);
    if (m->size <= 8)
        reply.value = read_bytes(at, m->size);
    answer(c, port, &reply);
}

static void answer_hit(struct cache *c, uint32_t port, const struct msg *m,
                       const struct line *l)
{
    uint32_t s = sector_of(c, m->addr);
    if (c->params.owner)
        answer_owner(c, port, m);
    else
        answer_copy(c, port, m,
                    l->by_value >> s & 1 ? line_data(c, l, s)->bytes : NULL);
}

/* ---- looking up ---- */

enum verdict { LOOKED_UP, NO_MSHR, NO_WAY, NO_ROOM, ONE_MISS_TOO_MANY };

static void add_target(struct cache *c, struct mshr *e, uint32_t port,
                       const struct msg *m)
{
    uint16_t index = c->free_target;
    struct target *t = &c->targets[index];
    c->free_target = t->next;
    *t = (struct target){NO_ENTRY, (uint16_t)port, *m};
    if (e->waiting++)
        c->targets[e->last].next = index;
    else
        e->first = index;
    e->last = index;
}

static enum verdict join_fetch(struct cache *c, struct line *l, uint32_t s,
                               uint32_t port, const struct msg *m)
{
    struct mshr *e = &c->mshrs[l->mshr[s]];
    if (l->stale >> s & 1 || e->waiting == c->params.targets)
        return NO_MSHR;
    add_target(c, e, port, m);
    if (m->op == MEM_READ)
        c->stats.half_misses++;
    return LOOKED_UP;
}

static void begin_fetch(struct cache *c, struct line *l, uint32_t s,
                        uint32_t port, const struct msg *m)
{
    uint16_t index = c->free_mshr;
    struct mshr *e = &c->mshrs[index];
    c->free_mshr = e->next_free;
    c->mshrs_used++;
    e->line = (uint32_t)(l - c->lines);
    e->sector = (uint8_t)s;
    e->waiting = 0;
    c->fetched = true;
    l->mshr[s] = index;
    l->pending |= (uint8_t)(1u << s);
    add_target(c, e, port, m);
    struct msg fetch = {
        .op = c->params.owner ? MEM_FILL : MEM_READ,
        .addr = l->base + s * SECTOR,
        .from = m->from,
        .size = SECTOR,
        .tag = index,
    };
    push_below(c, &fetch);
    if (m->op == MEM_READ)
        c->stats.misses_read++;
}

/* A load (or, at the owner, an atomic) whose sector is not here. */
static enum verdict miss(struct cache *c, struct line *l, uint64_t number,
                         uint32_t port, const struct msg *m, uint32_t *misses)
{
    if (*misses == c->params.misses)
        return ONE_MISS_TOO_MANY;
    if (c->free_mshr == NO_ENTRY)
        return NO_MSHR;
    if (queue_free(c) <= SECTORS_MAX)
        return NO_ROOM;
    if (!l && !(l = allocate_line(c, m->addr, number)))
        return NO_WAY;
    ++*misses;
    begin_fetch(c, l, sector_of(c, m->addr), port, m);
    return LOOKED_UP;
}

static bool sector_has(const struct line *l, uint32_t s, const struct msg *m)
{
    return l->valid >> s & 1 || (l->written[s] & byte_mask(m)) == byte_mask(m);
}

static enum verdict look_up_load(struct cache *c, uint32_t port,
                                 const struct msg *m, uint32_t *misses)
{
    uint64_t number = map_line(&c->own, m->addr);
    struct line *l = find_line(c, number);
    uint32_t s = sector_of(c, m->addr);
    if (!l)
        return miss(c, l, number, port, m, misses);
    if (l->pending >> s & 1)
        return join_fetch(c, l, s, port, m);
    if (!sector_has(l, s, m))
        return miss(c, l, number, port, m, misses);
    touch(c, l);
    if (m->op == MEM_READ)
        c->stats.hits++;
    if (m->op == MEM_ATOMIC)
        l->dirty |= (uint8_t)(1u << s);
    answer_hit(c, port, m, l);
    return LOOKED_UP;
}

/* Owner: bytes are taken into the line, fetched or not. */
static enum verdict look_up_store(struct cache *c, uint32_t port,
                                  const struct msg *m)
{
    uint64_t number = map_line(&c->own, m->addr);
    struct line *l = find_line(c, number);
    uint32_t s = sector_of(c, m->addr);
    if (l && l->pending >> s & 1)
        return join_fetch(c, l, s, port, m);
    if (!l && queue_free(c) <= SECTORS_MAX)
        return NO_ROOM;
    if (!l && !(l = allocate_line(c, m->addr, number)))
        return NO_WAY;
    touch(c, l);
    l->dirty |= (uint8_t)(1u << s);
    l->written[s] |= byte_mask(m);
    if (l->written[s] == ~0u)
        l->valid |= (uint8_t)(1u << s);
    answer_owner(c, port, m);
    return LOOKED_UP;
}

/* Copy: a store or atomic goes on to the owner. */
static enum verdict pass_on(struct cache *c, uint32_t port, const struct msg *m)
{
    struct line *l = find_line(c, map_line(&c->own, m->addr));
    uint32_t s = sector_of(c, m->addr);
    if (c->free_passed == NO_ENTRY || queue_free(c) <= SECTORS_MAX)
        return NO_ROOM;
    if (l && l->pending >> s & 1)
        l->stale |= (uint8_t)(1u << s);
    if (l && l->valid >> s & 1) {
        if (m->op == MEM_WRITE)
            memcpy(line_data(c, l, s)->bytes + m->addr % SECTOR, &m->value,
                   m->size);
        else
            l->valid &= (uint8_t) ~(1u << s);
    }
    uint16_t index = c->free_passed;
    struct passed *p = &c->passed[index];
    c->free_passed = p->next_free;
    c->passed_used++;
    p->port = (uint16_t)port;
    p->tag = m->tag;
    struct msg on = *m;
    on.tag = index;
    push_below(c, &on);
    return LOOKED_UP;
}

/* Drops all copies of writable data; what is on its way must not be kept. */
static void invalidate(struct cache *c)
{
    if (!c->fetched)
        return;
    c->fetched = false;
    uint32_t count = c->sets * c->ways;
    for (uint32_t i = 0; i < count; i++) {
        struct line *l = &c->lines[i];
        l->valid &= (uint8_t)~l->by_value;
        l->by_value &= l->pending; /* for the requests that wait */
        l->stale |= l->pending;
    }
}

static void answer_invalidate(struct cache *c, uint32_t port,
                              const struct msg *m)
{
    struct msg reply = {.op = MEM_DONE, .tag = m->tag, .from = m->from};
    if (!c->params.owner)
        invalidate(c);
    answer(c, port, &reply);
}

static enum verdict look_up(struct cache *c, uint32_t port, const struct msg *m,
                            uint32_t *misses)
{
    switch (m->op) {
    case MEM_READ:
        return look_up_load(c, port, m, misses);
    case MEM_WRITE:
        return c->params.owner ? look_up_store(c, port, m)
                               : pass_on(c, port, m);
    case MEM_ATOMIC:
        return c->params.owner ? look_up_load(c, port, m, misses)
                               : pass_on(c, port, m);
    default:
        answer_invalidate(c, port, m);
        return LOOKED_UP;
    }
}

static void count_looked_up(struct cache *c, const struct msg *m)
{
    c->stats.reads += m->op == MEM_READ;
    c->stats.writes += m->op == MEM_WRITE;
    c->stats.atomics += m->op == MEM_ATOMIC;
}

/* ---- receive ---- */

static struct pipe_entry *bank_entry(struct cache *c, uint32_t bank,
                                     uint32_t at)
{
    return &c->pipe[(size_t)bank * c->depth + at % c->depth];
}

static uint32_t bank_of(const struct cache *c, const struct msg *m)
{
    return (uint32_t)map_line(&c->own, m->addr) &
           (uint32_t)(c->params.banks - 1);
}

static void enter_bank(struct cache *c, uint32_t bank, uint32_t port,
                       uint64_t now)
{
    struct bank *b = &c->banks[bank];
    struct pipe_entry *e = bank_entry(c, bank, b->head + b->count++);
    e->exit = now + (uint64_t)c->params.latency;
    e->port = port;
    e->msg = link_pop(&c->unit.in[CPU][port]);
    c->banks_busy |= 1ULL << bank;
    c->worked = true;
}

/* Notes for each bank which ports have a request for it at their head. */
static void sort_requests(struct cache *c)
{
    const uint64_t *pending = unit_pending(&c->unit, CPU);
    for (uint32_t w = 0; w < c->cpu_words; w++)
        for (uint64_t m = pending[w] & ~c->sorted[w]; m; m &= m - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(m), port = w * 64 + bit;
            uint32_t bank = bank_of(c, link_peek(&c->unit.in[CPU][port]));
            c->wanted[bank * c->cpu_words + w] |= 1ULL << bit;
            c->sorted[w] |= 1ULL << bit;
            c->banks_wanted |= 1ULL << bank;
            c->waiting++;
        }
}

static void take_request(struct cache *c, uint32_t bank, uint64_t now)
{
    uint64_t *wanted = &c->wanted[bank * c->cpu_words];
    struct bank *b = &c->banks[bank];
    uint32_t port = (uint32_t)mask_next(wanted, c->cpu_words, b->next_port);
    enter_bank(c, bank, port, now);
    b->next_port = (uint16_t)((port + 1u) % c->unit.links[CPU]);
    wanted[port / 64] &= ~(1ULL << port % 64);
    c->sorted[port / 64] &= ~(1ULL << port % 64);
    c->waiting--;
    if (!mask_any(wanted, c->cpu_words))
        c->banks_wanted &= ~(1ULL << bank);
}

/* Each bank takes the waiting request whose turn is next. */
static void take_requests(struct cache *c, uint64_t now)
{
    sort_requests(c);
    for (uint64_t m = c->banks_wanted; m; m &= m - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(m);
        if (c->banks[bank].count < c->depth)
            take_request(c, bank, now);
    }
    c->stats.conflicts += c->waiting;
    c->leftover = mask_any(unit_pending(&c->unit, CPU), c->cpu_words);
}

/* The answer to a store or atomic that was passed on: goes up in send. */
static void take_relay(struct cache *c, const struct msg *m)
{
    c->relay = *m;
    c->relaying = true;
}

static void install(struct cache *c, const struct msg *m)
{
    struct mshr *e = &c->mshrs[m->tag];
    struct line *l = &c->lines[e->line];
    c->stats.fills++;
    if (m->flags & MSG_PAYLOAD) {
        *line_data(c, l, e->sector) = msg_payload(&c->unit, m);
        l->by_value |= (uint8_t)(1u << e->sector);
    } else {
        l->by_value &= (uint8_t) ~(1u << e->sector);
    }
    c->replay = (uint16_t)m->tag;
}

static uint32_t fill_words(const struct cache *c)
{
    return (c->unit.links[FILL] + 63u) / 64;
}

/* Takes one message from below; what it answers is answered in send. */
static void take_answer(struct cache *c)
{
    const uint64_t *pending = unit_pending(&c->unit, FILL);
    int link = mask_next(pending, fill_words(c), c->next_fill);
    if (link < 0)
        return;
    c->next_fill = (uint16_t)(((uint32_t)link + 1) % c->unit.links[FILL]);
    struct msg m = link_pop(&c->unit.in[FILL][link]);
    if (m.op == MEM_DATA)
        install(c, &m);
    else
        take_relay(c, &m);
}

/* ---- send ---- */

static void answer_target(struct cache *c, struct mshr *e, struct target *t)
{
    struct line *l = &c->lines[e->line];
    if (c->params.owner && t->msg.op != MEM_READ)
        l->dirty |= (uint8_t)(1u << e->sector);
    answer_hit(c, t->port, &t->msg, l);
}

/* The sector is complete: all who waited have their answer. */
static void end_fetch(struct cache *c, struct mshr *e)
{
    struct line *l = &c->lines[e->line];
    uint8_t bit = (uint8_t)(1u << e->sector);
    l->pending &= (uint8_t)~bit;
    if (!(l->stale & bit))
        l->valid |= bit;
    l->stale &= (uint8_t)~bit;
    e->next_free = c->free_mshr;
    c->free_mshr = (uint16_t)(e - c->mshrs);
    c->mshrs_used--;
    c->replay = NO_ENTRY;
}

static void replay(struct cache *c)
{
    struct mshr *e = &c->mshrs[c->replay];
    uint16_t index = e->first;
    struct target *t = &c->targets[index];
    answer_target(c, e, t);
    e->first = t->next;
    t->next = c->free_target;
    c->free_target = index;
    if (!--e->waiting)
        end_fetch(c, e);
}

static void relay(struct cache *c)
{
    uint16_t index = (uint16_t)c->relay.tag;
    struct passed *p = &c->passed[index];
    struct msg m = c->relay;
    m.tag = p->tag;
    c->relaying = false;
    p->next_free = c->free_passed;
    c->free_passed = index;
    c->passed_used--;
    answer(c, p->port, &m);
}

static void count_stall(struct cache *c, enum verdict v)
{
    c->stats.stall_mshr += v == NO_MSHR;
    c->stats.stall_way += v == NO_WAY;
    c->stats.stall_below += v == NO_ROOM;
}

/* Looks up what has reached the end of its bank, in turn. */
static void look_up_banks(struct cache *c, uint64_t now)
{
    uint32_t misses = 0, banks = (uint32_t)c->params.banks;
    uint32_t first = c->next_bank;
    uint64_t busy = c->banks_busy;
    for (uint64_t done = 0; busy & ~done;) {
        uint64_t rest = busy & ~done, ahead = rest & (~0ULL << first);
        uint32_t bank = (uint32_t)__builtin_ctzll(ahead ? ahead : rest);
        done |= 1ULL << bank;
        struct bank *b = &c->banks[bank];
        struct pipe_entry *e = bank_entry(c, bank, b->head);
        if (e->exit > now)
            continue;
        uint32_t before = misses;
        enum verdict v = look_up(c, e->port, &e->msg, &misses);
        count_stall(c, v);
        if (v != LOOKED_UP)
            continue;
        count_looked_up(c, &e->msg);
        c->worked = true;
        if (misses != before)
            c->next_bank = (bank + 1) & (banks - 1);
        b->head = (b->head + 1) % c->depth;
        if (!--b->count)
            c->banks_busy &= ~(1ULL << bank);
    }
}

static void send_below(struct cache *c)
{
    if (!c->queue_count)
        return;
    struct below *b = &c->queue[c->queue_head];
    struct outport *o = &c->unit.out[MEM][b->link];
    if (!link_ready(o))
        return;
    link_push(o, &b->msg);
    c->queue_head = (c->queue_head + 1) % c->queue_room;
    c->queue_count--;
    c->worked = true;
}

/* When there is something to do without a message arriving. */
static uint64_t next_work(struct cache *c, uint64_t now)
{
    if (c->replay != NO_ENTRY || c->leftover || c->queue_count)
        return now + 1;
    uint64_t next = CYCLE_NEVER;
    for (uint64_t m = c->banks_busy; m; m &= m - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(m);
        uint64_t exit = bank_entry(c, bank, c->banks[bank].head)->exit;
        if (exit <= now)
            return now + 1;
        if (exit < next)
            next = exit;
    }
    return next;
}

static bool under_way(const struct cache *c)
{
    return c->mshrs_used || c->passed_used || c->banks_busy || c->queue_count ||
           c->leftover;
}

static void cache_receive(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    if (c->replay == NO_ENTRY)
        take_answer(c);
    take_requests(c, now);
    c->leftover |= mask_any(unit_pending(u, FILL), fill_words(c));
}

static uint64_t cache_send(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    if (c->replay != NO_ENTRY)
        replay(c);
    if (c->relaying)
        relay(c);
    look_up_banks(c, now);
    send_below(c);
    uint64_t *rest = under_way(c) ? &c->stats.waiting : &c->stats.idle;
    account_tick(&c->account, now, c->worked ? &c->stats.busy : rest, rest);
    c->worked = false;
    return next_work(c, now);
}

static void launch(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    if (!c->params.owner)
        invalidate(c);
}

static void close_account(struct unit *u, uint64_t now)
{
    struct cache *c = (struct cache *)u;
    account_switch(&c->account, now, c->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct cache *c = (const struct cache *)u;
    if (!under_way(c))
        return;
    fprintf(out,
            "%s: %u sectors being fetched, %u stores or atomics below, %u "
            "messages waiting for %s\n",
            u->name, c->mshrs_used, c->passed_used, c->queue_count,
            c->queue_count
                ? u->out[MEM][c->queue[c->queue_head].link].tile->name
                : "nothing");
}

#define PARAM_STRUCT struct cache_params
#define STAT_STRUCT struct cache_stats
static const struct param param_rows[] = {CACHE_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {CACHE_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {CACHE_BUCKETS(STAT_ROW)};

const struct unit_kind cache_kind = {
    .name = "cache",
    .meaning = "set-associative cache",
    .size = sizeof(struct cache),
    .params = offsetof(struct cache, params),
    .stats = offsetof(struct cache, stats),
    UNIT_TABLES,
    .build = build,
    .receive = cache_receive,
    .send = cache_send,
    .launch = launch,
    .close = close_account,
    .explain = explain,
};
