/*
 * Accesses happening. At the owner that is in the memory image, in a copy in
 * the bytes that it keeps; read-only pieces are read in place by all.
 */
#include "sim/units/cache/cache_private.h"

/* ---- bytes ---- */

static inline uint64_t value_of(const uint8_t *from, unsigned size)
{
    uint64_t value = 0;
    if (size == 8)
        memcpy(&value, from, 8);
    else if (size == 4)
        memcpy(&value, from, 4);
    else
        memcpy(&value, from, size);
    return value;
}

/* Returns where the bytes of the access are. */
static inline const uint8_t *bytes_at(const struct cache *c,
                                      const struct msg *m, const struct line *l)
{
    uint32_t piece = piece_of(&c->store, m->addr);
    // cppcheck-suppress nullPointer; only owners perform without a line
    if (!c->owner && l->by_value >> piece & 1)
        return data_of(&c->store, l, piece)->bytes + m->addr % SECTOR;
    return machine_at(c->machine, m->addr);
}

/* Tells whether the asker reads the sector where it is. */
static inline bool in_place(const struct cache *c, const struct msg *m,
                            const struct line *l)
{
    return c->owner ? machine_read_only(c->machine, m->addr, m->size)
                    : !(l->by_value >> piece_of(&c->store, m->addr) & 1);
}

/* ---- mistakes made on purpose ---- */

bool cache_fails(struct cache *c, enum fault fault)
{
    if (c->fault != fault || ++c->events != (uint64_t)c->params.fault_at)
        return false;
    c->fault = FAULT_NONE;
    return true;
}

/* Two loads of different bytes that wait for one sector get each other's. */
void cache_swap(struct cache *c, struct mshr *e)
{
    struct msg *pool = unit_pool(&c->unit);
    struct msg *m = &pool[e->first];
    struct msg *n = e->waiting > 1 ? &pool[m->next] : m;
    if (m->op != MEM_READ || n->op != MEM_READ || m->size != n->size ||
        m->addr == n->addr || !cache_fails(c, SWAP))
        return;
    uint64_t address = m->addr;
    m->addr = n->addr;
    n->addr = address;
}

/* Returns true if the answer is lost. */
static bool spoil(struct cache *c, struct msg *m, struct payload *bytes)
{
    if (cache_fails(c, LOST_ANSWER))
        return true;
    if (m->op != MEM_DATA || (m->size > 8 && !bytes) || !cache_fails(c, FLIP))
        return false;
    if (bytes)
        bytes->bytes[c->events % SECTOR] ^= 1;
    else
        m->value ^= 1;
    return false;
}

/* ---- answering ---- */

static void queue_reply(struct cache *c, uint32_t port, const struct msg *m,
                        const struct payload *bytes)
{
    uint32_t index = unit_new_msg(&c->unit);
    struct msg *queued = unit_msg(&c->unit, index);
    *queued = *m;
    queued->when = port;
    cache_queue_answer(c, index, bytes);
}

/*
 * The answer gets its mistakes, or goes to the queue of a reply port with a
 * width.
 */
static void answer_otherwise(struct cache *c, uint32_t port, struct msg *m,
                             const struct payload *bytes)
{
    struct payload copy;
    if (bytes)
        copy = *bytes;
    if (c->fault && spoil(c, m, bytes ? &copy : NULL))
        return;
    if (c->back.queues)
        queue_reply(c, port, m, bytes ? &copy : NULL);
    else
        link_push_full(&c->unit.out[REPLY][port], m, bytes ? &copy : NULL);
}

void cache_answer(struct cache *c, uint32_t port, struct msg *m,
                  const struct payload *bytes)
{
    c->worked = true;
    if (c->fault || c->back.queues)
        answer_otherwise(c, port, m, bytes);
    else
        link_push_full(&c->unit.out[REPLY][port], m, bytes);
}

/* ---- what is noted for the check of memory ---- */

