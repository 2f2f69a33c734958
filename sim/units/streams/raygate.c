/*
 * The ray gate: what comes and goes; requests of thread processors are in
 * raygate_threads.c.
 */
#include "sim/units/common/stream.h"
#include "sim/units/streams/raygate_private.h"
#include "sim/units/streams/streams_untimed.h"
#include "sim/units/units.h"

static const struct port_row ports[] = {
    [OP] = {"op", false, 256, "requests of the thread processors"},
    [ITEM] = {"item", false, 1, "rays and requests of the RT core"},
    [RAY] = {"ray", false, 1, "rays and hits of the ray store"},
    [DONE] = {"done", true, 256, "answers", .answers = true},
    [WORK] = {"work", true, 1, "rays for the RT core", .answers = true},
    [STORE] = {"store", true, 1, "to the ray store"},
};

/* ---- building ---- */

static void clear(struct raygate *g)
{
    g->free.count = g->queued = 0;
    for (uint32_t i = 0; i < (uint32_t)g->params.queue; i++)
        number_list_add(g->next, &g->free, i);
    for (unsigned kind = 0; kind < KIND_COUNT; kind++)
        g->queues[kind].count = 0;
}

/* By the RT core's own default it copies items, which is for buckets. */
static bool rays_move(const struct unit *u, struct error *error)
{
    struct unit *core = u->links[WORK] ? link_target(&u->out[WORK][0]) : NULL;
    return !core || unit_number(core, "policy", 1) ||
           error_set(error,
                     "%s.policy is copy, but rays move here: expected "
                     "another policy",
                     unit_group(core));
}

static bool build(struct unit *u, struct error *error)
{
    struct raygate *g = (struct raygate *)u;
    if (!u->links[OP] || u->links[OP] != u->links[DONE])
        return error_set(error, "%u op links but %u done links", u->links[OP],
                         u->links[DONE]);
    if (u->links[ITEM] != u->links[WORK])
        return error_set(error, "%u item links but %u work links",
                         u->links[ITEM], u->links[WORK]);
    if (!u->links[STORE] || !u->links[RAY])
        return error_set(error, "no link to and from a ray store");
    if (link_depth(&u->out[STORE][0]) < 2)
        return error_set(error, "a ray is 2 messages at once, the store link "
                                "holds 1");
    if (!rays_move(u, error))
        return false;
    g->machine = chip_context(u->chip);
    g->out = chip_alloc(u->chip, (size_t)g->params.queue, sizeof *g->out);
    g->next = chip_alloc(u->chip, (size_t)g->params.queue, sizeof *g->next);
    clear(g);
    g->account.bucket = &g->stats.idle;
    return true;
}

static void launch(struct unit *u, uint64_t now)
{
    struct raygate *g = (struct raygate *)u;
    g->kernel = stream_kernel(++g->launches);
    clear(g);
    msg_list_forget(u, &g->loads);
    msg_list_forget(u, &g->hit_loads[0]);
    msg_list_forget(u, &g->hit_loads[1]);
    g->begun = g->refused = g->blocked = g->halved = false;
    account_switch(&g->account, now, &g->stats.idle);
}

/* ---- what waits to be sent ---- */

struct outgoing *raygate_queue(struct raygate *g, enum kind kind)
{
    uint32_t place = number_list_take(g->next, &g->free);
    struct outgoing *o = &g->out[place];
    *o = (struct outgoing){.port = NONE};
    o->msg.size = g->kernel;
    number_list_add(g->next, &g->queues[kind], place);
    g->queued++;
    return o;
}

static bool has_room(const struct raygate *g)
{
    return g->queued < (uint32_t)g->params.queue;
}

/* ---- the RT core ---- */

static enum kind kind_of(uint8_t op)
{
    return op == STREAM_OVER ? FINISHED : op == STREAM_RAY ? RAYS : LOADS;
}

static void refuse(struct raygate *g, const struct msg *m)
{
    g->refused = true;
    g->refusal = *m;
}

