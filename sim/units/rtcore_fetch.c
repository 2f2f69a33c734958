/*
 * What rays read: a fetch is a list of different sectors, asked for one a
 * cycle at the port of the ray's slot, first come first served; their answers
 * are counted. Sectors that are fetched ahead wait beside and go when no ray
 * of that port has anything to ask for; nobody waits for their answers.
 */
#include "sim/units/rtcore_private.h"

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

/* The host will read it when the answer has come. */
static inline void warm_host(const uint8_t *at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 64)
        host_prefetch(at + i);
}

/* Pieces that share sectors. */
static void add_sector(struct ray_slot *s, struct ray *ray, uint64_t sector)
{
    for (unsigned i = 0; i < s->sectors; i++)
        if (ray->sector[i] == sector)
            return;
    ray->sector[s->sectors++] = sector;
}

static void list_pieces(struct rtcore *r, const struct scene_at *scene,
                        struct ray_slot *s, struct ray *ray)
{
    struct corbel_fetch fetch = {0};
    corbel_traversal_fetch(&ray->traversal, scene->host, &fetch);
    s->kind = (uint8_t)fetch.kind;
    for (uint32_t i = 0; i < fetch.pieces; i++) {
        uint64_t last = (fetch.offset[i] + fetch.bytes - 1) / SECTOR;
        uint64_t first = fetch.offset[i] / SECTOR;
        r->stats.sectors += last - first + 1;
        for (uint64_t at = first; at <= last; at++)
            add_sector(s, ray, scene->guest + at * SECTOR);
        warm_host((const uint8_t *)scene->host + fetch.offset[i], fetch.bytes);
    }
    s->first = ray->sector[0];
    s->left = s->missing = s->sectors;
}

/* A node or leaf, whose sectors are side by side. */
static inline void span_piece(struct rtcore *r, const struct scene_at *scene,
                              struct ray_slot *s, uint32_t ref)
{
    uint64_t offset = corbel_ref_offset(ref);
    bool leaf = corbel_ref_is_leaf(ref);
    uint32_t bytes =
        leaf ? corbel_ref_grains(ref) * scene->grain_bytes : scene->node_bytes;
    uint32_t sectors = (offset % SECTOR + bytes + SECTOR - 1) / SECTOR;
    s->kind = leaf ? CORBEL_FETCH_LEAF : CORBEL_FETCH_NODE;
    s->first = scene->guest + offset - offset % SECTOR;
    s->left = s->missing = (uint8_t)sectors;
    r->stats.sectors += sectors;
    warm_host((const uint8_t *)scene->host + offset, bytes);
}

/* It is the turn of a ray's fetch, of which some sectors may have been asked
 * for if they are scattered: those go one by one. */
static inline void take_turn(const struct rtcore *r, struct fetch_queue *queue,
                             uint32_t slot)
{
    struct ray_slot *s = &r->slots[slot];
    queue->slot = (uint16_t)slot;
    queue->next = s->first;
    queue->left = s->left;
    if (__builtin_expect(s->sectors, 0)) {
        queue->next = r->rays[slot].sector[s->sectors - s->left];
        queue->left = 1;
    }
}

static inline void join_queue(struct rtcore *r, uint32_t slot)
{
    struct fetch_queue *queue = &r->queues[r->slots[slot].queue];
    if (queue->left) {
        fifo_push(&queue->waiting, slot);
        return;
    }
    take_turn(r, queue, slot);
    r->asking |= queue->bit;
}

/* Of vertices, or where rays have different scenes. */
static __attribute__((noinline)) bool begin_other(struct rtcore *r,
                                                  uint32_t slot)
{
    struct ray *ray = &r->rays[slot];
    struct scene_at scene;
    fetch_scene(r, &scene, rtcore_scene(r, ray));
    if (ray->traversal.apart)
        list_pieces(r, &scene, &r->slots[slot], ray);
    else
        span_piece(r, &scene, &r->slots[slot], ray->traversal.ref);
    join_queue(r, slot);
    return true;
}

bool fetch_begin(struct rtcore *r, uint32_t slot, enum ray_state from,
                 uint64_t now)
{
    const struct corbel_traversal *t = &r->rays[slot].traversal;
    struct ray_slot *s = &r->slots[slot];
    if (t->ref == CORBEL_REF_NONE)
        return false;
    rtcore_move(r, s, from, STATE_ray_request, now);
    if (__builtin_expect(t->apart || !r->scene.host, 0))
        return begin_other(r, slot);
    span_piece(r, &r->scene, s, t->ref);
    join_queue(r, slot);
    return true;
}

/* ---- ahead ---- */

static void ask_ahead(struct rtcore *r, uint32_t q, uint64_t address)
{
    struct fetch_queue *queue = &r->queues[q];
    if (queue->ahead_count == RTCORE_PREFETCH_ROOM) {
        r->stats.prefetches_dropped++;
        return;
    }
    queue->ahead[(queue->ahead_head + queue->ahead_count++) %
                 RTCORE_PREFETCH_ROOM] = address;
    r->asking |= queue->bit;
}

