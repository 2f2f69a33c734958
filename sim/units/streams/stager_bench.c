/*
 * Players around a staging buffer: thread processors, hit updaters, a
 * scheduler. stager_bench.h.
 */
#include "sim/units/streams/stager_bench.h"
#include "sim/units/common/served_words.h"
#include <corbel/streams.h>
#include <stdlib.h>

enum { IN, OUT };
static const struct port_row ports[] = {
    [IN] = {"in", false, 64, "to the toy"},
    [OUT] = {"out", true, 64, "from the toy", .answers = true},
};

/* ---- the work ---- */

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t x = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ c * 0xc2b2ae3du;
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    x *= 0x297a2d39u;
    return x ^ x >> 15;
}

bool story_leads(const struct story *s, uint32_t ray, uint32_t segment,
                 uint32_t child)
{
    return 2 * segment + 1 + child < STORY_SEGMENTS &&
           mix(s->seed + child, ray, segment) % 3;
}

struct corbel_hit story_hit(const struct story *s, uint32_t ray,
                            uint32_t segment)
{
    return (struct corbel_hit){.t = (float)(mix(s->seed + 7, ray, segment) % 4),
                               .index = segment};
}

static struct corbel_ray ray_of(uint32_t number)
{
    return (struct corbel_ray){.tmin = (float)number, .tmax = 4096};
}

static unsigned some(struct player *p, uint32_t a, uint32_t b, unsigned most)
{
    return most ? mix(p->story->seed + 99, a, b) % most : 0;
}

/* ---- thread processors ---- */

static uint64_t record_of(uint32_t ray)
{
    return STORY_RECORDS + 16 * ray;
}

static void ask_unit(struct player *p, unsigned hart, uint8_t op,
                     const uint32_t *words, unsigned count)
{
    struct msg m = {.op = op, .tag = hart << WORDS_HART | 0x5A5A};
    if (op == ISA_CLASS_cshit || op == ISA_CLASS_lhit)
        m.addr = 16; /* the immediate */
    words_push(&p->unit.out[OUT][0], &m, words, count);
    p->hand[hart].acks += op == ISA_CLASS_swi || op == ISA_CLASS_cshit;
}

static void push_item(struct player *p, unsigned hart, uint32_t ray,
                      uint32_t segment, uint32_t hint)
{
    struct corbel_item item = {ray_of(ray), ray,
                               corbel_item_word(segment, hint)};
    if (segment == CORBEL_SEGMENT_END) {
        uint32_t address[2] = {p->story->rtcore ? STORY_RECORDS : 0, 0};
        memcpy(&item.ray, address, sizeof address);
    }
    uint32_t words[10];
    memcpy(words, &item, sizeof item);
    ask_unit(p, hart, ISA_CLASS_swi, words, 10);
}

static void core_store(struct player *p, unsigned hart)
{
    struct hand *h = &p->hand[hart];
    struct corbel_hit hit = story_hit(p->story, h->ray, h->segment);
    uint32_t words[6] = {(uint32_t)record_of(h->ray) - 16, 0};
    memcpy(words + 2, &hit, sizeof hit);
    ask_unit(p, hart, ISA_CLASS_cshit, words, 6);
}

static void core_load(struct player *p, unsigned hart, uint32_t ray)
{
    uint32_t words[2] = {(uint32_t)record_of(ray) - 16, 0};
    ask_unit(p, hart, ISA_CLASS_lhit, words, 2);
}

/* Harts of all cores share rays out. */
static uint32_t first_ray(const struct player *p, unsigned hart)
{
    return p->number * p->story->harts + hart;
}

static void send_root(struct player *p, unsigned hart)
{
    const struct story *s = p->story;
    struct hand *h = &p->hand[hart];
    if (h->next < s->rays) {
        push_item(p, hart, h->next, 0, 0);
        h->next += s->cores * s->harts;
        return;
    }
    if (first_ray(p, hart) == 0)
        push_item(p, hart, s->rays, CORBEL_SEGMENT_END, 0);
    h->next = first_ray(p, hart);
    h->doing = s->rtcore ? LOADS : ASKS;
}

static void load_next(struct player *p, unsigned hart)
{
    struct hand *h = &p->hand[hart];
    if (h->next >= p->story->rays) {
        h->doing = ENDED;
        return;
    }
    core_load(p, hart, h->next);
    h->doing = WAITS_LOAD;
}

/* ---- who works on items ---- */

