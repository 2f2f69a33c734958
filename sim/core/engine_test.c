/*
 * The engine's promises, on toy units that send random messages and keep a
 * hash of everything they see and when.
 */
#include "sim/core/unit.h"
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define TOY_PARAMS(X)                                                          \
    X(seed, 1, 0, 1 << 30, "", "of the random numbers")                        \
    X(messages, 200, 0, 1 << 30, "", "to send")                                \
    X(burn, 0, 0, 1 << 30, "ns", "simulated host time that it takes at times") \
    X(wait, 0, 0, 1, "0 or 1", "until the chip's first unit has run then, too")
#define TOY_STATS(X)                                                           \
    X(hash, "", "of all that arrived")                                         \
    X(sent, "messages", "pushed")                                              \
    X(got, "messages", "popped")                                               \
    X(served, "services", "answers of the host")
#define TOY_BUCKETS(X)                                                         \
    X(busy, "cycles", "popped or pushed")                                      \
    X(blocked, "cycles", "had a message and no credit")                        \
    X(idle, "cycles", "neither")

struct toy_params {
    TOY_PARAMS(PARAM_FIELD)
};
struct toy_stats {
    TOY_STATS(STAT_FIELD)
    TOY_BUCKETS(STAT_FIELD)
};
struct toy {
    struct unit unit;
    struct toy_params params;
    struct toy_stats stats;
    struct account account;
    uint64_t random;
    uint64_t next_send; /* CYCLE_NEVER: waits for a credit or for ever */
    uint64_t left;      /* messages to send */
    uint32_t out;       /* where the next one goes */
    bool blocked, worked, leftover;
    _Atomic uint64_t burned; /* horizon of the epoch in which it last did */
    pthread_t thread;        /* that ran it last */
};

enum { IN, OUT };
static const struct port_row ports[] = {
    [IN] = {"in", false, 64, ""},
    [OUT] = {"out", true, 64, ""},
};

static uint64_t next_random(struct toy *t)
{
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return t->random;
}

static void choose(struct toy *t, uint64_t now)
{
    uint64_t r = next_random(t);
    t->out = (uint32_t)(r % t->unit.links[OUT]);
    t->next_send = now + 1 + (r >> 20) % ((r >> 8) % 16 ? 5 : 300);
}

static bool toy_build(struct unit *u, struct error *error)
{
    struct toy *t = (struct toy *)u;
    t->random = 88172645463325252u + (uint64_t)t->params.seed * 7919;
    t->left = (uint64_t)t->params.messages;
    t->account.bucket = &t->stats.idle;
    choose(t, 0);
    return true;
}

static void mix(struct toy *t, uint64_t value)
{
    t->stats.hash = (t->stats.hash ^ value) * 0x9e3779b97f4a7c15u;
    t->stats.hash ^= t->stats.hash >> 29;
}

/* Takes at most two messages a cycle, so that links fill up. */
static void toy_receive(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    assert(*unit_pending(u, IN));
    for (int n = 0; n < 2; n++) {
        int port = mask_next(unit_pending(u, IN), 1, now % 64);
        if (port < 0)
            break;
        struct msg m = link_pop(&u->in[IN][port]);
        mix(t, now * 64 + (uint64_t)port);
        if (m.flags & MSG_PAYLOAD)
            mix(t, msg_payload(u, &m).bytes[31]);
        else
            mix(t, m.value);
        t->stats.got++;
        t->worked = true;
    }
    t->leftover = *unit_pending(u, IN);
}

static void toy_push(struct toy *t)
{
    struct outport *o = &t->unit.out[OUT][t->out];
    uint64_t r = next_random(t);
    struct msg m = {.value = r};
    struct payload p = {{0}};
    p.bytes[31] = (uint8_t)r;
    link_push_full(o, &m, r & 1 ? &p : NULL);
    t->stats.sent++;
    t->left--;
    t->worked = true;
}

/* What tiles have taken, of the time that toys say. */
static _Thread_local uint64_t burned_ns;

/* In which toys wait for each other; NULL: none. */
static const struct engine *waiting;

/* Two threads are at work, and one of them has the tiles 0, 1 and 2. */
static bool may_wait(void)
{
    return waiting && !engine_is_alone(waiting) &&
           engine_share(waiting, 0) == 3;
}

