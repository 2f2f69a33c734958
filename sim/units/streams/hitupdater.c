/*
 * The hit updater: messages are taken, records of its lines compared and
 * changed, answers sent.
 */
#include "sim/units/streams/hitupdater.h"
#include "sim/units/common/check_log.h"
#include "sim/units/common/stream.h"
#include "sim/units/streams/hitupdater_lines.h"
#include "sim/units/units.h"
#include <assert.h>
#include <corbel/streams.h>

enum { HIT, DATA, FLUSH, RECORD, MEM };

static const struct port_row ports[] = {
    [HIT] = {"hit", false, 256, "hits and loads of the staging buffers"},
    [DATA] = {"data", false, 1, "ends of fetches"},
    [FLUSH] = {"flush", false, 1, "no more items: the stream scheduler"},
    [RECORD] = {"record", true, 256, "answers, in hit's order",
                .answers = true},
    [MEM] = {"mem", true, 1, "fetches and write-backs, to main memory"},
};

struct hitupdater {
    struct unit unit;
    struct hitupdater_params params;
    struct hitupdater_stats stats;
    struct account account;
    struct machine *machine;
    struct lines lines;
    uint64_t time;    /* requests that came to a line */
    uint32_t pending; /* lines */
    struct asked writes, reads;

    uint32_t waiting; /* a request that has no line yet, NONE: there is none */
    struct msg_list answers; /* to be sent */
    uint32_t next_port;
    uint32_t dirty;    /* lines */
    uint32_t leaving;  /* lines */
    uint32_t flush_at; /* the line that is looked at next */
    bool flushing;     /* no more items come in this kernel */
    bool worked;       /* in this cycle */
    bool leftover;     /* a message waits that can be taken */
    uint64_t launches;
};

/* ---- building ---- */

static bool well_set(const struct hitupdater *h, struct error *error)
{
    const struct hitupdater_params *p = &h->params;
    const struct unit *u = &h->unit;
    if (!u->links[HIT] || u->links[HIT] != u->links[RECORD])
        return error_set(error, "%u hit links but %u record links",
                         u->links[HIT], u->links[RECORD]);
    if (!u->links[MEM] || !u->links[DATA])
        return error_set(error, "no link to and from main memory");
    if (p->records % p->ways)
        return error_set(error, "records is no multiple of ways");
    if (!is_power_of_two(p->map_stride))
        return error_set(error, "map_stride is no power of two");
    return p->part < p->map_parts ||
           error_set(error, "part: expected less than map_parts");
}

static bool build(struct unit *u, struct error *error)
{
    struct hitupdater *h = (struct hitupdater *)u;
    const struct hitupdater_params *p = &h->params;
    if (!well_set(h, error))
        return false;
    h->machine = chip_context(u->chip);
    h->lines = (struct lines){
        .at = chip_alloc(u->chip, (size_t)p->records, sizeof *h->lines.at),
        .sets = (uint32_t)(p->records / p->ways),
        .ways = (uint32_t)p->ways,
        .map = map_new(p->map_stride, p->map_parts, 1, 32, p->map_hash),
    };
    asked_new(u->chip, &h->writes, (uint32_t)p->fetches);
    asked_new(u->chip, &h->reads, (uint32_t)p->fetches);
    h->waiting = NONE;
    h->account.bucket = &h->stats.idle;
    return true;
}

/* Lines that are being fetched come as before: what waits for them is answered,
 * with what memory has then. Dirty ones are still to be written back. */
static void launch(struct unit *u, uint64_t now)
{
    struct hitupdater *h = (struct hitupdater *)u;
    h->launches++;
    h->flushing = false;
    h->leaving += h->dirty;
    h->dirty = 0;
    for (int64_t i = 0; i < h->params.records; i++) {
        struct line *l = &h->lines.at[i];
        if (l->state == CLEAN)
            l->state = EMPTY;
        else if (l->state == DIRTY)
            l->state = LEAVING;
    }
    if (h->leaving)
        unit_wake(u, now);
}

/* ---- answers ---- */

/* A request is its own answer. */
static void answer(struct hitupdater *h, uint32_t index, uint8_t op)
{
    struct msg *m = unit_msg(&h->unit, index);
    m->op = op;
    msg_list_add(&h->unit, &h->answers, index);
}

