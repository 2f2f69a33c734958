/*
 * The test bench: chips of real units and toys, played in all ways of running
 * the engine.
 */
#include "sim/units/common/bench.h"
#include "sim/core/core_kind.h"
#include "sim/units/common/toy_bench.h"
#include <stdlib.h>

/* ---- building ---- */

#define POINTER(name) &name##_kind,
static const struct unit_kind *const kinds[] = {
    &toy_driver_kind, &toy_below_kind, UNIT_KINDS(POINTER)};

static void check_built(bool good, const struct error *e)
{
    if (!good)
        fail_msg("%s", e->text);
}

static struct unit *new_unit(struct bench *b, const char *kind,
                             const char *name)
{
    struct error e;
    struct tile *tile = b->together ? b->tile : chip_tile(b->chip, name);
    struct unit *u = chip_unit(b->chip, tile, kind, name, NULL, &e);
    check_built(u, &e);
    return u;
}

struct unit *bench_unit(struct bench *b, const char *kind, const char *name)
{
    struct unit *u = new_unit(b, kind, name);
    b->units[b->unit_count++] = u;
    return u;
}

void bench_set(struct bench *b, struct unit *u, const char *param,
               int64_t value)
{
    struct error e;
    check_built(chip_set(b->chip, u, param, value, &e), &e);
}

void bench_set_all(struct unit *u, const struct setting *settings)
{
    struct error e;
    for (const struct setting *s = settings; s->name; s++)
        check_built(chip_set(u->chip, u, s->name, s->value, &e), &e);
}

int64_t bench_param(const struct unit *u, const char *name)
{
    const struct unit_kind *k = u->kind;
    const struct param *p = param_find(k->param_rows, k->param_count, name);
    if (!p)
        fail_msg("%s has no parameter %s", u->name, name);
    return *(const int64_t *)((const char *)u + k->params + p->offset);
}

void bench_far_link(struct bench *b, void *from, const char *output, void *to,
                    const char *input, unsigned latency, unsigned depth)
{
    struct error e;
    check_built(chip_link(b->chip, from, output, to, input, latency, depth, &e),
                &e);
}

void bench_link(struct bench *b, void *from, const char *output, void *to,
                const char *input, unsigned depth)
{
    bench_far_link(b, from, output, to, input, LINK, depth);
}

struct driver *bench_lone_driver(struct bench *b)
{
    char name[32];
    snprintf(name, sizeof name, "driver%u", b->driver_count);
    struct driver *d = (struct driver *)new_unit(b, "driver", name);
    return b->drivers[b->driver_count++] = d;
}

struct driver *bench_driver(struct bench *b, struct unit *u, const char *input,
                            const char *output)
{
    struct driver *d = bench_lone_driver(b);
    bench_link(b, d, "out", u, input, DEPTH);
    bench_link(b, u, output, d, "in", 0);
    return d;
}

struct below *bench_below(struct bench *b, struct unit *u, const char *output,
                          const char *input, unsigned latency)
{
    char name[32];
    snprintf(name, sizeof name, "below%u", b->below_count);
    struct below *m = (struct below *)new_unit(b, "below", name);
    b->belows[b->below_count++] = m;
    m->machine = &b->machine;
    m->latency = latency;
    bench_link(b, u, output, m, "in", DEPTH);
    bench_link(b, m, "out", u, input, 0);
    return m;
}

void bench_program(struct bench *b, const uint32_t *words, unsigned count)
{
    struct machine *m = &b->machine;
    b->text = calloc(2 * (count + 1), sizeof *b->text);
    if (!b->text)
        abort();
    for (unsigned i = 0; i < count; i++)
        isa_decode(words[i], &m->profile, &b->text[2 * i]);
    m->text = b->text;
    m->text_range = (struct range){BENCH_TEXT, BENCH_TEXT + 4 * count};
}

/* ---- scripts ---- */

unsigned driver_ask(struct driver *d, uint64_t at, struct msg m,
                    const struct payload *payload)
{
    struct ask a = {.at = at, .msg = m};
    a.msg.tag = d->count;
    a.carries = payload;
    if (payload)
        a.payload = *payload;
    d->asks = toy_grow(d->asks, d->count, sizeof a);
    d->asks[d->count] = a;
    return d->count++;
}

