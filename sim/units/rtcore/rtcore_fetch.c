/*
 * What rays read: a fetch is a list of different sectors, asked for one a
 * cycle at the port of the ray's slot, first come first served. Their answers
 * are counted. Sectors that are fetched ahead (prefetches) have a queue of
 * their own, which is served when no ray of that port has anything to ask for;
 * no ray waits for their answers.
 */
#include "sim/units/rtcore/rtcore_fetch.h"
#include "sim/core/checked.h"
#include <assert.h>

void fetch_new(struct rtcore *r)
{
    struct unit *u = &r->unit;
    r->queues = chip_alloc(u->chip, u->links[MEM], sizeof *r->queues);
    for (unsigned q = 0; q < u->links[MEM]; q++) {
        struct fetch_queue *queue = &r->queues[q];
        fifo_new(&queue->waiting, r);
        queue->port = &u->out[MEM][q];
        queue->bit = 1ULL << q;
        queue->ahead =
            chip_alloc(u->chip, RTCORE_PREFETCH_ROOM, sizeof *queue->ahead);
    }
}

void fetch_scene(const struct rtcore *r, struct scene_at *at,
                 const struct corbel_scene *scene)
{
    at->host = scene;
    at->guest = (uint64_t)((const uint8_t *)scene - r->memory);
    at->node_bytes = corbel_node_bytes(scene->format);
    at->grain_bytes = corbel_leaf_grain(scene->leaf_format);
}

/* ---- a fetch and its sectors ---- */

/* Pieces that share sectors. */
static void add_sector(struct ray_slot *s, uint64_t *sectors, uint64_t sector)
{
    for (unsigned i = 0; i < s->sectors; i++)
        if (sectors[i] == sector)
            return;
    sectors[s->sectors++] = sector;
}

static void list_pieces(struct rtcore *r, const struct scene_at *scene,
                        uint32_t slot, const struct ray *ray)
{
    struct ray_slot *s = &r->slots[slot];
    uint64_t *sectors = r->sectors[slot];
    struct corbel_fetch fetch = {0};
    corbel_traversal_fetch(&ray->traversal, scene->host, &fetch);
    s->kind = (uint8_t)fetch.kind;
    for (uint32_t i = 0; i < fetch.pieces; i++) {
        uint64_t last = (fetch.offset[i] + fetch.bytes - 1) / SECTOR;
        uint64_t first = fetch.offset[i] / SECTOR;
        r->stats.sectors += last - first + 1;
        for (uint64_t at = first; at <= last; at++)
            add_sector(s, sectors, scene->guest + at * SECTOR);
        fetch_warm((const uint8_t *)scene->host + fetch.offset[i], fetch.bytes);
    }
    s->first = sectors[0];
    s->left = s->sectors;
}

/* Fetches vertices, where rays have different scenes or stacks in memory, or
 * are items. */
bool fetch_begin_other(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray *ray = rtcore_ray(r, slot);
    struct scene_at scene;
    if (r->items && corbel_ref_is_treelet(ray->traversal.ref)) {
        items_cross(r, slot, now);
        return true;
    }
    if (r->stacks && stacks_fetch(r, slot, now))
        return true;
    fetch_scene(r, &scene, rtcore_scene(r, ray));
    if (ray->traversal.apart)
        list_pieces(r, &scene, slot, ray);
    else
        fetch_span(r, &scene, &r->slots[slot], ray->traversal.ref);
    fetch_join(r, slot, now);
    return true;
}

bool fetch_begin(struct rtcore *r, uint32_t slot, enum ray_state from,
                 uint64_t now)
{
    return fetch_begin_here(r, slot, from, now);
}

/* ---- ahead ---- */

static void ask_ahead(struct rtcore *r, uint32_t q, uint64_t address)
{
    struct fetch_queue *queue = &r->queues[q];
    if (queue->ahead_count == RTCORE_PREFETCH_ROOM) {
        r->stats.prefetches_dropped++;
        return;
    }
    if (queue->free <= unit_now(&r->unit))
        r->asking |= queue->bit;
    else if (!fetch_has_more(queue))
        fetch_resume(r, queue);
    queue->ahead[(queue->ahead_head + queue->ahead_count++) %
                 RTCORE_PREFETCH_ROOM] = address;
}

