/* The staging buffer: what is taken and what is sent in a cycle. */
#include "sim/units/streams/stager_private.h"
#include "sim/units/streams/streams_untimed.h"
#include "sim/units/units.h"

static const struct port_row ports[] = {
    [OP] = {"op", false, RTCORE, "requests of the thread processors"},
    [ITEM] = {"item", false, 1, "of the RT core"},
    [BUCKET] = {"bucket", false, 1, "buckets of the stream scheduler"},
    [RECORD] = {"record", false, 64, "answers of the hit updaters"},
    [DONE] = {"done", true, RTCORE, "answers, in op's order", .answers = true},
    [WORK] = {"work", true, 1, "items for the RT core", .answers = true},
    [SCHED] = {"sched", true, 1, "items and requests for buckets"},
    [HIT] = {"hit", true, 64, "hits and loads, in the order of partitions"},
};

static bool well_linked(const struct unit *u, struct error *error)
{
    if (!u->links[OP] || u->links[OP] != u->links[DONE])
        return error_set(error, "%u op links but %u done links", u->links[OP],
                         u->links[DONE]);
    if (u->links[ITEM] != u->links[WORK])
        return error_set(error, "%u item links but %u work links",
                         u->links[ITEM], u->links[WORK]);
    if (!u->links[HIT] || u->links[HIT] != u->links[RECORD])
        return error_set(error, "%u hit links but %u record links",
                         u->links[HIT], u->links[RECORD]);
    return (u->links[SCHED] && u->links[BUCKET]) ||
           error_set(error, "no link to and from the stream scheduler");
}

/* Hits go to partitions in the order of the links, by a map that is the same at
 * both ends. */
static bool same_map(const struct stager *s, unsigned link, struct error *error)
{
    struct unit *updater = link_target(&s->unit.out[HIT][link]);
    struct map_row rows[] = {{"part", link, 0},
                             {"map_parts", s->unit.links[HIT], 0},
                             {"map_stride", s->params.map_stride, 0},
                             {"map_hash", s->params.map_hash, 0}};
    for (unsigned i = 0; i < TABLE_COUNT(rows); i++)
        rows[i].there = unit_number(updater, rows[i].name, rows[i].here);
    return map_rows_agree(rows, TABLE_COUNT(rows), unit_name(updater), "",
                          error);
}

static bool same_maps(const struct stager *s, struct error *error)
{
    for (unsigned i = 0; i < s->unit.links[HIT]; i++)
        if (!same_map(s, i, error))
            return false;
    return true;
}

static bool items_are_copied(const struct unit *u, struct error *error)
{
    struct unit *core = u->links[WORK] ? link_target(&u->out[WORK][0]) : NULL;
    return !core || !unit_number(core, "policy", 0) ||
           error_set(error,
                     "%s.policy is for rays that move, but a staging buffer "
                     "copies them: expected copy",
                     unit_group(core));
}

static bool build(struct unit *u, struct error *error)
{
    struct stager *s = (struct stager *)u;
    if (!well_linked(u, error) || !same_maps(s, error) ||
        !items_are_copied(u, error))
        return false;
    if (!is_power_of_two(s->params.map_stride))
        return error_set(error, "map_stride is no power of two");
    s->machine = chip_context(u->chip);
    s->map =
        map_new(s->params.map_stride, u->links[HIT], 1, 32, s->params.map_hash);
    s->account.bucket = &s->stats.idle;
    staged_new(s);
    return true;
}

/* What is left to be answered goes on in the first cycle. */
static void launch(struct unit *u, uint64_t now)
{
    struct stager *s = (struct stager *)u;
    unit_wake(u, now);
    s->kernel = stream_kernel(++s->launches);
    s->begun = s->ended = s->tell_begin = false;
    staged_launch(s);
    stager_drop_requests(s);
}

/* ---- receive ----
 *
 * Where something can be taken it is, so a cycle in which nothing was taken or
 * sent leaves nothing to do for the next one.
 */

/* 64 bytes hold the end of two items at most, or the head and an item. */
#define BLOCK_MESSAGES 2

static void take_block(struct stager *s)
{
    const uint64_t *pending = unit_pending(&s->unit, BUCKET);
    for (unsigned i = 0; i < BLOCK_MESSAGES && *pending; i++) {
        struct msg m = link_pop(&s->unit.in[BUCKET][0]);
        if (m.size == s->kernel)
            staged_take(s, &m);
        else if (m.flags & MSG_PAYLOAD)
            msg_payload(&s->unit, &m);
        s->worked = true;
    }
}

static void stager_receive(struct unit *u, uint64_t now)
{
    struct stager *s = (struct stager *)u;
    take_block(s);
    stager_take_record(s);
    stager_take_request(s);
}

/* ---- send ---- */

static bool send_load(struct stager *s, struct outport *o)
{
    if (!staged_want_bucket(s) || !link_ready(o))
        return false;
    struct msg m = {.op = STREAM_LOAD, .size = s->kernel};
    link_push(o, &m);
    s->asked = true;
    return true;
}