/* For ever, if it is this thread that would have to run it next. */
static void wait_for_first(const struct toy *t)
{
    const struct toy *first = (const struct toy *)chip_unit_at(t->unit.chip, 0);
    while (atomic_load(&first->burned) != t->unit.tile->horizon)
        sched_yield();
}

/* Of no influence on what it does. */
static void burn(struct toy *t)
{
    t->thread = pthread_self();
    if (!t->params.burn || t->burned == t->unit.tile->horizon)
        return;
    t->burned = t->unit.tile->horizon;
    burned_ns += (uint64_t)t->params.burn;
    if (t->params.wait && may_wait())
        wait_for_first(t);
}

static uint64_t toy_send(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    burn(t);
    if (t->left && t->next_send <= now) {
        t->blocked = !link_ready(&u->out[OUT][t->out]);
        if (!t->blocked) {
            toy_push(t);
            if (t->left % 50 == 0)
                unit_request_service(u, now, t->left);
            choose(t, now);
        }
    }
    uint64_t *rest = t->blocked ? &t->stats.blocked : &t->stats.idle;
    account_tick(&t->account, now, t->worked ? &t->stats.busy : rest, rest);
    t->worked = false;
    if (t->leftover)
        return now + 1;
    return t->left && !t->blocked ? t->next_send : CYCLE_NEVER;
}

static void toy_close(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    account_switch(&t->account, now, t->account.bucket);
}

