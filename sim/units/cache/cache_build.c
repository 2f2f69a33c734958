/* A cache is built: parameters and neighbours checked, memory taken. */
#include "sim/core/memory_role.h"
#include "sim/units/cache/cache_private.h"
#include <stdlib.h>

/* ---- parameters ---- */

static int64_t fill_bytes(const struct cache_params *p)
{
    return p->fill ? p->fill : p->sector;
}

static bool power_of_two(const char *name, int64_t value, struct error *error)
{
    return is_power_of_two(value) ||
           error_set(error, "%s: %lld is no power of two", name,
                     (long long)value);
}

static bool check_granules(const struct cache_params *p, struct error *error)
{
    if (!power_of_two("line", p->line, error) ||
        !power_of_two("sector", p->sector, error) ||
        !power_of_two("fill", fill_bytes(p), error))
        return false;
    if (p->sector > p->line)
        return error_set(error, "sector: %d bytes are more than a line (%d)",
                         (int)p->sector, (int)p->line);
    if (fill_bytes(p) < p->sector)
        return error_set(error, "fill: %d bytes are less than a sector (%d)",
                         (int)p->fill, (int)p->sector);
    if (fill_bytes(p) > p->line)
        return error_set(error, "fill: %d bytes are more than a line (%d)",
                         (int)p->fill, (int)p->line);
    return true;
}

static bool check_sets(const struct cache_params *p, struct error *error)
{
    int64_t sets = p->size / (p->line * p->ways);
    if (sets * p->line * p->ways != p->size || !is_power_of_two(sets))
        return error_set(error,
                         "size: %lld bytes are no power of two sets of %d "
                         "ways of %d bytes",
                         (long long)p->size, (int)p->ways, (int)p->line);
    if (!power_of_two("banks", p->banks, error))
        return false;
    if (p->banks > sets)
        return error_set(error, "banks: %d are more than the sets (%lld)",
                         (int)p->banks, (long long)sets);
    if (sets * p->ways > LINES_MAX)
        return error_set(error, "size: %lld lines are more than %u",
                         (long long)sets * p->ways, LINES_MAX);
    return true;
}

static bool check_resources(const struct cache_params *p, struct error *error)
{
    if (p->mshrs < fill_bytes(p) / p->sector)
        return error_set(error,
                         "mshrs: %d, but a miss fetches %d sectors (fill / "
                         "sector)",
                         (int)p->mshrs, (int)(fill_bytes(p) / p->sector));
    if (p->owner && p->atomics)
        return error_set(error, "atomics: here is a choice for copies; an "
                                "owner performs all that arrive");
    return true;
}

/* ---- neighbours ---- */

/* The bytes that lie side by side in one slice of the owner below the cache, or
 * of the cache itself. */
static int64_t slice_bytes(const struct unit *u)
{
    struct memory_map map;
    memory_map_of(u, &map);
    return map.line;
}

static bool check_ports(const struct cache *c, struct error *error)
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
    if (c->params.owner && u->links[SCENE])
        return error_set(error, "a scene link, but an owner reads all itself");
    return u->links[FILL] || error_set(error, "no fill link");
}

static bool check_map(const struct cache *c, struct error *error)
{
    const struct cache_params *p = &c->params;
    int64_t slice = slice_bytes(&c->unit);
    if (!power_of_two("map_stride", p->map_stride, error) ||
        !power_of_two("map_line", slice, error))
        return false;
    if (p->map_stride < slice)
        return error_set(error,
                         "map_stride: %d is less than the stripe of a slice "
                         "(%d)",
                         (int)p->map_stride, (int)slice);
    if (p->owner && slice < p->line)
        return error_set(error, "map_line: %d is less than a line (%d)",
                         (int)slice, (int)p->line);
    return true;
}

/* A cache that sends to several owners has to know what belongs to which. */
static bool same_map(const struct cache *c, const struct unit *below,
                     struct error *error)
{
    struct memory_map p, q;
    memory_map_of(&c->unit, &p);
    memory_map_of(below, &q);
    const struct map_row rows[] = {
        {"map_stride", p.stride, q.stride}, {"map_parts", p.parts, q.parts},
        {"map_slices", p.slices, q.slices}, {"map_hash", p.hash, q.hash},
        {"map_line", p.line, q.line},
    };
    bool alone = c->unit.links[MEM] == 1;
    if (alone && q.parts * q.slices > 1)
        return error_set(error,
                         "map_parts: there is one mem link, but %s is one of "
                         "%d slices",
                         below->name, (int)(q.parts * q.slices));
    return alone || map_rows_agree(rows, TABLE_COUNT(rows), below->name,
                                   " below", error);
}

