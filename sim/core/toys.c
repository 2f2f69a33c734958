#include "sim/core/toys.h"
#include "sim/core/engine.h"
#include <assert.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

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
    t->epoch = CYCLE_NEVER;
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

_Thread_local uint64_t toy_burned_ns;
atomic_uint toys_ahead;

static uint64_t epoch_of(const struct toy *t)
{
    return t->unit.tile->now / chip_epoch(t->unit.chip);
}

/* It may be that the first unit has to wait for this tile, too: not for ever.
 */
static void wait_for_first(const struct toy *t)
{
    const struct toy *first = (const struct toy *)chip_unit_at(t->unit.chip, 0);
    for (unsigned i = 0; i < 2000; i++) {
        if (atomic_load(&first->epoch) > epoch_of(t) &&
            atomic_load(&first->epoch) != CYCLE_NEVER) {
            atomic_fetch_add(&toys_ahead, 1);
            return;
        }
        sched_yield();
    }
}

/* Takes host time, without influence on what the toy does. */
static void burn(struct toy *t)
{
    if (t->epoch == epoch_of(t))
        return;
    t->epoch = epoch_of(t);
    toy_burned_ns += (uint64_t)t->params.burn;
    if (t->params.wait)
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
static const struct stat_row bucket_rows[] = {TOY_BUCKETS(BUCKET_ROW)};
#define STATE_STRUCT struct toy
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
};
static const struct unit_kind toy_kind = {
    .name = "toy",
    .meaning = "sends random messages",
    .size = sizeof(struct toy),
    .params = offsetof(struct toy, params),
    .stats = offsetof(struct toy, stats),
    UNIT_TABLES,
    UNIT_STATE,
    .build = toy_build,
    .receive = toy_receive,
    .send = toy_send,
    .close = toy_close,
};

const struct unit_kind *const toy_kinds[] = {&toy_kind, NULL};

const struct toys toys_usual = {.messages = {200, 200, 200, 200, 200}};
const struct toys toys_two_sides = {.messages = {200, 200, 200, 200, 200},
                                    .sides = true};

struct chip *toy_chip(const struct toys *toys)
{
    struct error e;
    struct chip *chip = chip_new(toy_kinds, NULL);
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

bool toy_serve(void *context, uint64_t now,
               const struct service_request *request)
{
    struct toy_server *h = context;
    struct toy *t = (struct toy *)request->unit;
    h->hash = (h->hash ^ (now * 1000 + request->tag)) * 0x9e3779b97f4a7c15u;
    h->hash ^= request->unit->id;
    t->stats.served++;
    mix(t, now);
    t->left += t->stats.served < 4 ? 3 : 0;
    unit_wake(request->unit, now);
    return true;
}

struct outcome toy_outcome(const struct chip *chip, uint64_t cycle,
                           const struct toy_server *host, enum engine_stop stop)
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

struct outcome toys_run_chip(struct chip *chip, struct engine_options options,
                             uint64_t limit)
{
    struct toy_server host = {0};
    struct engine_hooks hooks = {.context = &host, .service = toy_serve};
    struct engine *engine = engine_new(chip, &options, &hooks);
    enum engine_stop stop = engine_run(engine, limit, 0);
    struct outcome o = toy_outcome(chip, engine_cycle(engine), &host, stop);
    engine_free(engine);
    chip_free(chip);
    return o;
}

struct outcome toys_run(const struct toys *toys, struct engine_options options,
                        uint64_t limit)
{
    return toys_run_chip(toy_chip(toys), options, limit);
}
