/* A TM of players around a staging buffer, and what has to be true of it at
 * the end. */
#include "sim/units/streams/stager_bench.h"
#include <corbel/streams.h>
#include <float.h>

/* ---- building ---- */

struct player *story_player(struct bench *b, enum role role, unsigned number)
{
    for (unsigned i = 1; i < b->unit_count; i++) {
        struct player *p = (struct player *)b->units[i];
        if (p->role == role && p->number == number)
            return p;
    }
    fail_msg("there is no player of role %d", (int)role);
    return NULL;
}

static void give_memory(struct chip *c, struct player *p)
{
    if (p->role == CLERK) {
        p->sent = chip_alloc(c, STORY_BUCKETS, sizeof *p->sent);
        p->completed = chip_alloc(c, STORY_BUCKETS, sizeof *p->completed);
        p->completed_at = chip_alloc(c, STORY_BUCKETS, sizeof *p->completed_at);
        p->waiting = chip_alloc(c, STORY_SEGMENTS, sizeof *p->waiting);
        p->at = chip_alloc(c, STORY_RAYS, sizeof *p->at);
    } else if (p->role == KEEPER) {
        p->stored = chip_alloc(c, STORY_RAYS, sizeof *p->stored);
        p->kept = chip_alloc(c, STORY_KEPT, sizeof *p->kept);
    } else {
        p->hand = chip_alloc(c, RTCORE_HANDS, sizeof *p->hand);
        p->worked = chip_alloc(c, STORY_RAYS, sizeof *p->worked);
        p->read = chip_alloc(c, STORY_RAYS, sizeof *p->read);
    }
}

static struct player *new_player(struct bench *b, enum role role,
                                 unsigned number)
{
    static const char *const names[] = {"core", "rtcore", "clerk", "keeper"};
    char name[32];
    snprintf(name, sizeof name, "%s%u", names[role], number);
    struct player *p = (struct player *)bench_unit(b, "player", name);
    p->story = b->scenario->with;
    p->role = role;
    p->number = number;
    give_memory(b->chip, p);
    return p;
}

static void join(struct bench *b, struct player *p, const char *input,
                 const char *output)
{
    unsigned depth = p->story->depth;
    bench_link(b, p, "out", b->units[0], input, depth);
    bench_link(b, b->units[0], output, p, "in", depth);
}

static void add_core(struct bench *b, unsigned number)
{
    struct player *p = new_player(b, CORE, number);
    p->hands = p->story->harts;
    for (unsigned i = 0; i < p->hands; i++)
        p->hand[i].next = number * p->hands + i;
    join(b, p, "op", "done");
}

static void add_rtcore(struct bench *b)
{
    struct player *p = new_player(b, RT_CORE, 0);
    p->hands = p->story->rtcore;
    for (unsigned i = 0; i < p->hands; i++)
        p->hand[i].doing = ENDED;
    join(b, p, "item", "work");
}

void story_build(struct bench *b)
{
    const struct story *s = b->scenario->with;
    struct unit *u = bench_unit(b, "stager", "stager");
    bench_set(b, u, "map_stride", 64);
    join(b, new_player(b, CLERK, 0), "bucket", "sched");
    for (unsigned i = 0; i < s->keepers; i++)
        join(b, new_player(b, KEEPER, i), "record", "hit");
    for (unsigned i = 0; i < s->cores; i++)
        add_core(b, i);
    if (s->rtcore)
        add_rtcore(b);
    for (unsigned i = 0; i < s->rays; i++) {
        struct corbel_hit none = {FLT_MAX, 0, 0, CORBEL_MISS};
        memcpy(machine_at(&b->machine, STORY_RECORDS + 16 * i), &none,
               sizeof none);
    }
}

void story_play(const struct story *story, void (*check)(struct bench *b))
{
    bench_play(&(struct scenario){.build = story_build,
                                  .check = check,
                                  .with = story,
                                  .toy = &player_kind});
}

/* ---- checking ---- */

static bool is_item(const struct story *s, uint32_t ray, uint32_t segment)
{
    if (!segment)
        return true;
    uint32_t parent = (segment - 1) / 2;
    return story_leads(s, ray, parent, (segment - 1) % 2) &&
           is_item(s, ray, parent);
}

/* How often the workers, taken together, worked on an item. */
static unsigned times(struct bench *b, uint32_t ray, uint32_t segment)
{
    unsigned sum = 0;
    for (unsigned i = 1; i < b->unit_count; i++) {
        const struct player *p = (const struct player *)b->units[i];
        sum += p->worked ? p->worked[ray][segment] : 0;
    }
    return sum;
}

