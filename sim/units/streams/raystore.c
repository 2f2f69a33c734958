/*
 * The ray store: banks take requests, which take effect later, and send
 * answers.
 */
#include "sim/units/common/stream.h"
#include "sim/units/streams/raystore_private.h"
#include "sim/units/units.h"
#include <assert.h>
#include <corbel/treelets.h>

static const struct port_row ports[] = {
    [TM] = {"tm", false, 256, "rays and requests of the ray gates"},
    [RAY] = {"ray", true, 256, "rays and hits, not in tm's order",
             .answers = true},
};

/* ---- messages that wait ---- */

/* The TM's requests for rays have become more, from none, or none. */
static void note_tms(struct raystore *s, bool more, uint64_t now)
{
    s->tms_waiting += more ? 1u : UINT32_MAX;
    s->tms_between += more ? -now : now;
}

static void wait_for_ray(struct raystore *s, const struct stage *at,
                         uint64_t now)
{
    struct msg_list *l = &s->loads[at->tm];
    if (!l->count)
        note_tms(s, true, now);
    msg_list_add(&s->unit, l, at->msg);
}

static struct msg next_load(struct raystore *s, uint32_t tm, uint64_t now)
{
    struct msg m = msg_list_next(&s->unit, &s->loads[tm]);
    if (!s->loads[tm].count)
        note_tms(s, false, now);
    return m;
}

/* Drops a request that was taken. */
static void drop(struct raystore *s, uint32_t index)
{
    if (index == NONE)
        return;
    const struct msg *m = unit_msg(&s->unit, index);
    if (m->flags & MSG_PAYLOAD)
        msg_payload(&s->unit, m);
    unit_free_msg(&s->unit, index);
}

static void launch(struct unit *u, uint64_t now)
{
    struct raystore *s = (struct raystore *)u;
    s->kernel = stream_kernel(++s->launches);
    for (; s->order.count; ring_drop(&s->order)) {
        drop(s, s->stages[s->order.head].msg);
        drop(s, s->stages[s->order.head].state);
    }
    for (uint32_t tm = 0; tm < s->tm_count; tm++)
        while (s->loads[tm].count)
            next_load(s, tm, now);
    for (uint32_t b = 0; b < s->bank_count; b++) {
        msg_list_forget(&s->unit, &s->banks[b].hits[0]);
        msg_list_forget(&s->unit, &s->banks[b].hits[1]);
        s->banks[b].waiting = 0;
    }
    s->waiting = 0;
    s->started = s->ended = s->changed = false;
    account_switch(&s->account, now, &s->stats.idle);
}

/* ---- requests come ---- */

/* Takes a request of a TM, of two messages if it is a ray with its state. */
static void take(struct raystore *s, uint32_t tm, uint64_t now)
{
    struct inport *in = &s->unit.in[TM][tm];
    struct stage at = {.due = now + s->latency, .state = NONE, .tm = tm};
    at.msg = link_take(in);
    if (unit_msg(&s->unit, at.msg)->op == STREAM_RAY)
        at.state = link_take(in);
    s->worked = true;
    if (unit_msg(&s->unit, at.msg)->size != s->kernel) {
        drop(s, at.msg);
        drop(s, at.state);
        return;
    }
    s->stages[ring_add(&s->order)] = at;
}

/* The TM of the bank whose turn it is, of those that have sent something. */
static uint32_t whose_turn(const struct bank *b, const uint64_t *pending)
{
    for (uint32_t i = 0;; i++) {
        uint32_t tm = b->first_tm + (b->next_taken + i) % b->tms;
        if (pending[tm / 64] >> tm % 64 & 1)
            return tm;
    }
}

static void raystore_receive(struct unit *u, uint64_t now)
{
    struct raystore *s = (struct raystore *)u;
    const uint64_t *pending = unit_pending(u, TM);
    uint32_t words = (s->tm_count + 63) / 64;
    int tm = mask_next(pending, words, 0);
    while (tm >= 0) {
        struct bank *b = &s->banks[s->bank_of[tm]];
        uint32_t turn = whose_turn(b, pending);
        uint32_t after = b->first_tm + b->tms;
        b->next_taken = (turn - b->first_tm + 1) % b->tms;
        take(s, turn, now);
        tm = after < s->tm_count ? mask_next(pending, words, after) : -1;
        if (tm < (int)after)
            break;
    }
    s->leftover = mask_any(pending, words);
}

