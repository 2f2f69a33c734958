/*
 * The insides of a cache, shared by cache*.c:
 *
 *   cache.c           ports, banks, the two phases of a cycle
 *   cache_build.c     parameters and neighbours checked, memory taken
 *   cache_lookup.c    what each request does at the end of its bank
 *   cache_lines.c     tags, victims, which bytes of a line are here
 *   cache_mshr.c      fetches, who waits for them, prefetches
 *   cache_perform.c   accesses happening: values, atomics, checks, faults
 *   cache_reserve.c   reservations of lr and sc, whose turn it is
 *   cache_flush.c     write-backs, fences, what the host is shown
 *   cache_snapshot.c  contents saved and loaded
 *
 * Data travel in sectors of 32 bytes (SECTOR), called pieces here: the sectors
 * of a description may be larger. Of a line's pieces, bit by bit: `valid`, all
 * bytes are here; `partial`, those of bytes.there are; `dirty`, those of
 * bytes.dirty are newer than below; `pending`, being fetched.
 */
#ifndef SIM_CACHE_PRIVATE_H
#define SIM_CACHE_PRIVATE_H

#include "sim/units/cache.h"
#include "sim/units/check.h"
#include "sim/units/fetch_link.h"
#include "sim/units/mem.h"
#include "sim/units/shadow.h"
#include "sim/units/tp_row.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { CPU, FILL, REPLY, MEM };
enum replacement { REPLACE_LRU, REPLACE_FIFO, REPLACE_RANDOM, REPLACE_PLRU };
enum { PREFETCH_NONE, PREFETCH_BLOCK, PREFETCH_NEXT };
enum { USUAL, NO, YES, THROUGH = NO, BACK = YES }; /* allocate; write */
enum fault { FAULT_NONE, FLIP, LOST_STORE, STALE, SWAP, LOST_ANSWER };

#define CPU_PORTS 256 /* at most; a power of two */
#define LINES_MAX (UINT32_MAX / CPU_PORTS)
#define PIECES_MAX 8
#define NO_ENTRY UINT16_MAX

/* A line's state; its tag and age lie in the arrays for the search. */
struct line {
    uint64_t base;    /* guest address of its first byte */
    uint8_t valid;    /* pieces that are all there */
    uint8_t partial;  /* of the others: some bytes are */
    uint8_t dirty;    /* with bytes to be written back */
    uint8_t pending;  /* being fetched */
    uint8_t stale;    /* pending ones that must not be kept */
    uint8_t by_value; /* copy: the bytes are in data, not only in memory */
    uint8_t ahead;    /* prefetched, not used yet */
};

/* Bytes of a piece; mean something where partial or dirty says so. */
struct bytes {
    uint32_t there, dirty;
};

/*
 * A sector being fetched, and the requests that wait for it: messages of the
 * tile's pool, with their origin in `when` (port_of) and MEM_JOINED in flags if
 * the sector was asked for already.
 */
struct mshr {
    uint32_t line;        /* index */
    uint32_t first, last; /* who waits; first of a free one: the next free */
    uint8_t pieces;       /* mask, 0: free */
    uint8_t awaited;      /* pieces that have not come */
    uint8_t waiting;
    uint8_t flags; /* MEM_DEPTH, MEM_JOINED of what came */
};
_Static_assert(sizeof(struct mshr) == 16, "four in a line");

/* A request that was passed on: whom to answer. */
struct passed {
    uint16_t port;
    uint16_t next_free; /* of an lr: 1, it is under way */
    uint32_t tag, from;
};

/* Messages of the tile's pool, in their order. */
struct list {
    uint32_t first, last, count; /* 0: the others mean nothing */
};

/* A request in the pipeline of its bank: a message of the tile's pool, with its
 * port and likely line in `when` (port_of, likely_of), or an ask. */
struct step {
    uint32_t likely; /* line */
    uint16_t end;    /* cycle, low 16 bits */
    uint8_t bank;
    uint8_t asked; /* 0: a message; else the port of fetch_link, and one */
    union {
        uint32_t index;
        fetch_ask_t ask;
    };
};
_Static_assert(sizeof(struct step) == 16, "four in a line");

/* A bank, and its requests that have reached the end of its pipeline. */
struct bank {
    uint32_t first, last;
    uint16_t count;     /* with those in the pipeline */
    uint16_t next_port; /* round robin; after the last one comes the first */
    uint8_t verdict;    /* why the first one is held */
};