/* The newest entries of the stack are what the last node left there. */
void fetch_ahead(struct rtcore *r, uint32_t slot)
{
    const struct ray *ray = &r->rays[slot];
    const struct corbel_traversal *t = &ray->traversal;
    unsigned left = corbel_traversal_waiting(t, t->depth - 1u);
    struct scene_at scene;
    fetch_scene(r, &scene, rtcore_scene(r, ray));
    for (unsigned i = 0; i < r->prefetch && i < left; i++) {
        uint32_t ref = corbel_traversal_below(t, i);
        uint64_t first = corbel_ref_offset(ref) / SECTOR;
        uint64_t end = corbel_ref_offset(ref) + corbel_traversal_bytes(t, ref);
        for (; first * SECTOR < end; first++)
            ask_ahead(r, r->slots[slot].queue, scene.guest + first * SECTOR);
    }
}

/* ---- the ports ---- */

/* The message is made where it will lie, in the tile's pool. */
static inline void push(struct tile *t, struct outport *o, uint64_t address,
                        uint32_t tag)
{
    uint32_t index = tile_new_msg(t);
    struct msg *m = &t->pool[index];
    m->addr = address;
    m->from = 0;
    m->value = 0;
    m->tag = tag;
    m->op = MEM_READ;
    m->size = SECTOR;
    m->flags = m->aux = 0;
    link_forward(o, index, NULL);
}

/*
 * The last of the sectors side by side was asked for: the turn is of the next
 * one of the fetch, or of the next ray.
 */
static inline void end_turn(struct rtcore *r, struct fetch_queue *queue,
                            uint64_t now)
{
    struct ray_slot *s = &r->slots[queue->slot];
    if (__builtin_expect(s->sectors, 0)) {
        if (--s->left) {
            take_turn(r, queue, queue->slot);
            return;
        }
        s->sectors = 0;
    }
    rtcore_move(r, s, STATE_ray_request, STATE_ray_memory, now);
    if (fifo_any(&queue->waiting))
        take_turn(r, queue, fifo_pop(&queue->waiting));
    else if (!queue->ahead_count)
        r->asking &= ~queue->bit;
}

/* While no ray is in flight the core is not idle in this cycle. */
static void ends_idling(struct rtcore *r, uint64_t now)
{
    if (r->in_flight || r->idle_from > now)
        return;
    r->stats.idle += now - r->idle_from;
    r->idle_from = now + 1;
}

static __attribute__((noinline)) uint64_t
next_ahead(struct rtcore *r, struct fetch_queue *queue, uint64_t now)
{
    ends_idling(r, now);
    uint64_t address = queue->ahead[queue->ahead_head];
    queue->ahead_head = (queue->ahead_head + 1) % RTCORE_PREFETCH_ROOM;
    if (!--queue->ahead_count)
        r->asking &= ~queue->bit;
    r->stats.prefetches++;
    return address;
}

static inline uint64_t next_of_ray(struct rtcore *r, struct fetch_queue *queue,
                                   uint64_t now)
{
    uint64_t address = queue->next;
    queue->next = address + SECTOR;
    r->stats.requests++;
    if (!--queue->left)
        end_turn(r, queue, now);
    return address;
}

static inline void ask(struct rtcore *r, struct fetch_queue *queue,
                       uint64_t now)
{
    bool ahead = !queue->left;
    uint32_t slot = ahead ? NONE : queue->slot;
    uint64_t address = __builtin_expect(ahead, 0) ? next_ahead(r, queue, now)
                                                  : next_of_ray(r, queue, now);
    push(r->unit.tile, queue->port, address, slot);
    r->worked = true;
}

uint64_t fetch_ask_all(struct rtcore *r, uint64_t now)
{
    uint64_t m = r->asking;
    r->blocked = 0;
    do {
        struct fetch_queue *queue = &r->queues[mask_first(m)];
        if (link_ready(queue->port))
            ask(r, queue, now);
        else
            r->blocked |= queue->bit;
    } while (m &= m - 1);
    return rtcore_end(r, now);
}

/*
 * All has come. A leaf that says where its vertices are needs no pipeline: the
 * ray is ready to read them.
 */
static inline void fetched(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray *ray = &r->rays[slot];
    unsigned kind = r->slots[slot].kind;
    if (kind == CORBEL_FETCH_NODE) {
        pipe_join_boxes(r, slot, now);
    } else if (kind == CORBEL_FETCH_LEAF &&
               corbel_leaf_apart(rtcore_scene(r, ray)->leaf_format)) {
        pipes_step_leaf(r, ray);
        rtcore_ready(r, slot, STATE_ray_memory, now);
    } else {
        pipe_join_triangles(r, slot, now);
    }
}

void fetch_take(struct rtcore *r, uint64_t ports, uint64_t now)
{
    do {
        uint32_t slot = link_read(&r->data[mask_first(ports)])->tag;
        if (slot != NONE && !--r->slots[slot].missing)
            fetched(r, slot, now);
    } while (ports &= ports - 1);
    r->leftover = *unit_pending(&r->unit, DATA);
}
