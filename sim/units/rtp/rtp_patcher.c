/*
 * The order of a run: blocks are loaded, patches run, their results are
 * written.
 */
#include "sim/units/rtp/rtp_patcher.h"
#include "sim/units/units.h"
#include <assert.h>

enum { DONE, LOADED, PATCH, COMMAND, END };

static const struct port_row ports[] = {
    [DONE] = {"done", false, 1, "all threads of the patch have ended"},
    [LOADED] = {"loaded", false, 1, "ends of commands"},
    [PATCH] = {"patch", true, 1, "threads to run"},
    [COMMAND] = {"command", true, 1, "what to load or write"},
    [END] = {"end", true, 1, "the image is complete"},
};

enum step {
    STEP_LOAD,  /* the next block is to be asked for in cycle `next` */
    STEP_BUSY,  /* a message will come */
    STEP_PATCH, /* the next patch is sent in cycle `next` */
    STEP_WRITE, /* the patch is done; it is written from cycle `next` on */
    STEP_END,   /* the image is complete in the cycle after `next` */
    STEP_IDLE,
};

struct patcher {
    struct unit unit;
    struct patcher_params {
        RTP_PATCHER_PARAMS(PARAM_FIELD)
    } params;
    struct patcher_stats {
        RTP_PATCHER_STATS(STAT_FIELD)
        RTP_PATCHER_BUCKETS(BUCKET_FIELD)
    } stats;
    struct account account;
    struct rtp_record *record;
    enum step step;
    uint64_t next;
    uint64_t buffer_free; /* the host's, from this cycle on */
    const struct rtp_machine *machine;
    uint32_t block, patch;
    uint64_t loaded; /* the cycle in which the program was */
};

static bool build(struct unit *u, struct error *error)
{
    struct patcher *p = (struct patcher *)u;
    p->machine = rtp_machine_build(u);
    p->record = rtp_record_new(u);
    p->account.bucket = &p->stats.load;
    p->next = 1;
    return true;
}

static void note(struct patcher *p, unsigned kind, uint64_t cycle)
{
    uint32_t patch = kind == RTP_all_done ? RTP_NO_FIELD : p->patch;
    const struct rtp_event e = {cycle,        kind,  RTP_NO_FIELD,
                                RTP_NO_FIELD, patch, RTP_NO_FIELD};
    rtp_note(p->record, &e);
}

static void command(struct patcher *p, unsigned op)
{
    const struct msg m = {.op = (uint8_t)op, .tag = p->patch};
    link_push(&p->unit.out[COMMAND][0], &m);
    p->step = STEP_BUSY;
}

static uint32_t threads(const struct patcher *p)
{
    uint32_t pixels = p->machine->pixels, first = p->patch * RTP_THREADS;
    if (pixels <= first + 1)
        return 1;
    return pixels - first < RTP_THREADS ? pixels - first : RTP_THREADS;
}

static void send_patch(struct patcher *p, uint64_t now)
{
    const struct msg m = {.addr = (uint64_t)p->patch * RTP_THREADS,
                          .tag = threads(p),
                          .value = p->loaded};
    link_push(&p->unit.out[PATCH][0], &m);
    account_switch(&p->account, now, &p->stats.run);
    p->step = STEP_BUSY;
}

/* ---- messages ---- */

/* A block has been loaded, or the results are in the host's memory. */
static void take_end(struct patcher *p, const struct msg *m, uint64_t now)
{
    assert(p->step == STEP_BUSY);
    assert(m->op == (p->block < RTP_BLOCKS ? p->block : RTP_WRITE_OUT));
    if (m->op == RTP_BLOCK_PROGRAM)
        p->loaded = m->value;
    if (m->op != RTP_WRITE_OUT) {
        bool more = ++p->block < RTP_BLOCKS;
        p->step = more ? STEP_LOAD : STEP_PATCH;
        p->next = more ? now : now + 1;
        return;
    }
    p->stats.patches++;
    p->buffer_free = now + 1 + (uint64_t)p->params.host_copy;
    bool last = p->patch + 1 == rtp_patches(p->machine);
    note(p, last ? RTP_all_done : RTP_patch_out, now + 1);
    p->patch++;
    p->step = last ? STEP_END : STEP_PATCH;
    p->next = now;
}

static void take_done(struct patcher *p, uint64_t now)
{
    assert(p->step == STEP_BUSY && p->block == RTP_BLOCKS);
    note(p, RTP_patch_done, now);
    p->step = STEP_WRITE;
    p->next = now > p->buffer_free ? now : p->buffer_free;
    account_switch(&p->account, now, &p->stats.wait);
}

static void rtp_patcher_receive(struct unit *u, uint64_t now)
{
    struct patcher *p = (struct patcher *)u;
    if (*unit_pending(u, LOADED)) {
        struct msg m = link_pop(&u->in[LOADED][0]);
        take_end(p, &m, now);
    }
    if (*unit_pending(u, DONE)) {
        link_pop(&u->in[DONE][0]);
        take_done(p, now);
    }
}

/* ---- the cycle ---- */

static void end(struct patcher *p, uint64_t now)
{
    const struct msg m = {0};
    account_tick(&p->account, now, &p->stats.write, &p->stats.idle);
    link_push(&p->unit.out[END][0], &m);
    p->step = STEP_IDLE;
}

static uint64_t rtp_patcher_send(struct unit *u, uint64_t now)
{
    struct patcher *p = (struct patcher *)u;
    if (p->step == STEP_BUSY || p->step == STEP_IDLE || !p->machine->code_words)
        return CYCLE_NEVER;
    if (now < p->next)
        return p->next;
    if (p->step == STEP_LOAD)
        command(p, p->block);
    else if (p->step == STEP_PATCH)
        send_patch(p, now);
    else if (p->step == STEP_END)
        end(p, now);
    else {
        command(p, RTP_WRITE_OUT);
        account_switch(&p->account, now, &p->stats.write);
    }
    return CYCLE_NEVER;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct patcher *p = (struct patcher *)u;
    account_switch(&p->account, now, p->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct patcher *p = (const struct patcher *)u;
    if (p->step != STEP_IDLE)
        fprintf(out, "%s: patch %u of %u\n", u->name, p->patch,
                rtp_patches(p->machine));
}

#define PARAM_STRUCT struct patcher_params
#define STAT_STRUCT struct patcher_stats
static const struct param param_rows[] = {RTP_PATCHER_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {RTP_PATCHER_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {RTP_PATCHER_BUCKETS(BUCKET_ROW)};

#define STATE_STRUCT struct patcher
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
    STATE_POINTER(record),
    STATE_POINTER(machine),
};

const struct unit_kind rtp_patcher_kind = {
    .name = "rtp_patcher",
    .meaning = "command patcher of the small ray-tracing processor",
    .size = sizeof(struct patcher),
    .params = offsetof(struct patcher, params),
    .stats = offsetof(struct patcher, stats),
    UNIT_TABLES,
    UNIT_STATE,
    .build = build,
    .receive = rtp_patcher_receive,
    .send = rtp_patcher_send,
    .close = close_account,
    .explain = explain,
};