#define PARAM_STRUCT struct toy_params
#define STAT_STRUCT struct toy_stats
static const struct param param_rows[] = {TOY_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {TOY_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {TOY_BUCKETS(STAT_ROW)};
static const struct unit_kind toy_kind = {
    .name = "toy",
    .meaning = "sends random messages",
    .size = sizeof(struct toy),
    .params = offsetof(struct toy, params),
    .stats = offsetof(struct toy, stats),
    UNIT_TABLES,
    .build = toy_build,
    .receive = toy_receive,
    .send = toy_send,
    .close = toy_close,
};

static const struct unit_kind *const kinds[] = {&toy_kind, NULL};

/* ---- a chip of toys: 5 tiles of 3, each linked to all ---- */

#define TILES 5
#define EACH 3

/* What is special about each tile. */
struct toys {
    int64_t burn[TILES];     /* simulated host ns, of its first unit */
    int64_t wait[TILES];     /* 1: that waits for the first tile's */
    int64_t messages[TILES]; /* of each unit */
    bool busy;               /* all run in every cycle */
    bool sides;              /* odd tiles are linked to even ones only */
};
static const struct toys usual = {.messages = {200, 200, 200, 200, 200}};
static const struct toys two_sides = {.messages = {200, 200, 200, 200, 200},
                                      .sides = true};

static struct chip *toy_chip(const struct toys *toys)
{
    struct error e;
    struct chip *chip = chip_new(kinds, NULL);
    struct unit *units[TILES * EACH];
    for (int i = 0; i < TILES * EACH; i++) {
        static struct tile *tile;
        char name[16];
        snprintf(name, sizeof name, "toy%d", i);
        if (i % EACH == 0)
            tile = chip_tile(chip, name);
        units[i] = chip_unit(chip, tile, "toy", name, NULL, &e);
        assert_non_null(units[i]);
        assert_true(chip_set(chip, units[i], "seed", i, &e));
        assert_true(
            chip_set(chip, units[i], "messages", toys->messages[i / EACH], &e));
        if (i % EACH == 0)
            assert_true(
                chip_set(chip, units[i], "burn", toys->burn[i / EACH], &e) &&
                chip_set(chip, units[i], "wait", toys->wait[i / EACH], &e));
    }
    for (int i = 0; i < TILES * EACH; i++)
        for (int j = 0; j < TILES * EACH; j++) {
            bool remote = i / EACH != j / EACH;
            unsigned latency =
                remote ? 7 + (unsigned)(i + j) % 9 : 1 + (unsigned)(i * j) % 4;
            bool apart = remote && (i / EACH + j / EACH) % 2 == 0;
            if (i != j && !(apart && toys->sides))
                assert_true(chip_link(chip, units[i], "out", units[j], "in",
                                      latency, 2, &e));
        }
    if (!chip_finish(chip, &e))
        fail_msg("%s", e.text);
    return chip;
}

struct host {
    uint64_t hash;
};

static bool serve(void *context, uint64_t now,
                  const struct service_request *request)
{
    struct host *h = context;
    struct toy *t = (struct toy *)request->unit;
    h->hash = (h->hash ^ (now * 1000 + request->tag)) * 0x9e3779b97f4a7c15u;
    h->hash ^= request->unit->id;
    t->stats.served++;
    mix(t, now);
    t->left += t->stats.served < 4 ? 3 : 0;
    unit_wake(request->unit, now);
    return true;
}

struct outcome {
    uint64_t hash, cycle, buckets;
    enum engine_stop stop;
};

static struct outcome outcome_of(const struct chip *chip, uint64_t cycle,
                                 const struct host *host, enum engine_stop stop)
{
    struct outcome o = {.cycle = cycle, .hash = host->hash, .stop = stop};
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct toy *t = (const struct toy *)chip_unit_at(chip, i);
        o.hash = o.hash * 31 + t->stats.hash + t->stats.blocked * 3 +
                 t->stats.busy * 5 + t->stats.idle * 7 + t->stats.got;
        o.buckets += t->stats.busy + t->stats.blocked + t->stats.idle;
    }
    return o;
}

static struct outcome run_chip(struct chip *chip, struct engine_options options,
                               uint64_t limit)
{
    struct host host = {0};
    struct engine_hooks hooks = {.context = &host, .service = serve};
    struct engine *engine = engine_new(chip, &options, &hooks);
    enum engine_stop stop = engine_run(engine, limit, 0);
    struct outcome o = outcome_of(chip, engine_cycle(engine), &host, stop);
    engine_free(engine);
    chip_free(chip);
    return o;
}

static struct outcome run(const struct toys *toys,
                          struct engine_options options, uint64_t limit)
{
    return run_chip(toy_chip(toys), options, limit);
}

static void compare_ways_to_run(const struct toys *toys)
{
    struct outcome first =
        run(toys, (struct engine_options){.threads = 1}, 1u << 30);
    assert_int_equal(first.stop, ENGINE_DEADLOCK);
    assert_int_equal(first.buckets, first.cycle * TILES * EACH);
    for (unsigned i = 1; i < 2 * 2 * 3 * 4 * 4; i++) {
        static const unsigned epochs[] = {0, 1, 3, 9}, threads[] = {1, 2, 3, 7};
        static const enum engine_schedule schedules[] = {
            SCHEDULE_MEASURED, SCHEDULE_FIXED, SCHEDULE_DYNAMIC};
        struct outcome o = run(toys,
                               (struct engine_options){
                                   .no_skip = i & 1,
                                   .reverse_order = i >> 1 & 1,
                                   .schedule = schedules[i / 4 % 3],
                                   .epoch = epochs[i / 12 % 4],
                                   .threads = threads[i / 48],
                               },
                               1u << 30);
        assert_int_equal(o.hash, first.hash);
        assert_int_equal(o.cycle, first.cycle);
    }
}

static void results_do_not_depend_on_how_it_runs(void **state)
{
    (void)state;
    compare_ways_to_run(&usual);
    compare_ways_to_run(&two_sides);
}

/* In turn, on one thread. */
static void two_sides_run_longer_than_the_epoch(void **state)
{
    (void)state;
    static const unsigned asked[] = {0, 0, 7, 9, 14}, got[] = {14, 7, 7, 9, 14};
    for (unsigned i = 0; i < 5; i++) {
        struct chip *chip = toy_chip(&two_sides);
        struct host host = {0};
        struct engine_hooks hooks = {.context = &host, .service = serve};
        struct engine_options options = {.threads = i == 1 ? 2 : 1,
                                         .epoch = asked[i]};
        struct engine *engine = engine_new(chip, &options, &hooks);
        assert_int_equal(chip_epoch(chip), 7);
        assert_int_equal(chip_longest_epoch(chip), 14);
        assert_int_equal(engine_epoch(engine), got[i]);
        engine_free(engine);
        chip_free(chip);
    }
}

/* Wherever a run stops, which is between turns or not, it goes on. */
static void stops_change_nothing(void **state)
{
    (void)state;
    struct outcome whole =
        run(&two_sides, (struct engine_options){.threads = 1}, 1u << 30);
    for (unsigned step = 1; step < 40; step += 3) {
        struct chip *chip = toy_chip(&two_sides);
        struct host host = {0};
        struct engine_hooks hooks = {.context = &host, .service = serve};
        struct engine_options options = {.threads = 1 + step % 2};
        struct engine *engine = engine_new(chip, &options, &hooks);
        enum engine_stop stop = ENGINE_LIMIT;
        for (uint64_t limit = step; stop == ENGINE_LIMIT; limit += step)
            stop = engine_run(engine, limit, 0);
        struct outcome o = outcome_of(chip, engine_cycle(engine), &host, stop);
        assert_int_equal(o.hash, whole.hash);
        assert_int_equal(o.cycle, whole.cycle);
        engine_free(engine);
        chip_free(chip);
    }
}

/* ---- which host thread runs a tile: on a host of simulated times ---- */

struct toy_host {
    struct host host; /* first: services get it */
    const struct chip *chip;
    const struct engine *engine;
    uint64_t cycle_ns; /* that a cycle takes, whoever runs what */
    bool busy;
    bool (*looks)(
        const struct toy_host *h); /* for this, when all stand still */
    unsigned seen, several; /* times that it was so, and that several ran */
};

static uint64_t toy_ns(void *context)
{
    const struct toy_host *h = context;
    return h->chip ? chip_unit_at(h->chip, 0)->tile->now * h->cycle_ns : 0;
}

static uint64_t toy_tile_ns(void *context)
{
    (void)context;
    return burned_ns;
}

static bool toy_is_busy(void *context, unsigned threads, unsigned awake)
{
    const struct toy_host *h = context;
    assert_int_equal(threads, 2);
    assert_in_range(awake, 1, 2);
    return h->busy;
}

static bool look(void *context, uint64_t now)
{
    struct toy_host *h = context;
    /* Whoever looks may stop the run: nobody has gone further. */
    for (unsigned i = 0; i < chip_unit_count(h->chip); i++)
        assert_true(chip_unit_at(h->chip, i)->tile->horizon <= now);
    h->several += !engine_is_alone(h->engine);
    h->seen += h->looks(h);
    return true;
}

/* On two threads, stopping each `step` cycles. Results are those of one thread
 * that does not stop. */
static void watch(struct toy_host *h, const struct toys *toys, uint64_t step)
{
    struct chip *chip = toy_chip(toys);
    struct engine_host host = {.context = h,
                               .ns = toy_ns,
                               .tile_ns = toy_tile_ns,
                               .is_busy = toy_is_busy};
    struct engine_options options = {
        .threads = 2, .no_skip = toys->busy, .host = &host};
    struct engine_hooks hooks = {.context = h, .service = serve, .still = look};
    struct engine *engine = engine_new(chip, &options, &hooks);
    h->chip = chip;
    h->engine = waiting = engine;
    enum engine_stop stop = ENGINE_LIMIT;
    for (uint64_t limit = step; stop == ENGINE_LIMIT; limit += step)
        stop = engine_run(engine, limit, 0);
    struct outcome o = outcome_of(chip, engine_cycle(engine), &h->host, stop);
    waiting = NULL;
    options = (struct engine_options){.threads = 1};
    struct outcome expected = run(toys, options, 1u << 30);
    assert_int_equal(o.stop, ENGINE_DEADLOCK);
    assert_int_equal(o.hash, expected.hash);
    assert_int_equal(o.cycle, expected.cycle);
    engine_free(engine);
    chip_free(chip);
}

static const struct toys uneven = {
    .burn = {40000, 10000, 10000, 10000, 10000},
    .messages = {200, 200, 200, 200, 200},
    .busy = true,
};
static const struct toys even = {
    .burn = {10000, 10000, 10000, 10000, 10000},
    .wait = {0, 0, 1},
    .messages = {200, 200, 200, 200, 200},
    .busy = true,
};

static bool has_one_tile(const struct toy_host *h)
{
    return !engine_is_alone(h->engine) && engine_share(h->engine, 0) == 1;
}

static void a_thread_has_fewer_tiles_that_take_longer(void **state)
{
    (void)state;
    struct toy_host h = {.cycle_ns = 1, .looks = has_one_tile};
    watch(&h, &uneven, 700);
    assert_int_not_equal(h.seen, 0);
    assert_in_range(h.seen, h.several - 1, h.several); /* and no other share */
}

static bool first_is_apart(const struct toy_host *h)
{
    const struct toy *first = (const struct toy *)chip_unit_at(h->chip, 0);
    const struct toy *third =
        (const struct toy *)chip_unit_at(h->chip, 2 * EACH);
    return may_wait() && !pthread_equal(first->thread, third->thread);
}

/* One has the tiles 0, 1 and 2. Where it goes from tile 2 back, that waits for
 * tile 0; the other, when it is done with its own, takes that, or the run does
 * not end. */
static void a_thread_helps_the_one_that_takes_longer(void **state)
{
    (void)state;
    struct toy_host h = {.cycle_ns = 1, .looks = first_is_apart};
    watch(&h, &even, 1u << 30);
    assert_int_not_equal(h.seen, 0);
}

static bool is_alone(const struct toy_host *h)
{
    return engine_is_alone(h->engine);
}

static void one_thread_goes_on_alone_where_two_do_not_pay(void **state)
{
    (void)state;
    static const struct toys toys = {.burn = {100, 100, 100, 100, 100},
                                     .messages = {800}};
    struct toy_host h = {.cycle_ns = 1, .looks = is_alone};
    watch(&h, &toys, 1u << 30);
    assert_int_not_equal(h.seen, 0);
    assert_int_equal(h.several, 0);
}

/* An epoch of 7 cycles takes longer than all tiles one after the other. */
static void two_threads_that_take_longer_than_one_give_up(void **state)
{
    (void)state;
    struct toy_host h = {.cycle_ns = 100000, .looks = is_alone};
    watch(&h, &even, 1u << 30);
    assert_int_not_equal(h.several, 0);
    assert_true(h.seen > h.several);
}

/* Only after many times that several would have paid they are tried. */
static void a_host_with_other_work_is_left_to_it(void **state)
{
    (void)state;
    struct toy_host idle = {.cycle_ns = 1, .looks = is_alone};
    struct toy_host busy = {.cycle_ns = 1, .busy = true, .looks = is_alone};
    watch(&idle, &even, 1u << 30);
    watch(&busy, &even, 1u << 30);
    assert_true(busy.several < idle.several / 2);
}

static void a_limit_stops_at_its_cycle(void **state)
{
    (void)state;
    struct outcome o = run(&usual, (struct engine_options){.threads = 1}, 123);
    struct outcome p =
        run(&usual,
            (struct engine_options){.threads = 2, .no_skip = true, .epoch = 1},
            123);
    assert_int_equal(o.stop, ENGINE_LIMIT);
    assert_int_equal(o.cycle, 123);
    assert_int_equal(o.hash, p.hash);
}

/* Services that take long: units sleep until an alarm. */
struct sleepers {
    struct host host; /* first: services get it */
    struct engine *engine;
    struct service_request asleep[256]; /* cycle: when it is to wake */
    unsigned count, alarms;
};

static bool serve_later(void *context, uint64_t now,
                        const struct service_request *request)
{
    struct sleepers *s = context;
    struct service_request *r = &s->asleep[s->count++];
    *r = *request;
    r->cycle = now + 1 + (request->tag + request->unit->id) % 5 * 333;
    engine_alarm(s->engine, r->cycle);
    return true;
}

static void wake_sleepers(void *context, uint64_t now)
{
    struct sleepers *s = context;
    unsigned kept = 0;
    s->alarms++;
    for (unsigned i = 0; i < s->count; i++) {
        if (s->asleep[i].cycle <= now)
            serve(context, now, &s->asleep[i]);
        else
            s->asleep[kept++] = s->asleep[i];
    }
    assert_true(kept < s->count);
    s->count = kept;
    for (unsigned i = 0; i < kept; i++)
        engine_alarm(s->engine, s->asleep[i].cycle);
}

static struct outcome run_sleepers(struct engine_options options)
{
    struct sleepers s = {0};
    struct engine_hooks hooks = {
        .context = &s, .service = serve_later, .alarm = wake_sleepers};
    struct chip *chip = toy_chip(&usual);
    s.engine = engine_new(chip, &options, &hooks);
    enum engine_stop stop = engine_run(s.engine, CYCLE_NEVER, 0);
    struct outcome o = outcome_of(chip, engine_cycle(s.engine), &s.host, stop);
    assert_true(s.alarms > 3);
    assert_int_equal(s.count, 0);
    engine_free(s.engine);
    chip_free(chip);
    return o;
}

static void alarms_come_in_the_same_cycle_with_all_options(void **state)
{
    (void)state;
    static const struct engine_options options[] = {
        {.threads = 1, .epoch = 1},
        {.threads = 2},
        {.threads = 2, .schedule = SCHEDULE_DYNAMIC},
        {.threads = 1, .no_skip = true},
        {.threads = 1, .reverse_order = true},
    };
    struct outcome o = run_sleepers((struct engine_options){.threads = 1});
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct outcome p = run_sleepers(options[i]);
        assert_int_equal(o.hash, p.hash);
        assert_int_equal(o.cycle, p.cycle);
        assert_int_equal(o.stop, p.stop);
    }
}

