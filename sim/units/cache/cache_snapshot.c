/*
 * What a cache holds, as lines of text, so that a later run can begin warm:
 *
 *   cache NAME size S ways W line L sector S replacement R map ...
 *   line SET WAY NUMBER BASE VALID AGE       one for each line with valid
 *   tree SET BITS BITS                       pieces; plru: one for each set;
 *                                            of any policy with words, as many
 *   end
 *
 * NUMBER, BASE, VALID and BITS are hexadecimal. AGE: 0 for the line of its set
 * that would go first. Only the places are saved: a copy takes its bytes from
 * the memory image, and all is clean.
 */
#include "sim/units/cache/cache_private.h"
#include <inttypes.h>

/* What has to be equal for a snapshot to fit, by name. */
struct geometry {
    const char *name;
    int64_t value;
};

#define GEOMETRY 11

static void geometry_of(const struct cache *c, struct geometry *g)
{
    const struct cache_params *p = &c->params;
    const struct geometry rows[GEOMETRY] = {
        {"size", p->size},
        {"ways", p->ways},
        {"line", p->line},
        {"sector", p->sector},
        {"replacement", p->replacement},
        {"owner", p->owner},
        {"map_stride", p->map_stride},
        {"map_parts", p->map_parts},
        {"map_slices", p->map_slices},
        {"map_line", 1ll << c->back.map.line_shift},
        {"map_hash", p->map_hash},
    };
    memcpy(g, rows, sizeof rows);
}

/* ---- saving ---- */

static uint32_t age_of(const struct cache *c, uint32_t set, uint32_t way)
{
    const uint32_t *used = &c->store.used[(size_t)set * c->store.ways];
    const uint8_t *tags = &c->store.tags[(size_t)set * c->store.tag_ways];
    uint32_t age = 0;
    for (uint32_t w = 0; w < c->store.ways; w++)
        age += tags[w] && (int32_t)(used[w] - used[way]) < 0;
    return age;
}

static void save_set(const struct cache *c, uint32_t set, FILE *out)
{
    for (uint32_t way = 0; way < c->store.ways; way++) {
        const struct line *l =
            &c->store.lines[(size_t)set * c->store.ways + way];
        if (c->store.tags[(size_t)set * c->store.tag_ways + way] && l->valid)
            fprintf(out,
                    "line %" PRIu32 " %" PRIu32 " %" PRIx64 " %" PRIx64
                    " %x %" PRIu32 "\n",
                    set, way, line_number(&c->store, l->base), l->base,
                    l->valid, age_of(c, set, way));
    }
    uint32_t words = c->store.by->words;
    if (words)
        fprintf(out, "tree %" PRIu32, set);
    for (uint32_t i = 0; i < words; i++)
        fprintf(out, " %" PRIx64 "%s", store_words(&c->store, set)[i],
                i + 1 == words ? "\n" : "");
}

void cache_save(const struct unit *u, FILE *out)
{
    const struct cache *c = (const struct cache *)u;
    struct geometry g[GEOMETRY];
    geometry_of(c, g);
    fprintf(out, "cache %s", u->name);
    for (unsigned i = 0; i < GEOMETRY; i++)
        fprintf(out, " %s %" PRId64, g[i].name, g[i].value);
    fprintf(out, "\n");
    for (uint32_t set = 0; set < c->store.sets; set++)
        save_set(c, set, out);
    fprintf(out, "end\n");
}

/* ---- loading ---- */

static bool check_head(const struct cache *c, const char *text,
                       struct error *error)
{
    struct geometry g[GEOMETRY];
    char name[256];
    int used = 0;
    geometry_of(c, g);
    if (sscanf(text, "cache %255s%n", name, &used) != 1)
        return error_set(error, "no 'cache NAME ...', but '%.60s'", text);
    if (strcmp(name, c->unit.name))
        return error_set(error, "of cache %s, expected %s", name, c->unit.name);
    for (unsigned i = 0; i < GEOMETRY; i++) {
        char key[32];
        int64_t value;
        int more = 0;
        text += used;
        if (sscanf(text, " %31s %" SCNd64 "%n", key, &value, &more) != 2 ||
            strcmp(key, g[i].name))
            return error_set(error, "%s: no '%s' where it is expected", name,
                             g[i].name);
        if (value != g[i].value)
            return error_set(error,
                             "%s: %s is %" PRId64 " in the snapshot, %" PRId64
                             " in this chip",
                             name, key, value, g[i].value);
        used = more;
    }
    return true;
}