static void queue_item(struct raygate *g, const struct msg *m)
{
    struct inport *in = &g->unit.in[ITEM][0];
    struct outgoing *o = raygate_queue(g, kind_of(m->op));
    struct msg state;
    o->msg = *m;
    o->msg.flags = 0;
    o->msg.aux = STREAM_BACK;
    if (m->flags & MSG_PAYLOAD)
        o->half[0] = msg_payload(&g->unit, m);
    if (m->op == STREAM_RAY) {
        state = link_pop(in);
        o->half[1] = msg_payload(&g->unit, &state);
    }
}

static void drop(struct raygate *g, const struct msg *m)
{
    if (m->flags & MSG_PAYLOAD)
        msg_payload(&g->unit, m);
}

static void take_item(struct raygate *g)
{
    struct msg m = link_pop(&g->unit.in[ITEM][0]);
    g->worked = true;
    if (m.size != g->kernel)
        drop(g, &m); /* a STREAM_STATE behind it comes next */
    else if (m.op == MEM_FAULT)
        refuse(g, &m);
    else
        queue_item(g, &m);
}

/* ---- receiving ---- */

/* A message of the ray store: an answer, or one of the two of a ray. */
static void take_message(struct raygate *g)
{
    struct msg m = link_pop(&g->unit.in[RAY][0]);
    bool state = m.op == STREAM_STATE;
    g->worked = true;
    if (m.size != g->kernel) {
        drop(g, &m);
        return;
    }
    if (m.flags & MSG_PAYLOAD)
        g->half[state] = msg_payload(&g->unit, &m);
    if (!state)
        g->answer = m;
    g->halved = m.op == STREAM_RAY;
    g->answered = !g->halved;
}

/* An answer of the ray store; that of a ray is complete with its state, which
 * comes later if the link has no room for both. */
static void take_answer(struct raygate *g)
{
    const uint64_t *pending = unit_pending(&g->unit, RAY);
    take_message(g);
    if (g->halved && *pending)
        take_message(g);
}

static void raygate_receive(struct unit *u, uint64_t now)
{
    struct raygate *g = (struct raygate *)u;
    const uint64_t *ops = unit_pending(u, OP);
    const uint64_t *items = unit_pending(u, ITEM);
    uint32_t words = (u->links[OP] + 63u) / 64;
    int port = mask_next(ops, words, g->next_port);
    if (*unit_pending(u, RAY))
        take_answer(g);
    if (*items && has_room(g))
        take_item(g);
    if (port >= 0 && has_room(g)) {
        threads_take(g, (uint32_t)port);
        g->begins = !g->begun;
        g->worked = true;
    }
    g->unanswered = *unit_pending(u, RAY);
    g->leftover = *items || mask_any(ops, words);
}

/* ---- answers to thread processors and the RT core ---- */

static void give_item(struct raygate *g)
{
    struct outport *o = &g->unit.out[WORK][0];
    struct msg m = g->answer;
    link_push_full(o, &m, m.op == STREAM_RAY ? &g->half[0] : NULL);
    if (m.op != STREAM_RAY)
        return;
    m.op = STREAM_STATE;
    link_push_full(o, &m, &g->half[1]);
}

/* What the ray store has answered; no thread waits for it after a refusal. */
static void give(struct raygate *g)
{
    const struct msg *m = &g->answer;
    bool item = m->op != STREAM_HIT && m->from != THREADS;
    g->stats.rays += m->op == STREAM_RAY;
    if (m->op == MEM_FAULT)
        refuse(g, m);
    else if (item)
        give_item(g);
    else if (g->refused)
        return;
    else if (m->op == STREAM_HIT)
        threads_give_hit(g);
    else if (m->op == STREAM_RAY)
        threads_give_ray(g);
    else
        threads_give_end(g);
}

/* ---- sending ---- */

static void count_sent(struct raygate *g, uint8_t op)
{
    g->stats.finished += op == STREAM_OVER;
    g->stats.stores += op == STREAM_RAY;
    g->stats.loads += op == STREAM_LOAD;
    g->stats.hit_loads += op == STREAM_HIT_LOAD;
}