static void the_epoch_is_the_least_latency_between_tiles(void **state)
{
    (void)state;
    struct chip *chip = toy_chip(&usual);
    assert_int_equal(chip_epoch(chip), 7);
    assert_int_equal(chip_longest_epoch(chip), 7); /* all are linked to all */
    chip_free(chip);
}

static void all_messages_arrive(void **state)
{
    (void)state;
    struct chip *chip = toy_chip(&usual);
    struct host host = {0};
    struct engine_hooks hooks = {.context = &host, .service = serve};
    struct engine_options options = {.threads = 1};
    struct engine *engine = engine_new(chip, &options, &hooks);
    engine_run(engine, 1u << 30, 0);
    uint64_t sent = 0, got = 0;
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct toy *t = (const struct toy *)chip_unit_at(chip, i);
        sent += t->stats.sent;
        got += t->stats.got;
        assert_int_equal(t->left, 0);
    }
    assert_int_equal(sent, got);
    assert_true(sent >= 200 * TILES * EACH);
    engine_free(engine);
    chip_free(chip);
}

/* ---- one tile ---- */

/* More than its first words hold. */
#define RING (64 * 6 + 7)

static struct chip *ring_chip(void)
{
    struct error e;
    struct chip *chip = chip_new(kinds, NULL);
    struct tile *tile = chip_tile(chip, "ring");
    struct unit *units[RING];
    for (int i = 0; i < RING; i++) {
        char name[16];
        snprintf(name, sizeof name, "toy%d", i);
        units[i] = chip_unit(chip, tile, "toy", name, NULL, &e);
        assert_true(chip_set(chip, units[i], "seed", i, &e));
        assert_true(chip_set(chip, units[i], "messages", 50, &e));
    }
    for (int i = 0; i < RING; i++)
        assert_true(chip_link(chip, units[i], "out", units[(i + 1) % RING],
                              "in", 1 + (unsigned)i % 3, 1, &e));
    assert_true(chip_finish(chip, &e));
    return chip;
}

