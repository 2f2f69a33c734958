/*
 * Loads blocks into the processor and writes results out, one command at a
 * time.
 */
#include "sim/units/rtp/rtp_controller.h"
#include "sim/units/units.h"
#include <assert.h>

enum { COMMAND, DATA, DONE, MEM };

#define MEM_PORTS 4
#define LINE 64
#define LINES (RTP_THREADS / MEM_PORTS) /* of a patch's results */

static const struct port_row ports[] = {
    [COMMAND] = {"command", false, 1, "what to load or write"},
    [DATA] = {"data", false, MEM_PORTS, "results read"},
    [DONE] = {"done", true, 1, "it is loaded or written"},
    [MEM] = {"mem", true, MEM_PORTS, "reads of results"},
};

struct controller {
    struct unit unit;
    struct controller_params {
        RTP_CONTROLLER_PARAMS(PARAM_FIELD)
    } params;
    struct controller_stats {
        RTP_CONTROLLER_STATS(STAT_FIELD)
        RTP_CONTROLLER_BUCKETS(BUCKET_FIELD)
    } stats;
    struct account account;
    struct rtp_record *record;
    struct rtp_machine *machine;

    struct msg command;
    bool busy;
    uint64_t end;        /* loading: done is sent in this cycle */
    uint64_t start;      /* writing: since when */
    uint32_t asked, got; /* lines asked for, lines that are there */
    uint32_t answers;    /* threads' results that have come */
    uint64_t line_at;    /* a line is there in this cycle; CYCLE_NEVER: none */
};

static bool build(struct unit *u, struct error *error)
{
    struct controller *c = (struct controller *)u;
    if (u->links[MEM] != MEM_PORTS || u->links[DATA] != MEM_PORTS)
        return error_set(error, "expected %d mem and data links", MEM_PORTS);
    c->machine = rtp_machine_build(u);
    c->record = rtp_record_new(u);
    c->account.bucket = &c->stats.idle;
    return true;
}

/* ---- loading ---- */

static uint32_t lines_of(uint32_t words)
{
    uint32_t per_line = LINE / 4;
    return words ? (words + per_line - 1) / per_line : 1;
}

static uint64_t block_cycles(struct controller *c, uint32_t *lines)
{
    const struct rtp_machine *m = c->machine;
    uint64_t cycles = 0;
    switch (c->command.op) {
    case RTP_BLOCK_COUNT:
        *lines = 1;
        return (uint64_t)c->params.count_line;
    case RTP_BLOCK_PROGRAM:
        *lines = lines_of(m->code_words);
        return *lines * (uint64_t)c->params.word_line;
    case RTP_BLOCK_CONSTANTS:
        *lines = lines_of(m->const_words);
        return *lines * (uint64_t)c->params.word_line;
    default:
        *lines = rtp_scene_lines(&m->scene);
        for (uint32_t i = 0; i < *lines; i++)
            cycles += rtp_scene_line_cycles(&m->scene, i);
        return cycles;
    }
}

static void begin(struct controller *c, uint64_t now)
{
    uint32_t lines;
    assert(!c->busy && c->command.op <= RTP_WRITE_OUT);
    c->busy = true;
    c->start = now;
    c->asked = c->got = c->answers = 0;
    c->line_at = CYCLE_NEVER;
    if (c->command.op == RTP_WRITE_OUT) {
        const struct rtp_event e = {now,          RTP_wr_go,      RTP_NO_FIELD,
                                    RTP_NO_FIELD, c->command.tag, RTP_NO_FIELD};
        rtp_note(c->record, &e);
        account_switch(&c->account, now, &c->stats.write);
        return;
    }
    c->end = now + (uint64_t)c->params.dma_latency + block_cycles(c, &lines);
    c->stats.lines_in += lines;
    account_switch(&c->account, now, &c->stats.load);
}

/* ---- writing ---- */

/* A line is there in the cycle after its last thread's result has come. */
static void take_data(struct controller *c, uint32_t port, uint64_t now)
{
    struct unit *u = &c->unit;
    struct msg m = link_pop(&u->in[DATA][port]);
    struct payload p = msg_payload(u, &m);
    assert(c->busy && c->command.op == RTP_WRITE_OUT && m.tag < RTP_THREADS);
    memcpy(c->machine->results[c->command.tag][m.tag], p.bytes, 16);
    if (++c->answers % MEM_PORTS == 0)
        c->line_at = now + 1;
}