static void to_stager(struct player *p, unsigned slot, uint8_t op,
                      const struct payload *payload)
{
    struct hand *h = &p->hand[slot];
    struct msg m = {.op = op, .addr = h->ray, .from = slot, .tag = h->segment};
    if (op == STREAM_ITEM) {
        m.tag = 2 * h->segment + 1 + h->child;
        m.aux = (uint8_t)h->child;
    }
    link_push_full(&p->unit.out[OUT][0], &m, payload);
}

static void lead_on(struct player *p, unsigned n)
{
    struct hand *h = &p->hand[n];
    while (h->child < 2 && !story_leads(p->story, h->ray, h->segment, h->child))
        h->child++;
    if (h->child == 2) {
        h->doing = ASKS;
        return;
    }
    struct payload ray;
    struct corbel_ray r = ray_of(h->ray);
    memcpy(ray.bytes, &r, sizeof r);
    if (p->role == CORE)
        push_item(p, n, h->ray, 2 * h->segment + 1 + h->child, h->child);
    else
        to_stager(p, n, STREAM_ITEM, &ray);
    h->child++;
}

static void store(struct player *p, unsigned n)
{
    struct hand *h = &p->hand[n];
    struct corbel_hit hit = story_hit(p->story, h->ray, h->segment);
    struct payload payload = {{0}};
    memcpy(payload.bytes, &hit, sizeof hit);
    if (p->role == CORE)
        core_store(p, n);
    else
        to_stager(p, n, STREAM_HIT_STORE, &payload);
    h->doing = LEADS_ON;
}

static void ask(struct player *p, unsigned n)
{
    if (p->role == CORE)
        ask_unit(p, n, ISA_CLASS_lwi, NULL, 0);
    else
        to_stager(p, n, STREAM_LOAD, NULL);
    p->hand[n].doing = WAITS;
}

/* One step of a hart or slot; false: it waits. */
static bool act(struct player *p, unsigned n, uint64_t now)
{
    struct hand *h = &p->hand[n];
    if (h->doing == WORKS && h->until <= now)
        h->doing = STORES;
    if (h->doing == SENDS_ROOTS)
        send_root(p, n);
    else if (h->doing == ASKS)
        ask(p, n);
    else if (h->doing == READS) {
        to_stager(p, n, STREAM_HIT_LOAD, NULL);
        h->doing = WAITS_READ;
    } else if (h->doing == STORES)
        store(p, n);
    else if (h->doing == LEADS_ON)
        lead_on(p, n);
    else if (h->doing == LOADS)
        load_next(p, n);
    else
        return false;
    return true;
}

/* One message a cycle, by turns. */
static uint64_t hands_send(struct player *p, uint64_t now)
{
    struct outport *o = &p->unit.out[OUT][0];
    uint64_t next = CYCLE_NEVER;
    if (!link_ready_for(o, 2))
        return CYCLE_NEVER;
    for (unsigned i = 0; i < p->hands; i++) {
        unsigned n = (p->turn + i) % p->hands;
        if (act(p, n, now)) {
            p->turn = (n + 1) % p->hands;
            return now + 1;
        }
        if (p->hand[n].doing == WORKS && p->hand[n].until < next)
            next = p->hand[n].until;
    }
    return next;
}

static void start(struct player *p, struct hand *h, uint32_t ray,
                  uint32_t segment, uint64_t now)
{
    assert_true(ray < STORY_RAYS && segment < STORY_SEGMENTS);
    h->ray = ray;
    h->segment = segment;
    h->child = 0;
    h->until = now + 1 + some(p, ray, segment, p->story->work);
    h->doing = p->role == RT_CORE && p->story->early ? READS : WORKS;
    p->worked[ray][segment]++;
}

static void end(struct player *p, struct hand *h, uint64_t now)
{
    h->ends++;
    h->doing = p->role == CORE ? LOADS : ENDED;
    p->last_end = now;
}

/* The second half of an item has come. */
static void take_item(struct player *p, struct hand *h,
                      const struct payload *rest, uint64_t now)
{
    struct corbel_item item;
    memcpy(&item, h->item.bytes, 32);
    memcpy((uint8_t *)&item + 32, rest->bytes, 8);
    if (corbel_item_segment(&item) == CORBEL_SEGMENT_END) {
        end(p, h, now);
        return;
    }
    assert_true(item.ray.tmin == (float)item.id);
    start(p, h, item.id, corbel_item_segment(&item), now);
}

