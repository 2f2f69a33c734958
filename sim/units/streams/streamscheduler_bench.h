/*
 * A toy for the tests of the stream scheduler's policy. Its one bank puts items
 * into buckets, which are written at once; a script says what a TM does.
 */
#ifndef SIM_STREAMSCHEDULER_BENCH_H
#define SIM_STREAMSCHEDULER_BENCH_H

#include "sim/units/streams/streamscheduler_policy.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define SEGMENTS 64u
#define BUCKETS 8192u
#define FULL 3u /* items */

struct toy {
    struct policy p;
    struct policy_segment segments[SEGMENTS];
    uint32_t waiting[SEGMENTS], candidates[SEGMENTS], next[BUCKETS];
    uint32_t parent[SEGMENTS], items[SEGMENTS]; /* in the open bucket */
    uint32_t segment_of[BUCKETS], items_of[BUCKETS], written;
    uint32_t last; /* segment of the last bucket read */
    unsigned fetched, single, retired;
    bool is_retired[SEGMENTS];
    char said[256]; /* the candidates, when one was added */
};

static inline void say_candidates(struct toy *t)
{
    const struct policy *p = &t->p;
    strcat(t->said, *t->said ? " [" : "[");
    for (uint32_t i = 0; i < p->candidate_count; i++)
        sprintf(t->said + strlen(t->said), "%s%u", i ? "," : "",
                p->candidates[i]);
    strcat(t->said, "]");
}

static inline void expect_said(struct toy *t, const char *text)
{
    assert_string_equal(t->said, text);
    *t->said = 0;
}

static inline struct toy *toy_new(enum policy_order order,
                                  enum policy_weight weight, uint32_t low_water,
                                  uint32_t limit)
{
    struct toy *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->p = (struct policy){.order = order,
                           .weight = weight,
                           .low_water = low_water,
                           .limit = limit,
                           .fetches = 4,
                           .segments = t->segments,
                           .waiting = t->waiting,
                           .candidates = t->candidates,
                           .next = t->next};
    t->last = POLICY_NONE;
    return t;
}

/* children[s]: of segment s, numbered breadth first. */
static inline void toy_start(struct toy *t, const uint32_t *children,
                             uint32_t count)
{
    policy_start(&t->p, count);
    for (uint32_t s = 0, next = 1; s < count; s++) {
        policy_describe(&t->p, s, next, children[s]);
        for (uint32_t i = 0; i < children[s]; i++)
            t->parent[next++] = s;
    }
}

static inline void write_bucket(struct toy *t, uint32_t segment)
{
    if (!t->items[segment])
        return;
    assert_true(t->written < BUCKETS);
    t->segment_of[t->written] = segment;
    t->items_of[t->written] = t->items[segment];
    t->items[segment] = 0;
    policy_written(&t->p, segment, t->written++);
}

static inline void item(struct toy *t, uint32_t segment, unsigned hint)
{
    assert_true(policy_expects(&t->p, segment));
    if (!t->items[segment])
        policy_open(&t->p, segment);
    policy_item(&t->p, segment, hint);
    if (++t->items[segment] == FULL)
        write_bucket(t, segment);
}

static inline void roots_seen(struct toy *t)
{
    policy_roots_seen(&t->p);
    write_bucket(t, 0);
}

static inline void retire(struct toy *t, uint32_t segment)
{
    struct policy_segment *s = &t->segments[segment];
    assert_true(!segment || t->is_retired[t->parent[segment]]);
    assert_int_equal(t->items[segment], 0);
    t->is_retired[segment] = true;
    t->retired++;
    t->single += s->opened == 1;
    policy_retire(&t->p, segment);
    for (uint32_t i = 0; i < s->children; i++)
        write_bucket(t, s->first_child + i);
}

/* A cycle; false: nothing has changed. */
static inline bool cycle(struct toy *t)
{
    uint32_t fetch = policy_to_fetch(&t->p);
    if (fetch != POLICY_NONE) {
        policy_fetch(&t->p, fetch);
        policy_fetched(&t->p, fetch);
        t->fetched++;
    }
    uint32_t done = policy_to_retire(&t->p);
    if (done != POLICY_NONE)
        retire(t, done);
    uint32_t before = t->p.candidate_count;
    bool activated = policy_activate(&t->p);
    if (t->p.candidate_count > before)
        say_candidates(t);
    assert_true(t->p.candidate_count <= t->p.limit);
    return fetch != POLICY_NONE || done != POLICY_NONE || activated;
}

static inline void settle(struct toy *t)
{
    while (cycle(t))
        ;
}

static inline uint32_t load(struct toy *t)
{
    uint32_t segment = policy_to_read(&t->p, t->last);
    if (segment == POLICY_NONE)
        return POLICY_NONE;
    t->last = segment;
    return policy_read(&t->p, segment);
}

static inline void load_expecting(struct toy *t, char name)
{
    uint32_t bucket = load(t);
    assert_true(bucket != POLICY_NONE);
    assert_int_equal('A' + bucket, name);
    settle(t);
}

static inline void complete(struct toy *t, uint32_t segment)
{
    assert_true(policy_complete(&t->p, segment));
    settle(t);
}

#endif
