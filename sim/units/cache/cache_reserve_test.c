/*
 * Loops of lr and sc by more harts than any table of a few reservations holds:
 * each of them succeeds, in turn and within a bound, whether they share a word
 * or have one each, wherever atomics are performed, and whatever harts do that
 * reserve and never store.
 */
#include "sim/units/common/bench.h"

#define FAR 30u
#define HARTS_MOST 64u
#define CLIENTS 4u
#define WORD 0x1000u
/* Clients stay awake so long after all is done. Turns that ended early have
 * left wake-ups, and a run ends with the last thing that happens in any tile.
 */
#define REST 1000u

enum { IN, OUT };

/* What all harts of a system do. */
struct plan {
    unsigned harts, wins; /* harts of each client; times that each adds */
    unsigned delay;       /* cycles between the answer to lr and the sc */
    unsigned slow;        /* the same of the last hart of each, 0: as others */
    unsigned quitters;    /* of each client: try, but never store */
    bool apart;           /* each hart adds to a sector of its own */
    bool l1, here;        /* one for all; it performs atomics */
    int64_t hold;
    unsigned ahead; /* successes that a hart may have more than another */
    bool share;     /* or as many more as that has */
    unsigned each;  /* cycles that a success may take, on average */
};

enum step { TO_RESERVE, RESERVING, TO_STORE, STORING, DONE };

struct trier {
    enum step state;
    unsigned wins;
    uint64_t at; /* not before this cycle */
    uint64_t value;
};

struct client {
    struct unit unit;
    struct toy_stats stats;
    const struct plan *plan;
    unsigned number, next;
    uint64_t end; /* when it may sleep */
    struct trier harts[HARTS_MOST];
};

/* ---- harts ---- */

static uint64_t word_of(const struct client *c, unsigned hart)
{
    unsigned number = c->number * c->plan->harts + hart;
    return WORD + (c->plan->apart ? number * SECTOR : 0);
}

static bool quits(const struct client *c, unsigned hart)
{
    return hart < c->plan->quitters;
}

static void ask(struct client *c, unsigned hart)
{
    struct trier *t = &c->harts[hart];
    bool reserves = t->state == TO_RESERVE;
    struct msg m = {.op = MEM_ATOMIC,
                    .aux = reserves ? ISA_LR : ISA_SC,
                    .addr = word_of(c, hart),
                    .size = 4,
                    .value = reserves ? 0 : t->value + 1,
                    .from = c->number * c->plan->harts + hart,
                    .tag = hart};
    link_push(&c->unit.out[OUT][0], &m);
    t->state = reserves ? RESERVING : STORING;
}

static unsigned delay_of(const struct client *c, unsigned hart)
{
    bool last = hart + 1 == c->plan->harts;
    return last && c->plan->slow ? c->plan->slow : c->plan->delay;
}

static void won(const struct client *c, struct trier *t)
{
    t->state = ++t->wins == c->plan->wins ? DONE : TO_RESERVE;
}

static void take(struct client *c, const struct msg *m, uint64_t now)
{
    struct trier *t = &c->harts[m->tag];
    t->at = now + (t->state == RESERVING ? delay_of(c, m->tag) : 1);
    if (t->state == STORING && !m->value) {
        won(c, t);
    } else if (t->state == RESERVING && !quits(c, m->tag)) {
        t->value = m->value;
        t->state = TO_STORE;
    } else if (t->state == RESERVING) {
        won(c, t);
    } else {
        t->state = TO_RESERVE;
    }
}

static void client_receive(struct unit *u, uint64_t now)
{
    struct client *c = (struct client *)u;
    while (*unit_pending(u, IN)) {
        struct msg m = link_pop(&u->in[IN][0]);
        c->stats.hash = (c->stats.hash ^ m.value ^ now) * 0x9e3779b97f4a7c15u;
        take(c, &m, now);
    }
}

static bool acts(const struct trier *t, uint64_t now)
{
    return (t->state == TO_RESERVE || t->state == TO_STORE) && t->at <= now;
}

