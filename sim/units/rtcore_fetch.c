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
static void warm_host(const uint8_t *at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(at + i);
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

/* The i-th entry from the top of the ray's stack, a ring. */
static unsigned entry_below(const struct corbel_traversal *t, unsigned i)
{
    return t->top >= i ? t->top - i : t->top + t->entries - i;
}

/* The newest entries of the stack are what the last node left there. */
void fetch_ahead(struct rtcore *r, uint32_t slot)
{
    const struct ray *ray = &r->rays[slot];
    const struct corbel_traversal *t = &ray->traversal;
    for (unsigned i = 0; i < r->prefetch && i < t->held; i++) {
        unsigned entry = entry_below(t, i);
        if (CORBEL_TRAVERSAL_LEVEL(t, entry) + 1 != t->depth)
            return;
        uint32_t ref = t->stack[entry].ref;
        uint64_t first = corbel_ref_offset(ref) / SECTOR;
        uint64_t end = corbel_ref_offset(ref) + corbel_traversal_bytes(t, ref);
        for (; first * SECTOR < end; first++)
            ask_ahead(r, r->slots[slot].queue,
                      scene_address(r, ray) + first * SECTOR);
    }
}

/* ---- the ports ---- */

static inline void push(struct outport *o, uint64_t address, uint32_t tag)
{
    struct msg m = {
        .op = MEM_READ, .addr = address, .size = SECTOR, .tag = tag};
    link_push(o, &m);
}

/*
 * True if it was the last sector of the fetch: nothing that a host could
 * predict, so what is done then is done after each, with zeros.
 */
static inline bool ask_for_ray(struct rtcore *r, struct fetch_queue *queue,
                               struct outport *o)
{
    uint32_t slot = fifo_first(&queue->slots);
    struct ray_slot *s = &r->slots[slot];
    uint64_t address = s->next;
    if (__builtin_expect(s->sectors, 0))
        address = r->rays[slot].sector[s->sectors - s->left];
    bool last = !--s->left;
    s->next = address + SECTOR;
    s->state = (uint8_t)(STATE_ray_request + last);
    push(o, address, slot);
    return last;
}

static __attribute__((noinline)) void
ask_for_ahead(struct rtcore *r, struct fetch_queue *queue, struct outport *o)
{
    push(o, queue->ahead[queue->ahead_head], NONE);
    queue->ahead_head = (queue->ahead_head + 1) % RTCORE_PREFETCH_ROOM;
    queue->ahead_count--;
    r->stats.requests--;
    r->stats.prefetches++;
}

_Static_assert(STATE_ray_request + 1 == STATE_ray_memory, "by a sum");

void fetch_ask_all(struct rtcore *r, uint64_t now)
{
    uint64_t blocked = 0, done = 0, ended = 0;
    for (uint64_t m = r->asking; m; m &= m - 1) {
        uint32_t q = (uint32_t)__builtin_ctzll(m);
        struct outport *o = &r->mem[q];
        struct fetch_queue *queue = &r->queues[q];
        bool last = false;
        if (!link_ready(o)) {
            blocked |= 1ULL << q;
            continue;
        }
        r->stats.requests++;
        if (fifo_any(&queue->slots))
            last = ask_for_ray(r, queue, o);
        else
            ask_for_ahead(r, queue, o);
        ended += last;
        bool more = fifo_drop(&queue->slots, last) | (queue->ahead_count > 0);
        done |= (uint64_t)!more << q;
    }
    r->between[STATE_ray_request] += ended * now;
    r->between[STATE_ray_memory] -= ended * now;
    r->worked |= r->asking != blocked;
    r->asking &= ~done;
    r->blocked = blocked;
}

/* The host's lines of a ray whose step is near. */
static void warm_ray(const struct rtcore *r, uint32_t slot)
{
    const struct ray *ray = &r->rays[slot];
    __builtin_prefetch(ray);
    __builtin_prefetch(&ray->traversal.ray_inv);
    __builtin_prefetch(&ray->traversal.depth);
}

/* Those of what it has fetched. */
static void warm_fetched(const struct rtcore *r, uint32_t slot)
{
    __builtin_prefetch(r->machine->memory + r->slots[slot].next - SECTOR);
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
        corbel_leaf_apart(ray->traversal.leaf_format)) {
        pipes_step(r, ray);
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
