/*
 * What the microbenchmarks of the memory share. A measurement is one row: a
 * pattern with its footprint, stride and number of harts. Two kinds:
 *
 *   chains   one hart, each access needs the one before: latency
 *   streams  many harts, independent accesses: bandwidth
 *
 * Bandwidth counts sectors of 32 bytes, what caches and memory move at a time:
 * an access to a sector of its own counts 32 bytes, whatever it uses of them.
 */
#ifndef SAMPLES_MICROBENCH_H
#define SAMPLES_MICROBENCH_H

#include <corbel/corbel.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A register's worth: 8 bytes, on RV32 4. */
typedef uintptr_t word;

enum { SECTOR = 32 };

enum pattern {
    CHASE,  /* chain of loads */
    CHAIN,  /* chain of atomic additions to one word */
    READ,   /* streams of loads, */
    WRITE,  /* stores, */
    COPY,   /* loads and stores, */
    RANDOM, /* loads from anywhere, */
    ATOMIC, /* atomic additions */
    PATTERNS
};

/* When a hart worked; cycles. */
struct span {
    uint64_t begin, end;
};

/* The shortest and the longest access of a chain; cycles. */
struct extremes {
    word shortest, longest;
};

struct job {
    enum pattern pattern;
    bool prepare;   /* this launch writes what the measurement reads */
    bool shuffled;  /* CHASE: in a scattered order, else by address */
    uint64_t bytes; /* footprint */
    uint64_t stride;
    uint64_t shift;    /* streams: to the next round through the footprint */
    uint64_t count;    /* accesses */
    uint32_t harts;    /* that work */
    uint32_t launches; /* streams: of which the last one counts */
    unsigned char *memory;    /* footprint, then slack */
    unsigned char *target;    /* COPY: where to */
    struct span *spans;       /* of the harts that work */
    struct extremes extremes; /* chains */
    _Atomic uint32_t wrong;   /* harts that read what they should not */
};

/* Parts of a kernel, each called on all harts. */
void chase_prepare(struct job *job);
void chase_measure(struct job *job);
void chain_measure(struct job *job);
void stream_prepare(struct job *job);
void stream_measure(struct job *job);

/* Memory that a row touches beyond job->bytes. */
uint64_t stream_slack(const struct job *job);

/* After the kernel: is in memory what has to be there? */
bool chain_check(const struct job *job);
bool stream_check(const struct job *job);

#endif
