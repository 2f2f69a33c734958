/*
 * The thread scheduler of a TM: hands out indices, and asks the work counter
 * for blocks of them.
 */
#include "sim/units/tp/scheduler.h"
#include "sim/units/common/machine.h"
#include "sim/units/units.h"
#include <assert.h>
#include <corbel/serve.h>

enum { NEXT, BLOCK, INDEX, ASK };

static const struct port_row ports[] = {
    [NEXT] = {"next", false, 256, "trav.fchthrd of the thread processors"},
    [BLOCK] = {"block", false, 1, "blocks of the work counter"},
    [INDEX] = {"index", true, 256, "indices, in next's order", .answers = true},
    [ASK] = {"ask", true, 1, "requests for a block"},
};

struct scheduler {
    struct unit unit;
    struct scheduler_params params;
    struct scheduler_stats stats;
    struct account account;
    uint32_t block;                 /* indices fetched at a time */
    uint64_t first, left;           /* of the current block */
    uint64_t next_first, next_left; /* of the one fetched ahead */
    uint32_t kernel;                /* number of the running kernel */
    bool asked;
    bool waiting;  /* a thread processor waits for an index */
    bool granted;  /* one is handed out in this cycle */
    uint32_t port; /* to whom */
    uint32_t tag;
    uint64_t index;
    uint32_t next_port;
    struct corbel_scheduler untimed;
    bool known; /* a request has come */
    bool wide;  /* requests are of warps */
    /* Of warps: requests that wait to be passed on, or for their answers. */
    struct wide_request {
        uint32_t port, tag, count;
    } requests[SCHEDULER_WIDE];
    uint32_t request_first, request_count, request_asked;
};

static bool cores_are_alike(const struct unit *u, struct error *error)
{
    const struct unit *first = link_target(&u->out[INDEX][0]);
    for (unsigned i = 1; i < u->links[INDEX]; i++) {
        const struct unit *other = link_target(&u->out[INDEX][i]);
        if (other->kind != first->kind)
            return error_set(error,
                             "next: %s is of kind %s, but %s of kind %s; "
                             "expected cores of one kind",
                             first->name, first->kind->name, other->name,
                             other->kind->name);
    }
    return true;
}

static bool build(struct unit *u, struct error *error)
{
    struct scheduler *s = (struct scheduler *)u;
    if (!u->links[NEXT] || u->links[NEXT] != u->links[INDEX])
        return error_set(error, "%u next links but %u index links",
                         u->links[NEXT], u->links[INDEX]);
    s->account.bucket = &s->stats.idle;
    s->block = (uint32_t)s->params.block;
    if (!cores_are_alike(u, error))
        return false;
    return (u->links[BLOCK] && u->links[ASK]) ||
           error_set(error, "no link to and from the work counter");
}

static void launch(struct unit *u, uint64_t now)
{
    struct scheduler *s = (struct scheduler *)u;
    s->left = s->next_left = 0;
    s->request_count = s->request_asked = 0;
    s->asked = false;
    s->kernel++;
}

static void take_block(struct scheduler *s)
{
    if (!*unit_pending(&s->unit, BLOCK))
        return;
    const struct msg *m = link_read(&s->unit.in[BLOCK][0]);
    if (m->tag != s->kernel)
        return;
    assert(s->asked && !s->next_left);
    s->asked = false;
    s->next_first = m->value;
    s->next_left = s->block;
    s->stats.blocks++;
}

/* A hint: the thread processor will get an index. */
static void expect_index(const struct scheduler *s, unsigned round)
{
    struct msg m = {.tag = s->tag};
    struct outport *o = &s->unit.out[INDEX][s->port];
    host_prefetch(o);
    hint_message(o, &m, round);
}

static void take_request(struct scheduler *s)
{
    const uint64_t *pending = unit_pending(&s->unit, NEXT);
    uint32_t links = s->unit.links[NEXT], words = (links + 63) / 64;
    /* Only for a request: being run for nothing must change nothing. */
    if (!s->left && mask_any(pending, words)) {
        s->first = s->next_first;
        s->left = s->next_left;
        s->next_left = 0;
    }
    int port = s->left ? mask_next(pending, words, s->next_port) : -1;
    s->granted = port >= 0;
    if (s->granted) {
        s->port = (uint32_t)port;
        s->tag = link_read(&s->unit.in[NEXT][port])->tag;
        expect_index(s, 0);
        s->next_port = port_after(s->port, links);
        s->index = s->first++;
        s->left--;
        s->stats.handed++;
    }
    s->waiting = mask_any(pending, words);
}

/* ---- requests of warps ---- */

static struct wide_request *wide_at(struct scheduler *s, uint32_t place)
{
    return &s->requests[(s->request_first + place) % SCHEDULER_WIDE];
}

/* The first index for the oldest request that has been passed on. */
static void take_wide_block(struct scheduler *s)
{
    if (!*unit_pending(&s->unit, BLOCK))
        return;
    const struct msg *m = link_read(&s->unit.in[BLOCK][0]);
    const struct wide_request *r = wide_at(s, 0);
    assert(m->tag == s->kernel && s->request_asked);
    s->granted = true;
    s->port = r->port;
    s->tag = r->tag;
    s->index = m->value;
    s->stats.handed += r->count;
    s->stats.blocks++;
    s->request_first = (s->request_first + 1) % SCHEDULER_WIDE;
    s->request_count--;
    s->request_asked--;
}

