/*
 * What limits a run: its time as parts, each spent at a place whose use is
 * known, and from these what doubling a place would gain.
 *
 * The model is that of a closed queueing network, as in mean value analysis.
 * Harts are its customers. Their cycles that are not idle are divided into
 * parts: in latencies, which stay as they are, and in queues before places. If
 * the run were s times as fast, a place would be used s times as much of the
 * time, and a queue would grow with it as that of M/M/1, by g(s U) / g(U),
 * where g(U) = U / (1 - U). U is the measured use; of a port also the time in
 * which its first message waits at the other end. What is more of a queue than
 * U explains comes in bursts, which are as long as there are customers: harts,
 * or rays in flight. Nothing is used more than all the time, places of caches
 * for which nothing waits yet included. Customers are conserved, so the parts
 * of the changed run have to sum to those of this one, over s; that gives s.
 *
 * Rays take a slot of their core, so harts wait in one queue more, for slots:
 * these are used s times as much of the time, and by rays that stay as long as
 * the parts within a slot say. Time for rays and time for all else are taken to
 * follow each other: each has its own s, and its own queues before the places
 * that both use. Harts that have run out of work wait for the others, as
 * long as these take.
 */
#ifndef SIM_VERDICT_H
#define SIM_VERDICT_H

#include "sim/core/limit.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    VERDICT_LEVERS = 256,
    VERDICT_PARTS = 1024,
    VERDICT_NONE = VERDICT_LEVERS
};

struct link_class;

/* Some of the levers. */
struct lever_set {
    uint64_t words[VERDICT_LEVERS / 64];
};

static inline bool lever_set_has(const struct lever_set *s, unsigned lever)
{
    return s->words[lever / 64] >> lever % 64 & 1;
}

static inline void lever_set_add(struct lever_set *s, unsigned lever)
{
    s->words[lever / 64] |= UINT64_C(1) << lever % 64;
}

/* Something that could be doubled, of a latency halved, or of the program less.
 */
struct lever {
    const char *group;
    const struct link_class *links; /* that are at it; NULL: none, or several */
    const struct limit_row *row;
    int64_t value;  /* of its parameter, 0: it has none that counts */
    bool refused;   /* the chip takes no such value */
    char with[128]; /* what has to be set along with it; else empty */
    double used;    /* 0..1; negative: not known */
    double full;    /* likewise, share of the cycles without room for more */
    double crowded; /* share of the cycles in which it is used and something
                       waits for it */
    double queue;   /* mean number that wait at one of its servers */
    double servers; /* that take from one queue */
    /* While harts do other things than wait for rays, and for rays: how much of
     * the time it is used, or as its queue tells if that is not known; and the
     * share of the queue that is as long as use alone makes it. The rest comes
     * in bursts, as of all harts that load the same lines at a time. */
    double use[2], steady[2];
    /* Likewise of a lever that leads on: how much of the time it is used, and
     * so long with that in which the first of what it has sent waits at the
     * other end. */
    double own, ahead;
    bool streams;   /* its places are filled from streams, not by harts */
    bool of_cores;  /* there are more of it where there are more TMs */
    unsigned level; /* of a cache: 1 is the first, else 0 */
    struct lever_set beyond; /* LIMIT_SIZE levers whose misses come here */
    struct lever_set near;   /* of these, those that come here first */
    /* Share of what waits for it that twice as much of it helps, of harts and
     * of rays; of LIMIT_SIZE, of the misses. halves: all of it is halved. */
    double eases[2];
    bool halves;
    double eases_near; /* of LIMIT_SIZE, of the misses that the next level had,
                          and of the others */
    double eases_far;
    /* Of places that rays take: how many are in them, and for how many cycles
     * each, as the summary tells it. */
    double in_flight, stay;
};

/* Cycles of harts, of all together. */
struct part {
    const char *group, *request; /* whose; NULL: of no request to memory */
    char name[72]; /* a bucket, a counter, or what a leg is called */
    double cycles;
    unsigned lever;          /* VERDICT_NONE: nothing changes it */
    unsigned slots;          /* the lever whose place a ray has meanwhile, or
                                VERDICT_NONE */
    bool coming;             /* that place waits for its ray */
    struct lever_set beyond; /* as of a lever */
    struct lever_set near;   /* of these, those whose next level had what was
                                missed */
};

/* Work that the roofline is about, and what it comes to. */
struct roof {
    const char *work;
    double done, peak; /* a cycle; what the units could do of this mix */
    double bytes;      /* work done for each byte of main memory */
    double roof;       /* a cycle, at most, by peak and main memory */
};
enum { VERDICT_ROOFS = 4 };

/* What is changed: a lever, by its number, or with it VERDICT_NONE all that
 * TMs have (tms), or the number of harts (harts). */
struct change {
    unsigned lever;
    bool tms, harts;
    bool saturated; /* as if the lever were used all the time */
};

struct prediction {
    struct change change;
    enum { GAIN_OF_LIMIT, GAIN_OF_PROGRAM, GAIN_OF_SIZE } of;
    double speedup;
};

struct verdict {
    uint64_t cycles;  /* of the run, or of its regions */
    bool whole;       /* of the run: its program marks no region of interest */
    double busy, all; /* hart-cycles that were not idle, and all */
    bool legs;        /* requests to memory are known by legs */
    struct lever levers[VERDICT_LEVERS];
    struct part parts[VERDICT_PARTS];
    unsigned lever_count, part_count;
    unsigned left_out; /* limits for which there was no room */
    /* With legs: as of verdict_predict. */
    struct prediction predictions[VERDICT_LEVERS + 2];
    unsigned prediction_count;
    double memory; /* bytes a cycle that main memory could move, 0: unknown */
    struct roof roofs[VERDICT_ROOFS];
    unsigned roof_count;
};

/* Adds cycles, if there are any, to a part that is the same but for them, or as
 * a part of their own; once there are VERDICT_PARTS - 1, to one that is called
 * "other parts" and that nothing changes (part_list.c). */
void verdict_add_part(struct verdict *v, const struct part *part);

/* Is a part of the time of rays, or of what waits for slots for them; and the
 * hart-cycles of all that are, or are not. */
bool part_of_rays(const struct verdict *v, const struct part *part);
double verdict_cycles(const struct verdict *v, bool rays);

/* How much of the time a place is used, or, if that is not known (negative),
 * one with such a queue. */
double use_of(double used, double queue);
/* The queue before `servers` servers whose use is `use`: Sakasegawa's
 * approximation of M/M/c, U^sqrt(2 (c + 1)) / (1 - U). */
double queue_at(double use, double servers);

/* How many times as fast the run would be. */
double verdict_speedup(const struct verdict *v, const struct change *change);

/* All changes that are worth predicting, the largest gain first; those of the
 * program, then those of a larger chip (tms, harts) last. list has room
 * for VERDICT_LEVERS + 2 of them. Returns their number. */
unsigned verdict_predict(const struct verdict *v, struct prediction *list);

#endif