static void ask_line(struct controller *c)
{
    for (uint32_t i = 0; i < MEM_PORTS; i++) {
        uint32_t thread = c->asked * MEM_PORTS + i;
        const struct msg m = {.addr = (uint64_t)thread * RTP_LOCAL_BYTES +
                                      RTP_RESULT,
                              .tag = thread,
                              .size = 16,
                              .op = RTP_MEM_READ};
        link_push(&c->unit.out[MEM][i], &m);
    }
    c->asked++;
}

static uint64_t asks_at(const struct controller *c, uint32_t line)
{
    return c->start + line * (uint64_t)c->params.write_line;
}

static void write_lines(struct controller *c, uint64_t now)
{
    if (now == c->line_at) {
        const struct rtp_event e = {now,          RTP_wr_line,  RTP_NO_FIELD,
                                    RTP_NO_FIELD, RTP_NO_FIELD, RTP_NO_FIELD};
        rtp_note(c->record, &e);
        c->stats.lines_out++;
        c->line_at = CYCLE_NEVER;
        if (++c->got == LINES)
            c->end = now + (uint64_t)c->params.dma_write - 1;
    }
    if (c->asked < LINES && now == asks_at(c, c->asked))
        ask_line(c);
}

/* ---- the cycle ---- */

static void rtp_controller_receive(struct unit *u, uint64_t now)
{
    struct controller *c = (struct controller *)u;
    if (*unit_pending(u, COMMAND)) {
        c->command = link_pop(&u->in[COMMAND][0]);
        begin(c, now);
    }
    for (uint64_t p = *unit_pending(u, DATA); p; p &= p - 1)
        take_data(c, (uint32_t)__builtin_ctzll(p), now);
}

static uint64_t next_step(const struct controller *c)
{
    if (c->command.op != RTP_WRITE_OUT || c->got == LINES)
        return c->end;
    uint64_t ask = c->asked < LINES ? asks_at(c, c->asked) : CYCLE_NEVER;
    return c->line_at < ask ? c->line_at : ask;
}

static uint64_t rtp_controller_send(struct unit *u, uint64_t now)
{
    struct controller *c = (struct controller *)u;
    bool writes = c->command.op == RTP_WRITE_OUT;
    if (!c->busy)
        return CYCLE_NEVER;
    if (writes && c->got < LINES)
        write_lines(c, now);
    if ((writes && c->got < LINES) || now < c->end)
        return next_step(c);
    const struct msg done = {
        .op = c->command.op, .tag = c->command.tag, .value = c->end};
    link_push(&u->out[DONE][0], &done);
    c->busy = false;
    account_tick(&c->account, now, c->account.bucket, &c->stats.idle);
    return CYCLE_NEVER;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct controller *c = (struct controller *)u;
    account_switch(&c->account, now, c->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    static const char *const what[] = {"the pixel count", "the program",
                                       "constants", "triangles", "results"};
    const struct controller *c = (const struct controller *)u;
    if (c->busy)
        fprintf(out, "%s: %s of patch %u\n", u->name, what[c->command.op],
                c->command.tag);
}

#define PARAM_STRUCT struct controller_params
#define STAT_STRUCT struct controller_stats
static const struct param param_rows[] = {RTP_CONTROLLER_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {RTP_CONTROLLER_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {
    RTP_CONTROLLER_BUCKETS(BUCKET_ROW)};

#define STATE_STRUCT struct controller
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
    STATE_POINTER(record),
    STATE_POINTER(machine),
};

const struct unit_kind rtp_controller_kind = {
    .name = "rtp_controller",
    .meaning = "memory controller with host DMA",
    .size = sizeof(struct controller),
    .params = offsetof(struct controller, params),
    .stats = offsetof(struct controller, stats),
    UNIT_TABLES,
    UNIT_STATE,
    .build = build,
    .receive = rtp_controller_receive,
    .send = rtp_controller_send,
    .close = close_account,
    .explain = explain,
};