/* A message to a level below. */
struct queued {
    uint32_t link;
    struct msg msg; /* MSG_PAYLOAD: the tile's payload */
};

struct queue {
    struct queued *ring;
    uint32_t head, count, room;
    uint64_t busy; /* port: in bytes since cycle 0, at its width */
};

/* Answers that wait for their ports, where these share a width: messages of the
 * tile's pool, with their port in `when` (port_of). */
struct replies {
    uint32_t first, last, count;
    uint64_t busy; /* as in struct queue */
};

/* A fence (MEM_INVALIDATE, MEM_FLUSH) that writes back, one at a time. */
struct fence {
    uint8_t era;
    uint32_t port;
    uint32_t line;    /* all before have been written back */
    uint32_t link;    /* caches below up to here have been told */
    uint32_t awaited; /* of them */
    struct msg msg;
};

#define REPLIES 64 /* that wait for their port before the banks stand still */

/* What a cycle touches comes first, then what a look-up does: of what comes
 * after the statistics little is used in most epochs. */
struct cache {
    struct unit unit;

    uint64_t rested;        /* if it rests: cycles before this are booked */
    uint64_t all_banks;     /* mask */
    uint32_t head, tail;    /* of the pipeline; grow */
    struct step *pipeline;  /* of all banks, as all have the same latency */
    uint32_t pipeline_mask; /* of its room, see cache_widen_pipeline */
    uint32_t request;       /* that is looked up, NONE: somebody has taken it */
    uint64_t banks_ready;   /* whose first request has reached the end */
    uint64_t banks_missed;  /* of these: known to miss, and to need a fetch */
    uint64_t banks_held;    /* of these: known to wait for their line */
    uint64_t banks_wanted;  /* with requests that wait at the ports */
    struct bank *banks;
    const uint64_t *cpu, *fill;      /* ports with messages */
    uint64_t *wanted;                /* [banks][cpu_words]: ports, by bank */
    uint64_t sorted[CPU_PORTS / 64]; /* ports that are in wanted */
    uint32_t *wanting;               /* [cpu ports]: these, as in `when` */
    uint32_t waiting;                /* ports in wanted */
    uint32_t latency, bank_mask, miss_limit; /* of params */
    uint32_t depth;     /* requests that a bank's pipeline holds */
    uint32_t next_bank; /* round robin of misses */
    uint32_t misses;    /* noted in this cycle */
    uint32_t parked;    /* lr that wait for their turn */
    uint16_t cpu_words; /* of a mask over the cpu ports */
    uint16_t fill_words;
    uint16_t next_fill;
    uint16_t replay; /* MSHR whose targets are being answered */
    uint8_t doing;   /* enum doing */
    bool fetched;    /* something was taken since the last invalidation */
    bool worked;     /* in this cycle */
    bool rests;      /* nothing is under way: idle until the next cycle */
    uint8_t fault;   /* the one to come, FAULT_NONE: none */
    uint8_t era;
    uint16_t free_mshr, free_passed;
    uint32_t mshrs_used, passed_used;
    uint32_t updates_used;     /* write-backs of a copy, not answered yet */
    uint32_t updates_promised; /* to atomics that wait for their sector */
    uint32_t in_era[2]; /* of updates: begun before the fence, or after */
    struct queue below;
    struct replies replies; /* with reply_width */
    uint64_t fill_busy;     /* as queue.busy */

