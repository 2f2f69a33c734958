/*
 * An order is compiled into slices: each says how many bits of the address,
 * from which on, belong to which field, and from which bit of it on. Mapping an
 * address gathers them.
 *
 * The reference has names for four orders. RoBaRaCoCh and RoBgBaRaChCo are
 * orders as they stand; bank groups that are not named go right below the
 * banks, pseudo-channels right below the ranks. The other two are said in
 * full in `known`.
 */
#include "sim/dram/mapping.h"
#include "sim/core/heap.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SLICES 24

/* Turned right by `turn`, the address has them where the field does. */
struct slice {
    uint8_t field, turn;
    uint32_t mask; /* in the field */
};

/* Members of struct dram_place: how many slices a usual one has, and which. */
enum { PLACE_CHANNEL, PLACE_BANK, PLACE_ROW, PLACE_COLUMN, PLACES };
static const uint8_t usual_slices[PLACES] = {1, 3, 1, 2};
static const uint8_t first_slice[PLACES] = {0, 1, 4, 5};
#define USUAL_SLICES 7

struct dram_mapping {
    struct slice slices[MAX_SLICES];
    struct slice places[USUAL_SLICES]; /* the same, of a struct dram_place */
    unsigned count;
    bool xored;
    bool unusual; /* what is in places does not tell all */
    uint8_t bits[DRAM_FIELDS];
};

static const char letters[DRAM_FIELDS][3] = {
    [DRAM_CHANNEL] = "Ch", [DRAM_PSEUDO] = "Pc", [DRAM_RANK] = "Ra",
    [DRAM_GROUP] = "Bg",   [DRAM_BANK] = "Ba",   [DRAM_ROW] = "Ro",
    [DRAM_COLUMN] = "Co",
};

static const struct {
    const char *name, *order;
} known[] = {
    {"ChRaBaRoCo", "ChPcRaBgBaRoCo"},
    {"MOP4CLXOR", "RoCoBaBgRaPcChCo2+xor"},
};

/* ---- reading an order ---- */

/* A field of the order; bits 0: all that are not elsewhere. */
struct term {
    uint8_t field, bits;
};

struct order {
    const char *text;
    struct term terms[MAX_SLICES]; /* highest first */
    unsigned count;
    bool named[DRAM_FIELDS];
    bool xored;
};

static int field_of(const char *at)
{
    for (int i = 0; i < DRAM_FIELDS; i++)
        if (!strncmp(at, letters[i], 2))
            return i;
    return -1;
}

static bool add_term(struct order *o, int field, unsigned bits,
                     struct error *error)
{
    if (o->count == MAX_SLICES)
        return error_set(error, "mapping '%.60s': more than %d fields", o->text,
                         MAX_SLICES);
    o->terms[o->count++] = (struct term){(uint8_t)field, (uint8_t)bits};
    o->named[field] = true;
    return true;
}

/* Two letters and perhaps a number of bits; *at moves behind them. */
static bool read_term(struct order *o, const char **at, struct error *error)
{
    int field = field_of(*at);
    if (field < 0)
        return error_set(error,
                         "mapping '%.60s': '%.2s' is none of Ro, Ba, Bg, Ra, "
                         "Pc, Ch, Co",
                         o->text, *at);
    *at += 2;
    unsigned bits = 0;
    bool counted = isdigit((unsigned char)**at);
    while (isdigit((unsigned char)**at) && bits < 64)
        bits = bits * 10 + (unsigned)(*(*at)++ - '0');
    if (counted && (bits == 0 || bits > 32))
        return error_set(error, "mapping '%.60s': %s has 1 to 32 bits", o->text,
                         letters[field]);
    return add_term(o, field, bits, error);
}

static bool read_order(struct order *o, struct error *error)
{
    const char *at = o->text;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, o->text))
            at = known[i].order;
    while (*at && *at != '+')
        if (!read_term(o, &at, error))
            return false;
    o->xored = !strcmp(at, "+xor");
    if (*at && !o->xored)
        return error_set(error, "mapping '%.60s': '%.20s' is not +xor", o->text,
                         at);
    return true;
}

