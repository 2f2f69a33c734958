/*
 * The check of random traffic: whether the answers and the memory left at the
 * end are what the clients asked for.
 */
#include "sim/units/cache/traffic_bench.h"

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

/* Does some copy keep stores back? */
static bool writes_back(const struct bench *b)
{
    for (unsigned i = 0; i < b->unit_count; i++) {
        const struct unit *u = b->units[i];
        if (u->kind == &cache_kind && !bench_param(u, "owner") &&
            bench_param(u, "write") == 2)
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
    if (f->what)
        return;
    for (unsigned i = 0; i < b->unit_count; i++) {
        char *text = bench_explained(b->units[i]);
        size_t at = strlen(f->text);
        snprintf(f->text + at, sizeof f->text - at, "%s", text);
        free(text);
    }
    if (*f->text)
        f->what = NOT_DRAINED;
}

struct finding traffic_examine(const struct bench *b)
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
