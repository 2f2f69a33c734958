/* The beginning of a fetch (rtcore_fetch.c), inlined where most rays go on. */
#ifndef SIM_RTCORE_FETCH_H
#define SIM_RTCORE_FETCH_H

#include "sim/units/rtcore/rtcore_private.h"

/* Of vertices, where rays have different scenes, or where they are items; true.
 */
bool fetch_begin_other(struct rtcore *r, uint32_t slot, uint64_t now);
/* The last of the sectors side by side is being sent. */
void fetch_end_turn(struct rtcore *r, struct fetch_queue *queue);

/* The host will read it when the answer has come. */
static inline void fetch_warm(const uint8_t *at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 64)
        host_prefetch(at + i);
}

/* A node or leaf, whose sectors are side by side. */
static inline void fetch_span(struct rtcore *r, const struct scene_at *scene,
                              struct ray_slot *s, uint32_t ref)
{
    uint64_t offset = corbel_ref_offset(ref);
    bool leaf = corbel_ref_is_leaf(ref);
    uint32_t bytes =
        leaf ? corbel_ref_grains(ref) * scene->grain_bytes : scene->node_bytes;
    uint32_t sectors = (offset % SECTOR + bytes + SECTOR - 1) / SECTOR;
    s->kind = leaf ? CORBEL_FETCH_LEAF : CORBEL_FETCH_NODE;
    s->first = scene->guest + offset - offset % SECTOR;
    s->left = (uint8_t)sectors;
    r->stats.sectors += sectors;
    fetch_warm((const uint8_t *)scene->host + offset, bytes);
}

/* It is the turn of a ray's fetch, of which some sectors may have been asked
 * for if they are scattered: those go one by one. */
static inline void fetch_turn(const struct rtcore *r, struct fetch_queue *queue,
                              uint32_t slot)
{
    struct ray_slot *s = &r->slots[slot];
    queue->slot = (uint16_t)slot;
    queue->next = s->first;
    queue->left = s->left;
    if (__builtin_expect(s->sectors, 0)) {
        queue->next = r->sectors[slot][s->sectors - s->left];
        queue->left = 1;
    }
}

/* The message is made where it will lie, in the tile's pool. */
static inline __attribute__((always_inline)) void
fetch_push(struct rtcore *r, struct outport *o, uint64_t address, uint32_t tag)
{
    struct unit *u = &r->unit;
    uint32_t index = unit_new_msg(u);
    *unit_msg(u, index) = (struct msg){
        .op = MEM_READ, .addr = address, .size = SECTOR, .tag = tag};
    trip_begin(unit_msg(u, index), tag == NONE ? TRIP_ahead : TRIP_read,
               unit_now(u));
    WORK_FOR(unit_msg(u, index), tag == NONE ? 0 : r->askers[tag].work);
    link_forward(o, index, NULL);
}

/* The queue asks again in the next cycle: it has something to ask for, or will
 * have by the end of this cycle. */
static inline void fetch_resume(struct rtcore *r,
                                const struct fetch_queue *queue)
{
    r->resumes |= queue->bit;
}

static inline bool fetch_has_more(const struct fetch_queue *queue)
{
    return queue->left | (queue->waiting.head ^ queue->waiting.tail) |
           queue->ahead_count;
}

/* Sends the request for the sector whose turn it is. There is one, and the port
 * has room. */
static inline __attribute__((always_inline)) void
fetch_ask(struct rtcore *r, struct fetch_queue *queue, uint64_t now)
{
    uint64_t address = queue->next;
    queue->next = address + SECTOR;
    queue->left--;
    queue->free = now + 1;
    r->stats.requests++;
    r->worked = true;
    r->asking &= ~queue->bit;
    if (__builtin_expect(r->stacks != NULL, 0) &&
        r->slots[queue->slot].kind == FETCH_STACK_WRITE)
        stacks_write(r, queue->port, address);
    else
        fetch_push(r, queue->port, address, queue->slot);
    if (!queue->left)
        fetch_end_turn(r, queue);
    if (fetch_has_more(queue))
        fetch_resume(r, queue);
}

/* The ray's fetch joins its queue. It asks for its first sector at once if no
 * other has its turn. */
static inline void fetch_join(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray_slot *s = &r->slots[slot];
    struct fetch_queue *queue = &r->queues[s->queue];
    r->missing[slot] = s->left;
    bool more = fetch_has_more(queue);
    if (queue->free > now || more) {
        if (!more)
            fetch_resume(r, queue);
        fifo_push(&queue->waiting, slot);
        return;
    }
    fetch_turn(r, queue, slot);
    if (__builtin_expect(link_ready(queue->port), 1))
        fetch_ask(r, queue, now);
    else
        r->asking |= queue->bit;
}

/* The body of fetch_begin, to be inlined. */
static inline __attribute__((always_inline)) bool
fetch_begin_here(struct rtcore *r, uint32_t slot, enum ray_state from,
                 uint64_t now)
{
    const struct corbel_traversal *t = &rtcore_ray(r, slot)->traversal;
    struct ray_slot *s = &r->slots[slot];
    if (t->ref == CORBEL_REF_NONE)
        return false;
    rtcore_move(r, s, from, STATE_ray_request, now);
    if (__builtin_expect(t->apart || !r->scene.host || r->stacks, 0))
        return fetch_begin_other(r, slot, now);
    fetch_span(r, &r->scene, s, t->ref);
    fetch_join(r, slot, now);
    return true;
}

#endif