static void all_units_of_a_large_tile_run(void **state)
{
    (void)state;
    struct engine_options options = {.threads = 1};
    struct outcome first = run_chip(ring_chip(), options, 1u << 30);
    assert_int_equal(first.stop, ENGINE_DEADLOCK);
    assert_int_equal(first.buckets, first.cycle * RING);
    for (unsigned i = 1; i < 4; i++) {
        options.no_skip = i & 1;
        options.reverse_order = i >> 1;
        struct outcome o = run_chip(ring_chip(), options, 1u << 30);
        assert_int_equal(o.hash, first.hash);
        assert_int_equal(o.cycle, first.cycle);
    }
}

static void a_tile_has_a_limit(void **state)
{
    (void)state;
    struct error e;
    struct chip *chip = chip_new(kinds, NULL);
    struct tile *tile = chip_tile(chip, "crowd");
    for (int i = 0; i <= 64 * WORDS_MOST; i++)
        chip_unit(chip, tile, "toy", "toy", NULL, &e);
    assert_false(chip_finish(chip, &e));
    assert_non_null(strstr(e.text, "tile crowd: too many units"));
    chip_free(chip);
}

/* ---- building ---- */

static void expect_error(const char *setting, const char *text)
{
    struct error e;
    struct chip *chip = chip_new(kinds, NULL);
    assert_true(chip_override(chip, setting, &e));
    struct tile *tile = chip_tile(chip, "t");
    struct unit *u = chip_unit(chip, tile, "toy", "toy0", "toys", &e);
    assert_true(chip_link(chip, u, "out", u, "in", 1, 1, &e));
    assert_false(chip_finish(chip, &e));
    if (!strstr(e.text, text))
        fail_msg("'%s' does not say '%s'", e.text, text);
    chip_free(chip);
}

