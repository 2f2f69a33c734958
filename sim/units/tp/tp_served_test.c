/*
 * The thread processor with instructions of shapes that no row of served.def
 * has yet: many words, several groups, an answer without words, a hart that
 * waits. The test has a table of its own, in which the encodings of
 * trav.traceray and trav.fchthrd mean something else.
 */
#include "sim/isa/rows.h"
#include "sim/isa/served.h"
#include "sim/units/common/served_words.h"
#include "sim/units/tp/tp_bench.h"

#define PATIENCE 40u /* cycles from a request to its answer */

static const struct isa_group sends[] = {{ISA_GROUP_F, ISA_AT_RS1, 8},
                                         {ISA_GROUP_X, 10, 1},
                                         {ISA_GROUP_W, 11, 1},
                                         {0}};
static const struct isa_group receives[] = {
    {ISA_GROUP_F, ISA_AT_RD, 10}, {ISA_GROUP_W, 12, 1}, {0}};

/* trav.traceray fd, fs1: a ray, an address and a number; a record comes back.
 * trav.fchthrd: an address is stored to, nothing comes back. */
static struct isa_served load =
                             {
                                 .cls = ISA_CLASS_traceray,
                                 .sent = 11,
                                 .received = 11,
},
                         store = {.sends = {{ISA_GROUP_X, 10, 1}},
                                  .cls = ISA_CLASS_fchthrd,
                                  .sent = 2};

const struct isa_served *isa_served(unsigned cls)
{
    memcpy(load.sends, sends, sizeof sends);
    memcpy(load.receives, receives, sizeof receives);
    return cls == ISA_CLASS_traceray  ? &load
           : cls == ISA_CLASS_fchthrd ? &store
                                      : NULL;
}

const struct isa_served *isa_served_op(unsigned op)
{
    return isa_served(isa_rows[op % OP_ROWS].cls);
}

/* ---- the unit that serves them ---- */

struct server {
    struct unit unit;
    struct toy_stats stats;
    uint32_t sent[ISA_SERVED_WORDS];
    uint64_t due; /* the answer, 0: none */
    uint32_t tag;
    uint8_t words; /* of the answer */
    unsigned requests;
};

enum { ASK, ANSWER };
static const struct port_row ports[] = {
    [ASK] = {"ask", false, 1, "requests"},
    [ANSWER] = {"answer", true, 1, "answers", .answers = true},
};
static const struct stat_row stat_rows[] = {{"hash", "", "of nothing", 0}};

static bool server_build(struct unit *u, struct error *error)
{
    return true;
}

static void server_receive(struct unit *u, uint64_t now)
{
    struct server *s = (struct server *)u;
    if (s->due) { /* one at a time */
        unit_wake(u, now + 1);
        return;
    }
    struct msg m = link_pop(&u->in[ASK][0]);
    const struct isa_served *row = isa_served(m.op);
    unsigned first;
    unsigned count = words_take(u, &m, s->sent, row->sent, &first);
    if (first + count < row->sent) {
        unit_wake(u, now + 1);
        return;
    }
    s->due = now + PATIENCE;
    s->tag = m.tag;
    s->words = row->received;
    s->requests++;
}

static uint64_t server_send(struct unit *u, uint64_t now)
{
    struct server *s = (struct server *)u;
    struct msg m = {.tag = s->tag};
    uint32_t words[ISA_SERVED_WORDS];
    if (!s->due || now < s->due)
        return s->due ? s->due : CYCLE_NEVER;
    for (unsigned i = 0; i < ISA_SERVED_WORDS; i++)
        words[i] = 0x900 + i;
    words_push(&u->out[ANSWER][0], &m, words, s->words);
    s->due = 0;
    return CYCLE_NEVER;
}

static const struct unit_kind server_kind = {
    .name = "server",
    .meaning = "answers all requests alike",
    .size = sizeof(struct server),
    .stats = offsetof(struct server, stats),
    .stat_rows = stat_rows,
    .stat_count = 1,
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    .build = server_build,
    .receive = server_receive,
    .send = server_send,
};

static void build_served(struct bench *b)
{
    struct unit *tp = build_core(b);
    struct unit *server = bench_unit(b, "server", "server");
    bench_below(b, tp, "mem", "data", FAR);
    bench_link(b, tp, "ray", server, "ask", DEPTH);
    bench_link(b, server, "answer", tp, "hit", 0);
    struct unit *storing = bench_unit(b, "server", "storing");
    bench_link(b, tp, "next", storing, "ask", DEPTH);
    bench_link(b, storing, "answer", tp, "index", 0);
}