unsigned driver_load(struct driver *d, uint64_t at, uint64_t addr)
{
    struct msg m = {.op = MEM_READ, .addr = addr, .size = 8};
    return driver_ask(d, at, m, NULL);
}

unsigned driver_store(struct driver *d, uint64_t at, uint64_t addr,
                      uint64_t value)
{
    struct msg m = {.op = MEM_WRITE, .addr = addr, .size = 8, .value = value};
    return driver_ask(d, at, m, NULL);
}

unsigned driver_atomic(struct driver *d, uint64_t at, uint64_t addr,
                       enum isa_access access, uint64_t value)
{
    struct msg m = {.op = MEM_ATOMIC,
                    .addr = addr,
                    .size = 8,
                    .aux = (uint8_t)access,
                    .from = d->unit.id,
                    .value = value};
    return driver_ask(d, at, m, NULL);
}

unsigned driver_invalidate(struct driver *d, uint64_t at)
{
    struct msg m = {.op = MEM_INVALIDATE};
    return driver_ask(d, at, m, NULL);
}

void driver_service(struct driver *d, uint64_t at)
{
    unsigned n = driver_ask(d, at, (struct msg){0}, NULL);
    d->asks[n].service = true;
}

uint64_t *bench_word(struct bench *b, uint64_t addr)
{
    return (uint64_t *)(void *)machine_at(&b->machine, addr);
}

/* ---- running ---- */

static bool serve(void *context, uint64_t now,
                  const struct service_request *request)
{
    struct bench *b = context;
    assert_true(b->service_count < BENCH_SERVICES);
    b->services[b->service_count++] = *request;
    return b->scenario->serve(b, now, request);
}

static void make_machine(struct machine *m)
{
    m->memory = aligned_alloc(64, BENCH_MEMORY);
    if (!m->memory)
        abort();
    memset(m->memory, 0, BENCH_MEMORY);
    m->ram_start = 0;
    m->ram_end = BENCH_MEMORY;
    m->profile = (struct isa_profile){ISA_ALL_EXTENSIONS, 64};
    m->read_only[0] = (struct range){BENCH_READ_ONLY, BENCH_MEMORY};
    m->read_only_count = 1;
}

/* The harts exist when the processors are built. */
static void make_harts(struct bench *b)
{
    struct machine *m = &b->machine;
    m->harts = chip_alloc(b->chip, m->hart_count, sizeof *m->harts);
    if (m->scratch_bytes)
        m->scratch = chip_alloc(b->chip, m->hart_count, m->scratch_bytes);
    unsigned number = 0;
    for (unsigned i = 0; i < b->unit_count; i++) {
        struct unit *u = b->units[i];
        if (u->kind != &tp_kind && u->kind != &simt_kind)
            continue;
        for (unsigned slot = 0; slot < u->kind->core->harts(u); slot++) {
            struct hart *h = &m->harts[number];
            h->core = u;
            h->slot = slot;
            if (m->scratch)
                h->scratch = m->scratch + number * m->scratch_bytes;
            isa_hart_reset(&h->isa, &m->profile, number, m->text_range.start);
            h->isa.x[10] = number++;
        }
    }
}

static void run(struct bench *b, const struct engine_options *options)
{
    struct error e;
    struct engine_hooks hooks = {.context = b};
    hooks.service = b->scenario->serve ? serve : NULL;
    make_machine(&b->machine);
    memcpy(b->kinds, kinds, sizeof kinds);
    b->kinds[TABLE_COUNT(kinds)] = b->scenario->toy;
    b->chip = chip_new(b->kinds, &b->machine);
    b->tile = b->together ? chip_tile(b->chip, "all") : NULL;
    b->scenario->build(b);
    check_built(chip_finish(b->chip, &e), &e);
    make_harts(b);
    b->engine = engine_new(b->chip, options, &hooks);
    uint64_t limit = b->scenario->limit;
    b->stop = engine_run(b->engine, limit ? limit : 1u << 22, 0);
    b->cycles = engine_cycle(b->engine);
}

