/*
 * A unit for each rule of the contract that breaks it: a checked build names
 * the unit and the rule. Skipped in other builds.
 */
#include "sim/core/unit.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum wrong {
    NOTHING,
    TAKES_IN_SEND,
    SENDS_IN_RECEIVE,
    SLEEPS_INTO_THE_PAST,
    WAKES_IN_THE_PAST,
    SENDS_WITHOUT_ROOM,
    TAKES_FROM_AN_EMPTY_LINK,
    TAKES_A_PAYLOAD_TWICE,
    LEAVES_A_PAYLOAD,
    SENDS_WHAT_IT_HAS_READ,
    CONFUSES_ITS_PORTS,
    SENDS_BY_ANOTHERS_PORT,
    FORWARDS_BY_ANOTHERS_PORT,
    BOOKS_TOO_MUCH,
    ALLOCATES,
    WRITES_TO_ANOTHER,
    WRITES_TO_ANOTHERS_ARRAY,
    WRITES_FAR_INTO_ANOTHERS_ARRAY,
    USES_A_PORT_WITHOUT_LINKS,
    ASKS_AN_OUTPUT,
};

struct stats {
    uint64_t busy, idle;
};
struct wrong_unit {
    struct unit unit;
    int64_t params[1];
    struct stats stats;
    struct account account;
    enum wrong wrong;
    struct wrong_unit *other; /* at the other end of both links */
    const struct msg *read;
    uint64_t mine;
    uint64_t *array; /* its own, too */
    unsigned turns;
};

#define ARRAY 1000u

enum { IN, SPARE, OUT };
static const struct port_row ports[] = {
    [IN] = {"in", false, 1, ""},
    [SPARE] = {"spare", true, 1, "that no link is connected to"},
    [OUT] = {"out", true, 1, ""},
};

static bool wrong_build(struct unit *u, struct error *error)
{
    struct wrong_unit *w = (struct wrong_unit *)u;
    w->account.bucket = &w->stats.idle;
    w->array = chip_alloc(u->chip, ARRAY, sizeof *w->array);
    return true;
}

static void take(struct wrong_unit *w)
{
    struct unit *u = &w->unit;
    w->read = link_read(u->in[IN]);
    if (w->wrong != LEAVES_A_PAYLOAD)
        msg_payload(u, w->read);
    if (w->wrong == TAKES_A_PAYLOAD_TWICE)
        msg_payload(u, w->read);
}

static void wrong_receive(struct unit *u, uint64_t now)
{
    struct wrong_unit *w = (struct wrong_unit *)u;
    take(w);
    if (w->wrong == ASKS_AN_OUTPUT)
        w->mine = *unit_pending(u, OUT);
    if (w->wrong == TAKES_FROM_AN_EMPTY_LINK)
        link_read(u->in[IN]);
    if (w->wrong == CONFUSES_ITS_PORTS)
        link_read((struct inport *)(void *)u->out[OUT]);
    if (w->wrong == SENDS_IN_RECEIVE)
        link_push(u->out[OUT], &(struct msg){0});
    if (w->wrong == WAKES_IN_THE_PAST)
        unit_wake(u, now);
}

static void push(struct wrong_unit *w)
{
    struct outport *o =
        (w->wrong == SENDS_BY_ANOTHERS_PORT ? w->other : w)->unit.out[OUT];
    struct msg m = {0};
    struct payload bytes = {{0}};
    const struct msg *sent =
        w->wrong == SENDS_WHAT_IT_HAS_READ && w->read ? w->read : &m;
    if (link_ready(o))
        link_push_full(o, sent, &bytes);
    if (w->wrong == SENDS_WITHOUT_ROOM)
        link_push(o, sent);
}

static uint64_t wrong_send(struct unit *u, uint64_t now)
{
    struct wrong_unit *w = (struct wrong_unit *)u;
    account_tick(&w->account, now, &w->stats.busy, &w->stats.idle);
    if (w->wrong == TAKES_IN_SEND && w->turns > 3)
        link_read(u->in[IN]);
    if (w->wrong == ALLOCATES)
        chip_alloc(u->chip, 1, 1);
    if (w->wrong == WRITES_TO_ANOTHER)
        w->other->mine++;
    if (w->wrong == WRITES_TO_ANOTHERS_ARRAY)
        w->other->array[0]++;
    if (w->wrong == WRITES_FAR_INTO_ANOTHERS_ARRAY)
        w->other->array[ARRAY - 1]++;
    if (w->wrong == USES_A_PORT_WITHOUT_LINKS)
        link_ready(u->out[SPARE]);
    if (w->wrong == FORWARDS_BY_ANOTHERS_PORT)
        link_forward_later(w->other->unit.out[OUT], unit_new_msg(u), 1);
    if (w->wrong == BOOKS_TOO_MUCH)
        w->stats.busy++;
    push(w);
    return w->wrong == SLEEPS_INTO_THE_PAST ? now
           : ++w->turns < 40                ? now + 1
                                            : CYCLE_NEVER;
}

