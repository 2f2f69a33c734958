/* A special function unit: a pipeline that takes operations in turn. */
#include "sim/units/tp/sfu.h"
#include "sim/units/common/ring.h"
#include "sim/units/units.h"

enum { OP, DONE };

static const struct port_row ports[] = {
    [OP] = {"op", false, 256, "operations of the thread processors"},
    [DONE] = {"done", true, 256, "ends of operations, in op's order",
              .answers = true},
};

struct stage {
    uint64_t end;
    uint32_t port, tag;
};

/* By lines of the host: what each operation touches, what it counts, what is
 * rarely looked at. */
struct sfu {
    struct unit unit;

    _Alignas(64) struct inport *op; /* by link */
    struct outport *done;           /* by link */
    struct stage *stages;           /* in order of start */
    uint64_t next_start;
    uint32_t latency, interval; /* params */
    struct ring order;          /* of stages */
    uint32_t next_port;
    uint16_t links, words; /* of op, of their mask */
    bool leftover;

    _Alignas(64) struct account account;
    struct sfu_stats stats;
    struct sfu_params params;
};

static bool build(struct unit *u, struct error *error)
{
    struct sfu *s = (struct sfu *)u;
    if (!u->links[OP] || u->links[OP] != u->links[DONE])
        return error_set(error, "%u op links but %u done links", u->links[OP],
                         u->links[DONE]);
    s->op = u->in[OP];
    s->done = u->out[DONE];
    s->links = u->links[OP];
    s->words = (uint16_t)((s->links + 63) / 64);
    s->latency = (uint32_t)s->params.latency;
    s->interval = (uint32_t)s->params.interval;
    s->order.room = s->latency / s->interval + 2;
    s->stages = chip_alloc(u->chip, s->order.room, sizeof *s->stages);
    s->account.bucket = &s->stats.idle;
    return true;
}

static void start(struct sfu *s, uint32_t port, uint64_t now)
{
    s->stages[ring_add(&s->order)] = (struct stage){
        now + s->latency - 1, port, link_read(&s->op[port])->tag};
    host_prefetch(&s->done[port]);
    s->next_port = port_after(port, s->links);
    s->next_start = now + s->interval;
    s->stats.operations++;
}

static void sfu_receive(struct unit *u, uint64_t now)
{
    struct sfu *s = (struct sfu *)u;
    const uint64_t *pending = u->pending; /* it has no other inputs */
    int port = mask_next(pending, s->words, s->next_port);
    if (port >= 0 && now >= s->next_start)
        start(s, (uint32_t)port, now);
    s->leftover = mask_any(pending, s->words);
    s->stats.conflicts += s->leftover;
}

static uint64_t sfu_send(struct unit *u, uint64_t now)
{
    struct sfu *s = (struct sfu *)u;
    bool busy = s->order.count;
    const struct stage *first = &s->stages[s->order.head];
    if (s->order.count && first->end <= now) {
        struct msg done = {.tag = first->tag};
        link_push(&s->done[first->port], &done);
        ring_drop(&s->order);
    }
    uint64_t *rest = s->order.count ? &s->stats.busy : &s->stats.idle;
    account_tick(&s->account, now, busy ? &s->stats.busy : rest, rest);
    if (s->leftover)
        return now + 1;
    return s->order.count ? s->stages[s->order.head].end : CYCLE_NEVER;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct sfu *s = (struct sfu *)u;
    account_switch(&s->account, now, s->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct sfu *s = (const struct sfu *)u;
    if (s->order.count || s->leftover)
        fprintf(out, "%s: %u operations in the pipeline\n", u->name,
                s->order.count);
}

#define PARAM_STRUCT struct sfu_params
#define STAT_STRUCT struct sfu_stats
static const struct param param_rows[] = {SFU_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {SFU_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {SFU_BUCKETS(BUCKET_ROW)};

/* Its ports are pointers for speed alone. */
#define STATE_STRUCT struct sfu
static const struct state_row state_rows[] = {
    STATE_POINTER(op), STATE_POINTER(done), STATE_POINTER(stages),
    STATE_POINTER(account.bucket)};

/* Harts wait for their turn, and for the pipeline itself. */
static const struct limit_row limits[] = {{.name = "pipelines",
                                           .param = "interval",
                                           .inverse = true,
                                           .used = {COUNTER(operations)},
                                           .each = "interval",
                                           .waits = {COUNTER(conflicts)}},
                                          {.name = "latency",
                                           .param = "latency",
                                           .sort = LIMIT_LATENCY,
                                           .used = {COUNTER(operations)},
                                           .each = "latency"}};

const struct unit_kind sfu_kind = {
    .name = "sfu",
    .meaning = "special function unit: a shared pipeline",
    .size = sizeof(struct sfu),
    .params = offsetof(struct sfu, params),
    .stats = offsetof(struct sfu, stats),
    UNIT_TABLES,
    UNIT_STATE,
    LIMIT_TABLE,
    .build = build,
    .receive = sfu_receive,
    .send = sfu_send,
    .close = close_account,
    .explain = explain,
};
