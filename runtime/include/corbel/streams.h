/*
 * Ray streams: programs for chips on which a ray is worked on in one treelet at
 * a time (corbel/treelets.h), and waits in a queue of the next one between.
 *
 * Work items. A ray is copied into the queue of every treelet that it may hit
 * something in; its hits meet in one record, of which the closest stays. A
 * kernel sends one item for each ray, in treelet 0, and says once how many
 * these are; harts then take items and send more, until there are none left:
 *
 *     for (uint32_t i; (i = corbel_next()) < rays;)
 *         corbel_stream_push(&(struct corbel_item){ray[i], i, 0});
 *     if (corbel_hart() == 0)
 *         corbel_stream_roots(rays, NULL);
 *     for (struct corbel_item item; corbel_stream_pop(&item);)
 *         work_on(&item);
 *
 * On chips whose RT cores take the items a kernel sends the first ones, says
 * where the hit records are, and reads them.
 *
 * The ray store. A ray is there once, and its state and its hit move with it
 * from treelet to treelet (corbel/traverse_moves.h). The store has room for so
 * many rays: a program sends as many, and then a new one for each that it gets
 * back finished. With RT cores it does nothing else; without, harts take rays
 * and send them on, until one of them says that all are finished
 * (corbel_ray_close).
 *
 * Streams are empty when a kernel starts. The instructions behind these
 * functions are illegal on chips without ray streams, and before a scene is
 * opened.
 */
#ifndef CORBEL_STREAMS_H
#define CORBEL_STREAMS_H

#include <corbel/types.h>
#include <corbel/xtrav.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- work items ---- */

/*
 * Treelets of items that are none. END: received, there is no more work; sent,
 * id is the number of items that are sent in treelet 0. AGAIN: received,
 * nothing now, ask again; timed chips do not answer so.
 */
#define CORBEL_SEGMENT_END 0xFFFFFFu
#define CORBEL_SEGMENT_AGAIN 0xFFFFFEu

static inline uint32_t corbel_item_segment(const struct corbel_item *item)
{
    return item->word & 0xFFFFFFu;
}

/* 0 for the child that the ray enters first, 1 for the next .. 255. */
static inline uint32_t corbel_item_hint(const struct corbel_item *item)
{
    return item->word >> 24;
}

static inline uint32_t corbel_item_word(uint32_t segment, uint32_t hint)
{
    return segment | hint << 24;
}

/*
 * Sends an item. A ray that is dead (tmax < tmin) counts as sent, and no hart
 * gets it.
 */
static inline void corbel_stream_push(const struct corbel_item *item)
{
    corbel_swi(item);
}

/*
 * How many items are sent in treelet 0 by all harts, in this kernel. Once, by
 * any hart, at any time. records: RT cores that take items store the hit of ray
 * i in records[i]; NULL: programs take them. (In the item it is the first two
 * words of the ray, the low one first.) Chips with one of the two ways need
 * what is theirs; natively it decides.
 */
static inline void corbel_stream_roots(uint32_t count,
                                       struct corbel_hit *records)
{
    struct corbel_item item = {
        {{0, 0, 0}, 0, {0, 0, 0}, 0}, count, CORBEL_SEGMENT_END};
    const uint64_t address = (uintptr_t)records;
    __builtin_memcpy(&item.ray, &address, sizeof address);
    corbel_swi(&item);
}

/* Takes an item; the one that the hart had before is finished. False: there is
 * no more work, and all hits are stored. */
static inline bool corbel_stream_pop(struct corbel_item *item)
{
    do
        corbel_lwi(item);
    while (corbel_item_segment(item) == CORBEL_SEGMENT_AGAIN);
    return corbel_item_segment(item) != CORBEL_SEGMENT_END;
}

/* ---- hit records ---- */

/*
 * Records are at multiples of 16, one for each ray. A kernel before sets them
 * to {tmax of the ray, 0, 0, CORBEL_MISS}; while a kernel stores hits it reads
 * records by corbel_hit_load() only.
 */

/* Which of two hits a record keeps: at equal distance the smaller index. */
static inline bool corbel_hit_is_closer(const struct corbel_hit *hit,
                                        const struct corbel_hit *than)
{
    return hit->t < than->t || (hit->t == than->t && hit->index < than->index);
}

/* Index of an answer that says: not final yet, ask again. Timed chips do not
 * answer so. */
#define CORBEL_HIT_AGAIN 0xFFFFFFFEu

/* The record becomes the closer of itself and the hit. */
static inline void corbel_hit_store(const struct corbel_hit *hit,
                                    struct corbel_hit *record)
{
    corbel_cshit(hit, record);
}

/* What the record has now; if RT cores take the items, what it has when no more
 * work is left. Where either may take them, as natively, it waits for
 * corbel_stream_roots() of the kernel. */
static inline void corbel_hit_load(const struct corbel_hit *record,
                                   struct corbel_hit *hit)
{
    do
        corbel_lhit(record, hit);
    while (hit->index == CORBEL_HIT_AGAIN);
}

/* ---- the ray store ---- */

/*
 * States of a stored ray: it goes on at the node `ref` downwards, or upwards
 * from a child that is finished, or its hit is final. A new ray goes down from
 * the scene's root, with a trail of 0 and a miss at its tmax as hit; on chips
 * whose RT cores take the rays nothing else can be sent.
 */
enum { CORBEL_RAY_DOWN = 1, CORBEL_RAY_UP = 2, CORBEL_RAY_OVER = 4 };
enum { CORBEL_RAY_ID_BITS = 26 };

/* Word of an answer that has no ray: ask again. Timed chips do not answer so.
 */
#define CORBEL_RAY_NONE UINT32_MAX

/* Word of what is no ray: sent, no more rays are left in this kernel; received,
 * the same. */
#define CORBEL_RAY_END (UINT32_MAX - 1)

static inline uint32_t corbel_ray_id(const struct corbel_stored_ray *ray)
{
    return ray->word & ((1u << CORBEL_RAY_ID_BITS) - 1);
}

static inline uint32_t corbel_ray_state(const struct corbel_stored_ray *ray)
{
    return ray->word >> CORBEL_RAY_ID_BITS;
}

static inline uint32_t corbel_ray_word(uint32_t id, uint32_t state)
{
    return id | state << CORBEL_RAY_ID_BITS;
}

/* Sends a ray to the store: a new one, or one that leaves its treelet. */
static inline void corbel_ray_store(const struct corbel_stored_ray *ray)
{
    corbel_swr(ray);
}

/* Takes a ray that has to be traversed, and waits for one. False: none is left.
 */
static inline bool corbel_ray_load(struct corbel_stored_ray *ray)
{
    do
        corbel_lwr(ray);
    while (ray->word == CORBEL_RAY_NONE);
    return ray->word != CORBEL_RAY_END;
}

/* Says that all rays of the kernel are finished, so that no hart waits for one
 * to be traversed. */
static inline void corbel_ray_close(void)
{
    struct corbel_stored_ray end;
    __builtin_memset(&end, 0, sizeof end);
    end.word = CORBEL_RAY_END;
    corbel_swr(&end);
}

/* Takes any ray that is finished, and waits for one. last: harts that ask
 * without it get theirs before. */
static inline void corbel_ray_finished(bool last, struct corbel_ray_end *end)
{
    do
        corbel_lhr(last, end);
    while (end->id == CORBEL_RAY_NONE);
}

#ifdef __cplusplus
}
#endif
#endif