/* The place of the field's lowest term. */
static unsigned lowest_term(const struct order *o, int field)
{
    unsigned found = 0;
    for (unsigned i = 0; i < o->count; i++)
        if (o->terms[i].field == field)
            found = i;
    return found;
}

/* A field that is not named stands right below that one. */
static bool imply(struct order *o, int field, int below, struct error *error)
{
    if (o->named[field] || !o->named[below])
        return true;
    unsigned place = lowest_term(o, below) + 1;
    if (!add_term(o, field, 0, error))
        return false;
    memmove(&o->terms[place + 1], &o->terms[place],
            (o->count - 1 - place) * sizeof *o->terms);
    o->terms[place] = (struct term){(uint8_t)field, 0};
    return true;
}

/* ---- compiling it ---- */

static uint8_t log2_of(uint32_t n)
{
    return (uint8_t)(31 - __builtin_clz(n));
}

static void field_bits(const struct dram_device *device, uint32_t channels,
                       uint8_t bits[DRAM_FIELDS])
{
    for (int i = 0; i < DRAM_LEVELS; i++)
        bits[i] = log2_of(device->units[i]);
    bits[DRAM_CHANNEL] = log2_of(channels);
    bits[DRAM_ROW] = log2_of(device->rows);
    bits[DRAM_COLUMN] = log2_of(device->columns);
}

/* How many bits the term has, given those of the field that are left. */
static bool term_bits(const struct order *o, unsigned place, uint8_t left,
                      uint8_t *bits, struct error *error)
{
    const struct term *t = &o->terms[place];
    *bits = t->bits ? t->bits : left;
    if (*bits > left)
        return error_set(error, "mapping '%.60s': %s%u, but only %u bits left",
                         o->text, letters[t->field], t->bits, left);
    for (unsigned i = 0; i < place && !t->bits; i++)
        if (o->terms[i].field == t->field)
            return error_set(error,
                             "mapping '%.60s': %s twice; all but the highest "
                             "need a number of bits",
                             o->text, letters[t->field]);
    return true;
}

static const uint8_t place_of[DRAM_FIELDS] = {
    [DRAM_CHANNEL] = PLACE_CHANNEL, [DRAM_PSEUDO] = PLACE_BANK,
    [DRAM_RANK] = PLACE_BANK,       [DRAM_GROUP] = PLACE_BANK,
    [DRAM_BANK] = PLACE_BANK,       [DRAM_ROW] = PLACE_ROW,
    [DRAM_COLUMN] = PLACE_COLUMN,
};

/* Where the field begins in its member of a struct dram_place. */
static unsigned bits_below(const struct dram_mapping *m, unsigned field)
{
    unsigned bits = 0;
    for (unsigned l = field + 1; l <= DRAM_BANK; l++)
        bits += place_of[field] == PLACE_BANK ? m->bits[l] : 0;
    return bits;
}

/* A slice of `bits` bits, `from` in the address, `to` in the field. */
static struct slice slice_of(uint8_t field, unsigned from, unsigned to,
                             unsigned bits)
{
    uint64_t mask = ((UINT64_C(1) << bits) - 1) << to;
    return (struct slice){field, (uint8_t)((from - to) & 63), (uint32_t)mask};
}

static void add_place(struct dram_mapping *m, struct slice s)
{
    unsigned i = first_slice[s.field], end = i + usual_slices[s.field];
    while (i < end && m->places[i].mask)
        i++;
    if (i < end)
        m->places[i] = s;
    else
        m->unusual = true;
}

/* From the lowest term to the highest. */
static bool place_slices(struct dram_mapping *m, const struct order *o,
                         unsigned from, struct error *error)
{
    uint8_t used[DRAM_FIELDS] = {0};
    for (unsigned i = o->count; i-- > 0;) {
        uint8_t field = o->terms[i].field, bits;
        if (!term_bits(o, i, m->bits[field] - used[field], &bits, error))
            return false;
        if (bits) {
            unsigned to = used[field] + bits_below(m, field);
            add_place(m, slice_of(place_of[field], from, to, bits));
            m->slices[m->count++] = slice_of(field, from, used[field], bits);
        }
        used[field] += bits;
        from += bits;
    }
    for (int i = 0; i < DRAM_FIELDS; i++)
        if (used[i] < m->bits[i])
            return error_set(error, "mapping '%.60s': %u bits of %s (%s) left",
                             o->text, m->bits[i] - used[i], letters[i],
                             dram_level_name(i));
    return true;
}

