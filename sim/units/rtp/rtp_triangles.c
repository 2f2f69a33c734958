/*
 * Answers with the number of a triangle that was asked for, or that there is
 * none.
 */
#include "sim/units/rtp/rtp_triangles.h"
#include "sim/rtp/quirks.h"
#include "sim/units/units.h"
#include <assert.h>

enum { FETCH, TRIANGLE };

static const struct port_row ports[] = {
    [FETCH] = {"fetch", false, 1, "numbers of triangles"},
    [TRIANGLE] = {"triangle", true, 1, "answers", .answers = true},
};

struct triangles {
    struct unit unit;
    struct triangles_params {
        RTP_TRIANGLES_PARAMS(PARAM_FIELD, TEXT_FIELD)
    } params;
    struct triangles_stats {
        RTP_TRIANGLES_STATS(STAT_FIELD)
    } stats;
    struct rtp_rules rules;
    struct msg answer;
    uint64_t due; /* it leaves in this cycle; 0: none */
    uint32_t ahead;
    uint64_t ahead_from; /* from this cycle on `ahead` is there */
};

static bool build(struct unit *u, struct error *error)
{
    struct triangles *t = (struct triangles *)u;
    t->ahead = UINT32_MAX;
    return rtp_quirks(t->params.rtl_quirks, &t->rules.quirks, error);
}

/* The number of triangles, as the hardware counts them. */
static uint32_t count(const struct triangles *t)
{
    uint32_t n = rtp_machine(&t->unit)->scene.count;
    if (rtp_has_quirk(&t->rules, RTP_QUIRK_tri_512) && n == RTP_TRIANGLES_ROOM)
        return 1;
    if (rtp_has_quirk(&t->rules, RTP_QUIRK_tri_extra) && n && n % 4 == 0 &&
        n < RTP_TRIANGLES_ROOM)
        return n + 1;
    return n;
}

/* The request was sent in the cycle before, and the answer is on its way for
 * one more. */
static void rtp_triangles_receive(struct unit *u, uint64_t now)
{
    struct triangles *t = (struct triangles *)u;
    assert(!t->due); /* one is asked for when the last one is there */
    uint32_t number = link_read(&u->in[FETCH][0])->tag;
    uint64_t latency = (uint64_t)t->params.latency;
    bool none = number >= count(t);
    bool ahead = number == t->ahead && now >= t->ahead_from;
    t->answer = (struct msg){.tag = number, .aux = none};
    t->due = none || ahead ? now : now + latency - 2;
    t->ahead = number + 1;
    t->ahead_from = t->due + latency;
    t->stats.requests++;
    t->stats.ahead += ahead;
}

static uint64_t rtp_triangles_send(struct unit *u, uint64_t now)
{
    struct triangles *t = (struct triangles *)u;
    if (!t->due)
        return CYCLE_NEVER;
    if (now < t->due)
        return t->due;
    link_push(&u->out[TRIANGLE][0], &t->answer);
    t->due = 0;
    return CYCLE_NEVER;
}

#define PARAM_STRUCT struct triangles_params
#define STAT_STRUCT struct triangles_stats
static const struct param param_rows[] = {
    RTP_TRIANGLES_PARAMS(PARAM_ROW, TEXT_ROW)};
static const struct stat_row stat_rows[] = {RTP_TRIANGLES_STATS(STAT_ROW)};

/* Its triangles are the program's. */
static const struct state_row state_rows[] = {STATE_NO_POINTERS};

const struct unit_kind rtp_triangles_kind = {
    .name = "rtp_triangles",
    .meaning = "triangle memory of an intersection core",
    .size = sizeof(struct triangles),
    .params = offsetof(struct triangles, params),
    .stats = offsetof(struct triangles, stats),
    .param_rows = param_rows,
    .param_count = TABLE_COUNT(param_rows),
    .stat_rows = stat_rows,
    .stat_count = TABLE_COUNT(stat_rows),
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    UNIT_STATE,
    .build = build,
    .receive = rtp_triangles_receive,
    .send = rtp_triangles_send,
};