static void overrides_that_fit_nothing_are_errors(void **state)
{
    (void)state;
    expect_error("toys.sead=3", "did you mean 'seed'");
    expect_error("tois.seed=3", "did you mean 'toys'");
    expect_error("toy0.seed=x", "not a number");
    expect_error("toy0.seed=-1", "outside 0..");
    expect_error("chip.tms=4", "no option 'tms'");
}

static void links_are_checked(void **state)
{
    (void)state;
    struct error e;
    struct chip *chip = chip_new(kinds, NULL);
    struct tile *tile = chip_tile(chip, "t");
    struct unit *u = chip_unit(chip, tile, "toy", "toy0", NULL, &e);
    assert_false(chip_link(chip, u, "uot", u, "in", 1, 1, &e));
    assert_non_null(strstr(e.text, "did you mean 'out'"));
    assert_false(chip_link(chip, u, "out", u, "in", 0, 1, &e));
    assert_non_null(strstr(e.text, "latency 0 is outside"));
    assert_false(chip_link(chip, u, "out", u, "in", 1, 100000, &e));
    assert_false(chip_link(chip, u, "out", u, "in", 1 + (1ll << 32), 1, &e));
    assert_non_null(strstr(e.text, "latency 4294967297 is outside"));
    assert_false(chip_link(chip, u, "out", u, "in", 1, -1, &e));
    assert_non_null(strstr(e.text, "depth -1 is outside"));
    assert_null(chip_unit(chip, tile, "tou", "x", NULL, &e));
    assert_non_null(strstr(e.text, "did you mean 'toy'"));
    chip_free(chip);
}

