/*
 * What thread processors and the RT core ask for, and what hit updaters answer.
 * A request becomes the message that is to be sent for it, and is held until
 * there is room.
 *
 * A request of a hit updater says in `from` whose it is, a thread processor's
 * port or a slot of the RT core, and the generation of a hit; its tag is the
 * asker's own.
 */
#include "sim/units/streams/stager_private.h"

enum { FROM_WHOM = 0x3FF, FROM_RTCORE = 0x400, FROM_GENERATION = 11 };

static void hold(struct stager *s, unsigned row, uint32_t link,
                 const struct msg *m, const struct payload *payload)
{
    struct request *r = &s->request;
    *r = (struct request){.msg = *m,
                          .held = true,
                          .carries = payload,
                          .row = (uint8_t)row,
                          .link = (uint16_t)link};
    if (payload)
        r->payload = *payload;
}

void stager_send_request(struct stager *s)
{
    struct request *r = &s->request;
    link_push_full(&s->unit.out[r->row][r->link], &r->msg,
                   r->carries ? &r->payload : NULL);
    if (r->answered) {
        struct msg answer = {.tag = r->tag};
        words_push(&s->unit.out[DONE][r->port], &answer, NULL, 0);
    }
    r->held = false;
    s->worked = true;
}

/* What is meant for the scheduler is dropped, but its sender is answered. */
void stager_drop_requests(struct stager *s)
{
    struct request *r = &s->request;
    s->refused.op = 0;
    s->told = false;
    s->why = REFUSAL_NONE;
    if (!r->held || r->row != SCHED)
        return;
    r->held = r->answered;
    r->row = DONE;
    r->link = r->port;
    r->msg = (struct msg){.tag = r->tag};
    r->answered = r->carries = false;
}

/* ---- records ---- */

/* A request for the record at an address that its updater may get. */
static void hold_hit(struct stager *s, const struct msg *m,
                     const struct payload *hit)
{
    uint32_t link = map_slice(&s->map, m->addr);
    hold(s, HIT, link, m, hit);
    s->stats.hit_stores += hit != NULL;
    s->stats.hit_loads += !hit;
}

static void refuse(struct stager *s, uint32_t port, uint32_t tag,
                   const struct msg *why)
{
    struct msg m = *why;
    m.op = MEM_FAULT;
    m.tag = tag;
    hold(s, DONE, port, &m, NULL);
}

void stager_note_refusal(struct stager *s, const struct msg *m)
{
    if (s->refused.op)
        return;
    s->refused = (struct msg){
        .op = MEM_FAULT, .aux = m->aux, .addr = m->addr, .value = m->value};
}

/* ---- of the RT core ---- */

static void take_hit(struct stager *s, const struct msg *m,
                     const struct payload *p)
{
    struct msg hit = {.op = m->op,
                      .addr = s->records + 16 * m->addr,
                      .from = m->from | FROM_RTCORE,
                      .tag = m->tag,
                      .size = m->size};
    if (m->op == STREAM_HIT_STORE)
        hit.from |= staged_note_hit(s) << FROM_GENERATION;
    hold_hit(s, &hit, m->op == STREAM_HIT_STORE ? p : NULL);
}

/* A ray of an earlier kernel gets a record that ends it. */
static void take_late(struct stager *s, const struct msg *m)
{
    struct payload nothing = {{0}};
    if (m->op != STREAM_HIT_LOAD)
        return;
    struct msg hit = *m;
    hit.op = STREAM_HIT;
    hold(s, WORK, 0, &hit, &nothing);
}

static void take_of_rtcore(struct stager *s)
{
    struct msg m = link_pop(&s->unit.in[ITEM][0]);
    struct payload p = {{0}};
    if (m.flags & MSG_PAYLOAD)
        p = msg_payload(&s->unit, &m);
    m.flags = 0;
    if (m.size != s->kernel) {
        take_late(s, &m);
    } else if (m.op == STREAM_LOAD) {
        staged_ask(s, &m, RTCORE);
    } else if (m.op == STREAM_ITEM) {
        m.from = 0;
        hold(s, SCHED, 0, &m, &p);
        s->stats.items++;
    } else if (m.op == MEM_FAULT) {
        stager_note_refusal(s, &m);
    } else {
        take_hit(s, &m, &p);
    }
}

/* ---- of thread processors ---- */

/* The words of a request, which come in one message or two. */
static struct msg take_words(struct stager *s, uint32_t port, uint32_t *words,
                             unsigned count)
{
    struct msg m = link_pop(&s->unit.in[OP][port]);
    unsigned first;
    unsigned there = words_take(&s->unit, &m, words, count, &first);
    while (first + there < count) {
        assert(unit_pending(&s->unit, OP)[port / 64] >> port % 64 & 1);
        struct msg more = link_pop(&s->unit.in[OP][port]);
        there = words_take(&s->unit, &more, words, count, &first);
    }
    return m;
}

