/*
 * All runs of two clients before a cache, by trying each choice in turn:
 * explore_bench.h.
 */
#include "sim/units/cache/explore_bench.h"
#include "ci/tests/runs.h"

#define MEMORY 0x1000u /* bytes */
#define CLIENTS 2u
#define ASKS 8u    /* of all clients, at most */
#define DIGITS 64u /* choices of a run, at most */

/* ---- choices ---- */

/* The digits that lead to a run; those not chosen yet are 0. */
struct choices {
    uint8_t digit[DIGITS], base[DIGITS];
    unsigned used, known;
};

static unsigned choose(struct choices *c, unsigned options)
{
    if (c->used == DIGITS)
        fail_msg("a run has more than %u choices", DIGITS);
    if (c->used == c->known) {
        c->digit[c->known] = 0;
        c->base[c->known++] = (uint8_t)options;
    }
    return c->digit[c->used++];
}

/* The next run's digits: false if all have been. */
static bool next_choices(struct choices *c)
{
    c->known = c->used;
    c->used = 0;
    while (c->known && c->digit[c->known - 1] + 1 == c->base[c->known - 1])
        c->known--;
    if (!c->known)
        return false;
    c->digit[c->known - 1]++;
    return true;
}

/* ---- a run ---- */

struct asked {
    uint64_t sent, back;
    uint64_t value; /* that a store brings, or that an answer brought */
    uint8_t kind, word, client, times;
};

struct run {
    const struct config *config;
    struct choices *choices;
    struct machine machine;
    struct asked asked[ASKS];
    unsigned count;
    unsigned fetches, most_fetches; /* of the memory below, at a time */
    unsigned plans;                 /* so far, of both clients */
    uint64_t first_at, first_gap;   /* of the first of them */
    bool used_alike;                /* one of the words that are alike */
    const char *wrong;
};

static bool long_run(const struct run *r)
{
    return r->config->asks > 3 && r->config->alike;
}

/* ---- toys ---- */

enum { IN, OUT };
static const struct port_row ports[] = {
    [IN] = {"in", false, 4, "towards the toy"},
    [OUT] = {"out", true, 4, "from the toy"},
};

struct player {
    struct unit unit;
    struct run *run;
    unsigned number, left, waiting;
    bool alone;
    bool planned;
    uint8_t kind, word;
    uint64_t next_at;
};

static bool toy_build(struct unit *u, struct error *error)
{
    return true;
}

static void player_receive(struct unit *u, uint64_t now)
{
    struct player *p = (struct player *)u;
    while (*unit_pending(u, IN)) {
        struct msg m = link_pop(&u->in[IN][0]);
        if (m.tag >= p->run->count) {
            p->run->wrong = "an answer to nothing asked";
            continue;
        }
        struct asked *a = &p->run->asked[m.tag];
        a->back = now;
        if (a->kind != STORE)
            a->value = m.value;
        a->times++;
        p->waiting--;
    }
}

/* Words that are alike: in a long run the one used first is the first. */
static uint8_t choose_word(struct run *r)
{
    const unsigned skipped =
        long_run(r) && !r->used_alike ? r->config->alike - 1 : 0;
    unsigned word = choose(r->choices, r->config->words - skipped);
    if (word)
        word += skipped;
    r->used_alike |= word < r->config->alike;
    return (uint8_t)word;
}

/* A long run in which both clients begin late is one that began earlier. */
static uint64_t choose_gap(struct run *r, uint64_t now)
{
    static const uint64_t gaps[] = {0, 3};
    const bool second = r->plans == 1 && now == r->first_at;
    if (long_run(r) && second && r->first_gap)
        return 0;
    const uint64_t gap = gaps[choose(r->choices, 2)];
    if (!r->plans) {
        r->first_at = now;
        r->first_gap = gap;
    }
    return gap;
}

/* Fences are alone; gaps of 0 or a few cycles decide who meets whom. */
static void plan(struct player *p, uint64_t now)
{
    struct run *r = p->run;
    p->kind = r->config->kinds[choose(r->choices, r->config->kind_count)];
    p->word = 0;
    if (p->kind != INVALIDATE && p->kind != FLUSH)
        p->word = choose_word(r);
    p->next_at = now + choose_gap(r, now);
    r->plans++;
    p->planned = true;
}