static void more_rows_of_ports_than_fit_are_refused(void **state)
{
    (void)state;
    struct error e;
    struct port_row rows[UNIT_PORTS_MAX + 1];
    for (unsigned i = 0; i <= UNIT_PORTS_MAX; i++)
        rows[i] = ports[i & 1];
    struct unit_kind wide = *kinds[0];
    wide.name = "wide";
    wide.port_rows = rows;
    wide.port_count = UNIT_PORTS_MAX + 1;
    const struct unit_kind *const all[] = {&wide, NULL};
    struct chip *chip = chip_new(all, NULL);
    struct tile *tile = chip_tile(chip, "t");
    struct unit *u = chip_unit(chip, tile, "wide", "wide0", NULL, &e);
    assert_false(chip_link(chip, u, "out", u, "in", 1, 1, &e));
    assert_false(chip_finish(chip, &e));
    assert_string_equal(e.text,
                        "kind 'wide' has 11 rows of ports, at most 10 fit");
    chip_free(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_rows_of_ports_than_fit_are_refused),
        cmocka_unit_test(results_do_not_depend_on_how_it_runs),
        cmocka_unit_test(two_sides_run_longer_than_the_epoch),
        cmocka_unit_test(stops_change_nothing),
        cmocka_unit_test(a_thread_has_fewer_tiles_that_take_longer),
        cmocka_unit_test(a_thread_helps_the_one_that_takes_longer),
        cmocka_unit_test(one_thread_goes_on_alone_where_two_do_not_pay),
        cmocka_unit_test(two_threads_that_take_longer_than_one_give_up),
        cmocka_unit_test(a_host_with_other_work_is_left_to_it),
        cmocka_unit_test(a_limit_stops_at_its_cycle),
        cmocka_unit_test(alarms_come_in_the_same_cycle_with_all_options),
        cmocka_unit_test(the_epoch_is_the_least_latency_between_tiles),
        cmocka_unit_test(all_messages_arrive),
        cmocka_unit_test(all_units_of_a_large_tile_run),
        cmocka_unit_test(a_tile_has_a_limit),
        cmocka_unit_test(overrides_that_fit_nothing_are_errors),
        cmocka_unit_test(links_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