static void answer_load(struct hitupdater *h, uint32_t index)
{
    struct payload p = {{0}};
    memcpy(p.bytes, machine_at(h->machine, unit_msg(&h->unit, index)->addr),
           RECORD_BYTES);
    unit_attach(&h->unit, index, &p);
    answer(h, index, STREAM_HIT);
}

/* unit: which one could not serve it. */
static void refuse(struct hitupdater *h, uint32_t index, uint64_t unit)
{
    struct msg *m = unit_msg(&h->unit, index);
    m->aux = m->op == STREAM_HIT_STORE ? MEM_WRITE : MEM_READ;
    m->value = unit;
    answer(h, index, MEM_FAULT);
    h->stats.refused++;
}

static void send_answer(struct hitupdater *h)
{
    uint32_t index = h->answers.first;
    struct msg *m = unit_msg(&h->unit, index);
    struct outport *o = &h->unit.out[RECORD][m->when];
    h->answers.first = m->next;
    h->answers.count--;
    if (!(m->flags & MSG_PAYLOAD)) {
        link_forward(o, index, NULL);
        return;
    }
    struct payload p = msg_payload(&h->unit, m);
    m->flags = 0;
    link_forward(o, index, &p);
}

/* ---- records ---- */

/* Why no hits can be kept at the address, NULL: they can. */
static const char *why_not_at(const struct hitupdater *h, uint64_t address)
{
    const struct machine *m = h->machine;
    if (address % RECORD_BYTES)
        return "hit records lie at multiples of 16";
    if (!machine_in_ram(m, address, RECORD_BYTES))
        return "a hit record outside of memory";
    if (machine_read_only(m, address, RECORD_BYTES))
        return "a hit record in what programs may not write";
    return map_slice(&h->lines.map, address) == h->params.part
               ? NULL
               : "a hit record of another memory partition";
}

static void refusal(const struct unit *u, uint64_t address, char *text,
                    size_t size)
{
    const char *why = why_not_at((const struct hitupdater *)u, address);
    snprintf(text, size, "%s", why ? why : "");
}

/* To the check of memory the record is written as by an atomic, which needs no
 * store before it: whose hit it is, is not known here. */
static void note_record(const struct hitupdater *h, uint64_t address)
{
    for (uint64_t at = address; at < address + RECORD_BYTES; at += 8) {
        struct check_record r = {
            .addr = at, .kind = CHECK_PERFORMED, .size = 8, .mask = 1};
        memcpy(&r.value, machine_at(h->machine, at), 8);
        check_note(h->machine, &h->unit, &r);
    }
}

/* The record gets the hit that the message carries; false: it had a closer one.
 */
static bool keep_closer(struct hitupdater *h, struct msg *m)
{
    struct payload p = msg_payload(&h->unit, m);
    struct corbel_hit hit = stream_hit(p.bytes), record;
    uint8_t *at = machine_at(h->machine, m->addr);
    m->flags = 0;
    m->value = 0;
    memcpy(&record, at, sizeof record);
    if (!corbel_hit_is_closer(&hit, &record))
        return false;
    memcpy(at, &hit, sizeof hit);
    if (h->machine->check_logs)
        note_record(h, m->addr);
    h->stats.closer++;
    return true;
}

/* ---- lines ---- */

static void write_back(struct hitupdater *h, struct line *l)
{
    asked_push(&h->writes, l->address);
    if (l->state == DIRTY)
        h->dirty--;
    else
        h->leaving--;
    h->stats.bytes_written += RECORD_BYTES;
}

/* A line for the record, that is fetched now. NULL: not yet. */
static struct line *fetch(struct hitupdater *h, uint64_t address)
{
    struct line *l = lines_victim(&h->lines, address);
    bool dirty = l && (l->state == DIRTY || l->state == LEAVING);
    if (!l || h->pending == h->params.fetches ||
        (dirty && ring_full(&h->writes.order)))
        return NULL;
    if (dirty) {
        write_back(h, l);
        h->stats.evicted++;
    }
    *l = (struct line){.address = address, .state = PENDING};
    asked_push(&h->reads, (uint64_t)(l - h->lines.at));
    h->pending++;
    h->stats.misses++;
    h->stats.bytes_read += RECORD_BYTES;
    return l;
}

