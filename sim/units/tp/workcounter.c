/*
 * The work counter: adds a block a cycle for one of the thread schedulers
 * that ask.
 */
#include "sim/units/tp/workcounter.h"
#include "sim/units/units.h"
#include <assert.h>

enum { ASK, BLOCK };

static const struct port_row ports[] = {
    [ASK] = {"ask", false, 256, "requests of the thread schedulers"},
    [BLOCK] = {"block", true, 256, "first index of a block, in ask's order",
               .answers = true},
};

struct workcounter {
    struct unit unit;
    struct workcounter_stats stats;
    struct account account;
    uint64_t next;   /* index to hand out */
    uint32_t kernel; /* number of the running kernel */
    uint32_t next_port;
    bool leftover, granted;
    uint32_t port;
    struct msg block;
};

static bool build(struct unit *u, struct error *error)
{
    struct workcounter *w = (struct workcounter *)u;
    w->account.bucket = &w->stats.idle;
    return (u->links[ASK] && u->links[ASK] == u->links[BLOCK]) ||
           error_set(error, "%u ask links but %u block links", u->links[ASK],
                     u->links[BLOCK]);
}

static void launch(struct unit *u, uint64_t now)
{
    struct workcounter *w = (struct workcounter *)u;
    w->next = 0;
    w->kernel++;
}

static void workcounter_receive(struct unit *u, uint64_t now)
{
    struct workcounter *w = (struct workcounter *)u;
    const uint64_t *pending = unit_pending(u, ASK);
    uint32_t links = u->links[ASK], words = (links + 63) / 64;
    int port = mask_next(pending, words, w->next_port);
    if (port >= 0) {
        struct msg m = link_pop(&u->in[ASK][port]);
        w->next_port = port_after((uint32_t)port, links);
        w->granted = m.tag == w->kernel;
        if (w->granted) {
            w->port = (uint32_t)port;
            w->block = (struct msg){.tag = m.tag, .value = w->next};
            assert(m.value); /* an empty block would be asked for again */
            w->next += m.value;
            w->stats.handed += m.value;
        }
    }
    w->leftover = mask_any(pending, words);
}

static uint64_t workcounter_send(struct unit *u, uint64_t now)
{
    struct workcounter *w = (struct workcounter *)u;
    bool granted = w->granted;
    if (granted)
        link_push(&u->out[BLOCK][w->port], &w->block);
    w->granted = false;
    account_tick(&w->account, now, granted ? &w->stats.busy : &w->stats.idle,
                 &w->stats.idle);
    return w->leftover ? now + 1 : CYCLE_NEVER;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct workcounter *w = (struct workcounter *)u;
    account_switch(&w->account, now, w->account.bucket);
}

#define STAT_STRUCT struct workcounter_stats
static const struct stat_row stat_rows[] = {WORKCOUNTER_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {WORKCOUNTER_BUCKETS(BUCKET_ROW)};

#define STATE_STRUCT struct workcounter
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
};

const struct unit_kind workcounter_kind = {
    .name = "workcounter",
    .meaning = "the chip's counter of work indices",
    .size = sizeof(struct workcounter),
    .stats = offsetof(struct workcounter, stats),
    .stat_rows = stat_rows,
    .stat_count = TABLE_COUNT(stat_rows),
    .bucket_rows = bucket_rows,
    .bucket_count = TABLE_COUNT(bucket_rows),
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    UNIT_STATE,
    .build = build,
    .receive = workcounter_receive,
    .send = workcounter_send,
    .launch = launch,
    .close = close_account,
};