static void wrong_close(struct unit *u, uint64_t now)
{
    struct wrong_unit *w = (struct wrong_unit *)u;
    account_switch(&w->account, now, w->account.bucket);
}

#define STAT_STRUCT struct stats
static const struct stat_row bucket_rows[] = {
    BUCKET_ROW(busy, BUSY, "cycles", "") BUCKET_ROW(idle, IDLE, "cycles", "")};
static const struct unit_kind wrong_kind = {
    .name = "wrong",
    .size = sizeof(struct wrong_unit),
    .params = offsetof(struct wrong_unit, params),
    .stats = offsetof(struct wrong_unit, stats),
    .bucket_rows = bucket_rows,
    .bucket_count = TABLE_COUNT(bucket_rows),
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    .build = wrong_build,
    .receive = wrong_receive,
    .send = wrong_send,
    .close = wrong_close,
};
static const struct unit_kind *const kinds[] = {&wrong_kind, NULL};

/* Two units that send to each other, the first of which breaks a rule. */
static void run(enum wrong wrong)
{
    struct error e;
    struct chip *chip = chip_new(kinds, NULL);
    struct tile *tile = chip_tile(chip, "tile");
    struct unit *a = chip_unit(chip, tile, "wrong", "a", NULL, &e);
    struct unit *b = chip_unit(chip, tile, "wrong", "b", NULL, &e);
    if (!chip_link(chip, a, "out", b, "in", 1, 1, &e) ||
        !chip_link(chip, b, "out", a, "in", 1, 1, &e) || !chip_finish(chip, &e))
        exit(2);
    ((struct wrong_unit *)a)->wrong = wrong;
    ((struct wrong_unit *)a)->other = (struct wrong_unit *)b;
    struct engine_options options = {.threads = 1};
    struct engine_hooks hooks = {0};
    struct engine *engine = engine_new(chip, &options, &hooks);
    engine_run(engine, 1000, 0);
    engine_free(engine);
    chip_free(chip);
}

/* What it says on stderr, run in a process of its own. */
static void said(enum wrong wrong, char *text, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        run(wrong);
        _exit(0);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    text[fread(text, 1, size - 1, in)] = 0;
    fclose(in);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WIFEXITED(status) && !WEXITSTATUS(status), !text[0]);
}

static void each_rule_that_is_broken_is_named(void **state)
{
    static const struct {
        enum wrong wrong;
        const char *unit, *rule;
    } rows[] = {
        {TAKES_IN_SEND, "a (wrong)", RULE_RECEIVE},
        {SENDS_IN_RECEIVE, "a (wrong)", RULE_SEND},
        {SLEEPS_INTO_THE_PAST, "a (wrong)", RULE_WAKE},
        {WAKES_IN_THE_PAST, "a (wrong)", RULE_WAKE},
        {SENDS_WITHOUT_ROOM, "a (wrong)", RULE_ROOM},
        {TAKES_FROM_AN_EMPTY_LINK, "a (wrong)", RULE_EMPTY},
        {TAKES_A_PAYLOAD_TWICE, "a (wrong)", RULE_TWICE},
        {LEAVES_A_PAYLOAD, "a (wrong)", RULE_LEFT},
        {SENDS_WHAT_IT_HAS_READ, "a (wrong)", RULE_GONE},
        {CONFUSES_ITS_PORTS, "a (wrong)", RULE_PORTS},
        {SENDS_BY_ANOTHERS_PORT, "a (wrong)", RULE_PORTS},
        {FORWARDS_BY_ANOTHERS_PORT, "a (wrong)", RULE_PORTS},
        {BOOKS_TOO_MUCH, "a (wrong)", RULE_BUCKETS},
        {ALLOCATES, "a (wrong)", RULE_ALLOCATES},
        {WRITES_TO_ANOTHER, "b (wrong)", RULE_OWNER},
        {WRITES_TO_ANOTHERS_ARRAY, "b (wrong)", RULE_OWNER},
        {WRITES_FAR_INTO_ANOTHERS_ARRAY, "b (wrong)", RULE_OWNER},
        {USES_A_PORT_WITHOUT_LINKS, "a (wrong)", RULE_PORTS},
        {ASKS_AN_OUTPUT, "a (wrong)", RULE_INPUT},
    };
    (void)state;
    char text[300];
    for (size_t i = 0; i < TABLE_COUNT(rows); i++) {
        said(rows[i].wrong, text, sizeof text);
        if (!strstr(text, rows[i].rule) ||
            strncmp(text, rows[i].unit, strlen(rows[i].unit)) != 0)
            fail_msg("expected '%s: %s', got '%s'", rows[i].unit, rows[i].rule,
                     text);
    }
}

static void a_unit_that_keeps_them_runs(void **state)
{
    (void)state;
    char text[300];
    said(NOTHING, text, sizeof text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_that_keeps_them_runs),
        cmocka_unit_test(each_rule_that_is_broken_is_named),
    };
    if (!CHECKED) {
        puts("skipped: this is no checked build (make checked)");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