static void take_wide_request(struct scheduler *s)
{
    const uint64_t *pending = unit_pending(&s->unit, NEXT);
    uint32_t links = s->unit.links[NEXT], words = (links + 63) / 64;
    int port = s->request_count < SCHEDULER_WIDE
                   ? mask_next(pending, words, s->next_port)
                   : -1;
    if (port >= 0) {
        const struct msg *m = link_read(&s->unit.in[NEXT][port]);
        *wide_at(s, s->request_count++) =
            (struct wide_request){(uint32_t)port, m->tag, m->size};
        s->next_port = port_after((uint32_t)port, links);
    }
    s->waiting =
        mask_any(pending, words) || s->request_asked < s->request_count;
}

static void pass_on(struct scheduler *s)
{
    struct outport *o = &s->unit.out[ASK][0];
    if (s->request_asked == s->request_count || !link_ready(o))
        return;
    struct msg m = {.tag = s->kernel,
                    .value = wide_at(s, s->request_asked++)->count};
    link_push(o, &m);
}

/* The first request says whose all are. */
static void look_at_first(struct scheduler *s)
{
    const uint64_t *pending = unit_pending(&s->unit, NEXT);
    int port = mask_next(pending, (s->unit.links[NEXT] + 63u) / 64, 0);
    s->known = port >= 0;
    s->wide = s->known && link_peek(&s->unit.in[NEXT][port])->size;
}

static void scheduler_receive(struct unit *u, uint64_t now)
{
    struct scheduler *s = (struct scheduler *)u;
    if (!s->known)
        look_at_first(s);
    if (s->wide) {
        take_wide_block(s);
        take_wide_request(s);
        return;
    }
    take_block(s);
    take_request(s);
}

/* A block ahead, from the first request of a kernel on. */
static void ask(struct scheduler *s)
{
    bool in_use = s->left || s->granted || s->waiting;
    if (s->asked || s->next_left || !in_use ||
        !link_ready(&s->unit.out[ASK][0]))
        return;
    struct msg m = {.tag = s->kernel, .value = s->block};
    link_push(&s->unit.out[ASK][0], &m);
    s->asked = true;
}

/* A hart's index; of a warp, which finds those of its lanes, the first place.
 */
static uint32_t answer_of(const struct scheduler *s)
{
    const struct machine *m = chip_context(s->unit.chip);
    const uint32_t place = (uint32_t)s->index;
    return s->wide ? place : work_in_order(&m->work_order, place);
}

static uint64_t scheduler_send(struct unit *u, uint64_t now)
{
    struct scheduler *s = (struct scheduler *)u;
    bool granted = s->granted;
    if (granted) {
        expect_index(s, 1);
        struct msg m = {.tag = s->tag, .value = answer_of(s)};
        link_push(&u->out[INDEX][s->port], &m);
        s->granted = false;
    }
    if (s->wide)
        pass_on(s);
    else
        ask(s);
    uint64_t *rest =
        s->waiting || s->request_count ? &s->stats.starved : &s->stats.idle;
    account_tick(&s->account, now, granted ? &s->stats.busy : rest, rest);
    if (s->wide)
        return s->request_asked < s->request_count || s->waiting ? now + 1
                                                                 : CYCLE_NEVER;
    return s->waiting && (s->left || s->next_left) ? now + 1 : CYCLE_NEVER;
}

static void *state(struct unit *u)
{
    struct scheduler *s = (struct scheduler *)u;
    struct machine *m = chip_context(u->chip);
    s->untimed.next = &m->work_index;
    return &s->untimed;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct scheduler *s = (struct scheduler *)u;
    account_switch(&s->account, now, s->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct scheduler *s = (const struct scheduler *)u;
    if (s->waiting)
        fprintf(out, "%s: thread processors wait for a block of indices%s\n",
                u->name, s->asked ? ", asked for" : "");
}

static const struct outport *waits_for(const struct unit *u)
{
    const struct scheduler *s = (const struct scheduler *)u;
    return s->asked || s->request_asked ? u->out[ASK] : NULL;
}

#define PARAM_STRUCT struct scheduler_params
#define STAT_STRUCT struct scheduler_stats
static const struct param param_rows[] = {SCHEDULER_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {SCHEDULER_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {SCHEDULER_BUCKETS(BUCKET_ROW)};

/* What is untimed counts in the machine, and not in a run that can be saved. */
#define STATE_STRUCT struct scheduler
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
    STATE_POINTER(untimed.next),
};

const struct unit_kind scheduler_kind = {
    .name = "scheduler",
    .meaning = "thread scheduler of a TM",
    .size = sizeof(struct scheduler),
    .params = offsetof(struct scheduler, params),
    .stats = offsetof(struct scheduler, stats),
    UNIT_TABLES,
    UNIT_STATE,
    .told = {[TOLD_WORK] = COUNTER(handed)},
    .build = build,
    .receive = scheduler_receive,
    .send = scheduler_send,
    .launch = launch,
    .state = state,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
};
