/* A cache is built: parameters and neighbours checked, memory taken. */
#include "sim/core/heap.h"
#include "sim/units/cache_private.h"
#include "sim/units/units.h"
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
                         (long long)(sets * p->ways), LINES_MAX);
    return true;
}

static bool check_resources(const struct cache_params *p, struct error *error)
{
    if (p->mshrs * p->targets >= NO_ENTRY)
        return error_set(error,
                         "targets: mshrs (%d) x targets (%d) must be below %d",
                         (int)p->mshrs, (int)p->targets, NO_ENTRY);
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

static const struct unit *unit_below(const struct unit *u, unsigned link)
{
    return u->out[MEM][link].target;
}

static const struct cache *cache_below(const struct unit *u, unsigned link)
{
    const struct unit *below = unit_below(u, link);
    return below->kind == &cache_kind ? (const struct cache *)below : NULL;
}

#define LEVELS_MAX 8 /* a chip whose caches go round in a ring has more */

/* Copies on the way to the owner, with this one; LEVELS_MAX: or more. */
static unsigned level_of(const struct cache *c, unsigned above)
{
    unsigned below = 0;
    if (c->params.owner || above == LEVELS_MAX)
        return 0;
    for (unsigned i = 0; i < c->unit.links[MEM]; i++) {
        const struct cache *next = cache_below(&c->unit, i);
        unsigned level = next ? level_of(next, above + 1) : 0;
        if (level > below)
            below = level;
    }
    return below + 1;
}

/* The owner's to say. */
int64_t cache_slice_bytes(const struct unit *u)
{
    const struct cache *c = (const struct cache *)u;
    for (unsigned i = 0; i < LEVELS_MAX; i++) {
        const struct cache *below =
            c->params.owner ? NULL : cache_below(&c->unit, 0);
        if (c->params.map_line || !below)
            break;
        c = below;
    }
    return c->params.map_line ? c->params.map_line : c->params.line;
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
    return u->links[FILL] || error_set(error, "no fill link");
}

static bool check_map(const struct cache *c, struct error *error)
{
    const struct cache_params *p = &c->params;
    int64_t slice = cache_slice_bytes(&c->unit);
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

/* Whoever sends to several owners has to know what belongs to which. */
static bool same_map(const struct cache *c, const struct cache *below,
                     struct error *error)
{
    const struct cache_params *p = &c->params, *q = &below->params;
    const struct {
        const char *name;
        int64_t here, there;
    } rows[] = {
        {"map_stride", p->map_stride, q->map_stride},
        {"map_parts", p->map_parts, q->map_parts},
        {"map_slices", p->map_slices, q->map_slices},
        {"map_hash", p->map_hash, q->map_hash},
        {"map_line", cache_slice_bytes(&c->unit),
         cache_slice_bytes(&below->unit)},
    };
    bool alone = c->unit.links[MEM] == 1;
    if (alone && q->map_parts * q->map_slices > 1)
        return error_set(error,
                         "map_parts: there is one mem link, but %s is one of "
                         "%d slices",
                         below->unit.name, (int)(q->map_parts * q->map_slices));
    for (unsigned i = 0; !alone && i < TABLE_COUNT(rows); i++)
        if (rows[i].here != rows[i].there)
            return error_set(error, "%s: %lld here, %lld at %s below",
                             rows[i].name, (long long)rows[i].here,
                             (long long)rows[i].there, below->unit.name);
    return true;
}

/* On each way to memory there is one owner, and it is the last cache. */
static bool check_below(const struct cache *c, struct error *error)
{
    const struct unit *u = &c->unit;
    if (level_of(c, 0) >= LEVELS_MAX)
        return error_set(error, "owner: none of %d caches below is one",
                         LEVELS_MAX);
    for (unsigned i = 0; i < u->links[MEM]; i++) {
        const struct unit *below = unit_below(u, i);
        const struct cache *next = cache_below(u, i);
        bool memory = !strcmp(below->kind->name, "memory") ||
                      !strcmp(below->kind->name, "dram");
        if (c->params.owner && next)
            return error_set(error,
                             "owner: there is another cache, %s, below; only "
                             "the last one may be the owner",
                             below->name);
        if (!c->params.owner && memory)
            return error_set(error,
                             "owner: no cache is below, so this one has to be "
                             "the owner, not copy");
        if (next && next->params.owner && !same_map(c, next, error))
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
static void settle_params(struct cache *c)
{
    const struct cache_params *p = &c->params;
    int64_t slice = cache_slice_bytes(&c->unit);
    bool hashed = p->map_hash;
    c->owner = p->owner;
    c->back = p->write == USUAL ? c->owner : p->write == BACK;
    c->allocate = p->allocate == USUAL ? c->owner : p->allocate == YES;
    c->performs = c->owner || p->atomics;
    c->level = (uint8_t)level_of(c, 0);
    c->fences = c->level > 1;
    c->fault = (uint8_t)p->fault;
    c->queues = p->reply_width > 0;
    c->quick = !p->fault && !p->classify;
    c->map = map_new(p->map_stride, p->map_parts, p->map_slices, slice, hashed);
    c->own = c->owner ? c->map : map_new(p->map_stride, 1, 1, p->line, false);
    c->plain = !c->owner || p->map_parts * p->map_slices == 1;
    c->lru = p->replacement == REPLACE_LRU;
    c->at_random = p->replacement == REPLACE_RANDOM;
    c->prefetch = (uint8_t)p->prefetch;
    c->updates_limit = (uint32_t)p->updates;
    c->mem_width = (uint16_t)p->mem_width;
    c->fill_width = (uint16_t)p->fill_width;
    c->reply_width = (uint16_t)p->reply_width;
    c->header = (uint16_t)p->header;
    c->target_limit = (uint32_t)p->targets;
    c->line_mask = (uint32_t)p->line - 1;
    c->line_shift = shift_of(p->line);
    c->within = c->owner ? shift_of(slice) - c->line_shift : 0;
    c->sets = (uint32_t)(p->size / (p->line * p->ways));
    c->tag_shift = c->line_shift + shift_of(c->sets);
    if (!c->plain)
        c->tag_shift += c->own.part_bits + c->own.slice_bits;
    c->ways = (uint32_t)p->ways;
    c->ways_inverse = ((1ULL << 36) + c->ways - 1) / c->ways;
    c->tag_ways = (c->ways + 15) / 16 * 16;
    for (c->tree_leaves = 1; c->tree_leaves < c->ways;)
        c->tree_leaves *= 2;
    c->pieces = (uint8_t)(p->line / SECTOR);
    c->all_pieces = (uint8_t)((1u << c->pieces) - 1);
    c->sector_pieces = (uint8_t)(p->sector / SECTOR);
    c->fill_pieces = (uint8_t)(fill_bytes(p) / SECTOR);
    /* Those of a victim, or of a block of up to 128 bytes. */
    c->writes = c->pieces > 4 ? c->pieces : 4;
    c->need = c->writes + c->fill_pieces;
}

static void take_lines(struct cache *c)
{
    struct chip *chip = c->unit.chip;
    size_t lines = (size_t)c->sets * c->ways;
    c->line_count = (uint32_t)lines;
    c->tags = chip_alloc(chip, c->sets, c->tag_ways);
    c->used = chip_alloc(chip, lines, sizeof *c->used);
    c->copied = chip_alloc(chip, c->sets, sizeof *c->copied);
    c->lines = chip_alloc(chip, lines, sizeof *c->lines);
    c->bytes = chip_alloc(chip, lines * c->pieces, sizeof *c->bytes);
    c->fetches = chip_alloc(chip, lines * c->pieces, sizeof *c->fetches);
    if (!c->owner)
        c->data = chip_alloc(chip, lines * c->pieces, sizeof *c->data);
    if (c->params.replacement == REPLACE_PLRU)
        c->trees = chip_alloc(chip, c->sets, sizeof *c->trees);
    if (c->params.classify)
        c->shadow = shadow_new((uint32_t)lines);
}

#define PIPELINE_FIRST 16

void cache_widen_pipeline(struct cache *c)
{
    uint32_t room = c->pipeline_mask + 1;
    for (uint32_t i = c->head; i != c->tail; i++)
        if (i & room) /* of twice the room, the second half */
            c->pipeline[room + (i & (room - 1))] = c->pipeline[i & (room - 1)];
    c->pipeline_mask = 2 * room - 1;
}

void cache_complete(struct unit *u)
{
    struct cache *c = (struct cache *)u;
    if (c->performs)
        cache_take_reservations(c);
    else
        c->reserving =
            chip_alloc(u->chip, cache_harts(c), sizeof *c->reserving);
}

void cache_find_row(struct cache *c)
{
    const struct unit *u = &c->unit;
    c->row = tp_row_at(u->out[REPLY], u->links[REPLY], &c->row_ports);
}

/* Nothing out of the ordinary happens to an ask, its sectors lie in one line,
 * and the answers of a cycle need not share a width. */
static bool may_be_asked(const struct cache *c)
{
    return c->quick && !c->queues && c->plain && c->pieces >= FETCH_TRAIN;
}

/* Do these ports lead to ports of the cache side by side, and back? */
static bool in_a_row(const struct cache *c, const struct outport *from,
                     const struct inport *back, uint32_t ports, uint32_t first)
{
    const struct unit *u = &c->unit;
    for (uint32_t i = 0; i < ports; i++) {
        const struct outport *answers = &u->out[REPLY][first + i];
        if (from[i].target != u || from[i].port != from->port + i ||
            from[i].latency != 1 || !from[i].price || answers->remote ||
            answers->latency != 1 || answers->price ||
            &u->tile->inports[answers->port] != &back[i])
            return false;
    }
    return true;
}

bool fetch_link_join(struct fetch_link *link, const struct outport *from,
                     const struct inport *back, uint32_t ports)
{
    struct cache *c = (struct cache *)from->target;
    const struct unit *u = from->target;
    if (u->kind != &cache_kind || from->remote || ports > FETCH_PORTS ||
        !may_be_asked(c) || (c->link && c->link != link))
        return false;
    uint32_t first = (uint32_t)(&u->tile->inports[from->port] - u->in[CPU]);
    if (first >= u->links[CPU] || ports > u->links[CPU] - first ||
        !in_a_row(c, from, back, ports, first))
        return false;
    c->link = link;
    c->ask_from = first;
    c->ask_ports = ports;
    for (uint32_t port = first; port < first + ports; port++)
        c->ask_masks[port / 64] |= 1ULL << port % 64;
    return true;
}

/* Of all that is allocated the first few entries are used to begin with. */
static void take_pipeline(struct cache *c, uint32_t banks)
{
    uint32_t most = banks * c->depth + banks, room = PIPELINE_FIRST;
    while (room < most)
        room *= 2;
    c->pipeline = chip_alloc(c->unit.chip, room, sizeof *c->pipeline);
    c->pipeline_mask = PIPELINE_FIRST - 1;
}

static void take_banks(struct cache *c)
{
    struct chip *chip = c->unit.chip;
    size_t banks = (size_t)c->params.banks;
    c->latency = (uint32_t)c->params.latency;
    c->depth = c->latency + 1;
    c->bank_mask = (uint32_t)banks - 1;
    c->all_banks = ~0ULL >> (64 - banks);
    c->miss_limit = (uint32_t)c->params.misses;
    c->banks = chip_alloc(chip, banks, sizeof *c->banks);
    take_pipeline(c, (uint32_t)banks);
    c->cpu = unit_pending(&c->unit, CPU);
    c->fill = unit_pending(&c->unit, FILL);
    c->cpu_words = (uint16_t)((c->unit.links[CPU] + 63u) / 64);
    c->fill_words = (uint16_t)((c->unit.links[FILL] + 63u) / 64);
    c->wanted = chip_alloc(chip, banks * c->cpu_words, sizeof *c->wanted);
    c->wanting = chip_alloc(chip, c->unit.links[CPU], sizeof(uint32_t));
    c->ask_masks = chip_alloc(chip, c->cpu_words, sizeof *c->ask_masks);
}

bool cache_build(struct unit *u, struct error *error)
{
    struct cache *c = (struct cache *)u;
    if (!check_granules(&c->params, error) || !check_sets(&c->params, error) ||
        !check_resources(&c->params, error) || !check_ports(c, error) ||
        !check_map(c, error) || !check_below(c, error))
        return false;
    c->machine = chip_context(u->chip);
    settle_params(c);
    take_lines(c);
    take_banks(c);
    cache_make_lists(c);
    c->below.room = 64 + c->need - 1;
    c->below.ring = chip_alloc(u->chip, c->below.room, sizeof *c->below.ring);
    c->random = 0x9e3779b97f4a7c15u + u->id;
    c->request = NONE;
    c->rests = true;
    return true;
}
