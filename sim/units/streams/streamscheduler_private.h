/*
 * What the files of the stream scheduler share.
 *
 *   streamscheduler.c           the phases of a cycle, kernels, the kind
 *   streamscheduler_banks.c     requests of TMs, items into buckets
 *   streamscheduler_centre.c    what the policy decides, once a cycle
 *   streamscheduler_channels.c  addresses, what is written and read, returns
 *   streamscheduler_build.c     construction, which scenes it works on
 *
 * A bucket has a number from when it is begun to when its last bytes have gone
 * to a TM, and is in one list at a time: those to be flushed, then those to be
 * written, of its bank; those to be read of its segment (the policy's).
 */
#ifndef SIM_STREAMSCHEDULER_PRIVATE_H
#define SIM_STREAMSCHEDULER_PRIVATE_H

#include "sim/units/common/machine.h"
#include "sim/units/common/ring.h"
#include "sim/units/common/stream.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/streams/streamscheduler.h"
#include "sim/units/streams/streamscheduler_policy.h"
#include "sim/units/units.h"

enum { TM, BUCKET, MEM, DATA, FLUSH, COMMAND, COMPLETE };

#define NO_BUCKET POLICY_NONE
#define TMS_MAX 256u
#define TM_WORDS (TMS_MAX / 64)
#define LOADS 4u /* of a TM, not yet answered */
#define BEAT 64u /* bytes of a bucket that travel together */
#define ITEM_BYTES 36u
#define HEAD_BYTES 16u
#define CHANNELS_ON_CHIP 16u /* where no partition is linked */

#define STREAMSCHEDULER_TRIPS(X) X(bucket, 0, "sectors of buckets of rays")
enum { STREAMSCHEDULER_TRIPS(TRIP_NUMBER) STREAMSCHEDULER_TRIP_COUNT };

struct item {
    struct corbel_ray ray;
    uint32_t number; /* of the ray */
};
_Static_assert(sizeof(struct item) == ITEM_BYTES, "as in main memory");

struct bucket {
    uint32_t segment, items;
    uint32_t channel, slot; /* where it lies in the heap, once written */
};

/* Lists of buckets are linked by policy.next. */
struct bank {
    struct number_list to_flush; /* open no more, nothing comes for them */
    struct number_list to_write; /* at most params.bank_queue */
    uint32_t first_tm, tms;      /* those that it serves */
    uint32_t next_tm;            /* of them */
};

struct job {
    uint32_t bucket;
    uint32_t tag; /* of a read: TM and its load; WRITE_JOB */
};
#define WRITE_JOB UINT32_MAX

struct channel {
    struct job *jobs;
    struct ring order;
    uint32_t sent; /* sectors of the first job */
    uint32_t used; /* slots of the heap ever taken */
    uint32_t *freed, freed_count;
};

/* A bucket on its way to a TM. */
struct load {
    uint32_t bucket;
    uint32_t sectors; /* that have come from memory */
    uint32_t beats;   /* that have gone to the TM */
    uint32_t items;   /* that have, too */
};

struct client {
    struct load load[LOADS]; /* a TM gets buckets in order */
    struct ring order;
    uint32_t waiting; /* loads that wait for a bucket */
    uint32_t last;    /* segment of its last one */
};

static inline struct client client_new(void)
{
    return (struct client){.last = POLICY_NONE, .order.room = LOADS};
}

/* Why the program is at fault. */
enum refusal {
    REFUSAL_NONE,
    REFUSAL_UNKNOWN,  /* a segment that the scene does not have */
    REFUSAL_OVER,     /* an item of one that gets no more */
    REFUSAL_COMPLETE, /* a finished bucket of which there is none */
    REFUSAL_HEAP,
    REFUSAL_ROOTS, /* more than announced */
    REFUSAL_AGAIN, /* announced twice */
    REFUSAL_BELOW, /* another unit says why */
};

struct streamscheduler_params {
    STREAMSCHEDULER_PARAMS(PARAM_FIELD)
};

struct streamscheduler_stats {
    STREAMSCHEDULER_STATS(STAT_FIELD)
    TRIP_STATS(STREAMSCHEDULER_TRIP_COUNT)
    STREAMSCHEDULER_BUCKETS(BUCKET_FIELD)
};

