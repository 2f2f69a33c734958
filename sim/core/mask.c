#include "sim/core/unit.h"

int mask_next_long(const uint64_t *mask, unsigned words, unsigned from)
{
    unsigned w = from / 64;
    uint64_t m = mask[w] & (~0ULL << from % 64);
    for (unsigned more = words; !m && more > 0; more--) {
        w = w + 1 == words ? 0 : w + 1;
        m = mask[w];
    }
    return m ? (int)(w * 64 + (unsigned)mask_first(m)) : -1;
}