/* The newest entries of the stack are what the last node left there. */
void fetch_ahead(struct rtcore *r, uint32_t slot)
{
    const struct ray *ray = rtcore_ray(r, slot);
    const struct corbel_traversal *t = &ray->traversal;
    unsigned left = corbel_traversal_waiting(t, t->depth - 1u);
    struct scene_at scene;
    fetch_scene(r, &scene, rtcore_scene(r, ray));
    for (unsigned i = 0; i < r->prefetch && i < left; i++) {
        uint32_t ref = corbel_traversal_below(t, i);
        if (r->items && corbel_ref_is_treelet(ref))
            continue;
        uint64_t first = corbel_ref_offset(ref) / SECTOR;
        uint64_t end = corbel_ref_offset(ref) + corbel_traversal_bytes(t, ref);
        for (; first * SECTOR < end; first++)
            ask_ahead(r, r->slots[slot].queue, scene.guest + first * SECTOR);
    }
}

/* ---- the ports ---- */

void fetch_end_turn(struct rtcore *r, struct fetch_queue *queue)
{
    struct ray_slot *s = &r->slots[queue->slot];
    if (__builtin_expect(s->sectors, 0)) {
        if (--s->left) {
            fetch_turn(r, queue, queue->slot);
            return;
        }
        s->sectors = 0;
    }
    if (__builtin_expect(s->kind == FETCH_STACK_WRITE, 0))
        rtcore_ready(r, queue->slot, STATE_ray_request, queue->free - 1);
    else
        rtcore_move(r, s, STATE_ray_request, STATE_ray_memory, queue->free - 1);
}

static __attribute__((noinline)) void
send_ahead(struct rtcore *r, struct fetch_queue *queue, uint64_t now)
{
    uint64_t address = queue->ahead[queue->ahead_head];
    queue->ahead_head =
        (uint16_t)((queue->ahead_head + 1) % RTCORE_PREFETCH_ROOM);
    CHECKED_ASSERT(queue->ahead_count);
    queue->ahead_count--;
    queue->free = now + 1;
    r->asking &= ~queue->bit;
    r->worked = true;
    r->stats.prefetches++;
    fetch_push(r, queue->port, address, NONE);
    if (fetch_has_more(queue))
        fetch_resume(r, queue);
}

static inline void ask_next(struct rtcore *r, struct fetch_queue *queue,
                            uint64_t now)
{
    assert(fetch_has_more(queue));
    if (!queue->left && fifo_any(&queue->waiting))
        fetch_turn(r, queue, fifo_pop(&queue->waiting));
    if (__builtin_expect(queue->left, 1))
        fetch_ask(r, queue, now);
    else
        send_ahead(r, queue, now);
}

/* The functions that this calls are inlined: otherwise the engine's part of
 * each request would be a call. */
__attribute__((flatten)) uint64_t fetch_ask_all(struct rtcore *r, uint64_t now)
{
    bool crowded = false;
    for (uint64_t m = r->asking; m; m &= m - 1) {
        struct fetch_queue *queue = &r->queues[mask_first(m)];
        if (!link_ready(queue->port))
            continue;
        ask_next(r, queue, now);
        crowded |= STALLS && fifo_any(&queue->waiting);
    }
    OBSERVED_ADD(r->stats.ports_crowded, crowded);
    return rtcore_end(r, now);
}

/* The ray goes back to its hart when all that it has asked for is answered. */
static void note_refusal(struct rtcore *r, uint32_t slot, const struct msg *m)
{
    r->slots[slot].refused = true;
    r->refusals[slot] = (struct refusal){m->addr, m->value};
}

/* Which sector is the last of its fetch is counted. */
void fetch_take(struct rtcore *r, uint64_t ports, uint64_t now)
{
    do {
        const struct msg *m = link_read(&r->data[mask_first(ports)]);
        uint32_t slot = m->tag;
        TRIP_END(&r->unit, &r->stats, m, now);
        if (__builtin_expect(r->stacks != NULL, 0) && m->flags & MSG_PAYLOAD)
            (void)msg_payload(&r->unit, m); /* entries: nothing is in them */
        if (__builtin_expect(slot == NONE, 0))
            continue;
        if (__builtin_expect(m->op == MEM_FAULT, 0))
            note_refusal(r, slot, m);
        CHECKED_ASSERT(r->missing[slot]);
        if (!--r->missing[slot])
            pipes_join(r, slot, now);
    } while (ports &= ports - 1);
    r->leftover = *unit_pending(&r->unit, DATA);
}
