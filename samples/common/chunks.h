/* Work indices that are chunks of items, which a hart does one after the other.
 */
#ifndef SAMPLES_CHUNKS_H
#define SAMPLES_CHUNKS_H

#include "arithmetic.h"

#include <corbel/corbel.h>
#include <stdint.h>

enum { CHUNK = 256 }; /* items of a work index */
#ifndef CHUNK_ITEMS   /* a program may have as many as it likes */
#define CHUNK_ITEMS CHUNK
#endif

/* The items [first, end) of a work index. */
#define EACH_CHUNK(index, items)                                               \
    for (uint32_t index;                                                       \
         (index = corbel_next()) < ceil_div((items), CHUNK_ITEMS);)
#define EACH_ITEM(i, index, items)                                             \
    for (uint32_t i = (index)*CHUNK_ITEMS,                                     \
                  end_##i = smaller(i + CHUNK_ITEMS, (items));                 \
         i < end_##i; i++)

#endif
