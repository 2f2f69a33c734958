/* Work indices that are chunks of items, which a hart does one after the other.
 */
#ifndef SAMPLES_CHUNKS_H
#define SAMPLES_CHUNKS_H

#include <corbel/corbel.h>
#include <stdint.h>

enum { CHUNK = 256 }; /* items of a work index */

/* The items [first, end) of a work index. */
#define EACH_CHUNK(index, items)                                               \
    for (uint32_t index;                                                       \
         (index = corbel_next()) < ((items) + CHUNK - 1) / CHUNK;)
#define EACH_ITEM(i, index, items)                                             \
    for (uint32_t i = (index)*CHUNK, end_##i = smaller(i + CHUNK, (items));    \
         i < end_##i; i++)

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

#endif
