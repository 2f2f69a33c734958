/*
 * Buckets and their items: two buffers of a bucket, which workers wait for an
 * item, which work on one, which buckets are finished.
 */
#include "sim/units/streams/stager_private.h"

void staged_new(struct stager *s)
{
    struct chip *chip = s->unit.chip;
    uint32_t slots = s->unit.links[OP] * CORE_HARTS;
    if (s->unit.links[ITEM])
        slots += RTCORE_SLOTS;
    s->has = chip_alloc(chip, slots, sizeof *s->has);
    memset(s->has, 0xFF, slots * sizeof *s->has);
    s->works = chip_alloc(chip, slots + 1, sizeof *s->works);
    for (unsigned i = 0; i < 2; i++)
        s->bucket[i].items =
            chip_alloc(chip, BUCKET_ITEMS, sizeof *s->bucket[i].items);
}

/* ---- a new kernel ---- */

void staged_launch(struct stager *s)
{
    uint32_t slots = s->unit.links[OP] * CORE_HARTS +
                     (s->unit.links[ITEM] ? RTCORE_SLOTS : 0);
    memset(s->has, 0xFF, slots * sizeof *s->has);
    memset(s->works, 0, s->work_count * sizeof *s->works);
    s->work_count = 0;
    s->asked = false;
    msg_list_forget(&s->unit, &s->slots);
    msg_list_forget(&s->unit, &s->completes);
    for (unsigned i = 0; i < 2; i++) {
        s->bucket[i].count = s->bucket[i].come = s->bucket[i].gone = 0;
        s->generation[i].hits = 0;
        msg_list_forget(&s->unit, &s->generation[i].completes);
    }
}

/* ---- finished buckets ---- */

/* The ends of buckets that wait for nothing any more are sent. When the older
 * hits are all answered, the others are the older ones from now on, if an end
 * waits for them. */
static void age(struct stager *s)
{
    struct generation *old = &s->generation[s->old];
    while (!old->hits) {
        while (old->completes.count)
            msg_list_add(&s->unit, &s->completes,
                         msg_list_pop(&s->unit, &old->completes));
        if (!s->generation[s->old ^ 1].completes.count)
            return;
        s->old ^= 1;
        old = &s->generation[s->old];
    }
}

uint32_t staged_note_hit(struct stager *s)
{
    s->generation[s->old ^ 1].hits++;
    return s->old ^ 1;
}

void staged_end_hit(struct stager *s, uint32_t generation)
{
    s->generation[generation].hits--;
    age(s);
}

static void complete(struct stager *s, uint32_t segment)
{
    uint32_t index = unit_new_msg(&s->unit);
    *unit_msg(&s->unit, index) =
        (struct msg){.op = STREAM_COMPLETE, .tag = segment, .size = s->kernel};
    msg_list_add(&s->unit, &s->generation[s->old ^ 1].completes, index);
    s->stats.completes++;
}

static void finish(struct stager *s, uint32_t slot)
{
    if (s->has[slot] == NONE)
        return;
    struct work *w = &s->works[s->has[slot]];
    s->has[slot] = NONE;
    if (--w->items)
        return;
    for (; w->buckets; w->buckets--)
        complete(s, w->segment);
    age(s);
}

/* ---- who asks ---- */

static uint32_t slot_of(const struct stager *s, const struct msg *m,
                        uint32_t port)
{
    if (port != RTCORE)
        return port * CORE_HARTS + (m->tag >> WORDS_HART);
    assert(m->from < RTCORE_SLOTS);
    return s->unit.links[OP] * CORE_HARTS + (uint32_t)m->from;
}

void staged_ask(struct stager *s, const struct msg *m, uint32_t port)
{
    uint32_t index = unit_new_msg(&s->unit);
    struct msg *kept = unit_msg(&s->unit, index);
    *kept = *m;
    kept->when = port;
    msg_list_add(&s->unit, &s->slots, index);
    finish(s, slot_of(s, m, port));
}

/* ---- buckets ---- */

static bool is_empty(const struct bucket *b)
{
    return b->gone == b->count;
}

static bool is_full(const struct bucket *b)
{
    return b->come == b->count && !is_empty(b);
}

bool staged_want_bucket(const struct stager *s)
{
    return s->begun && !s->ended && !s->asked &&
           is_empty(&s->bucket[s->front ^ 1]);
}