    /* Of params, in the form that is needed. */
    bool owner;
    bool back;     /* write-back, else write-through */
    bool allocate; /* stores that miss take a line */
    bool performs; /* atomics */
    bool fences;   /* the caches below are copies, and told of fences */
    bool queues;   /* answers share a width, and wait for their port */
    bool plain;    /* all lines come here: the number is the address's */
    bool quick;    /* hits need nothing out of the ordinary: hit_at_once */
    bool lru;
    bool at_random;
    uint8_t prefetch; /* PREFETCH_NONE, .. */
    uint8_t level;    /* copies below, and one; 0: the owner */
    uint8_t line_shift;
    uint8_t within; /* log2 of the lines in a stripe of a slice */
    uint8_t pieces, sector_pieces, fill_pieces;
    uint8_t all_pieces; /* mask */
    uint8_t tag_shift;  /* of an address, to its partial tag */
    uint32_t line_mask; /* of an address: the byte in its line */
    uint32_t writes;    /* write-backs that a request may bring about */
    uint32_t need;      /* messages below, with those */
    uint32_t updates_limit, target_limit;
    uint16_t mem_width, fill_width, reply_width; /* bytes a cycle, 0: any */
    uint16_t header;                             /* bytes of a message */
    uint32_t sets, ways, tag_ways, line_count;
    uint32_t clock;        /* counts uses, for lru and fifo */
    uint32_t dirty;        /* pieces */
    uint64_t ways_inverse; /* 2^36 / ways, rounded up */
    uint8_t *tags;         /* [sets][tag_ways]: low bits, 0 invalid */
    uint32_t *used;        /* [sets][ways]: when last used (or filled: fifo) */
    struct line *lines;    /* [sets][ways]; those with pending pieces stay */
    uint16_t *fetches;     /* [sets][ways][pieces]: MSHRs of pending ones */
    uint64_t (*trees)[2];  /* [sets]: plru */
    struct shadow *shadow;
    struct machine *machine;
    struct mshr *mshrs;
    struct passed *passed;
    struct passed *reserving; /* copy: [harts], lr passed on */
    struct fetch_link *link;  /* instead of messages at these ports */
    uint32_t ask_from, ask_ports;
    uint64_t *ask_masks;      /* [cpu_words]: of them */
    const struct tp_row *row; /* of the thread processors at the first ports */
    uint32_t row_ports;       /* so many, 0: none */
    uint32_t reserved;        /* sectors with reservations */
    struct reservations *reservations; /* NULL: it performs no atomics */
    struct address_map map;            /* towards the slices below */
    struct address_map own;            /* which lines come here */
    _Alignas(64) struct cache_stats stats;

    struct msg relay;      /* answer to something passed on, to be sent up */
    struct msg *captured;  /* owner: [pass], answers of loads passing by */
    uint64_t (*copied)[2]; /* [sets]: ways that took pieces by value */
    struct bytes *bytes;   /* [sets][ways][pieces] */
    struct payload *data;  /* copy: [sets][ways][pieces] */
    uint64_t random;       /* xorshift state */
    uint64_t events;
    uint32_t tree_leaves; /* the ways, or the next power of two */
    struct cache_params params;
    struct fence fence;
    struct list granted; /* lr whose turn has come, to be looked up */
};

/* What goes on in the next cycle; bits. */
enum doing {
    REPLAYING = 1, /* targets are being answered */
    RELAYING = 2,  /* an answer to something passed on is to be sent up */
    FENCING = 4,   /* there is a fence */
    LEFTOVER = 8,  /* messages wait at the ports */
    GRANTED = 16,  /* there are messages in granted */
};

/* What became of a request at the end of its bank. */
enum verdict {
    LOOKED_UP,
    NO_MSHR,
    NO_TARGET,
    MUST_WAIT, /* for a fetch that it must neither join nor overtake */
    NO_WAY,
    NO_ROOM, /* in the queue below, or for what is passed on or updated */
    NO_REPLY,
    FENCE_BUSY,
    ONE_MISS_TOO_MANY,
};

/* Tags of what is asked below: the MSHR and the piece << 16; of a request that
 * was passed on its number, of loads with this bit; of fences this one. */
#define TAG_PASSED 0x80000000u
#define TAG_FENCE 0x40000000u
/* Of an lr that was passed on, with the number of its hart. */
#define TAG_RESERVING 0x20000000u
/* In `from` of an update: passed on for another cache, not its own. */
#define FROM_PASSED 0x80000u

/* ---- cache_build.c ---- */
bool cache_build(struct unit *u, struct error *error);
/* The ring has as many entries as were ever used at a time, not as many as the
 * banks could hold: fewer of the host's lines. */
void cache_widen_pipeline(struct cache *c);
/* All units are built, and number their harts. */
void cache_complete(struct unit *u);
void cache_find_row(struct cache *c);

/*
 * ---- cache_lookup.c ----
 * m: the message that is c->request. It stays where it is in the pool till it
 * is answered, as nothing else is sent before. Whoever keeps it takes it
 * (cache_take_request), else it is freed afterwards. l: the line of a load if
 * it is known, else NULL.
 */
enum verdict cache_look_up(struct cache *c, const struct msg *m,
                           struct line *l);

/* ---- cache_lines.c ---- */
/* Gives the line a way; NULL if all ways of its set are being filled. */
struct line *cache_allocate(struct cache *c, uint64_t address);
/* Takes bytes of a piece; from: the whole piece, NULL for an owner. */
void cache_merge(struct cache *c, struct line *l, uint32_t piece, uint32_t mask,
                 const uint8_t *from);
