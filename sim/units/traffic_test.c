/*
 * Random traffic through whole memory systems: clients, one or two levels of
 * copies, a crossbar, owners, memory. Shape, sizes and policies of a system
 * and all that its clients do come from a seed. Each client knows what its
 * answers may be:
 *
 *   private words  written by one client only, byte by byte: a load gets what
 *                  the program order says, exactly
 *   shared words   one writer, versions count up: a reader never goes back,
 *                  never gets what was not asked yet, and gets at least what
 *                  was published before it last dropped its copies
 *   counters       atomic additions: no old value twice, the sum is right
 *   locks          lr, sc of one more: successes are neither lost nor doubled
 *   constants      read-only memory
 *
 * Words of all kinds lie mixed in the same sectors. In the end everything is
 * drained, each request answered once, and memory is what was written.
 *
 * TRAFFIC_SEED=N runs one seed, TRAFFIC_RUNS=N so many.
 */
#include "sim/units/bench.h"
#include "sim/units/units.h"
#include <stdlib.h>

#define WORDS 256u /* of writable memory, 8 bytes each */
#define CONSTANTS 64u
#define ASKS 220u
#define CLIENTS 9u
#define OUTSTANDING 12u

enum { IN, OUT };

enum ask_kind {
    LOAD_PRIVATE,
    STORE_PRIVATE,
    LOAD_SHARED,
    STORE_SHARED,
    LOAD_COUNTER,
    COUNT,
    LOAD_RESERVED,
    STORE_CONDITIONAL,
    LOAD_CONSTANT,
    INVALIDATE,
    FLUSH,
};

struct record {
    uint64_t addr, value, expected;
    uint64_t sent, back;
    uint8_t kind, size;
    uint8_t times; /* answered */
};

/* A system, all of it from its seed. */
struct setup {
    uint64_t seed;
    unsigned l1s, clients_each, clients, slices, parts;
    int64_t line;      /* of all caches: slices are interleaved by it */
    bool middle;       /* another level of copies */
    bool atomics_here; /* in the L1 */
    bool hash;         /* of addresses over partitions and slices */
    bool bypasses;     /* some accesses do */
    unsigned pace;     /* a client asks every so many cycles, on average */
    unsigned words;    /* in use */
    int64_t fault, fault_at; /* made by all caches, see CACHE_PARAMS */
};

struct client {
    struct unit unit;
    struct toy_stats stats;
    const struct setup *setup;
    uint64_t random;
    unsigned number, asked, answered;
    uint64_t next_at;
    bool alone;   /* the last one asked admits no other beside it */
    uint8_t kind; /* of the next one */
    struct record records[ASKS];
    uint8_t own[WORDS * 8];
    uint32_t version[WORDS]; /* of shared words that it writes */
    uint64_t successes[WORDS], counts[WORDS];
};

/* ---- random choices ---- */

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static unsigned below_n(uint64_t *state, unsigned n)
{
    return (unsigned)(next_random(state) % n);
}

/* ---- what words are for ---- */

enum { TO_SHARE, TO_COUNT, TO_LOCK, KINDS_SHARED };

static uint64_t address_of(unsigned word)
{
    return 0x1000 + 8u * word;
}

/* The client that owns a word, or clients + what it is for. */
static unsigned use_of(const struct setup *s, unsigned word)
{
    uint64_t r = s->seed + word * 0x51ed27u;
    return below_n(&r, s->clients + KINDS_SHARED);
}

static unsigned writer_of(const struct setup *s, unsigned word)
{
    return word % s->clients;
}

/* Atomics in an L1 are atomic among its clients only. */
static bool may_count(const struct client *c, unsigned word)
{
    const struct setup *s = c->setup;
    return !s->atomics_here || word % s->l1s == c->number / s->clients_each;
}

/* Some word of that use, from a random one on; WORDS: none. */
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

static uint64_t shared_value(unsigned word, uint32_t version)
{
    return version ? (uint64_t)(word + 1) << 32 | version : 0;
}