static void core_take(struct player *p, const struct msg *m,
                      const struct payload *payload, uint64_t now)
{
    struct hand *h = &p->hand[m->tag >> WORDS_HART];
    assert_int_equal(m->tag & 0xFFFF, 0x5A5A);
    assert_int_not_equal(m->op, MEM_FAULT);
    if (!(m->flags & MSG_PAYLOAD)) {
        assert_true(h->acks-- > 0);
    } else if (h->doing == WAITS && !m->aux) {
        h->item = *payload;
    } else if (h->doing == WAITS) {
        take_item(p, h, payload, now);
    } else {
        assert_int_equal(h->doing, WAITS_LOAD);
        p->read[h->next] = stream_hit(payload->bytes);
        p->reads++;
        h->next += p->story->cores * p->story->harts;
        h->doing = LOADS;
    }
}

static void rtcore_take(struct player *p, const struct msg *m,
                        const struct payload *payload, uint64_t now)
{
    struct hand *h = &p->hand[m->from];
    if (m->op == STREAM_BEGIN) {
        for (unsigned i = 0; i < p->hands; i++)
            p->hand[i].doing = ASKS;
    } else if (m->op == STREAM_END) {
        assert_int_equal(h->doing, WAITS);
        end(p, h, now);
    } else if (m->op == STREAM_HIT) {
        assert_int_equal(h->doing, WAITS_READ);
        h->doing = WORKS;
    } else {
        assert_int_equal(m->op, STREAM_ITEM);
        assert_int_equal(h->doing, WAITS);
        assert_true(stream_ray(payload->bytes).tmin == (float)m->addr);
        start(p, h, (uint32_t)m->addr, m->tag, now);
    }
}

/* ---- the clerk ---- */

static void clerk_take(struct player *p, const struct msg *m, uint64_t now)
{
    if (m->op == STREAM_ITEM) {
        assert_int_equal(p->at[m->addr][m->tag], 0);
        p->at[m->addr][m->tag] = now;
        p->waiting[m->tag][p->count[m->tag]++] = (uint16_t)m->addr;
        p->roots += m->tag == 0;
    } else if (m->op == STREAM_ROOTS) {
        assert_int_equal(m->addr, p->story->rtcore ? STORY_RECORDS : 0);
        p->announced = m->tag + 1;
    } else if (m->op == STREAM_COMPLETE) {
        p->completed[p->completes] = m->tag;
        p->completed_at[p->completes++] = now;
    } else {
        assert_int_equal(m->op, STREAM_LOAD);
        assert_false(p->asked);
        p->asked = true;
    }
}

/* A segment with a full bucket, or, if all else is finished, with any items. */
static int segment_to_send(const struct player *p)
{
    bool all = p->roots + 1 == p->announced && p->completes == p->sents;
    for (unsigned s = 0; s < STORY_SEGMENTS; s++)
        if (p->count[s] >= (all ? 1 : p->story->bucket))
            return (int)s;
    return -1;
}

static void choose_bucket(struct player *p, uint32_t segment, uint64_t now)
{
    assert_true(p->sents < STORY_BUCKETS);
    struct sent *b = &p->sent[p->sents++];
    unsigned count = p->count[segment];
    b->segment = segment;
    b->count = count < p->story->bucket ? count : p->story->bucket;
    for (unsigned i = 0; i < b->count; i++)
        b->rays[i] = p->waiting[segment][--p->count[segment]];
    p->asked = false;
    p->leaving = 1;
    p->ready = now + some(p, p->sents, segment, p->story->clerk);
}

static void send_part(struct player *p)
{
    const struct sent *b = &p->sent[p->sents - 1];
    struct msg m = {.op = STREAM_BUCKET,
                    .addr = STORY_RECORDS,
                    .tag = b->segment,
                    .value = b->count};
    if (p->leaving == 1) {
        link_push(&p->unit.out[OUT][0], &m);
    } else {
        struct payload ray;
        struct corbel_ray r = ray_of(b->rays[p->leaving - 2]);
        memcpy(ray.bytes, &r, sizeof r);
        m.op = STREAM_ITEM;
        m.addr = b->rays[p->leaving - 2];
        link_push_full(&p->unit.out[OUT][0], &m, &ray);
    }
    p->leaving = p->leaving == b->count + 1 ? 0 : p->leaving + 1;
}