static bool compile(struct dram_mapping *m, const char *text,
                    const struct dram_device *device, uint32_t channels,
                    struct error *error)
{
    if (!channels || channels & (channels - 1))
        return error_set(error, "channels: %u is not a power of two", channels);
    field_bits(device, channels, m->bits);
    struct order order = {.text = text};
    if (!read_order(&order, error) ||
        !imply(&order, DRAM_GROUP, DRAM_BANK, error) ||
        !imply(&order, DRAM_PSEUDO, DRAM_RANK, error))
        return false;
    m->xored = m->unusual = order.xored;
    return place_slices(m, &order, log2_of(device->transaction), error);
}

struct dram_mapping *dram_mapping_new(const char *order,
                                      const struct dram_device *device,
                                      uint32_t channels, struct error *error)
{
    struct dram_mapping *m = heap_new(1, sizeof *m, "a DRAM mapping");
    if (!order || !*order)
        order = DRAM_USUAL_MAPPING;
    if (compile(m, order, device, channels, error))
        return m;
    free(m);
    return NULL;
}

void dram_mapping_free(struct dram_mapping *mapping)
{
    free(mapping);
}

bool dram_mapping_of_channels(const char *order, char *text, size_t size)
{
    const char *last = NULL;
    for (const char *at = order; at && (at = strstr(at, "Co")); at++)
        last = at;
    if (!last || strstr(order, "Ch"))
        return false;
    snprintf(text, size, "%.*sCh%s", (int)(last - order), order, last);
    return true;
}

/* ---- mapping ---- */

static uint32_t low_bits(uint64_t value, unsigned bits)
{
    return (uint32_t)(value & ((UINT64_C(1) << bits) - 1));
}

/* Each field above the column takes the next bits of the column number. */
static void xor_with_column(const struct dram_mapping *m,
                            struct dram_address *a)
{
    uint32_t column = a->at[DRAM_COLUMN];
    for (int i = 0; i < DRAM_COLUMN; i++) {
        a->at[i] ^= low_bits(column, m->bits[i]);
        column = m->bits[i] < 32 ? column >> m->bits[i] : 0;
    }
}

static inline uint64_t turn_right(uint64_t x, unsigned n)
{
    return x >> n | x << (-n & 63);
}

struct dram_address dram_map(const struct dram_mapping *mapping,
                             uint64_t address)
{
    struct dram_address a = {{0}};
    for (unsigned i = 0; i < mapping->count; i++) {
        const struct slice *s = &mapping->slices[i];
        a.at[s->field] |= (uint32_t)turn_right(address, s->turn) & s->mask;
    }
    if (mapping->xored)
        xor_with_column(mapping, &a);
    return a;
}

static struct dram_place place_from(const struct dram_mapping *m,
                                    const struct dram_address *a)
{
    uint32_t at[PLACES] = {0};
    for (unsigned i = 0; i < DRAM_FIELDS; i++)
        at[place_of[i]] |= a->at[i] << bits_below(m, i);
    return (struct dram_place){at[PLACE_CHANNEL], at[PLACE_BANK], at[PLACE_ROW],
                               at[PLACE_COLUMN]};
}

static __attribute__((noinline)) struct dram_place
locate_by_level(const struct dram_mapping *m, uint64_t address)
{
    struct dram_address a = dram_map(m, address);
    return place_from(m, &a);
}

static inline uint32_t slice_bits(const struct slice *s, uint64_t address)
{
    return (uint32_t)turn_right(address, s->turn) & s->mask;
}

/* Nothing here is stored and loaded again. */
struct dram_place dram_locate(const struct dram_mapping *m, uint64_t address)
{
    const struct slice *s = m->places;
    if (m->unusual)
        return locate_by_level(m, address);
    return (struct dram_place){
        .channel = slice_bits(&s[0], address),
        .bank = slice_bits(&s[1], address) | slice_bits(&s[2], address) |
                slice_bits(&s[3], address),
        .row = slice_bits(&s[4], address),
        .column = slice_bits(&s[5], address) | slice_bits(&s[6], address),
    };
}