static void ask(struct player *p, uint64_t now)
{
    static const uint8_t ops[] = {
        [LOAD] = MEM_READ,     [STORE] = MEM_WRITE,
        [ATOMIC] = MEM_ATOMIC, [INVALIDATE] = MEM_INVALIDATE,
        [FLUSH] = MEM_FLUSH,   [BYPASS] = MEM_READ,
    };
    struct run *r = p->run;
    struct msg m = {
        .op = ops[p->kind],
        .addr = r->config->address[p->word],
        .size = 8,
        .value = p->kind == ATOMIC ? 0x100 : r->count + 1,
        .tag = r->count,
        .from = p->number,
        .aux = ISA_AMOADD,
        .flags = p->kind == BYPASS,
    };
    link_push(&p->unit.out[OUT][0], &m);
    r->asked[r->count++] = (struct asked){.sent = now,
                                          .value = m.value,
                                          .kind = p->kind,
                                          .word = p->word,
                                          .client = (uint8_t)p->number};
    p->alone = p->kind == INVALIDATE || p->kind == FLUSH;
    p->waiting++;
    p->left--;
    p->planned = false;
}

static uint64_t player_send(struct unit *u, uint64_t now)
{
    struct player *p = (struct player *)u;
    if (!p->left || (p->alone && p->waiting))
        return CYCLE_NEVER;
    if (!p->planned)
        plan(p, now);
    if ((p->kind == INVALIDATE || p->kind == FLUSH) && p->waiting)
        return CYCLE_NEVER;
    if (p->next_at > now)
        return p->next_at;
    if (!link_ready(&u->out[OUT][0]))
        return CYCLE_NEVER;
    ask(p, now);
    return now + 1;
}

struct due {
    uint64_t at;
    struct msg msg;
    struct payload payload;
    bool data;
};

/* Performs requests when it takes them, answers soon or late. */
struct memory_toy {
    struct unit unit;
    struct run *run;
    struct due due[4 * ASKS + 8];
    unsigned count, answered;
};

static void perform(struct memory_toy *t, struct due *d)
{
    struct msg *m = &d->msg;
    uint8_t *at = machine_at(&t->run->machine, m->addr);
    uint64_t old = 0;
    if (m->op == MEM_READ && m->size == SECTOR) {
        memcpy(d->payload.bytes, at, SECTOR);
        d->data = true;
    } else if (m->size <= 8) {
        memcpy(&old, at, m->size);
    }
    uint64_t value = m->op == MEM_ATOMIC
                         ? isa_amo(m->aux, m->size, old, m->value)
                         : m->value;
    if (m->op == MEM_WRITE || m->op == MEM_ATOMIC)
        memcpy(at, &value, m->size);
    if (m->op == MEM_UPDATE)
        for (unsigned i = 0; i < SECTOR; i++)
            if (m->tag >> i & 1)
                at[i] = d->payload.bytes[i];
    m->value = old;
}

static void memory_receive(struct unit *u, uint64_t now)
{
    static const uint64_t delays[] = {1, 9};
    struct memory_toy *t = (struct memory_toy *)u;
    while (*unit_pending(u, IN)) {
        if (t->count == TABLE_COUNT(t->due)) {
            t->run->wrong = "more requests below than there can be";
            return;
        }
        struct due *d = &t->due[t->count];
        *d = (struct due){.msg = link_pop(&u->in[IN][0])};
        if (d->msg.flags & MSG_PAYLOAD)
            d->payload = msg_payload(u, &d->msg);
        d->msg.flags = 0;
        bool fetch = d->msg.op == MEM_READ || d->msg.op == MEM_FILL;
        t->run->fetches += fetch;
        if (t->run->fetches > t->run->most_fetches)
            t->run->most_fetches = t->run->fetches;
        perform(t, d);
        if (d->msg.op == MEM_WRITEBACK)
            continue;
        uint64_t before = t->count ? t->due[t->count - 1].at : 0;
        d->at = now + delays[choose(t->run->choices, 2)];
        if (d->at < before)
            d->at = before;
        t->count++;
    }
}