void staged_take(struct stager *s, const struct msg *m)
{
    struct bucket *b = &s->bucket[s->front ^ 1];
    if (m->op == STREAM_ITEM) {
        struct staged *item = &b->items[b->come++];
        assert(b->come <= b->count && m->tag == b->segment);
        item->ray = msg_payload(&s->unit, m);
        item->number = (uint32_t)m->addr;
        item->hint = m->aux;
        s->asked = b->come < b->count;
        return;
    }
    if (m->op == STREAM_BUCKET) {
        assert(is_empty(b) && m->value > 0 && m->value <= BUCKET_ITEMS);
        b->segment = m->tag;
        b->count = (uint32_t)m->value;
        b->come = b->gone = 0;
        s->records = m->addr;
        s->stats.buckets++;
        return;
    }
    if (m->op == MEM_FAULT) {
        stager_note_refusal(s, m);
        return;
    }
    assert(m->op == STREAM_END);
    s->ended = true;
}

/* The work of a segment, which has a bucket more now. */
static void add_work(struct stager *s, const struct bucket *b)
{
    struct work *found = NULL;
    for (uint32_t i = 0; i < s->work_count; i++) {
        struct work *w = &s->works[i];
        if (w->items && w->segment == b->segment) {
            found = w;
            break;
        }
        if (!w->items && !found)
            found = w;
    }
    if (!found)
        found = &s->works[s->work_count++];
    found->segment = b->segment;
    found->items += b->count;
    found->buckets++;
}

static uint32_t work_of(const struct stager *s, uint32_t segment)
{
    for (uint32_t i = 0; i < s->work_count; i++)
        if (s->works[i].items && s->works[i].segment == segment)
            return i;
    assert(!"the items of a bucket are counted when its first one leaves");
    return NONE;
}

/* ---- items ---- */

static void give_to_core(struct stager *s, uint32_t port, uint32_t tag,
                         const struct staged *item, uint32_t segment)
{
    struct msg m = {.tag = tag};
    uint32_t words[ITEM_WORDS] = {[ITEM_WORD] = segment};
    if (item) {
        memcpy(words, item->ray.bytes, sizeof item->ray.bytes);
        words[ITEM_NUMBER] = item->number;
        words[ITEM_WORD] |= (uint32_t)item->hint << ITEM_HINT;
    }
    words_push(&s->unit.out[DONE][port], &m, words, ITEM_WORDS);
}

static void give_to_rtcore(struct stager *s, uint32_t slot,
                           const struct staged *item, uint32_t segment)
{
    struct msg m = {.op = STREAM_END, .from = slot, .size = s->kernel};
    if (item) {
        m.op = STREAM_ITEM;
        m.addr = item->number;
        m.tag = segment;
        m.aux = item->hint;
    }
    link_push_full(&s->unit.out[WORK][0], &m, item ? &item->ray : NULL);
}

/* item NULL: there are no more. */
static void give(struct stager *s, const struct staged *item, uint32_t segment)
{
    struct msg m = msg_list_next(&s->unit, &s->slots);
    if (item) {
        /* It has asked twice before it got one. */
        finish(s, slot_of(s, &m, m.when));
        s->has[slot_of(s, &m, m.when)] = work_of(s, segment);
        s->stats.handed++;
        s->stats.rays += m.when != RTCORE && segment == 0;
    }
    if (m.when == RTCORE)
        give_to_rtcore(s, (uint32_t)m.from, item, segment);
    else
        give_to_core(s, m.when, m.tag, item, segment);
}

static void swap(struct stager *s)
{
    if (!is_empty(&s->bucket[s->front]) || !is_full(&s->bucket[s->front ^ 1]))
        return;
    s->front ^= 1;
    s->worked = true;
}

void staged_hand_out(struct stager *s)
{
    swap(s);
    struct bucket *b = &s->bucket[s->front];
    if (!s->slots.count)
        return;
    if (!is_empty(b)) {
        if (!b->gone)
            add_work(s, b);
        give(s, &b->items[b->gone++], b->segment);
        s->stats.ahead += is_empty(b) && is_full(&s->bucket[s->front ^ 1]);
        s->handed = s->worked = true;
    } else if (s->ended) {
        give(s, NULL, CORBEL_SEGMENT_END);
        s->worked = true;
    }
}
