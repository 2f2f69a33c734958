/*
 * What a driver asks and what a `below` answers, and the hash of all that came
 * to each of them.
 */
#include "sim/units/common/toy_bench.h"
#include "sim/core/heap.h"

void *toy_grow(void *array, unsigned count, size_t size)
{
    if (count & (count - 1))
        return array;
    return heap_resize(array, count ? 2 * count : 1, size, "for a toy");
}

static void mix(struct toy_stats *s, uint64_t value)
{
    s->hash = (s->hash ^ value) * 0x9e3779b97f4a7c15u;
    s->hash ^= s->hash >> 29;
}

static void mix_msg(struct toy_stats *s, uint64_t now, const struct msg *m,
                    const struct payload *p)
{
    mix(s, now);
    mix(s, (uint64_t)m->tag << 32 | (uint32_t)m->op << 8 | m->size);
    mix(s, m->addr);
    mix(s, m->value);
    for (unsigned i = 0; i < sizeof p->bytes; i += 8) {
        uint64_t word;
        memcpy(&word, p->bytes + i, 8);
        mix(s, word);
    }
}

static struct msg take(struct inport *in, struct payload *payload)
{
    struct msg m = link_pop(in);
    *payload = (struct payload){{0}};
    if (m.flags & MSG_PAYLOAD) {
        *payload = msg_payload(in->unit, &m);
        m.value = 0; /* the handle means nothing any more */
    }
    return m;
}

enum { IN, OUT };
static const struct port_row ports[] = {
    [IN] = {"in", false, 64, "towards the toy"},
    [OUT] = {"out", true, 64, "from the toy"},
};

static bool toy_build(struct unit *u, struct error *error)
{
    return true;
}

static void driver_receive(struct unit *u, uint64_t now)
{
    struct driver *d = (struct driver *)u;
    while (*unit_pending(u, IN)) {
        struct answer a = {.at = now};
        a.msg = take(&u->in[IN][0], &a.payload);
        mix_msg(&d->stats, now, &a.msg, &a.payload);
        d->answers = toy_grow(d->answers, d->answered, sizeof a);
        d->answers[d->answered++] = a;
    }
}

static void driver_push(struct driver *d, uint64_t now)
{
    struct ask *a = &d->asks[d->next++];
    link_push_full(&d->unit.out[OUT][0], &a->msg,
                   a->carries ? &a->payload : NULL);
    a->sent = now;
}

static uint64_t driver_send(struct unit *u, uint64_t now)
{
    struct driver *d = (struct driver *)u;
    if (d->next == d->count)
        return CYCLE_NEVER;
    struct ask *a = &d->asks[d->next];
    if (a->at > now)
        return a->at;
    if (a->service) {
        unit_request_service(u, now, d->next++);
        a->sent = now;
        return now + 1;
    }
    if (!link_ready(&u->out[OUT][0]))
        return CYCLE_NEVER;
    do
        driver_push(d, now);
    while (d->next < d->count && d->asks[d->next].along);
    return now + 1;
}

static void update(uint8_t *at, uint32_t mask, const struct payload *bytes)
{
    for (unsigned i = 0; i < SECTOR; i++)
        if (mask >> i & 1)
            at[i] = bytes->bytes[i];
}

/* An ideal memory: what is asked happens when it arrives. */
static struct seen perform(const struct below *b, unsigned port,
                           const struct msg *m, const struct payload *bytes)
{
    uint8_t *at = machine_at(b->machine, m->addr);
    struct seen s = {.port = port, .msg = *m, .reply = *m};
    uint64_t old = 0;
    s.reply.flags = 0;
    if (m->op == MEM_READ && m->size == SECTOR) {
        memcpy(s.payload.bytes, at, SECTOR);
        if (!machine_read_only(b->machine, m->addr, SECTOR))
            s.reply.flags |= MSG_PAYLOAD;
    } else if (m->size <= 8) {
        memcpy(&old, at, m->size);
    }
    s.reply.value = old;
    s.reply.op = (uint8_t)mem_answer_to(m->op);
    uint64_t value = m->value;
    if (m->op == MEM_ATOMIC)
        value = isa_amo(m->aux, m->size, old, m->value);
    if (m->op == MEM_UPDATE)
        update(at, m->tag, bytes);
    else if (m->op == MEM_WRITE && m->flags & MSG_PAYLOAD)
        memcpy(at, bytes->bytes + m->addr % SECTOR, m->size);
    else if (m->op == MEM_WRITE || m->op == MEM_ATOMIC)
        memcpy(at, &value, m->size);
    return s;
}