static void send_place(struct raygate *g, uint32_t place)
{
    const struct outgoing *o = &g->out[place];
    struct outport *store = &g->unit.out[STORE][0];
    struct msg m = o->msg, done = {.tag = o->tag};
    bool ray = m.op == STREAM_RAY;
    link_push_full(store, &m, ray || m.op == STREAM_OVER ? &o->half[0] : NULL);
    m.op = STREAM_STATE;
    if (ray)
        link_push_full(store, &m, &o->half[1]);
    if (o->port != NONE)
        link_push(&g->unit.out[DONE][o->port], &done);
}

/* One message, or a ray with its state; the first kind that waits. */
static void send_one(struct raygate *g)
{
    struct number_list *q = g->queues;
    g->blocked = g->queued && !link_ready_for(&g->unit.out[STORE][0], 2);
    if (!g->queued || g->blocked)
        return;
    while (!q->count)
        q++;
    uint32_t place = number_list_take(g->next, q);
    send_place(g, place);
    count_sent(g, g->out[place].msg.op);
    number_list_push(g->next, &g->free, place);
    g->queued--;
    g->worked = true;
}

static void begin(struct raygate *g)
{
    const struct msg m = {.op = STREAM_BEGIN, .size = g->kernel};
    g->begins = false;
    g->begun = true;
    if (g->unit.links[WORK])
        link_push(&g->unit.out[WORK][0], &m);
}

static void book(struct raygate *g, uint64_t now)
{
    struct raygate_stats *s = &g->stats;
    uint64_t *rest = g->blocked        ? &s->blocked
                     : threads_wait(g) ? &s->waiting
                                       : &s->idle;
    account_tick(&g->account, now, g->worked ? &s->busy : rest, rest);
    g->worked = false;
}

static uint64_t raygate_send(struct unit *u, uint64_t now)
{
    struct raygate *g = (struct raygate *)u;
    if (g->begins)
        begin(g);
    if (g->answered)
        give(g);
    g->answered = false;
    if (g->refused)
        threads_refuse(g);
    send_one(g);
    book(g, now);
    bool goes_on = g->unanswered || (g->leftover && has_room(g)) ||
                   (g->queued && !g->blocked);
    return goes_on ? now + 1 : CYCLE_NEVER;
}

/* ---- what is said of it ---- */

static void *state(struct unit *u)
{
    return raystore_untimed(chip_context(u->chip));
}

static void close_account(struct unit *u, uint64_t now)
{
    struct raygate *g = (struct raygate *)u;
    account_switch(&g->account, now, g->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct raygate *g = (const struct raygate *)u;
    if (threads_wait(g))
        fprintf(out,
                "%s: thread processors wait for %u rays and %u finished ones\n",
                u->name, g->loads.count,
                g->hit_loads[0].count + g->hit_loads[1].count);
}

static const struct outport *waits_for(const struct unit *u)
{
    return threads_wait((const struct raygate *)u) ? u->out[STORE] : NULL;
}

#define PARAM_STRUCT struct raygate_params
#define STAT_STRUCT struct raygate_stats
static const struct param param_rows[] = {RAYGATE_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {RAYGATE_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {RAYGATE_BUCKETS(BUCKET_ROW)};

/* All messages wait in one array, whatever port they leave by. */
#define STATE_STRUCT struct raygate
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket), STATE_POINTER(machine), STATE_POINTER(out),
    STATE_POINTER(next)};

const struct unit_kind raygate_kind = {
    .name = "raygate",
    .meaning = "ray gate of a TM: between its rays and the ray store",
    .size = sizeof(struct raygate),
    .params = offsetof(struct raygate, params),
    .stats = offsetof(struct raygate, stats),
    .feeds_rays = "the ray store only (docs/reference/streams.md)",
    UNIT_TABLES,
    UNIT_STATE,
    .build = build,
    .receive = raygate_receive,
    .send = raygate_send,
    .launch = launch,
    .state = state,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
};