/* ---- requests take effect ---- */

static void refuse(struct raystore *s, const struct stage *at)
{
    const struct msg *m = unit_msg(&s->unit, at->msg);
    const struct corbel_scene *scene = s->machine->scene;
    struct msg answer = {.op = MEM_FAULT,
                         .aux = MEM_WRITE,
                         .from = m->from,
                         .tag = m->tag,
                         .size = s->kernel,
                         .value = s->unit.id};
    if (scene)
        answer.addr =
            s->machine->scene_address + corbel_treelet_offset(scene, m->tag);
    link_push(&s->unit.out[RAY][at->tm], &answer);
}

static void count_stored(struct raystore *s, const struct msg *m)
{
    struct raystore_stats *stats = &s->stats;
    if (m->op == STREAM_OVER)
        stats->finished++;
    else if (m->aux == STREAM_BACK)
        stats->crossings++;
    else
        stats->roots++;
    stats->writes++;
    stats->bytes_written += RAYSTORE_RAY_BYTES;
    if (s->queues.held > stats->held_max)
        stats->held_max = s->queues.held;
}

/* A place for the ray of a message. */
static uint32_t place_for(struct raystore *s, const struct msg *m)
{
    if (m->op == STREAM_OVER)
        return queues_put_over(&s->queues);
    return m->tag < s->queues.treelets ? queues_put(&s->queues, m->tag)
                                       : QUEUES_NONE;
}

static void store(struct raystore *s, const struct stage *at)
{
    const struct msg *m = unit_msg(&s->unit, at->msg);
    if (m->aux == STREAM_BACK)
        queues_back(&s->queues, at->tm);
    uint32_t place = place_for(s, m);
    if (place == QUEUES_NONE) {
        refuse(s, at);
    } else {
        struct stored *ray = &s->stored[place];
        ray->ray = (uint32_t)m->addr;
        ray->treelet = m->tag;
        ray->half[0] = *unit_payload(&s->unit, m->value);
        if (at->state != NONE)
            ray->half[1] =
                *unit_payload(&s->unit, unit_msg(&s->unit, at->state)->value);
        count_stored(s, m);
    }
    drop(s, at->msg);
    drop(s, at->state);
}

/* A request for a hit or a ray waits until there is one. */
static void wait_for(struct raystore *s, const struct stage *at, uint64_t now)
{
    struct bank *b = &s->banks[s->bank_of[at->tm]];
    struct msg *m = unit_msg(&s->unit, at->msg);
    m->when = at->tm;
    if (m->op == STREAM_LOAD)
        wait_for_ray(s, at, now);
    else
        msg_list_add(&s->unit, &b->hits[m->aux > 0], at->msg);
    b->waiting++;
    s->waiting++;
}

static void perform(struct raystore *s, const struct stage *at, uint64_t now)
{
    switch (unit_msg(&s->unit, at->msg)->op) {
    case STREAM_RAY:
    case STREAM_OVER:
        store(s, at);
        break;
    case STREAM_LOAD:
    case STREAM_HIT_LOAD:
        wait_for(s, at, now);
        break;
    default:
        assert(unit_msg(&s->unit, at->msg)->op == STREAM_END);
        s->ended = true;
        drop(s, at->msg);
    }
}

static void start(struct raystore *s)
{
    const struct corbel_scene *scene = s->machine->scene;
    queues_start(&s->queues, scene ? scene->treelets : 0);
    s->started = true;
}

static void perform_due(struct raystore *s, uint64_t now)
{
    while (s->order.count && s->stages[s->order.head].due <= now) {
        if (!s->started)
            start(s);
        perform(s, &s->stages[s->order.head], now);
        ring_drop(&s->order);
        s->changed = s->worked = true;
    }
}

/* ---- answers ---- */

static void answered(struct raystore *s, struct bank *b)
{
    assert(b->waiting);
    b->waiting--;
    s->waiting--;
    s->worked = true;
}