static uint64_t constant(unsigned i)
{
    uint64_t state = i;
    return next_random(&state);
}

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
static uint8_t choose_kind(struct client *c)
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
    c->kind = choose_kind(c);
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

static const struct unit_kind client_kind = {
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

/* ---- systems ---- */

/* Parameters of a cache that are drawn independently of each other. */
struct choice {
    const char *name;
    int64_t values[4];
    unsigned count;
};

static const struct choice choices[] = {
    {"latency", {1, 3, 10}, 3},
    {"targets", {1, 2, 8}, 3},
    {"misses", {1, 1, 2}, 3},
    {"pass", {1, 2, 16}, 3},
    {"updates", {8, 8, 64}, 3},
    {"replacement", {0, 1, 2, 3}, 4},
    {"prefetch", {0, 0, 1, 2}, 4},
    {"classify", {0, 1}, 2},
    {"header", {0, 8}, 2},
    {"mem_width", {0, 0, 8, 32}, 4},
    {"fill_width", {0, 0, 8, 32}, 4},
    {"reply_width", {0, 0, 8, 64}, 4},
    {"write", {0, 1, 2, 2}, 4},
    {"allocate", {0, 1, 2}, 3},
    {"hold", {0, 10, 1000}, 3},
};

/* A power of two from `from` to `to`, which are such. */
static int64_t power_between(uint64_t *random, int64_t from, int64_t to)
{
    while (from < to && below_n(random, 2))
        from *= 2;
    return from;
}

static void set_sizes(struct bench *b, struct unit *c, uint64_t *random,
                      int64_t line)
{
    int64_t sector = power_between(random, 32, line);
    int64_t fill = power_between(random, sector, line);
    int64_t sets = power_between(random, 1, 16), ways = 1 + below_n(random, 4);
    int64_t pieces = fill / sector;
    bench_set(b, c, "line", line);
    bench_set(b, c, "sector", sector);
    bench_set(b, c, "fill", fill);
    bench_set(b, c, "ways", ways);
    bench_set(b, c, "size", line * ways * sets);
    bench_set(b, c, "banks", power_between(random, 1, sets));
    bench_set(b, c, "mshrs", pieces + below_n(random, 4));
}

static struct unit *make_cache(struct bench *b, const char *name,
                               uint64_t *random, bool owner)
{
    const struct setup *s = b->scenario->with;
    struct unit *c = bench_unit(b, "cache", name);
    set_sizes(b, c, random, owner ? s->line : power_between(random, 32, 256));
    for (unsigned i = 0; i < TABLE_COUNT(choices); i++) {
        const struct choice *ch = &choices[i];
        bench_set(b, c, ch->name, ch->values[below_n(random, ch->count)]);
    }
    bench_set(b, c, "owner", owner);
    bench_set(b, c, "map_parts", s->parts);
    bench_set(b, c, "map_slices", s->slices);
    bench_set(b, c, "map_stride", 256);
    bench_set(b, c, "map_hash", s->hash);
    bench_set(b, c, "fault", s->fault);
    bench_set(b, c, "fault_at", s->fault_at);
    return c;
}

static void both(struct bench *b, struct unit *above, struct unit *below)
{
    bench_link(b, above, "mem", below, "cpu", 1 + above->id % 3);
    bench_link(b, below, "reply", above, "fill", 0);
}

static void make_owners(struct bench *b, uint64_t *random,
                        struct unit *const *above, unsigned count)
{
    const struct setup *s = b->scenario->with;
    char name[32];
    for (unsigned p = 0; p < s->parts; p++) {
        snprintf(name, sizeof name, "memory%u", p);
        struct unit *memory = bench_unit(b, "memory", name);
        bench_set(b, memory, "latency", 1 + below_n(random, 40));
        bench_set(b, memory, "queue", 1 + below_n(random, 8));
        for (unsigned i = 0; i < s->slices; i++) {
            snprintf(name, sizeof name, "l2.%u.%u", p, i);
            struct unit *slice = make_cache(b, name, random, true);
            for (unsigned k = 0; k < count; k++)
                both(b, above[k], slice);
            both(b, slice, memory);
        }
    }
}

static void make_client(struct bench *b, struct unit *l1, unsigned number)
{
    const struct setup *s = b->scenario->with;
    char name[32];
    snprintf(name, sizeof name, "client%u", number);
    struct client *c = (struct client *)bench_unit(b, "client", name);
    c->setup = s;
    c->number = number;
    c->random = s->seed * 1000003 + number;
    c->kind = choose_kind(c);
    bench_link(b, c, "out", l1, "cpu", 1 + number % 4);
    bench_link(b, l1, "reply", c, "in", 0);
}

static void build(struct bench *b)
{
    const struct setup *s = b->scenario->with;
    uint64_t random = s->seed;
    struct unit *l1[CLIENTS], *middle;
    char name[32];
    for (unsigned i = 0; i < CONSTANTS; i++)
        *bench_word(b, BENCH_READ_ONLY + 8 * i) = constant(i);
    for (unsigned i = 0; i < s->l1s; i++) {
        snprintf(name, sizeof name, "l1.%u", i);
        l1[i] = make_cache(b, name, &random, false);
        bench_set(b, l1[i], "atomics", s->atomics_here);
        for (unsigned k = 0; k < s->clients_each; k++)
            make_client(b, l1[i], i * s->clients_each + k);
    }
    if (!s->middle) {
        make_owners(b, &random, l1, s->l1s);
        return;
    }
    middle = make_cache(b, "middle", &random, false);
    for (unsigned i = 0; i < s->l1s; i++)
        both(b, l1[i], middle);
    make_owners(b, &random, &middle, 1);
}

/* ---- checking ---- */

static struct client *client_of(const struct bench *b, unsigned number)
{
    char name[32];
    snprintf(name, sizeof name, "client%u", number);
    for (unsigned i = 0; i < b->unit_count; i++)
        if (!strcmp(b->units[i]->name, name))
            return (struct client *)b->units[i];
    fail_msg("no %s", name);
    return NULL;
}

enum violation {
    NOTHING,
    LOST,
    DOUBLED,
    WRONG_PRIVATE,
    WRONG_CONSTANT,
    UNKNOWN_VERSION, /* never stored, or not yet */
    WENT_BACK,
    TOO_OLD, /* published before the reader dropped its copies */
    WRONG_COUNT,
    WRONG_LOCK,
    WRONG_IMAGE,
    NOT_DRAINED,
};

/* The first violation that was found. */
struct finding {
    enum violation what;
    char text[256];
};

static void find(struct finding *f, enum violation what, const struct client *c,
                 const struct record *r, uint64_t expected)
{
    if (f->what)
        return;
    f->what = what;
    if (!r) {
        snprintf(f->text, sizeof f->text, "%llx", (unsigned long long)expected);
        return;
    }
    snprintf(f->text, sizeof f->text,
             "client%u: request %ld, kind %u, %llx, cycles %llu..%llu: %llx, "
             "expected %llx",
             c->number, (long)(r - c->records), r->kind,
             (unsigned long long)r->addr, (unsigned long long)r->sent,
             (unsigned long long)r->back, (unsigned long long)r->value,
             (unsigned long long)expected);
}

static unsigned word_of(uint64_t address)
{
    return (unsigned)(address - address_of(0)) / 8;
}

static uint64_t low_bytes(uint64_t value, unsigned size)
{
    return size == 8 ? value : value & ((1ULL << 8 * size) - 1);
}

static void check_answered(const struct client *c, struct finding *f)
{
    for (unsigned i = 0; i < c->asked; i++) {
        if (!c->records[i].times)
            find(f, LOST, c, &c->records[i], 0);
        if (c->records[i].times > 1)
            find(f, DOUBLED, c, &c->records[i], 1);
    }
    if (c->asked < ASKS)
        find(f, LOST, c, &c->records[c->asked ? c->asked - 1 : 0], ASKS);
}

static void check_known(const struct client *c, struct finding *f)
{
    for (unsigned i = 0; i < c->asked; i++) {
        const struct record *r = &c->records[i];
        bool wrong = low_bytes(r->value, r->size) != r->expected;
        if (r->kind == LOAD_PRIVATE && wrong)
            find(f, WRONG_PRIVATE, c, r, r->expected);
        if (r->kind == LOAD_CONSTANT && wrong)
            find(f, WRONG_CONSTANT, c, r, r->expected);
    }
}

static int64_t param_of(const struct unit *c, const char *name)
{
    const struct unit_kind *k = c->kind;
    const struct param *p = param_find(k->param_rows, k->param_count, name);
    return *(const int64_t *)((const char *)c + k->params + p->offset);
}

/* Does some copy keep stores back? */
static bool writes_back(const struct bench *b)
{
    for (unsigned i = 0; i < b->unit_count; i++) {
        const struct unit *u = b->units[i];
        if (u->kind == &cache_kind && !param_of(u, "owner") &&
            param_of(u, "write") == 2)
            return true;
    }
    return false;
}

/*
 * When a store was published: answered, and if copies are kept back, followed
 * by a flush of its client. UINT64_MAX: never.
 */
static uint64_t published(const struct client *writer, const struct record *r,
                          bool kept_back)
{
    if (!kept_back)
        return r->back;
    for (; r < writer->records + writer->asked; r++)
        if (r->kind == INVALIDATE || r->kind == FLUSH)
            return r->back;
    return UINT64_MAX;
}

/* Versions of the word that a load sent after `dropped` may have: least. */
static uint32_t least_version(const struct client *writer, unsigned word,
                              uint64_t dropped, bool kept_back)
{
    uint32_t least = 0;
    for (unsigned i = 0; i < writer->asked; i++) {
        const struct record *r = &writer->records[i];
        if (r->kind == STORE_SHARED && word_of(r->addr) == word &&
            published(writer, r, kept_back) < dropped)
            least = (uint32_t)r->value;
    }
    return least;
}

/* The newest version that had been asked for at that time. */
static uint32_t newest_version(const struct client *writer, unsigned word,
                               uint64_t now)
{
    uint32_t newest = 0;
    for (unsigned i = 0; i < writer->asked; i++) {
        const struct record *r = &writer->records[i];
        if (r->kind == STORE_SHARED && word_of(r->addr) == word &&
            r->sent < now)
            newest = (uint32_t)r->value;
    }
    return newest;
}

/* All loads of shared words by one client, in its order. */
static void check_shared(const struct bench *b, const struct client *c,
                         struct finding *f)
{
    uint32_t seen[WORDS] = {0};
    uint64_t dropped = 0;
    bool kept_back = writes_back(b);
    for (unsigned i = 0; i < c->asked; i++) {
        const struct record *r = &c->records[i];
        if (r->kind == INVALIDATE)
            dropped = r->sent;
        if (r->kind != LOAD_SHARED && r->kind != STORE_SHARED)
            continue;
        unsigned word = word_of(r->addr);
        uint32_t version = (uint32_t)r->value;
        if (r->kind == STORE_SHARED) {
            seen[word] = version;
            continue;
        }
        const struct client *w = client_of(b, writer_of(c->setup, word));
        if (r->value != shared_value(word, version) ||
            version > newest_version(w, word, r->back))
            find(f, UNKNOWN_VERSION, c, r, 0);
        if (version < seen[word])
            find(f, WENT_BACK, c, r, seen[word]);
        uint32_t least = least_version(w, word, dropped, kept_back);
        if (version < least)
            find(f, TOO_OLD, c, r, least);
        seen[word] = version;
    }
}

/* What a client sees of a counter grows; its own additions count. */
static void check_counters(const struct client *c, struct finding *f)
{
    uint64_t seen[WORDS] = {0};
    for (unsigned i = 0; i < c->asked; i++) {
        const struct record *r = &c->records[i];
        if (r->kind != COUNT && r->kind != LOAD_COUNTER)
            continue;
        unsigned word = word_of(r->addr);
        if (r->value < seen[word])
            find(f, WRONG_COUNT, c, r, seen[word]);
        seen[word] = r->value + (r->kind == COUNT);
    }
}

/* No two additions to a counter, and no two successes, got the same value. */
static void check_distinct(const struct bench *b, const struct setup *s,
                           struct finding *f)
{
    static uint8_t taken[WORDS][CLIENTS * ASKS];
    memset(taken, 0, sizeof taken);
    for (unsigned n = 0; n < s->clients; n++) {
        struct client *c = client_of(b, n);
        for (unsigned i = 0; i < c->asked; i++) {
            const struct record *r = &c->records[i];
            bool stored = r->kind == STORE_CONDITIONAL && !r->value;
            if (r->kind != COUNT && !stored)
                continue;
            uint64_t old = stored ? r[-1].value : r->value;
            unsigned word = word_of(r->addr);
            c->successes[word] += stored;
            if (old >= CLIENTS * ASKS || taken[word][old]++)
                find(f, stored ? WRONG_LOCK : WRONG_COUNT, c, r, old);
        }
    }
}

static void check_image_word(const struct bench *b, unsigned word,
                             struct finding *f)
{
    const struct setup *s = b->scenario->with;
    const uint8_t *at = machine_at(&b->machine, address_of(word));
    unsigned use = use_of(s, word);
    uint64_t value, expected = 0;
    memcpy(&value, at, 8);
    if (use < s->clients) {
        memcpy(&expected, &client_of(b, use)->own[8 * word], 8);
    } else if (use == s->clients + TO_SHARE) {
        const struct client *w = client_of(b, writer_of(s, word));
        expected = shared_value(word, w->version[word]);
    } else {
        for (unsigned n = 0; n < s->clients; n++) {
            const struct client *c = client_of(b, n);
            expected += use == s->clients + TO_COUNT ? c->counts[word]
                                                     : c->successes[word];
        }
    }
    if (value != expected)
        find(f, WRONG_IMAGE, NULL, NULL, address_of(word));
}

static void check_drained(const struct bench *b, struct finding *f)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (unsigned i = 0; i < b->unit_count; i++)
        if (b->units[i]->kind->explain)
            b->units[i]->kind->explain(b->units[i], out);
    fclose(out);
    if (size && !f->what) {
        f->what = NOT_DRAINED;
        snprintf(f->text, sizeof f->text, "%s", text);
    }
    free(text);
}

