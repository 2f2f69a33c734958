#include "sim/units/dram.h"
#include "sim/core/clock.h"
#include "sim/dram/dram.h"
#include "sim/units/crossbar.h"
#include "sim/units/mem.h"
#include "sim/units/units.h"
#include <string.h>

enum { CPU, REPLY };

static const struct port_row ports[] = {
    [CPU] = {"cpu", false, 256, "requests of the cache slices"},
    [REPLY] = {"reply", true, 256, "answers, in cpu's order", .answers = true},
};

/*
 * A request, from its link to its answer: a cache line. The first one of a
 * transaction is the transaction: those that join hang on it.
 */
struct request {
    struct msg msg;  /* next: in the bucket; when: cycle in which it was taken,
                        low 32 bits */
    uint64_t local;  /* address without the partition's bits */
    uint64_t due;    /* cycle: at the controllers; then of the answer */
    uint64_t there;  /* clock of its last data, as far as known */
    uint32_t joined; /* the first that joined; in a joiner: the next */
    uint16_t port;
    uint8_t offered, left; /* transactions, of `parts`; not done yet */
};
_Static_assert(sizeof(struct request) == 64, "a cache line");

/* A power of two entries, `room` of them used; from the first one again when
 * it is empty: the fewer lines. */
struct ring {
    uint32_t *at;
    uint32_t mask, head, count, room;
};

/* Cycles in which a bus carries data. */
struct span {
    uint64_t from, to;
};

/* A data bus: what it will carry, and to where its cycles are booked. */
struct bus {
    uint64_t booked; /* cycles before this one */
    struct span refresh;
    struct span *data; /* ring, in order */
    uint32_t head, count;
};

struct dram_unit {
    struct unit unit;
    struct dram_unit_params params;
    struct dram_unit_stats stats;
    struct dram_device *device;
    struct dram *dram;
    struct clock_ratio clock;
    uint64_t num_inverse, den_inverse; /* of clock: see divide */
    struct address_map map;
    uint32_t parts; /* transactions of a request */
    bool joins;     /* a transaction has room for several requests */

    struct request *pool;
    uint32_t *free; /* a stack of numbers: taking one reads no request */
    uint32_t free_count, pool_size;
    uint16_t words;                /* of the mask of links */
    uint8_t accepts, answers_most; /* in a cycle */
    struct ring front;             /* in order of taking */
    struct ring answers;           /* in order of due */
    uint32_t *buckets; /* transactions under way, by address; if joins */
    uint32_t bucket_mask;
    uint32_t next_port;
    bool leftover, blocked;

    /* What lets the unit sleep, see next_event. */
    uint64_t wake, sure; /* cycles: nothing before; woken at the latest */
    uint64_t next_offer; /* cycle in which one can be offered */
    uint64_t next_tick;  /* dram_next */
    uint64_t quick, last_quick; /* due of the first and last read in the front
                                   pipeline that might not need the device;
                                   CYCLE_NEVER: none */
    uint32_t reads, asked; /* not answered; transactions whose data's time is
                              not known */
    uint8_t *writes;       /* that are under way, by hash of the address */

    struct bus *buses; /* [channel][pseudo-channel] */
    uint32_t bus_count, pseudos, spans;
    bool busy;           /* buses: requests under way, since `booked` */
    uint64_t held_since; /* the head waits for a queue; CYCLE_NEVER: not */
};

/* ---- clocks ---- */

/*
 * n / by through its inverse, 2^64 / by rounded down: hosts take long to
 * divide. That is too little by less than 1, which the rest shows.
 */
static inline uint64_t divide(uint64_t n, uint64_t by, uint64_t inverse)
{
    __extension__ typedef unsigned __int128 product;
    uint64_t quotient = (uint64_t)((product)n * inverse >> 64);
    return quotient + (n - quotient * by >= by);
}

/* As tick_of and cycle_of in sim/core/clock.h. */
static inline uint64_t tick_in(const struct dram_unit *d, uint64_t cycle)
{
    return divide(cycle * d->clock.num, d->clock.den, d->den_inverse);
}