static void give_hit(struct raystore *s, struct bank *b, struct msg_list *hits)
{
    const struct stored *ray = &s->stored[queues_take_over(&s->queues)];
    struct msg m = msg_list_next(&s->unit, hits);
    m.op = STREAM_HIT;
    m.addr = ray->ray;
    link_push_full(&s->unit.out[RAY][m.when], &m, &ray->half[0]);
    s->stats.hits++;
    s->stats.reads++;
    s->stats.bytes_read += RAYSTORE_RAY_BYTES;
    answered(s, b);
}

static void give_ray(struct raystore *s, struct bank *b, uint32_t tm,
                     uint32_t place, uint64_t now)
{
    const struct stored *ray = &s->stored[place];
    struct outport *o = &s->unit.out[RAY][tm];
    struct msg m = next_load(s, tm, now);
    m.op = STREAM_RAY;
    m.addr = ray->ray;
    m.tag = ray->treelet;
    link_push_full(o, &m, &ray->half[0]);
    m.op = STREAM_STATE;
    link_push_full(o, &m, &ray->half[1]);
    s->stats.rays++;
    s->stats.reads++;
    s->stats.bytes_read += RAYSTORE_RAY_BYTES;
    answered(s, b);
}

static void give_end(struct raystore *s, struct bank *b, uint32_t tm,
                     uint64_t now)
{
    struct msg m = next_load(s, tm, now);
    m.op = STREAM_END;
    link_push(&s->unit.out[RAY][tm], &m);
    s->stats.ends++;
    answered(s, b);
}

/* A ray, or the end, for a TM that asks. False: there is nothing for it. */
static bool serve_load(struct raystore *s, struct bank *b, uint32_t tm,
                       uint64_t now)
{
    uint32_t wanted = s->loads[tm].count;
    if (!wanted)
        return false;
    if (s->ended) {
        give_end(s, b, tm, now);
        return true;
    }
    uint32_t place = queues_take(&s->queues, tm, wanted);
    if (place == QUEUES_NONE)
        return false;
    give_ray(s, b, tm, place, now);
    return true;
}

static bool serve_bank(struct raystore *s, struct bank *b, uint64_t now)
{
    struct msg_list *hits = b->hits[0].count ? &b->hits[0] : &b->hits[1];
    if (hits->count && s->queues.over.count) {
        give_hit(s, b, hits);
        return true;
    }
    for (uint32_t i = 0; i < b->tms; i++) {
        uint32_t at = (b->next_given + i) % b->tms;
        if (serve_load(s, b, b->first_tm + at, now)) {
            b->next_given = (at + 1) % b->tms;
            return true;
        }
    }
    return false;
}

/* One answer of each bank, from the one after the last that had one. */
static void serve(struct raystore *s, uint64_t now)
{
    uint32_t first = s->next_bank;
    s->changed = false;
    for (uint32_t i = 0; s->waiting && i < s->bank_count; i++) {
        uint32_t b = (first + i) % s->bank_count;
        if (!s->banks[b].waiting || !serve_bank(s, &s->banks[b], now))
            continue;
        s->next_bank = port_after(b, s->bank_count);
        s->changed = true;
    }
}

static uint64_t raystore_send(struct unit *u, uint64_t now)
{
    struct raystore *s = (struct raystore *)u;
    perform_due(s, now);
    if (s->changed)
        serve(s, now);
    uint64_t *rest = s->waiting ? &s->stats.waiting : &s->stats.idle;
    account_tick(&s->account, now, s->worked ? &s->stats.busy : rest, rest);
    s->worked = false;
    if (s->changed || s->leftover)
        return now + 1;
    return s->order.count ? s->stages[s->order.head].due : CYCLE_NEVER;
}

/* ---- what is said of it ---- */

static void close_account(struct unit *u, uint64_t now)
{
    struct raystore *s = (struct raystore *)u;
    account_switch(&s->account, now, s->account.bucket);
    s->stats.tm_cycles = s->tms_between + s->tms_waiting * now;
    s->stats.switches = s->queues.switches;
}

