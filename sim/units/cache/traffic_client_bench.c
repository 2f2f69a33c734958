/*
 * A client of random traffic: what it asks, and what it knows of the answer.
 */
#include "sim/units/cache/traffic_bench.h"

#define OUTSTANDING 12u /* requests of a client, at most */

enum { IN, OUT };

/* The first word of that use from a random one on; WORDS: there is none. */
static unsigned some_word(struct client *c, unsigned use)
{
    const struct setup *s = c->setup;
    unsigned from = below_n(&c->random, s->words);
    for (unsigned i = 0; i < s->words; i++) {
        unsigned word = (from + i) % s->words;
        if (use_of(s, word) == use)
            return word;
    }
    return WORDS;
}

/* ---- asking ---- */

static const uint8_t message_of[] = {
    [LOAD_PRIVATE] = MEM_READ,    [STORE_PRIVATE] = MEM_WRITE,
    [LOAD_SHARED] = MEM_READ,     [STORE_SHARED] = MEM_WRITE,
    [LOAD_COUNTER] = MEM_READ,    [COUNT] = MEM_ATOMIC,
    [LOAD_RESERVED] = MEM_ATOMIC, [STORE_CONDITIONAL] = MEM_ATOMIC,
    [LOAD_CONSTANT] = MEM_READ,   [INVALIDATE] = MEM_INVALIDATE,
    [FLUSH] = MEM_FLUSH,
};

static bool wants_private(struct client *c, struct record *r)
{
    unsigned word = some_word(c, c->number);
    if (word == WORDS)
        return false;
    r->size = (uint8_t)(1u << below_n(&c->random, 4));
    unsigned offset = below_n(&c->random, 8u / r->size) * r->size;
    r->addr = address_of(word) + offset;
    uint8_t *own = &c->own[word * 8 + offset];
    if (r->kind == STORE_PRIVATE) {
        r->value = next_random(&c->random);
        memcpy(own, &r->value, r->size);
    } else {
        memcpy(&r->expected, own, r->size);
    }
    return true;
}

static bool wants_shared(struct client *c, struct record *r)
{
    unsigned word = some_word(c, c->setup->clients + TO_SHARE);
    if (word == WORDS)
        return false;
    if (r->kind == STORE_SHARED && writer_of(c->setup, word) != c->number)
        r->kind = LOAD_SHARED;
    r->size = 8;
    r->addr = address_of(word);
    if (r->kind == STORE_SHARED)
        r->value = shared_value(word, ++c->version[word]);
    return true;
}

/* Atomics in an L1 are atomic among its clients only. */
static bool may_count(const struct client *c, unsigned word)
{
    const struct setup *s = c->setup;
    return !s->atomics_here || word % s->l1s == c->number / s->clients_each;
}

static bool wants_counter(struct client *c, struct record *r)
{
    unsigned word = some_word(c, c->setup->clients + TO_COUNT);
    if (word == WORDS || !may_count(c, word))
        return false;
    r->size = 8;
    r->addr = address_of(word);
    r->value = 1;
    c->counts[word] += r->kind == COUNT;
    return true;
}

static bool wants_lock(struct client *c, struct record *r)
{
    const struct record *last = c->records + c->asked;
    if (c->asked && (--last)->kind == LOAD_RESERVED) {
        r->kind = STORE_CONDITIONAL;
        r->addr = last->addr;
        r->value = last->value + 1;
    } else {
        unsigned word = some_word(c, c->setup->clients + TO_LOCK);
        if (word == WORDS || !may_count(c, word))
            return false;
        r->kind = LOAD_RESERVED;
        r->addr = address_of(word);
    }
    r->size = 8;
    return true;
}

static bool wants_constant(struct client *c, struct record *r)
{
    unsigned i = below_n(&c->random, CONSTANTS);
    r->size = 8;
    r->addr = BENCH_READ_ONLY + 8u * i;
    r->expected = constant(i);
    return true;
}

