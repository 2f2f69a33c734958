/*
 * The store of a cache: its lines, found by tags, which bytes of them are here,
 * and the bytes of a copy. It knows no ports, fetches or links.
 *
 * Data travel in sectors of 32 bytes (SECTOR), called pieces here: the sectors
 * of a description may be larger. Masks of a line have a bit for each piece:
 * `valid`, all its bytes are here; `partial`, those of bytes.there are;
 * `dirty`, those of bytes.dirty are newer than below; `pending`, it is being
 * fetched.
 */
#ifndef SIM_CACHE_STORE_H
#define SIM_CACHE_STORE_H

#include "sim/core/unit.h"
#include "sim/units/cache/cache_replacement.h"
#include "sim/units/common/address_map.h"
#include "sim/units/common/mem.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define PIECES_MAX 8

/* A line's state; its tag and age lie in the arrays for the search. */
struct line {
    uint64_t base;    /* guest address of its first byte */
    uint8_t valid;    /* pieces that are all there */
    uint8_t partial;  /* of the others: some bytes are */
    uint8_t dirty;    /* with bytes to be written back */
    uint8_t pending;  /* being fetched, not valid */
    uint8_t stale;    /* pending ones that must not be kept */
    uint8_t by_value; /* copy: the bytes are in data, not only in memory */
    uint8_t ahead;    /* prefetched, not used yet */
};

/* Bytes of a piece. They mean something where partial or dirty says so. */
struct bytes {
    uint32_t there, dirty;
};

struct store {
    uint8_t *tags;         /* [sets][tag_ways]: partial tags, 0 invalid */
    struct line *lines;    /* [sets][ways]; those with pending pieces stay */
    uint32_t *used;        /* [sets][ways]: when last used or allocated */
    uint64_t *words;       /* [sets][by->words]: the policy's, or NULL */
    uint64_t (*copied)[2]; /* [sets]: ways that took pieces by value */
    struct bytes *bytes;   /* [sets][ways][pieces] */
    struct payload *data;  /* copy: [sets][ways][pieces] */
    uint32_t line_mask;    /* of an address: the byte in its line */
    uint8_t line_shift;
    uint8_t tag_shift; /* of an address, to its partial tag */
    uint8_t within;    /* log2 of the lines in a stripe of a slice */
    uint8_t pieces, sector_pieces, fill_pieces; /* of a line, sector, fill */
    uint8_t all_pieces;                         /* mask */
    bool plain;  /* all lines come here: their numbers are the addresses' */
    bool by_use; /* as the policy's row has it */
    const struct cache_replacement *by;
    uint32_t sets, ways, tag_ways, count; /* count: of lines */
    uint32_t ways_up;       /* the ways, or the next power of two */
    uint32_t clock;         /* counts uses and allocations */
    uint32_t dirty;         /* pieces */
    uint64_t ways_inverse;  /* 2^36 / ways, rounded up */
    uint64_t random;        /* xorshift state */
    struct address_map own; /* which lines come here */
};

/*
 * Returns the way to replace: an unused one, else by policy; -1 if all are
 * being filled.
 */
int store_choose_way(struct store *s, uint32_t set);

/* The policy's words of a set. */
static inline uint64_t *store_words(const struct store *s, uint32_t set)
{
    return &s->words[(size_t)set * s->by->words];
}

/* ---- places ---- */

static inline uint64_t line_number(const struct store *s, uint64_t address)
{
    if (__builtin_expect(s->plain, 1))
        return address >> s->line_shift;
    return map_line(&s->own, address) << s->within |
           (address >> s->line_shift & ((1u << s->within) - 1));
}

static inline uint32_t set_at(const struct store *s, uint64_t address)
{
    return (uint32_t)line_number(s, address) & (s->sets - 1);
}

/*
 * This multiplies instead of dividing, exactly, as there are fewer than 2^36 /
 * ways lines.
 */
static inline uint32_t set_of(const struct store *s, const struct line *l)
{
    return (uint32_t)((uint64_t)(l - s->lines) * s->ways_inverse >> 36);
}

static inline uint32_t way_of(const struct store *s, const struct line *l)
{
    return (uint32_t)(l - s->lines) - set_of(s, l) * s->ways;
}

static inline uint32_t piece_of(const struct store *s, uint64_t address)
{
    return ((uint32_t)address & s->line_mask) / SECTOR;
}

static inline struct bytes *bytes_of(const struct store *s,
                                     const struct line *l, uint32_t piece)
{
    return &s->bytes[(size_t)(l - s->lines) * s->pieces + piece];
}

static inline struct payload *data_of(const struct store *s,
                                      const struct line *l, uint32_t piece)
{
    return &s->data[(size_t)(l - s->lines) * s->pieces + piece];
}

/* Returns the group of `pieces` that the piece belongs to, as a mask. */
static inline uint8_t group_of(uint32_t piece, uint32_t pieces)
{
    return (uint8_t)(((1u << pieces) - 1) << (piece & ~(pieces - 1)));
}

/* ---- the search ---- */

/* The tag is eight bits above the set index; 0 marks one that is not in use. */
static inline uint8_t partial_tag(const struct store *s, uint64_t address)
{
    uint8_t bits = (uint8_t)(address >> s->tag_shift);
    return bits | !bits;
}

/* Returns those of 16 ways whose partial tag matches, as a mask. */
static inline unsigned store_match_ways(const uint8_t *tags, uint8_t tag)
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

/* Returns the line of the address, NULL if it is not here. */
static inline struct line *store_find(const struct store *s, uint64_t address)
{
    uint32_t set = set_at(s, address);
    uint64_t base = address & ~(uint64_t)s->line_mask;
    uint8_t tag = partial_tag(s, address);
    const uint8_t *tags = &s->tags[(size_t)set * s->tag_ways];
    struct line *lines = &s->lines[(size_t)set * s->ways];
    for (uint32_t way = 0; way < s->ways; way += 16) {
        unsigned m = store_match_ways(tags + way, tag);
        for (; m; m &= m - 1) {
            struct line *l = &lines[way + mask_first(m)];
            if (l->base == base)
                return l;
        }
    }
    return NULL;
}

/* Notes that the line is used, where the policy chooses victims by that. */
static inline void store_touch(struct store *s, const struct line *l)
{
    if (s->by_use)
        s->used[l - s->lines] = ++s->clock;
    if (s->by->note_used)
        s->by->note_used(s, set_of(s, l), way_of(s, l));
}

/* ---- bytes ---- */

/* Returns the bytes of an access as a mask over its piece. */
static inline uint32_t byte_mask(const struct msg *m)
{
    uint32_t bytes = m->size >= SECTOR ? ~0u : (1u << m->size) - 1;
    return bytes << (m->addr % SECTOR);
}

/* Tells whether all bytes of the access are here. */
static inline bool store_has(const struct store *s, const struct line *l,
                             uint32_t piece, const struct msg *m)
{
    if (l->valid >> piece & 1)
        return true;
    return l->partial >> piece & 1 &&
           !(byte_mask(m) & ~bytes_of(s, l, piece)->there);
}

/* The bytes of pieces are in the store's data from now on. */
static inline void store_by_value(struct store *s, struct line *l,
                                  uint8_t pieces)
{
    uint32_t way = way_of(s, l);
    l->by_value |= pieces;
    s->copied[set_of(s, l)][way / 64] |= 1ULL << way % 64;
}

#endif