void cache_mark_dirty(struct cache *c, struct line *l, uint32_t piece,
                      uint32_t mask);
/* Forgets pieces, which are not dirty or written back already. */
void cache_drop(struct cache *c, struct line *l, uint8_t pieces);
/* Bytes that were fetched ahead are used, or lost unused. */
void cache_ahead_used(struct cache *c, struct line *l, uint8_t pieces);
void cache_ahead_lost(struct cache *c, struct line *l, uint8_t pieces);
void cache_note_used(struct cache *c, uint32_t set, uint32_t way);

/* ---- cache_mshr.c ---- */
void cache_make_lists(struct cache *c);
enum verdict cache_join(struct cache *c, struct line *l, uint32_t piece,
                        const struct msg *m);
/* The request waits for its sector, which is fetched with its neighbours; l:
 * NULL if its line is not here. */
enum verdict cache_fetch(struct cache *c, struct line *l, const struct msg *m);
void cache_install(struct cache *c, const struct msg *m);
/* Answers the next who waited for the sector that has come. */
void cache_replay(struct cache *c);

/* ---- cache_perform.c ---- */
/* cache_perform (below) for all but loads that are answered in place. */
void cache_perform_other(struct cache *c, const struct msg *m, struct line *l,
                         uint8_t flags);
/* An owner's answer to a load as things are now, to be given later. */
struct msg cache_capture(struct cache *c, const struct msg *m);
void cache_answer(struct cache *c, uint32_t port, struct msg *m,
                  const struct payload *payload);
/* The message is an answer, for the port that it came from; payload: NULL, or
 * what goes with it. */
void cache_queue_answer(struct cache *c, uint32_t index,
                        const struct payload *payload);
void cache_swap(struct cache *c, struct mshr *e);
/* Counts an event; true: this is the one that goes wrong. */
bool cache_fails(struct cache *c, enum fault fault);

/* ---- cache_reserve.c ---- */
void cache_take_reservations(struct cache *c);
/* A kernel starts: turns are as long as params say. */
void cache_shorten_turns(struct cache *c);
/* The lr, which is c->request, gets its reservation; false: it waits for its
 * turn, and will be looked up again. */
bool cache_reserve(struct cache *c, const struct msg *m);
/* Has the hart of the sc its reservation? If so, it ends when the sc has
 * stored. */
bool cache_may_store(struct cache *c, const struct msg *m);
void cache_end_reservation(struct cache *c, const struct msg *m);
/* Others lose theirs on the sector that is written; nobody knows whose bytes a
 * cache above writes back. */
void cache_lose_reservations(struct cache *c, const struct msg *m);
/* Turns whose time is over, and the first of the others' ends. */
void cache_end_turns(struct cache *c, uint64_t now);
uint64_t cache_turn_ends(const struct cache *c);

/* ---- cache_flush.c ---- */
/* Sends bytes of a piece below: by value from a copy, timing only from an
 * owner. The caller has seen that there is room. */
void cache_write_below(struct cache *c, uint64_t address, uint32_t mask,
                       const struct payload *bytes);
void cache_write_back(struct cache *c, struct line *l, uint32_t piece);
void cache_updated(struct cache *c, const struct msg *m);
enum verdict cache_begin_fence(struct cache *c, uint32_t port,
                               const struct msg *m);
void cache_fence_answered(struct cache *c);
void cache_run_fence(struct cache *c);
bool cache_fence_goes_on(const struct cache *c);
/* Writes bytes of a piece to the memory image, and notes it. */
void cache_show(const struct cache *c, uint64_t address, uint32_t mask,
                const struct payload *bytes);
void cache_note_dropped(struct cache *c, uint64_t address, uint8_t size);
bool cache_settle(struct unit *u, unsigned round);
void cache_launch(struct unit *u, uint64_t now);

/* ---- small and hot ---- */

static inline uint32_t cache_take_request(struct cache *c)
{
    uint32_t index = c->request;
    c->request = NONE;
    return index;
}

static inline void list_add(struct msg *pool, struct list *l, uint32_t index)
{
    if (l->count++)
        pool[l->last].next = index;
    else
        l->first = index;
    l->last = index;
}