static void answer_when_sent(struct stager *s, uint32_t port, uint32_t tag)
{
    s->request.answered = true;
    s->request.port = (uint16_t)port;
    s->request.tag = tag;
}

/* access: MEM_READ or MEM_WRITE. */
static void refuse_here(struct stager *s, uint32_t port, const struct msg *m,
                        enum mem_op access, enum refusal reason)
{
    struct msg why = *m;
    why.aux = (uint8_t)access;
    why.value = s->unit.id;
    if (!s->why)
        s->why = (uint8_t)reason;
    refuse(s, port, m->tag, &why);
}

/* Records where thread processors take the items, none where an RT core does,
 * or anything when there are no more items. */
static enum refusal why_not(const struct stager *s, uint32_t segment,
                            uint64_t records)
{
    bool rtcore = s->unit.links[ITEM] > 0;
    if (s->ended)
        return REFUSAL_LATE;
    if (segment != CORBEL_SEGMENT_END || rtcore == (records != 0))
        return REFUSAL_NONE;
    return rtcore ? REFUSAL_RTCORE : REFUSAL_RECORDS;
}

static void send_item(struct stager *s, const uint32_t *words, uint32_t segment)
{
    struct payload ray;
    struct msg m = {.op = STREAM_ITEM,
                    .addr = words[ITEM_NUMBER],
                    .tag = segment,
                    .aux = (uint8_t)(words[ITEM_WORD] >> ITEM_HINT),
                    .size = s->kernel};
    memcpy(ray.bytes, words, sizeof ray.bytes);
    s->stats.items++;
    hold(s, SCHED, 0, &m, &ray);
}

static void send_roots(struct stager *s, uint32_t count, uint64_t records)
{
    struct msg m = {.op = STREAM_ROOTS,
                    .addr = records & ADDRESSES,
                    .tag = count,
                    .size = s->kernel};
    hold(s, SCHED, 0, &m, NULL);
}

static void take_item(struct stager *s, uint32_t port)
{
    uint32_t words[ITEM_WORDS];
    struct msg of = take_words(s, port, words, ITEM_WORDS);
    uint32_t segment = words[ITEM_WORD] & CORBEL_SEGMENT_END;
    bool roots = segment == CORBEL_SEGMENT_END;
    uint64_t records = roots ? words_value(words, 2) : 0;
    enum refusal why = why_not(s, segment, records);
    if (why) {
        struct msg m = {.addr = records & ADDRESSES, .tag = of.tag};
        refuse_here(s, port, &m, MEM_WRITE, why);
        return;
    }
    if (roots)
        send_roots(s, words[ITEM_NUMBER], records);
    else
        send_item(s, words, segment);
    answer_when_sent(s, port, of.tag);
}

/* The words of a request for a record; false: it is at no address. */
static bool take_record_words(struct stager *s, uint32_t port, struct msg *m,
                              uint32_t *words, unsigned count)
{
    struct msg of = take_words(s, port, words, count);
    uint64_t address =
        words_value(words, 2) + (uint64_t)(int64_t)(int32_t)of.addr;
    if (s->machine->profile.xlen == 32)
        address &= UINT32_MAX;
    *m = (struct msg){
        .addr = address, .tag = of.tag, .from = port, .size = s->kernel};
    return !(address & ~ADDRESSES);
}

static void take_store(struct stager *s, uint32_t port)
{
    uint32_t words[6];
    struct msg m;
    struct payload hit = {{0}};
    if (!take_record_words(s, port, &m, words, 6)) {
        refuse_here(s, port, &m, MEM_WRITE, REFUSAL_ADDRESS);
        return;
    }
    memcpy(hit.bytes, words + 2, 16);
    m.op = STREAM_HIT_STORE;
    m.from |= staged_note_hit(s) << FROM_GENERATION;
    hold_hit(s, &m, &hit);
}

static void take_load(struct stager *s, uint32_t port)
{
    uint32_t words[2];
    struct msg m;
    if (!take_record_words(s, port, &m, words, 2)) {
        refuse_here(s, port, &m, MEM_READ, REFUSAL_ADDRESS);
        return;
    }
    m.op = STREAM_HIT_LOAD;
    if (!s->unit.links[ITEM] || s->ended) {
        hold_hit(s, &m, NULL);
        return;
    }
    uint32_t index = unit_new_msg(&s->unit);
    m.when = port;
    *unit_msg(&s->unit, index) = m;
    msg_list_add(&s->unit, &s->loads, index);
}

/* A request that is not looked at, as a ray's access was refused. */
static void take_untold(struct stager *s, uint32_t port, uint8_t op)
{
    uint32_t words[ITEM_WORDS];
    unsigned count = op == ISA_CLASS_swi ? ITEM_WORDS : WORDS_IN_VALUE;
    struct msg m = take_words(s, port, words, count);
    refuse(s, port, m.tag, &s->refused);
    s->told = true;
}