static bool send_request(struct stager *s, unsigned row)
{
    const struct request *r = &s->request;
    if (!r->held || r->row != row || !link_ready(&s->unit.out[row][r->link]))
        return false;
    stager_send_request(s);
    return true;
}

/* Sends none after a refused access: the kernel cannot end well. */
static bool send_complete(struct stager *s, struct outport *o)
{
    if (!s->completes.count || s->refused.op || !link_ready(o))
        return false;
    link_forward(o, msg_list_pop(&s->unit, &s->completes), NULL);
    return true;
}

/* One message a cycle to the units of streams, answers besides. */
static void send_message(struct stager *s)
{
    struct outport *o = &s->unit.out[SCHED][0];
    send_request(s, DONE);
    send_request(s, WORK);
    s->worked |= send_load(s, o) || send_request(s, SCHED) ||
                 send_complete(s, o) || send_request(s, HIT);
}

static void begin(struct stager *s)
{
    struct msg m = {.op = STREAM_BEGIN, .size = s->kernel};
    if (!s->tell_begin)
        return;
    link_push(&s->unit.out[WORK][0], &m);
    s->tell_begin = false;
}

static void book(struct stager *s, uint64_t now)
{
    struct stager_stats *c = &s->stats;
    uint64_t *rest = s->slots.count    ? &c->starved
                     : s->request.held ? &c->blocked
                                       : &c->idle;
    uint64_t *here = s->handed        ? &c->handing
                     : s->slots.count ? &c->starved
                     : s->worked      ? &c->busy
                                      : rest;
    account_tick(&s->account, now, here, rest);
}

static uint64_t stager_send(struct unit *u, uint64_t now)
{
    struct stager *s = (struct stager *)u;
    stager_go_on(s);
    stager_pass_record(s);
    begin(s);
    staged_hand_out(s);
    send_message(s);
    book(s, now);
    bool again = s->worked;
    s->worked = s->handed = false;
    return again ? now + 1 : CYCLE_NEVER;
}

/* ---- the unit ---- */

static void *state(struct unit *u)
{
    return streams_untimed(((struct stager *)u)->machine, u->links[ITEM] > 0);
}

static void close_account(struct unit *u, uint64_t now)
{
    struct stager *s = (struct stager *)u;
    account_switch(&s->account, now, s->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct stager *s = (const struct stager *)u;
    uint32_t slots = s->slots.count, loads = s->loads.count;
    if (slots)
        fprintf(out, "%s: %u wait for an item%s\n", u->name, slots,
                s->asked ? ", a bucket is asked for" : "");
    if (loads)
        fprintf(out, "%s: %u wait for records until there are no more items\n",
                u->name, loads);
    if (s->request.held)
        fprintf(out, "%s: a request waits for room\n", u->name);
    if (s->refused.op && !s->told)
        fprintf(out,
                "%s: an access at 0x%llx was refused, which no "
                "thread processor knows\n",
                u->name, (unsigned long long)s->refused.addr);
}

/* Items of the stream scheduler, else records of the first hit updater. */
static const struct outport *waits_for(const struct unit *u)
{
    const struct stager *s = (const struct stager *)u;
    return s->asked ? u->out[SCHED] : s->loads.count ? u->out[HIT] : NULL;
}

static void refusal(const struct unit *u, uint64_t address, char *text,
                    size_t size)
{
    static const char *const why[] = {
        [REFUSAL_NONE] = "",
        [REFUSAL_ADDRESS] = "addresses of records have 44 bits",
        [REFUSAL_RTCORE] =
            "the RT core takes the work items, corbel_stream_roots() without "
            "the address of the hit records",
        [REFUSAL_RECORDS] =
            "no RT core takes the work items, corbel_stream_roots() with an "
            "address of hit records: programs say NULL and take them",
        [REFUSAL_LATE] = "a work item after all of them were finished",
    };
    snprintf(text, size, "%s", why[((const struct stager *)u)->why]);
}

#define PARAM_STRUCT struct stager_params
#define STAT_STRUCT struct stager_stats
static const struct param param_rows[] = {STAGER_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {STAGER_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {STAGER_BUCKETS(BUCKET_ROW)};

/* Its two buckets have an array of items each. */
#define STATE_STRUCT struct stager
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),  STATE_POINTER(machine),
    STATE_POINTER(bucket[0].items), STATE_POINTER(bucket[1].items),
    STATE_POINTER(works),           STATE_POINTER(has)};

const struct unit_kind stager_kind = {
    .name = "stager",
    .meaning = "staging buffer of a TM, for items of ray streams",
    .size = sizeof(struct stager),
    .params = offsetof(struct stager, params),
    .stats = offsetof(struct stager, stats),
    UNIT_TABLES,
    UNIT_STATE,
    /* An RT core counts its rays itself. */
    .feeds_rays = "streams only (docs/reference/streams.md)",
    .told = {[TOLD_RAYS] = COUNTER(rays)},
    .build = build,
    .receive = stager_receive,
    .send = stager_send,
    .launch = launch,
    .state = state,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
    .refusal = refusal,
};