static inline uint32_t list_take(const struct msg *pool, struct list *l)
{
    uint32_t index = l->first;
    l->first = pool[index].next;
    l->count--;
    return index;
}

/* Numbers of harts are below; the clients of tests count as one each. */
static inline uint32_t cache_harts(const struct cache *c)
{
    uint32_t harts = c->machine->hart_count;
    return harts > CPU_PORTS ? harts : CPU_PORTS;
}

/* Unless somebody has taken it. */
static inline void cache_free_request(struct cache *c)
{
    if (c->request != NONE)
        tile_free_msg(c->unit.tile, cache_take_request(c));
}

static inline uint64_t line_number(const struct cache *c, uint64_t address)
{
    if (__builtin_expect(c->plain, 1))
        return address >> c->line_shift;
    return map_line(&c->own, address) << c->within |
           (address >> c->line_shift & ((1u << c->within) - 1));
}

/* By a multiplication: exact, as there are fewer than 2^36 / ways lines. */
static inline uint32_t set_of(const struct cache *c, const struct line *l)
{
    return (uint32_t)((uint64_t)(l - c->lines) * c->ways_inverse >> 36);
}

static inline uint32_t way_of(const struct cache *c, const struct line *l)
{
    return (uint32_t)(l - c->lines) - set_of(c, l) * c->ways;
}

/* The number's low bits choose set and bank, as there are no more banks. */
static inline uint32_t bank_of(const struct cache *c, uint32_t set)
{
    return set & c->bank_mask;
}

/* The line is used: its age, where that decides who is the next victim. */
static inline void cache_touch(struct cache *c, const struct line *l)
{
    if (c->lru)
        c->used[l - c->lines] = ++c->clock;
    else if (c->trees)
        cache_note_used(c, set_of(c, l), way_of(c, l));
}

/* The bytes of pieces are in the cache's data from now on. */
static inline void cache_by_value(struct cache *c, struct line *l,
                                  uint8_t pieces)
{
    uint32_t way = way_of(c, l);
    l->by_value |= pieces;
    c->copied[set_of(c, l)][way / 64] |= 1ULL << way % 64;
}

/* Something of the line has come, or is on its way, or those who wait for it
 * have become fewer: whoever waits at the end of its bank is looked up anew. */
static inline void cache_line_changed(struct cache *c, const struct line *l)
{
    uint64_t others = ~(1ULL << bank_of(c, set_of(c, l)));
    c->banks_missed &= others;
    c->banks_held &= others;
}

/* Ways of the set whose partial tag matches, as a mask of 16 from `way`. */
static inline unsigned cache_match_ways(const uint8_t *tags, uint8_t tag)
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

/* Up to 64 ways. All are compared: no host guesses where the match is. */
static inline uint64_t cache_matches(const uint8_t *tags, uint32_t ways,
                                     uint8_t tag)
{
    uint64_t mask = 0;
    for (uint32_t way = 0; way < ways && way < 64; way += 16)
        mask |= (uint64_t)cache_match_ways(tags + way, tag) << way;
    return mask;
}

static inline uint8_t cache_partial_tag(const struct cache *c, uint64_t address)
{
    /* Eight bits above the set index; 0 marks a tag that is not in use. */
    uint8_t bits = (uint8_t)(address >> c->tag_shift);
    return bits | !bits;
}

static inline uint32_t set_at(const struct cache *c, uint64_t address)
{
    return (uint32_t)line_number(c, address) & (c->sets - 1);
}

/* What a request at a bank has in `when`: its port, and the line that was
 * likely (cache_likely_line) when it came. */
static inline uint32_t port_of(const struct msg *m)
{
    return m->when & (CPU_PORTS - 1);
}

static inline struct line *likely_of(const struct cache *c, const struct msg *m)
{
    return &c->lines[m->when / CPU_PORTS];
}

static inline struct line *cache_find_in_set(const struct cache *c,
                                             uint32_t set, uint64_t address)
{
    uint64_t base = address & ~(uint64_t)c->line_mask;
    const uint8_t *tags = &c->tags[(size_t)set * c->tag_ways];
    uint8_t tag = cache_partial_tag(c, address);
    struct line *lines = &c->lines[(size_t)set * c->ways];
    for (uint32_t way = 0; way < c->ways; way += 64) {
        uint64_t m = cache_matches(tags + way, c->tag_ways - way, tag);
        for (; m; m &= m - 1) {
            struct line *l = &lines[way + mask_first(m)];
            if (l->base == base)
                return l;
        }
    }
    return NULL;
}