static void play_served(void (*check)(struct bench *b), const struct program *p)
{
    bench_play(&(struct scenario){.build = build_served,
                                  .check = check,
                                  .serve = serve,
                                  .with = p,
                                  .toy = &server_kind});
}

static void play_loads(void (*check)(struct bench *b))
{
    play_served(check,
                &(struct program){
                    .harts = 1,
                    .words = {ADDI(10, 0, -5), ADDI(11, 0, 77), ADDI(5, 0, 9),
                              FMV_W_X(7, 5), RDCYCLE(6), TRACERAY(20, 0, 0),
                              RDCYCLE(7), ADDI(13, 12, 1), RDCYCLE(8),
                              FMV_X_W(14, 20), FMV_X_W(15, 29), ECALL}});
}

static const struct server *server(const struct bench *b, unsigned number)
{
    return (const struct server *)b->units[number];
}

static void check_words(const struct bench *b)
{
    const uint32_t *sent = server(b, 1)->sent;
    assert_int_equal(server(b, 1)->requests, 1);
    assert_int_equal(sent[7], 9);
    assert_int_equal(sent[8], (uint32_t)-5);
    assert_int_equal(sent[9], UINT32_MAX);
    assert_int_equal(sent[10], 77);
    assert_int_equal(x(b, 0, 13), 0x900 + 10 + 1);
    assert_int_equal(x(b, 0, 14), 0x900);
    assert_int_equal(x(b, 0, 15), 0x909);
}

static void check_goes_on(struct bench *b)
{
    check_words(b);
    assert_int_equal(x(b, 0, 7) - x(b, 0, 6), 2);
    assert_true(x(b, 0, 8) - x(b, 0, 7) > PATIENCE);
}

static void many_words_go_and_come(void **unused)
{
    play_loads(check_goes_on);
}

static void check_blocked(struct bench *b)
{
    check_words(b);
    assert_true(x(b, 0, 7) - x(b, 0, 6) > PATIENCE);
    assert_int_equal(x(b, 0, 8) - x(b, 0, 7), 2);
    assert_true(bench_stat(b->units[0], "wait_rtcore") > PATIENCE);
}

static void a_hart_that_waits_issues_nothing(void **unused)
{
    load.blocks = true;
    play_loads(check_blocked);
    load.blocks = false;
}

static void check_stored(struct bench *b)
{
    assert_int_equal(server(b, 2)->requests, 1);
    assert_int_equal(server(b, 2)->sent[0], 64);
    assert_int_equal(x(b, 0, 7) - x(b, 0, 6), 2);
    assert_true(x(b, 0, 8) - x(b, 0, 7) > PATIENCE);
}

/* Ahead of its cycle or not. */
static void a_fence_waits_for_an_answer_without_words(void **unused)
{
    const struct program p = {.harts = 1,
                              .words = {ADDI(10, 0, 64), RDCYCLE(6), FCHTHRD(0),
                                        RDCYCLE(7), FENCE, RDCYCLE(8), ECALL}};
    for (unsigned ahead = 0; ahead < 2; ahead++) {
        store.ahead = ahead;
        play_served(check_stored, &p);
    }
}

static void check_full(struct bench *b)
{
    assert_int_equal(server(b, 2)->requests, 32);
    /* Room for 22 at most is behind the port, and each takes PATIENCE. */
    assert_in_range(bench_stat(b->units[0], "full_index"), PATIENCE,
                    16 * PATIENCE);
    assert_stat(b->units[0], "full_memory", 0);
    assert_stat(b->units[0], "full_rtcore", 0);
    assert_stat(b->units[0], "full_sfu", 0);
}

static void a_full_port_is_booked_by_the_bucket_of_the_row(void **unused)
{
    struct program p = {.harts = 1};
    for (unsigned i = 0; i < 32; i++)
        p.words[i] = FCHTHRD(0);
    p.words[32] = ECALL;
    for (unsigned ahead = 0; ahead < 2; ahead++) {
        store.ahead = ahead;
        play_served(check_full, &p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_words_go_and_come),
        cmocka_unit_test(a_hart_that_waits_issues_nothing),
        cmocka_unit_test(a_fence_waits_for_an_answer_without_words),
        cmocka_unit_test(a_full_port_is_booked_by_the_bucket_of_the_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