static uint64_t memory_send(struct unit *u, uint64_t now)
{
    struct memory_toy *t = (struct memory_toy *)u;
    for (; t->answered < t->count; t->answered++) {
        struct due *d = &t->due[t->answered];
        if (d->at > now)
            return d->at;
        t->run->fetches -= d->msg.op == MEM_READ || d->msg.op == MEM_FILL;
        d->msg.op = mem_answer_to(d->msg.op);
        link_push_full(&u->out[OUT][0], &d->msg, d->data ? &d->payload : NULL);
    }
    return CYCLE_NEVER;
}

#define TOY_TABLES                                                             \
    .port_rows = ports, .port_count = TABLE_COUNT(ports), .build = toy_build

static const struct unit_kind player_kind = {
    .name = "player",
    .meaning = "asks all that can be asked",
    .size = sizeof(struct player),
    .receive = player_receive,
    .send = player_send,
    TOY_TABLES,
};

static const struct unit_kind memory_toy_kind = {
    .name = "toy",
    .meaning = "a memory that is fast or slow",
    .size = sizeof(struct memory_toy),
    .receive = memory_receive,
    .send = memory_send,
    TOY_TABLES,
};

/* ---- linearizability ---- */

/* Of the accesses to one word: is there an order that explains them? */
struct history {
    const struct asked *asked[ASKS];
    unsigned count;
    uint64_t last; /* memory at the end */
};

static bool came_before(const struct asked *a, const struct asked *b)
{
    return a->back < b->sent || (a->client == b->client && a < b);
}

static bool may_be_next(const struct history *h, unsigned done, unsigned i)
{
    for (unsigned k = 0; k < h->count; k++)
        if (!(done >> k & 1) && k != i && came_before(h->asked[k], h->asked[i]))
            return false;
    return true;
}

static bool explains(const struct history *h, unsigned done, uint64_t value)
{
    if (done + 1 == 1u << h->count)
        return value == h->last;
    for (unsigned i = 0; i < h->count; i++) {
        const struct asked *a = h->asked[i];
        if (done >> i & 1 || !may_be_next(h, done, i))
            continue;
        if (a->kind != STORE && a->value != value)
            continue;
        uint64_t after = a->kind == STORE    ? a->value
                         : a->kind == ATOMIC ? value + 0x100
                                             : value;
        if (explains(h, done | 1u << i, after))
            return true;
    }
    return false;
}

static bool linearizable(const struct run *r, unsigned word)
{
    struct history h = {.count = 0};
    for (unsigned i = 0; i < r->count; i++) {
        const struct asked *a = &r->asked[i];
        if (a->word == word && a->kind != INVALIDATE && a->kind != FLUSH)
            h.asked[h.count++] = a;
    }
    memcpy(&h.last, machine_at(&r->machine, r->config->address[word]), 8);
    return explains(&h, 0, 0);
}

/* ---- runs ---- */

static void must(bool good, const struct error *e)
{
    if (!good)
        fail_msg("%s", e->text);
}

static void build(struct chip *chip, struct run *r)
{
    struct error e;
    struct tile *tile = chip_tile(chip, "all");
    struct unit *cache = chip_unit(chip, tile, "cache", "cache", NULL, &e);
    must(cache, &e);
    bench_set_all(cache, r->config->settings);
    struct unit *toy = chip_unit(chip, tile, "toy", "toy", NULL, &e);
    ((struct memory_toy *)toy)->run = r;
    must(chip_link(chip, cache, "mem", toy, "in", 1, 2, &e), &e);
    must(chip_link(chip, toy, "out", cache, "fill", 1, 0, &e), &e);
    for (unsigned i = 0; i < CLIENTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "player%u", i);
        struct unit *u = chip_unit(chip, tile, "player", name, NULL, &e);
        struct player *p = (struct player *)u;
        p->run = r;
        p->number = i;
        p->left = (r->config->asks + i) / CLIENTS;
        must(chip_link(chip, u, "out", cache, "cpu", 1, 1, &e), &e);
        must(chip_link(chip, cache, "reply", u, "in", 1, 0, &e), &e);
    }
    must(chip_finish(chip, &e), &e);
}