static inline struct line *cache_find_line(const struct cache *c,
                                           uint64_t address)
{
    return cache_find_in_set(c, set_at(c, address), address);
}

static inline uint32_t likely_line(const struct cache *c, uint32_t set,
                                   uint8_t tag, uint32_t tag_ways)
{
    const uint8_t *tags = &c->tags[(size_t)set * tag_ways];
    uint64_t first = cache_matches(tags, tag_ways, tag);
    uint32_t from = set * c->ways;
    if (tag_ways > 64) { /* without branches but this one */
        uint64_t others = cache_matches(tags + 64, tag_ways - 64, tag);
        from += first ? 0 : 64;
        first = choose_if(first > 0, first, others);
    }
    return from + (uint32_t)mask_first(first | !first);
}

/* The first line whose partial tag matches, else any of the set's. With
 * constants the compiler does better. */
static inline uint32_t cache_likely_line(const struct cache *c, uint32_t set,
                                         uint64_t address)
{
    uint8_t tag = cache_partial_tag(c, address);
    if (c->tag_ways == 32)
        return likely_line(c, set, tag, 32);
    if (c->tag_ways == 16)
        return likely_line(c, set, tag, 16);
    return likely_line(c, set, tag, c->tag_ways);
}

static inline uint32_t piece_of(const struct cache *c, uint64_t address)
{
    return ((uint32_t)address & c->line_mask) / SECTOR;
}

static inline uint32_t byte_mask(const struct msg *m)
{
    uint32_t bytes = m->size >= 32 ? ~0u : (1u << m->size) - 1;
    return bytes << (m->addr % SECTOR);
}

static inline struct bytes *bytes_of(const struct cache *c,
                                     const struct line *l, uint32_t piece)
{
    return &c->bytes[(size_t)(l - c->lines) * c->pieces + piece];
}

static inline struct payload *data_of(const struct cache *c,
                                      const struct line *l, uint32_t piece)
{
    return &c->data[(size_t)(l - c->lines) * c->pieces + piece];
}

/* Are the bytes of the request here? */
static inline bool has_bytes(const struct cache *c, const struct line *l,
                             uint32_t piece, const struct msg *m)
{
    if (l->valid >> piece & 1)
        return true;
    return l->partial >> piece & 1 &&
           !(byte_mask(m) & ~bytes_of(c, l, piece)->there);
}

/* The pieces of the sector (fill: of all that is fetched with it). */
static inline uint8_t group_of(uint32_t piece, uint32_t pieces)
{
    return (uint8_t)(((1u << pieces) - 1) << (piece & ~(pieces - 1)));
}

static inline uint32_t queue_free(const struct queue *q)
{
    return q->room - q->count;
}

/* The message that is added, to be written: in place, as a host waits long for
 * a copy of what was just written field by field. An empty ring begins anew:
 * its first entries are in the host's cache. */
static inline struct msg *queue_add(struct queue *q, uint32_t link)
{
    if (!q->count)
        q->head = 0;
    uint32_t at = q->head + q->count++;
    struct queued *new = &q->ring[at < q->room ? at : at - q->room];
    new->link = link;
    return &new->msg;
}

static inline void queue_push(struct queue *q, uint32_t link,
                              const struct msg *m)
{
    *queue_add(q, link) = *m;
}

static inline struct msg *add_below(struct cache *c, uint64_t address)
{
    return queue_add(&c->below,
                     c->unit.links[MEM] == 1 ? 0 : map_slice(&c->map, address));
}

static inline void push_below(struct cache *c, const struct msg *m)
{
    *add_below(c, m->addr) = *m;
}

/* Room for what a request may send below: the write-backs of a victim, a
 * fetch, something passed on; and to keep write-backs till they are answered.
 */
static inline bool room_below(const struct cache *c)
{
    if (queue_free(&c->below) < c->need)
        return false;
    return c->owner || c->updates_used + c->updates_promised + c->writes <=
                           c->updates_limit;
}

/* Can a fetch begin in this cycle, with so many MSHRs? If not, why not. */
static inline enum verdict cache_may_fetch(const struct cache *c,
                                           bool enough_mshrs)
{
    if (c->misses == c->miss_limit)
        return ONE_MISS_TOO_MANY;
    if (!enough_mshrs)
        return NO_MSHR;
    return room_below(c) ? LOOKED_UP : NO_ROOM;
}

