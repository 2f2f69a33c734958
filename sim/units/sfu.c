#include "sim/units/sfu.h"
#include "sim/units/units.h"

enum { OP, DONE };

static const struct port_row ports[] = {
    [OP] = {"op", false, 256, "operations of the thread processors"},
    [DONE] = {"done", true, 256, "ends of operations, in op's order"},
};

struct stage {
    uint64_t end;
    uint32_t port, tag;
};

struct sfu {
    struct unit unit;
    struct sfu_params params;
    struct sfu_stats stats;
    struct account account;
    struct stage *stages; /* ring in order of start */
    uint32_t room, head, count;
    uint32_t next_port;
    uint64_t next_start;
    bool leftover;
};

static bool build(struct unit *u, struct error *error)
{
    struct sfu *s = (struct sfu *)u;
    if (!u->links[OP] || u->links[OP] != u->links[DONE])
        return error_set(error, "%u op links but %u done links", u->links[OP],
                         u->links[DONE]);
    s->room = (uint32_t)(s->params.latency / s->params.interval) + 2;
    s->stages = chip_alloc(u->chip, s->room, sizeof *s->stages);
    s->account.bucket = &s->stats.idle;
    return true;
}

static void sfu_receive(struct unit *u, uint64_t now)
{
    struct sfu *s = (struct sfu *)u;
    const uint64_t *pending = unit_pending(u, OP);
    uint32_t links = u->links[OP], words = (links + 63) / 64;
    int port = mask_next(pending, words, s->next_port);
    if (port >= 0 && now >= s->next_start) {
        s->stages[(s->head + s->count++) % s->room] =
            (struct stage){now + (uint64_t)s->params.latency - 1,
                           (uint32_t)port, link_read(&u->in[OP][port])->tag};
        s->next_port = port_after((uint32_t)port, links);
        s->next_start = now + (uint64_t)s->params.interval;
        s->stats.operations++;
    }
    s->leftover = mask_any(pending, words);
    s->stats.conflicts += s->leftover;
}

static uint64_t sfu_send(struct unit *u, uint64_t now)
{
    struct sfu *s = (struct sfu *)u;
    bool busy = s->count;
    struct stage *first = &s->stages[s->head];
    if (s->count && first->end <= now) {
        struct msg done = {.tag = first->tag};
        link_push(&u->out[DONE][first->port], &done);
        s->head = (s->head + 1) % s->room;
        s->count--;
    }
    uint64_t *rest = s->count ? &s->stats.busy : &s->stats.idle;
    account_tick(&s->account, now, busy ? &s->stats.busy : rest, rest);
    if (s->leftover)
        return now + 1;
    return s->count ? s->stages[s->head].end : CYCLE_NEVER;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct sfu *s = (struct sfu *)u;
    account_switch(&s->account, now, s->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct sfu *s = (const struct sfu *)u;
    if (s->count || s->leftover)
        fprintf(out, "%s: %u operations in the pipeline\n", u->name, s->count);
}

#define PARAM_STRUCT struct sfu_params
#define STAT_STRUCT struct sfu_stats
static const struct param param_rows[] = {SFU_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {SFU_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {SFU_BUCKETS(STAT_ROW)};

const struct unit_kind sfu_kind = {
    .name = "sfu",
    .meaning = "special function unit: a shared pipeline",
    .size = sizeof(struct sfu),
    .params = offsetof(struct sfu, params),
    .stats = offsetof(struct sfu, stats),
    UNIT_TABLES,
    .build = build,
    .receive = sfu_receive,
    .send = sfu_send,
    .close = close_account,
    .explain = explain,
};
