/*
 * A TM around a staging buffer, of toys of one kind, the player: thread
 * processors whose harts send root items, work on items and read records at the
 * end; an RT core that works on items instead; a clerk in place of the stream
 * scheduler; keepers of records in place of hit updaters, which take any time.
 *
 * The work is made of numbers: ray n in segment s leads to some of the segments
 * 2 s + 1 and 2 s + 2 below STORY_SEGMENTS, and hits something in each at a
 * distance that follows from both. So it is known which items there are and
 * which hit is left, whatever the order.
 */
#ifndef SIM_STAGER_BENCH_H
#define SIM_STAGER_BENCH_H

#include "sim/units/common/bench.h"
#include "sim/units/common/stream.h"

#define STORY_RAYS 512u
#define STORY_SEGMENTS 8u
#define STORY_BUCKETS 1024u
#define STORY_KEPT 1024u /* answers that a keeper owes */
#define STORY_RECORDS 0x10000u
#define RTCORE_HANDS 64u

struct story {
    unsigned seed, cores, harts; /* of each core */
    unsigned rtcore;             /* its slots, 0: there is none */
    unsigned early;              /* it reads records first */
    unsigned bucket;             /* items of one */
    unsigned rays;
    unsigned depth;      /* of all links but those with two messages */
    unsigned keepers;    /* partitions */
    unsigned work, keep; /* cycles, at most: of an item, of a hit */
    unsigned clerk;      /* cycles, at most, until a bucket leaves */
};

enum role { CORE, RT_CORE, CLERK, KEEPER };

enum doing {
    SENDS_ROOTS,
    ASKS,
    WAITS, /* for an item */
    READS, /* its record first */
    WAITS_READ,
    WORKS, /* until the cycle `until` */
    STORES,
    LEADS_ON, /* to segments below */
    LOADS,    /* records at last */
    WAITS_LOAD,
    ENDED,
};

/* A hart, or a slot. */
struct hand {
    enum doing doing;
    uint64_t until;
    uint32_t ray, segment, child; /* the next of two */
    uint32_t next;                /* root or record */
    unsigned acks; /* answers without words that are still to come */
    unsigned ends;
    struct payload item; /* the first half */
};

/* A bucket that the clerk has sent. */
struct sent {
    uint32_t segment, count, rays[256];
    uint64_t asked; /* when its turn came */
};

/* An answer that a keeper gives some time. */
struct kept {
    uint64_t due;
    unsigned port;
    struct msg msg;
    struct payload payload;
};

struct player {
    struct unit unit;
    const struct story *story;
    enum role role;
    uint32_t number; /* of the core */
    unsigned hands, turn;
    struct hand *hand;

    /* The clerk's; at: when the items came. */
    uint64_t (*at)[STORY_SEGMENTS];
    uint16_t (*waiting)[STORY_RAYS];
    unsigned count[STORY_SEGMENTS];
    struct sent *sent;
    unsigned sents, roots, announced, completes;
    uint32_t *completed; /* segments ... */
    uint64_t *completed_at;
    unsigned ends;
    bool asked;
    uint64_t ready;   /* the bucket leaves */
    unsigned leaving; /* messages of it that are gone; 0: none is leaving */

    /* A keeper's; stored: when hits were there. */
    uint64_t (*stored)[STORY_SEGMENTS];
    struct kept *kept;
    unsigned keeps;

    /* Of workers: how often an item came, and the records that were read. */
    uint8_t (*worked)[STORY_SEGMENTS];
    struct corbel_hit *read;
    unsigned reads;
    uint64_t last_end;
};

extern const struct unit_kind player_kind;

/* Builds the TM: the staging buffer is b->units[0], then come the clerk, the
 * keepers, the cores and the RT core. */
void story_build(struct bench *b);
void story_check(struct bench *b);
void story_play(const struct story *story, void (*check)(struct bench *b));
struct player *story_player(struct bench *b, enum role role, unsigned number);

/* What follows from numbers. */
bool story_leads(const struct story *s, uint32_t ray, uint32_t segment,
                 uint32_t child);
struct corbel_hit story_hit(const struct story *s, uint32_t ray,
                            uint32_t segment);

#endif