/* Notes the bytes of the access from an offset on, up to 8. */
static void note_part(const struct cache *c, enum check_kind kind,
                      const struct msg *m, uint32_t offset, uint64_t value)
{
    uint32_t size = m->size - offset;
    check_note(c->machine, &c->unit,
               &(struct check_record){.addr = m->addr + offset,
                                      .value = value,
                                      .hart = (uint32_t)m->from,
                                      .kind = (uint8_t)kind,
                                      .size = (uint8_t)(size < 8 ? size : 8),
                                      .mask = m->op == MEM_ATOMIC});
}

static void note(const struct cache *c, enum check_kind kind,
                 const struct msg *m, uint64_t value)
{
    if (c->machine->check_logs)
        note_part(c, kind, m, 0, value);
}

/* Notes the bytes that an owner has written. */
static void note_written(const struct cache *c, const struct msg *m,
                         const uint8_t *bytes)
{
    for (uint32_t at = 0; c->machine->check_logs && at < m->size; at += 8) {
        uint32_t size = m->size - at;
        note_part(c, CHECK_PERFORMED, m, at,
                  value_of(bytes + at, size < 8 ? size : 8));
    }
}

/* ---- writing ---- */

/* An owner's line is dirty from now on, or what was written goes to memory at
 * once. */
static void write_line(struct cache *c, const struct msg *m, struct line *l,
                       uint32_t mask)
{
    uint32_t piece = piece_of(&c->store, m->addr);
    if (l)
        cache_merge(c, l, piece, mask, NULL);
    if (l && c->writes_back)
        cache_mark_dirty(c, l, piece, mask);
    else
        cache_write_below(c, m->addr & ~(uint64_t)(SECTOR - 1), mask, NULL);
}

/* What was on its way when a scene was placed there comes too late. Bytes in a
 * payload may be of several harts; the check of memory finds out whose. */
static void write_memory(struct cache *c, const struct msg *m, struct line *l,
                         const struct payload *bytes)
{
    const uint8_t *from = bytes->bytes + m->addr % SECTOR;
    write_line(c, m, l, byte_mask(m));
    if (machine_read_only(c->machine, m->addr, m->size))
        return;
    if (m->flags & MSG_PAYLOAD && c->machine->check_logs) {
        cache_show(c, m->addr & ~(uint64_t)(SECTOR - 1), byte_mask(m), bytes);
        return;
    }
    memcpy(machine_at(c->machine, m->addr), from, m->size);
    note_written(c, m, from);
}

/*
 * A copy takes the bytes. What is written through goes below from here, as
 * stores that are passed on are not performed in a copy.
 */
static void write_copy(struct cache *c, const struct msg *m, struct line *l,
                       uint32_t mask, const struct payload *bytes)
{
    uint32_t piece = piece_of(&c->store, m->addr);
    cache_merge(c, l, piece, mask, bytes->bytes);
    if (c->writes_back)
        cache_mark_dirty(c, l, piece, mask);
    else
        cache_write_below(c, m->addr & ~(uint64_t)(SECTOR - 1), mask, bytes);
}

/* bytes: a sector, with those of the access at their place. */
static void write_bytes(struct cache *c, const struct msg *m, struct line *l,
                        const struct payload *bytes)
{
    if (c->reserved)
        cache_lose_reservations(c, m);
    if (c->owner)
        write_memory(c, m, l, bytes);
    else
        write_copy(c, m, l, byte_mask(m), bytes);
}

static struct payload sector_with(const struct msg *m, uint64_t value)
{
    struct payload bytes = {{0}};
    memcpy(bytes.bytes + m->addr % SECTOR, &value, m->size);
    return bytes;
}

/* Writes what an atomic leaves. */
static void write_value(struct cache *c, const struct msg *m, struct line *l,
                        uint64_t value)
{
    struct payload bytes = sector_with(m, value);
    write_bytes(c, m, l, &bytes);
    if (!c->owner)
        note(c, CHECK_STORE, m, value);
}

static void write_stored(struct cache *c, const struct msg *m, struct line *l)
{
    struct payload bytes = m->flags & MSG_PAYLOAD ? msg_payload(&c->unit, m)
                                                  : sector_with(m, m->value);
    write_bytes(c, m, l, &bytes);
}