static void dismantle(struct bench *b)
{
    for (unsigned i = 0; i < b->driver_count; i++) {
        free(b->drivers[i]->asks);
        free(b->drivers[i]->answers);
    }
    for (unsigned i = 0; i < b->below_count; i++)
        free(b->belows[i]->seen);
    engine_free(b->engine);
    chip_free(b->chip);
    free(b->machine.memory);
    free(b->text);
}

static void check_buckets(const struct bench *b)
{
    for (unsigned i = 0; i < b->unit_count; i++) {
        const struct unit *u = b->units[i];
        uint64_t sum = 0, accounts = 1;
        if (u->kind->accounts)
            accounts = u->kind->accounts(u);
        for (unsigned r = 0; r < u->kind->bucket_count; r++)
            sum += stat_value(unit_stats(u), &u->kind->bucket_rows[r]);
        if (u->kind->bucket_count && sum != accounts * b->cycles)
            fail_msg("%s: the buckets hold %llu cycles of %llu", u->name,
                     (unsigned long long)sum,
                     (unsigned long long)(accounts * b->cycles));
    }
}

static void same_rows(const struct unit *u, const struct unit *v,
                      const struct stat_row *rows, unsigned count)
{
    for (unsigned r = 0; r < count; r++) {
        for (unsigned i = 0; i < stat_values(&rows[r]); i++) {
            uint64_t x = stat_value_at(unit_stats(u), &rows[r], i);
            uint64_t y = stat_value_at(unit_stats(v), &rows[r], i);
            char text[RANGE_NAME];
            if (x != y)
                fail_msg("%s.%s: %llu, and %llu when run another way", u->name,
                         stat_name(&rows[r], i, text), (unsigned long long)x,
                         (unsigned long long)y);
        }
    }
}

static void check_same(const struct bench *b, const struct bench *first)
{
    assert_int_equal(b->cycles, first->cycles);
    assert_int_equal(b->stop, first->stop);
    for (unsigned i = 0; i < chip_unit_count(b->chip); i++) {
        const struct unit *u = chip_unit_at(first->chip, i);
        const struct unit *v = chip_unit_at(b->chip, i);
        same_rows(u, v, u->kind->stat_rows, u->kind->stat_count);
        same_rows(u, v, u->kind->bucket_rows, u->kind->bucket_count);
    }
}

static void play_variants(const struct scenario *scenario, bool together)
{
    static const struct engine_options options[] = {
        {.threads = 1},
        {.threads = 1, .no_skip = true},
        {.threads = 1, .reverse_order = true},
        {.threads = 1, .epoch = 1},
    };
    struct bench first, other; /* the chip knows the address of its bench */
    for (unsigned i = 0; i < TABLE_COUNT(options); i++) {
        struct bench *b = i ? &other : &first;
        *b = (struct bench){.scenario = scenario, .together = together};
        run(b, &options[i]);
        if (!scenario->limit)
            assert_int_not_equal(b->stop, ENGINE_LIMIT);
        check_buckets(b);
        scenario->check(b);
        if (i) {
            check_same(b, &first);
            dismantle(b);
        }
    }
    dismantle(&first);
}

void bench_play(const struct scenario *scenario)
{
    play_variants(scenario, false);
    play_variants(scenario, true);
}

void bench_test_with(void (*build)(struct bench *b),
                     void (*check)(struct bench *b), const void *with)
{
    bench_play(
        &(struct scenario){.build = build, .check = check, .with = with});
}

void bench_test(void (*build)(struct bench *b), void (*check)(struct bench *b))
{
    bench_test_with(build, check, NULL);
}

/* ---- checking ---- */

static const struct answer *find_answer(const struct driver *d, unsigned tag,
                                        unsigned *times)
{
    const struct answer *found = NULL;
    *times = 0;
    for (unsigned i = 0; i < d->answered; i++)
        if (d->answers[i].msg.tag == tag) {
            found = &d->answers[i];
            ++*times;
        }
    return found;
}

const struct answer *driver_answer(const struct driver *d, unsigned tag)
{
    unsigned times;
    const struct answer *a = find_answer(d, tag, &times);
    if (times != 1)
        fail_msg("%s: request %u was answered %u times", d->unit.name, tag,
                 times);
    return a;
}

uint64_t driver_value(const struct driver *d, unsigned tag)
{
    return driver_answer(d, tag)->msg.value;
}

