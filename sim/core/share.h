/*
 * How tiles are shared among host threads, so that the thread with the most
 * work has little, and tiles stay where they are. Of no influence on results.
 */
#ifndef SIM_SHARE_H
#define SIM_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What tiles cost the host: for each a decayed sum of the times, in ns, that
 * some of its epochs took. ns: of one epoch. True: a kernel has begun, as most
 * of them take much longer than they did; weights are as if they always had.
 * Only ratios and share_time mean something.
 */
bool share_weigh(uint64_t *weights, const uint64_t *ns, unsigned tiles);

/* ns an epoch, of a weight or a sum of weights. */
uint64_t share_time(uint64_t weight);

/* Which thread has which tile. The arrays are the caller's. */
struct shares {
    unsigned tiles, threads; /* more than 0 */
    uint64_t *weights;       /* by tile */
    unsigned *owner;         /* by tile: its thread */
    uint64_t *loads;         /* by thread: for the functions below */
};

/* Each tile gets a thread: the heaviest first, the one that has least. */
void share_first(const struct shares *s);
/*
 * Tiles of the thread that has most move to others, or change places with
 * theirs, one after the other, as long as each takes 4 % off it. True: some
 * did.
 */
bool share_again(const struct shares *s);
/* The weight of the thread that has most, of all tiles. */
uint64_t share_most(const struct shares *s);
uint64_t share_all(const struct shares *s);

/*
 * Whether one thread runs all tiles while the others wait. So it begins;
 * several go on while they take less time than one would, and are tried again
 * later and later after they took more: on a host that has other work, each
 * barrier may have to wait for a processor.
 */
struct share_mode {
    bool alone;
    unsigned rest;     /* decisions before several are tried again */
    unsigned patience; /* of these, after the next failure */
    unsigned put_off;  /* times in a row that several were not even tried */
    uint64_t slowness; /* of one thread: time for its work, in 1024ths */
    uint64_t recent;   /* the same when one was last looked at */
};

void share_mode_init(struct share_mode *m);

/* One thread went on alone, and a kernel has begun: several may be tried again,
 * whatever was before. all, most, barrier_ns: as in share_decide. */
void share_begin(struct share_mode *m, uint64_t all, uint64_t most,
                 uint64_t barrier_ns);

/* ns in which one thread would do that much work, at its pace: the better one
 * of the last two looks at it. */
uint64_t share_one(const struct share_mode *m, uint64_t work);

/*
 * Have several threads lost so much against one, which takes one_ns for an
 * epoch, that they need not go on till they are looked at? ns: what their
 * epochs took since then.
 */
bool share_lost(const struct share_mode *m, uint64_t ns, uint64_t epochs,
                uint64_t one_ns);

/*
 * Decides anew. wall: ns an epoch since the last decision; all: ns an epoch
 * that all tiles take; most: those of the thread that would have most;
 * barrier_ns: what a barrier costs at least.
 */
void share_decide(struct share_mode *m, uint64_t wall, uint64_t all,
                  uint64_t most, uint64_t barrier_ns);

/*
 * Several threads were decided on, but the host has other work: they are tried
 * later, each time after a longer wait; after many times they run in spite of
 * it, to see what they gain.
 */
void share_put_off(struct share_mode *m);

#endif