static uint64_t clerk_send(struct player *p, uint64_t now)
{
    int segment = p->asked && !p->leaving ? segment_to_send(p) : -1;
    bool over = p->roots + 1 == p->announced && p->completes == p->sents;
    if (segment >= 0) {
        choose_bucket(p, (uint32_t)segment, now);
    } else if (p->asked && !p->leaving && over) {
        struct msg m = {.op = STREAM_END};
        link_push(&p->unit.out[OUT][0], &m);
        p->asked = false;
        p->ends++;
    }
    if (p->leaving && p->ready > now)
        return p->ready;
    for (unsigned i = 0; i < 2 && p->leaving; i++)
        send_part(p);
    return p->leaving ? now + 1 : CYCLE_NEVER;
}

/* ---- keepers ---- */

static struct corbel_hit *record_at(struct player *p, uint64_t address)
{
    const struct machine *m = chip_context(p->unit.chip);
    return (struct corbel_hit *)(void *)machine_at(m, address);
}

/* A hit is performed as late, and a load as early, as may be. */
static void keeper_take(struct player *p, unsigned port, const struct msg *m,
                        const struct payload *payload, uint64_t now)
{
    assert_true(p->keeps < STORY_KEPT);
    struct kept *k = &p->kept[p->keeps++];
    uint32_t ray = (uint32_t)(m->addr - STORY_RECORDS) / 16;
    assert_int_equal(m->addr / 64 % p->story->keepers, p->number);
    *k = (struct kept){.due = now + 1 + some(p, ray, m->from, p->story->keep),
                       .port = port,
                       .msg = *m,
                       .payload = *payload};
    k->msg.flags = 0;
    k->msg.value = 0;
    if (m->op == STREAM_HIT_LOAD) {
        memcpy(k->payload.bytes, record_at(p, m->addr), 16);
        k->msg.op = STREAM_HIT;
    } else {
        assert_int_equal(m->op, STREAM_HIT_STORE);
        k->msg.op = STREAM_STORED;
    }
}

static void keeper_answer(struct player *p, const struct kept *k, uint64_t now)
{
    struct corbel_hit hit = stream_hit(k->payload.bytes);
    struct corbel_hit *record = record_at(p, k->msg.addr);
    if (k->msg.op == STREAM_STORED) {
        p->stored[(k->msg.addr - STORY_RECORDS) / 16][hit.index] = now;
        if (corbel_hit_is_closer(&hit, record))
            *record = hit;
    }
    link_push_full(&p->unit.out[OUT][k->port], &k->msg,
                   k->msg.op == STREAM_HIT ? &k->payload : NULL);
}

static uint64_t keeper_send(struct player *p, uint64_t now)
{
    uint64_t next = CYCLE_NEVER;
    for (unsigned i = 0; i < p->keeps;) {
        if (p->kept[i].due > now) {
            next = p->kept[i].due < next ? p->kept[i].due : next;
            i++;
            continue;
        }
        keeper_answer(p, &p->kept[i], now);
        p->kept[i] = p->kept[--p->keeps];
    }
    return next;
}

/* ---- the kind ---- */

static bool build(struct unit *u, struct error *error)
{
    return true;
}

static void take(struct player *p, unsigned port, uint64_t now)
{
    struct msg m = link_pop(&p->unit.in[IN][port]);
    struct payload payload = {{0}};
    if (m.flags & MSG_PAYLOAD)
        payload = msg_payload(&p->unit, &m);
    if (p->role == CORE)
        core_take(p, &m, &payload, now);
    else if (p->role == RT_CORE)
        rtcore_take(p, &m, &payload, now);
    else if (p->role == CLERK)
        clerk_take(p, &m, now);
    else
        keeper_take(p, port, &m, &payload, now);
}

static void player_receive(struct unit *u, uint64_t now)
{
    for (uint64_t m; (m = *unit_pending(u, IN)) > 0;)
        take((struct player *)u, (unsigned)mask_first(m), now);
}

static uint64_t player_send(struct unit *u, uint64_t now)
{
    struct player *p = (struct player *)u;
    if (p->role == CLERK)
        return clerk_send(p, now);
    return p->role == KEEPER ? keeper_send(p, now) : hands_send(p, now);
}

const struct unit_kind player_kind = {
    .name = "player",
    .meaning = "a toy around a staging buffer",
    .size = sizeof(struct player),
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    .build = build,
    .receive = player_receive,
    .send = player_send,
};
