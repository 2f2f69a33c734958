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

static uint32_t queue_of(const struct rtcore *r, uint32_t slot)
{
    uint32_t links = r->unit.links[MEM];
    return links & (links - 1) ? slot % links : slot & (links - 1);
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
list_pieces(struct rtcore *r, struct ray_slot *s, struct ray *ray,
            const struct corbel_fetch *fetch)
{
    for (uint32_t i = 0; i < fetch->pieces; i++) {
        uint64_t last = (fetch->offset[i] + fetch->bytes - 1) / SECTOR;
        uint64_t first = fetch->offset[i] / SECTOR;
        r->stats.sectors += last - first + 1;
        for (uint64_t at = first; at <= last; at++)
            add_sector(s, ray, scene_address(r, ray) + at * SECTOR);
        warm_host((const uint8_t *)rtcore_scene(r, ray) + fetch->offset[i],
                  fetch->bytes);
    }
    s->left = s->sectors;
}

/* A node or leaf, whose sectors are side by side. */
static void span_piece(struct rtcore *r, struct ray_slot *s,
                       const struct ray *ray, const struct corbel_fetch *fetch)
{
    uint64_t last = (fetch->offset[0] + fetch->bytes - 1) / SECTOR;
    uint64_t first = fetch->offset[0] / SECTOR;
    s->next = scene_address(r, ray) + first * SECTOR;
    s->left = (uint8_t)(last - first + 1);
    r->stats.sectors += s->left;
    warm_host((const uint8_t *)rtcore_scene(r, ray) + fetch->offset[0],
              fetch->bytes);
}

bool fetch_begin(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray_slot *s = &r->slots[slot];
    struct ray *ray = &r->rays[slot];
    struct corbel_fetch fetch;
    uint32_t q = queue_of(r, slot);
    if (!corbel_traversal_fetch(&ray->traversal, rtcore_scene(r, ray), &fetch))
        return false;
    s->kind = (uint8_t)fetch.kind;
    s->sectors = 0;
    if (fetch.kind == CORBEL_FETCH_VERTICES)
        list_pieces(r, s, ray, &fetch);
    else
        span_piece(r, s, ray, &fetch);
    s->missing = s->left;
    rtcore_move(r, s, STATE_ray_request, now);
    fifo_push(&r->queues[q].slots, slot);
    r->asking |= 1ULL << q;
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

/* The bytes of a node or leaf, without vertices that are elsewhere. */
static uint32_t bytes_of(const struct corbel_traversal *t, uint32_t ref)
{
    return corbel_ref_is_leaf(ref)
               ? corbel_ref_grains(ref) * t->grain_units * CORBEL_REF_UNIT
               : corbel_node_bytes(t->format);
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
        uint64_t last =
            (corbel_ref_offset(ref) + bytes_of(t, ref) - 1) / SECTOR;
        for (; first <= last; first++)
            ask_ahead(r, queue_of(r, slot),
                      scene_address(r, ray) + first * SECTOR);
    }
}

/* ---- the ports ---- */

/* Elsewhere, or for nobody. */
static __attribute__((noinline)) void push(struct outport *o, uint64_t address,
                                           uint32_t tag)
{
    struct msg m = {
        .op = MEM_READ, .addr = address, .size = SECTOR, .tag = tag};
    link_push(o, &m);
}

/* The same within the tile: the message is written in place. */
static inline void push_near(struct tile *t, struct outport *o,
                             uint64_t address, uint32_t tag)
{
    uint32_t index = tile_new_msg(t);
    struct msg *m = &t->pool[index];
    link_use_credit(o);
    m->addr = address;
    m->from = 0;
    m->value = 0;
    m->tag = tag;
    m->op = MEM_READ;
    m->size = SECTOR;
    m->flags = m->aux = 0;
    link_enqueue(o, index);
}

static inline void ask_for_ray(struct rtcore *r, struct fetch_queue *queue,
                               struct outport *o, uint64_t now)
{
    uint32_t slot = fifo_first(&queue->slots);
    struct ray_slot *s = &r->slots[slot];
    uint64_t address = s->next;
    if (__builtin_expect(s->sectors, 0))
        address = r->rays[slot].sector[s->sectors - s->left];
    s->next = address + SECTOR;
    if (o->remote)
        push(o, address, slot);
    else
        push_near(r->unit.tile, o, address, slot);
    r->stats.requests++;
    if (--s->left)
        return;
    fifo_pop(&queue->slots);
    rtcore_move(r, s, STATE_ray_memory, now);
}

static __attribute__((noinline)) void
ask_for_ahead(struct rtcore *r, struct fetch_queue *queue, struct outport *o)
{
    push(o, queue->ahead[queue->ahead_head], NONE);
    queue->ahead_head = (queue->ahead_head + 1) % RTCORE_PREFETCH_ROOM;
    queue->ahead_count--;
    r->stats.prefetches++;
}

static inline void ask(struct rtcore *r, uint32_t q, uint64_t now)
{
    struct fetch_queue *queue = &r->queues[q];
    struct outport *o = &r->mem[q];
    if (!link_ready(o)) {
        r->blocked |= 1ULL << q;
        return;
    }
    r->worked = true;
    if (fifo_any(&queue->slots))
        ask_for_ray(r, queue, o, now);
    else
        ask_for_ahead(r, queue, o);
    if (!fifo_any(&queue->slots) && !queue->ahead_count)
        r->asking &= ~(1ULL << q);
}

void fetch_ask_all(struct rtcore *r, uint64_t now)
{
    for (uint64_t m = r->asking; m; m &= m - 1)
        ask(r, (uint32_t)__builtin_ctzll(m), now);
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
    rtcore_move(r, s, p->waiting, now);
    fifo_push(&p->queue, slot);
}

/* A sector of the ray has come. */
static inline void arrived(struct rtcore *r, uint32_t slot, uint64_t now)
{
    uint8_t missing = --r->slots[slot].missing;
    if (missing == 1)
        warm_ray(r, slot);
    else if (!missing)
        fetched(r, slot, now);
}

void fetch_take(struct rtcore *r, uint64_t pending, uint64_t now)
{
    struct tile *t = r->unit.tile;
    for (; pending; pending &= pending - 1) {
        uint32_t taken = link_take(&r->data[__builtin_ctzll(pending)]);
        uint32_t slot = t->pool[taken].tag;
        tile_free_msg(t, taken);
        if (slot != NONE)
            arrived(r, slot, now);
    }
}