/* Nothing happens. */
static struct seen refuse(const struct below *b, unsigned port,
                          const struct msg *m)
{
    struct seen s = {.port = port, .msg = *m, .reply = *m};
    s.reply.op = MEM_FAULT;
    s.reply.aux = b->refused_as ? b->refused_as : m->op;
    s.reply.value = b->unit.id;
    s.reply.flags = 0;
    return s;
}

static bool refuses(const struct below *b, const struct msg *m, uint64_t now)
{
    return b->refused && m->addr / SECTOR == b->refused / SECTOR &&
           (!b->refused_until || now < b->refused_until);
}

static void below_receive(struct unit *u, uint64_t now)
{
    struct below *b = (struct below *)u;
    uint64_t pending = *unit_pending(u, IN);
    for (uint64_t m = now < b->closed_until ? 0 : pending; m; m &= m - 1) {
        unsigned port = (unsigned)__builtin_ctzll(m);
        struct payload bytes;
        struct msg asked = take(&u->in[IN][port], &bytes);
        mix_msg(&b->stats, now, &asked, &bytes);
        b->seen = toy_grow(b->seen, b->count, sizeof *b->seen);
        b->seen[b->count] = refuses(b, &asked, now)
                                ? refuse(b, port, &asked)
                                : perform(b, port, &asked, &bytes);
        b->seen[b->count++].at = now;
    }
    b->leftover = *unit_pending(u, IN);
}

static void below_answer(struct below *b, struct seen *s)
{
    bool faulty =
        b->fault && b->answered >= b->faulty && s->reply.op == MEM_OLD;
    bool data = s->reply.flags & MSG_PAYLOAD;
    struct msg reply = s->reply;
    unsigned times = 1;
    reply.flags = b->served;
    if (faulty && b->fault == OLD_VALUE)
        reply.value--;
    if (faulty && b->fault != OLD_VALUE)
        times = b->fault == TWICE ? 2 : 0;
    if (faulty)
        b->fault = NO_FAULT;
    while (times--)
        link_push_full(&b->unit.out[OUT][s->port], &reply,
                       data ? &s->payload : NULL);
}

static uint64_t below_send(struct unit *u, uint64_t now)
{
    struct below *b = (struct below *)u;
    for (; b->answered < b->count; b->answered++) {
        struct seen *s = &b->seen[b->answered];
        if (s->at + b->latency > now)
            break;
        if (s->msg.op != MEM_WRITEBACK)
            below_answer(b, s);
    }
    uint64_t next = CYCLE_NEVER;
    if (b->answered < b->count)
        next = b->seen[b->answered].at + b->latency;
    if (b->leftover)
        next = now + 1 > b->closed_until ? now + 1 : b->closed_until;
    return next;
}

static const struct stat_row stat_rows[] = {
    {"hash", "", "of all that came in", 0}};

#define TOY_TABLES                                                             \
    .stat_rows = stat_rows, .stat_count = 1, .port_rows = ports,               \
    .port_count = TABLE_COUNT(ports), .build = toy_build

const struct unit_kind toy_driver_kind = {
    .name = "driver",
    .meaning = "asks what its script says",
    .size = sizeof(struct driver),
    .stats = offsetof(struct driver, stats),
    .receive = driver_receive,
    .send = driver_send,
    TOY_TABLES,
};

const struct unit_kind toy_below_kind = {
    .name = "below",
    .meaning = "an ideal memory",
    .size = sizeof(struct below),
    .stats = offsetof(struct below, stats),
    .receive = below_receive,
    .send = below_send,
    TOY_TABLES,
};
