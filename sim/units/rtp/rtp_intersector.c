/* Tests the triangles of the scene against one ray after the other. */
#include "sim/units/rtp/rtp_intersector.h"
#include "sim/units/units.h"
#include <assert.h>

enum { START, TRIANGLE, FETCH, HIT, DONE };

static const struct port_row ports[] = {
    [START] = {"start", false, 1, "rays, of the buffer"},
    [TRIANGLE] = {"triangle", false, 1, "what was asked for"},
    [FETCH] = {"fetch", true, 1, "numbers of triangles"},
    [HIT] = {"hit", true, 1, "results, to the buffer"},
    [DONE] = {"done", true, 1, "to the dispatcher: a result is there"},
};

/* Cycles from the dispatcher's decision to the ray's arrival. */
#define LEAD 2

struct intersector {
    struct unit unit;
    struct intersector_params {
        RTP_INTERSECTOR_PARAMS(PARAM_FIELD)
    } params;
    struct intersector_stats {
        RTP_INTERSECTOR_STATS(STAT_FIELD)
        RTP_INTERSECTOR_BUCKETS(BUCKET_FIELD)
    } stats;
    struct account account;
    struct rtp_rules rules;

    bool busy, fetching, ended; /* a ray; a triangle is asked for; it was the
                                   last one */
    uint64_t start;             /* of the ray */
    uint32_t number;            /* of the triangle that is next to ask for */
    struct rtp_ray ray;
    struct rtp_hit hit;
};

static bool build(struct unit *u, struct error *error)
{
    struct intersector *i = (struct intersector *)u;
    i->rules.two_sided = i->params.two_sided;
    i->rules.ftz = i->params.ftz;
    rtp_machine_build(u)->tests = i->rules;
    i->account.bucket = &i->stats.idle;
    return i->params.interval <= i->params.cycles ||
           error_set(error,
                     "interval: expected %d at most, the cycles of a "
                     "triangle",
                     (int)i->params.cycles);
}

static uint64_t per_triangle(const struct intersector *i)
{
    return (uint64_t)(i->params.pipeline ? i->params.interval
                                         : i->params.cycles);
}

/* The cycle in which the dispatcher sees that the ray is done. */
static uint64_t done_at(const struct intersector *i)
{
    uint64_t n = i->number, last = (uint64_t)i->params.cycles;
    return i->start + 1 + (n ? (n - 1) * per_triangle(i) + last : 0);
}

static void take_ray(struct intersector *i, uint64_t now)
{
    struct msg m = link_pop(&i->unit.in[START][0]);
    struct payload p = msg_payload(&i->unit, &m);
    uint32_t words[8];
    assert(!i->busy);
    memcpy(words, p.bytes, sizeof words);
    i->ray = rtp_ray_of(words, words + 3);
    i->hit = (struct rtp_hit){0};
    i->start = m.addr;
    i->number = 0;
    i->busy = true;
    i->ended = i->fetching = false;
    account_switch(&i->account, now, &i->stats.busy);
}

static void take_triangle(struct intersector *i)
{
    const struct msg *m = link_read(&i->unit.in[TRIANGLE][0]);
    assert(i->busy && i->fetching && m->tag == i->number);
    i->fetching = false;
    i->ended = m->aux;
    if (i->ended)
        return;
    i->number = m->tag + 1;
    rtp_intersect(&i->rules, &i->ray,
                  &rtp_machine(&i->unit)->scene.triangles[m->tag], &i->hit);
    i->stats.tests++;
}

static void rtp_intersector_receive(struct unit *u, uint64_t now)
{
    struct intersector *i = (struct intersector *)u;
    if (*unit_pending(u, START))
        take_ray(i, now);
    if (*unit_pending(u, TRIANGLE))
        take_triangle(i);
}

static void finish(struct intersector *i, uint64_t now)
{
    struct unit *u = &i->unit;
    struct msg m = {0};
    struct payload p;
    uint32_t words[8];
    rtp_hit_words(&i->hit, words, words + 4);
    memcpy(p.bytes, words, sizeof p.bytes);
    link_push_full(&u->out[HIT][0], &m, &p);
    link_push(&u->out[DONE][0], &m);
    i->busy = false;
    i->stats.rays++;
    i->stats.hits += i->hit.shader != 0;
    account_tick(&i->account, now, &i->stats.busy, &i->stats.idle);
}

/* The next triangle is asked for when the test of the last one begins. */
static uint64_t ask(struct intersector *i, uint64_t now)
{
    uint64_t begun = i->number ? i->number - 1 : 0;
    uint64_t due = i->start + LEAD + begun * per_triangle(i);
    struct msg m = {.tag = i->number};
    if (now < due)
        return due;
    link_push(&i->unit.out[FETCH][0], &m);
    i->fetching = true;
    return CYCLE_NEVER;
}

static uint64_t rtp_intersector_send(struct unit *u, uint64_t now)
{
    struct intersector *i = (struct intersector *)u;
    if (!i->busy || i->fetching)
        return CYCLE_NEVER;
    if (!i->ended)
        return ask(i, now);
    if (now + 1 < done_at(i))
        return done_at(i) - 1;
    finish(i, now);
    return CYCLE_NEVER;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct intersector *i = (struct intersector *)u;
    account_switch(&i->account, now, i->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct intersector *i = (const struct intersector *)u;
    if (i->busy)
        fprintf(out, "%s: a ray at triangle %u\n", u->name, i->number);
}

static const struct outport *waits_for(const struct unit *u)
{
    return ((const struct intersector *)u)->fetching ? u->out[FETCH] : NULL;
}

#define PARAM_STRUCT struct intersector_params
#define STAT_STRUCT struct intersector_stats
static const struct param param_rows[] = {RTP_INTERSECTOR_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {RTP_INTERSECTOR_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {
    RTP_INTERSECTOR_BUCKETS(BUCKET_ROW)};

static const struct figure_row figures[] = {
    {"occupancy",
     {COUNTER(busy)},
     {COUNTER(busy), COUNTER(idle)},
     "%.1f %% of the cycles with a ray",
     100},
};

#define STATE_STRUCT struct intersector
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
};

const struct unit_kind rtp_intersector_kind = {
    .name = "rtp_intersector",
    .meaning = "intersection core of the small ray-tracing processor",
    .size = sizeof(struct intersector),
    .params = offsetof(struct intersector, params),
    .stats = offsetof(struct intersector, stats),
    UNIT_TABLES,
    UNIT_STATE,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = build,
    .receive = rtp_intersector_receive,
    .send = rtp_intersector_send,
    .close = close_account,
    .waits_for = waits_for,
    .explain = explain,
};
