/*
 * Messages between the units of ray streams: staging buffers of TMs, RT cores
 * that traverse treelets, the stream scheduler, hit updaters, the scene buffer;
 * and, where rays move (at the end), ray gates of TMs and the ray store.
 *
 * An item is a ray that is to be traced through one treelet, its segment. Its
 * message carries the ray as payload (struct corbel_ray). Hits travel as
 * payloads whose first 16 bytes are a struct corbel_hit.
 *
 * size is the number of the kernel modulo 256: each unit counts its launches
 * (stream_kernel). A unit drops what it gets of another kernel, which was
 * under way when that ended; only hit updaters do all that they are asked. An
 * answer has the size, from and tag of its request, unless
 * said otherwise.
 *
 * A request that cannot be served is answered by MEM_FAULT (mem.h), whose value
 * is the number of the unit that could not.
 */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include "sim/units/common/mem.h"
#include <corbel/types.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Numbered apart from enum mem_op: they may meet at a port. */
enum stream_op {
    /*
     * An item: addr = number of the ray, tag = segment, payload = ray. Nothing
     * answers it. From a staging buffer to the scheduler or an RT core to its
     * staging buffer: aux = hint, the place of the segment among those that the
     * ray enters from here (0: the nearest). From a staging buffer to an RT
     * core: from = slot.
     */
    STREAM_ITEM = 64,

    /* How many root items there are in this kernel, dead ones included: tag;
     * addr: the record of ray 0, that of ray n is 16 n bytes after it. A root
     * item is one of segment 0. Sent once, before or after them. */
    STREAM_ROOTS,

    /* To an RT core: the kernel uses streams. Before it comes the RT core asks
     * for nothing, as its staging buffer does before the first instruction of
     * the kernel that it serves. Nothing answers it. */
    STREAM_BEGIN,

    /*
     * To the scheduler: asks for a bucket; answered, in the order of asking, by
     * STREAM_BUCKET and its items, or by STREAM_END. To a staging buffer: asks
     * for an item for slot `from`, whose last item is finished; answered by
     * STREAM_ITEM or STREAM_END. The answer's tag is a segment.
     */
    STREAM_LOAD,

    /* The head of a bucket: tag = segment, addr = the record of ray 0, value =
     * number of its items, 1 or more, which follow as STREAM_ITEM. When the
     * last one is there all bytes of the bucket are. */
    STREAM_BUCKET,

    /* There is no more work in this kernel. */
    STREAM_END,

    /* To the scheduler: all items of a bucket of segment tag are traced, and
     * the items that they led to were sent before. */
    STREAM_COMPLETE,

    /*
     * A hit for the record at addr, kept if it is closer (corbel/streams.h):
     * payload, answered by STREAM_STORED when it is sure to be seen by every
     * later load. From an RT core to its staging buffer addr is the number of
     * the ray, also of a load, and nothing answers the store. There MEM_FAULT
     * as a request says that the memory has refused what the ray needs.
     */
    STREAM_HIT_STORE,
    STREAM_STORED,
    /* Asks for the record at addr, answered by STREAM_HIT with the payload. */
    STREAM_HIT_LOAD,
    STREAM_HIT,

    /* To a hit updater: the last item is finished; dirty records are to be
     * written to main memory. Nothing answers it. */
    STREAM_FLUSH,

    /* To the scene buffer: fetch segment tag, answered by STREAM_FETCHED with
     * its tag when all of it is there; and segment tag is not needed any more,
     * which nothing answers. */
    STREAM_FETCH,
    STREAM_RETIRE,
    STREAM_FETCHED,

    /*
     * A ray that exists once and takes its hit and its state along: addr =
     * number of the ray, tag = treelet where it goes on, payload = ray; right
     * behind it, pushed in the same cycle, STREAM_STATE: the same addr, tag and
     * from, payload = 32 bytes that only programs and RT cores understand. The
     * pair takes one cycle of a port.
     *
     * To the ray store, which keeps it: aux = STREAM_BACK: the sender was given
     * the ray before, STREAM_NEW: it was not; nothing answers it. In the other
     * direction it answers a STREAM_LOAD, whose from it has.
     */
    STREAM_RAY,
    STREAM_STATE,

    /*
     * To the ray store: a ray that is finished: addr = number of the ray,
     * payload = hit; aux as above. There STREAM_HIT_LOAD asks for any of these,
     * aux = priority: those with 0 are answered before those with 1. STREAM_HIT
     * has addr and payload of the ray. STREAM_END says that no more rays come:
     * every STREAM_LOAD is answered by STREAM_END then.
     */
    STREAM_OVER,
};

/* What a message to the ray store brings. */
enum { STREAM_NEW, STREAM_BACK };

/* The largest hint of a stored item: what is more counts as this. */
#define STREAM_HINT_MAX 15u

static inline uint8_t stream_kernel(uint64_t launches)
{
    return (uint8_t)launches;
}

/* Payloads to what they hold and back. */
static inline struct corbel_ray stream_ray(const uint8_t bytes[32])
{
    struct corbel_ray ray;
    memcpy(&ray, bytes, sizeof ray);
    return ray;
}

static inline struct corbel_hit stream_hit(const uint8_t bytes[32])
{
    struct corbel_hit hit;
    memcpy(&hit, bytes, sizeof hit);
    return hit;
}

#endif
