/*
 * The hit updater under random hits and loads of several clients, before a main
 * memory that answers in any order, with links of any depth. What a load may
 * get follows from a plain model: a record is the closest of the hits that have
 * come for it, so it is no farther than any that was answered before the load
 * was sent, it is one that was sent before the answer, and none that was sent
 * then is closer than all of them.
 */
#include "sim/units/common/bench.h"
#include "sim/units/common/stream.h"
#include <float.h>
#include <stdlib.h>

#define RECORDS 0x1000u
#define CLIENTS 3u
#define EACH 60u

struct chance {
    unsigned seed, records, ways, fetches, used, depth;
};

static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % limit;
}

/* ---- a memory that answers in any order ---- */

#define HELD 128u

struct shuffler {
    struct unit unit;
    uint32_t seed;
    struct msg held[HELD];
    uint64_t due[HELD];
    unsigned count;
    bool leftover;
    uint64_t fills, writes;
};

enum { IN, OUT };
static const struct port_row ports[] = {
    [IN] = {"in", false, 1, "requests"},
    [OUT] = {"out", true, 1, "answers", .answers = true},
};

static bool build_shuffler(struct unit *u, struct error *error)
{
    return true;
}

static void shuffler_receive(struct unit *u, uint64_t now)
{
    struct shuffler *s = (struct shuffler *)u;
    struct msg m = link_pop(&u->in[IN][0]);
    s->leftover = *unit_pending(u, IN) > 0;
    assert_int_equal(m.aux, CLIENT_HITS);
    assert_int_equal(m.size, SECTOR);
    s->fills += m.op == MEM_FILL;
    s->writes += m.op == MEM_WRITEBACK;
    if (m.op == MEM_WRITEBACK)
        return;
    assert_true(s->count < HELD);
    s->due[s->count] = now + 1 + random_below(&s->seed, 60);
    s->held[s->count++] = m;
}

static uint64_t shuffler_send(struct unit *u, uint64_t now)
{
    struct shuffler *s = (struct shuffler *)u;
    uint64_t next = CYCLE_NEVER;
    for (unsigned i = 0; i < s->count;) {
        if (s->due[i] > now) {
            next = s->due[i] < next ? s->due[i] : next;
            i++;
            continue;
        }
        s->held[i].op = MEM_DATA;
        link_push(&u->out[OUT][0], &s->held[i]);
        s->held[i] = s->held[--s->count];
        s->due[i] = s->due[s->count];
    }
    return s->leftover ? now + 1 : next;
}

static const struct unit_kind shuffler_kind = {
    .name = "shuffler",
    .meaning = "a memory that answers in any order",
    .size = sizeof(struct shuffler),
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    .build = build_shuffler,
    .receive = shuffler_receive,
    .send = shuffler_send,
};

/* ---- the scenario ---- */

static void ask_at_random(struct driver *d, const struct chance *c,
                          uint32_t *seed)
{
    uint64_t at = 0;
    for (unsigned i = 0; i < EACH; i++) {
        struct msg m = {.op = STREAM_HIT_LOAD};
        m.addr = RECORDS + 16 * random_below(seed, c->used);
        struct corbel_hit hit = {.t = (float)random_below(seed, 40),
                                 .index = random_below(seed, 3)};
        struct payload p = {{0}};
        memcpy(p.bytes, &hit, sizeof hit);
        bool load = random_below(seed, 3) == 0;
        if (!load)
            m.op = STREAM_HIT_STORE;
        at += random_below(seed, 8) ? 0 : random_below(seed, 150);
        driver_ask(d, at, m, load ? NULL : &p);
    }
}

static void new_client(struct bench *b, unsigned n, const struct chance *c)
{
    char name[16];
    snprintf(name, sizeof name, "client%u", n);
    struct driver *d = (struct driver *)bench_unit(b, "driver", name);
    b->drivers[b->driver_count++] = d;
    bench_far_link(b, d, "out", b->units[0], "hit", 1 + n, c->depth);
    bench_far_link(b, b->units[0], "record", d, "in", 1 + n, c->depth);
}

static void build(struct bench *b)
{
    const struct chance *c = b->scenario->with;
    uint32_t seed = c->seed;
    struct unit *u = bench_unit(b, "hitupdater", "hitupdater");
    bench_set(b, u, "records", c->records);
    bench_set(b, u, "ways", c->ways);
    bench_set(b, u, "fetches", c->fetches);
    struct shuffler *s = (struct shuffler *)bench_unit(b, "shuffler", "memory");
    s->seed = c->seed;
    bench_link(b, u, "mem", s, "in", c->depth);
    bench_link(b, s, "out", u, "data", c->depth);
    for (unsigned i = 0; i < c->used; i++) {
        struct corbel_hit none = {.t = 30, .index = 1};
        memcpy(machine_at(&b->machine, RECORDS + 16 * i), &none, sizeof none);
    }
    for (unsigned n = 0; n < CLIENTS; n++) {
        new_client(b, n, c);
        ask_at_random(b->drivers[n], c, &seed);
    }
    struct driver *d = (struct driver *)bench_unit(b, "driver", "scheduler");
    b->drivers[b->driver_count++] = d;
    bench_link(b, d, "out", u, "flush", 1);
    driver_ask(d, 20000, (struct msg){.op = STREAM_FLUSH}, NULL);
}