/* A closer hit has come for the record since it was fetched. */
static void change(struct hitupdater *h, struct line *l)
{
    l->changed |= l->state == PENDING;
    h->dirty += l->state == CLEAN;
    if (l->state == CLEAN)
        l->state = DIRTY;
}

/* The line of a request; it is fetched if need be. NULL: not yet. */
static struct line *line_for(struct hitupdater *h, uint64_t address)
{
    struct line *l = lines_find(&h->lines, address);
    if (l) {
        h->stats.hits += l->state != PENDING;
        h->stats.merges += l->state == PENDING;
    } else {
        l = fetch(h, address);
    }
    if (l)
        l->used = ++h->time;
    return l;
}

/* ---- requests ---- */

/* The request that waits gets its line. False: it still waits. A hit is in
 * memory already, and whether it was closer is in aux. */
static bool serve(struct hitupdater *h)
{
    uint32_t index = h->waiting;
    struct msg *m = unit_msg(&h->unit, index);
    struct line *l = line_for(h, m->addr);
    if (!l)
        return false;
    h->waiting = NONE;
    if (m->op == STREAM_HIT_STORE) {
        if (m->aux)
            change(h, l);
        m->aux = 0;
        answer(h, index, STREAM_STORED);
    } else if (l->state == PENDING) {
        /* It is answered when the line is there. */
        msg_list_add(&h->unit, &l->loads, index);
    } else {
        answer_load(h, index);
    }
    return true;
}

static void take_request(struct hitupdater *h, uint32_t port)
{
    uint32_t index = link_take(&h->unit.in[HIT][port]);
    struct msg *m = unit_msg(&h->unit, index);
    bool store = m->op == STREAM_HIT_STORE;
    assert(store || m->op == STREAM_HIT_LOAD);
    m->when = port;
    h->next_port = port_after(port, h->unit.links[HIT]);
    h->worked = true;
    h->stats.stores += store;
    h->stats.loads += !store;
    if (why_not_at(h, m->addr)) {
        if (m->flags & MSG_PAYLOAD)
            msg_payload(&h->unit, m);
        m->flags = 0;
        refuse(h, index, h->unit.id);
        return;
    }
    m->aux = store && keep_closer(h, m);
    h->waiting = index;
    h->stats.stalls += !serve(h);
}

static void end_line(struct hitupdater *h, const struct msg *m)
{
    struct line *l = &h->lines.at[m->tag];
    uint64_t unit = m->value;
    bool refused = m->op == MEM_FAULT;
    for (uint32_t index = l->loads.first; l->loads.count; l->loads.count--) {
        uint32_t next = unit_msg(&h->unit, index)->next;
        if (refused)
            refuse(h, index, unit);
        else
            answer_load(h, index);
        index = next;
    }
    l->state = refused ? EMPTY : CLEAN;
    if (l->changed && !refused)
        change(h, l);
    h->pending--;
}

static void take_flush(struct hitupdater *h)
{
    const struct msg *m = link_read(&h->unit.in[FLUSH][0]);
    h->flushing |= m->size == stream_kernel(h->launches);
}

static void take_requests(struct hitupdater *h)
{
    const uint64_t *pending = unit_pending(&h->unit, HIT);
    uint32_t words = (h->unit.links[HIT] + 63u) / 64;
    int port = -1;
    if (h->waiting == NONE)
        port = mask_next(pending, words, h->next_port);
    if (port >= 0)
        take_request(h, (uint32_t)port);
    h->leftover = h->waiting == NONE && mask_any(pending, words);
}

static void hitupdater_receive(struct unit *u, uint64_t now)
{
    struct hitupdater *h = (struct hitupdater *)u;
    const uint64_t *fetched = unit_pending(u, DATA);
    if (*unit_pending(u, FLUSH))
        take_flush(h);
    if (*fetched) {
        struct msg m = link_pop(&u->in[DATA][0]);
        TRIP_END(&h->unit, &h->stats, &m, now);
        end_line(h, &m);
        h->worked = true;
    }
    take_requests(h);
    h->leftover |= *fetched > 0;
}

/* ---- main memory ---- */

static bool is_to_be_flushed(const struct hitupdater *h, const struct line *l)
{
    return l->state == LEAVING || (l->state == DIRTY && h->flushing);
}

