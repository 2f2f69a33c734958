/*
 * A program on one core, without a chip around it. A toy unit gives it a thread
 * in the cycle that the case calls 0, is its memory and notes its stores.
 */
#include "sim/core/engine.h"
#include "sim/core/heap.h"
#include "sim/rtp-run/case_chip.h"
#include "sim/units/units.h"
#include <inttypes.h>
#include <stdlib.h>

/* In cycles: no case takes so long. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* ci/fuzz: a few ms */
#define LIMIT 20000u
#else
#define LIMIT 10000000u
#endif

enum { REQUEST, PORT, RAY, JOB, RESULT, DATA };

static const struct port_row ports[] = {
    [REQUEST] = {"request", false, 1, "the end of the thread"},
    [PORT] = {"port", false, 1, "loads and stores"},
    [RAY] = {"ray", false, 1, "not used"},
    [JOB] = {"job", true, 1, "the thread"},
    [RESULT] = {"result", true, 1, "what lies in the empty queue"},
    [DATA] = {"data", true, 1, "what was loaded"},
};

/* The job leaves in cycle 0 and is seen in cycle 1. */
#define START 1

struct store {
    uint64_t cycle; /* of its MEM */
    uint32_t address, words, data[4];
};
#define STORES_MAX 4096

struct toy {
    struct unit unit;
    struct toy_stats {
        uint64_t unused;
    } stats;
    uint32_t thread, pixel;
    uint64_t fin;
    bool loaded, started;
    struct payload data;
    uint32_t local[RTP_LOCAL_BYTES / 4];
    struct store stores[STORES_MAX];
    uint32_t store_count;
};

static bool build_toy(struct unit *u, struct error *error)
{
    return true;
}

static void take_access(struct toy *t, uint64_t now)
{
    struct msg m = link_pop(&t->unit.in[PORT][0]);
    uint32_t words[4] = {0};
    if (m.op == RTP_MEM_READ) {
        rtp_local_read(t->local, (uint32_t)m.addr, m.size / 4, words);
        memcpy(t->data.bytes, words, sizeof words);
        t->loaded = true;
        return;
    }
    struct payload p = msg_payload(&t->unit, &m);
    memcpy(words, p.bytes, sizeof words);
    rtp_local_write(t->local, (uint32_t)m.addr, m.size / 4, words);
    if (t->store_count == STORES_MAX)
        return;
    struct store *s = &t->stores[t->store_count++];
    *s = (struct store){
        now - 1 - START, 0x80000000u | (uint32_t)m.addr, m.size / 4, {0}};
    memcpy(s->data, words, sizeof words);
}

static void toy_receive(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    if (*unit_pending(u, PORT))
        take_access(t, now);
    if (*unit_pending(u, REQUEST)) {
        link_pop(&u->in[REQUEST][0]);
        t->fin = now - START;
        unit_request_service(u, now, 0);
    }
}

static uint64_t toy_send(struct unit *u, uint64_t now)
{
    struct toy *t = (struct toy *)u;
    const struct msg empty = {0};
    const struct payload zeros = {{0}};
    const struct msg job = {.addr = t->pixel, .tag = t->thread};
    const struct payload begin =
        rtp_job_payload((struct rtp_job){.stack = rtp_stack(t->thread)});
    if (!t->started) {
        link_push_full(&u->out[JOB][0], &job, &begin);
        link_push_full(&u->out[RESULT][0], &empty, &zeros);
        t->started = true;
    }
    if (t->loaded)
        link_push_full(&u->out[DATA][0], &empty, &t->data);
    t->loaded = false;
    return CYCLE_NEVER;
}

static const struct unit_kind toy_kind = {
    .name = "toy",
    .meaning = "dispatcher and memory of one core",
    .size = sizeof(struct toy),
    .stats = offsetof(struct toy, stats),
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    .build = build_toy,
    .receive = toy_receive,
    .send = toy_send,
};

/* ---- the run ---- */

struct core_run {
    struct machine machine;
    struct rtp_machine rtp;
    struct chip *chip;
    struct toy *toy;
    bool ended;
};

static bool connect(struct core_run *r, struct unit *core, struct error *error)
{
    struct unit *toy = &r->toy->unit;
    struct chip *c = r->chip;
    return chip_link(c, toy, "job", core, "job", 1, 8, error) &&
           chip_link(c, toy, "result", core, "result", 1, 8, error) &&
           chip_link(c, toy, "data", core, "data", 4, 8, error) &&
           chip_link(c, core, "mem", toy, "port", 1, 8, error) &&
           chip_link(c, core, "ray", toy, "ray", 1, 8, error) &&
           chip_link(c, core, "request", toy, "request", 1, 8, error);
}