static bool untold(const struct stager *s)
{
    return s->refused.op && !s->told;
}

static void take_of_core(struct stager *s, uint32_t port)
{
    uint8_t op = link_peek(&s->unit.in[OP][port])->op;
    s->tell_begin |= !s->begun && s->unit.links[WORK];
    s->begun = true;
    if (untold(s)) {
        take_untold(s, port, op);
    } else if (op == ISA_CLASS_lwi) {
        struct msg m = link_pop(&s->unit.in[OP][port]);
        staged_ask(s, &m, port);
    } else if (op == ISA_CLASS_swi) {
        take_item(s, port);
    } else if (op == ISA_CLASS_cshit) {
        take_store(s, port);
    } else {
        assert(op == ISA_CLASS_lhit);
        take_load(s, port);
    }
}

/* ---- in turn ---- */

void stager_take_request(struct stager *s)
{
    const uint64_t *cores = unit_pending(&s->unit, OP);
    uint32_t words = (s->unit.links[OP] + 63u) / 64;
    bool rtcore = *unit_pending(&s->unit, ITEM) > 0;
    if (s->request.held)
        return;
    int port = mask_next(cores, words, s->next_port);
    if (rtcore && (port < 0 || s->rtcore_next)) {
        take_of_rtcore(s);
        s->rtcore_next = false;
        s->worked = true;
    } else if (port >= 0) {
        take_of_core(s, (uint32_t)port);
        s->next_port = port_after((uint32_t)port, s->unit.links[OP]);
        s->rtcore_next = true;
        s->worked = true;
    }
}

/* The thread processor that has waited longest leaves the list; NONE: none
 * waits. The RT core's slots stay. */
static uint32_t take_first_core(struct stager *s, struct msg_list *l)
{
    uint32_t found = NONE;
    for (uint32_t n = l->count; n; n--) {
        uint32_t index = msg_list_pop(&s->unit, l);
        if (found == NONE && unit_msg(&s->unit, index)->when != RTCORE)
            found = index;
        else
            msg_list_add(&s->unit, l, index);
    }
    return found;
}

/* A thread processor that waits hears of what was refused. */
static void tell(struct stager *s)
{
    uint32_t index = take_first_core(s, &s->loads);
    if (index == NONE)
        index = take_first_core(s, &s->slots);
    if (index == NONE)
        return;
    struct msg m = *unit_msg(&s->unit, index);
    unit_free_msg(&s->unit, index);
    refuse(s, m.when, m.tag, &s->refused);
    s->told = true;
}

void stager_go_on(struct stager *s)
{
    if (!s->request.held && untold(s))
        tell(s);
    if (s->request.held || !s->loads.count)
        return;
    struct msg m = *unit_msg(&s->unit, s->loads.first);
    if (!s->ended && m.size == s->kernel)
        return;
    msg_list_next(&s->unit, &s->loads);
    hold_hit(s, &m, NULL);
}

/* ---- answers of hit updaters ---- */

void stager_take_record(struct stager *s)
{
    struct msg *m = &s->record;
    const uint64_t *pending = unit_pending(&s->unit, RECORD);
    int link =
        mask_next(pending, (s->unit.links[RECORD] + 63u) / 64, s->next_record);
    if (link < 0)
        return;
    s->next_record = port_after((uint32_t)link, s->unit.links[RECORD]);
    *m = link_pop(&s->unit.in[RECORD][link]);
    if (m->flags & MSG_PAYLOAD)
        s->record_payload = msg_payload(&s->unit, m);
    m->flags = 0;
    bool store =
        m->op == STREAM_STORED || (m->op == MEM_FAULT && m->aux == MEM_WRITE);
    if (store && m->size == s->kernel)
        staged_end_hit(s, m->from >> FROM_GENERATION & 1);
    if (m->op == MEM_FAULT && m->from & FROM_RTCORE && m->size == s->kernel)
        stager_note_refusal(s, m);
    s->worked = true;
}

static void answer_core(struct stager *s, const struct msg *record)
{
    struct outport *o = &s->unit.out[DONE][record->from & FROM_WHOM];
    struct msg m = {.tag = record->tag};
    uint32_t words[4];
    if (record->op == MEM_FAULT) {
        m = *record;
        m.from = 0;
        link_push(o, &m);
        return;
    }
    memcpy(words, s->record_payload.bytes, sizeof words);
    words_push(o, &m, words, record->op == STREAM_HIT ? 4 : 0);
}

void stager_pass_record(struct stager *s)
{
    struct msg *record = &s->record;
    if (!record->op)
        return;
    if (!(record->from & FROM_RTCORE)) {
        answer_core(s, record);
    } else if (record->op == STREAM_HIT) {
        struct msg m = *record;
        m.from = record->from & FROM_WHOM;
        link_push_full(&s->unit.out[WORK][0], &m, &s->record_payload);
    }
    record->op = 0;
}
