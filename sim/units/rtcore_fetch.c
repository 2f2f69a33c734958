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
        fifo_new(&r->queues[q].slots, r);
        r->queues[q].ahead = chip_alloc(u->chip, RTCORE_PREFETCH_ROOM,
                                        sizeof *r->queues[q].ahead);
    }
}

static uint64_t scene_address(const struct rtcore *r, const struct ray *ray)
{
    const struct corbel_scene *scene = rtcore_scene(r, ray);
    return (uint64_t)((const uint8_t *)scene - r->machine->memory);
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

static __attribute__((noinline)) void
list_pieces(struct rtcore *r, struct ray_slot *s, struct ray *ray)
{
    struct corbel_fetch fetch = {0};
    corbel_traversal_fetch(&ray->traversal, rtcore_scene(r, ray), &fetch);
    s->kind = (uint8_t)fetch.kind;
    for (uint32_t i = 0; i < fetch.pieces; i++) {
        uint64_t last = (fetch.offset[i] + fetch.bytes - 1) / SECTOR;
        uint64_t first = fetch.offset[i] / SECTOR;
        r->stats.sectors += last - first + 1;
        for (uint64_t at = first; at <= last; at++)
            add_sector(s, ray, scene_address(r, ray) + at * SECTOR);
        warm_host((const uint8_t *)rtcore_scene(r, ray) + fetch.offset[i],
                  fetch.bytes);
    }
    s->left = s->sectors;
}

/* A node or leaf, whose sectors are side by side. */
static inline void span_piece(struct rtcore *r, struct ray_slot *s,
                              const struct ray *ray)
{
    const struct corbel_traversal *t = &ray->traversal;
    uint64_t offset = corbel_ref_offset(t->ref);
    uint32_t bytes = corbel_traversal_bytes(t, t->ref);
    uint64_t first = offset / SECTOR, last = (offset + bytes - 1) / SECTOR;
    s->kind =
        corbel_ref_is_leaf(t->ref) ? CORBEL_FETCH_LEAF : CORBEL_FETCH_NODE;
    s->next = scene_address(r, ray) + first * SECTOR;
    s->left = (uint8_t)(last - first + 1);
    r->stats.sectors += s->left;
    warm_host((const uint8_t *)rtcore_scene(r, ray) + offset, bytes);
}

bool fetch_begin(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray_slot *s = &r->slots[slot];
    struct ray *ray = &r->rays[slot];
    if (ray->traversal.ref == CORBEL_REF_NONE)
        return false;
    s->sectors = 0;
    if (__builtin_expect(ray->traversal.apart, 0))
        list_pieces(r, s, ray);
    else
        span_piece(r, s, ray);
    s->missing = s->left;
    rtcore_move(r, s, STATE_ray_request, now);
    fifo_push(&r->queues[s->queue].slots, slot);
    r->asking |= 1ULL << s->queue;
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
    r->asking |= 1ULL << q;
}

/* The newest entries of the stack are what the last node left there. */
void fetch_ahead(struct rtcore *r, uint32_t slot)
{
    const struct ray *ray = &r->rays[slot];
    const struct corbel_traversal *t = &ray->traversal;
    unsigned left = corbel_traversal_waiting(t, t->depth - 1u);
    for (unsigned i = 0; i < r->prefetch && i < left; i++) {
        uint32_t ref = corbel_traversal_below(t, i);
        uint64_t first = corbel_ref_offset(ref) / SECTOR;
        uint64_t end = corbel_ref_offset(ref) + corbel_traversal_bytes(t, ref);
        for (; first * SECTOR < end; first++)
            ask_ahead(r, r->slots[slot].queue,
                      scene_address(r, ray) + first * SECTOR);
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
 * Address of the sector that the ray asks for now. last: of the fetch, nothing
 * that a host could predict, so what is done then is done after each, with
 * zeros.
 */
static inline uint64_t next_of_ray(const struct rtcore *r, uint32_t slot,
                                   bool *last)
{
    struct ray_slot *s = &r->slots[slot];
    uint64_t address = s->next;
    if (__builtin_expect(s->sectors, 0))
        address = r->rays[slot].sector[s->sectors - s->left];
    *last = s->left == 1;
    s->left--;
    s->next = address + SECTOR;
    s->state = (uint8_t)(STATE_ray_request + *last);
    return address;
}

static __attribute__((noinline)) uint64_t next_ahead(struct rtcore *r,
                                                     struct fetch_queue *queue)
{
    uint64_t address = queue->ahead[queue->ahead_head];
    queue->ahead_head = (queue->ahead_head + 1) % RTCORE_PREFETCH_ROOM;
    queue->ahead_count--;
    r->stats.requests--;
    r->stats.prefetches++;
    return address;
}

_Static_assert(STATE_ray_request + 1 == STATE_ray_memory, "by a sum");

void fetch_ask_all(struct rtcore *r, uint64_t now)
{
    uint64_t blocked = 0, done = 0, ended = 0, asked = 0;
    for (uint64_t m = r->asking; m; m &= m - 1) {
        uint32_t q = (uint32_t)__builtin_ctzll(m), slot = NONE;
        struct outport *o = &r->mem[q];
        struct fetch_queue *queue = &r->queues[q];
        uint64_t address;
        bool last = false;
        if (!link_ready(o)) {
            blocked |= 1ULL << q;
            continue;
        }
        if (fifo_any(&queue->slots)) {
            slot = fifo_first(&queue->slots);
            address = next_of_ray(r, slot, &last);
        } else {
            address = next_ahead(r, queue);
        }
        bool more = fifo_drop(&queue->slots, last) | (queue->ahead_count > 0);
        done |= (uint64_t)!more << q;
        ended += last;
        asked++;
        push(r->unit.tile, o, address, slot);
    }
    r->stats.requests += asked;
    r->between[STATE_ray_request] += ended * now;
    r->between[STATE_ray_memory] -= ended * now;
    r->worked |= asked > 0;
    r->asking &= ~done;
    r->blocked = blocked;
}

/* The host's lines of a ray whose step is near; a leaf's reads the ray too. */
static inline void warm_ray(const struct rtcore *r, uint32_t slot)
{
    const struct corbel_traversal *t = &r->rays[slot].traversal;
    bool node = r->slots[slot].kind == CORBEL_FETCH_NODE;
    host_prefetch(&t->ray_inv);
    host_prefetch(t->stack);
    host_prefetch(node ? &t->ray_inv : &t->ray);
}

/* Those of what it has fetched. */
static inline void warm_fetched(const struct rtcore *r, uint32_t slot)
{
    host_prefetch(r->machine->memory + r->slots[slot].next - SECTOR);
}

void fetch_warm(const struct rtcore *r, uint32_t slot)
{
    warm_ray(r, slot);
    warm_fetched(r, slot);
}

/*
 * All has come. A leaf that says where its vertices are needs no pipeline: the
 * ray is ready to read them.
 */
static void fetched(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray_slot *s = &r->slots[slot];
    struct ray *ray = &r->rays[slot];
    struct pipeline *p =
        s->kind == CORBEL_FETCH_NODE ? &r->boxes : &r->triangles;
    warm_fetched(r, slot);
    if (s->kind == CORBEL_FETCH_LEAF &&
        corbel_leaf_apart(rtcore_scene(r, ray)->leaf_format)) {
        pipes_step_leaf(r, ray);
        rtcore_ready(r, slot, now);
        return;
    }
    pipe_join(r, p, slot, now);
}

/* A sector of the ray has come. */
static inline void arrived(struct rtcore *r, uint32_t slot, uint64_t now)
{
    warm_ray(r, slot);
    if (!--r->slots[slot].missing)
        fetched(r, slot, now);
}

void fetch_take(struct rtcore *r, uint64_t now)
{
    const uint64_t *pending = unit_pending(&r->unit, DATA);
    for (uint64_t m = *pending; m; m &= m - 1) {
        uint32_t slot = link_read(&r->data[__builtin_ctzll(m)])->tag;
        if (slot != NONE)
            arrived(r, slot, now);
    }
    r->leftover = *pending;
}
