/*
 * Sets of ports or units as words of bits, and the round robin over them by
 * which units arbitrate.
 */
#ifndef SIM_MASK_H
#define SIM_MASK_H

#include "sim/core/host_cpu.h"

/* mask_next of more than two words. */
int mask_next_long(const uint64_t *mask, unsigned words, unsigned from);

/*
 * Round robin: the first set bit at or after `from`, wrapping, of a mask of
 * `words` words, 1 or more; -1 if none. Advance `from` only when granting.
 */
static inline int mask_next(const uint64_t *mask, unsigned words, unsigned from)
{
    if (words > 2)
        return mask_next_long(mask, words, from);
    unsigned w = from / 64;
    uint64_t all = mask[w], m = all & (~0ULL << from % 64);
    if (words == 2) {
        uint64_t other = mask[w ^ 1];
        w ^= !m & (other > 0);
        all = choose_if(other > 0, other, all);
    }
    m = choose_if(m > 0, m, all);
    return m ? (int)(w * 64 + (unsigned)mask_first(m)) : -1;
}

/* The port after this one, of `count`. */
static inline unsigned port_after(unsigned port, unsigned count)
{
    return port + 1 == count ? 0 : port + 1;
}

/* words: 0 for a row of ports without links, whose word is empty. */
static inline bool mask_any(const uint64_t *mask, unsigned words)
{
    uint64_t any = mask[0];
    if (words == 1)
        return any;
    for (unsigned w = 1; w < words; w++)
        any |= mask[w];
    return any;
}

#endif
