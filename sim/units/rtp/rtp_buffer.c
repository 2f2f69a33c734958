/*
 * Rays and results wait here; what moves in a cycle is told by the
 * dispatcher.
 */
#include "sim/units/rtp/rtp_buffer.h"
#include "sim/units/common/ring.h"
#include "sim/units/units.h"

enum { MOVE, RAY, HIT, RESULT, START };

static const struct port_row ports[] = {
    [MOVE] = {"move", false, 1, "what moves, of the dispatcher"},
    [RAY] = {"ray", false, RTP_CORES_MAX, "rays of RT cores"},
    [HIT] = {"hit", false, RTP_CORES_MAX, "results of intersection cores"},
    [RESULT] = {"result", true, RTP_CORES_MAX, "results to RT cores"},
    [START] = {"start", true, RTP_CORES_MAX, "rays to intersection cores"},
};

/* What has been taken out still lies there. */
struct payloads {
    struct payload entries[RTP_THREADS];
    struct ring order;
};

struct buffer {
    struct unit unit;
    struct buffer_stats {
        RTP_BUFFER_STATS(STAT_FIELD)
    } stats;
    struct payloads rays, results;
    struct rtp_moves moves; /* of this cycle, for send */
};

static void put(struct payloads *q, const struct payload *p, uint64_t *count,
                uint64_t *most)
{
    q->entries[ring_add(&q->order)] = *p;
    ++*count;
    *most = q->order.count > *most ? q->order.count : *most;
}

/* What is kept is at the head even if nothing is queued. */
static const struct payload *take(struct payloads *q, bool keep)
{
    const struct payload *p = &q->entries[q->order.head];
    if (!keep)
        ring_drop(&q->order);
    return p;
}

static struct payload pop(struct buffer *b, unsigned row, unsigned link)
{
    struct msg m = link_pop(&b->unit.in[row][link]);
    return msg_payload(&b->unit, &m);
}

static void rtp_buffer_receive(struct unit *u, uint64_t now)
{
    struct buffer *b = (struct buffer *)u;
    struct payload p;
    if (!*unit_pending(u, MOVE))
        return; /* what has come waits for its turn */
    struct msg m = link_pop(&u->in[MOVE][0]);
    memcpy(&b->moves, &m.value, sizeof b->moves);
    if (b->moves.ray_from != RTP_NOBODY) {
        p = pop(b, RAY, b->moves.ray_from);
        put(&b->rays, &p, &b->stats.rays, &b->stats.most_rays);
    }
    if (b->moves.result_from != RTP_NOBODY) {
        p = pop(b, HIT, b->moves.result_from);
        put(&b->results, &p, &b->stats.results, &b->stats.most_results);
    }
}

static uint64_t rtp_buffer_send(struct unit *u, uint64_t now)
{
    struct buffer *b = (struct buffer *)u;
    struct msg result = {0}, start = {.addr = now - 1};
    struct rtp_moves m = b->moves;
    memset(&b->moves, RTP_NOBODY, sizeof b->moves);
    if (m.ray_to != RTP_NOBODY)
        link_push_full(&u->out[START][m.ray_to], &start, take(&b->rays, false));
    if (m.result_to != RTP_NOBODY)
        link_push_full(&u->out[RESULT][m.result_to], &result,
                       take(&b->results, m.keep));
    return CYCLE_NEVER;
}

static bool build(struct unit *u, struct error *error)
{
    struct buffer *b = (struct buffer *)u;
    b->rays.order.room = b->results.order.room = RTP_THREADS;
    memset(&b->moves, RTP_NOBODY, sizeof b->moves);
    return (u->links[RAY] == u->links[RESULT] &&
            u->links[HIT] == u->links[START]) ||
           error_set(error, "ray and result, hit and start come in pairs");
}

static void explain(const struct unit *u, FILE *out)
{
    const struct buffer *b = (const struct buffer *)u;
    if (b->rays.order.count || b->results.order.count)
        fprintf(out, "%s: %u rays, %u results\n", u->name, b->rays.order.count,
                b->results.order.count);
}

#define STAT_STRUCT struct buffer_stats
static const struct stat_row stat_rows[] = {RTP_BUFFER_STATS(STAT_ROW)};

/* Rays and results are by value. */
static const struct state_row state_rows[] = {STATE_NO_POINTERS};

const struct unit_kind rtp_buffer_kind = {
    .name = "rtp_buffer",
    .meaning = "buffer between RT and intersection cores",
    .size = sizeof(struct buffer),
    .stats = offsetof(struct buffer, stats),
    .stat_rows = stat_rows,
    .stat_count = TABLE_COUNT(stat_rows),
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    UNIT_STATE,
    .build = build,
    .receive = rtp_buffer_receive,
    .send = rtp_buffer_send,
    .explain = explain,
};