/* One request a cycle, of the harts in turn. */
static uint64_t client_send(struct unit *u, uint64_t now)
{
    struct client *c = (struct client *)u;
    unsigned harts = c->plan->harts, busy = 0;
    for (unsigned i = 0; i < harts; i++)
        busy += c->harts[i].state != DONE;
    for (unsigned i = 0; i < harts && link_ready(&u->out[OUT][0]); i++) {
        unsigned hart = (c->next + i) % harts;
        if (!acts(&c->harts[hart], now))
            continue;
        ask(c, hart);
        c->next = hart + 1;
        break;
    }
    if (busy)
        c->end = now + REST;
    return now < c->end ? now + 1 : CYCLE_NEVER;
}

static bool client_build(struct unit *u, struct error *error)
{
    return true;
}

static const struct port_row ports[] = {
    [IN] = {"in", false, 1, "answers"},
    [OUT] = {"out", true, 1, "requests"},
};
static const struct stat_row stat_rows[] = {
    {"hash", "", "of all that came in", 0}};

static const struct unit_kind client_kind = {
    .name = "client",
    .meaning = "harts that loop over lr and sc",
    .size = sizeof(struct client),
    .stats = offsetof(struct client, stats),
    .stat_rows = stat_rows,
    .stat_count = 1,
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    .build = client_build,
    .receive = client_receive,
    .send = client_send,
};

/* ---- systems ---- */

static struct unit *make_cache(struct bench *b, const char *name)
{
    const struct plan *p = b->scenario->with;
    struct unit *c = bench_unit(b, "cache", name);
    bench_set(b, c, "size", 1024);
    bench_set(b, c, "ways", 4);
    bench_set(b, c, "latency", 3);
    bench_set(b, c, "pass", 1);
    bench_set(b, c, "hold", p->hold);
    return c;
}

static void build(struct bench *b)
{
    const struct plan *p = b->scenario->with;
    struct unit *owner = make_cache(b, "owner"), *first = owner;
    bench_set(b, owner, "owner", 1);
    bench_below(b, owner, "mem", "fill", FAR);
    if (p->l1) {
        first = make_cache(b, "l1");
        bench_set(b, first, "atomics", p->here);
        bench_link(b, first, "mem", owner, "cpu", 4);
        bench_link(b, owner, "reply", first, "fill", 0);
    }
    for (unsigned i = 0; i < CLIENTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "client%u", i);
        struct client *c = (struct client *)bench_unit(b, "client", name);
        c->plan = p;
        c->number = i;
        bench_link(b, c, "out", first, "cpu", 4);
        bench_link(b, first, "reply", c, "in", 0);
    }
}

static const struct client *client_at(const struct bench *b, unsigned i)
{
    return (const struct client *)b->units[b->unit_count - CLIENTS + i];
}

static void check(struct bench *b)
{
    const struct plan *p = b->scenario->with;
    unsigned storing = p->harts - p->quitters;
    for (unsigned i = 0; i < CLIENTS; i++)
        for (unsigned hart = 0; hart < p->harts; hart++)
            assert_int_equal(client_at(b, i)->harts[hart].state, DONE);
    if (!p->apart)
        assert_int_equal(*bench_word(b, WORD), CLIENTS * storing * p->wins);
    for (unsigned i = 0; p->apart && i < CLIENTS * p->harts; i++)
        assert_int_equal(*bench_word(b, WORD + i * SECTOR), p->wins);
    uint64_t most = (uint64_t)CLIENTS * p->harts * p->wins * p->each + 2 * REST;
    if (b->cycles > most)
        fail_msg("%llu cycles, at most %llu expected",
                 (unsigned long long)b->cycles, (unsigned long long)most);
}