static void check_items(struct bench *b, const struct story *s)
{
    unsigned items = 0;
    for (uint32_t ray = 0; ray < s->rays; ray++)
        for (uint32_t segment = 0; segment < STORY_SEGMENTS; segment++) {
            bool expected = is_item(s, ray, segment);
            assert_int_equal(times(b, ray, segment), expected);
            items += expected;
        }
    assert_stat(b->units[0], "handed", items);
    assert_stat(b->units[0], "items", items);
    assert_stat(b->units[0], "hit_stores", items);
}

static struct corbel_hit closest(const struct story *s, uint32_t ray)
{
    struct corbel_hit best = {FLT_MAX, 0, 0, CORBEL_MISS};
    for (uint32_t segment = 0; segment < STORY_SEGMENTS; segment++) {
        struct corbel_hit hit = story_hit(s, ray, segment);
        if (is_item(s, ray, segment) && corbel_hit_is_closer(&hit, &best))
            best = hit;
    }
    return best;
}

/* All records were read once, and had the closest hit by then. */
static void check_records(struct bench *b, const struct story *s)
{
    unsigned reads = 0;
    for (unsigned i = 0; i < s->cores; i++) {
        const struct player *p = story_player(b, CORE, i);
        reads += p->reads;
        for (uint32_t ray = i * s->harts; ray < s->rays; ray++) {
            uint32_t of = ray % (s->cores * s->harts) / s->harts;
            struct corbel_hit best = closest(s, ray);
            if (of == i)
                assert_memory_equal(&p->read[ray], &best, sizeof best);
        }
    }
    assert_int_equal(reads, s->rays);
}

static uint64_t stored_at(struct bench *b, const struct story *s, uint32_t ray,
                          uint32_t segment)
{
    uint64_t address = STORY_RECORDS + 16 * ray;
    const struct player *p =
        story_player(b, KEEPER, (unsigned)(address / 64 % s->keepers));
    return p->stored[ray][segment];
}

/* Have all hits of the bucket's items been answered before, and all items that
 * they led to come? */
static bool is_finished(struct bench *b, const struct story *s,
                        const struct sent *sent, uint64_t before)
{
    const struct player *clerk = story_player(b, CLERK, 0);
    for (unsigned i = 0; i < sent->count; i++) {
        uint32_t ray = sent->rays[i];
        if (stored_at(b, s, ray, sent->segment) + LINK >= before)
            return false;
        for (uint32_t child = 0; child < 2; child++) {
            if (!story_leads(s, ray, sent->segment, child))
                continue;
            uint64_t at = clerk->at[ray][2 * sent->segment + 1 + child];
            if (!at || at >= before)
                return false;
        }
    }
    return true;
}

/* When a bucket is said to be complete, at least as many are finished. */
static void check_completes(struct bench *b, const struct story *s)
{
    const struct player *clerk = story_player(b, CLERK, 0);
    unsigned said[STORY_SEGMENTS] = {0};
    assert_int_equal(clerk->completes, clerk->sents);
    assert_stat(b->units[0], "completes", clerk->sents);
    assert_stat(b->units[0], "buckets", clerk->sents);
    for (unsigned i = 0; i < clerk->completes; i++) {
        uint32_t segment = clerk->completed[i];
        unsigned finished = 0;
        for (unsigned k = 0; k < clerk->sents; k++)
            finished +=
                clerk->sent[k].segment == segment &&
                is_finished(b, s, &clerk->sent[k], clerk->completed_at[i]);
        assert_true(++said[segment] <= finished);
    }
}

static void check_hands(struct bench *b)
{
    for (unsigned i = 1; i < b->unit_count; i++) {
        const struct player *p = (const struct player *)b->units[i];
        bool works = p->role == (p->story->rtcore ? RT_CORE : CORE);
        for (unsigned n = 0; n < p->hands; n++) {
            assert_int_equal(p->hand[n].doing, ENDED);
            assert_int_equal(p->hand[n].acks, 0);
            assert_int_equal(p->hand[n].ends, works);
        }
    }
}

void story_check(struct bench *b)
{
    const struct story *s = b->scenario->with;
    check_hands(b);
    check_items(b, s);
    check_records(b, s);
    check_completes(b, s);
    assert_int_equal(story_player(b, CLERK, 0)->ends, 1);
    assert_stat(b->units[0], "rays", s->rtcore ? 0 : s->rays);
    assert_explained(b->units[0], "");
}