/* The bytes are what memory holds now. */
static void take_data(struct cache *c, struct line *l)
{
    for (uint32_t m = c->owner ? 0 : l->valid; m; m &= m - 1) {
        uint32_t piece = (uint32_t)__builtin_ctz(m);
        uint64_t address = l->base + piece * SECTOR;
        if (machine_read_only(c->machine, address, SECTOR))
            continue;
        memcpy(data_of(&c->store, l, piece)->bytes,
               machine_at(c->machine, address), SECTOR);
        store_by_value(&c->store, l, (uint8_t)(1u << piece));
    }
    c->fetched = true;
}

static bool load_line(struct cache *c, const char *text, struct error *error)
{
    uint32_t set, way, age;
    unsigned valid;
    uint64_t number, base;
    if (sscanf(text,
               "line %" SCNu32 " %" SCNu32 " %" SCNx64 " %" SCNx64
               " %x %" SCNu32,
               &set, &way, &number, &base, &valid, &age) != 6)
        return error_set(error, "%s: '%.60s' is no line", c->unit.name, text);
    if (set >= c->store.sets || way >= c->store.ways || age >= c->store.ways ||
        !valid || valid & ~(unsigned)c->store.all_pieces ||
        (number & (c->store.sets - 1)) != set ||
        !machine_in_ram(c->machine, base, (uint64_t)c->params.line) ||
        base % (uint64_t)c->params.line ||
        line_number(&c->store, base) != number)
        return error_set(error, "%s: '%.60s' does not fit this cache",
                         c->unit.name, text);
    /* Of two copies of a line one would be found and changed, and the other be
     * found later, as it was. */
    if (c->store.tags[(size_t)set * c->store.tag_ways + way] ||
        store_find(&c->store, base))
        return error_set(error,
                         "%s: '%.60s' is a line, or in a way, that is "
                         "taken already",
                         c->unit.name, text);
    struct line *l = &c->store.lines[(size_t)set * c->store.ways + way];
    *l = (struct line){.base = base, .valid = (uint8_t)valid};
    c->store.used[l - c->store.lines] = age + 1;
    c->store.tags[(size_t)set * c->store.tag_ways + way] =
        partial_tag(&c->store, base);
    take_data(c, l);
    CACHE_SHADOWS(c, shadow_use, number, (uint8_t)valid);
    CACHE_SHADOWS(
        c, shadow_fetched, number, (uint8_t)valid,
        !machine_read_only(c->machine, base, (uint64_t)c->params.line));
    return true;
}

static bool load_tree(struct cache *c, const char *text, struct error *error)
{
    uint32_t set, words = c->store.by->words, i = 0;
    int used;
    bool fits = sscanf(text, "tree %" SCNu32 "%n", &set, &used) == 1 &&
                set < c->store.sets && words;
    for (const char *at = text; fits && i < words; i++) {
        at += used;
        fits = sscanf(at, " %" SCNx64 "%n", &store_words(&c->store, set)[i],
                      &used) == 1;
    }
    return fits || error_set(error, "%s: '%.60s' does not fit this cache",
                             c->unit.name, text);
}

/* A line of the file without its end; false: there is none. */
static bool next_text(FILE *in, char *text, size_t size)
{
    if (!fgets(text, (int)size, in))
        return false;
    text[strcspn(text, "\r\n")] = 0;
    return true;
}

bool cache_load(struct unit *u, FILE *in, struct error *error)
{
    struct cache *c = (struct cache *)u;
    char text[1024];
    if (!next_text(in, text, sizeof text))
        return error_set(error, "ends before cache %s", u->name);
    if (!check_head(c, text, error))
        return false;
    c->store.clock = c->store.ways;
    while (next_text(in, text, sizeof text)) {
        if (!strcmp(text, "end"))
            return true;
        bool tree = !strncmp(text, "tree ", 5);
        if (!(tree ? load_tree(c, text, error) : load_line(c, text, error)))
            return false;
    }
    return error_set(error, "ends within cache %s", u->name);
}