static struct finding examine(const struct bench *b)
{
    const struct setup *s = b->scenario->with;
    struct finding f = {NOTHING, ""};
    for (unsigned n = 0; n < s->clients; n++) {
        struct client *c = client_of(b, n);
        check_answered(c, &f);
        check_known(c, &f);
        check_shared(b, c, &f);
        check_counters(c, &f);
    }
    check_distinct(b, s, &f);
    check_drained(b, &f);
    for (unsigned word = 0; word < s->words; word++)
        check_image_word(b, word, &f);
    return f;
}

/* ---- runs ---- */

static struct setup draw(uint64_t seed)
{
    uint64_t random = seed * 7919 + 1;
    struct setup s = {.seed = seed, .fault_at = 1};
    s.l1s = 1 + below_n(&random, 3);
    s.clients_each = 1 + below_n(&random, 3);
    s.clients = s.l1s * s.clients_each;
    s.slices = 1u << below_n(&random, 3);
    s.parts = 1 + below_n(&random, 3);
    s.middle = !below_n(&random, 3);
    s.line = 32 << below_n(&random, 4);
    s.hash = below_n(&random, 2);
    s.atomics_here = !below_n(&random, 4);
    s.bypasses = below_n(&random, 2);
    s.pace = 1u << below_n(&random, 6);
    s.words = 16u << below_n(&random, 5);
    return s;
}