static inline uint64_t cycle_with(const struct dram_unit *d, uint64_t tick)
{
    return divide(tick * d->clock.den + d->clock.num - 1, d->clock.num,
                  d->num_inverse);
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t not_before(uint64_t cycle, uint64_t least)
{
    return cycle > least ? cycle : least;
}

static bool is_write(const struct request *r)
{
    return r->msg.op == MEM_WRITEBACK;
}

/* Requests that were taken, and are not answered or written yet. */
static uint32_t under_way(const struct dram_unit *d)
{
    return d->pool_size - d->free_count;
}

/* ---- rings of requests ---- */

static void ring_new(struct dram_unit *d, struct ring *r, uint32_t room)
{
    r->room = room;
    while (r->mask + 1 < room)
        r->mask = 2 * r->mask + 1;
    r->at = chip_alloc(d->unit.chip, r->mask + 1, sizeof *r->at);
}

static uint32_t *ring_entry(const struct ring *r, uint32_t n)
{
    return &r->at[(r->head + n) & r->mask];
}

static void ring_pop(struct ring *r)
{
    r->head = --r->count ? (r->head + 1) & r->mask : 0;
}

/* ---- reads that need no data from the device ---- */

/*
 * A read can only be forwarded from a write that was taken before it. A count
 * of those under way says which reads surely are not: addresses that differ
 * in the bits that are looked at differ in every device.
 */
#define WRITE_COUNTS 1024u
#define MANY_WRITES UINT8_MAX /* and more: stays */

static uint8_t *writes_to(const struct dram_unit *d, uint64_t local)
{
    uint64_t sector = local / SECTOR;
    return &d->writes[(sector ^ sector / WRITE_COUNTS) % WRITE_COUNTS];
}

static void count_write(struct dram_unit *d, uint64_t local, int change)
{
    uint8_t *count = writes_to(d, local);
    if (*count != MANY_WRITES)
        *count = (uint8_t)(*count + change);
}

static void note_quick(struct dram_unit *d, uint64_t due)
{
    if (d->quick == CYCLE_NEVER)
        d->quick = due;
    d->last_quick = due;
}

/* Those due before the head of the front pipeline have left it. */
static void forget_quick(struct dram_unit *d, uint64_t head)
{
    if (d->quick < head)
        d->quick = d->last_quick < head ? CYCLE_NEVER : head;
}

/* ---- building ---- */

static bool check_params(const struct dram_unit *d, struct error *error)
{
    int64_t stride = d->params.map_stride;
    if (!is_power_of_two(stride))
        return error_set(error, "map_stride: %lld is no power of two",
                         (long long)stride);
    if (stride < d->device->transaction)
        return error_set(error,
                         "map_stride: %lld is less than a transaction of %s, "
                         "%u bytes",
                         (long long)stride, d->device->name,
                         d->device->transaction);
    if (!d->params.channels || is_power_of_two(d->params.channels))
        return true;
    return error_set(error, "channels: %lld is no power of two",
                     (long long)d->params.channels);
}

static struct dram_policy policy_of(const struct dram_unit_params *p)
{
    return (struct dram_policy){
        .rules = (uint8_t)p->rules,
        .scheduler = (uint8_t)p->scheduler,
        .row_policy = (uint8_t)p->row_policy,
        .refresh = (uint8_t)p->refresh,
        .cap = (uint32_t)p->cap,
        .timeout = (uint32_t)p->timeout,
        .read_queue = (uint32_t)p->read_queue,
        .write_queue = (uint32_t)p->write_queue,
        .active_queue = (uint32_t)p->active_queue,
        .write_high = (uint32_t)p->write_high,
        .write_low = (uint32_t)p->write_low,
    };
}

static bool make_controllers(struct dram_unit *d, struct error *error)
{
    struct dram_unit_params *p = &d->params;
    d->device = dram_device_new(dram_device_names()[p->device], error);
    if (!d->device || !check_params(d, error))
        return false;
    if (!p->channels)
        p->channels = d->device->channels;
    if (!p->clock)
        p->clock = d->device->clock_khz;
    struct dram_options options = {
        .device = d->device,
        .policy = policy_of(p),
        .mapping = *p->mapping ? p->mapping : NULL,
        .channels = (uint32_t)p->channels,
    };
    d->dram = dram_new(&options, error);
    return d->dram != NULL;
}

static dram_bus_hook note_bus;

/* Bursts whose data is still to come: as many as fit into a latency. */
static void make_buses(struct dram_unit *d)
{
    const struct dram_device *device = d->device;
    uint32_t latency = device->read_latency > device->write_latency
                           ? device->read_latency
                           : device->write_latency;
    d->pseudos = device->units[DRAM_PSEUDO];
    d->bus_count = (uint32_t)d->params.channels * d->pseudos;
    d->buses = chip_alloc(d->unit.chip, d->bus_count, sizeof *d->buses);
    d->spans = latency / device->burst + 4;
    for (uint32_t i = 0; i < d->bus_count; i++)
        d->buses[i].data =
            chip_alloc(d->unit.chip, d->spans, sizeof(struct span));
    dram_on_bus(d->dram, note_bus, d);
}

/* Room for all that can be in the pipelines and queues at a time. */
static void make_pool(struct dram_unit *d)
{
    const struct dram_unit_params *p = &d->params;
    uint32_t front = (uint32_t)(p->front * p->accepts + p->queue);
    uint32_t queues =
        (uint32_t)(p->channels * (p->read_queue + p->write_queue));
    uint32_t back = (uint32_t)((p->back + 64) * p->answers);
    uint32_t sharers = d->joins ? d->device->transaction / SECTOR : 1;
    d->pool_size = front + (queues + back) * sharers;
    d->pool = chip_alloc(d->unit.chip, d->pool_size, sizeof *d->pool);
    ring_new(d, &d->front, front);
    ring_new(d, &d->answers, d->pool_size);
    d->free = chip_alloc(d->unit.chip, d->pool_size, sizeof *d->free);
    for (uint32_t i = d->pool_size; i-- > 0;)
        d->free[d->free_count++] = i;
    if (!d->joins)
        return;
    for (d->bucket_mask = 63; d->bucket_mask < queues;)
        d->bucket_mask = 2 * d->bucket_mask + 1;
    d->buckets =
        chip_alloc(d->unit.chip, d->bucket_mask + 1, sizeof *d->buckets);
    for (uint32_t i = 0; i <= d->bucket_mask; i++)
        d->buckets[i] = NONE;
}

/* A cycle of the faster clock's is work for the host even where little happens
 * in it: at 1 kHz, a core would wait for millions of them. */
static bool clocks_fit(const struct dram_unit *d, struct error *error)
{
    int64_t clock = d->params.clock, core = d->params.core_clock;
    return (clock <= core * DRAM_RATIO_MAX && core <= clock * DRAM_RATIO_MAX) ||
           error_set(error,
                     "core_clock: %lld kHz with a DRAM of %lld kHz, neither "
                     "may be more than %d times the other",
                     (long long)core, (long long)clock, DRAM_RATIO_MAX);
}

static bool build(struct unit *u, struct error *error)
{
    struct dram_unit *d = (struct dram_unit *)u;
    if (!u->links[CPU] || u->links[CPU] != u->links[REPLY])
        return error_set(error, "%u cpu links but %u reply links",
                         u->links[CPU], u->links[REPLY]);
    if (!make_controllers(d, error) || !clocks_fit(d, error))
        return false;
    uint32_t transaction = d->device->transaction;
    d->parts = transaction < SECTOR ? SECTOR / transaction : 1;
    d->joins = transaction > SECTOR;
    d->clock = clock_ratio_of((uint64_t)d->params.clock,
                              (uint64_t)d->params.core_clock);
    d->num_inverse = UINT64_MAX / d->clock.num;
    d->den_inverse = UINT64_MAX / d->clock.den;
    d->map = map_new(d->params.map_stride, d->params.map_parts, 1, 1, false);
    d->held_since = d->next_offer = d->quick = CYCLE_NEVER;
    d->next_tick = dram_next(d->dram);
    d->writes = chip_alloc(d->unit.chip, WRITE_COUNTS, sizeof *d->writes);
    d->words = (uint16_t)((u->links[CPU] + 63) / 64);
    d->accepts = (uint8_t)d->params.accepts;
    d->answers_most = (uint8_t)d->params.answers;
    make_pool(d);
    make_buses(d);
    return true;
}

static void destroy(struct unit *u)
{
    struct dram_unit *d = (struct dram_unit *)u;
    dram_free(d->dram);
    dram_device_free(d->device);
}

static uint64_t accounts(const struct unit *u)
{
    return ((const struct dram_unit *)u)->bus_count;
}

/* ---- the cycles of the buses ---- */

static uint64_t overlap(const struct span *s, uint64_t from, uint64_t to)
{
    uint64_t begin = s->from > from ? s->from : from;
    uint64_t end = s->to < to ? s->to : to;
    return end > begin ? end - begin : 0;
}

static void book_gap(struct dram_unit *d, const struct bus *b, uint64_t to)
{
    uint64_t cycles = to - b->booked;
    if (!d->busy) {
        d->stats.idle += cycles;
        return;
    }
    uint64_t refresh = overlap(&b->refresh, b->booked, to);
    d->stats.refresh += refresh;
    d->stats.waiting += cycles - refresh;
}

/* Books the bus's cycles before `to`. */
static void book_bus(struct dram_unit *d, struct bus *b, uint64_t to)
{
    if (to <= b->booked)
        return;
    while (b->count && b->data[b->head].from < to) {
        struct span *s = &b->data[b->head];
        uint64_t end = s->to < to ? s->to : to;
        if (s->from > b->booked) {
            book_gap(d, b, s->from);
            b->booked = s->from;
        }
        d->stats.busy += end - b->booked;
        b->booked = end;
        if (s->to > to)
            return;
        b->head = b->head + 1 == d->spans ? 0 : b->head + 1;
        b->count--;
    }
    book_gap(d, b, to);
    b->booked = to;
}

static void book_buses(struct dram_unit *d, uint64_t to)
{
    for (uint32_t i = 0; i < d->bus_count; i++)
        book_bus(d, &d->buses[i], to);
}

/* Data in the cycles from `from` to before `to`; bursts that touch are one. */
static void add_data(struct dram_unit *d, struct bus *b, uint64_t from,
                     uint64_t to)
{
    uint32_t last = b->head + b->count - 1;
    struct span *s = &b->data[last < d->spans ? last : last - d->spans];
    if (b->count && from <= s->to) {
        s->to = to > s->to ? to : s->to;
        return;
    }
    uint32_t next = b->head + b->count;
    b->data[next < d->spans ? next : next - d->spans] = (struct span){from, to};
    b->count++;
    assert(b->count <= d->spans);
}

/* Booked are those of the past when there are many. */
static void note_data(struct dram_unit *d, struct bus *b, uint64_t clock,
                      uint32_t latency)
{
    uint64_t end = clock + latency;
    if (b->count == d->spans)
        book_bus(d, b, cycle_with(d, clock));
    add_data(d, b, cycle_with(d, end - d->device->burst + 1),
             cycle_with(d, end) + 1);
}

/* A refresh of all banks takes the buses below its scope. */
static void note_refresh(struct dram_unit *d, struct bus *buses, uint32_t of,
                         uint64_t clock)
{
    struct span s = {cycle_with(d, clock),
                     cycle_with(d, clock + d->device->refresh_cycles)};
    for (uint32_t pseudo = 0; pseudo < d->pseudos; pseudo++) {
        if (of != UINT32_MAX && of != pseudo)
            continue;
        book_bus(d, &buses[pseudo], s.from);
        buses[pseudo].refresh = s;
    }
}

static void note_bus(void *context, uint64_t clock, enum dram_command command,
                     uint32_t channel, uint32_t pseudo)
{
    struct dram_unit *d = context;
    struct bus *buses = &d->buses[channel * d->pseudos];
    if (command == DRAM_REFAB)
        note_refresh(d, buses, pseudo, clock);
    else if (command == DRAM_RD || command == DRAM_RDA)
        note_data(d, &buses[pseudo], clock, d->device->read_latency);
    else
        note_data(d, &buses[pseudo], clock, d->device->write_latency);
}

/* ---- transactions under way ---- */

static uint64_t transaction_of(const struct dram_unit *d,
                               const struct request *r)
{
    return r->local / d->device->transaction;
}

static uint32_t *bucket_of(const struct dram_unit *d, const struct request *r)
{
    uint64_t t = transaction_of(d, r) * 0x9e3779b97f4a7c15u;
    return &d->buckets[t >> 32 & d->bucket_mask];
}

static void enter(struct dram_unit *d, uint32_t number)
{
    uint32_t *bucket = bucket_of(d, &d->pool[number]);
    d->pool[number].msg.next = *bucket;
    *bucket = number;
}

static void leave(struct dram_unit *d, uint32_t number)
{
    uint32_t *link = bucket_of(d, &d->pool[number]);
    while (*link != number)
        link = &d->pool[*link].msg.next;
    *link = d->pool[number].msg.next;
}

/* The transaction that r can join: its data has still to come. */
static uint32_t find_transaction(const struct dram_unit *d,
                                 const struct request *r, uint64_t tick)
{
    uint32_t n = *bucket_of(d, r);
    for (; n != NONE; n = d->pool[n].msg.next) {
        const struct request *t = &d->pool[n];
        if (transaction_of(d, t) == transaction_of(d, r) &&
            is_write(t) == is_write(r) && (t->left || t->there > tick))
            return n;
    }
    return NONE;
}

static void release(struct dram_unit *d, uint32_t number)
{
    struct request *r = &d->pool[number];
    if (is_write(r))
        count_write(d, r->local, -1);
    d->free[d->free_count++] = number;
}

/* Into the answers, by the cycle in which they are due. */
static void await_answer(struct dram_unit *d, uint32_t number, uint64_t there)
{
    struct request *r = &d->pool[number];
    uint32_t at = d->answers.count++;
    r->due = cycle_with(d, there) + (uint64_t)d->params.back;
    for (; at; at--) {
        uint32_t before = *ring_entry(&d->answers, at - 1);
        if (d->pool[before].due <= r->due)
            break;
        *ring_entry(&d->answers, at) = before;
    }
    *ring_entry(&d->answers, at) = number;
}

/* All of a transaction's data is known to come: so are the answers. */
static void finish(struct dram_unit *d, uint32_t number)
{
    struct request *r = &d->pool[number];
    bool write = is_write(r);
    uint64_t there = r->there;
    d->asked -= !write;
    if (write && d->joins)
        leave(d, number);
    for (uint32_t n = number; n != NONE;) {
        uint32_t next = d->pool[n].joined;
        if (write)
            release(d, n);
        else
            await_answer(d, n, there);
        n = next;
    }
}

static __attribute__((noinline)) void take_from(struct dram_unit *d,
                                                const struct dram_done *done)
{
    do {
        uint32_t number = (uint32_t)done->tag;
        struct request *r = &d->pool[number];
        if (done->done > r->there)
            r->there = done->done;
        if (!--r->left)
            finish(d, number);
        done = dram_take(d->dram);
    } while (done);
}

static inline void take_completions(struct dram_unit *d)
{
    const struct dram_done *first = dram_take(d->dram);
    if (first)
        take_from(d, first);
}

/* ---- offering ---- */

static bool join(struct dram_unit *d, uint32_t number, uint64_t tick)
{
    uint32_t found = find_transaction(d, &d->pool[number], tick);
    if (found == NONE)
        return false;
    struct request *t = &d->pool[found];
    d->stats.joined++;
    if (!t->left) {
        await_answer(d, number, t->there);
        return true;
    }
    while (t->joined != NONE)
        t = &d->pool[t->joined];
    t->joined = number;
    return true;
}

/* Offers what the request still needs; false: a queue is full. */
static bool offer(struct dram_unit *d, uint32_t number, uint64_t tick)
{
    struct request *r = &d->pool[number];
    uint32_t transaction = d->device->transaction;
    uint64_t address = r->local & ~(uint64_t)(SECTOR - 1);
    uint32_t part = r->offered;
    do {
        if (dram_offer(d->dram, tick, is_write(r),
                       address + (uint64_t)part * transaction, number))
            continue;
        r->offered = (uint8_t)part;
        return false;
    } while (++part < d->parts);
    r->offered = (uint8_t)part;
    d->asked += !is_write(r);
    if (d->joins)
        enter(d, number);
    return true;
}

static void hold(struct dram_unit *d, uint64_t now)
{
    d->blocked = true;
    if (d->held_since != CYCLE_NEVER)
        return;
    d->stats.held++;
    d->held_since = now;
}

static void book_held(struct dram_unit *d, uint64_t now)
{
    if (d->held_since < now) {
        d->stats.held_cycles += now - d->held_since;
        d->held_since = now;
    }
}

static void unhold(struct dram_unit *d, uint64_t now)
{
    book_held(d, now);
    d->held_since = CYCLE_NEVER;
}

static void offer_due(struct dram_unit *d, uint64_t now, uint64_t tick)
{
    d->blocked = false;
    for (unsigned n = 0; n < d->accepts && d->front.count; n++) {
        uint32_t number = *ring_entry(&d->front, 0);
        if (d->pool[number].due > now)
            return;
        if (!(d->joins && join(d, number, tick)) && !offer(d, number, tick)) {
            hold(d, now);
            return;
        }
        if (d->held_since != CYCLE_NEVER)
            unhold(d, now);
        ring_pop(&d->front);
    }
}

/* When the next one can be offered, after those of this cycle. */
static uint64_t offer_after(struct dram_unit *d, uint64_t now)
{
    if (!d->front.count) {
        d->quick = CYCLE_NEVER;
        return CYCLE_NEVER;
    }
    uint64_t due = d->pool[*ring_entry(&d->front, 0)].due;
    forget_quick(d, due);
    if (d->blocked)
        due = cycle_with(d, d->next_tick);
    return not_before(due, now + 1);
}

/* ---- running ---- */

static void run_to(struct dram_unit *d, uint64_t tick)
{
    if (d->next_tick > tick)
        return;
    if (dram_run(d->dram, tick))
        take_completions(d);
    d->next_tick = dram_next(d->dram);
}

/* All that happened inside up to the end of that cycle. */
static void catch_up(struct dram_unit *d, uint64_t now)
{
    while (d->next_offer <= now) {
        uint64_t cycle = d->next_offer, tick = tick_in(d, cycle);
        run_to(d, tick);
        offer_due(d, cycle, tick);
        take_completions(d); /* forwarded and merged */
        d->next_tick = dram_next(d->dram);
        d->next_offer = offer_after(d, cycle);
    }
    run_to(d, tick_in(d, now));
}

/* ---- taking requests ---- */

/* No answer to what is offered in that cycle or later leaves before. */
static uint64_t first_answer(const struct dram_unit *d, uint64_t cycle)
{
    uint64_t data = tick_in(d, cycle) + 1 + d->device->read_latency;
    return cycle_with(d, data) + (uint64_t)d->params.back;
}

static void wake_for(struct dram_unit *d, uint64_t cycle)
{
    if (cycle < d->wake)
        d->wake = cycle;
}

static void account(struct dram_unit *d, const struct request *r)
{
    if (is_write(r)) {
        d->stats.writes++;
        count_write(d, r->local, 1);
        return;
    }
    d->reads++;
    if (!d->joins && !*writes_to(d, r->local))
        return;
    note_quick(d, r->due);
    wake_for(d, r->due + (uint64_t)d->params.back);
}

static void take(struct dram_unit *d, uint32_t port, uint64_t now)
{
    uint32_t number = d->free[--d->free_count];
    struct request *r = &d->pool[number];
    msg_copy(&r->msg, link_read(&d->unit.in[CPU][port]));
    r->msg.when = (uint32_t)now;
    r->local = map_local(&d->map, r->msg.addr);
    r->due = now + (uint64_t)d->params.front;
    r->there = 0;
    r->joined = NONE;
    r->port = (uint16_t)port;
    r->offered = 0;
    r->left = (uint8_t)d->parts;
    account(d, r);
    if (!d->front.count) {
        d->next_offer = r->due;
        wake_for(d, d->reads ? first_answer(d, r->due) : r->due);
    }
    *ring_entry(&d->front, d->front.count++) = number;
}

static bool has_room(const struct dram_unit *d)
{
    return d->front.count < d->front.room && d->free_count;
}

/* Only what happened before this cycle has made room. */
static bool make_room(struct dram_unit *d, uint64_t now)
{
    if (!has_room(d) && now)
        catch_up(d, now - 1);
    return has_room(d);
}

static void dram_receive(struct unit *u, uint64_t now)
{
    struct dram_unit *d = (struct dram_unit *)u;
    const uint64_t *pending = unit_pending(u, CPU);
    d->leftover = false;
    if (!mask_any(pending, d->words))
        return;
    for (unsigned n = 0; n < d->accepts && make_room(d, now); n++) {
        int port = mask_next(pending, d->words, d->next_port);
        if (port < 0)
            break;
        take(d, (uint32_t)port, now);
        d->next_port = port_after((uint32_t)port, u->links[CPU]);
    }
    d->leftover = mask_any(pending, d->words);
    if (d->leftover || !d->busy)
        d->wake = now;
}

/* ---- answering ---- */

static void answer(struct dram_unit *d, uint32_t number, uint64_t now)
{
    struct request *r = &d->pool[number];
    uint32_t took = (uint32_t)now - r->msg.when;
    r->msg.op = MEM_DATA;
    link_push(&d->unit.out[REPLY][r->port], &r->msg);
    d->reads--;
    d->stats.reads++;
    d->stats.latency += took;
    d->stats.took[dram_latency_range(took)]++;
}

static bool is_transaction(const struct dram_unit *d, uint32_t number)
{
    return d->pool[number].offered == d->parts;
}

/* A hint to the asker of an answer that is due soon, mostly in two rounds. One
 * that comes first at once has the second only, and may wait for its lines. */
static void announce(const struct dram_unit *d, uint32_t at, unsigned round)
{
    if (at >= d->answers.count)
        return;
    const struct request *r = &d->pool[*ring_entry(&d->answers, at)];
    const struct outport *o = &d->unit.out[REPLY][r->port];
    const struct unit *asker = o->remote ? NULL : o->target;
    struct msg answer = r->msg;
    answer.op = MEM_DATA;
    if (asker && asker->expect)
        asker->expect(asker, &answer, round);
}

static void answer_due(struct dram_unit *d, uint64_t now)
{
    for (unsigned n = 0; n < d->answers_most && d->answers.count; n++) {
        uint32_t number = *ring_entry(&d->answers, 0);
        if (d->pool[number].due > now)
            return;
        answer(d, number, now);
        ring_pop(&d->answers);
        if (d->joins && is_transaction(d, number))
            leave(d, number);
        release(d, number);
    }
}

/* ---- a cycle ---- */

/*
 * What happens inside shows in answers only, and in the cycle in which nothing
 * is under way any more. So while reads are under way the unit sleeps until
 * the first one can be answered at the earliest, and then catches up: requests
 * are offered, commands issued in the cycles in which they would have been.
 */
static uint64_t next_answer(const struct dram_unit *d)
{
    uint64_t next = CYCLE_NEVER, back = (uint64_t)d->params.back;
    if (d->asked) {
        uint64_t data = d->next_tick + d->device->read_latency;
        next = cycle_with(d, data) + back;
    }
    if (!d->front.count)
        return next;
    next = sooner(next, first_answer(d, d->next_offer));
    if (d->quick == CYCLE_NEVER)
        return next;
    return sooner(next, not_before(d->quick, d->next_offer) + back);
}

/*
 * Without reads, or with requests that wait for room, each event counts.
 * Refreshes alone wake nobody: they are made up for when a request comes, so
 * that a chip in which nothing happens any more is known to be at its end.
 */
static uint64_t next_step(const struct dram_unit *d)
{
    if (!dram_pending(d->dram) || d->next_tick == DRAM_NEVER)
        return d->next_offer;
    return sooner(d->next_offer, cycle_with(d, d->next_tick));
}

static uint64_t next_event(const struct dram_unit *d, uint64_t now)
{
    if (d->leftover && has_room(d))
        return now + 1;
    uint64_t next = d->reads && !d->leftover ? next_answer(d) : next_step(d);
    if (d->answers.count)
        next = sooner(next, d->pool[*ring_entry(&d->answers, 0)].due);
    return not_before(next, now + 1);
}

static void run(struct dram_unit *d, uint64_t now)
{
    catch_up(d, now);
    answer_due(d, now);
    announce(d, 1, 0);
    announce(d, 0, 1);
    if (d->busy != (under_way(d) > 0)) {
        book_buses(d, now);
        d->busy = !d->busy;
    }
    d->wake = next_event(d, now);
}

/* Each wake-up is asked for once: the wheel is shorter than many waits. */
static uint64_t dram_send(struct unit *u, uint64_t now)
{
    struct dram_unit *d = (struct dram_unit *)u;
    if (d->wake <= now)
        run(d, now);
    if (d->wake == CYCLE_NEVER || (d->sure > now && d->sure <= d->wake))
        return CYCLE_NEVER;
    d->sure = sooner(d->wake, now + WHEEL - 1);
    return d->wake;
}

static void copy_statistics(struct dram_unit *d, uint64_t tick)
{
    struct dram_stats s;
    dram_statistics(d->dram, tick, &s);
#define COPY(name, unit, meaning) d->stats.name = s.name;
    DRAM_STATS(COPY)
#undef COPY
    memcpy(d->stats.commands, s.commands, sizeof d->stats.commands);
    d->stats.bus_clocks = tick * d->bus_count;
}

/* All before `now` has been run but refreshes that nobody waited for. */
static void close_account(struct unit *u, uint64_t now)
{
    struct dram_unit *d = (struct dram_unit *)u;
    uint64_t tick = now ? tick_in(d, now - 1) : 0;
    if (now)
        catch_up(d, now - 1);
    book_buses(d, now);
    book_held(d, now);
    copy_statistics(d, tick);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct dram_unit *d = (const struct dram_unit *)u;
    if (!under_way(d))
        return;
    fprintf(out,
            "%s: %u requests, %u on the way to the controllers%s, %u "
            "transactions in their queues, %u answers\n",
            u->name, under_way(d), d->front.count,
            d->blocked ? " (the first finds its queue full)" : "",
            dram_pending(d->dram), d->answers.count);
    dram_explain(d->dram, out);
}

#define PARAM_STRUCT struct dram_unit_params
#define STAT_STRUCT struct dram_unit_stats
#define COMMAND_ROW(command, name, meaning)                                    \
    {"cmd_" #command, "commands", meaning,                                     \
     offsetof(STAT_STRUCT, commands) + DRAM_##command * sizeof(uint64_t)},
#define TOOK_ROW(from)                                                         \
    {"took_" #from, "requests",                                                \
     "reads of " #from " cycles up to the next row",                           \
     offsetof(STAT_STRUCT, took) + DRAM_TOOK_##from * sizeof(uint64_t)},
static const struct param param_rows[] = {
    DRAM_UNIT_PARAMS(PARAM_ROW, TEXT_ROW)};
static const struct stat_row stat_rows[] = {
    DRAM_UNIT_STATS(STAT_ROW) DRAM_STATS(STAT_ROW) DRAM_COMMANDS(COMMAND_ROW)
        DRAM_LATENCIES(TOOK_ROW)};
static const struct stat_row bucket_rows[] = {DRAM_UNIT_BUCKETS(STAT_ROW)};

#define TOOK .prefix = "took_", .end = INT64_C(1) << 32, .scale = 1
static const struct figure_row figures[] = {
    {.name = "gb_per_second",
     .over = {"bytes_read", "bytes_written"},
     .said = "%.3g GB/s",
     .scale = 1},
    {.name = "bus_utilisation",
     .over = {"data_busy"},
     .under = {"bus_clocks"},
     .said = "%.1f %% of the pins",
     .scale = 100},
    {.name = "row_hit_rate",
     .over = {"read_hits", "write_hits"},
     .under = {"read_hits", "read_misses", "read_conflicts", "write_hits",
               "write_misses", "write_conflicts"},
     .said = "%.1f %% row hits",
     .scale = 100},
    {.name = "latency_mean",
     .over = {"latency"},
     .under = {"reads"},
     .scale = 1},
    {.name = "latency_p50", TOOK, .per_mille = 500, .said = "p50 %.0f"},
    {.name = "latency_p95", TOOK, .per_mille = 950, .said = "p95 %.0f"},
    {.name = "latency_p99", TOOK, .per_mille = 990, .said = "p99 %.0f cycles"},
};

const struct unit_kind dram_kind = {
    .name = "dram",
    .meaning = "main memory of a partition: DRAM channels with controllers",
    .size = sizeof(struct dram_unit),
    .params = offsetof(struct dram_unit, params),
    .stats = offsetof(struct dram_unit, stats),
    UNIT_TABLES,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = build,
    .receive = dram_receive,
    .send = dram_send,
    .close = close_account,
    .accounts = accounts,
    .explain = explain,
    .destroy = destroy,
};
