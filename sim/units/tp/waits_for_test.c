/*
 * A run in which nothing goes on names who waits for whom, and where that ends:
 * at a memory that forgets an answer, at one that takes nothing, at a link that
 * returns no credits.
 */
#include "sim/core/waits.h"
#include "sim/units/tp/tp_bench.h"

/* What was said, a line each. */
struct said {
    char text[4096];
};

static void keep(void *context, const char *line)
{
    struct said *s = context;
    size_t used = strlen(s->text);
    snprintf(s->text + used, sizeof s->text - used, "%s\n", line);
}

static void expect_said(const struct bench *b, const char *chains,
                        const char *links)
{
    struct said said = {""}, of_links = {""};
    assert_int_equal(b->stop, ENGINE_DEADLOCK);
    waits_chains(b->chip, 8, keep, &said);
    assert_string_equal(said.text, chains);
    waits_links(b->chip, 8, keep, &of_links);
    assert_string_equal(of_links.text, links);
}

/* A core that loads through a cache. */
static struct below *build_way(struct bench *b)
{
    struct unit *tp = build_core(b), *l1 = bench_unit(b, "cache", "l1");
    bench_link(b, tp, "mem", l1, "cpu", DEPTH);
    bench_link(b, l1, "reply", tp, "data", 0);
    return bench_below(b, l1, "mem", "fill", FAR);
}

/* An atomic, as those are what a below may drop. */
static void play_way(void (*build_it)(struct bench *b),
                     void (*check)(struct bench *b))
{
    play_on(build_it, check,
            &(struct program){.harts = 1,
                              .words = {ADDI(5, 0, 64), AMOADD(6, 0, 5),
                                        ADDI(7, 6, 1), ECALL}});
}

/* ---- an answer that never comes ---- */

static void build_dropped(struct bench *b)
{
    build_way(b)->fault = DROPPED;
}

static void check_dropped(struct bench *b)
{
    expect_said(b,
                "tp waits for an answer of l1, which waits for an answer of "
                "below0, which waits for no other\n",
                "");
}

static void an_answer_that_never_comes(void **unused)
{
    play_way(build_dropped, check_dropped);
}

/* ---- a link that is never drained ---- */

static void build_closed(struct bench *b)
{
    build_way(b)->closed_until = CYCLE_NEVER;
}

static void check_closed(struct bench *b)
{
    expect_said(b,
                "tp waits for an answer of l1, which waits for an answer of "
                "below0, which waits for no other, and has 1 message that it "
                "does not take\n",
                "link l1.mem to below0.in: 1 message is not taken\n");
}

static void a_link_that_is_never_drained(void **unused)
{
    play_way(build_closed, check_closed);
}

/* ---- credits that are lost ---- */

enum { ASK, ANSWER };
static const struct port_row ports[] = {
    [ASK] = {"ask", false, 1, "requests"},
    [ANSWER] = {"answer", true, 1, "answers", .answers = true},
};
static const struct stat_row stat_rows[] = {{"hash", "", "of nothing", 0}};

struct leak {
    struct unit unit;
    struct toy_stats stats;
};

static bool leak_build(struct unit *u, struct error *error)
{
    return true;
}

/* From here on no pop returns a credit. */
static void leak_complete(struct unit *u)
{
    u->in[ASK][0].credited = false;
}

static void leak_receive(struct unit *u, uint64_t now)
{
    link_pop(&u->in[ASK][0]);
    unit_skip_send(u);
}

static const struct unit_kind leak_kind = {
    .name = "leak",
    .meaning = "takes requests and returns no credits",
    .size = sizeof(struct leak),
    .stats = offsetof(struct leak, stats),
    .stat_rows = stat_rows,
    .stat_count = 1,
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    .build = leak_build,
    .complete = leak_complete,
    .receive = leak_receive,
};

static void build_leak(struct bench *b)
{
    struct unit *tp = build_core(b), *leak = bench_unit(b, "leak", "leak");
    bench_far_link(b, tp, "mem", leak, "ask", 1, 1);
    bench_far_link(b, leak, "answer", tp, "data", 1, 0);
}

static void check_leak(struct bench *b)
{
    /* A credit more for each cycle of the way between tiles and back. */
    const char *lost =
        b->together ? "link tp.mem to leak.ask: 1 of 1 credits are lost\n"
                    : "link tp.mem to leak.ask: 3 of 3 credits are lost\n";
    expect_said(b, "tp waits for room at leak, which waits for no other\n",
                lost);
}

static void credits_that_are_lost(void **unused)
{
    const struct program stores = {
        .harts = 1,
        .words = {ADDI(5, 0, 64), SD(6, 0, 5), SD(6, 8, 5), SD(6, 16, 5),
                  SD(6, 24, 5), SD(6, 32, 5), ECALL}};
    bench_play(&(struct scenario){.build = build_leak,
                                  .check = check_leak,
                                  .serve = serve,
                                  .with = &stores,
                                  .toy = &leak_kind});
}

/* ---- units that wait in a ring ---- */

static const struct outport *waits_for_next(const struct unit *u)
{
    return u->out[ANSWER];
}

static void build_ring(struct bench *b)
{
    struct unit *one = bench_unit(b, "leak", "one");
    struct unit *two = bench_unit(b, "leak", "two");
    bench_link(b, one, "answer", two, "ask", DEPTH);
    bench_link(b, two, "answer", one, "ask", DEPTH);
}

static void check_ring(struct bench *b)
{
    expect_said(b,
                "one waits for an answer of two, which waits for an answer of "
                "one, which is on the way already: they wait in a ring\n",
                "");
}

static void units_that_wait_in_a_ring(void **unused)
{
    struct unit_kind kind = leak_kind;
    kind.waits_for = waits_for_next;
    bench_play(&(struct scenario){
        .build = build_ring, .check = check_ring, .toy = &kind});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_that_never_comes),
        cmocka_unit_test(a_link_that_is_never_drained),
        cmocka_unit_test(credits_that_are_lost),
        cmocka_unit_test(units_that_wait_in_a_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