/* On each way to memory there is one owner, and it is the last cache. */
static bool check_below(const struct cache *c, struct error *error)
{
    const struct unit *u = &c->unit;
    if (memory_level(u) >= MEMORY_LEVELS_MAX)
        return error_set(error, "owner: none of %d caches below is one",
                         MEMORY_LEVELS_MAX);
    for (unsigned i = 0; i < u->links[MEM]; i++) {
        const struct unit *below = memory_link(u, i);
        enum memory_holds holds = memory_holds(below);
        if (c->params.owner && holds != MEMORY_NOTHING)
            return error_set(error,
                             "owner: there is another cache, %s, below; only "
                             "the last one may be the owner",
                             below->name);
        if (!c->params.owner && memory_ends(below))
            return error_set(error,
                             "owner: no cache is below, so this one has to be "
                             "the owner, not copy");
        if (holds == MEMORY_OWNS && !same_map(c, below, error))
            return false;
    }
    return true;
}

/* ---- construction ---- */

static uint8_t shift_of(int64_t power)
{
    return (uint8_t)__builtin_ctzll((uint64_t)power);
}

/* What the parameters mean. */
static void settle_roles(struct cache *c)
{
    const struct cache_params *p = &c->params;
    c->owner = p->owner;
    c->writes_back = p->write == USUAL ? c->owner : p->write == BACK;
    c->allocate = p->allocate == USUAL ? c->owner : p->allocate == YES;
    c->performs = c->owner || p->atomics;
    c->prefetch = (uint8_t)p->prefetch;
    c->level = (uint8_t)memory_level(&c->unit);
    c->fences = c->level > 1;
    c->fault = (uint8_t)p->fault;
}

/* How large a line, a sector and a fill are, in pieces. */
static void settle_granules(struct store *s, const struct cache_params *p)
{
    s->line_mask = (uint32_t)p->line - 1;
    s->line_shift = shift_of(p->line);
    s->pieces = (uint8_t)(p->line / SECTOR);
    s->all_pieces = (uint8_t)((1u << s->pieces) - 1);
    s->sector_pieces = (uint8_t)(p->sector / SECTOR);
    s->fill_pieces = (uint8_t)(fill_bytes(p) / SECTOR);
}

static void settle_store(struct cache *c)
{
    const struct cache_params *p = &c->params;
    struct store *s = &c->store;
    settle_granules(s, p);
    s->plain = !c->owner || p->map_parts * p->map_slices == 1;
    s->own =
        c->owner ? c->back.map : map_new(p->map_stride, 1, 1, p->line, false);
    if (c->owner)
        s->within = shift_of(slice_bytes(&c->unit)) - s->line_shift;
    s->sets = (uint32_t)(p->size / (p->line * p->ways));
    s->tag_shift = s->line_shift + shift_of(s->sets);
    if (!s->plain)
        s->tag_shift += s->own.part_bits + s->own.slice_bits;
    s->ways = (uint32_t)p->ways;
    s->ways_inverse = ((1ULL << 36) + s->ways - 1) / s->ways;
    s->tag_ways = (s->ways + 15) / 16 * 16;
    for (s->ways_up = 1; s->ways_up < s->ways;)
        s->ways_up *= 2;
    s->by = cache_replacements[p->replacement];
    s->by_use = s->by->by_use;
    s->random = 0x9e3779b97f4a7c15u + c->unit.id;
}

static void settle_back(struct cache *c)
{
    const struct cache_params *p = &c->params;
    struct back *b = &c->back;
    b->map = map_new(p->map_stride, p->map_parts, p->map_slices,
                     slice_bytes(&c->unit), p->map_hash);
    b->route = c->unit.links[SCENE]          ? ROUTE_OTHER
               : c->unit.links[MEM] == 1     ? ROUTE_ALONE
               : p->map_hash || !b->map.even ? ROUTE_OTHER
                                             : ROUTE_STRIPES;
    b->mem_width = (uint16_t)p->mem_width;
    b->fill_width = (uint16_t)p->fill_width;
    b->reply_width = (uint16_t)p->reply_width;
    b->queues = p->reply_width > 0;
    b->header = (uint16_t)p->header;
    b->updates_limit = (uint32_t)p->updates;
}