static bool build(struct core_run *r, const cJSON *object,
                  const struct replay_options *o, struct error *error)
{
    static const struct unit_kind *const kinds[] = {&toy_kind, &rtp_core_kind,
                                                    NULL};
    r->chip = chip_new(kinds, &r->machine);
    bool good = run_settings(r->chip, object, o, error);
    struct tile *tile = chip_tile(r->chip, "rtp");
    struct unit *core =
        chip_unit(r->chip, tile, "rtp_core", "core0", "core", error);
    r->toy = (struct toy *)chip_unit(r->chip, tile, "toy", "toy", "toy", error);
    good = good && core && r->toy && connect(r, core, error) &&
           chip_finish(r->chip, error);
    r->machine.harts = chip_alloc(r->chip, r->machine.hart_count + 1u,
                                  sizeof *r->machine.harts);
    return good;
}

static void preset(struct core_run *r, const cJSON *object)
{
    struct rtp_state *s = r->rtp.states[0];
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "init_s"))
        s->s[input_key(item, 10) % RTP_SCALARS] = input_word(item);
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "init_v"))
        input_words(item, s->v[input_key(item, 10) % RTP_VECTORS], 4);
    cJSON_ArrayForEach(item,
                       cJSON_GetObjectItemCaseSensitive(object, "init_mem"))
        r->toy->local[input_key(item, 16) % RTP_LOCAL_BYTES / 4] =
        input_word(item);
    r->toy->thread = (uint32_t)input_number(object, "thread");
    r->toy->pixel = (uint32_t)input_number(object, "pixel");
}

static bool serve(void *context, uint64_t now,
                  const struct service_request *request)
{
    struct core_run *r = context;
    r->ended = request->unit == &r->toy->unit;
    return false;
}

static void run(struct core_run *r, const struct replay_options *o)
{
    const struct engine_options options = {
        .threads = 1, .no_skip = o->no_skip, .reverse_order = o->reverse_units};
    const struct engine_hooks hooks = {.context = r, .service = serve};
    struct engine *engine = engine_new(r->chip, &options, &hooks);
    engine_run(engine, LIMIT, 0);
    engine_free(engine);
}

/* ---- the comparison ---- */

static bool same_stores(const struct toy *t, const char *name,
                        const cJSON *object)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "stores");
    uint32_t i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        const struct store *s = &t->stores[i++];
        uint64_t cycle = input_value(cJSON_GetArrayItem(item, 0));
        uint32_t address = input_word(cJSON_GetArrayItem(item, 2));
        if (i > t->store_count)
            return differs(name, "%u stores, expected more", t->store_count);
        if (s->cycle != cycle || s->address != address)
            return differs(name,
                           "store %u to %08x in cycle %" PRIu64
                           ", expected to %08x in cycle %" PRIu64,
                           i - 1, s->address, s->cycle, address, cycle);
        for (uint32_t k = 0; k < s->words; k++)
            if (s->data[k] !=
                input_word(cJSON_GetArrayItem(item, (int)(3 + k))))
                return differs(name, "store %u: word %u is %08x", i - 1, k,
                               s->data[k]);
    }
    return i == t->store_count ||
           differs(name, "%u stores, expected %u", t->store_count, i);
}

static bool same(const struct core_run *r, const char *name,
                 const cJSON *object)
{
    const struct rtp_state *s = r->rtp.states[0];
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, "v");
    uint64_t cycles = input_number(object, "cycles");
    if (!r->ended)
        return differs(name, "the thread does not end");
    bool good = same_stores(r->toy, name, object);
    if (good && r->toy->fin != cycles)
        return differs(name, "ends in cycle %" PRIu64 ", expected %" PRIu64,
                       r->toy->fin, cycles);
    good =
        good && same_words(name, "s", s->s,
                           cJSON_GetObjectItemCaseSensitive(object, "s"), 31);
    for (int i = 0; good && i < RTP_VECTORS; i++) {
        char what[16];
        snprintf(what, sizeof what, "v[%d]", i);
        good = same_words(name, what, s->v[i], cJSON_GetArrayItem(v, i), 4);
    }
    return good && same_local(name, r->toy->thread, r->toy->local,
                              cJSON_GetObjectItemCaseSensitive(object, "mem"));
}

bool replay_core(const cJSON *object, const struct replay_options *options)
{
    const char *name = input_text(object, "name");
    struct core_run *r = heap_new(1, sizeof *r, "a run");
    struct error error;
    bool good;
    rtp_machine_use(&r->machine, &r->rtp);
    run_program(&r->rtp, object);
    if (!build(r, object, options, &error))
        good = differs(name, "%s", error.text);
    else {
        preset(r, object);
        run(r, options);
        good = same(r, name, object);
    }
    chip_free(r->chip);
    free(r);
    return good;
}
