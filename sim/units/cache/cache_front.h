/*
 * The front of a cache: the ports of the clients and the banks. A request waits
 * at its port until its bank takes it, walks the bank's pipeline and stands at
 * the bank's end until it is done there.
 */
#ifndef SIM_CACHE_FRONT_H
#define SIM_CACHE_FRONT_H

#include "sim/core/unit.h"

#define CPU_PORTS 256 /* at most */

/* A request in the pipeline of its bank: a message of the tile's pool, with its
 * port in `when`. */
struct step {
    uint32_t request;
    uint16_t end; /* cycle, low 16 bits */
    uint16_t bank;
};

struct bank {
    uint64_t wanted[CPU_PORTS / 64]; /* by ports, with their first requests */
    uint32_t first, last; /* requests that stand at its end: a list */
    uint16_t count;       /* with those in the pipeline */
    uint16_t next_port;   /* round robin */
#if STALLS
    uint8_t lacks; /* what the first request at its end: enum verdict */
#endif
};

struct front {
    const uint64_t *cpu;            /* ports with messages */
    uint64_t noted[CPU_PORTS / 64]; /* ports that are in banks' wanted */
    uint32_t waiting;               /* messages at those ports */
    uint32_t words;                 /* of a mask over the ports */
    uint64_t banks_wanted;          /* mask of banks that ports want */
    uint64_t banks_ready; /* mask of banks with requests at their end */
    uint64_t all_banks;   /* mask */
    struct bank *banks;
    struct step *pipeline;   /* of all banks, as all have the same latency */
    uint32_t pipeline_mask;  /* of its room, see cache_widen_pipeline */
    uint32_t head, tail;     /* of the pipeline; grow */
    uint32_t latency, depth; /* depth: requests of a bank, at most */
    uint32_t bank_mask;
    uint32_t next_bank; /* round robin of misses */
    uint32_t request;   /* that is looked up, NONE: it has been taken */
};

static inline const struct step *front_step(const struct front *f, uint32_t at)
{
    return &f->pipeline[at & f->pipeline_mask];
}

static inline bool front_ends_at(const struct front *f, uint64_t now)
{
    return f->head != f->tail && front_step(f, f->head)->end == (uint16_t)now;
}

/* Tells whether there is a request at the end of a bank. */
static inline bool front_has_work(const struct front *f, uint64_t now)
{
    return f->banks_ready || front_ends_at(f, now);
}

/*
 * Returns in how many cycles the first request in the pipeline reaches its
 * end.
 */
static inline uint32_t front_cycles_to_end(const struct front *f, uint64_t now)
{
    return (uint16_t)(front_step(f, f->head)->end - now);
}

#endif