/* The kind of the next request. */
uint8_t traffic_choose(struct client *c)
{
    static const uint8_t often[] = {
        LOAD_PRIVATE, LOAD_PRIVATE,  STORE_PRIVATE, STORE_PRIVATE,
        LOAD_PRIVATE, STORE_PRIVATE, LOAD_SHARED,   LOAD_SHARED,
        STORE_SHARED, STORE_SHARED,  LOAD_COUNTER,  COUNT,
        COUNT,        LOAD_RESERVED, LOAD_CONSTANT, LOAD_CONSTANT,
        INVALIDATE,   FLUSH,
    };
    if (c->asked >= ASKS - 1)
        return INVALIDATE;
    if (c->asked && c->records[c->asked - 1].kind == LOAD_RESERVED)
        return STORE_CONDITIONAL;
    return often[below_n(&c->random, sizeof often)];
}

static bool fill_in(struct client *c, struct record *r)
{
    switch (r->kind) {
    case LOAD_PRIVATE:
    case STORE_PRIVATE:
        return wants_private(c, r);
    case LOAD_SHARED:
    case STORE_SHARED:
        return wants_shared(c, r);
    case LOAD_COUNTER:
    case COUNT:
        return wants_counter(c, r);
    case LOAD_RESERVED:
    case STORE_CONDITIONAL:
        return wants_lock(c, r);
    case LOAD_CONSTANT:
        return wants_constant(c, r);
    default:
        return true;
    }
}

/* Asked when all others have been answered, and answered before any other. */
static bool is_alone(uint8_t kind)
{
    return kind == LOAD_RESERVED || kind == STORE_CONDITIONAL ||
           kind == INVALIDATE || kind == FLUSH;
}

static uint8_t atomic_of(uint8_t kind)
{
    return kind == COUNT ? ISA_AMOADD : kind == LOAD_RESERVED ? ISA_LR : ISA_SC;
}

static void ask(struct client *c, const struct record *r, uint64_t now)
{
    struct msg m = {
        .op = message_of[r->kind],
        .addr = r->addr,
        .size = r->size,
        .value = r->value,
        .tag = c->asked,
        .from = c->number,
        .aux = atomic_of(r->kind),
    };
    if (c->setup->bypasses && r->kind <= STORE_SHARED &&
        !below_n(&c->random, 6))
        m.flags = (uint8_t)(1 + below_n(&c->random, 3));
    link_push(&c->unit.out[OUT][0], &m);
    c->records[c->asked] = *r;
    c->records[c->asked++].sent = now;
    c->alone = is_alone(r->kind);
    unsigned pace = c->setup->pace;
    c->next_at = now + 1 + (pace > 1 ? below_n(&c->random, 2 * pace) : 0);
    c->kind = traffic_choose(c);
}

static uint64_t client_send(struct unit *u, uint64_t now)
{
    struct client *c = (struct client *)u;
    unsigned waiting = c->asked - c->answered;
    if (c->asked == ASKS || waiting >= OUTSTANDING ||
        (waiting && (c->alone || is_alone(c->kind))))
        return CYCLE_NEVER;
    if (c->next_at > now)
        return c->next_at;
    if (!link_ready(&u->out[OUT][0]))
        return CYCLE_NEVER;
    struct record r = {.kind = c->kind};
    while (!fill_in(c, &r))
        r = (struct record){.kind = LOAD_CONSTANT};
    ask(c, &r, now);
    return c->next_at;
}

static void client_receive(struct unit *u, uint64_t now)
{
    struct client *c = (struct client *)u;
    while (*unit_pending(u, IN)) {
        struct msg m = link_pop(&u->in[IN][0]);
        if (m.tag >= c->asked)
            fail_msg("%s: an answer to nothing asked, tag %u", u->name, m.tag);
        struct record *r = &c->records[m.tag];
        r->back = now;
        c->answered += !r->times++;
        r->value = message_of[r->kind] == MEM_WRITE ? r->value : m.value;
        c->stats.hash = (c->stats.hash ^ m.value ^ now) * 0x9e3779b97f4a7c15u;
    }
}

static bool client_build(struct unit *u, struct error *error)
{
    return true;
}

static const struct port_row ports[] = {
    [IN] = {"in", false, 64, "answers"},
    [OUT] = {"out", true, 64, "requests"},
};
static const struct stat_row stat_rows[] = {
    {"hash", "", "of all that came in", 0}};

const struct unit_kind traffic_client_kind = {
    .name = "client",
    .meaning = "asks at random",
    .size = sizeof(struct client),
    .stats = offsetof(struct client, stats),
    .stat_rows = stat_rows,
    .stat_count = 1,
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    .build = client_build,
    .receive = client_receive,
    .send = client_send,
};
