/*
 * Managed memory: what lies there is kept by the host and comes to the chip
 * page by page when a hart or a unit first touches it, on chips with a unit
 * that does so (docs/guides/managed-memory.md). On other chips and natively it
 * is ordinary memory that is always there, and all but the allocation does
 * nothing. Contents never depend on where a page is.
 *
 * An allocation consists of trees: as many roots of 2 MiB as it fills, and one
 * smaller tree for the rest. Included by <corbel/corbel.h>.
 */
#ifndef CORBEL_MANAGED_H
#define CORBEL_MANAGED_H

#include <corbel/types.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_MANAGED_ROOT (2u << 20)   /* bytes of a whole tree */
#define CORBEL_MANAGED_BLOCK (64u << 10) /* bytes of a leaf of a tree */

/* What has been moved since the program began, on chips that move pages: all
 * of it is 0 on others, without timing and natively. */
struct corbel_managed_stats {
    uint64_t faults;        /* pages that were touched and not there */
    uint64_t transfers_in;  /* from the host to the chip */
    uint64_t bytes_in;      /* by these */
    uint64_t transfers_out; /* from the chip to the host */
    uint64_t bytes_out;     /* by these */
    uint64_t remote_reads;  /* of memory that stayed with the host */
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_managed_stats) == 48,
                     "statistics layout");

/* Bytes of the trees of an allocation of `bytes`, 1 .. 2^63: whole roots
 * and a rest that is a power of two of blocks. */
static inline uint64_t corbel_managed_trees(uint64_t bytes)
{
    uint64_t roots = bytes & ~(uint64_t)(CORBEL_MANAGED_ROOT - 1), rest;

    if (bytes == roots)
        return roots;
    for (rest = CORBEL_MANAGED_BLOCK; rest < bytes - roots;)
        rest *= 2;
    return roots + rest;
}

/*
 * Memory of `bytes` bytes, at a multiple of CORBEL_MANAGED_ROOT, that stays
 * until the program ends; what is in it at first is not said, as with malloc.
 * NULL and errno on failure: EINVAL if bytes is 0, ENOMEM if there is no room
 * for its trees. On the target it takes no memory of the heap, and a place in
 * the address space of whole roots. Any hart may call it.
 */
void *corbel_managed_alloc(size_t bytes);

/*
 * Asks for a range, to have it on the chip before it is touched; the pages that
 * it touches come in order, while the program goes on. The range has to lie in
 * one allocation, or in one file that sim-run has placed as managed
 * (--managed); else, or if bytes is 0, the answer is -1 and errno EINVAL.
 * EAGAIN: the chip has as many waiting as it can keep.
 */
int corbel_managed_prefetch(const void *start, size_t bytes);

/*
 * Returns when all that was changed on the chip is back with the host; from
 * then on no page is on the chip. -1 and errno EBUSY in a kernel.
 */
int corbel_managed_sync(void);

/* Stores what has been moved so far. -1 and errno EFAULT, on the target only,
 * if that is no memory that can be written. */
int corbel_managed_count(struct corbel_managed_stats *stats);

/* Its name of before, in C only: in C++ it would hide the record. */
#ifndef __cplusplus
static inline int corbel_managed_stats(struct corbel_managed_stats *stats)
{
    return corbel_managed_count(stats);
}
#endif

#ifdef __cplusplus
}
#endif
#endif
