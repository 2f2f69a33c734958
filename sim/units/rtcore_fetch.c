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
    return slot % r->unit.links[MEM];
}

static uint64_t scene_address(const struct rtcore *r, const struct ray_slot *s)
{
    return (uint64_t)((const uint8_t *)s->scene - r->machine->memory);
}

/* ---- a fetch and its sectors ---- */

/* The host will read it when the answer has come. */
static void warm_host(const uint8_t *at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(at + i);
}

static bool listed(const struct ray_slot *s, uint32_t sector)
{
    for (unsigned i = 0; i < s->sectors; i++)
        if (s->sector[i] == sector)
            return true;
    return false;
}

static void add_piece(struct rtcore *r, struct ray_slot *s, uint64_t offset,
                      uint32_t bytes)
{
    uint32_t last = (uint32_t)((offset + bytes - 1) / SECTOR);
    uint32_t first = (uint32_t)(offset / SECTOR);
    bool alone = !s->sectors;
    r->stats.sectors += last - first + 1;
    for (uint32_t sector = first; sector <= last; sector++)
        if (alone || !listed(s, sector))
            s->sector[s->sectors++] = sector;
    warm_host((const uint8_t *)s->scene + offset, bytes);
}

bool fetch_begin(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray_slot *s = &r->rays[slot];
    struct corbel_fetch fetch;
    uint32_t q = queue_of(r, slot);
    if (!corbel_traversal_fetch(&s->traversal, s->scene, &fetch))
        return false;
    s->kind = (uint8_t)fetch.kind;
    s->sectors = s->asked = 0;
    for (uint32_t i = 0; i < fetch.pieces; i++)
        add_piece(r, s, fetch.offset[i], fetch.bytes);
    s->missing = s->sectors;
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
    struct ray_slot *s = &r->rays[slot];
    const struct corbel_traversal *t = &s->traversal;
    unsigned most = (unsigned)r->params.prefetch;
    for (unsigned i = 0; i < most && i < t->held; i++) {
        unsigned entry = entry_below(t, i);
        if (t->level[entry] + 1 != t->depth)
            return;
        uint32_t ref = t->stack[entry].ref;
        uint64_t first = corbel_ref_offset(ref) / SECTOR;
        uint64_t last =
            (corbel_ref_offset(ref) + bytes_of(t, ref) - 1) / SECTOR;
        for (; first <= last; first++)
            ask_ahead(r, queue_of(r, slot),
                      scene_address(r, s) + first * SECTOR);
    }
}

/* ---- the ports ---- */

static void push(struct rtcore *r, uint32_t q, uint64_t address, uint32_t tag)
{
    struct msg m = {
        .op = MEM_READ, .addr = address, .size = SECTOR, .tag = tag};
    link_push(&r->unit.out[MEM][q], &m);
    r->worked = true;
}

static void ask_for_ray(struct rtcore *r, uint32_t q, uint64_t now)
{
    struct fifo *waiting = &r->queues[q].slots;
    uint32_t slot = fifo_first(waiting);
    struct ray_slot *s = &r->rays[slot];
    push(r, q, scene_address(r, s) + (uint64_t)s->sector[s->asked] * SECTOR,
         slot);
    r->stats.requests++;
    if (++s->asked < s->sectors)
        return;
    fifo_pop(waiting);
    rtcore_move(r, s, STATE_ray_memory, now);
}

static void ask(struct rtcore *r, uint32_t q, uint64_t now)
{
    struct fetch_queue *queue = &r->queues[q];
    if (!link_ready(&r->unit.out[MEM][q])) {
        r->blocked |= 1ULL << q;
        return;
    }
    if (queue->slots.count) {
        ask_for_ray(r, q, now);
    } else {
        push(r, q, queue->ahead[queue->ahead_head], NONE);
        queue->ahead_head = (queue->ahead_head + 1) % RTCORE_PREFETCH_ROOM;
        queue->ahead_count--;
        r->stats.prefetches++;
    }
    if (!queue->slots.count && !queue->ahead_count)
        r->asking &= ~(1ULL << q);
}

void fetch_ask(struct rtcore *r, uint64_t now)
{
    r->blocked = 0;
    for (uint64_t m = r->asking; m; m &= m - 1)
        ask(r, (uint32_t)__builtin_ctzll(m), now);
}

/*
 * All has come. A leaf that says where its vertices are needs no pipeline: the
 * ray is ready to read them.
 */
static void fetched(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray_slot *s = &r->rays[slot];
    bool apart = s->kind == CORBEL_FETCH_LEAF &&
                 corbel_leaf_apart(s->traversal.leaf_format);
    struct pipeline *p =
        s->kind == CORBEL_FETCH_NODE ? &r->boxes : &r->triangles;
    if (apart) {
        pipes_step(s);
        rtcore_ready(r, slot, now);
        return;
    }
    rtcore_move(r, s, p->waiting, now);
    fifo_push(&p->queue, slot);
}

void fetch_answers(struct rtcore *r, uint64_t now)
{
    struct unit *u = &r->unit;
    for (uint64_t m = *unit_pending(u, DATA); m; m &= m - 1) {
        struct msg data = link_pop(&u->in[DATA][__builtin_ctzll(m)]);
        if (data.tag != NONE && --r->rays[data.tag].missing == 0)
            fetched(r, data.tag, now);
    }
    r->leftover = *unit_pending(u, DATA);
}