/* ---- memory ---- */

static void take_lines(struct cache *c)
{
    struct chip *chip = c->unit.chip;
    struct store *s = &c->store;
    size_t lines = (size_t)s->sets * s->ways, pieces = lines * s->pieces;
    s->count = (uint32_t)lines;
    s->tags = chip_alloc(chip, s->sets, s->tag_ways);
    s->used = chip_alloc(chip, lines, sizeof *s->used);
    s->copied = chip_alloc(chip, s->sets, sizeof *s->copied);
    s->lines = chip_alloc(chip, lines, sizeof *s->lines);
    s->bytes = chip_alloc(chip, pieces, sizeof *s->bytes);
    if (!c->owner)
        s->data = chip_alloc(chip, pieces, sizeof *s->data);
    if (s->by->words)
        s->words = chip_alloc(chip, s->sets, s->by->words * sizeof *s->words);
    c->misses.fetches = chip_alloc(chip, pieces, sizeof *c->misses.fetches);
    if (c->params.classify)
        c->shadow = shadow_new(s->count);
    if (STALLS)
        c->twice = shadow_new(2 * s->count);
}

/* The queue below has room for 64 messages and what a request may bring about:
 * the write-backs of a victim, or of a block of up to 128 bytes, and fetches.
 */
static void take_back(struct cache *c)
{
    struct back *b = &c->back;
    b->writes = c->store.pieces > 4 ? c->store.pieces : 4;
    b->need = b->writes + c->store.fill_pieces;
    b->below.order.room = 64 + b->need - 1;
    b->below.entries =
        chip_alloc(c->unit.chip, b->below.order.room, sizeof *b->below.entries);
    b->fill = unit_pending(&c->unit, FILL);
    b->fill_words = (uint16_t)((c->unit.links[FILL] + 63u) / 64);
}

#define PIPELINE_FIRST 16

void cache_widen_pipeline(struct cache *c)
{
    struct front *f = &c->front;
    uint32_t room = f->pipeline_mask + 1;
    for (uint32_t i = f->head; i != f->tail; i++)
        if (i & room) /* of twice the room, the second half */
            f->pipeline[room + (i & (room - 1))] = f->pipeline[i & (room - 1)];
    f->pipeline_mask = 2 * room - 1;
}

void cache_complete(struct unit *u)
{
    struct cache *c = (struct cache *)u;
    if (c->performs)
        cache_take_reservations(c);
    else
        c->misses.reserving =
            chip_alloc(u->chip, cache_harts(c), sizeof *c->misses.reserving);
}

/* Of all that is allocated the first few entries are used to begin with. */
static void take_pipeline(struct cache *c, uint32_t banks)
{
    struct front *f = &c->front;
    uint32_t most = banks * f->depth + banks, room = PIPELINE_FIRST;
    while (room < most)
        room *= 2;
    f->pipeline = chip_alloc(c->unit.chip, room, sizeof *f->pipeline);
    f->pipeline_mask = PIPELINE_FIRST - 1;
}

static void take_front(struct cache *c)
{
    struct front *f = &c->front;
    size_t banks = (size_t)c->params.banks;
    f->latency = (uint32_t)c->params.latency;
    f->depth = f->latency + 1;
    f->bank_mask = (uint32_t)banks - 1;
    f->all_banks = ~0ULL >> (64 - banks);
    f->banks = chip_alloc(c->unit.chip, banks, sizeof *f->banks);
    take_pipeline(c, (uint32_t)banks);
    f->cpu = unit_pending(&c->unit, CPU);
    f->words = (c->unit.links[CPU] + 63u) / 64;
    f->request = NONE;
}

bool cache_build(struct unit *u, struct error *error)
{
    struct cache *c = (struct cache *)u;
    if (!check_granules(&c->params, error) || !check_sets(&c->params, error) ||
        !check_resources(&c->params, error) || !check_ports(c, error) ||
        !check_map(c, error) || !check_below(c, error))
        return false;
    c->machine = chip_context(u->chip);
    settle_roles(c);
    settle_back(c);
    settle_store(c);
    take_front(c);
    take_lines(c);
    cache_make_lists(c);
    take_back(c);
    c->rests = true;
    return true;
}
