/* Work indices that are chunks of items, which a hart does one after the other.
 */
#ifndef SAMPLES_CHUNKS_H
#define SAMPLES_CHUNKS_H

#include "arithmetic.h"

#include <corbel/corbel.h>
#include <stdint.h>

enum { CHUNK = 256 }; /* items of a work index */

/* The items [first, end) of a work index. */
#define EACH_CHUNK(index, items)                                               \
    for (uint32_t index; (index = corbel_next()) < ceil_div((items), CHUNK);)
#define EACH_ITEM(i, index, items)                                             \
    for (uint32_t i = (index)*CHUNK, end_##i = smaller(i + CHUNK, (items));    \
         i < end_##i; i++)

#endif