/* Have the replies that wait for their port left room for another cycle's? */
static inline bool cache_may_answer(const struct cache *c)
{
    return c->replies.count < REPLIES;
}

/* ---- requests that wait for a sector ---- */

/* The MSHR of a piece that is pending. */
static inline struct mshr *cache_fetch_of(const struct cache *c,
                                          const struct line *l, uint32_t piece)
{
    return &c->mshrs[c->fetches[(size_t)(l - c->lines) * c->pieces + piece]];
}

/* joined: MEM_JOINED, or 0 of the request that the sector is fetched for. */
static inline __attribute__((always_inline)) void
cache_add_target(struct cache *c, struct mshr *e, uint32_t index,
                 uint8_t joined)
{
    struct msg *pool = c->unit.tile->pool;
    struct msg *m = &pool[index];
    m->flags = (uint8_t)((m->flags & MSG_PAYLOAD) | joined);
    if (e->waiting++)
        pool[e->last].next = index;
    else
        e->first = index;
    e->last = index;
    /* Its result is written through when the sector is there. */
    c->updates_promised += !c->owner && !c->back && m->op == MEM_ATOMIC;
}

/* Levels of cache above memory that had to ask below, one more. */
static inline uint8_t deeper(uint8_t flags)
{
    uint8_t depth = flags & MEM_DEPTH;
    return (uint8_t)((flags & MEM_JOINED) |
                     (depth == MEM_DEPTH ? depth : depth + 1));
}

/* ---- loads that are answered ---- */

static inline uint64_t cache_bytes(const uint8_t *from, unsigned size)
{
    uint64_t value = 0;
    if (size == 8)
        memcpy(&value, from, 8);
    else if (size == 4)
        memcpy(&value, from, 4);
    else
        memcpy(&value, from, size);
    return value;
}

/* Where the bytes of the access are. */
static inline const uint8_t *
cache_bytes_at(const struct cache *c, const struct msg *m, const struct line *l)
{
    uint32_t piece = piece_of(c, m->addr);
    if (!c->owner && l->by_value >> piece & 1)
        return data_of(c, l, piece)->bytes + m->addr % SECTOR;
    return machine_at(c->machine, m->addr);
}

/* Does the asker read the sector where it is? */
static inline bool cache_in_place(const struct cache *c, const struct msg *m,
                                  const struct line *l)
{
    return c->owner ? machine_read_only(c->machine, m->addr, m->size)
                    : !(l->by_value >> piece_of(c, m->addr) & 1);
}

static inline bool cache_is_asked(const struct cache *c, uint32_t port)
{
    return port - c->ask_from < c->ask_ports;
}

/* An answer that is counted: the message has done its work. */
static inline void cache_answer_ask(struct cache *c, uint32_t port,
                                    uint32_t index)
{
    struct tile *t = c->unit.tile;
    fetch_link_answer(c->link, port - c->ask_from, t->pool[index].tag, t->now);
    tile_free_msg(t, index);
}

/* The load becomes its own answer: nothing is copied. l: its line, NULL if an
 * owner has none. */
static inline __attribute__((always_inline)) void
cache_answer_load(struct cache *c, uint32_t index, const struct line *l,
                  uint8_t flags)
{
    struct msg *m = &c->unit.tile->pool[index];
    uint32_t port = port_of(m);
    struct outport *o = &c->unit.out[REPLY][port];
    c->worked = true;
    if (cache_is_asked(c, port)) {
        cache_answer_ask(c, port, index);
        return;
    }
    m->op = MEM_DATA;
    m->flags = flags;
    m->aux = 0;
    m->value = 0;
    const void *carried = NULL;
    if (m->size <= 8)
        m->value = cache_bytes(cache_bytes_at(c, m, l), m->size);
    else if (!cache_in_place(c, m, l))
        carried = cache_bytes_at(c, m, l);
    if (__builtin_expect(c->queues, 0))
        cache_queue_answer(c, index, carried);
    else
        link_forward(o, index, carried);
}

/* The access of c->request, which is m, happens now (l: its line, NULL if an
 * owner has none) and is answered; flags: of the answer. */
static inline void cache_perform(struct cache *c, const struct msg *m,
                                 struct line *l, uint8_t flags)
{
    if (m->op == MEM_READ && !c->fault)
        cache_answer_load(c, cache_take_request(c), l, flags);
    else
        cache_perform_other(c, m, l, flags);
}

#endif