static void update(struct cache *c, const struct msg *m, struct line *l)
{
    struct payload bytes = msg_payload(&c->unit, m);
    if (c->reserved)
        cache_lose_reservations(c, m);
    if (c->owner) {
        write_line(c, m, l, m->tag);
        cache_show(c, m->addr, m->tag, &bytes);
    } else {
        write_copy(c, m, l, m->tag, &bytes);
    }
}

/* ---- reading ---- */

/* Performs the atomic and returns what the instruction's rd gets. */
static uint64_t do_atomic(struct cache *c, const struct msg *m, struct line *l)
{
    if (m->aux == ISA_SC) {
        if (!cache_may_store(c, m))
            return 1;
        write_value(c, m, l, m->value);
        cache_end_reservation(c, m);
        return 0;
    }
    uint64_t old = value_of(bytes_at(c, m, l), m->size);
    note(c, CHECK_OLD, m, old);
    if (m->aux != ISA_LR)
        write_value(c, m, l, isa_amo(m->aux, m->size, old, m->value));
    return old;
}

static bool read(const struct cache *c, const struct msg *m,
                 const struct line *l, struct msg *reply,
                 struct payload *sector)
{
    const uint8_t *at = bytes_at(c, m, l);
    reply->op = MEM_DATA;
    if (m->size <= 8) {
        reply->value = value_of(at, m->size);
        return false;
    }
    if (in_place(c, m, l))
        return false;
    memcpy(sector->bytes, at, SECTOR);
    return true;
}

static void write(struct cache *c, const struct msg *m, struct line *l,
                  struct msg *reply)
{
    switch (m->op) {
    case MEM_WRITE:
        write_stored(c, m, l);
        reply->op = MEM_DONE;
        return;
    case MEM_UPDATE:
        update(c, m, l);
        reply->op = MEM_UPDATED;
        return;
    default:
        reply->op = MEM_OLD;
        reply->value = do_atomic(c, m, l);
    }
}

static inline struct msg reply_to(const struct msg *m, uint8_t flags)
{
    struct msg reply = {.addr = m->addr,
                        .from = m->from,
                        .tag = m->tag,
                        .size = m->size,
                        .flags = flags};
    trip_goes_on(&reply, m);
    return reply;
}

/* This is kept apart, so that loads need not save the registers that it uses.
 */
static __attribute__((noinline)) void perform_other(struct cache *c,
                                                    const struct msg *m,
                                                    struct line *l,
                                                    uint8_t flags)
{
    if (m->op == MEM_ATOMIC && m->aux == ISA_LR && !cache_reserve(c, m))
        return;
    struct msg reply = reply_to(m, flags);
    struct payload sector;
    bool carries = false;
    if (m->op == MEM_READ)
        carries = read(c, m, l, &reply, &sector);
    else
        write(c, m, l, &reply);
    cache_answer(c, m->when, &reply, carries ? &sector : NULL);
}

/* The load becomes its own answer: nothing is copied. */
static void answer_load(struct cache *c, uint32_t index, const struct line *l,
                        uint8_t flags)
{
    struct msg *m = unit_msg(&c->unit, index);
    struct outport *o = &c->unit.out[REPLY][m->when];
    const void *carried = NULL;
    c->worked = true;
    m->op = MEM_DATA;
    m->flags = flags;
    m->aux = 0;
    m->value = 0;
    if (m->size <= 8)
        m->value = value_of(bytes_at(c, m, l), m->size);
    else if (!in_place(c, m, l))
        carried = bytes_at(c, m, l);
    if (c->back.queues)
        cache_queue_answer(c, index, carried);
    else
        link_forward(o, index, carried);
}

void cache_perform(struct cache *c, const struct msg *m, struct line *l,
                   uint8_t flags)
{
    if (m->op == MEM_READ && !c->fault)
        answer_load(c, cache_take_request(c), l, flags);
    else
        perform_other(c, m, l, flags);
}

struct msg cache_capture(struct cache *c, const struct msg *m)
{
    struct msg reply = reply_to(m, 0);
    struct payload sector;
    if (read(c, m, NULL, &reply, &sector)) {
        reply.value = unit_new_payload(&c->unit);
        reply.flags = MSG_PAYLOAD;
        *unit_payload(&c->unit, reply.value) = sector;
    }
    return reply;
}