/* No hart may be far ahead of another that is still at work. */
static void check_fairness(struct bench *b)
{
    const struct plan *p = b->scenario->with;
    unsigned least = ~0u, most = 0;
    assert_int_equal(b->stop, ENGINE_LIMIT);
    for (unsigned i = 0; i < CLIENTS; i++)
        for (unsigned hart = 0; hart < p->harts; hart++) {
            unsigned wins = client_at(b, i)->harts[hart].wins;
            least = wins < least ? wins : least;
            most = wins > most ? wins : most;
        }
    unsigned ahead = p->share && least > p->ahead ? least : p->ahead;
    if (!least || most > least + ahead)
        fail_msg("between %u and %u successes", least, most);
}

static void play(struct plan p)
{
    struct scenario s = {
        .build = build, .check = check, .with = &p, .toy = &client_kind};
    bench_play(&s);
}

static void play_until(struct plan p, uint64_t cycle)
{
    struct scenario s = {.build = build,
                         .check = check_fairness,
                         .with = &p,
                         .limit = cycle,
                         .toy = &client_kind};
    bench_play(&s);
}

/* ---- tests ---- */

static void all_harts_add_to_one_word(void **state)
{
    play((struct plan){.harts = 40, .wins = 3, .hold = 200, .each = 30});
    play((struct plan){
        .harts = 40, .wins = 3, .delay = 20, .hold = 200, .each = 50});
}

static void no_hart_gets_ahead_of_those_that_wait(void **state)
{
    struct plan p = {.harts = 40, .wins = 1000, .hold = 200, .ahead = 2};
    for (uint64_t cycle = 8000; cycle < 20000; cycle += 2999)
        play_until(p, cycle);
    play_until(p, 100000);
}

static void each_hart_has_a_reservation_of_its_own(void **state)
{
    play((struct plan){.harts = 40,
                       .wins = 3,
                       .delay = 20,
                       .apart = true,
                       .hold = 200,
                       .each = 60});
    play((struct plan){
        .harts = 40, .wins = 2, .delay = 20, .apart = true, .each = 60});
}

static void
those_who_never_store_hold_up_others_for_their_turns_only(void **state)
{
    play((struct plan){
        .harts = 20, .wins = 3, .quitters = 5, .hold = 50, .each = 60});
}

static void without_turns_some_hart_succeeds_nevertheless(void **state)
{
    play((struct plan){.harts = 10, .wins = 3, .each = 300});
}

/* Most harts look once and leave: they cost little beside a look-up each. */
static void harts_that_only_look_wait_for_no_turn(void **state)
{
    play((struct plan){
        .harts = 64, .wins = 30, .quitters = 60, .hold = 1000, .each = 4});
}

/* An sc that comes after the turn fails; in time turns are long enough. Slow
 * harts take longer, also for the first lr and sc, which are no turn. */
static void turns_grow_to_what_an_sc_takes(void **state)
{
    struct plan p = {.harts = 10,
                     .wins = 1000,
                     .slow = 300,
                     .hold = 1,
                     .ahead = 8,
                     .share = true};
    play_until(p, 80000);
}

static void lr_that_wait_are_in_nobodys_way(void **state)
{
    play((struct plan){
        .harts = 40, .wins = 2, .l1 = true, .hold = 200, .each = 60});
}

static void a_copy_that_performs_atomics_gives_turns(void **state)
{
    play((struct plan){.harts = 40,
                       .wins = 2,
                       .l1 = true,
                       .here = true,
                       .hold = 200,
                       .each = 40});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_harts_add_to_one_word),
        cmocka_unit_test(no_hart_gets_ahead_of_those_that_wait),
        cmocka_unit_test(each_hart_has_a_reservation_of_its_own),
        cmocka_unit_test(
            those_who_never_store_hold_up_others_for_their_turns_only),
        cmocka_unit_test(without_turns_some_hart_succeeds_nevertheless),
        cmocka_unit_test(harts_that_only_look_wait_for_no_turn),
        cmocka_unit_test(turns_grow_to_what_an_sc_takes),
        cmocka_unit_test(lr_that_wait_are_in_nobodys_way),
        cmocka_unit_test(a_copy_that_performs_atomics_gives_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