/* ---- the model ---- */

/* One number for the order of hits. */
static uint64_t rank(const struct corbel_hit *hit)
{
    return (uint64_t)(hit->t * 256) << 32 | hit->index;
}

static uint64_t rank_of(const struct payload *p)
{
    struct corbel_hit hit = stream_hit(p->bytes);
    return rank(&hit);
}

/* Of the hits for a record, which were sent before `before`, or answered before
 * it, the closest. */
static uint64_t closest(const struct bench *b, uint64_t address,
                        uint64_t before, bool answered)
{
    struct corbel_hit none = {.t = 30, .index = 1};
    uint64_t best = rank(&none);
    for (unsigned n = 0; n < CLIENTS; n++)
        for (unsigned i = 0; i < EACH; i++) {
            const struct ask *a = &b->drivers[n]->asks[i];
            if (a->msg.op != STREAM_HIT_STORE || a->msg.addr != address)
                continue;
            uint64_t at =
                answered ? driver_answer(b->drivers[n], i)->at : a->sent;
            uint64_t r = rank_of(&a->payload);
            if (at < before && r < best)
                best = r;
        }
    return best;
}

static bool was_sent(const struct bench *b, uint64_t address, uint64_t wanted)
{
    struct corbel_hit none = {.t = 30, .index = 1};
    bool found = wanted == rank(&none);
    for (unsigned n = 0; n < CLIENTS; n++)
        for (unsigned i = 0; i < EACH; i++) {
            const struct ask *a = &b->drivers[n]->asks[i];
            found |= a->msg.op == STREAM_HIT_STORE && a->msg.addr == address &&
                     rank_of(&a->payload) == wanted;
        }
    return found;
}

static void check_load(const struct bench *b, const struct driver *d,
                       unsigned tag)
{
    const struct ask *a = &d->asks[tag];
    const struct answer *got = driver_answer(d, tag);
    uint64_t r = rank_of(&got->payload);
    assert_int_equal(got->msg.op, STREAM_HIT);
    assert_true(r <= closest(b, a->msg.addr, a->sent, true));
    assert_true(r >= closest(b, a->msg.addr, got->at, false));
    assert_true(was_sent(b, a->msg.addr, r));
}

static void check(struct bench *b)
{
    const struct chance *c = b->scenario->with;
    const struct shuffler *s = (const struct shuffler *)b->units[1];
    struct corbel_hit hit;
    for (unsigned n = 0; n < CLIENTS; n++) {
        assert_int_equal(driver_unanswered(b->drivers[n]), 0);
        for (unsigned i = 0; i < EACH; i++)
            if (b->drivers[n]->asks[i].msg.op == STREAM_HIT_LOAD)
                check_load(b, b->drivers[n], i);
    }
    for (unsigned i = 0; i < c->used; i++) {
        uint64_t address = RECORDS + 16 * i;
        memcpy(&hit, machine_at(&b->machine, address), sizeof hit);
        assert_int_equal(rank(&hit), closest(b, address, CYCLE_NEVER, false));
    }
    assert_stat(b->units[0], "misses", s->fills);
    assert_int_equal(bench_stat(b->units[0], "evicted") +
                         bench_stat(b->units[0], "flushed"),
                     s->writes);
    assert_int_equal(bench_stat(b->units[0], "hits") +
                         bench_stat(b->units[0], "merges") + s->fills,
                     CLIENTS * EACH);
}

static void hits_in_any_order_leave_the_closest(void **state)
{
    static const struct chance shapes[] = {
        {0, 1, 1, 1, 3, 1},  {0, 2, 2, 64, 5, 1},   {0, 8, 2, 3, 12, 2},
        {0, 8, 8, 2, 20, 1}, {0, 16, 1, 64, 40, 4}, {0, 64, 8, 64, 4, 16},
    };
    for (unsigned i = 0; i < TABLE_COUNT(shapes); i++)
        for (unsigned seed = 1; seed <= 4; seed++) {
            struct chance c = shapes[i];
            c.seed = seed * 7919 + i;
            bench_play(&(struct scenario){.build = build,
                                          .check = check,
                                          .with = &c,
                                          .toy = &shuffler_kind});
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_in_any_order_leave_the_closest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
