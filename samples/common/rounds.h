/*
 * What the samples that measure the cores share: a number of rounds on the
 * command line, one work index each, and a checksum that is the same for any
 * number of harts and any machine. A round starts from its index alone; its
 * checksum is added to the others' modulo 2^32. A kernel is
 *
 *     struct rounds *rounds = arg;
 *     struct state *state = rounds_state(rounds);
 *     uint32_t sum = 0;
 *     for (uint32_t i; (i = corbel_next()) < rounds->count;)
 *         sum += one_round(state, i);
 *     rounds_add(rounds, sum);
 *
 * A round that finds a mistake in its own results calls rounds_wrong().
 */
#ifndef SAMPLES_ROUNDS_H
#define SAMPLES_ROUNDS_H

#include <corbel/corbel.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct rounds {
    const char *program;
    uint32_t count;    /* set by the caller to the default */
    size_t state_size; /* of one hart, set by the caller */
    void *kernel_arg;  /* the caller's own, if it has any */
    unsigned char *states;
    _Atomic uint32_t states_taken, checksum, wrong;
};

/* Reads argv[1], if it is there: 1..1000000000. Bad usage ends the program. */
void rounds_parse(struct rounds *rounds, int argc, char **argv,
                  const char *usage);

/*
 * Runs the kernel, with rounds as its argument, as the region of interest, and
 * prints the checksum. Returns what main() returns: 0, or 1 with a line on
 * stderr if something was wrong.
 */
int rounds_run(struct rounds *rounds, void (*kernel)(void *));

/* Memory of this hart's own, zero at first; to be called once by each. */
static inline void *rounds_state(struct rounds *rounds)
{
    uint32_t place = atomic_fetch_add(&rounds->states_taken, 1);
    return rounds->states + place * rounds->state_size;
}

static inline void rounds_add(struct rounds *rounds, uint32_t sum)
{
    atomic_fetch_add(&rounds->checksum, sum);
}

static inline void rounds_wrong(struct rounds *rounds)
{
    atomic_fetch_add(&rounds->wrong, 1);
}

/* A linear congruential generator; its upper bits are the good ones. */
static inline uint32_t rounds_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Takes a value into a checksum: the order of values matters. */
static inline uint32_t rounds_mix(uint32_t sum, uint32_t value)
{
    return (sum << 5 | sum >> 27) ^ value;
}

#endif