static bool drained(const struct unit *cache)
{
    char *text = bench_explained(cache);
    bool nothing = !*text;
    free(text);
    return nothing;
}

static void judge(struct run *r, const struct chip *chip)
{
    for (unsigned i = 0; i < r->count && !r->wrong; i++)
        if (r->asked[i].times != 1)
            r->wrong = r->asked[i].times ? "answered twice" : "not answered";
    if (!r->wrong && r->count != r->config->asks)
        r->wrong = "not everything could be asked";
    for (unsigned word = 0; word < r->config->words && !r->wrong; word++)
        if (!linearizable(r, word))
            r->wrong = "no order of the accesses explains the answers";
    if (!r->wrong && r->most_fetches > r->config->fetches)
        r->wrong = "more asked for at a time than there are entries";
    if (!r->wrong && !drained(chip_find(chip, "cache")))
        r->wrong = "not drained";
}

static const char *play(const struct config *config, struct choices *choices,
                        struct run *r)
{
    static const struct unit_kind *const kinds[] = {
        &player_kind, &memory_toy_kind, &cache_kind, NULL};
    static uint8_t memory[MEMORY];
    memset(memory, 0, sizeof memory);
    *r = (struct run){.config = config, .choices = choices};
    r->machine = (struct machine){.memory = memory,
                                  .ram_end = MEMORY,
                                  .profile = {ISA_ALL_EXTENSIONS, 64}};
    struct chip *chip = chip_new(kinds, &r->machine);
    build(chip, r);
    struct engine *engine =
        engine_new(chip, &(struct engine_options){.threads = 1},
                   &(struct engine_hooks){0});
    if (engine_run(engine, 5000, 0) != ENGINE_DEADLOCK)
        r->wrong = "still busy after 5000 cycles";
    judge(r, chip);
    engine_free(engine);
    chip_free(chip);
    return r->wrong;
}

static void print_run(const struct run *r)
{
    static const char *const names[] = {"load",       "store", "atomic",
                                        "invalidate", "flush", "bypass"};
    for (unsigned i = 0; i < r->count; i++) {
        const struct asked *a = &r->asked[i];
        print_error("client %u: %s %llx: %llx, cycles %llu..%llu\n", a->client,
                    names[a->kind],
                    (unsigned long long)r->config->address[a->word],
                    (unsigned long long)a->value, (unsigned long long)a->sent,
                    (unsigned long long)a->back);
    }
}

static unsigned asks_of(const struct config *config)
{
    const char *text = getenv("EXPLORE_ASKS");
    unsigned asks = text                   ? (unsigned)strtoul(text, NULL, 0)
                    : test_runs(100) < 100 ? 2
                                           : config->asks;
    return asks < ASKS ? asks : ASKS;
}

static const char *play_all(const struct config *config, struct run *r,
                            unsigned long *runs)
{
    struct choices choices = {.used = 0};
    *runs = 0;
    do {
        ++*runs;
        const char *wrong = play(config, &choices, r);
        if (wrong)
            return wrong;
    } while (next_choices(&choices));
    return NULL;
}

void explore_well(const struct config *of)
{
    struct config config = *of;
    struct run r;
    unsigned long runs;
    config.asks = asks_of(of);
    /* Long runs leave out what differs by names alone: short ones do not. */
    for (unsigned asks = config.asks > 3 ? 3 : config.asks, most = config.asks;
         asks <= most; asks++) {
        config.asks = asks;
        const char *wrong = play_all(&config, &r, &runs);
        if (wrong) {
            print_run(&r);
            fail_msg("%s: run %lu: %s", config.name, runs, wrong);
        }
        print_message("%s: %u asks, %lu runs\n", config.name, asks, runs);
    }
}

const char *explore(const struct config *config)
{
    struct run r;
    unsigned long runs;
    return play_all(config, &r, &runs);
}