/* A TM that never wants as many rays as a batch stays in its treelet: the line
 * goes on with it. */
static void explain_batch(const struct raystore *s, FILE *out)
{
    uint32_t tm = 0, batch = s->queues.batch;
    while (tm < s->tm_count &&
           (!s->loads[tm].count || s->loads[tm].count >= batch))
        tm++;
    if (queues_batch(&s->queues) && tm < s->tm_count &&
        s->queues.held > s->queues.over.count)
        fprintf(out,
                "; TM %u wants %u rays, another treelet's it gets from %u on "
                "(parameter batch)",
                tm, s->loads[tm].count, batch);
}

/* A program for RT cores, on a chip without, has harts that wait for finished
 * rays only. */
static void explain_takers(const struct raystore *s, FILE *out)
{
    uint32_t tm = 0;
    while (tm < s->tm_count && !s->loads[tm].count)
        tm++;
    if (tm == s->tm_count && s->queues.held > s->queues.over.count)
        fprintf(out, "; neither RT cores nor harts (trav.lwr) ask for rays to "
                     "be traced");
}

static void explain(const struct unit *u, FILE *out)
{
    const struct raystore *s = (const struct raystore *)u;
    if (!s->waiting)
        return;
    fprintf(out,
            "%s: %u requests wait, %u rays for treelets and %u finished ones "
            "are there",
            u->name, s->waiting, s->queues.held - s->queues.over.count,
            s->queues.over.count);
    explain_batch(s, out);
    explain_takers(s, out);
    fprintf(out, "\n");
}

/* What it has refused has the address of the ray's treelet. */
static void refusal(const struct unit *u, uint64_t address, char *text,
                    size_t size)
{
    const struct raystore *s = (const struct raystore *)u;
    const struct corbel_scene *scene = s->machine->scene;
    if (!scene || !scene->treelets)
        return;
    uint64_t first =
        s->machine->scene_address + corbel_treelet_offset(scene, 0);
    uint64_t treelet = (address - first) / scene->treelet_bytes;
    if (treelet >= scene->treelets)
        snprintf(text, size, "a ray of treelet %llu, the scene has %u",
                 (unsigned long long)treelet, scene->treelets);
    else
        snprintf(text, size,
                 "no room for another ray in %lld bytes: -s chip.buffer=BYTES "
                 "gives more, or the program sends fewer (--buffer)",
                 (long long)s->params.bytes);
}

#define PARAM_STRUCT struct raystore_params
#define STAT_STRUCT struct raystore_stats
static const struct param param_rows[] = {RAYSTORE_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {RAYSTORE_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {RAYSTORE_BUCKETS(BUCKET_ROW)};

/* The queues of the policy are arrays of the unit. */
#define STATE_STRUCT struct raystore
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket), STATE_POINTER(machine),
    STATE_POINTER(queues.of),      STATE_POINTER(queues.open),
    STATE_POINTER(queues.workers), STATE_POINTER(queues.next),
    STATE_POINTER(stored),         STATE_POINTER(loads),
    STATE_POINTER(banks),          STATE_POINTER(bank_of),
    STATE_POINTER(stages)};

static const struct limit_row limits[] = {
    {.name = "latency",
     .param = "latency",
     .sort = LIMIT_LATENCY,
     .used = {COUNTER(rays)},
     .each = "latency",
     .items = true},
    {.name = "banks",
     .param = "banks",
     .used = {COUNTER(roots), COUNTER(crossings), COUNTER(finished),
              COUNTER(rays)},
     .room = "banks"}};

const struct unit_kind raystore_kind = {
    .name = "raystore",
    .meaning = "ray store: on-chip queues of rays that move",
    .size = sizeof(struct raystore),
    .params = offsetof(struct raystore, params),
    .stats = offsetof(struct raystore, stats),
    UNIT_TABLES,
    UNIT_STATE,
    LIMIT_TABLE,
    .build = raystore_build,
    .receive = raystore_receive,
    .send = raystore_send,
    .launch = launch,
    .reads = raystore_reads,
    .keeps_scene = true,
    .close = close_account,
    .explain = explain,
    .refusal = refusal,
};
