/*
 * How much a compressed file may unpack to, so that a small one cannot fill the
 * memory of the host: a good deal for any, and many times what it has. Who has
 * an honest file that is more regular than that unpacks it first: plain files
 * have no bound but their size.
 */
#ifndef CORBEL_UNPACK_H
#define CORBEL_UNPACK_H

#include <stdint.h>

#define CORBEL_UNPACK_ANY ((uint64_t)512 << 20) /* bytes, of any file */
#define CORBEL_UNPACK_TIMES 256                 /* its own, besides */

/* The most bytes that a file of `packed` bytes may have unpacked. */
static inline uint64_t corbel_unpack_most(uint64_t packed)
{
    return CORBEL_UNPACK_ANY + CORBEL_UNPACK_TIMES * packed;
}

/* The lines that refuse it, for its name and the bound (unsigned long long): a
 * file, and what tells no size and may have no end, a pipe or a device. */
#define CORBEL_UNPACK_REFUSED                                                  \
    "%.200s: unpacks to more than %llu bytes, which is too much for a file "   \
    "of its size; expected one that is not as regular, or unpacked"
#define CORBEL_STREAM_REFUSED                                                  \
    "%.200s: has more than %llu bytes, which is too much for what is no "      \
    "file; expected a file"

#endif