/* One line a cycle; those that are fetched and were changed follow later. */
static void flush(struct hitupdater *h)
{
    uint32_t count = (uint32_t)h->params.records;
    if (!(h->leaving || (h->flushing && h->dirty)) ||
        ring_full(&h->writes.order))
        return;
    while (!is_to_be_flushed(h, &h->lines.at[h->flush_at]))
        h->flush_at = port_after(h->flush_at, count);
    struct line *l = &h->lines.at[h->flush_at];
    write_back(h, l);
    l->state = l->state == DIRTY ? CLEAN : EMPTY;
    h->stats.flushed++;
    h->worked = true;
}

/* One request a cycle, writes first. */
static void send_below(struct hitupdater *h)
{
    struct outport *o = &h->unit.out[MEM][0];
    struct msg m = {.op = MEM_WRITEBACK, .size = SECTOR, .aux = CLIENT_HITS};
    if (!(h->writes.order.count + h->reads.order.count) || !link_ready(o))
        return;
    uint64_t address;
    if (h->writes.order.count) {
        address = asked_pop(&h->writes);
    } else {
        m.op = MEM_FILL;
        m.tag = (uint32_t)asked_pop(&h->reads);
        trip_begin(&m, TRIP_record, unit_now(&h->unit));
        address = h->lines.at[m.tag].address;
    }
    m.addr = address / SECTOR * SECTOR;
    link_push(o, &m);
    h->worked = true;
}

static uint64_t hitupdater_send(struct unit *u, uint64_t now)
{
    struct hitupdater *h = (struct hitupdater *)u;
    flush(h);
    send_below(h);
    if (h->waiting != NONE)
        h->worked |= serve(h);
    if (h->answers.count) {
        send_answer(h);
        h->worked = true;
    }
    bool worked = h->worked, busy_below = h->pending || h->writes.order.count;
    uint64_t *rest = h->waiting != NONE ? &h->stats.stalled
                     : busy_below       ? &h->stats.fetching
                                        : &h->stats.idle;
    if (h->flushing && (h->dirty || h->writes.order.count))
        account_tick(&h->account, now, &h->stats.flushing, &h->stats.flushing);
    else
        account_tick(&h->account, now, worked ? &h->stats.busy : rest, rest);
    h->worked = false;
    return worked || h->leftover ? now + 1 : CYCLE_NEVER;
}

/* ---- the unit ---- */

static void close_account(struct unit *u, uint64_t now)
{
    struct hitupdater *h = (struct hitupdater *)u;
    account_switch(&h->account, now, h->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct hitupdater *h = (const struct hitupdater *)u;
    if (h->pending || h->waiting != NONE)
        fprintf(out, "%s: %u records are being fetched%s\n", u->name,
                h->pending,
                h->waiting == NONE ? "" : ", a request waits for its place");
}

static const struct outport *waits_for(const struct unit *u)
{
    return ((const struct hitupdater *)u)->pending ? u->out[MEM] : NULL;
}

#define PARAM_STRUCT struct hitupdater_params
#define STAT_STRUCT struct hitupdater_stats
static const struct param param_rows[] = {HITUPDATER_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {HITUPDATER_STATS(STAT_ROW)
                                                HITUPDATER_TRIPS(TRIP_ROWS)};
TRIP_KINDS(HITUPDATER_TRIPS)
static const struct stat_row bucket_rows[] = {HITUPDATER_BUCKETS(BUCKET_ROW)};
#define STATE_STRUCT struct hitupdater
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket), STATE_POINTER(machine),
    STATE_POINTER(lines.at), STATE_POINTER(writes.at), STATE_POINTER(reads.at)};

static const struct figure_row figures[] = {
    {.name = "hit_rate",
     .over = {COUNTER(hits), COUNTER(merges)},
     .under = {COUNTER(stores), COUNTER(loads)},
     .said = "%.1f %% of requests find their record",
     .scale = 100},
};

const struct unit_kind hitupdater_kind = {
    .name = "hitupdater",
    .meaning = "closest hits of a memory partition's records",
    .size = sizeof(struct hitupdater),
    .params = offsetof(struct hitupdater, params),
    .stats = offsetof(struct hitupdater, stats),
    UNIT_TABLES,
    TRIP_TABLE,
    UNIT_STATE,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = build,
    .receive = hitupdater_receive,
    .send = hitupdater_send,
    .launch = launch,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
    .refusal = refusal,
};