struct streamscheduler {
    struct unit unit;
    struct streamscheduler_params params;
    struct streamscheduler_stats stats;
    struct account account;
    struct machine *machine;
    struct policy policy;

    /* the running kernel */
    uint8_t kernel;
    bool started;    /* a message of it has come */
    bool announced;  /* how many roots there are */
    bool ended;      /* told to the hit updaters */
    uint8_t refused; /* enum refusal: a guest fault at `fault` ... */
    uint64_t fault;
    uint32_t refused_segment; /* ... with this segment ... */
    uint32_t refused_by;      /* ... by the unit of this number */
    uint32_t roots, roots_come;
    uint64_t began;   /* when its first message came */
    uint64_t records; /* address of ray 0's */

    /* this cycle */
    bool moved;     /* something has happened: it runs in the next one, too */
    bool changed;   /* the policy may decide something else than it last did */
    bool blocked;   /* a command had no room */
    uint64_t *wait; /* the stat of why not */

    struct bank *banks;
    uint32_t bank_count, bank_queue;
    bool by_segment;  /* params.bank_by */
    uint32_t next_tm; /* the first to be looked at in a cycle, if by_segment */
    uint32_t next_bank;
    uint32_t to_write, to_flush; /* buckets of all banks */
    uint32_t *open;    /* [segment * banks + bank]: bucket + 1; 0: none */
    size_t open_count; /* of them used by the last kernel */

    struct bucket *buckets;
    struct item *items; /* [bucket * capacity + i] */
    uint32_t bucket_count, buckets_used;
    struct number_list spare; /* that were used before */
    uint32_t bucket_bytes, capacity, beats;

    struct channel *channels;
    uint32_t channel_count;
    uint64_t heap, heap_end; /* addresses */
    uint32_t slots;          /* of a channel in the heap */
    uint32_t under_way;      /* jobs, and loads that are not yet delivered */
    uint32_t in_heap;
    bool on_chip, reads_first;

    struct client *clients; /* TMs */
    uint32_t client_count;
    uint64_t due[TM_WORDS]; /* clients with a beat to go to */
    uint32_t *loads;        /* TMs that wait for buckets */
    struct ring loads_order;

    uint64_t candidates_from; /* candidate_cycles are booked before */
};

/* ---- streamscheduler.c ---- */

/* The program is at fault, at the address of the segment's treelet, or at the
 * end of the heap: all that wait are told. */
void streamscheduler_refuse(struct streamscheduler *s, enum refusal why,
                            uint32_t segment);
/* What another unit has refused. */
void streamscheduler_pass_refusal(struct streamscheduler *s,
                                  const struct msg *m);
void streamscheduler_book_candidates(struct streamscheduler *s, uint64_t now);
/* Address of a segment's treelet, or of where it would lie. */
uint64_t streamscheduler_treelet(const struct streamscheduler *s,
                                 uint32_t segment);

/* ---- streamscheduler_build.c ---- */

bool streamscheduler_build(struct unit *u, struct error *error);
bool streamscheduler_reads(const struct unit *u,
                           const struct corbel_scene *scene,
                           struct error *error);
/* The first message of a kernel has come. */
void streamscheduler_start(struct streamscheduler *s);

/* ---- streamscheduler_banks.c ---- */

/* In receive: each bank takes a request if it can. */
void banks_take(struct streamscheduler *s);
/* In send: each bank closes a bucket of those to be flushed. */
void banks_flush(struct streamscheduler *s);
/* No more items come for the segment. */
void banks_flush_segment(struct streamscheduler *s, uint32_t segment);

/* ---- streamscheduler_centre.c ---- */

void centre_run(struct streamscheduler *s, uint64_t now);
void centre_take_fetched(struct streamscheduler *s);

/* ---- streamscheduler_channels.c ---- */

void channels_take_data(struct streamscheduler *s);
/* Each channel sends up to 64 bytes of its first job. */
void channels_run(struct streamscheduler *s);
/* Each TM gets up to 64 bytes. */
void channels_deliver(struct streamscheduler *s);
static inline bool channel_has_room(const struct streamscheduler *s,
                                    uint32_t channel)
{
    return !ring_full(&s->channels[channel].order);
}
void channel_add(struct streamscheduler *s, uint32_t channel, struct job job);
/* Takes a slot of the heap for the bucket; false: there is none. */
bool heap_take(struct streamscheduler *s, uint32_t bucket, uint32_t channel);

#endif