uint64_t driver_took(const struct driver *d, unsigned tag)
{
    return driver_answer(d, tag)->at - d->asks[tag].sent;
}

unsigned driver_unanswered(const struct driver *d)
{
    unsigned *times = calloc(d->count + 1u, sizeof *times), wrong = 0;
    for (unsigned i = 0; i < d->answered; i++) {
        uint32_t tag = d->answers[i].msg.tag;
        if (tag < d->count)
            times[tag]++;
        else
            wrong++;
    }
    for (unsigned tag = 0; tag < d->count; tag++)
        wrong += times[tag] != !d->asks[tag].service;
    free(times);
    return wrong;
}

void below_expect(const struct below *m, const char *requests)
{
    static const char letters[] = {
        [MEM_READ] = 'r',       [MEM_WRITE] = 'w',     [MEM_ATOMIC] = 'a',
        [MEM_INVALIDATE] = 'i', [MEM_FLUSH] = 's',     [MEM_BLOCK] = 'c',
        [MEM_FILL] = 'f',       [MEM_WRITEBACK] = 'b', [MEM_UPDATE] = 'u'};
    char text[1024] = "";
    size_t length = 0;
    for (unsigned i = 0; i < m->count && length < sizeof text - 32; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%c%llx",
                             i ? " " : "", letters[m->seen[i].msg.op],
                             (unsigned long long)m->seen[i].msg.addr);
    assert_string_equal(text, requests);
}

unsigned below_most(const struct below *m)
{
    unsigned most = 0, done = 0;
    for (unsigned i = 0; i < m->count; i++) {
        while (m->seen[done].at + m->latency < m->seen[i].at)
            done++;
        if (i + 1 - done > most)
            most = i + 1 - done;
    }
    return most;
}

uint64_t bench_stat(const struct unit *u, const char *name)
{
    const struct unit_kind *k = u->kind;
    for (unsigned i = 0; i < k->stat_count; i++)
        for (unsigned v = 0; v < stat_values(&k->stat_rows[i]); v++) {
            char text[RANGE_NAME];
            if (!strcmp(stat_name(&k->stat_rows[i], v, text), name))
                return stat_value_at(unit_stats(u), &k->stat_rows[i], v);
        }
    for (unsigned i = 0; i < k->bucket_count; i++)
        if (!strcmp(k->bucket_rows[i].name, name))
            return stat_value(unit_stats(u), &k->bucket_rows[i]);
    fail_msg("%s has no counter %s", u->name, name);
    return 0;
}

char *bench_explained(const struct unit *u)
{
    char *said;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    if (u->kind->explain)
        u->kind->explain(u, out);
    fclose(out);
    return said;
}

void assert_explained(const struct unit *u, const char *text)
{
    char *said = bench_explained(u);
    assert_string_equal(said, text);
    free(said);
}

/* ---- chips that cannot be built ---- */

void expect_refused_chip(struct chip *chip, const char *text)
{
    struct error e;
    assert_false(chip_finish(chip, &e));
    if (!strstr(e.text, text))
        fail_msg("'%s' does not say '%s'", e.text, text);
    chip_free(chip);
}

void expect_not_built(const char *kind, const struct built *built)
{
    struct machine m = {.ram_end = BENCH_MEMORY};
    struct chip *chip = chip_new(unit_kinds, &m);
    struct tile *tile = chip_tile(chip, "all");
    struct error e = {""};
    char expected[300];
    struct unit *u = chip_unit(chip, tile, kind, "it", NULL, &e);
    if (built->param)
        assert_true(chip_set(chip, u, built->param, built->value, &e));
    for (const struct built_link *l = built->links; l->port; l++) {
        struct unit *there = chip_unit(chip, tile, l->kind, l->kind, NULL, &e);
        assert_true(
            l->output
                ? chip_link(chip, u, l->port, there, l->port_there, 1, 1, &e)
                : chip_link(chip, there, l->port_there, u, l->port, 1, 1, &e));
    }
    assert_false(chip_finish(chip, &e));
    snprintf(expected, sizeof expected, "it: %s", built->error);
    assert_string_equal(e.text, expected);
    chip_free(chip);
}