static void expect_nothing(struct bench *b)
{
    const struct setup *s = b->scenario->with;
    struct finding f = examine(b);
    if (f.what)
        fail_msg("TRAFFIC_SEED=%llu: violation %d: %s",
                 (unsigned long long)s->seed, f.what, f.text);
}

static void play(const struct setup *s, void (*check)(struct bench *b))
{
    bench_play(&(struct scenario){
        .build = build, .check = check, .with = s, .toy = &client_kind});
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static void random_traffic_is_served_as_memory_does(void **state)
{
    uint64_t first = number_from("TRAFFIC_SEED", 0);
    uint64_t runs =
        number_from("TRAFFIC_RUNS", getenv("TRAFFIC_SEED") ? 1 : 150);
    for (uint64_t seed = first; seed < first + runs; seed++) {
        struct setup s = draw(seed);
        play(&s, expect_nothing);
    }
}

/* ---- these checks find faults ---- */

enum { NO_FAULT_MADE, FLIP, LOST_STORE, STALE, SWAP, LOST_ANSWER };

#define FAULTY_RUNS 40u

static unsigned findings[NOT_DRAINED + 1];

static void count_finding(struct bench *b)
{
    findings[examine(b).what]++;
}

/* At least so many runs with the fault are found wrong, in these ways only. */
static void expect_findings(int64_t fault, unsigned least, unsigned ways)
{
    memset(findings, 0, sizeof findings);
    for (uint64_t seed = 0; seed < FAULTY_RUNS; seed++) {
        struct setup s = draw(seed);
        s.fault = fault;
        s.fault_at = fault == SWAP || fault == STALE ? 1 : 25;
        bench_play(&(struct scenario){.build = build,
                                      .check = count_finding,
                                      .with = &s,
                                      .toy = &client_kind,
                                      .limit = 50000});
    }
    unsigned runs = 0, wrong = 0;
    for (unsigned what = NOTHING; what <= NOT_DRAINED; what++) {
        runs += findings[what];
        wrong += what && ways >> what & 1 ? findings[what] : 0;
        if (what && !(ways >> what & 1) && findings[what])
            fail_msg("fault %d: %u times violation %u", (int)fault,
                     findings[what], what);
    }
    print_message("fault %d: found in %u of %u runs\n", (int)fault, wrong,
                  runs);
    assert_true(wrong >= least);
}

#define WAY(what) (1u << (what))
#define WRONG_VALUE                                                            \
    (WAY(WRONG_PRIVATE) | WAY(WRONG_CONSTANT) | WAY(UNKNOWN_VERSION) |         \
     WAY(WENT_BACK) | WAY(TOO_OLD) | WAY(WRONG_COUNT) | WAY(WRONG_LOCK))

static void a_flipped_bit_is_found(void **state)
{
    expect_findings(FLIP, 250, WRONG_VALUE | WAY(WRONG_IMAGE));
}

static void a_lost_store_is_found(void **state)
{
    expect_findings(LOST_STORE, 250, WRONG_VALUE | WAY(WRONG_IMAGE));
}

static void an_ignored_invalidation_is_found(void **state)
{
    expect_findings(STALE, 4, WAY(TOO_OLD));
}

static void a_swapped_answer_is_found(void **state)
{
    expect_findings(SWAP, 100, WRONG_VALUE | WAY(WRONG_IMAGE));
}

static void a_lost_answer_is_found(void **state)
{
    expect_findings(LOST_ANSWER, 300, WAY(LOST) | WAY(WRONG_IMAGE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_is_served_as_memory_does),
        cmocka_unit_test(a_flipped_bit_is_found),
        cmocka_unit_test(a_lost_store_is_found),
        cmocka_unit_test(an_ignored_invalidation_is_found),
        cmocka_unit_test(a_swapped_answer_is_found),
        cmocka_unit_test(a_lost_answer_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
